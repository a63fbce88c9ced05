"""Which tile is to be built anew next, after a change of the level's shapes (NAV-26)."""

from __future__ import annotations

from ai.navigation.ground_faces import influence_cm
from ai.navigation.map_shapes import MapShapes
from ai.navigation.tile_layout import TileLayout


class RebuildQueue:
    """Tiles to rebuild, batch by batch.

    A batch holds every tile that the changes up to its beginning reach. Later
    changes wait for the next one, so that a batch always ends and its result can be
    published, however often shapes change.
    """

    def __init__(self, shapes: MapShapes, layout: TileLayout) -> None:
        self._shapes = shapes
        self._layout = layout
        self._seen = shapes.version
        self._batch: list[int] = []

    @property
    def batch_running(self) -> bool:
        """True if the present batch has tiles that are still to be taken."""
        return bool(self._batch)

    def take(self) -> int | None:
        """The next tile, of a new batch if the last one is done; None if nothing has changed."""
        if not self._batch:
            self._begin_batch()
        return self._batch.pop(0) if self._batch else None

    def _begin_batch(self) -> None:
        self._shapes.refresh()
        if self._shapes.version == self._seen:
            return
        reach = influence_cm(self._shapes.body.radius_cm)
        tiles: set[int] = set()
        for area in self._shapes.changed_since(self._seen):
            tiles.update(self._layout.tiles_touching(area, reach))
        self._batch = sorted(tiles)
        self._seen = self._shapes.version
