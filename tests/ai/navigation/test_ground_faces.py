"""From the map's patches and obstacles to faces of walkable ground."""

from __future__ import annotations

import math

import pytest
import shapely

from ai.navigation.ground_faces import Face, cut_faces, graph_shrink, surface_shrink
from ai.navigation.tile_layout import Bounds
from ai.ports import Circle, Obstacle, Polygon, SurfacePatch
from tests.ai.navigation.maps import ChangingShapes, box_at, ground, map_shapes, rect

TILE: Bounds = (0.0, 0.0, 1500.0, 1500.0)


def faces_of(
    surfaces: list[SurfacePatch], obstacles: list[Obstacle] | None = None, *, graph: bool = True
) -> dict[str, shapely.Geometry]:
    """Faces of the first tile, by kind."""
    shapes = map_shapes(ChangingShapes(surfaces, obstacles or []))
    shrink = graph_shrink(30.0) if graph else surface_shrink(30.0)
    by_kind: dict[str, list[Face]] = {}
    for face in cut_faces(shapes, TILE, shrink):
        by_kind.setdefault(shapes.grounds[face.ground].kind, []).append(face)
    return {
        kind: shapely.union_all([face.area for face in faces]) for kind, faces in by_kind.items()
    }


def same_area(found: shapely.Geometry, expected: Polygon) -> bool:
    outline = shapely.Polygon(expected.points)
    return bool(shapely.area(shapely.symmetric_difference(found, outline)) < 1.0)


def test_where_patches_overlap_the_later_one_wins() -> None:
    """NAV-27: the later object of the map wins."""
    faces = faces_of(
        [
            ground("pavement", 0, 0, 1000, 1000),
            ground("road", 400, 0, 600, 1000),
            ground("crossing", 400, 500, 600, 700),
        ]
    )
    assert same_area(faces["crossing"], rect(400, 500, 600, 700))
    assert faces["road"].area == pytest.approx(200 * (1000 - 61 - 200), rel=1e-6)
    assert faces["pavement"].area == pytest.approx((800 - 61) * (1000 - 61), rel=1e-6)


def test_no_walk_is_cut_out_and_kept_clear_of() -> None:
    """NAV-27: no_walk never; bodies stay a radius away from it as from a wall."""
    faces = faces_of([ground("pavement", 0, 0, 1000, 1000), ground("no_walk", 400, 0, 1000, 1000)])
    assert list(faces) == ["pavement"]
    assert same_area(faces["pavement"], rect(30.5, 30.5, 369.5, 969.5))


def test_a_later_patch_reopens_what_no_walk_closed() -> None:
    """NAV-27: also no_walk is overruled by a later object."""
    faces = faces_of(
        [
            ground("pavement", 0, 0, 1000, 1000),
            ground("no_walk", 400, 0, 600, 1000),
            ground("crossing", 400, 400, 600, 600),
        ]
    )
    assert same_area(faces["crossing"], rect(400, 430.5, 600, 569.5))


def test_obstacles_are_grown_by_half_a_centimetre_more_with_mitred_corners() -> None:
    """NAV-26: the body radius + 0.5 cm, square corners stay square."""
    faces = faces_of([ground("plaza", 0, 0, 1400, 1400)], [Obstacle(1, rect(700, 600, 720, 840))])
    hole = shapely.Polygon(faces["plaza"].interiors[0])
    assert same_area(hole, rect(669.5, 569.5, 750.5, 870.5))


def test_a_sharp_corner_is_cut_off_at_twice_the_margin() -> None:
    """NAV-26: mitre limit 2. Nothing of the outline comes nearer than the margin."""
    spike = Polygon(((500, 700), (900, 680), (900, 720)))
    faces = faces_of([ground("plaza", 0, 0, 1400, 1400)], [Obstacle(1, spike)])
    hole = shapely.Polygon(faces["plaza"].interiors[0])
    assert hole.bounds[0] == pytest.approx(500 - 2 * 30.5, abs=0.01)
    outline = shapely.boundary(hole)
    assert shapely.distance(outline, shapely.Polygon(spike.points)) == pytest.approx(30.5, abs=0.01)


def test_a_round_obstacle_keeps_its_distance_all_round() -> None:
    """NAV-26: circles stand as polygons round them, so that no path comes too near."""
    post = Circle(700, 700, 12)
    faces = faces_of([ground("plaza", 0, 0, 1400, 1400)], [Obstacle(1, post)])
    outline = shapely.boundary(shapely.Polygon(faces["plaza"].interiors[0]))
    distances = [math.dist(point, (700, 700)) for point in outline.coords]
    assert shapely.distance(outline, shapely.Point(700, 700)) >= 42.5 - 0.001
    assert max(distances) <= 42.5 / math.cos(math.pi / 12) + 0.001


def test_the_surface_has_round_corners_at_exactly_the_radius() -> None:
    """LOC-07 a: what is 30 cm from a wall is ground; 30 cm round a corner too."""
    faces = faces_of(
        [ground("plaza", 0, 0, 1400, 1400)],
        [Obstacle(1, rect(700, 600, 800, 800))],
        graph=False,
    )
    hole = shapely.Polygon(faces["plaza"].interiors[0])
    exact = shapely.buffer(shapely.box(700, 600, 800, 800), 30.0, quad_segs=64)
    assert shapely.covers(shapely.buffer(exact, 0.01), hole)
    assert shapely.hausdorff_distance(shapely.boundary(hole), shapely.boundary(exact)) < 0.3


@pytest.mark.parametrize("gap", [0.0, 0.4, 1.9])
def test_a_seam_of_a_hand_drawn_map_is_no_wall(gap: float) -> None:
    """NAV-26: neighbouring patches that miss each other by less than 2 cm are one ground."""
    faces = faces_of(
        [
            ground("pavement", 0, 0, 500, 1000),
            SurfacePatch(
                "road", 0.0, Polygon(((500 + gap, 0), (1000, 0), (1000, 1000), (500, 1000)))
            ),
        ]
    )
    whole = shapely.union_all(list(faces.values()))
    assert same_area(whole, rect(30.5, 30.5, 969.5, 969.5))


def test_a_gap_wider_than_a_seam_stays_a_gap() -> None:
    """NAV-26: 5 cm apart is meant so."""
    faces = faces_of([ground("pavement", 0, 0, 500, 1000), ground("pavement", 505, 0, 1000, 1000)])
    assert faces["pavement"].geom_type == "MultiPolygon"


def test_what_passes_over_or_under_a_body_is_no_obstacle() -> None:
    """LOC-07 b: only what meets 5 to 180 cm above ground stands in the way."""
    awning = Obstacle(1, rect(300, 300, 500, 500), z_low_cm=180.0, z_high_cm=300.0)
    kerb = Obstacle(2, rect(600, 300, 800, 500), z_low_cm=0.0, z_high_cm=5.0)
    beam = Obstacle(3, rect(300, 600, 500, 800), z_low_cm=179.0, z_high_cm=300.0)
    plaza = faces_of([ground("plaza", 0, 0, 1000, 1000)], [awning, kerb, beam])["plaza"]
    assert len(plaza.interiors) == 1
    assert same_area(shapely.Polygon(plaza.interiors[0]), rect(269.5, 569.5, 530.5, 830.5))


def test_props_are_cut_from_the_graph_as_the_map_says_but_never_from_the_surface() -> None:
    """NAV-25: ``nav = "block"`` is in the graph, ``"ignore"`` is not; the surface knows neither."""
    blocking = Obstacle(1, box_at(300, 300, 60, 60), dynamic=True, mass_kg=40.0)
    ignored = Obstacle(2, box_at(700, 300, 60, 60), dynamic=True, nav_block=False, mass_kg=40.0)
    bollard = Obstacle(3, Circle(300, 700, 15), nav_block=False)
    wall = Obstacle(4, box_at(700, 700, 60, 60))
    things = [blocking, ignored, bollard, wall]
    plaza = [ground("plaza", 0, 0, 1000, 1000)]
    in_graph = faces_of(plaza, things)["plaza"]
    in_surface = faces_of(plaza, things, graph=False)["plaza"]
    centres = [shapely.Point(x, y) for x, y in ((300, 300), (700, 300), (300, 700), (700, 700))]
    assert [in_graph.contains(point) for point in centres] == [False, True, True, False]
    assert [in_surface.contains(point) for point in centres] == [True, True, True, False]


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize(
    "neighbour",
    [
        pytest.param((1500.0, 100.0, 2500.0, 1000.0), id="along the right border"),
        pytest.param((100.0, 1500.0, 1000.0, 2500.0), id="along the lower border"),
        pytest.param((1500.0, 1500.0, 2500.0, 2500.0), id="in the corner"),
    ],
)
def test_ground_that_only_touches_a_tile_takes_nothing_from_it(
    neighbour: tuple[float, float, float, float], graph: bool
) -> None:
    """NAV-26: places of a body's centre that end exactly on a tile's border."""
    keep = 30.5 if graph else 30.0
    x0, y0, x1, y1 = neighbour
    faces = faces_of(
        [
            ground("pavement", 100, 100, 1000, 1000),
            ground("plaza", x0 - keep, y0 - keep, x1 + keep, y1 + keep),
        ],
        graph=graph,
    )
    assert list(faces) == ["pavement"]
    assert same_area(faces["pavement"], rect(100 + keep, 100 + keep, 1000 - keep, 1000 - keep))


def test_a_border_of_kinds_along_the_edge_of_the_ground_is_drawn_once() -> None:
    """NAV-27: a patch whose border runs along the shrunk edge, and further on inside."""
    faces = faces_of(
        [
            ground("pavement", 100, 100, 1000, 1000),
            ground("plaza", 100, 100, 130.5, 600),
            ground("plaza", 500, 100, 1000, 600),
        ]
    )
    assert same_area(faces["plaza"], rect(500, 130.5, 969.5, 600))
    assert faces["pavement"].area == pytest.approx(839.0**2 - 469.5 * 469.5, rel=1e-6)
