"""Convex frusta: the sloping solids that cars are stacked from, shaded by the sun."""

from __future__ import annotations

import math
from collections.abc import Sequence

from game.render.canvas import Canvas, Solid
from game.render.colours import Colour, shade
from game.render.outlines import Point

SHADE_BASE, SHADE_SUN = 0.50, 0.55
"""A face is shaded 0.50 + 0.55 of the sun on it (art-and-feel section 7)."""


def paint_frustum(
    canvas: Canvas,
    low: Sequence[Point],
    high: Sequence[Point],
    heights: tuple[float, float],
    colour: Colour,
    top: Colour | None = None,
) -> None:
    """Side faces that are seen, far ones first, then the top if it has a colour.

    ``low`` and ``high`` are the outlines at both heights, corner for corner.
    """
    z0, z1 = heights
    faces: list[tuple[float, Colour, list[Solid]]] = []
    for index in range(len(low)):
        after = (index + 1) % len(low)
        corners: list[Solid] = [
            (*low[index], z0),
            (*low[after], z0),
            (*high[after], z1),
            (*high[index], z1),
        ]
        normal = normal_of(corners[0], corners[1], corners[3])
        if canvas.facing(normal) > 0.0:
            nearness = canvas.to_world(between(corners[0], corners[2], 0.5))[1]
            faces.append((nearness, sunlit(canvas, colour, normal), corners))
    faces.sort(key=lambda face: face[0])
    for _, tone, corners in faces:
        canvas.polygon(tone, corners)
    if top is not None:
        canvas.polygon(sunlit(canvas, top, (0.0, 0.0, 1.0)), [(x, y, z1) for x, y in high])


def sunlit(canvas: Canvas, colour: Colour, normal: Solid) -> Colour:
    """A colour on a face with this local unit normal."""
    return shade(colour, SHADE_BASE + SHADE_SUN * canvas.sunlight(normal))


def between(a: Solid, b: Solid, share: float) -> Solid:
    """The point between two points."""
    return (
        a[0] + (b[0] - a[0]) * share,
        a[1] + (b[1] - a[1]) * share,
        a[2] + (b[2] - a[2]) * share,
    )


def normal_of(corner: Solid, along: Solid, up: Solid) -> Solid:
    """Unit normal of a face from one corner and its neighbours; outward for our outlines."""
    ax, ay, az = along[0] - corner[0], along[1] - corner[1], along[2] - corner[2]
    bx, by, bz = up[0] - corner[0], up[1] - corner[1], up[2] - corner[2]
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    length = math.sqrt(x * x + y * y + z * z) or 1.0
    return (x / length, y / length, z / length)
