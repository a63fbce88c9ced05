"""How each kind of ground looks close up: flags, joints, asphalt, grass, and noise over all.

Every mark is placed by a hash of its cell of the world, so the same stone looks the
same in whatever chunk and at whatever zoom it is baked.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import copy

import numpy as np
import pygame

from game.render.colours import Colour, shade
from game.render.outlines import Point
from game.render.palette import GroundColours

Bounds = tuple[float, float, float, float]
"""x_min, y_min, x_max, y_max in cm."""

FLAG_CM = 60.0
SLAB_CM = 90.0
BARE_SLAB_CM = 200.0
PATCH_CELL_CM = 420.0
MANHOLE_CELL_CM = 900.0
TUFT_CELL_CM = 40.0
MOTTLE_CELL_CM = 150.0

COARSE_NOISE = (232, 255, 30.0)
FINE_NOISE = (240, 255, 2.0)
"""Low and high factor (of 255) and cell in cm (art-and-feel section 8)."""


class Ground:
    """A window onto the world's ground in pixels: which cm it covers and how to map them.

    - ``left``, ``top``: px of the unbounded ground picture at the surface's corner.
    - ``scale``: px per cm; ``sin_pitch`` shortens the map's y.
    """

    def __init__(
        self, surface: pygame.Surface, left: float, top: float, scale: float, sin_pitch: float
    ) -> None:
        self.surface = surface
        self.scale = scale
        self.sin_pitch = sin_pitch
        self._left = left
        self._top = top
        width, height = surface.get_size()
        self.x_min = left / scale
        self.y_min = top / (scale * sin_pitch)
        self.x_max = (left + width) / scale
        self.y_max = (top + height) / (scale * sin_pitch)

    def narrowed(self, surface: pygame.Surface, bounds: Bounds) -> Ground:
        """The same window on another surface, of which only these bounds will be seen."""
        narrow = copy(self)
        narrow.surface = surface
        narrow.x_min = max(self.x_min, bounds[0])
        narrow.y_min = max(self.y_min, bounds[1])
        narrow.x_max = min(self.x_max, bounds[2])
        narrow.y_max = min(self.y_max, bounds[3])
        return narrow

    def at(self, x: float, y: float) -> Point:
        """Pixel of a ground point."""
        return (x * self.scale - self._left, y * self.scale * self.sin_pitch - self._top)

    def rect(self, colour: Colour, x0: float, y0: float, x1: float, y1: float) -> None:
        """Fill an upright rectangle of ground."""
        ax, ay = self.at(x0, y0)
        bx, by = self.at(x1, y1)
        self.surface.fill(
            colour,
            (round(ax), round(ay), max(1, round(bx) - round(ax)), max(1, round(by) - round(ay))),
        )

    def polygon(self, colour: Colour, points: list[Point] | tuple[Point, ...]) -> None:
        """Fill a polygon of ground."""
        pygame.draw.polygon(self.surface, colour, [self.at(x, y) for x, y in points])

    def oval(self, colour: Colour, x: float, y: float, radius: float) -> None:
        """Fill a circle of ground."""
        px, py = self.at(x, y)
        box = pygame.Rect(
            0,
            0,
            max(1, round(2 * radius * self.scale)),
            max(1, round(2 * radius * self.scale * self.sin_pitch)),
        )
        box.center = (round(px), round(py))
        pygame.draw.ellipse(self.surface, colour, box)

    def width_px(self, width_cm: float) -> int:
        """A line width, at least 1."""
        return max(1, round(width_cm * self.scale))

    def cells(self, size: float, margin: int = 1) -> Iterator[tuple[int, int]]:
        """Columns and rows of the world's grid of that size that may reach into the window."""
        for row in range(int(self.y_min // size) - margin, int(self.y_max // size) + margin + 1):
            for column in range(
                int(self.x_min // size) - margin, int(self.x_max // size) + margin + 1
            ):
                yield column, row


def cell_dice(column: int, row: int, salt: int) -> random.Random:
    """Dice of one cell of the world: the same wherever and whenever it is painted."""
    return random.Random((column * 73856093) ^ (row * 19349663) ^ (salt * 83492791))


def paint_flags(ground: Ground, colour: Colour, size: float, jitter: float, joint: float) -> None:
    """Square stones; half of them a little lighter or darker, dark joints between."""
    surface = ground.surface
    surface.fill(colour)
    for column, row in ground.cells(size):
        dice = cell_dice(column, row, int(size))
        if dice.random() < 0.5:
            tone = shade(
                colour, dice.choice((1.0 - jitter, 1.0 - jitter * 0.6, 1.0 + jitter * 0.6))
            )
            ground.rect(tone, column * size, row * size, (column + 1) * size, (row + 1) * size)
    line = shade(colour, joint)
    width = ground.width_px(1.6)
    for column in range(int(ground.x_min // size), int(ground.x_max // size) + 2):
        x, _ = ground.at(column * size, 0.0)
        pygame.draw.line(surface, line, (x, 0), (x, surface.get_height()), width)
    for row in range(int(ground.y_min // size), int(ground.y_max // size) + 2):
        _, y = ground.at(0.0, row * size)
        pygame.draw.line(surface, line, (0, y), (surface.get_width(), y), width)


def paint_pavement(ground: Ground, colours: GroundColours) -> None:
    """Flags of 60 cm."""
    paint_flags(ground, colours.pavement, FLAG_CM, 0.05, 0.86)


def paint_plaza(ground: Ground, colours: GroundColours) -> None:
    """Slabs of 90 cm with a diamond on every other one."""
    paint_flags(ground, colours.plaza, SLAB_CM, 0.05, 0.84)
    for column, row in ground.cells(SLAB_CM):
        if (column + row) % 2:
            x, y = (column + 0.5) * SLAB_CM, (row + 0.5) * SLAB_CM
            reach = SLAB_CM * 0.22
            ground.polygon(
                shade(colours.plaza, 0.90),
                [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)],
            )


def paint_bare(ground: Ground, colours: GroundColours) -> None:
    """Concrete in large slabs, where nobody walks."""
    paint_flags(ground, colours.no_walk, BARE_SLAB_CM, 0.05, 0.88)
    _scatter(
        ground,
        PATCH_CELL_CM,
        5,
        0.5,
        lambda dice, x, y: ground.oval(
            shade(colours.no_walk, dice.choice((0.94, 1.04))), x, y, dice.uniform(20.0, 60.0)
        ),
    )


def paint_path(ground: Ground, colours: GroundColours) -> None:
    """Beaten earth with pebbles."""
    ground.surface.fill(colours.path)
    _mottle(ground, colours.path, 0.05)
    for column, row in ground.cells(TUFT_CELL_CM):
        dice = cell_dice(column, row, 7)
        if dice.random() < 0.6:
            x, y = (column + dice.random()) * TUFT_CELL_CM, (row + dice.random()) * TUFT_CELL_CM
            ground.oval(
                shade(colours.path, dice.choice((0.84, 0.9, 1.12))), x, y, dice.uniform(2.0, 4.0)
            )


def paint_road(ground: Ground, colours: GroundColours) -> None:
    """Asphalt: mended patches, cracks, oil and the odd manhole."""
    road = colours.road
    ground.surface.fill(road)
    _mottle(ground, road, 0.03)

    def mend(dice: random.Random, x: float, y: float) -> None:
        tone = shade(road, dice.choice((0.90, 0.94, 1.08)))
        ground.rect(tone, x, y, x + dice.uniform(80.0, 220.0), y + dice.uniform(40.0, 110.0))

    def crack(dice: random.Random, x: float, y: float) -> None:
        points = [ground.at(x, y)]
        for _ in range(dice.randint(3, 6)):
            x += dice.uniform(-40.0, 70.0)
            y += dice.uniform(-30.0, 30.0)
            points.append(ground.at(x, y))
        pygame.draw.lines(ground.surface, shade(road, 0.78), False, points, ground.width_px(1.6))

    def manhole(dice: random.Random, x: float, y: float) -> None:
        del dice
        ground.oval(shade(road, 0.60), x, y, 34.0)
        ground.oval(shade(road, 0.86), x, y, 29.0)
        for offset in (-14.0, 0.0, 14.0):
            ground.rect(shade(road, 0.70), x - 18.0, y + offset - 2.0, x + 18.0, y + offset + 2.0)

    _scatter(ground, PATCH_CELL_CM, 1, 0.55, mend)
    _scatter(ground, PATCH_CELL_CM, 2, 0.45, crack)
    _scatter(
        ground,
        PATCH_CELL_CM,
        3,
        0.25,
        lambda dice, x, y: ground.oval(shade(road, 0.88), x, y, dice.uniform(14.0, 34.0)),
    )
    _scatter(ground, MANHOLE_CELL_CM, 4, 0.6, manhole)


def paint_grass(ground: Ground, colours: GroundColours) -> None:
    """Lawn: soft patches of two greens, tufts, a few daisies."""
    grass = colours.grass
    ground.surface.fill(grass)
    _mottle(ground, grass, 0.07)
    for column, row in ground.cells(TUFT_CELL_CM):
        dice = cell_dice(column, row, 11)
        for _ in range(dice.randint(0, 2)):
            x, y = (column + dice.random()) * TUFT_CELL_CM, (row + dice.random()) * TUFT_CELL_CM
            tone = shade(grass, dice.choice((0.82, 0.88, 1.12)))
            foot = ground.at(x, y)
            for lean in (-3.0, 0.5, 3.5):
                tip_x, tip_y = ground.at(x + lean, y)
                pygame.draw.line(
                    ground.surface,
                    tone,
                    foot,
                    (tip_x, tip_y - 6.0 * ground.scale),
                    ground.width_px(1.4),
                )
        if dice.random() < 0.035:
            x, y = (column + dice.random()) * TUFT_CELL_CM, (row + dice.random()) * TUFT_CELL_CM
            ground.oval((240, 236, 220), x, y, 3.2)
            ground.oval((244, 206, 90), x, y, 1.3)


def _scatter(
    ground: Ground,
    cell: float,
    salt: int,
    chance: float,
    paint: Callable[[random.Random, float, float], None],
) -> None:
    """At most one mark in each cell of a coarse grid."""
    for column, row in ground.cells(cell):
        dice = cell_dice(column, row, salt)
        if dice.random() < chance:
            paint(dice, (column + dice.random()) * cell, (row + dice.random()) * cell)


def _mottle(ground: Ground, colour: Colour, strength: float) -> None:
    """Large soft spots a little off the base colour."""
    for column, row in ground.cells(MOTTLE_CELL_CM):
        dice = cell_dice(column, row, 13)
        for _ in range(2):
            x, y = (column + dice.random()) * MOTTLE_CELL_CM, (row + dice.random()) * MOTTLE_CELL_CM
            tone = shade(colour, 1.0 + dice.uniform(-strength, strength))
            ground.oval(tone, x, y, dice.uniform(30.0, 80.0))


TEXTURES: dict[str, Callable[[Ground, GroundColours], None]] = {
    "pavement": paint_pavement,
    "plaza": paint_plaza,
    "path": paint_path,
    "grass": paint_grass,
    "road": paint_road,
    "crossing": paint_road,
    "no_walk": paint_bare,
}
"""By kind of ground (NAV-27)."""


_NOISE_CELLS = 128
_noise_tables: dict[int, np.ndarray[tuple[int, int], np.dtype[np.uint8]]] = {}


def multiply_noise(ground: Ground, low: int, high: int, cell_cm: float) -> None:
    """Multiply the window with smooth noise of that grain, anchored to the world."""
    width, height = ground.surface.get_size()
    cell_x, cell_y = cell_cm * ground.scale, cell_cm * ground.scale * ground.sin_pitch
    if min(cell_x, cell_y) < 1.0:
        # Grain under a pixel: one cell a pixel is as fine as can be seen.
        cell_x = cell_y = 1.0
        first_column, first_row = (
            round(ground.x_min * ground.scale),
            round(ground.y_min * ground.scale * ground.sin_pitch),
        )
    else:
        first_column, first_row = int(ground.x_min // cell_cm) - 1, int(ground.y_min // cell_cm) - 1
    columns, rows = int(width / cell_x) + 4, int(height / cell_y) + 4
    table = _noise_tables.get(low)
    if table is None:
        table = np.random.default_rng(low).integers(
            low, high + 1, (_NOISE_CELLS, _NOISE_CELLS), dtype=np.uint8
        )
        _noise_tables[low] = table
    values = table[
        np.arange(first_column, first_column + columns)[:, None] % _NOISE_CELLS,
        np.arange(first_row, first_row + rows)[None, :] % _NOISE_CELLS,
    ]
    small = pygame.surfarray.make_surface(np.repeat(values[:, :, None], 3, axis=2))
    if cell_x > 1.0:
        grown = pygame.transform.smoothscale(small, (round(columns * cell_x), round(rows * cell_y)))
        left, top = ground.at(first_column * cell_cm, first_row * cell_cm)
    else:
        grown, left, top = small, 0.0, 0.0
    ground.surface.blit(grown, (round(left), round(top)), special_flags=pygame.BLEND_MULT)
