"""What lies where on the ground, worked out once a level: regions, kerbs, gutters, paint.

Surfaces lie over each other in map order (NAV-27: later wins) and ground tiles over
both; from that come one region a kind, none overlapping another. Kerbs follow the
edge of everything that cars drive on. All geometry is in cm; regions with holes are
cut into triangles, since that is what can be filled.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

from ai.ports import SurfacePatch
from game.render.outlines import Point
from game.render.picture import GroundPicture
from game.world.description import GroundTile

TILE_CM = 100.0
KERB_WIDTH_CM = 16.0
KERB_FACE_CM = 14.0
KERB_STONE_CM = 100.0
GUTTER_CM = (12.0, 40.0)
"""The gutter lies between these distances from the kerb."""

DASH_CM = 100.0
DASH_EVERY_CM = 200.0
DASH_WIDTH_CM = 14.0
DASH_CLEAR_CM = 45.0
"""Between a dash and a crossing, whose bars it would else run into."""

LANE_MIN_WIDTH_CM = 380.0
BAR_CM = 30.0
BAR_EVERY_CM = 56.0
"""Bars of a crossing (art-and-feel section 8)."""

DRIVEN = ("road", "crossing")
KINDS = ("no_walk", "pavement", "plaza", "path", "grass", "road", "crossing")
BARE = "no_walk"
"""What lies where the map says nothing."""

Triangle = tuple[Point, Point, Point]

KindArea = tuple[str, BaseGeometry]
"""A drawn kind of ground and where it is."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A filled area: triangles in cm and their common bounds (x_min, y_min, x_max, y_max)."""

    triangles: tuple[Triangle, ...]
    bounds: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Edge:
    """A straight piece of kerb between road and pavement, the road on its right-hand side."""

    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class GroundPlan:
    """Everything the ground is painted from.

    - ``regions``: areas by kind; none overlap.
    - ``kerb_tops``, ``gutters``, ``borders`` (edgings of lawns): areas.
    - ``kerb_edges``: where the kerb's face may show and its stones part.
    - ``paint``: quads of road paint.
    """

    width_cm: float
    height_cm: float
    regions: dict[str, tuple[Patch, ...]]
    kerb_tops: tuple[Patch, ...]
    gutters: tuple[Patch, ...]
    borders: tuple[Patch, ...]
    kerb_edges: tuple[Edge, ...]
    paint: tuple[tuple[Point, Point, Point, Point], ...]


def plan_ground(ground: GroundPicture) -> GroundPlan:
    """Work out the plan of a level's floor."""
    floor = box(0.0, 0.0, ground.width_cm, ground.height_cm)
    tile_areas = list(_tile_areas(ground.tiles))
    regions = _regions(ground, tile_areas, floor)
    driven = shapely.union_all([regions[kind] for kind in DRIVEN])
    outside = floor.buffer(600.0, join_style="mitre").difference(floor)
    open_ended = shapely.union_all([driven, outside])
    kerb = driven.buffer(KERB_WIDTH_CM, join_style="mitre").difference(driven).intersection(floor)
    near, far = GUTTER_CM
    gutter = (
        open_ended.buffer(-near, join_style="mitre")
        .difference(open_ended.buffer(-far, join_style="mitre"))
        .intersection(floor)
    )
    lawn = regions["grass"]
    border = lawn.difference(
        shapely.union_all([lawn, outside, driven]).buffer(-7.0, join_style="mitre")
    )
    return GroundPlan(
        width_cm=ground.width_cm,
        height_cm=ground.height_cm,
        regions={kind: _patches(area) for kind, area in regions.items()},
        kerb_tops=_patches(kerb),
        gutters=_patches(gutter),
        borders=_patches(border),
        kerb_edges=tuple(_kerb_edges(driven, ground.width_cm, ground.height_cm)),
        paint=tuple(_paint(ground, tile_areas, regions)),
    )


def kind_of(word: str) -> str:
    """The drawn kind of a surface or tile; a word that is not known is pavement."""
    return word if word in KINDS else "pavement"


def _regions(
    ground: GroundPicture, tile_areas: Sequence[KindArea], floor: Polygon
) -> dict[str, BaseGeometry]:
    regions: dict[str, BaseGeometry] = {kind: Polygon() for kind in KINDS}
    regions[BARE] = floor
    layers = [(kind_of(patch.kind), _outline(patch)) for patch in ground.surfaces]
    layers += tile_areas
    for kind, area in layers:
        for other in KINDS:
            if other != kind:
                regions[other] = regions[other].difference(area)
        regions[kind] = shapely.union_all([regions[kind], area]).intersection(floor)
    return regions


def _outline(patch: SurfacePatch) -> BaseGeometry:
    shape = Polygon(patch.outline.points)
    return shape if shape.is_valid else shape.buffer(0.0)


def _tile_areas(tiles: Sequence[GroundTile]) -> Iterable[KindArea]:
    """One area a kind, from runs of equal tiles."""
    cells: dict[str, set[tuple[int, int]]] = {}
    for tile in tiles:
        cells.setdefault(kind_of(tile.kind), set()).add((tile.row, tile.column))
    for kind in sorted(cells):
        runs: list[tuple[int, int, int, int]] = []
        ordered = sorted(cells[kind])
        start = 0
        for index, (row, column) in enumerate(ordered):
            last = index + 1 == len(ordered) or ordered[index + 1] != (row, column + 1)
            if last:
                runs.append((ordered[start][1], row, column + 1, row + 1))
                start = index + 1
        yield kind, shapely.union_all(shapely.box(*(np.array(runs) * TILE_CM).T))


def _polygons(area: BaseGeometry) -> list[Polygon]:
    if isinstance(area, Polygon):
        return [] if area.is_empty else [area]
    if isinstance(area, MultiPolygon) or hasattr(area, "geoms"):
        return [polygon for part in area.geoms for polygon in _polygons(part)]
    return []


def _patches(area: BaseGeometry) -> tuple[Patch, ...]:
    patches: list[Patch] = []
    for polygon in _polygons(area):
        if polygon.area < 1.0:
            continue
        corners = shapely.get_coordinates(shapely.constrained_delaunay_triangles(polygon))
        patches.append(
            Patch(
                tuple(
                    ((ax, ay), (bx, by), (cx, cy))
                    for (ax, ay), (bx, by), (cx, cy), _ in corners.reshape(-1, 4, 2).tolist()
                ),
                polygon.bounds,
            )
        )
    return tuple(patches)


def _kerb_edges(driven: BaseGeometry, width: float, height: float) -> Iterable[Edge]:
    """Straight edges of the driven area, but for those on the rim of the level."""
    for polygon in _polygons(driven):
        oriented = shapely.geometry.polygon.orient(polygon, sign=1.0)
        for line in (oriented.exterior, *oriented.interiors):
            corners = [(float(x), float(y)) for x, y in line.coords]
            for start, end in pairwise(corners):
                on_rim = any(
                    abs(start[axis] - limit) < 0.5 and abs(end[axis] - limit) < 0.5
                    for axis, limits in ((0, (0.0, width)), (1, (0.0, height)))
                    for limit in limits
                )
                if not on_rim and math.dist(start, end) > 1.0:
                    # Positive orientation in a frame with y down keeps the inside on the right.
                    yield Edge(start, end)


def _paint(
    ground: GroundPicture, tile_areas: Sequence[KindArea], regions: dict[str, BaseGeometry]
) -> Iterable[tuple[Point, Point, Point, Point]]:
    """Centre dashes of road strips and bars of crossings."""
    crossings = _polygons(regions["crossing"])
    roads = [Polygon(p.outline.points) for p in ground.surfaces if p.kind == "road"]
    roads += _roads_of_tiles_alone(tile_areas, roads)
    blocked = shapely.union_all([crossing.buffer(DASH_CLEAR_CM) for crossing in crossings])
    visible = shapely.union_all([regions["road"], regions["crossing"]])
    for number, road in enumerate(roads):
        others = shapely.union_all([other for index, other in enumerate(roads) if index != number])
        if road.area < 0.85 * shapely.minimum_rotated_rectangle(road).area:
            continue
        for quad in _dashes(road):
            dash = Polygon(quad)
            if (
                visible.contains(dash.centroid)
                and not blocked.intersects(dash)
                and not others.contains(dash.centroid)
            ):
                yield quad
    for crossing in crossings:
        yield from _bars(crossing)


def _roads_of_tiles_alone(
    tile_areas: Sequence[KindArea], roads: Sequence[Polygon]
) -> list[Polygon]:
    """Driven areas that only tiles speak of.

    Maps lay tiles over their road surfaces as well: those are no second road, which
    would count as a junction with the first all along and so have no dashes.
    """
    driven = [area for kind, area in tile_areas if kind in DRIVEN]
    return _polygons(shapely.union_all(driven).difference(shapely.union_all(roads)))


@dataclass(frozen=True, slots=True)
class _Strip:
    """A rectangle by its middle, its unit long axis, and half its sides."""

    middle: Point
    axis: Point
    half_length: float
    half_width: float

    @classmethod
    def around(cls, polygon: Polygon) -> _Strip:
        corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(polygon))[:3].tolist()
        (ax, ay), (bx, by), (cx, cy) = corners
        first, second = (bx - ax, by - ay), (cx - bx, cy - by)
        middle = ((ax + cx) / 2.0, (ay + cy) / 2.0)
        longer, shorter = first, second
        if math.hypot(*second) > math.hypot(*first):
            longer, shorter = second, first
        length = math.hypot(*longer) or 1.0
        return cls(
            middle,
            (longer[0] / length, longer[1] / length),
            length / 2.0,
            math.hypot(*shorter) / 2.0,
        )

    def quad(
        self, along: float, half_along: float, half_across: float
    ) -> tuple[Point, Point, Point, Point]:
        ux, uy = self.axis
        x, y = self.middle[0] + ux * along, self.middle[1] + uy * along

        def corner(u: float, v: float) -> Point:
            return (x + ux * u - uy * v, y + uy * u + ux * v)

        return (
            corner(-half_along, -half_across),
            corner(half_along, -half_across),
            corner(half_along, half_across),
            corner(-half_along, half_across),
        )


def _dashes(road: Polygon) -> Iterable[tuple[Point, Point, Point, Point]]:
    strip = _Strip.around(road)
    if 2.0 * strip.half_width < LANE_MIN_WIDTH_CM or strip.half_length < 2.0 * strip.half_width:
        return
    count = int(2.0 * strip.half_length / DASH_EVERY_CM)
    for index in range(count):
        along = (index - (count - 1) / 2.0) * DASH_EVERY_CM
        yield strip.quad(along, DASH_CM / 2.0, DASH_WIDTH_CM / 2.0)


def _bars(crossing: Polygon) -> Iterable[tuple[Point, Point, Point, Point]]:
    strip = _Strip.around(crossing)
    count = max(1, int((2.0 * strip.half_length - 20.0) / BAR_EVERY_CM))
    for index in range(count):
        along = (index - (count - 1) / 2.0) * BAR_EVERY_CM
        yield strip.quad(along, BAR_CM / 2.0, strip.half_width * 0.96)
