"""Triangles of the walkable ground, tile by tile, with point location through bins.

Both the walk graph and the walk surface keep their ground in this form: the one
links the triangles to each other, the other only asks where points lie.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from ai.navigation.ground_faces import Face
from ai.navigation.tile_layout import TILE_CM, Bounds, TileLayout

BIN_CM = 100.0
"""Side of a location bin; a divisor of ``TILE_CM``."""

BINS = int(TILE_CM / BIN_CM)

BIN_OVERLAP = 1.0 + 1e-6
"""Bins count as a millionth larger than they are, so that no rounding loses a triangle."""

REACH_ROUNDING = 1.0 + 1e-6
"""Factor on a reach, so that rounding drops no triangle before its distance is known."""

Corners = tuple[float, float, float, float, float, float]
"""x and y of a triangle's corners, in the order of positive area."""


@dataclass(frozen=True, slots=True)
class TileMesh:
    """Triangles of one tile.

    - ``points`` has shape (n, 3, 2); all triangles have positive area.
    - ``ground`` has shape (n,): indices into ``MapShapes.grounds``.
    - ``corners`` holds the same points as plain numbers.
    - ``in_bins[first_in_bin[b] : first_in_bin[b + 1]]`` are the triangles that touch
      the bin ``b = row * BINS + column``, rising.
    """

    points: NDArray[np.float64]
    ground: NDArray[np.int64]
    corners: list[Corners]
    first_in_bin: list[int]
    in_bins: list[int]

    def in_bin(self, bin_index: int) -> list[int]:
        """The triangles that touch a bin, rising."""
        return self.in_bins[self.first_in_bin[bin_index] : self.first_in_bin[bin_index + 1]]


class MeshPoint(NamedTuple):
    """A point on a triangle: tile, the triangle's number in it, and the distance asked for."""

    tile: int
    triangle: int
    x: float
    y: float
    shift_cm: float


def build_tile_mesh(faces: Sequence[Face], tile: Bounds) -> TileMesh:
    """Triangulate the faces of one tile (constrained Delaunay, no new vertices)."""
    if not faces:
        return TileMesh(
            np.empty((0, 3, 2)), np.empty(0, dtype=np.int64), [], [0] * (BINS * BINS + 1), []
        )
    areas = [face.area for face in faces]
    collections = shapely.constrained_delaunay_triangles(areas)
    triangles, origin = shapely.get_parts(collections, return_index=True)
    points = shapely.get_coordinates(triangles).reshape(-1, 4, 2)[:, :3].copy()
    a, b, c = points[:, 0], points[:, 1], points[:, 2]
    twice_area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (
        c[:, 0] - a[:, 0]
    )
    clockwise = twice_area < 0.0
    points[clockwise] = points[clockwise][:, ::-1]
    ground = np.array([face.ground for face in faces], dtype=np.int64)[origin]
    corners = [(ax, ay, bx, by, cx, cy) for (ax, ay), (bx, by), (cx, cy) in points.tolist()]
    return TileMesh(points, ground, corners, *_fill_bins(points, tile))


def _fill_bins(points: NDArray[np.float64], tile: Bounds) -> tuple[list[int], list[int]]:
    """First index of each bin, and the triangles of all bins in bin order.

    All pairs of a triangle and a bin within its bounds are made at once; those that an
    edge of the triangle separates are dropped.
    """
    low = np.floor((points.min(axis=1) - tile[:2]) / BIN_CM).astype(np.int64)
    high = np.floor((points.max(axis=1) - tile[:2]) / BIN_CM).astype(np.int64)
    low = np.clip(low, 0, BINS - 1)
    span = np.clip(high, 0, BINS - 1) - low + 1
    counts = span[:, 0] * span[:, 1]
    triangle = np.repeat(np.arange(len(points)), counts)
    place = np.arange(len(triangle)) - np.repeat(np.cumsum(counts) - counts, counts)
    row = low[triangle, 1] + place // span[triangle, 0]
    column = low[triangle, 0] + place % span[triangle, 0]
    keep = np.ones(len(triangle), dtype=np.bool_)
    centre_x = tile[0] + (column + 0.5) * BIN_CM
    centre_y = tile[1] + (row + 0.5) * BIN_CM
    for corner in range(3):
        start = points[triangle, corner]
        along = points[triangle, (corner + 1) % 3] - start
        side = along[:, 0] * (centre_y - start[:, 1]) - along[:, 1] * (centre_x - start[:, 0])
        reach = (np.abs(along[:, 0]) + np.abs(along[:, 1])) * (BIN_CM / 2.0)
        keep &= side >= -reach * BIN_OVERLAP
    held_in = (row * BINS + column)[keep]
    order = np.argsort(held_in, kind="stable")
    first = np.searchsorted(held_in[order], np.arange(BINS * BINS + 1))
    return first.tolist(), triangle[keep][order].tolist()


class MeshLocator:
    """Finds the triangles at a point, through bins rather than a tree (NAV-26)."""

    def __init__(self, layout: TileLayout, tiles: Sequence[TileMesh]) -> None:
        self._layout = layout
        self._tiles = tiles
        self._x_low, self._y_low, _, _ = layout.bounds

    def all_at(self, x: float, y: float, tolerance_cm: float) -> list[tuple[int, int]]:
        """(tile, triangle) of every triangle that holds the point to within the tolerance."""
        found: list[tuple[int, int]] = []
        for tile, bin_index in self._bins_near(x, y, tolerance_cm):
            mesh = self._tiles[tile]
            for triangle in mesh.in_bin(bin_index):
                held = _holds(mesh.corners[triangle], x, y, tolerance_cm)
                if held and (tile, triangle) not in found:
                    found.append((tile, triangle))
        return found

    def nearest(self, x: float, y: float, reach_cm: float) -> MeshPoint | None:
        """The nearest point of the ground within ``reach_cm`` (inclusive).

        - ``shift_cm`` is 0 on the ground; of equally near points the first in tile,
          bin and triangle order is taken.
        """
        beside: list[tuple[int, int, Corners]] = []
        for tile, bin_index in self._bins_near(x, y, reach_cm):
            mesh = self._tiles[tile]
            for triangle in mesh.in_bin(bin_index):
                corners = mesh.corners[triangle]
                if _holds(corners, x, y, reach_cm * REACH_ROUNDING):
                    if _holds(corners, x, y, 0.0):
                        return MeshPoint(tile, triangle, x, y, 0.0)
                    beside.append((tile, triangle, corners))
        best: MeshPoint | None = None
        best_distance = math.inf
        for tile, triangle, corners in beside:
            distance, near_x, near_y = _distance(corners, x, y)
            if distance < best_distance and distance <= reach_cm:
                best = MeshPoint(tile, triangle, near_x, near_y, distance)
                best_distance = distance
        return best

    def _bins_near(self, x: float, y: float, reach_cm: float) -> list[tuple[int, int]]:
        """(tile, bin) of all bins that a square of ``reach_cm`` round a point touches."""
        if not (math.isfinite(x) and math.isfinite(y)):
            return []
        first_column = math.floor((x - reach_cm - self._x_low) / BIN_CM)
        last_column = math.floor((x + reach_cm - self._x_low) / BIN_CM)
        first_row = math.floor((y - reach_cm - self._y_low) / BIN_CM)
        last_row = math.floor((y + reach_cm - self._y_low) / BIN_CM)
        columns = self._layout.columns
        across, down = columns * BINS, self._layout.rows * BINS
        return [
            (
                (row // BINS) * columns + column // BINS,
                (row % BINS) * BINS + column % BINS,
            )
            for row in range(max(0, first_row), min(down - 1, last_row) + 1)
            for column in range(max(0, first_column), min(across - 1, last_column) + 1)
        ]


def _holds(corners: Corners, x: float, y: float, tolerance_cm: float) -> bool:
    """True if the point is in the triangle; surely True, too, if it is within the tolerance."""
    ax, ay, bx, by, cx, cy = corners
    dx, dy = bx - ax, by - ay
    if dx * (y - ay) - dy * (x - ax) < -tolerance_cm * (abs(dx) + abs(dy)):
        return False
    dx, dy = cx - bx, cy - by
    if dx * (y - by) - dy * (x - bx) < -tolerance_cm * (abs(dx) + abs(dy)):
        return False
    dx, dy = ax - cx, ay - cy
    return dx * (y - cy) - dy * (x - cx) >= -tolerance_cm * (abs(dx) + abs(dy))


def _distance(corners: Corners, x: float, y: float) -> tuple[float, float, float]:
    """Distance of a point outside a triangle to it, and the triangle's nearest point."""
    ax, ay, bx, by, cx, cy = corners
    best = math.inf
    near_x = x
    near_y = y
    for px, py, qx, qy in ((ax, ay, bx, by), (bx, by, cx, cy), (cx, cy, ax, ay)):
        dx = qx - px
        dy = qy - py
        share = ((x - px) * dx + (y - py) * dy) / (dx * dx + dy * dy)
        share = 0.0 if share < 0.0 else 1.0 if share > 1.0 else share
        foot_x = px + share * dx
        foot_y = py + share * dy
        distance = math.sqrt((x - foot_x) ** 2 + (y - foot_y) ** 2)
        if distance < best:
            best, near_x, near_y = distance, foot_x, foot_y
    return best, near_x, near_y
