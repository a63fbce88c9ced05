"""Distance to the nearest static obstacle on a grid, for a quick yes far from things (LOC-19)."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ai.navigation.map_shapes import MapShapes
from ai.navigation.tile_layout import Bounds
from ai.ports import Circle, Footprint, Obstacle

STEP_CM = 25.0
"""Distance of the grid's points."""

CAP_CM = 300.0
"""Larger distances are not told apart."""

ERROR_CM = 10.0
"""What a value must exceed a radius by: interpolation makes it up to 3.9 cm too large (LOC-19)."""

SURE_FROM_CM = 40.0
"""Lower values say nothing: nearer to a thing the grid is too coarse."""


class DistanceField:
    """Distance in cm from any point to the nearest obstacle that never moves, capped.

    - 0 inside an obstacle. Props that physics moves are not in it.
    - Obstacles that a body passes over or under are left out, as in ``MapShapes``.
    """

    def __init__(self, shapes: MapShapes) -> None:
        self._shapes = shapes
        x_low, y_low, x_high, y_high = shapes.extent
        self._first_column = math.floor(x_low / STEP_CM)
        self._first_row = math.floor(y_low / STEP_CM)
        columns = math.ceil(x_high / STEP_CM) - self._first_column + 1
        rows = math.ceil(y_high / STEP_CM) - self._first_row + 1
        self._values = np.full((max(rows, 2), max(columns, 2)), CAP_CM)
        self._known: dict[int, Obstacle] = {}
        self._version = -1
        self.refresh()

    def refresh(self) -> None:
        """Bring the field up to date: only around obstacles that came, went or changed."""
        self._shapes.refresh()
        if self._shapes.version == self._version:
            return
        self._version = self._shapes.version
        now = {obstacle.object_id: obstacle for obstacle in self._shapes.static_obstacles()}
        changed = [old for key, old in self._known.items() if now.get(key) != old]
        for obstacle in changed:
            self._forget(_bounds(obstacle.footprint), now.values())
        for key, obstacle in now.items():
            if self._known.get(key) != obstacle:
                self._lower(obstacle.footprint, (-math.inf, -math.inf, math.inf, math.inf))
        self._known = now

    def distance(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shape (n,): interpolated distance at points; 0 outside the grid."""
        rows, columns = self._values.shape
        across = x / STEP_CM - self._first_column
        down = y / STEP_CM - self._first_row
        on_grid = (across >= 0.0) & (across <= columns - 1) & (down >= 0.0) & (down <= rows - 1)
        across = np.where(on_grid, across, 0.0)
        down = np.where(on_grid, down, 0.0)
        column = np.minimum(across.astype(np.int64), columns - 2)
        row = np.minimum(down.astype(np.int64), rows - 2)
        share_x = across - column
        share_y = down - row
        values = self._values
        upper = values[row, column] * (1.0 - share_x) + values[row, column + 1] * share_x
        lower = values[row + 1, column] * (1.0 - share_x) + values[row + 1, column + 1] * share_x
        return np.where(on_grid, upper * (1.0 - share_y) + lower * share_y, 0.0)

    def clear_mask(
        self, x: NDArray[np.float64], y: NDArray[np.float64], radius_cm: float
    ) -> NDArray[np.bool_]:
        """Shape (n,): True where a circle surely meets no static obstacle.

        For a body of 30 cm that is where the field says 40 cm or more; False means
        that the exact shapes must be asked.
        """
        return self.distance(x, y) >= max(radius_cm + ERROR_CM, SURE_FROM_CM)

    def _forget(self, gone: Bounds, obstacles: Iterable[Obstacle]) -> None:
        area = (gone[0] - CAP_CM, gone[1] - CAP_CM, gone[2] + CAP_CM, gone[3] + CAP_CM)
        rows, columns = self._window(area)
        self._values[rows, columns] = CAP_CM
        for obstacle in obstacles:
            self._lower(obstacle.footprint, area)

    def _window(self, area: Bounds) -> tuple[slice, slice]:
        """Grid rows and columns within an area."""
        rows, columns = self._values.shape
        bounds = [
            min(max(edge, first), first + count - 1)
            for edge, first, count in (
                (area[0] / STEP_CM, self._first_column, columns),
                (area[1] / STEP_CM, self._first_row, rows),
                (area[2] / STEP_CM, self._first_column, columns),
                (area[3] / STEP_CM, self._first_row, rows),
            )
        ]
        return (
            slice(
                math.ceil(bounds[1]) - self._first_row, math.floor(bounds[3]) - self._first_row + 1
            ),
            slice(
                math.ceil(bounds[0]) - self._first_column,
                math.floor(bounds[2]) - self._first_column + 1,
            ),
        )
