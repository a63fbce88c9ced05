"""Plane geometry of drawing: convex hulls of points and of discs, in pixels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Point: TypeAlias = tuple[float, float]
Disc: TypeAlias = tuple[float, float, float]
"""Centre x, centre y, radius."""


@cache
def unit_circle(count: int) -> tuple[Point, ...]:
    """``count`` points evenly around the unit circle, starting at (1, 0)."""
    turn = 2.0 * math.pi / count
    return tuple((math.cos(index * turn), math.sin(index * turn)) for index in range(count))


def convex_hull(points: Iterable[Point]) -> list[Point]:
    """The convex hull in order, not closed (Andrew's monotone chain); under 3 points if flat."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _chain(ordered) + _chain(ordered[::-1])


def _chain(ordered: Sequence[Point]) -> list[Point]:
    chain: list[Point] = []
    for point in ordered:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2], chain[-1]
            if (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax) > 0.0:
                break
            chain.pop()
        chain.append(point)
    chain.pop()
    return chain


def grown_hull(points: Sequence[Point], grow: float) -> list[Point]:
    """Convex hull of points, pushed outwards by ``grow`` with rounded corners."""
    circle = unit_circle(10)
    return convex_hull(
        (x + grow * cos, y + grow * sin) for x, y in convex_hull(points) for cos, sin in circle
    )


@cache
def _directions(count: int) -> NDArray[np.float64]:
    return np.array(unit_circle(count)).T


def disc_hull(discs: NDArray[np.float64], grow: float = 0.0, corners: int = 24) -> list[Point]:
    """Convex polygon about discs, shape (n, 3) of x, y, radius, each grown by ``grow``.

    Its corners are the outermost points in ``corners`` directions: no sorting, so it
    costs the same for few discs and many. Points are discs of radius 0.
    """
    ways = _directions(corners)
    radii = discs[:, 2] + grow
    outermost = np.argmax(discs[:, :2] @ ways + radii[:, None], axis=0)
    hull: list[Point] = (discs[outermost, :2] + radii[outermost, None] * ways.T).tolist()
    return hull
