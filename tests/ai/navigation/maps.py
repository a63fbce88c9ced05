"""Small maps for the navigation tests: shapes that can change, and what is built over them."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import shapely

from ai.navigation.body_size import BodySize
from ai.navigation.map_shapes import MapShapes
from ai.navigation.mesh_path_finder import MeshPathFinder
from ai.navigation.mesh_surface import MeshSurface
from ai.navigation.surfaces import Surfaces
from ai.navigation.walk_graph import WalkGraph
from ai.ports import Circle, Danger, Footprint, FoundPath, Obstacle, Polygon, SurfacePatch, Vec3
from ai.tuning import load_own_form

TUNING = Path(__file__).resolve().parents[3] / "assets" / "tuning"
SURFACES = load_own_form(TUNING / "surfaces.toml", Surfaces)
Point = tuple[float, float]


def rect(x_min: float, y_min: float, x_max: float, y_max: float) -> Polygon:
    """An upright rectangle."""
    return Polygon(((x_min, y_min), (x_max, y_min), (x_max, y_max), (x_min, y_max)))


def box_at(x: float, y: float, width: float, height: float, yaw_deg: float = 0.0) -> Polygon:
    """A rectangle about its centre, turned."""
    c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    w, h = width / 2.0, height / 2.0
    return Polygon(
        tuple(
            (x + c * u - s * v, y + s * u + c * v) for u, v in ((-w, -h), (w, -h), (w, h), (-w, h))
        )
    )


def ground(
    kind: str, x_min: float, y_min: float, x_max: float, y_max: float, height_cm: float = 0.0
) -> SurfacePatch:
    """A rectangle of ground."""
    return SurfacePatch(kind, height_cm, rect(x_min, y_min, x_max, y_max))


class ChangingShapes:
    """``LevelShapes`` whose obstacles come and go."""

    def __init__(
        self, surfaces: Sequence[SurfacePatch], footprints: Sequence[Footprint | Obstacle] = ()
    ) -> None:
        self._surfaces = tuple(surfaces)
        self._obstacles: dict[int, Obstacle] = {}
        self._changes: list[tuple[int, tuple[float, float, float, float]]] = []
        self.version = 1
        self._dangers: tuple[Danger, ...] = ()
        for entry in footprints:
            self.put(entry)

    def surfaces(self) -> Sequence[SurfacePatch]:
        return self._surfaces

    def obstacles(self) -> Sequence[Obstacle]:
        return [self._obstacles[key] for key in sorted(self._obstacles)]

    def dangers(self) -> Sequence[Danger]:
        return self._dangers

    def set_dangers(self, *dangers: Danger) -> None:
        """These are the dangers from now on."""
        for danger in (*self._dangers, *dangers):
            self._note(danger.area)
        self._dangers = dangers

    def changed_since(self, version: int) -> Sequence[tuple[float, float, float, float]]:
        return [area for changed, area in self._changes if changed > version]

    def put(self, entry: Footprint | Obstacle) -> int:
        """Add a static obstacle, or exactly this one; return its id."""
        if not isinstance(entry, Obstacle):
            entry = Obstacle(max(self._obstacles, default=0) + 1, entry)
        self._obstacles[entry.object_id] = entry
        self._note(entry.footprint)
        return entry.object_id

    def take(self, object_id: int) -> None:
        """Remove an obstacle."""
        self._note(self._obstacles.pop(object_id).footprint)

    def _note(self, footprint: Footprint) -> None:
        self.version += 1
        self._changes.append((self.version, as_shape(footprint).bounds))


def as_shape(footprint: Footprint) -> shapely.Polygon:
    """The footprint, circles to within a thousandth of their radius."""
    if isinstance(footprint, Circle):
        return shapely.Point(footprint.x, footprint.y).buffer(footprint.radius, quad_segs=64)
    return shapely.Polygon(footprint.points)


def map_shapes(shapes: ChangingShapes, body: BodySize | None = None) -> MapShapes:
    """The shapes as navigation reads them."""
    return MapShapes(shapes, SURFACES, body or BodySize())


def walk_graph(
    surfaces: Sequence[SurfacePatch], footprints: Sequence[Footprint | Obstacle] = ()
) -> WalkGraph:
    """A walk graph over shapes that never change."""
    return WalkGraph(map_shapes(ChangingShapes(surfaces, footprints)))


def walk_surface(
    surfaces: Sequence[SurfacePatch], footprints: Sequence[Footprint | Obstacle] = ()
) -> MeshSurface:
    """A walk surface over shapes that never change."""
    return MeshSurface(map_shapes(ChangingShapes(surfaces, footprints)))


def find(
    graph: WalkGraph,
    start: Point,
    goal: Point,
    *,
    ignore_costs: bool = False,
    expansions_max: int = 8192,
    at_once: int = 8192,
) -> FoundPath:
    """Search to the end, ``at_once`` expansions at a time."""
    search = MeshPathFinder(graph, 15.0).begin(
        Vec3(*start), Vec3(*goal), expansions_max=expansions_max, ignore_costs=ignore_costs
    )
    while search.result is None:
        assert search.advance(at_once) > 0 or search.result is not None
    return search.result


def path_points(start: Point, path: FoundPath) -> list[Point]:
    """Start and points of a path."""
    return [start, *((point.x, point.y) for point in path.points)]


def length(points: Sequence[Point]) -> float:
    """Length of a polyline."""
    return sum(math.dist(a, b) for a, b in pairwise(points))


def graph_area(graph: WalkGraph) -> shapely.Geometry:
    """The ground of a graph as one shape."""
    mesh = graph.mesh
    cells = []
    for cell in range(len(mesh.ground)):
        ring = range(mesh.first_half_edge[cell], mesh.first_half_edge[cell + 1])
        cells.append(shapely.Polygon([(mesh.start_x[h], mesh.start_y[h]) for h in ring]))
    return shapely.union_all(cells)


def shortest_length(area: shapely.Geometry, start: Point, goal: Point) -> float:
    """Length of the shortest way within an area: Dijkstra over the full visibility graph."""
    grown = shapely.buffer(area, 1e-4, join_style="mitre")
    shapely.prepare(grown)
    corners = [start, goal]
    for polygon in shapely.get_parts(area):
        for ring in (polygon.exterior, *polygon.interiors):
            corners += list(ring.coords)[:-1]
    points = np.array(corners)
    best = [math.inf] * len(points)
    best[0] = 0.0
    open_ends = [(0.0, 0)]
    done: set[int] = set()
    while open_ends:
        so_far, here = heapq.heappop(open_ends)
        if here == 1:
            return so_far
        if here in done:
            continue
        done.add(here)
        rest = np.array([other for other in range(len(points)) if other not in done])
        lines = shapely.linestrings(
            np.stack([np.repeat(points[here][np.newaxis], len(rest), axis=0), points[rest]], axis=1)
        )
        for other in rest[shapely.covers(grown, lines)].tolist():
            total = so_far + math.dist(points[here], points[other])
            if total < best[other]:
                best[other] = total
                heapq.heappush(open_ends, (total, other))
    return math.inf
