"""All that burns in a picture: flames among what stands, scorches below, smoke and light above."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import pygame

from game.render.colours import shade
from game.render.depth import DepthOrder
from game.render.fires.air import FireAir, Source
from game.render.fires.flame_sprites import FRAMES, FlameSprites
from game.render.fires.scorch import paint_scorches
from game.render.frame import Frame, Item
from game.render.light import Pool
from game.render.palette import Palette
from game.render.picture import FirePicture, Picture
from game.render.projection import Projection

LOOP_S: Final = 1.1
"""A loop of flames at 60 cm; smaller fires flicker faster (section 8: 1.5 / sqrt(D) Hz)."""
POOL_CELL_CM: Final = 260.0
"""Fires of one cell of the street light it together: a pool for each would cost too much."""
POOLS_MAX: Final = 26
FLICKER_STEPS: Final = 6


class FireLayer:
    """Draws the fires of one level."""

    def __init__(self, palette: Palette, bakes_per_frame: int | None) -> None:
        self._palette = palette
        self._flames = FlameSprites(palette.fire, bakes_per_frame)
        self._air = FireAir(palette.fire)
        self._watered_at = 0

    def follow(self, picture: Picture, frame: Frame) -> None:
        """Bring what is in the air up to the picture."""
        self._flames.begin_frame(frame.settled)
        seen = [one for one in picture.fires if _in_sight(one, frame.projection)]
        sources = [
            Source(one.x, one.y, one.z, one.radius, one.strength, one.is_person) for one in seen
        ]
        self._air.advance(sources, picture.wind, picture.time_s)
        for x, y, radius in picture.water:
            self._air.steam(x, y, radius)

    @staticmethod
    def paint_ground(surface: pygame.Surface, picture: Picture, projection: Projection) -> None:
        """Scorched places."""
        if picture.scorches:
            paint_scorches(surface, projection, picture.scorches)

    def items(self, frame: Frame, picture: Picture, order: DepthOrder) -> list[Item]:
        """Flames among all that rises; those on a thing stand before it."""
        seen = [one for one in picture.fires if _in_sight(one, frame.projection)]
        if not seen:
            return []
        points = np.array([(one.x, _foot_y(one)) for one in seen])
        keys = order.keys_of(points).tolist()
        items = []
        for one, key in zip(seen, keys, strict=True):
            x, y = frame.projection.to_screen(one.x, one.y, one.z)
            loop_s = LOOP_S * math.sqrt(max(one.radius, 15.0) / 60.0)
            turn = picture.time_s / loop_s + one.number * 0.618
            sprite = self._flames.sprite(
                max(one.radius, 14.0), one.strength, int(turn * FRAMES) % FRAMES, frame.settled
            )
            fitted = frame.fitted(sprite)
            if frame.shows(fitted, x, y):
                items.append(Item(key, fitted, x, y))
        return items

    def pools(self, picture: Picture, projection: Projection) -> list[Pool]:
        """The light of fires, those near each other as one."""
        cells: dict[tuple[int, int], list[FirePicture]] = {}
        for one in picture.fires:
            key = (int(one.x // POOL_CELL_CM), int(one.y // POOL_CELL_CM))
            cells.setdefault(key, []).append(one)
        glow, pools = self._palette.fire, []
        for (column, row), fires in cells.items():
            power = sum(one.strength * one.radius**2 for one in fires)
            if power <= 0.0:
                continue
            weight = [one.strength * one.radius**2 / power for one in fires]
            x = sum(one.x * share for one, share in zip(fires, weight, strict=True))
            y = sum(one.y * share for one, share in zip(fires, weight, strict=True))
            z = sum(one.z * share for one, share in zip(fires, weight, strict=True))
            radius = min(math.sqrt(power), 170.0)
            level = flicker(picture.time_s, radius, column * 31 + row * 17)
            level = round(level * FLICKER_STEPS) / FLICKER_STEPS
            at = projection.to_screen(x, y, 0.0)
            reach = (5.5 * radius + 60.0) * projection.zoom
            core = max(1.8 * radius, 90.0) * projection.zoom
            width, height = projection.width, projection.height
            if not (-reach < at[0] < width + reach and -reach < at[1] < height + reach):
                continue
            over = projection.to_screen(x, y, z + 40.0 + 0.5 * radius)
            pools.append(
                Pool(*at, reach, shade(glow.pool, level), projection.sin_pitch, always=True)
            )
            pools.append(Pool(*over, core, shade(glow.core, level), 1.15, always=True))
        pools.sort(key=lambda pool: -pool.radius)
        return pools[: 2 * POOLS_MAX]

    def paint_smoke(self, surface: pygame.Surface, projection: Projection) -> None:
        """Above what stands, below the light."""
        self._air.paint_smoke(surface, projection)

    def paint_bright(self, surface: pygame.Surface, projection: Projection) -> None:
        """What shines, over the light."""
        self._air.paint_bright(surface, projection)


def flicker(time_s: float, radius_cm: float, number: int) -> float:
    """How bright a fire is at a moment, about 1 (section 8; puffing: Cetegen and Ahmed 1993)."""
    hertz = 1.5 / math.sqrt(max(2.0 * radius_cm, 20.0) / 100.0)
    turn = math.tau * hertz * time_s
    noise = math.sin(math.tau * 9.0 * time_s + number) * math.sin(5.3 * time_s + 1.7 * number)
    return (
        1.0
        + 0.10 * math.sin(turn + number)
        + 0.06 * math.sin(2.6 * turn + 2.0 * number)
        + 0.04 * noise
    )


def _foot_y(fire: FirePicture) -> float:
    """The y that flames are sorted by."""
    if fire.is_person:
        return fire.y + 1.0
    return fire.y + 0.35 * fire.radius if fire.front_y is None else fire.front_y + 1.0


def _in_sight(fire: FirePicture, projection: Projection) -> bool:
    x, y = projection.to_screen(fire.x, fire.y, fire.z)
    reach = (4.0 * fire.radius + 300.0) * projection.zoom
    return -reach < x < projection.width + reach and -reach < y < projection.height + reach
