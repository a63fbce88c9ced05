"""Stars that go round the head of who has come down hard (art-and-feel section 9)."""

from __future__ import annotations

import math
from typing import Final

import pygame

from game.render.colours import Colour
from game.render.projection import Projection

STARS: Final = 3
TURNS_PER_S: Final = 1.1
ORBIT_CM: Final = 18.0
OVER_HEAD_CM: Final = 26.0
STAR_CM: Final = 6.5
POINTS: Final = 5


def paint_dizzy_stars(
    surface: pygame.Surface,
    projection: Projection,
    head: tuple[float, float, float],
    time_s: float,
    colour: Colour,
    ink: Colour,
) -> None:
    """Three stars round a point of the world, the far ones first."""
    outer = max(2.5, STAR_CM * projection.zoom)
    turns = [(TURNS_PER_S * time_s + number / STARS) * math.tau for number in range(STARS)]
    for turn in sorted(turns, key=math.sin):
        x, y = projection.to_screen(
            head[0] + ORBIT_CM * math.cos(turn),
            head[1] + ORBIT_CM * math.sin(turn),
            head[2] + OVER_HEAD_CM,
        )
        for size, fill in ((outer + 1.5, ink), (outer, colour)):
            pygame.draw.polygon(surface, fill, _star(x, y, size))


def _star(x: float, y: float, outer: float) -> list[tuple[float, float]]:
    corners = []
    for step in range(2 * POINTS):
        reach = outer if step % 2 == 0 else 0.45 * outer
        turn = -0.5 * math.pi + step * math.pi / POINTS
        corners.append((x + reach * math.cos(turn), y + reach * math.sin(turn)))
    return corners
