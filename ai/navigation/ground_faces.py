"""Walkable ground of a tile, cut into faces of one kind each (NAV-26, NAV-27).

The steps, all on an area somewhat larger than the tile:

1. later patches cut earlier ones, seams of a hand-drawn map are closed;
2. obstacles are cut out, and what is left is shrunk by the body's radius;
3. the borders of the kinds are drawn into it, all lines are noded on a common
   grid, and the faces between them are found.

Faces that touch share all vertices of their common border, so that their
triangles share edges, also where the map's own polygons do not (T-junctions).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from ai.navigation.map_shapes import DangerShape, MapShapes, PatchShape
from ai.navigation.tile_layout import Bounds

GRID_CM = 1e-3
"""Grid to which vertices are rounded, so that equal corners have equal coordinates."""

SEAM_CM = 2.0
"""Narrower gaps between patches count as drawing errors and are closed."""

GRAPH_MARGIN_CM = 0.5
"""What the walk graph keeps from walls beyond the body's radius (NAV-26)."""

MITRE_LIMIT = 2.0
"""Corners are drawn out to at most this many times the margin (NAV-26)."""

ROUND_SEGMENTS = 6
"""Segments of a quarter circle of a round corner: 30 cm are kept to within 0.3 cm."""

DENT_CM = 0.3
"""Dents of an outline that are shallower than a hundredth of the radius are left out when
the geometry library shrinks it: in a notch so much more than the radius may be kept."""

JoinStyle = Literal["mitre", "round"]


class Shrink(NamedTuple):
    """How the body's size is taken off the walkable ground.

    - The walk graph keeps ``GRAPH_MARGIN_CM`` more and has mitred corners: paths
      round a corner keep off it by what the clearance check asks for.
    - The walk surface is where the body's centre can be, to within ``DENT_CM``.
    """

    distance_cm: float
    join: JoinStyle
    with_props: bool


def graph_shrink(radius_cm: float) -> Shrink:
    """Shrinking for the walk graph (NAV-26)."""
    return Shrink(radius_cm + GRAPH_MARGIN_CM, "mitre", with_props=True)


def surface_shrink(radius_cm: float) -> Shrink:
    """Shrinking for the walk surface: exact, and without what physics moves."""
    return Shrink(radius_cm, "round", with_props=False)


def influence_cm(radius_cm: float) -> float:
    """How far a change of shapes reaches: a mitred corner and the closing of seams."""
    return (radius_cm + GRAPH_MARGIN_CM) * MITRE_LIMIT + 2.0 * SEAM_CM


def reach_of(shapes: MapShapes, tile: Bounds) -> Bounds:
    """The area whose shapes have a say in a tile."""
    reach = influence_cm(shapes.body.radius_cm)
    return (tile[0] - reach, tile[1] - reach, tile[2] + reach, tile[3] + reach)


class Face(NamedTuple):
    """A piece of walkable ground of one kind; ``ground`` is an index into ``MapShapes.grounds``."""

    area: shapely.Polygon
    ground: int


def cut_faces(shapes: MapShapes, tile: Bounds, shrink: Shrink) -> list[Face]:
    """The walkable faces of a tile, as places of a body's centre."""
    around = reach_of(shapes, tile)
    window = shapely.box(*around)
    parts, closed_off = _visible_parts(shapes.patches_in(around), window)
    if not parts:
        return []
    ground = shapely.union_all(list(parts.values()))
    ground = _close_seams(ground)
    obstacles = [
        shape.outer if shrink.join == "mitre" else shape.inner
        for shape in shapes.obstacles_in(around, with_props=shrink.with_props)
    ]
    ground = shapely.difference(ground, shapely.union_all([*closed_off, *obstacles]))
    centres = shapely.buffer(
        ground,
        -shrink.distance_cm,
        quad_segs=ROUND_SEGMENTS,
        join_style=shrink.join,
        mitre_limit=MITRE_LIMIT,
    )
    area = _common_area(centres, shapely.box(*tile))
    dangers = shapes.dangers_in(tile) if shrink.with_props else []
    if not dangers:
        return _faces(area, parts)
    rings = _rings(dangers)
    return _with_dangers(_faces(area, parts, rings), rings, shapes)


def _common_area(one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    """Where both are, without the lines and points in which they only touch."""
    common = shapely.get_parts(shapely.intersection(one, other))
    return shapely.union_all(common[shapely.get_dimensions(common) == 2])


def _visible_parts(
    patches: list[PatchShape], window: shapely.Polygon
) -> tuple[dict[int, BaseGeometry], list[BaseGeometry]]:
    """What is seen of each ground index, and of what nobody walks on; later patches win."""
    pieces: dict[int, list[BaseGeometry]] = {}
    closed_off: list[BaseGeometry] = []
    covered: BaseGeometry = shapely.Polygon()
    for shape in reversed(patches):
        area = _common_area(shape.area, window)
        piece = shapely.difference(area, covered)
        if shapely.area(piece) <= 0.0:
            continue
        covered = shapely.union(covered, piece)
        if shape.ground < 0:
            closed_off.append(piece)
        else:
            pieces.setdefault(shape.ground, []).append(piece)
    parts = {ground: shapely.union_all(pieces[ground]) for ground in sorted(pieces)}
    return parts, closed_off


def _close_seams(ground: BaseGeometry) -> BaseGeometry:
    grown = shapely.buffer(ground, SEAM_CM / 2.0, join_style="mitre")
    return shapely.buffer(grown, -SEAM_CM / 2.0, join_style="mitre")


class _Ring(NamedTuple):
    """All ground of one danger's costs."""

    area: BaseGeometry
    cost: float
    flee_cost: float


def _rings(dangers: Sequence[DangerShape]) -> list[_Ring]:
    """The dangers, those of equal costs as one; the dearest last."""
    by_cost: dict[tuple[float, float], list[shapely.Polygon]] = {}
    for shape in dangers:
        by_cost.setdefault((shape.danger.cost, shape.danger.flee_cost), []).append(shape.area)
    return [_Ring(shapely.union_all(by_cost[key]), *key) for key in sorted(by_cost)]


def _with_dangers(faces: list[Face], rings: Sequence[_Ring], shapes: MapShapes) -> list[Face]:
    """The same faces; those within a danger lie on dearer ground, of several on the dearest."""
    inner_points = shapely.point_on_surface([face.area for face in faces])
    made = list(faces)
    for ring in rings:
        for row in shapely.contains(ring.area, inner_points).nonzero()[0].tolist():
            ground = shapes.endangered(faces[row].ground, ring.cost, ring.flee_cost)
            made[row] = Face(faces[row].area, ground)
    return made


def _faces(
    centres: BaseGeometry,
    parts: dict[int, BaseGeometry],
    rings: Sequence[_Ring] = (),
) -> list[Face]:
    if shapely.is_empty(centres):
        return []
    lines = [shapely.boundary(centres)]
    if len(parts) > 1:
        lines += [shapely.intersection(shapely.boundary(part), centres) for part in parts.values()]
    lines += [shapely.intersection(shapely.boundary(ring.area), centres) for ring in rings]
    network = shapely.union_all(lines, grid_size=GRID_CM)
    areas = shapely.get_parts(shapely.polygonize(shapely.get_parts(network)))
    inner_points = shapely.point_on_surface(areas)
    walkable = shapely.contains(centres, inner_points)
    faces: list[Face] = []
    grounds = list(parts)
    for area, point in zip(areas[walkable], inner_points[walkable], strict=True):
        # A closed seam belongs to no patch: the nearest one takes it.
        nearest = int(np.argmin(shapely.distance(list(parts.values()), point)))
        faces.append(Face(area, grounds[nearest]))
    return faces
