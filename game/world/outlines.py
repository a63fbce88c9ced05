"""Outlines of things: from the local frame to the world, and what is measured on them.

Used when a thing is spawned or placed; nothing here runs per step.
"""

from __future__ import annotations

import math

import shapely

from ai.ports import Circle, Footprint, Polygon, Vec3

Point = tuple[float, float]
Bounds = tuple[float, float, float, float]

_ELLIPSE_POINTS = 48
"""Corners of a disc under unequal scale: at most 0.25 % of its radius off (F12)."""

_AREA_MIN_CM2 = 1.0


def outline_fault(outline: Footprint) -> str | None:
    """Why an outline can't be a thing's shape, or None (F4: no extent, no moment)."""
    if isinstance(outline, Circle):
        if not all(map(math.isfinite, outline)):
            return "the circle holds a number that is not finite"
        return None if outline.radius >= 1.0 else f"radius {outline.radius:g} cm is under 1 cm"
    if len(outline.points) < 3:
        return f"the polygon has {len(outline.points)} points; it needs 3"
    if not all(math.isfinite(value) for point in outline.points for value in point):
        return "the polygon holds a number that is not finite"
    polygon = shapely.Polygon(outline.points)
    if not polygon.is_valid:
        return "the polygon crosses itself"
    if polygon.area < _AREA_MIN_CM2:
        return f"the polygon's area of {polygon.area:g} cm2 is under {_AREA_MIN_CM2:g} cm2"
    return None


def scaled(outline: Footprint, scale: Vec3) -> Footprint:
    """The outline under the thing's scale, still unturned and centred; negative scale mirrors."""
    if isinstance(outline, Circle):
        if abs(scale.x) == abs(scale.y):
            return Circle(outline.x * scale.x, outline.y * scale.y, outline.radius * abs(scale.x))
        turn = 2.0 * math.pi / _ELLIPSE_POINTS
        rim = tuple(
            (
                outline.x + outline.radius * math.cos(turn * step),
                outline.y + outline.radius * math.sin(turn * step),
            )
            for step in range(_ELLIPSE_POINTS)
        )
        outline = Polygon(rim)
    return Polygon(tuple((x * scale.x, y * scale.y) for x, y in outline.points))


def placed(outline: Footprint, x: float, y: float, yaw_rad: float) -> Footprint:
    """A scaled outline turned and moved to its place in the world."""
    cos, sin = math.cos(yaw_rad), math.sin(yaw_rad)
    if isinstance(outline, Circle):
        return Circle(
            x + cos * outline.x - sin * outline.y,
            y + sin * outline.x + cos * outline.y,
            outline.radius,
        )
    return Polygon(
        tuple((x + cos * px - sin * py, y + sin * px + cos * py) for px, py in outline.points)
    )


def bounds_of(footprint: Footprint) -> Bounds:
    """(x_min, y_min, x_max, y_max) in cm."""
    if isinstance(footprint, Circle):
        x, y, radius = footprint
        return x - radius, y - radius, x + radius, y + radius
    across = [x for x, _ in footprint.points]
    down = [y for _, y in footprint.points]
    return min(across), min(down), max(across), max(down)


def bounding_radius(outline: Footprint) -> float:
    """Radius of the disc round the local origin that holds a scaled outline whatever its yaw."""
    if isinstance(outline, Circle):
        return math.hypot(outline.x, outline.y) + outline.radius
    return max(math.hypot(x, y) for x, y in outline.points)


def smallest_half_extent(outline: Footprint) -> float:
    """Half the least width of a scaled outline over all directions (RAG-17)."""
    if isinstance(outline, Circle):
        return outline.radius
    hull = counter_clockwise(_corners(shapely.Polygon(outline.points).convex_hull))
    least = math.inf
    for (ax, ay), (bx, by) in zip(hull, hull[1:] + hull[:1], strict=True):
        length = math.hypot(bx - ax, by - ay)
        width = max(((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length for x, y in hull)
        least = min(least, width)
    return least / 2.0


def counter_clockwise(points: list[Point]) -> list[Point]:
    """The same ring, wound so that its shoelace area is positive."""
    doubled = 0.0
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
        doubled += ax * by - bx * ay
    return points if doubled > 0.0 else points[::-1]


def convex_parts(polygon: Polygon) -> tuple[tuple[Point, ...], ...]:
    """Convex pieces, each counter-clockwise, that together are the polygon.

    A convex polygon is its own one piece; a concave one falls into triangles.
    """
    ring = counter_clockwise(list(polygon.points))
    if _is_convex(ring):
        return (tuple(ring),)
    triangles = shapely.constrained_delaunay_triangles(shapely.Polygon(ring))
    return tuple(tuple(counter_clockwise(_corners(triangle))) for triangle in triangles.geoms)


def _corners(polygon: shapely.Geometry) -> list[Point]:
    assert isinstance(polygon, shapely.Polygon)
    return [(x, y) for x, y in polygon.exterior.coords[:-1]]


def _is_convex(ring: list[Point]) -> bool:
    """Of a simple counter-clockwise ring: no corner turns the other way."""
    for index, (bx, by) in enumerate(ring):
        ax, ay = ring[index - 1]
        cx, cy = ring[(index + 1) % len(ring)]
        if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) < -1e-9:
            return False
    return True
