"""The baked distance field: how far fixed obstacles are, for many points at once (LOC-19).

It decides only far from things: a bilinear value between cells of 25 cm can be
3.9 cm too free, so a point counts as clear only where the field leaves a good
margin beyond the body; nearer, the exact shapes decide.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.navigation.tile_layout import Bounds
from ai.ports import Circle, LevelShapes, Obstacle

CELL_CM = 25.0
"""Distance of the grid points."""

CAP_CM = 300.0
"""Largest distance that is told apart."""

MARGIN_CM = 10.0
"""What the field must leave beyond a radius: 40 cm for a body of 30 (LOC-19)."""


class DistanceField:
    """Distances in cm to the nearest fixed obstacle, on a grid over the level's surfaces.

    - Obstacles that physics moves are not in it, whatever their ``nav``.
    - A change of the level's shapes is followed at the next question; only the area
      that a change can reach is worked out anew.
    - Heights are not told apart: a beam counts like a wall.
    """

    def __init__(self, shapes: LevelShapes) -> None:
        self._shapes = shapes
        self._x0, self._y0, columns, rows = _grid_over(shapes)
        self._field: NDArray[np.float64] = np.full((rows, columns), CAP_CM)
        self._seen = shapes.version
        for obstacle in shapes.obstacles():
            if not obstacle.dynamic:
                self._lower(obstacle, (-math.inf, -math.inf, math.inf, math.inf))

    def distance_cm(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shape (n,): bilinear distance, at most ``CAP_CM``; 0 off the grid."""
        self._follow_changes()
        rows, columns = self._field.shape
        column = (x - self._x0) / CELL_CM
        row = (y - self._y0) / CELL_CM
        on_grid = (column >= 0.0) & (column <= columns - 1) & (row >= 0.0) & (row <= rows - 1)
        left = np.clip(np.where(on_grid, column, 0.0).astype(np.int64), 0, columns - 2)
        top = np.clip(np.where(on_grid, row, 0.0).astype(np.int64), 0, rows - 2)
        along = column - left
        down = row - top
        field = self._field
        upper = field[top, left] * (1.0 - along) + field[top, left + 1] * along
        lower = field[top + 1, left] * (1.0 - along) + field[top + 1, left + 1] * along
        distance: NDArray[np.float64] = np.where(on_grid, upper * (1.0 - down) + lower * down, 0.0)
        return distance

    def clear_mask(
        self, x: NDArray[np.float64], y: NDArray[np.float64], radius_cm: float
    ) -> NDArray[np.bool_]:
        """Shape (n,): True where a circle surely keeps clear of fixed obstacles; False: ask exactly."""
        clear: NDArray[np.bool_] = self.distance_cm(x, y) >= radius_cm + MARGIN_CM
        return clear

    # -- building ------------------------------------------------------------------

    def _follow_changes(self) -> None:
        if self._shapes.version == self._seen:
            return
        for x_min, y_min, x_max, y_max in self._shapes.changed_since(self._seen):
            reached = (x_min - CAP_CM, y_min - CAP_CM, x_max + CAP_CM, y_max + CAP_CM)
            rows, columns = self._window(reached)
            self._field[rows, columns] = CAP_CM
            for obstacle in self._shapes.obstacles():
                if not obstacle.dynamic:
                    self._lower(obstacle, reached)
        self._seen = self._shapes.version

    def _lower(self, obstacle: Obstacle, area: Bounds) -> None:
        """Take an obstacle into the grid points of an area that it can reach."""
        bounds = _bounds(obstacle)
        rows, columns = self._window(
            (
                max(area[0], bounds[0] - CAP_CM),
                max(area[1], bounds[1] - CAP_CM),
                min(area[2], bounds[2] + CAP_CM),
                min(area[3], bounds[3] + CAP_CM),
            )
        )
        part = self._field[rows, columns]
        if part.size == 0:
            return
        x = self._x0 + np.arange(columns.start, columns.stop) * CELL_CM
        y = self._y0 + np.arange(rows.start, rows.stop) * CELL_CM
        np.minimum(part, _distances(obstacle, x[np.newaxis, :], y[:, np.newaxis]), out=part)

    def _window(self, area: Bounds) -> tuple[slice, slice]:
        """Rows and columns of the grid points in an area."""
        rows, columns = self._field.shape
        first_column = _clamped((area[0] - self._x0) / CELL_CM, columns)
        last_column = _clamped((area[2] - self._x0) / CELL_CM + 1.0, columns)
        first_row = _clamped((area[1] - self._y0) / CELL_CM, rows)
        last_row = _clamped((area[3] - self._y0) / CELL_CM + 1.0, rows)
        return (
            slice(first_row, max(first_row, last_row)),
            slice(first_column, max(first_column, last_column)),
        )


def _clamped(index: float, count: int) -> int:
    return int(math.ceil(min(max(index, 0.0), float(count))))


def _grid_over(shapes: LevelShapes) -> tuple[float, float, int, int]:
    """Corner, columns and rows of the grid; at least two by two points."""
    points = [point for patch in shapes.surfaces() for point in patch.outline.points]
    if not points:
        return 0.0, 0.0, 2, 2
    xs, ys = zip(*points, strict=True)
    x0, y0 = min(xs), min(ys)
    columns = max(2, math.ceil((max(xs) - x0) / CELL_CM) + 1)
    rows = max(2, math.ceil((max(ys) - y0) / CELL_CM) + 1)
    return x0, y0, columns, rows


def _bounds(obstacle: Obstacle) -> Bounds:
    footprint = obstacle.footprint
    if isinstance(footprint, Circle):
        x, y, radius = footprint
        return (x - radius, y - radius, x + radius, y + radius)
    xs, ys = zip(*footprint.points, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def _distances(
    obstacle: Obstacle, x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Distances of grid points to a footprint, 0 inside; ``x`` is a row, ``y`` a column."""
    footprint = obstacle.footprint
    if isinstance(footprint, Circle):
        round_off: NDArray[np.float64] = np.maximum(
            np.sqrt((x - footprint.x) ** 2 + (y - footprint.y) ** 2) - footprint.radius, 0.0
        )
        return round_off
    points = footprint.points
    squared = np.full((y.shape[0], x.shape[1]), np.inf)
    inside = np.zeros(squared.shape, dtype=np.bool_)
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        dx, dy = bx - ax, by - ay
        length_squared = dx * dx + dy * dy
        if length_squared == 0.0:
            continue
        share = np.clip(((x - ax) * dx + (y - ay) * dy) / length_squared, 0.0, 1.0)
        np.minimum(squared, (x - ax - share * dx) ** 2 + (y - ay - share * dy) ** 2, out=squared)
        if dy != 0.0:
            inside ^= ((ay > y) != (by > y)) & (x < ax + dx * (y - ay) / dy)
    distance: NDArray[np.float64] = np.where(inside, 0.0, np.sqrt(squared))
    return distance
