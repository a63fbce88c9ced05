"""A coarse map of where loose things are: answers "surely nothing near" for many points at once.

Cells of 50 cm count the discs whose reach covers them. A lookup costs one array
read a point, whatever the number of things, which is what keeps the cost per ped
flat from 100 to 1,000 peds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_CELL_CM = 50.0


class ProximityMap:
    """Counts, per cell, of discs that come within ``reach_cm`` of it.

    - ``near`` errs on the side of True: cells are counted whole, and every point
      outside the level is near.
    - Invariant: ``_counts`` is the sum over all slots of their cell rectangles in
      ``_rectangles`` (x_min, y_min, x_max, y_max in cells, the last two exclusive).
      It lies inside ``_framed``, whose outermost cells count 1 for ever and stand for all
      that is outside.
    """

    def __init__(self, width_cm: float, height_cm: float, capacity: int, reach_cm: float) -> None:
        self.reach_cm = reach_cm
        self._columns = int(width_cm // _CELL_CM) + 1
        self._rows = int(height_cm // _CELL_CM) + 1
        self._framed = np.ones((self._rows + 2, self._columns + 2), dtype=np.int32)
        self._counts = self._framed[1:-1, 1:-1]
        self._counts[:] = 0
        self._rectangles = np.zeros((capacity, 4), dtype=np.int64)

    def put(self, slot: int, x: float, y: float, radius_cm: float) -> None:
        """Set the disc of one slot."""
        self.move(np.array([slot]), np.array([x]), np.array([y]), np.array([radius_cm]))

    def drop(self, slot: int) -> None:
        """Take a slot's disc away; nothing happens if it has none."""
        self._count(self._rectangles[slot].tolist(), -1)
        self._rectangles[slot] = 0

    def move(
        self,
        slots: NDArray[np.int64],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        radii_cm: NDArray[np.float64],
    ) -> None:
        """Set the discs of several slots; arrays of shape (n,)."""
        reach = radii_cm + self.reach_cm
        wanted = np.empty((len(slots), 4), dtype=np.int64)
        wanted[:, 0] = np.clip(np.floor((x - reach) / _CELL_CM), 0, self._columns)
        wanted[:, 1] = np.clip(np.floor((y - reach) / _CELL_CM), 0, self._rows)
        wanted[:, 2] = np.clip(np.floor((x + reach) / _CELL_CM) + 1, 0, self._columns)
        wanted[:, 3] = np.clip(np.floor((y + reach) / _CELL_CM) + 1, 0, self._rows)
        for index in np.flatnonzero((wanted != self._rectangles[slots]).any(axis=1)).tolist():
            slot = int(slots[index])
            self._count(self._rectangles[slot].tolist(), -1)
            self._count(wanted[index].tolist(), 1)
            self._rectangles[slot] = wanted[index]

    def near(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Shape (n,): False where no disc comes within ``reach_cm`` of the point."""
        return self._framed[_cells(y, self._rows), _cells(x, self._columns)] > 0

    def _count(self, rectangle: list[int], amount: int) -> None:
        x_min, y_min, x_max, y_max = rectangle
        self._counts[y_min:y_max, x_min:x_max] += amount


def _cells(places_cm: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Index into a framed row of cells: 1 to ``count``, 0 before (and for NaN), above behind."""
    cells = np.fmin(np.fmax(np.floor(places_cm / _CELL_CM), -1.0), count)
    return cells.astype(np.int64) + 1
