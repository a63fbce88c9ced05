"""Where obstacles are, by cells of 200 cm: the candidates of an exact clearance query.

A fixed obstacle stands in the cells that its exact bounds touch. One that physics
moves stands in those of the disc round it, so that turning never changes them;
when it moves it is only marked, and its exact shape is built again when a query
next meets it.
"""

from __future__ import annotations

import math

from ai.ports import Circle, Footprint
from game.world.exact_shapes import (
    ConvexShape,
    convex_shape,
    disc_meets_convex,
    disc_meets_disc,
    sweep_meets_convex,
    sweep_meets_disc,
)
from game.world.outlines import Bounds, bounding_radius, bounds_of, convex_parts, placed

_CELL_CM = 200.0
_ROW_STRIDE = 1 << 20
"""Keys of cells are ``row * stride + column``; places lie within 1e6 cm, which is 5,000 cells."""

CellRange = tuple[int, int, int, int]


class GridObstacle:
    """One obstacle: its height interval, and its exact shape where it stands.

    ``stale`` is set when it has moved since ``place`` was last called.
    """

    __slots__ = (
        "_parts",
        "bounds",
        "cells",
        "disc",
        "outline",
        "radius",
        "shapes",
        "slot",
        "stale",
        "z_high",
        "z_low",
    )

    def __init__(self, slot: int, z_low: float, z_high: float, outline: Footprint) -> None:
        self.slot = slot
        self.z_low = z_low
        self.z_high = z_high
        self.outline = outline
        self.radius = bounding_radius(outline)
        self.cells: CellRange = (0, 0, 0, 0)
        self.bounds: Bounds = (0.0, 0.0, 0.0, 0.0)
        self.disc: Circle | None = None
        self.shapes: tuple[ConvexShape, ...] = ()
        self.stale = True
        self._parts = () if isinstance(outline, Circle) else convex_parts(outline)

    def place(self, x: float, y: float, yaw_rad: float) -> None:
        """Build the exact shape at a pose."""
        footprint = placed(self.outline, x, y, yaw_rad)
        self.bounds = bounds_of(footprint)
        if isinstance(footprint, Circle):
            self.disc = footprint
        else:
            cos, sin = math.cos(yaw_rad), math.sin(yaw_rad)
            self.shapes = tuple(
                convex_shape(
                    tuple((x + cos * px - sin * py, y + sin * px + cos * py) for px, py in part)
                )
                for part in self._parts
            )
        self.stale = False

    def meets_disc(self, x: float, y: float, radius: float) -> bool:
        """Exact test against a standing disc."""
        if self.disc is not None:
            cx, cy, cr = self.disc
            return disc_meets_disc(cx, cy, cr, x, y, radius)
        for shape in self.shapes:  # noqa: SIM110 - no generator in a step
            if disc_meets_convex(shape, x, y, radius):
                return True
        return False

    def meets_sweep(self, x0: float, y0: float, x1: float, y1: float, radius: float) -> bool:
        """Exact test against a disc on its way."""
        if self.disc is not None:
            cx, cy, cr = self.disc
            return sweep_meets_disc(cx, cy, cr, x0, y0, x1, y1, radius)
        for shape in self.shapes:  # noqa: SIM110 - no generator in a step
            if sweep_meets_convex(shape, x0, y0, x1, y1, radius):
                return True
        return False


_NOTHING: list[GridObstacle] = []
"""What stands in an empty cell; never written."""


class ObstacleGrid:
    """Cells and the obstacles in them.

    Invariant: an obstacle is in the list of each cell of its ``cells`` range
    (x_first, y_first, x_last, y_last) and in no other.
    """

    def __init__(self) -> None:
        self._cells: dict[int, list[GridObstacle]] = {}

    def add(self, obstacle: GridObstacle, bounds: Bounds) -> None:
        """Put an obstacle in; ``bounds`` must hold all of it."""
        obstacle.cells = _cell_range(bounds)
        for key in _keys(obstacle.cells):
            self._cells.setdefault(key, []).append(obstacle)

    def remove(self, obstacle: GridObstacle) -> None:
        """Take an obstacle out."""
        for key in _keys(obstacle.cells):
            here = self._cells[key]
            here.remove(obstacle)
            if not here:
                del self._cells[key]

    def move(self, obstacle: GridObstacle, bounds: Bounds) -> None:
        """An obstacle has other bounds now."""
        if _cell_range(bounds) != obstacle.cells:
            self.remove(obstacle)
            self.add(obstacle, bounds)

    def candidates(self, bounds: Bounds) -> list[GridObstacle]:
        """Every obstacle that may touch the bounds, and maybe more; for reading only.

        One that stands in several cells is named for each of them: to test it again costs
        less than to find that out.
        """
        x_first, y_first, x_last, y_last = _cell_range(bounds)
        cells = self._cells
        found = _NOTHING
        for row in range(y_first, y_last + 1):
            first_key = row * _ROW_STRIDE + x_first
            for key in range(first_key, first_key + x_last - x_first + 1):
                here = cells.get(key, _NOTHING)
                if here:
                    found = found + here if found else here
        return found


def _cell_range(bounds: Bounds) -> CellRange:
    x_min, y_min, x_max, y_max = bounds
    return (
        int(x_min // _CELL_CM),
        int(y_min // _CELL_CM),
        int(x_max // _CELL_CM),
        int(y_max // _CELL_CM),
    )


def _keys(cells: CellRange) -> list[int]:
    x_first, y_first, x_last, y_last = cells
    return [
        row * _ROW_STRIDE + column
        for row in range(y_first, y_last + 1)
        for column in range(x_first, x_last + 1)
    ]
