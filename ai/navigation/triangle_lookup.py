"""Heights of the ground at many points at once: which triangles hold them.

The array twin of ``MeshLocator.nearest`` for points that lie on the ground; the others
are for it alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ai.navigation.tile_layout import TileLayout
from ai.navigation.tile_mesh import BIN_CM, BINS, TileMesh

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOWHERE = np.nan
"""Height of a point whose ground is not known."""


class TriangleLookup:
    """All triangles of a map in flat arrays, sorted by the bins that they touch.

    - ``_first`` has shape (bins + 1,): bin ``tile * BINS**2 + bin`` holds the triangles
      ``_in_bins[_first[b] : _first[b + 1]]``.
    - ``_edges`` has shape (4, 3, triangles): start x, start y, along x, along y of each
      of the three edges; ``_heights`` has shape (triangles,).
    """

    def __init__(self, layout: TileLayout, tiles: Sequence[TileMesh], heights: Floats) -> None:
        """``heights`` holds the height of each ground in cm."""
        self._x_low, self._y_low, _, _ = layout.bounds
        self._columns = layout.columns
        sizes = np.array([len(tile.corners) for tile in tiles])
        listed = np.array([len(tile.in_bins) for tile in tiles])
        before = np.cumsum(sizes) - sizes
        firsts = [np.array(tile.first_in_bin[:-1], dtype=np.int64) for tile in tiles]
        self._first = np.append(
            np.concatenate(firsts) + np.repeat(np.cumsum(listed) - listed, BINS * BINS),
            listed.sum(),
        )
        in_bins = [np.array(tile.in_bins, dtype=np.int64) for tile in tiles]
        self._in_bins = np.concatenate(in_bins) + np.repeat(before, listed)
        start = np.concatenate([tile.points for tile in tiles])
        along = start[:, (1, 2, 0)] - start
        self._edges = np.concatenate((start, along), axis=2).transpose(2, 1, 0).copy()
        self._heights = heights[np.concatenate([tile.ground for tile in tiles])]

    def heights(self, x: Floats, y: Floats) -> Floats:
        """Shape (n,): ground height at points within the tiles.

        ``NOWHERE`` off the ground, and where grounds of different heights meet exactly.
        """
        across = ((x - self._x_low) / BIN_CM).astype(np.int64)
        down = ((y - self._y_low) / BIN_CM).astype(np.int64)
        tile = (down // BINS) * self._columns + across // BINS
        bins = tile * (BINS * BINS) + (down % BINS) * BINS + across % BINS
        first = self._first[bins]
        counts = self._first[bins + 1] - first
        point = np.arange(len(x)).repeat(counts)
        place = np.arange(len(point)) + (first - counts.cumsum() + counts).repeat(counts)
        triangle = self._in_bins[place]
        start_x, start_y, along_x, along_y = self._edges.take(triangle, axis=2)
        # On the inner side of all three edges, or on them, as ``tile_mesh`` reckons it.
        side = along_x * (y[point] - start_y) - along_y * (x[point] - start_x)
        held = (side >= 0.0).all(axis=0).nonzero()[0]
        point, height = point[held], self._heights[triangle[held]]
        of_last = np.full(len(x), NOWHERE)
        of_last[point] = height
        meets_another = point[height != of_last[point]]
        of_last[meets_another] = NOWHERE
        return of_last
