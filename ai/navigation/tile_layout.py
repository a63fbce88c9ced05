"""Division of the map into square tiles, the unit of a rebuild (NAV-26)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

Bounds: TypeAlias = tuple[float, float, float, float]
"""x_min, y_min, x_max, y_max in cm."""

TILE_CM = 1500.0
"""Side of a tile: on a crowded street map one is rebuilt in well under the 16 ms of NAV-26."""


@dataclass(frozen=True, slots=True)
class TileLayout:
    """Tiles of ``TILE_CM``, numbered row by row from the map's lowest x and y.

    Tile borders lie on multiples of ``TILE_CM``, so that they fall on the grid to
    which geometry is rounded.
    """

    first_column: int
    first_row: int
    columns: int
    rows: int

    @classmethod
    def over(cls, extent: Bounds) -> TileLayout:
        """The layout that covers these bounds."""
        x_min, y_min, x_max, y_max = extent
        first_column = math.floor(x_min / TILE_CM)
        first_row = math.floor(y_min / TILE_CM)
        columns = max(1, math.ceil(x_max / TILE_CM) - first_column)
        rows = max(1, math.ceil(y_max / TILE_CM) - first_row)
        return cls(first_column, first_row, columns, rows)

    @property
    def count(self) -> int:
        """Number of tiles."""
        return self.columns * self.rows

    @property
    def bounds(self) -> Bounds:
        """Bounds of all tiles together."""
        return (
            self.first_column * TILE_CM,
            self.first_row * TILE_CM,
            (self.first_column + self.columns) * TILE_CM,
            (self.first_row + self.rows) * TILE_CM,
        )

    def tile_bounds(self, tile: int) -> Bounds:
        """Bounds of one tile."""
        row, column = divmod(tile, self.columns)
        x = (self.first_column + column) * TILE_CM
        y = (self.first_row + row) * TILE_CM
        return (x, y, x + TILE_CM, y + TILE_CM)

    def tiles_touching(self, area: Bounds, margin_cm: float = 0.0) -> list[int]:
        """Numbers, rising, of all tiles within ``margin_cm`` of an area."""
        first_column = math.floor((area[0] - margin_cm) / TILE_CM) - self.first_column
        first_row = math.floor((area[1] - margin_cm) / TILE_CM) - self.first_row
        last_column = math.floor((area[2] + margin_cm) / TILE_CM) - self.first_column
        last_row = math.floor((area[3] + margin_cm) / TILE_CM) - self.first_row
        return [
            row * self.columns + column
            for row in range(max(0, first_row), min(self.rows - 1, last_row) + 1)
            for column in range(max(0, first_column), min(self.columns - 1, last_column) + 1)
        ]
