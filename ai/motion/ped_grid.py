"""Who stands near whom: present peds in square cells, rebuilt for each motion sub-step.

The grid holds the *places at the start of the sub-step*. Two kinds of question are
asked of it:

- Steering looks ahead at other peds as they were when the sub-step began
  (``x, y, velocity_x, velocity_y`` here), so its answers don't depend on who is
  processed first.
- Spacing (LOC-07) goes by present places. The grid only names who may matter: cells
  are wide enough that a ped within the spacing after both have moved stands in one
  of the nine cells around.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np
from numpy.typing import NDArray

from ai.motion.movement_table import MovementTable

FEW = 24
"""Up to this many peds looking at all of them costs less than sorting them."""


class PedGrid:
    """Peds by cell. An *index* below is a place in the arrays ``slots``, ``x`` ..."""

    def __init__(self, table: MovementTable) -> None:
        self._table = table
        self.slots: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.x: NDArray[np.float64] = np.empty(0)
        self.y: NDArray[np.float64] = np.empty(0)
        self.velocity_x: NDArray[np.float64] = np.empty(0)
        self.velocity_y: NDArray[np.float64] = np.empty(0)
        self._everyone: list[int] = []

    def rebuild(self, slots: NDArray[np.int64], cell_cm: float) -> None:
        """Take the present places of these peds, in cells of ``cell_cm``."""
        table = self._table
        self.slots = slots
        self.x = table.x[slots]
        self.y = table.y[slots]
        self.velocity_x = table.velocity_x[slots]
        self.velocity_y = table.velocity_y[slots]
        self._lists: tuple[list[int], list[float], list[float], list[float], list[float]] | None
        self._lists = None
        self._few = len(slots) <= FEW
        if self._few:
            self._everyone = list(range(len(slots)))
            return
        column = np.floor(self.x / cell_cm).astype(np.int64)
        row = np.floor(self.y / cell_cm).astype(np.int64)
        column -= column.min() - 1
        self._width = int(column.max()) + 2
        key = row * self._width + column
        self._order = np.argsort(key, kind="stable")
        self._sorted_key = key[self._order]
        self._key = key
        self._sorted_lists: tuple[list[int], list[int], list[int]] | None = None

    def near(self, index: int) -> list[int]:
        """Indices of all peds in the nine cells around a ped, itself among them."""
        if self._few:
            return self._everyone
        if self._sorted_lists is None:
            self._sorted_lists = (
                self._sorted_key.tolist(),
                self._order.tolist(),
                self._key.tolist(),
            )
        keys, order, key_of = self._sorted_lists
        found: list[int] = []
        for row_key in (-self._width, 0, self._width):
            key = key_of[index] + row_key
            found += order[bisect_left(keys, key - 1) : bisect_right(keys, key + 1)]
        return found

    def lists(self) -> tuple[list[int], list[float], list[float], list[float], list[float]]:
        """``slots, x, y, velocity_x, velocity_y`` as lists, for loops over single peds."""
        if self._lists is None:
            self._lists = (
                self.slots.tolist(),
                self.x.tolist(),
                self.y.tolist(),
                self.velocity_x.tolist(),
                self.velocity_y.tolist(),
            )
        return self._lists

    def pairs(self, indices: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every (ped of ``indices``, other ped in its nine cells), as two arrays of equal length.

        The first array holds positions within ``indices``, the second holds indices
        of the grid.
        """
        if self._few:
            asked = np.repeat(np.arange(len(indices)), len(self.slots))
            others = np.tile(np.arange(len(self.slots)), len(indices))
        else:
            middle = self._key[indices][:, None] + np.array((-self._width, 0, self._width))
            low = np.searchsorted(self._sorted_key, middle - 1, side="left").ravel()
            high = np.searchsorted(self._sorted_key, middle + 1, side="right").ravel()
            counts = high - low
            asked = np.repeat(np.repeat(np.arange(len(indices)), 3), counts)
            first_of_run = np.cumsum(counts) - counts
            places = np.arange(len(asked)) - np.repeat(first_of_run - low, counts)
            others = self._order[places]
        differ = others != indices[asked]
        return asked[differ], others[differ]
