"""What stands in front of what: one sorting key for everything that rises from the ground.

The key of a thing is the y of its ground point. Long things (cars, walls, buildings)
are more than a point: whoever stands beside one is in front of it when the ground
point lies below the thing's base outline at that x (art-and-feel section 3). So the
keys of points near a long thing are moved to the right side of its key.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game.render.outlines import Point
from game.render.picture import StandingThing
from game.render.things.catalogue import style_of

KEY_GAP = 0.02
REACH_CM = 45.0
"""How far beyond a long thing's ends its outline still decides: about half a ped's width."""


@dataclass(frozen=True, slots=True)
class Base:
    """The ground outline of a long thing in the world.

    ``edge_x`` and ``edge_y`` are the corners of its edge towards the camera, left to
    right; between them it is straight.
    """

    x_min: float
    x_max: float
    y_middle: float
    edge_x: tuple[float, ...]
    edge_y: tuple[float, ...]

    @classmethod
    def of(cls, thing: StandingThing) -> Base:
        """The placed outline of a thing."""
        cos, sin = (
            math.cos(thing.yaw + thing.shape.turn_rad),
            math.sin(thing.yaw + thing.shape.turn_rad),
        )
        corners = [
            (thing.x + x * cos - y * sin, thing.y + x * sin + y * cos)
            for x, y in style_of(thing.shape.kind).base(thing.shape)
        ]
        ys = [y for _, y in corners]
        edge_x = sorted({x for x, _ in corners})
        edge_y = [_front(corners, x) for x in edge_x]
        return cls(edge_x[0], edge_x[-1], (min(ys) + max(ys)) / 2.0, tuple(edge_x), tuple(edge_y))

    def front(self, x: float) -> float:
        """The largest y of the outline at an x, which is first moved onto the thing."""
        return float(np.interp(x, self.edge_x, self.edge_y))


def _front(corners: Sequence[Point], x: float) -> float:
    front = -math.inf
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if min(ax, bx) <= x <= max(ax, bx):
            y = max(ay, by) if ax == bx else ay + (by - ay) * (x - ax) / (bx - ax)
            front = max(front, y)
    return front


class DepthOrder:
    """Sorting keys over one set of standing things; made anew when the set changes.

    ``keys[i]`` belongs to the i-th standing thing; ``keys_of`` gives the keys of
    moving points. Smaller keys are drawn first.
    """

    def __init__(self, standing: Sequence[StandingThing]) -> None:
        self._long: list[tuple[int, Base]] = [
            (index, Base.of(thing))
            for index, thing in enumerate(standing)
            if style_of(thing.shape.kind).long
        ]
        self._long_keys = self._ordered_keys()
        # Shape (long things, 1), to be compared with points in rows.
        self._x_min = np.array([[base.x_min] for _, base in self._long]).reshape(-1, 1)
        self._x_max = np.array([[base.x_max] for _, base in self._long]).reshape(-1, 1)
        self.keys: list[float] = [0.0] * len(standing)
        for (index, _), key in zip(self._long, self._long_keys, strict=True):
            self.keys[index] = key
        long_indices = {index for index, _ in self._long}
        short = [index for index in range(len(standing)) if index not in long_indices]
        points = np.array([(standing[index].x, standing[index].y) for index in short])
        if short:
            for index, key in zip(short, self.keys_of(points).tolist(), strict=True):
                self.keys[index] = key

    def keys_of(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Keys of peds and small things at ground points, shape (n, 2 or more) in, (n,) out."""
        x, y = points[:, 0], points[:, 1]
        keys: NDArray[np.float64] = y.copy()
        beside = (x > self._x_min - REACH_CM) & (x < self._x_max + REACH_CM)
        for place in np.flatnonzero(np.logical_or.reduce(beside, axis=1)).tolist():
            (_, base), long_key = self._long[place], self._long_keys[place]
            near = beside[place].nonzero()[0]
            before = y[near] > np.interp(x[near], base.edge_x, base.edge_y)
            keys[near] = np.where(
                before,
                np.maximum(keys[near], long_key + KEY_GAP),
                np.minimum(keys[near], long_key - KEY_GAP),
            )
        return keys

    def behind(self, x: float, y: float) -> list[int]:
        """Standing long things that a point is behind, as far as their width goes."""
        return [
            index
            for index, base in self._long
            if base.x_min < x < base.x_max and y <= base.front(x)
        ]

    def _ordered_keys(self) -> list[float]:
        """Keys of the long things: their middles, raised where one stands before another."""
        bases = [base for _, base in self._long]
        order = sorted(range(len(bases)), key=lambda index: bases[index].y_middle)
        keys = [base.y_middle for base in bases]
        # Every pair pushes at most once per round; chains longer than the list can't be.
        for _ in range(len(order)):
            changed = False
            for place, first in enumerate(order):
                for second in order[place + 1 :]:
                    behind, before = _by_front(bases, first, second)
                    if behind is not None and keys[before] < keys[behind] + 2.0 * KEY_GAP:
                        keys[before] = keys[behind] + 2.0 * KEY_GAP
                        changed = True
            if not changed:
                break
        return keys


def _by_front(bases: Sequence[Base], first: int, second: int) -> tuple[int | None, int]:
    """Which of two long things is behind the other, if they overlap across: (behind, before)."""
    a, b = bases[first], bases[second]
    low, high = max(a.x_min, b.x_min), min(a.x_max, b.x_max)
    if low >= high:
        return None, 0
    x = (low + high) / 2.0
    return (first, second) if a.front(x) <= b.front(x) else (second, first)
