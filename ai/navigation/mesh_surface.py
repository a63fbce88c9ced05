"""The walk surface: where the centre of a standing body can be (LOC-07 a, REC-04).

Walkable patches minus fixed obstacles, shrunk by exactly the body's radius. Props
that physics moves are left in: they are the clearance's business. Most questions
are answered by a grid of cells that lie wholly inside one kind of ground; the
rest by the exact faces.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from ai.navigation.ground_faces import Face, cut_faces, influence_cm, surface_shrink
from ai.navigation.map_shapes import MapShapes
from ai.navigation.tile_layout import TILE_CM, Bounds, TileLayout
from ai.ports import GroundPoint

CELL_CM = 25.0
"""Side of a grid cell."""

CELLS_PER_TILE = round(TILE_CM / CELL_CM)

OUTLINE_STEP_CM = 10.0
"""Distance of the points by which an outline is drawn into the grid; under half a cell."""

OUTSIDE = -1
"""Grid value of a cell that is not wholly inside one kind of ground."""


class _Tile(NamedTuple):
    faces: tuple[Face, ...]
    areas: NDArray[np.object_]


class MeshSurface:
    """Projection of body centres onto walkable ground (the port ``WalkSurface``).

    - A point inside projects onto itself; one outside onto the nearest point of the
      surface, ties going to the lower tile and face.
    - A change of the level's shapes is followed at the next question, tile by tile.
    - Ground is level: normals point straight up.

    Invariant: a cell of ``_ground_of_cell`` holds a ground index only if each of its
    points lies inside a face of that ground.
    """

    def __init__(self, shapes: MapShapes) -> None:
        self._shapes = shapes
        self._layout = TileLayout.over(shapes.extent)
        columns = self._layout.columns * CELLS_PER_TILE
        rows = self._layout.rows * CELLS_PER_TILE
        self._x0, self._y0 = self._layout.bounds[:2]
        self._ground_of_cell: NDArray[np.int64] = np.full((rows, columns), OUTSIDE, dtype=np.int64)
        self._tiles: list[_Tile] = [self._build(tile) for tile in range(self._layout.count)]
        self._seen = shapes.version
        self._heights = self._read_heights()

    # -- questions -------------------------------------------------------------

    def project(self, x: float, y: float, max_shift_cm: float) -> GroundPoint | None:
        """Nearest walkable point with an XY shift of at most ``max_shift_cm`` (inclusive), or None."""
        self._follow_changes()
        ground = self._cell_ground(x, y)
        if ground != OUTSIDE:
            return self._point(x, y, 0.0, ground)
        point = shapely.points(x, y)
        nearest: tuple[float, Face] | None = None
        for tile in self._layout.tiles_touching((x, y, x, y), max_shift_cm):
            faces, areas = self._tiles[tile]
            if not faces:
                continue
            distances = shapely.distance(areas, point)
            best = int(np.argmin(distances))
            if nearest is None or distances[best] < nearest[0]:
                nearest = float(distances[best]), faces[best]
        if nearest is None or nearest[0] > max_shift_cm:
            return None
        shift, face = nearest
        if shift == 0.0:
            return self._point(x, y, 0.0, face.ground)
        on_face = shapely.get_point(shapely.shortest_line(face.area, point), 0)
        return self._point(shapely.get_x(on_face), shapely.get_y(on_face), shift, face.ground)

    def inside_mask(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Shape (n,): True where a point surely projects onto itself (shift 0)."""
        self._follow_changes()
        inside: NDArray[np.bool_] = self._grounds(x, y) != OUTSIDE
        return inside

    def height_at(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shape (n,): ground height in cm at points for which ``inside_mask`` is True."""
        heights: NDArray[np.float64] = self._heights[self._grounds(x, y)]
        return heights

    # -- grid --------------------------------------------------------------------

    def _cell_ground(self, x: float, y: float) -> int:
        column = (x - self._x0) // CELL_CM
        row = (y - self._y0) // CELL_CM
        rows, columns = self._ground_of_cell.shape
        if 0.0 <= column < columns and 0.0 <= row < rows:
            return int(self._ground_of_cell[int(row), int(column)])
        return OUTSIDE

    def _grounds(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
        rows, columns = self._ground_of_cell.shape
        column = np.floor_divide(x - self._x0, CELL_CM)
        row = np.floor_divide(y - self._y0, CELL_CM)
        on_grid = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
        cells = self._ground_of_cell[
            np.where(on_grid, row, 0).astype(np.int64),
            np.where(on_grid, column, 0).astype(np.int64),
        ]
        grounds: NDArray[np.int64] = np.where(on_grid, cells, OUTSIDE)
        return grounds

    def _point(self, x: float, y: float, shift_cm: float, ground: int) -> GroundPoint:
        kind, height_cm, _ = self._shapes.grounds[ground]
        return GroundPoint(float(x), float(y), height_cm, 1.0, shift_cm, kind)

    def _read_heights(self) -> NDArray[np.float64]:
        return np.array([ground.height_cm for ground in self._shapes.grounds] or [0.0])

    # -- building ------------------------------------------------------------------

    def _follow_changes(self) -> None:
        if self._shapes.version == self._seen:
            return
        reach = influence_cm(self._shapes.body.radius_cm)
        due: set[int] = set()
        for area in self._shapes.changed_since(self._seen):
            due.update(self._layout.tiles_touching(area, reach))
        for tile in sorted(due):
            self._tiles[tile] = self._build(tile)
        self._seen = self._shapes.version
        self._heights = self._read_heights()

    def _build(self, tile: int) -> _Tile:
        bounds = self._layout.tile_bounds(tile)
        faces = cut_faces(self._shapes, bounds, surface_shrink(self._shapes.body.radius_cm))
        row, column = divmod(tile, self._layout.columns)
        cells = self._ground_of_cell[
            row * CELLS_PER_TILE : (row + 1) * CELLS_PER_TILE,
            column * CELLS_PER_TILE : (column + 1) * CELLS_PER_TILE,
        ]
        cells[:] = OUTSIDE
        for face in faces:
            cells[_cells_inside(face.area, bounds)] = face.ground
        areas = np.empty(len(faces), dtype=np.object_)
        for index, face in enumerate(faces):
            shapely.prepare(face.area)
            areas[index] = face.area
        return _Tile(tuple(faces), areas)


def _cells_inside(area: shapely.Polygon, tile: Bounds) -> NDArray[np.bool_]:
    """Shape (rows, columns): cells of a tile that lie wholly inside an area.

    A cell is inside if its corners are and no part of the outline comes near it.
    """
    ticks = np.arange(CELLS_PER_TILE + 1) * CELL_CM
    corner_x, corner_y = np.meshgrid(tile[0] + ticks, tile[1] + ticks)
    shapely.prepare(area)
    corners = shapely.intersects_xy(area, corner_x, corner_y)
    inside: NDArray[np.bool_] = (
        corners[:-1, :-1] & corners[1:, :-1] & corners[:-1, 1:] & corners[1:, 1:]
    )
    outline = shapely.get_coordinates(shapely.segmentize(shapely.boundary(area), OUTLINE_STEP_CM))
    on_tile_edge = (
        (outline[:, 0] == tile[0])
        | (outline[:, 0] == tile[2])
        | (outline[:, 1] == tile[1])
        | (outline[:, 1] == tile[3])
    )
    near_outline = np.zeros((CELLS_PER_TILE + 2, CELLS_PER_TILE + 2), dtype=np.bool_)
    column = np.floor((outline[~on_tile_edge, 0] - tile[0]) / CELL_CM).astype(np.int64) + 1
    row = np.floor((outline[~on_tile_edge, 1] - tile[1]) / CELL_CM).astype(np.int64) + 1
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            near_outline[
                np.clip(row + down, 0, CELLS_PER_TILE + 1),
                np.clip(column + right, 0, CELLS_PER_TILE + 1),
            ] = True
    result: NDArray[np.bool_] = inside & ~near_outline[1:-1, 1:-1]
    return result
