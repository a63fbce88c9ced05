"""The ``WalkSurface`` of the ports: where a body's centre can be, exactly 30 cm from all walls.

Props that physics moves are not cut out here, whatever their ``nav`` says: they
are the clearance's to refuse, and a body that one has been pushed against must
still find the ground under itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from ai.navigation.ground_faces import GRID_CM, Face, cut_faces, reach_of, surface_shrink
from ai.navigation.map_shapes import MapShapes
from ai.navigation.rebuild_queue import RebuildQueue
from ai.navigation.tile_layout import TILE_CM, Bounds, TileLayout
from ai.navigation.tile_mesh import MeshLocator, TileMesh, build_tile_mesh
from ai.navigation.triangle_lookup import NOWHERE, TriangleLookup
from ai.ports import GroundPoint

CELL_CM = 25.0
"""Side of a cell of the quick answers; a divisor of ``TILE_CM``."""

CELLS = int(TILE_CM / CELL_CM)

UNSURE = -1

FEW = 12
"""Up to this many unsure points are projected one by one: it costs less than any batch."""

ON_SURFACE_CM = 2.0 * GRID_CM
"""Points this near to the surface are on it: it is drawn on a grid of ``GRID_CM``."""


class MeshSurface:
    """Walkable ground for body centres, rebuilt tile by tile.

    - Most points lie in a cell that one kind of ground fills wholly: they are
      answered by a look into one array. Only near walls and kerbs triangles are asked.
    - ``_lookup`` holds the triangles of all tiles, None when a tile was rebuilt since.
    - ``project`` of a point given by ``project`` gives the same point.
    """

    def __init__(self, shapes: MapShapes) -> None:
        self._shapes = shapes
        self._layout = TileLayout.over(shapes.extent)
        self._queue = RebuildQueue(shapes, self._layout)
        self._x_low, self._y_low, self._x_high, self._y_high = self._layout.bounds
        # Index into the grounds of the ground that fills a cell, UNSURE if none does.
        self._cells = np.full(
            (self._layout.rows * CELLS, self._layout.columns * CELLS), UNSURE, dtype=np.int64
        )
        # Lowest x and y of the map in cm, and the last place on it in cells; shape (2, 1).
        self._low = np.array([[self._x_low], [self._y_low]])
        self._last_place = np.nextafter(self._cells.shape[::-1], 0.0)[:, None]
        self._height_of_ground = np.array([NOWHERE])
        self._cost_of_ground = np.array([NOWHERE])
        self._built_from = [self._shapes_of(tile) for tile in range(self._layout.count)]
        self._tiles = [self._build(tile) for tile in range(self._layout.count)]
        self._locator = MeshLocator(self._layout, self._tiles)
        self._lookup: TriangleLookup | None = None

    def project(self, x: float, y: float, max_shift_cm: float) -> GroundPoint | None:
        """Nearest walkable point with an XY shift of at most ``max_shift_cm``, or None.

        Also None for points that are not finite.
        """
        if not (self._x_low <= x < self._x_high and self._y_low <= y < self._y_high):
            ground = UNSURE
        else:
            row = math.floor((y - self._y_low) / CELL_CM)
            ground = int(self._cells[row, math.floor((x - self._x_low) / CELL_CM)])
        shift = 0.0
        if ground == UNSURE:
            near = self._locator.nearest(x, y, max(max_shift_cm, 0.0) + ON_SURFACE_CM)
            if near is None:
                return None
            ground = int(self._tiles[near.tile].ground[near.triangle])
            if near.shift_cm > ON_SURFACE_CM:
                x, y, shift = near.x, near.y, near.shift_cm
        kind, height, cost, _ = self._shapes.grounds[ground]
        return GroundPoint(x, y, height, 1.0, shift, kind, cost)

    def ground_inside(
        self, x: NDArray[np.float64], y: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Height of the ground in cm and its cost per cm, shape (n,) each.

        - The height is NaN off the ground; where grounds of different heights meet exactly
          it is what ``project`` says, or NaN.
        - The cost is NaN outside of the cells that one ground fills.
        """
        # Both axes at once: a call costs more than the few numbers that it works on.
        place = (np.array((x, y)) - self._low) / CELL_CM
        on_map = np.fmin(np.fmax(place, 0.0), self._last_place)
        column, row = on_map.astype(np.int64)
        grounds = self._cells[row, column]
        outside = np.logical_or.reduce(on_map != place, axis=0)
        grounds[outside] = UNSURE
        heights: NDArray[np.float64] = self._height_of_ground.take(grounds)
        costs: NDArray[np.float64] = self._cost_of_ground.take(grounds)
        unsure = (grounds == UNSURE).nonzero()[0]
        if len(unsure) <= FEW:
            for i in unsure.tolist():
                point = self.project(x.item(i), y.item(i), 0.0)
                if point is not None:
                    heights[i] = point.z
        else:
            unsure = unsure[~outside[unsure]]
            if self._lookup is None:
                self._lookup = TriangleLookup(self._layout, self._tiles, self._height_of_ground)
            heights[unsure] = self._lookup.heights(x[unsure], y[unsure])
        return heights, costs

    def advance_rebuild(self) -> bool:
        """Rebuild at most one tile whose ground has changed; False if there is none."""
        while (tile := self._queue.take()) is not None:
            built_from = self._shapes_of(tile)
            if built_from != self._built_from[tile]:
                self._built_from[tile] = built_from
                self._tiles[tile] = self._build(tile)
                self._lookup = None
                return True
        return False

    def _shapes_of(self, tile: int) -> list[object]:
        """What a tile is built from, to be compared with what it was built from last."""
        around = reach_of(self._shapes, self._layout.tile_bounds(tile))
        return [
            *self._shapes.patches_in(around),
            *self._shapes.obstacles_in(around, with_props=False),
        ]

    def _build(self, tile: int) -> TileMesh:
        bounds = self._layout.tile_bounds(tile)
        faces = cut_faces(self._shapes, bounds, surface_shrink(self._shapes.body.radius_cm))
        row, column = divmod(tile, self._layout.columns)
        self._cells[row * CELLS : (row + 1) * CELLS, column * CELLS : (column + 1) * CELLS] = (
            _filled_cells(faces, bounds)
        )
        # Entry UNSURE, the last, is no ground.
        self._height_of_ground = np.array(
            [*(ground.height_cm for ground in self._shapes.grounds), NOWHERE]
        )
        self._cost_of_ground = np.array(
            [*(ground.cost for ground in self._shapes.grounds), NOWHERE]
        )
        return build_tile_mesh(faces, bounds)


def _filled_cells(faces: Sequence[Face], tile: Bounds) -> NDArray[np.int64]:
    """Shape (CELLS, CELLS): index of the ground that fills a cell, UNSURE if none does.

    A cell that no outline of a face passes through lies wholly in one face or
    wholly outside, which its centre tells.
    """
    cells = np.full((CELLS, CELLS), UNSURE, dtype=np.int64)
    if not faces:
        return cells
    passed = _passed_cells(faces, tile)
    row, column = np.nonzero(~passed)
    x = tile[0] + (column + 0.5) * CELL_CM
    y = tile[1] + (row + 0.5) * CELL_CM
    for face in faces:
        shapely.prepare(face.area)
        inside = shapely.contains_xy(face.area, x, y)
        cells[row[inside], column[inside]] = face.ground
    return cells


def _passed_cells(faces: Sequence[Face], tile: Bounds) -> NDArray[np.bool_]:
    """Shape (CELLS, CELLS): True for cells that an outline of a face passes through.

    Each segment is cut at the lines between cells; the middle of a piece tells its cell.
    """
    rings = shapely.get_rings([face.area for face in faces])
    points, ring = shapely.get_coordinates(rings, return_index=True)
    same = ring[1:] == ring[:-1]
    start = (points[:-1][same] - tile[:2]) / CELL_CM
    along = (points[1:][same] - tile[:2]) / CELL_CM - start
    segments = [np.arange(len(start)), np.arange(len(start))]
    shares = [np.zeros(len(start)), np.ones(len(start))]
    for axis in (0, 1):
        first = np.minimum(start[:, axis], start[:, axis] + along[:, axis])
        last = np.maximum(start[:, axis], start[:, axis] + along[:, axis])
        low = np.ceil(first).astype(np.int64)
        count = np.maximum(np.floor(last).astype(np.int64) - low + 1, 0)
        count[along[:, axis] == 0.0] = 0
        segment = np.repeat(np.arange(len(start)), count)
        line = low[segment] + np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count)
        segments.append(segment)
        shares.append((line - start[segment, axis]) / along[segment, axis])
    segment = np.concatenate(segments)
    share = np.concatenate(shares)
    order = np.lexsort((share, segment))
    segment, share = segment[order], share[order]
    inner = segment[1:] == segment[:-1]
    piece = segment[1:][inner]
    middle = (share[1:][inner] + share[:-1][inner]) / 2.0
    place = start[piece] + middle[:, np.newaxis] * along[piece]
    cell = np.clip(np.floor(place).astype(np.int64), 0, CELLS - 1)
    passed = np.zeros((CELLS, CELLS), dtype=np.bool_)
    passed[cell[:, 1], cell[:, 0]] = True
    return passed
