"""Vectors in view coordinates: right and down the picture, and towards the camera."""

from __future__ import annotations

import math
from typing import TypeAlias

Seen: TypeAlias = tuple[float, float, float]
"""A point or direction as the camera sees it: right, down, depth; cm or unit length."""


def minus(a: Seen, b: Seen) -> Seen:
    """From ``b`` to ``a``."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def cross(a: Seen, b: Seen) -> Seen:
    """Vector product; view coordinates are a rotation of the world, so it means the same there."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a: Seen) -> float:
    """Euclidean length."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def unit(a: Seen) -> Seen:
    """The direction of a vector; one without length points at the camera."""
    size = length(a)
    if size < 1e-9:
        return (0.0, 0.0, 1.0)
    return (a[0] / size, a[1] / size, a[2] / size)


def along(start: Seen, end: Seen, share: float) -> Seen:
    """The point between two points."""
    return (
        start[0] + (end[0] - start[0]) * share,
        start[1] + (end[1] - start[1]) * share,
        start[2] + (end[2] - start[2]) * share,
    )


def moved(point: Seen, *steps: tuple[Seen, float]) -> Seen:
    """A point moved along directions by distances."""
    x, y, depth = point
    for direction, distance in steps:
        x += direction[0] * distance
        y += direction[1] * distance
        depth += direction[2] * distance
    return (x, y, depth)


def blend(*parts: tuple[Seen, float]) -> Seen:
    """The weighted sum of vectors."""
    return moved((0.0, 0.0, 0.0), *parts)
