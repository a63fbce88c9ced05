"""Who stands near whom: present peds in square cells, rebuilt for each motion sub-step.

The grid holds the *places at the start of the sub-step*. Two kinds of question are
asked of it:

- ``sight``: steering looks ahead at other peds as they were when the sub-step began
  (``x, y, velocity_x, velocity_y`` here), so its answers don't depend on who is
  processed first.
- ``touch``: spacing (LOC-07) goes by present places. The grid only names who may
  matter: a ped within the spacing after both have moved is near in this sense.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.movement_table import MovementTable

FEW = 12
"""Up to this many peds are looked through one by one: it costs less than any batch."""

DENSE = 64
"""Up to this many peds all are compared with all: it costs less than sorting them into cells."""


class PedLists(NamedTuple):
    """The arrays of a ``PedGrid`` as lists."""

    slots: list[int]
    x: list[float]
    y: list[float]
    velocity_x: list[float]
    velocity_y: list[float]


class PedGrid:
    """Places of peds and their neighbours. An *index* is a place in ``slots``, ``x`` ..."""

    def __init__(self, table: MovementTable) -> None:
        self._table = table
        self.rebuild(np.empty(0, dtype=np.int64), 1.0, 1.0)

    def rebuild(self, slots: NDArray[np.int64], touch_cm: float, sight_cm: float) -> None:
        """Take the present places of these peds; ranges are those of ``touch`` and ``sight``."""
        table = self._table
        self.slots = slots
        self.x = table.x[slots]
        self.y = table.y[slots]
        self.velocity_x = table.velocity_x[slots]
        self.velocity_y = table.velocity_y[slots]
        self.touch = Neighbours(self.x, self.y, touch_cm)
        self.sight = Neighbours(self.x, self.y, sight_cm)
        self._lists: PedLists | None = None

    def lists(self) -> PedLists:
        """The arrays as lists, for loops over single peds."""
        if self._lists is None:
            self._lists = PedLists(
                self.slots.tolist(),
                self.x.tolist(),
                self.y.tolist(),
                self.velocity_x.tolist(),
                self.velocity_y.tolist(),
            )
        return self._lists


class Neighbours:
    """All peds within a range of each ped, and some beyond it; sorted when first asked.

    Cells are as wide as the range, so the peds of the nine cells around one are all
    that can be in range. The cells of a row of the map have consecutive keys.
    """

    def __init__(self, x: NDArray[np.float64], y: NDArray[np.float64], range_cm: float) -> None:
        self._x = x
        self._y = y
        self._range_cm = range_cm
        self._ready = False
        self._near_of = -1
        self._near: list[int] = []

    def near(self, index: int) -> list[int]:
        """Indices of the other peds around one; don't change the list."""
        if index != self._near_of:
            self._near = self._around(index)
            self._near.remove(index)
            self._near_of = index
        return self._near

    def pairs(self, indices: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every (ped of ``indices``, other ped around it), as two arrays of equal length.

        The first array holds positions within ``indices``, the second indices.
        """
        self._sort()
        middle = self._key[indices] + self._rows_around[:, None]
        low = self._sorted_key.searchsorted(middle - 1, side="left").ravel()
        high = self._sorted_key.searchsorted(middle + 1, side="right").ravel()
        asked, places = _runs(low, high)
        asked %= len(indices)
        others = self._order[places]
        differ = others != indices[asked]
        return asked[differ], others[differ]

    def all_pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every two peds around each other once, as two arrays of indices."""
        if len(self._x) <= DENSE:
            near = np.abs(self._x[:, None] - self._x) <= self._range_cm
            near &= np.abs(self._y[:, None] - self._y) <= self._range_cm
            first, second = near.nonzero()
            once = first < second
            return first[once], second[once]
        self._sort()
        keys = self._sorted_key
        here = np.arange(len(keys))
        beside = keys.searchsorted(keys + 1, side="right")
        below_low = keys.searchsorted(keys + (self._width - 1), side="left")
        below_high = keys.searchsorted(keys + (self._width + 1), side="right")
        first, second = _runs(
            np.concatenate((here + 1, below_low)), np.concatenate((beside, below_high))
        )
        return self._order[first % len(keys)], self._order[second]

    def _around(self, index: int) -> list[int]:
        if len(self._x) <= FEW:
            return list(range(len(self._x)))
        self._sort()
        keys = self._sorted_key_list
        middle = self._key.item(index)
        found: list[int] = []
        for key in (middle - self._width, middle, middle + self._width):
            low, high = bisect_left(keys, key - 1), bisect_right(keys, key + 1)
            found += self._order_list[low:high]
        return found

    def _sort(self) -> None:
        if self._ready:
            return
        column = np.floor(self._x / self._range_cm).astype(np.int64)
        row = np.floor(self._y / self._range_cm).astype(np.int64)
        # An empty column at either end: a cell beside the last one of a row of the map must
        # not be the first one of the next row.
        column -= column.min() - 1
        self._width = int(column.max()) + 2
        self._rows_around = np.array((-self._width, 0, self._width))
        self._key = row * self._width + column
        self._order = self._key.argsort(kind="stable")
        self._sorted_key = self._key[self._order]
        self._sorted_key_list: list[int] = self._sorted_key.tolist()
        self._order_list: list[int] = self._order.tolist()
        self._ready = True


def _runs(
    low: NDArray[np.int64], high: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All whole numbers from ``low[i]`` to below ``high[i]``: the ``i`` and the numbers."""
    counts = high - low
    which = np.arange(len(low)).repeat(counts)
    first_of_run = counts.cumsum() - counts
    return which, np.arange(len(which)) - (first_of_run - low)[which]
