"""The shadow a figure throws, and the dark blobs under its planted feet.

Every joint is shifted along the ground by (0.55, 0.35) of its height; limbs between
the shifted joints are filled in one colour, so that nothing adds up.
"""

from __future__ import annotations

import pygame

from game.render.colours import Colour
from game.render.outlines import Point
from game.render.strokes import capsule

_BONES: tuple[tuple[int, int, float, float], ...] = (
    (10, 11, 8.0, 6.0),
    (11, 12, 6.0, 5.0),
    (13, 14, 4.0, 4.0),
    (19, 20, 8.0, 6.0),
    (20, 21, 6.0, 5.0),
    (22, 23, 4.0, 4.0),
    (6, 7, 6.0, 5.0),
    (7, 9, 5.0, 4.0),
    (15, 16, 6.0, 5.0),
    (16, 18, 5.0, 4.0),
    (2, 0, 13.0, 12.0),
    (3, 3, 13.0, 13.0),
)
"""Joint numbers in drawing order (``skeleton.FigureRig``) and radii in cm at both ends."""

PLANTED_BELOW_CM = 5.5
BLOB_CM = (13.0, 6.0)
"""Half axes of the blob under a planted foot (26 x 12 cm)."""


def paint_shadow(
    surface: pygame.Surface, origin: Point, scale: float, joints: list[Point], colour: Colour
) -> None:
    """Fill the shadow of a figure; ``joints`` are shifted joints in view cm, drawing order."""
    ox, oy = origin
    for first, second, radius_a, radius_b in _BONES:
        (ax, ay), (bx, by) = joints[first], joints[second]
        capsule(
            surface,
            colour,
            (ox + ax * scale, oy + ay * scale, max(1.0, radius_a * scale)),
            (ox + bx * scale, oy + by * scale, max(1.0, radius_b * scale)),
        )


def paint_foot_blob(
    surface: pygame.Surface, centre: Point, scale: float, sin_pitch: float, colour: Colour
) -> None:
    """The dark oval under one foot, at least 2 px wide."""
    half_x, half_y = BLOB_CM
    width = max(2, round(2.0 * half_x * scale))
    height = max(1, round(2.0 * half_y * scale * (0.6 + 0.4 * sin_pitch)))
    box = pygame.Rect(0, 0, width, height)
    box.center = (round(centre[0]), round(centre[1]))
    pygame.draw.ellipse(surface, colour, box)
