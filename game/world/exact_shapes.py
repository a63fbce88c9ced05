"""Exact tests of a disc, standing or swept along a segment, against obstacles.

Plain floats and no library, as one test must cost about as much as a function
call. Touching counts as free: the tolerance is 1e-6 cm. "Swept" is the set of all
points that the disc covers on its way (a capsule).
"""

from __future__ import annotations

import math
from typing import TypeAlias

from game.world.outlines import Point

TOUCH_CM = 1e-6
"""A disc overlaps only what it enters by more than this."""

Edge: TypeAlias = tuple[float, float, float, float, float, float, float]
"""Start (x, y), vector (x, y), outward unit normal (x, y), squared length."""

ConvexShape: TypeAlias = tuple[Edge, ...]


def convex_shape(ring: tuple[Point, ...]) -> ConvexShape:
    """The edges of a convex counter-clockwise ring; edges without length are left out."""
    edges: list[Edge] = []
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        ex, ey = bx - ax, by - ay
        length = math.sqrt(ex * ex + ey * ey)
        if length > 0.0:
            edges.append((ax, ay, ex, ey, ey / length, -ex / length, ex * ex + ey * ey))
    return tuple(edges)


def disc_meets_convex(shape: ConvexShape, x: float, y: float, radius: float) -> bool:
    """True if a standing disc enters a convex shape."""
    limit = radius - TOUCH_CM
    outside = False
    for ax, ay, _, _, nx, ny, _ in shape:
        distance = (x - ax) * nx + (y - ay) * ny
        if distance >= limit:
            return False
        if distance > 0.0:
            outside = True
    if not outside:
        return True
    nearest = math.inf
    for ax, ay, ex, ey, nx, ny, length2 in shape:
        dx, dy = x - ax, y - ay
        if dx * nx + dy * ny > 0.0:
            nearest = min(nearest, _point_to_edge2(dx, dy, ex, ey, length2))
    return nearest < limit * limit


def sweep_meets_convex(
    shape: ConvexShape, x0: float, y0: float, x1: float, y1: float, radius: float
) -> bool:
    """True if a disc that moves from (x0, y0) to (x1, y1) enters a convex shape."""
    limit = radius - TOUCH_CM
    starts_inside = True
    for ax, ay, _, _, nx, ny, _ in shape:
        at_start = (x0 - ax) * nx + (y0 - ay) * ny
        at_end = (x1 - ax) * nx + (y1 - ay) * ny
        if at_start >= limit and at_end >= limit:
            return False
        if at_start > 0.0:
            starts_inside = False
    if starts_inside:
        return True
    limit2 = limit * limit
    sx, sy = x1 - x0, y1 - y0
    sweep2 = sx * sx + sy * sy
    for ax, ay, ex, ey, _, _, length2 in shape:
        # Two segments that don't cross are nearest at an end of one of them.
        dx, dy = x0 - ax, y0 - ay
        if _point_to_edge2(dx, dy, ex, ey, length2) < limit2:
            return True
        if _point_to_edge2(dx + sx, dy + sy, ex, ey, length2) < limit2:
            return True
        if sweep2 > 0.0:
            if _point_to_edge2(-dx, -dy, sx, sy, sweep2) < limit2:
                return True
            cross = sx * ey - sy * ex
            if cross != 0.0:
                along_sweep = (-dx * ey + dy * ex) / cross
                along_edge = (-dx * sy + dy * sx) / cross
                if 0.0 <= along_sweep <= 1.0 and 0.0 <= along_edge <= 1.0:
                    return True
    return False


def disc_meets_disc(cx: float, cy: float, cr: float, x: float, y: float, radius: float) -> bool:
    """True if a standing disc enters another."""
    dx, dy = x - cx, y - cy
    limit = radius + cr - TOUCH_CM
    return dx * dx + dy * dy < limit * limit


def sweep_meets_disc(
    cx: float, cy: float, cr: float, x0: float, y0: float, x1: float, y1: float, radius: float
) -> bool:
    """True if a disc that moves from (x0, y0) to (x1, y1) enters a standing disc."""
    sx, sy = x1 - x0, y1 - y0
    limit = radius + cr - TOUCH_CM
    sweep2 = sx * sx + sy * sy
    if sweep2 == 0.0:
        return disc_meets_disc(cx, cy, cr, x0, y0, radius)
    return _point_to_edge2(cx - x0, cy - y0, sx, sy, sweep2) < limit * limit


def _point_to_edge2(dx: float, dy: float, ex: float, ey: float, length2: float) -> float:
    """Squared distance of a point, given from the edge's start, to the edge."""
    along = (dx * ex + dy * ey) / length2
    if along <= 0.0:
        return dx * dx + dy * dy
    if along >= 1.0:
        dx -= ex
        dy -= ey
    else:
        dx -= along * ex
        dy -= along * ey
    return dx * dx + dy * dy
