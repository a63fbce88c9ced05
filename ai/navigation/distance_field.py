"""Distance to the nearest static obstacle on a grid, for a quick yes far from things (LOC-19)."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ai.navigation.tile_layout import Bounds
from ai.ports import Circle, Footprint, LevelShapes, Obstacle

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
    - The grid covers the surfaces as they are at its creation.
    - It is brought up to date before each answer, so that it never says yes to what
      has just been put there: only around obstacles that came, went or changed.
    """

    def __init__(self, shapes: LevelShapes) -> None:
        self._shapes = shapes
        points = [point for patch in shapes.surfaces() for point in patch.outline.points]
        across = [x / STEP_CM for x, _ in points] or [0.0]
        down = [y / STEP_CM for _, y in points] or [0.0]
        self._first_column = math.floor(min(across))
        self._first_row = math.floor(min(down))
        columns = math.ceil(max(across)) - self._first_column + 1
        rows = math.ceil(max(down)) - self._first_row + 1
        self._values = np.full((max(rows, 2), max(columns, 2)), CAP_CM)
        # Column and row of the first and last point, and of the last cell; shape (2, 1).
        self._first = np.array([[self._first_column], [self._first_row]], dtype=np.float64)
        self._last = np.array(self._values.shape[::-1], dtype=np.float64)[:, None] - 1.0
        self._last_cell = np.array(self._values.shape[::-1])[:, None] - 2
        self._known: dict[int, Obstacle] = {}
        self._version = -1
        self._refresh()

    def distance(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shape (n,): interpolated distance at points; 0 outside the grid."""
        if self._shapes.version != self._version:
            self._refresh()
        # Both axes at once: a call costs more than the few numbers that it works on.
        columns = self._values.shape[1]
        place = np.array((x, y)) / STEP_CM - self._first
        on_grid = np.fmin(np.fmax(place, 0.0), self._last)
        outside = (on_grid != place).any(axis=0)
        cell = np.minimum(on_grid.astype(np.int64), self._last_cell)
        share_x, share_y = on_grid - cell
        corner = cell[1] * columns + cell[0]
        left = np.array((corner, corner + columns))
        values = self._values
        rows = values.take(left) * (1.0 - share_x) + values.take(left + 1) * share_x
        distances: NDArray[np.float64] = rows[0] * (1.0 - share_y) + rows[1] * share_y
        distances[outside] = 0.0
        return distances

    def clear_mask(
        self, x: NDArray[np.float64], y: NDArray[np.float64], radius_cm: float
    ) -> NDArray[np.bool_]:
        """Shape (n,): True where a circle surely meets no static obstacle.

        For a body of 30 cm that is where the field says 40 cm or more; False means
        that the exact shapes must be asked.
        """
        return self.distance(x, y) >= max(radius_cm + ERROR_CM, SURE_FROM_CM)

    def _refresh(self) -> None:
        self._version = self._shapes.version
        now = {
            obstacle.object_id: obstacle
            for obstacle in self._shapes.obstacles()
            if not obstacle.dynamic
        }
        for key, old in self._known.items():
            if now.get(key) != old:
                self._forget(_bounds(old.footprint), now.values())
        for key, obstacle in now.items():
            if self._known.get(key) != obstacle:
                self._lower(obstacle.footprint, _grown(_bounds(obstacle.footprint)))
        self._known = now

    def _forget(self, gone: Bounds, obstacles: Iterable[Obstacle]) -> None:
        """Work out anew what lies within the cap of something that is gone."""
        area = _grown(gone)
        self._values[self._window(area)] = CAP_CM
        for obstacle in obstacles:
            self._lower(obstacle.footprint, area)

    def _lower(self, footprint: Footprint, area: Bounds) -> None:
        """Take a footprint into the values of an area."""
        reach = _grown(_bounds(footprint))
        x_low, y_low = max(reach[0], area[0]), max(reach[1], area[1])
        x_high, y_high = min(reach[2], area[2]), min(reach[3], area[3])
        rows, columns = self._window((x_low, y_low, x_high, y_high))
        values = self._values[rows, columns]
        if values.size == 0:
            return
        x = (np.arange(values.shape[1]) + columns.start + self._first_column) * STEP_CM
        y = (np.arange(values.shape[0]) + rows.start + self._first_row) * STEP_CM
        np.minimum(values, _distances(footprint, x, y[:, np.newaxis]), out=values)

    def _window(self, area: Bounds) -> tuple[slice, slice]:
        """Rows and columns of the grid points within an area."""
        rows, columns = self._values.shape
        first_row = math.ceil(area[1] / STEP_CM) - self._first_row
        last_row = math.floor(area[3] / STEP_CM) - self._first_row
        first_column = math.ceil(area[0] / STEP_CM) - self._first_column
        last_column = math.floor(area[2] / STEP_CM) - self._first_column
        return (
            slice(max(first_row, 0), max(min(last_row, rows - 1) + 1, 0)),
            slice(max(first_column, 0), max(min(last_column, columns - 1) + 1, 0)),
        )


def _bounds(footprint: Footprint) -> Bounds:
    if isinstance(footprint, Circle):
        x, y, radius = footprint
        return (x - radius, y - radius, x + radius, y + radius)
    across = [x for x, _ in footprint.points]
    down = [y for _, y in footprint.points]
    return (min(across), min(down), max(across), max(down))


def _grown(bounds: Bounds) -> Bounds:
    return (bounds[0] - CAP_CM, bounds[1] - CAP_CM, bounds[2] + CAP_CM, bounds[3] + CAP_CM)


def _distances(
    footprint: Footprint, x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Shape (rows, columns): exact distances of a grid's points to a footprint, 0 inside."""
    if isinstance(footprint, Circle):
        from_centre = np.hypot(x - footprint.x, y - footprint.y)
        outside: NDArray[np.float64] = np.maximum(from_centre - footprint.radius, 0.0)
        return outside
    squared = np.full(np.broadcast_shapes(x.shape, y.shape), math.inf)
    inside = np.zeros(squared.shape, dtype=np.bool_)
    points = footprint.points
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        if length == 0.0:
            continue
        share = np.clip(((x - ax) * dx + (y - ay) * dy) / length, 0.0, 1.0)
        off_x = x - (ax + share * dx)
        off_y = y - (ay + share * dy)
        np.minimum(squared, off_x * off_x + off_y * off_y, out=squared)
        # Even-odd rule: how many sides does a ray towards higher x cross?
        crosses = (ay > y) != (by > y)
        if dy != 0.0:
            inside ^= crosses & (x < ax + (y - ay) * dx / dy)
    squared[inside] = 0.0
    distances: NDArray[np.float64] = np.sqrt(squared)
    return distances
