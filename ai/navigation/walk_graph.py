"""The walk graph over the level's shapes; while tiles are rebuilt the old one is used (NAV-26)."""

from __future__ import annotations

from ai.navigation.ground_faces import cut_faces, graph_shrink
from ai.navigation.interval_search import ON_LINE_CM, Place
from ai.navigation.map_shapes import MapShapes
from ai.navigation.rebuild_queue import RebuildQueue
from ai.navigation.tile_layout import TileLayout
from ai.navigation.tile_mesh import MeshLocator, TileMesh, build_tile_mesh
from ai.navigation.walk_mesh import WalkMesh, assemble


class WalkGraph:
    """Where bodies can walk, as linked triangles.

    - ``mesh`` and ``version`` change together, and only when every tile that a
      change touches is done; a search keeps the mesh it began with.
    - What moves is cut out only where the map says so (NAV-25).
    """

    def __init__(self, shapes: MapShapes) -> None:
        self._shapes = shapes
        self._layout = TileLayout.over(shapes.extent)
        self._queue = RebuildQueue(shapes, self._layout)
        self._tiles = [self._build(tile) for tile in range(self._layout.count)]
        self._rebuilt: dict[int, TileMesh] = {}
        self.version = 0
        self._publish()

    def advance_rebuild(self) -> bool:
        """Do one piece of due work; False if there is none.

        - A piece is one tile, or linking all tiles once a batch of them is done.
        - To be called once a step: counted, never timed, so that runs repeat.
        """
        if self._rebuilt and not self._queue.batch_running:
            for tile, mesh in self._rebuilt.items():
                self._tiles[tile] = mesh
            self._rebuilt = {}
            self._publish()
            return True
        due = self._queue.take()
        if due is None:
            return False
        self._rebuilt[due] = self._build(due)
        return True

    def place(self, x: float, y: float) -> Place | None:
        """The place of a point with every cell around it, None off the graph."""
        found = self._locator.all_at(x, y, ON_LINE_CM)
        if not found:
            return None
        first_cell = self.mesh.first_cell
        return Place(x, y, tuple(first_cell[tile] + triangle for tile, triangle in found))

    def nearest_place(self, x: float, y: float, reach_cm: float) -> Place | None:
        """The place nearest to a point within ``reach_cm``, None if there is none."""
        place = self.place(x, y)
        if place is not None:
            return place
        near = self._locator.nearest(x, y, reach_cm)
        return None if near is None else self.place(near.x, near.y)

    def height_cm(self, place: Place) -> float:
        """Ground height at a place."""
        mesh = self.mesh
        return mesh.grounds[mesh.ground[place.cells[0]]].height_cm

    def region(self, place: Place) -> int:
        """Number of the connected region that a place lies in."""
        return self.mesh.region[place.cells[0]]

    def _build(self, tile: int) -> TileMesh:
        bounds = self._layout.tile_bounds(tile)
        shrink = graph_shrink(self._shapes.body.radius_cm)
        return build_tile_mesh(cut_faces(self._shapes, bounds, shrink), bounds)

    def _publish(self) -> None:
        self.mesh: WalkMesh = assemble(
            self._tiles, self._shapes.grounds, self._shapes.body.step_height_cm
        )
        self._locator = MeshLocator(self._layout, list(self._tiles))
        self.version += 1
