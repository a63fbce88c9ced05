"""Scorched ground: three uneven rings, each darker, multiplied over the ground (section 8)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

import pygame

from game.render.projection import Projection

RINGS: Final = ((1.5, 0.78), (1.1, 0.60), (0.7, 0.50))
"""Radius against the fire's, and what the ground is multiplied with there."""
SIZE_STEP: Final = 4
SHAPES: Final = 5
SCORCHES_MAX: Final = 200


class Scorch(NamedTuple):
    """A burnt place: centre and radius of the fire in cm, how far it has come (0 to 1)."""

    x: float
    y: float
    radius: float
    share: float
    number: int


def paint_scorches(
    surface: pygame.Surface, projection: Projection, scorches: Iterable[Scorch]
) -> None:
    """Lay them over the ground, under all shadows."""
    width, height = surface.get_size()
    blits = []
    for one in scorches:
        x, y = projection.to_screen(one.x, one.y, 0.0)
        reach = 1.5 * one.radius * projection.zoom * (0.4 + 0.6 * one.share)
        if not (-reach < x < width + reach and -reach < y < height + reach) or reach < 2.0:
            continue
        size = max(SIZE_STEP, round(reach / SIZE_STEP) * SIZE_STEP)
        depth = max(1, round(one.share * 4))
        mark = _scorch_surface(size, round(projection.sin_pitch * 50), depth, one.number % SHAPES)
        blits.append((mark, (round(x - mark.get_width() / 2), round(y - mark.get_height() / 2))))
    surface.fblits(blits, pygame.BLEND_MULT)


@lru_cache(maxsize=256)
def _scorch_surface(reach: int, squash: int, depth: int, shape: int) -> pygame.Surface:
    half_y = max(2, reach * squash // 50)
    large = pygame.Surface((4 * reach + 4, 4 * half_y + 4))
    large.fill((255, 255, 255))
    middle = (large.get_width() / 2.0, large.get_height() / 2.0)
    for share, tone in RINGS:
        fade = 255 - round((1.0 - tone) * 255 * depth / 4)
        points = []
        for step in range(28):
            turn = step / 28 * math.tau
            wave = 1.0 + 0.09 * math.sin(3 * turn + shape) + 0.06 * math.sin(7 * turn + 2.3 * shape)
            far = 2.0 * share / 1.5 * 0.86 * wave
            points.append(
                (
                    middle[0] + far * reach * math.cos(turn),
                    middle[1] + far * half_y * math.sin(turn),
                )
            )
        pygame.draw.polygon(large, (fade, fade, fade), points)
    return pygame.transform.smoothscale(large, (2 * reach + 2, 2 * half_y + 2))
