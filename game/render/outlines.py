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
        x, y = point
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2], chain[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                break
            chain.pop()
        chain.append(point)
    chain.pop()
    return chain


def grown_hull(points: Sequence[Point], grow: float) -> list[Point]:
    """Convex hull of points, pushed outwards by ``grow`` (over 0) with rounded corners."""
    corners = convex_hull(points)
    circle = convex_hull((grow * x, grow * y) for x, y in unit_circle(10))
    if len(corners) < 3:
        return convex_hull((x + dx, y + dy) for x, y in corners for dx, dy in circle)
    return _minkowski_sum(corners, circle)


def _minkowski_sum(one: Sequence[Point], other: Sequence[Point]) -> list[Point]:
    """Sum of two convex polygons as ``convex_hull`` gives them, in the same order.

    Both begin at their lowest x and turn the same way: one walk round both, over their
    sides by heading, meets every corner of the sum.
    """
    total: list[Point] = []
    here = there = 0
    while here < len(one) or there < len(other):
        ax, ay = one[here % len(one)]
        bx, by = one[(here + 1) % len(one)]
        cx, cy = other[there % len(other)]
        dx, dy = other[(there + 1) % len(other)]
        total.append((ax + cx, ay + cy))
        turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
        if there == len(other) or (here < len(one) and turn > 0.0):
            here += 1
        elif here == len(one) or turn < 0.0:
            there += 1
        else:
            here += 1
            there += 1
    return total


@cache
def _directions(count: int) -> NDArray[np.float64]:
    return np.array(unit_circle(count)).T


def disc_hull(discs: NDArray[np.float64], grow: float = 0.0, corners: int = 24) -> list[Point]:
    """Convex polygon about discs, shape (n, 3) of x, y, radius, each grown by ``grow``.

    Its corners are the outermost points in ``corners`` directions: no sorting, so it
    costs the same for few discs and many. Points are discs of radius 0.
    """
    return disc_hulls(discs, (grow,), corners)[0]


def disc_hulls(
    discs: NDArray[np.float64], grows: Sequence[float], corners: int = 24
) -> list[list[Point]]:
    """``disc_hull`` for each growth: the same discs are outermost in all of them."""
    ways = _directions(corners)
    middles, radii = discs[:, :2], discs[:, 2]
    outermost = (middles @ ways + radii[:, None]).argmax(axis=0)
    corner, reach, outwards = middles[outermost], radii[outermost, None], ways.T
    return [(corner + (reach + grow) * outwards).tolist() for grow in grows]
