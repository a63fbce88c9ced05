"""Marks on the ground: rings of the selected and the hovered, ways of orders, where they lead.

They lie over the light, so they read at night as by day.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pygame
from numpy.typing import NDArray

from ai.ports import Vec3
from game.render.colours import Colour
from game.render.outlines import Point
from game.render.palette import InterfaceColours
from game.render.picture import Aim, Marks, PedPictures
from game.render.projection import Projection

RING_RADIUS_CM = 34.0
RING_WIDTH_CM = 3.4
HOVER_WIDTH_PX = 1
AIM_RADIUS_CM = 15.0
AIM_RADIUS_MIN_PX = 6.0
DOT_GAP_CM = 26.0
DOT_RADIUS_PX = 2


def paint_marks(
    surface: pygame.Surface,
    projection: Projection,
    peds: PedPictures,
    places: NDArray[np.float64],
    marks: Marks,
    colours: InterfaceColours,
) -> None:
    """Rings about feet, then dotted ways from where a ped is drawn to where it is to go."""
    rows = {ped_id: row for row, ped_id in enumerate(peds.ids.tolist())}
    hovered = rows.get(marks.hovered) if marks.hovered is not None else None
    if hovered is not None and not peds.selected[hovered]:
        _ring(surface, projection, places[hovered], colours.text, HOVER_WIDTH_PX)
    width = max(2, round(RING_WIDTH_CM * projection.zoom))
    for row in np.flatnonzero(peds.selected).tolist():
        _ring(surface, projection, places[row], colours.selected, width)
    for line in marks.lines:
        walker = rows.get(line.ped_id)
        if walker is None:
            continue
        if line.corners:
            here = Vec3(*places[walker, :3].tolist())
            _dots(surface, projection, (here, *line.corners), colours)
        paint_aim(surface, projection, Aim(line.goal), colours)
    for aim in marks.aims:
        paint_aim(surface, projection, aim, colours)


def paint_aim(
    surface: pygame.Surface, projection: Projection, aim: Aim, colours: InterfaceColours
) -> None:
    """A ring with a point in it, flat on the ground."""
    across = max(AIM_RADIUS_MIN_PX, AIM_RADIUS_CM * projection.zoom) * aim.size
    down = across * projection.sin_pitch
    alpha = round(255 * min(1.0, max(0.0, aim.strength)))
    layer = pygame.Surface((2 * math.ceil(across) + 6, 2 * math.ceil(down) + 6), pygame.SRCALPHA)
    middle = layer.get_rect()
    for colour, grow, width in ((colours.paper_ink, 1.0, 4), (colours.accent, 0.0, 2)):
        box = pygame.Rect(0, 0, round(2 * (across + grow)), round(2 * (down + grow)))
        box.center = middle.center
        pygame.draw.ellipse(layer, (*colour, alpha), box, width)
    pygame.draw.circle(layer, (*colours.accent, alpha), middle.center, DOT_RADIUS_PX)
    x, y = projection.to_screen(*aim.place)
    surface.blit(layer, (round(x) - middle.width // 2, round(y) - middle.height // 2))


def _ring(
    surface: pygame.Surface,
    projection: Projection,
    place: NDArray[np.float64],
    colour: Colour,
    width_px: int,
) -> None:
    px, py = projection.to_screen(*place[:3].tolist())
    radius = RING_RADIUS_CM * projection.zoom
    box = pygame.Rect(0, 0, round(2 * radius), round(2 * radius * projection.sin_pitch))
    box.center = (round(px), round(py))
    pygame.draw.ellipse(surface, colour, box, width_px)


def _dots(
    surface: pygame.Surface,
    projection: Projection,
    way: Sequence[Vec3],
    colours: InterfaceColours,
) -> None:
    """Dots at even distances from the goal backwards: they lie still while the ped walks."""
    for x, y in dots_along(way, DOT_GAP_CM, projection):
        at = (round(x), round(y))
        pygame.draw.circle(surface, colours.paper_ink, at, DOT_RADIUS_PX + 1)
        pygame.draw.circle(surface, colours.accent, at, DOT_RADIUS_PX)


def dots_along(way: Sequence[Vec3], gap_cm: float, projection: Projection) -> list[Point]:
    """Screen points every ``gap_cm`` of the way, counted from its end, both ends left out."""
    found: list[Point] = []
    left = gap_cm
    for start, end in zip(way[-1:0:-1], way[-2::-1], strict=True):
        length = math.hypot(end.x - start.x, end.y - start.y)
        while left < length:
            share = left / length
            found.append(
                projection.to_screen(
                    start.x + (end.x - start.x) * share,
                    start.y + (end.y - start.y) * share,
                    start.z + (end.z - start.z) * share,
                )
            )
            left += gap_cm
        left -= length
    # The last one would lie under the feet.
    return [
        point
        for point in found
        if math.dist(point, projection.to_screen(*way[0])) > RING_RADIUS_CM * projection.zoom
    ]
