"""Ways out of a level, and how far it is to each from anywhere: a field that knows the dangers.

The ground is cut into square cells. From each exit a Dijkstra search goes over the cells that a
body can stand on; what lies within a danger costs more (``ai.ports.Danger``). So the field
says at once, for any number of peds, which exit is worth running to; the way itself is
searched for on the walk graph.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ai.ports import Danger, Polygon, Vec3

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

CELL_CM: Final = 100.0
FLOW_PER_M_S: Final = 1.3
"""People who pass a metre of width in a second, unhurt (Fruin 1971, level of service E)."""
RUN_CM_S: Final = 330.0
GOAL_SPACING_CM: Final = 70.0

_STEPS: Final = tuple(
    (row, column, math.hypot(row, column))
    for row in (-1, 0, 1)
    for column in (-1, 0, 1)
    if (row, column) != (0, 0)
)


@dataclass(frozen=True, slots=True)
class Exit:
    """An area that leads out; ``width_cm`` is how wide the way there is at its mouth."""

    name: str
    outline: Polygon
    width_cm: float

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """x_min, y_min, x_max, y_max, cm."""
        xs = [x for x, _ in self.outline.points]
        ys = [y for _, y in self.outline.points]
        return min(xs), min(ys), max(xs), max(ys)

    def contains(self, x: float, y: float) -> bool:
        """Is a point within its bounds?"""
        x_min, y_min, x_max, y_max = self.bounds
        return x_min <= x <= x_max and y_min <= y <= y_max

    def goal(self, number: int, near: Vec3) -> Vec3:
        """A place in it to run to, beside others': across from where one comes from."""
        x_min, y_min, x_max, y_max = self.bounds
        if x_max - x_min < y_max - y_min:
            y = min(max(near.y, y_min + 60.0), y_max - 60.0)
            y = _spread(y, number, y_min + 60.0, y_max - 60.0)
            return Vec3((x_min + x_max) / 2.0, y)
        x = min(max(near.x, x_min + 60.0), x_max - 60.0)
        x = _spread(x, number, x_min + 60.0, x_max - 60.0)
        return Vec3(x, (y_min + y_max) / 2.0)


def _spread(value: float, number: int, low: float, high: float) -> float:
    aside = (number * 0.618 % 1.0 - 0.5) * 4.0 * GOAL_SPACING_CM
    return min(max(value + aside, low), high)


class Exits:
    """The exits of a level with their distance fields, cm of equal effort by cell.

    - ``heading`` is how many are under way to each; it is set by whoever counts.
    - ``refresh`` searches one field anew; call it for one exit at a time.
    """

    def __init__(
        self,
        exits: Sequence[Exit],
        width_cm: float,
        height_cm: float,
        stands: Callable[[float, float], bool],
    ) -> None:
        self.exits = tuple(exits)
        self.heading = [0] * len(self.exits)
        self._rows = max(1, math.ceil(height_cm / CELL_CM))
        self._columns = max(1, math.ceil(width_cm / CELL_CM))
        self._stands = stands
        self._free = self._look()
        self._fields = [np.full(self._free.shape, np.inf) for _ in self.exits]
        for index in range(len(self.exits)):
            self.refresh(index, ())

    def look_again(self) -> None:
        """Things have come or gone: ask of every cell whether a body stands there."""
        self._free = self._look()

    def refresh(self, index: int, dangers: Sequence[Danger]) -> None:
        """Search the field of one exit anew."""
        self._fields[index] = distances(
            self._free, cell_costs(self._free.shape, dangers), self._seeds(self.exits[index])
        )

    def effort(self, x: float, y: float) -> list[float]:
        """To each exit from a place: way and danger in cm; infinite without a way."""
        row = min(max(int(y // CELL_CM), 0), self._rows - 1)
        column = min(max(int(x // CELL_CM), 0), self._columns - 1)
        low, left = max(row - 1, 0), max(column - 1, 0)
        found = []
        for field in self._fields:
            value = float(field[row, column])
            if math.isinf(value):
                value = float(field[low : row + 2, left : column + 2].min())
            found.append(value)
        return found

    def best(self, x: float, y: float, present: int | None = None, keep: float = 1.0) -> int | None:
        """The exit worth running to, those who queue there counted; None without a way to any.

        ``present`` stays unless another's effort is below ``keep`` times its own.
        """
        total = [
            way + RUN_CM_S * queue_s(count, each.width_cm)
            for way, count, each in zip(self.effort(x, y), self.heading, self.exits, strict=True)
        ]
        best = min(range(len(total)), key=total.__getitem__, default=None)
        if best is None or math.isinf(total[best]):
            return None
        if present is not None and total[best] >= keep * total[present]:
            return present
        return best

    def _look(self) -> Flags:
        return np.array(
            [
                [
                    self._stands((column + 0.5) * CELL_CM, (row + 0.5) * CELL_CM)
                    for column in range(self._columns)
                ]
                for row in range(self._rows)
            ],
            dtype=np.bool_,
        )

    def _seeds(self, way_out: Exit) -> Flags:
        x = (np.arange(self._columns) + 0.5) * CELL_CM
        y = (np.arange(self._rows) + 0.5) * CELL_CM
        x_min, y_min, x_max, y_max = way_out.bounds
        inside = ((x >= x_min) & (x <= x_max))[None, :] & ((y >= y_min) & (y <= y_max))[:, None]
        seeds: Flags = inside & self._free
        return seeds


def queue_s(count: int, width_cm: float) -> float:
    """How long so many take to pass an opening."""
    return count / (FLOW_PER_M_S * max(width_cm, 50.0) / 100.0)


def cell_costs(shape: tuple[int, ...], dangers: Sequence[Danger]) -> Floats:
    """What a cm costs by cell: the dearest danger over its centre, 1 elsewhere."""
    costs = np.ones(shape)
    x = (np.arange(shape[1]) + 0.5) * CELL_CM
    y = (np.arange(shape[0]) + 0.5) * CELL_CM
    for danger in dangers:
        area = danger.area
        apart = (x[None, :] - area.x) ** 2 + (y[:, None] - area.y) ** 2
        np.maximum(costs, np.where(apart <= area.radius**2, danger.cost, 1.0), out=costs)
    return costs


def distances(free: Flags, costs: Floats, seeds: Flags) -> Floats:
    """Least cost from each cell to a seed over free cells, eight ways, corners not cut; cm."""
    rows, columns = free.shape
    field = [math.inf] * (rows * columns)
    is_free = free.ravel().tolist()
    cost = costs.ravel().tolist()
    heap: list[tuple[float, int]] = []
    for cell in np.flatnonzero(seeds).tolist():
        field[cell] = 0.0
        heap.append((0.0, cell))
    heapq.heapify(heap)
    while heap:
        reached, cell = heapq.heappop(heap)
        if reached > field[cell]:
            continue
        row, column = divmod(cell, columns)
        for down, right, length in _STEPS:
            to_row, to_column = row + down, column + right
            if not (0 <= to_row < rows and 0 <= to_column < columns):
                continue
            to = to_row * columns + to_column
            if not is_free[to]:
                continue
            if (
                down
                and right
                and not (is_free[row * columns + to_column] and is_free[to_row * columns + column])
            ):
                continue
            made = reached + length * CELL_CM * 0.5 * (cost[cell] + cost[to])
            if made < field[to]:
                field[to] = made
                heapq.heappush(heap, (made, to))
    return np.array(field).reshape(rows, columns)
