"""The walk graph: links, corners, regions, rebuild."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.navigation.ground_faces import Face
from ai.navigation.map_shapes import Ground
from ai.navigation.tile_layout import TILE_CM, TileLayout
from ai.navigation.tile_mesh import build_tile_mesh
from ai.navigation.walk_graph import WalkGraph
from ai.navigation.walk_mesh import NO_LINK, Links, assemble
from ai.ports import Circle, Footprint, Obstacle, PathFailure, Polygon, SurfacePatch
from tests.ai.navigation.maps import (
    ChangingShapes,
    box_at,
    find,
    graph_area,
    ground,
    length,
    map_shapes,
    path_points,
    rect,
    walk_graph,
)

PLAZA = ground("plaza", 0, 0, 1500, 1500)


def regions(graph: WalkGraph) -> int:
    return len(set(graph.mesh.region))


def outline_length(graph: WalkGraph, links: Links) -> float:
    return sum(
        side for side, twin in zip(graph.mesh.length, links.twin, strict=True) if twin == NO_LINK
    )


# -- what is linked ----------------------------------------------------------------


def test_an_alley_of_62_cm_has_a_way_and_one_of_60_has_none() -> None:
    """NAV-26: a bigger margin would close the 62 cm alley of RAG-12."""
    for width, failure in ((62.0, PathFailure.NONE), (60.0, PathFailure.NO_PATH)):
        walls = [rect(700, -100, 800, 700), rect(700, 700 + width, 800, 1600)]
        graph = walk_graph([PLAZA], walls)
        assert find(graph, (200, 700), (1300, 700)).failure == failure
        assert regions(graph) == (1 if failure is PathFailure.NONE else 2)


def test_every_side_is_linked_but_those_of_the_outline() -> None:
    """NAV-26: over T-junctions of kinds and borders of tiles the sides of both cells agree.

    The map's own polygons have different vertices on their common borders, and
    the tile border at 1500 cuts through road, crossing and grass.
    """
    surfaces = [
        ground("pavement", 0, 0, 4500, 2600),
        ground("road", 0, 900, 4500, 1700),
        ground("crossing", 1350, 900, 1650, 1700),
        SurfacePatch(
            "grass", 0.0, Polygon(((1200, 1700), (2100, 1700), (1833, 2500), (1311, 2300)))
        ),
        ground("path", 1500, 1900, 1600, 2600),
    ]
    graph = walk_graph(surfaces, [box_at(1500, 1300, 90, 200, 30), Circle(1500, 400, 25)])
    expected = shapely.length(shapely.boundary(graph_area(graph)))
    assert outline_length(graph, graph.mesh.links) == pytest.approx(expected, abs=0.02)
    assert regions(graph) == 1


def test_twins_are_each_others_and_run_the_other_way() -> None:
    """NAV-26: a side has one half-edge in each of its two cells."""
    mesh = walk_graph([ground("plaza", 0, 0, 4100, 2100)], [Circle(1500, 1000, 200)]).mesh
    for half_edge, twin in enumerate(mesh.links.twin):
        if twin == NO_LINK:
            continue
        assert mesh.links.twin[twin] == half_edge
        end = mesh.following[twin]
        assert mesh.start_x[half_edge] == pytest.approx(mesh.start_x[end], abs=0.001)
        assert mesh.start_y[half_edge] == pytest.approx(mesh.start_y[end], abs=0.001)


@pytest.mark.parametrize("ends", [(0.0, 1000.0), (0.001, 1000.001), (0.0, 700.0)])
def test_tiles_that_differ_at_their_border_are_linked_all_the_same(
    ends: tuple[float, float],
) -> None:
    """NAV-26: a vertex a grid step off is moved, one that the other tile lacks splits its side."""
    low, high = ends
    left = Face(shapely.Polygon([(500, 0), (1500, 0), (1500, 1000), (500, 1000)]), 0)
    right = Face(shapely.Polygon([(1500, low), (3000, 0), (3000, 1000), (1500, high)]), 0)
    tiles = [
        build_tile_mesh([left], (0, 0, 1500, 1500)),
        build_tile_mesh([right], (1500, 0, 3000, 1500)),
    ]
    mesh = assemble(tiles, [Ground("plaza", 0.0, 1.0)], 20.0)
    assert set(mesh.region) == {0}
    linked = [
        mesh.length[half_edge]
        for half_edge, twin in enumerate(mesh.links.twin)
        if twin != NO_LINK and mesh.cell[half_edge] < 2 <= mesh.cell[twin]
    ]
    assert linked == [pytest.approx(high - low)]


def test_a_step_too_high_to_take_parts_the_ground() -> None:
    """LOC-07 a: 20 cm up or down can be stepped, 21 cm cannot."""
    for height, count in ((20.0, 1), (21.0, 2)):
        stage = ground("plaza", 600, 0, 900, 1500, height)
        graph = walk_graph([ground("pavement", 0, 0, 1500, 1500), stage])
        # A stage right across parts the pavement too.
        assert regions(graph) == (1 if count == 1 else 3)


def test_a_way_round_a_stage_bends_at_its_edge() -> None:
    """NAV-26: the end of a ledge is a corner like that of a wall."""
    stage = ground("plaza", 600, 0, 900, 1000, 80.0)
    graph = walk_graph([ground("pavement", 0, 0, 1500, 1500), stage])
    path = find(graph, (300, 500), (1200, 500))
    assert [(p.x, p.y, p.z) for p in path.points[:2]] == [(600, 1000, 0), (900, 1000, 0)]


def test_a_point_is_found_through_bins_wherever_it_lies() -> None:
    """NAV-26: point location; a point on a side belongs to both cells."""
    graph = walk_graph([ground("plaza", 0, 0, 4000, 1000)])
    on_border = graph.place(TILE_CM, 500.0)
    assert on_border is not None
    assert len(on_border.cells) >= 2
    assert graph.place(30.0, 500.0) is None
    assert graph.place(31.0, 500.0) is not None
    for nowhere in (math.nan, math.inf, -1e9):
        assert graph.place(nowhere, 500.0) is None
    near = graph.nearest_place(10.0, 500.0, 30.0)
    assert near is not None
    assert (near.x, near.y) == (pytest.approx(30.5), 500.0)
    assert graph.nearest_place(0.0, 500.0, 30.0) is None


def test_a_map_without_ground_has_a_graph_without_cells() -> None:
    """NAV-26: nothing to walk on is no error."""
    graph = walk_graph([])
    assert graph.mesh.region == []
    assert graph.place(0.0, 0.0) is None
    assert find(graph, (0, 0), (100, 0)).failure == PathFailure.START_OFF_SURFACE


footprints = st.lists(
    st.one_of(
        st.builds(
            box_at,
            st.floats(0, 2600),
            st.floats(0, 1200),
            st.integers(10, 500),
            st.integers(10, 200),
            st.sampled_from([0.0, 0.0, 90.0, 37.0, -12.5]),
        ),
        st.builds(Circle, st.floats(0, 2600), st.floats(0, 1200), st.integers(5, 90)),
    ),
    max_size=7,
)


@settings(max_examples=40, deadline=None)
@given(footprints)
def test_the_graph_keeps_its_distance_and_loses_nothing(things: list[Footprint]) -> None:
    """NAV-26, LOC-07 c: every place of the graph is 30 cm clear of everything cut out of it."""
    graph = walk_graph([ground("plaza", 0, 0, 2600, 1200)], things)
    area = graph_area(graph)
    shapes = [shapely.Polygon(t.points) for t in things if isinstance(t, Polygon)]
    for shape in shapes:
        assert shapely.distance(area, shape) >= 30.0
    for thing in things:
        if isinstance(thing, Circle):
            assert shapely.distance(area, shapely.Point(thing.x, thing.y)) >= thing.radius + 30.0
    expected = shapely.length(shapely.boundary(area))
    assert outline_length(graph, graph.mesh.links) == pytest.approx(expected, abs=0.05)


# -- rebuild -----------------------------------------------------------------------


def rebuild(graph: WalkGraph) -> int:
    """Pieces of work until nothing is left."""
    pieces = 0
    while graph.advance_rebuild():
        pieces += 1
        assert pieces < 100
    return pieces


def test_nothing_is_rebuilt_while_nothing_changes() -> None:
    """NAV-26: the version rises with a rebuild alone."""
    graph = walk_graph([PLAZA])
    assert graph.version == 1
    assert rebuild(graph) == 0
    assert graph.version == 1


def test_a_barricade_rebuilds_only_the_tiles_it_touches() -> None:
    """NAV-26: one tile of a large map, one call a tile and one to link them."""
    shapes = ChangingShapes([ground("plaza", 0, 0, 10_000, 10_000)])
    graph = WalkGraph(map_shapes(shapes))
    before = list(graph._tiles)
    barricade = shapes.put(box_at(3700, 3700, 20, 240))
    assert rebuild(graph) == 2
    changed = [tile for tile, mesh in enumerate(graph._tiles) if mesh is not before[tile]]
    assert changed == [2 * 7 + 2]
    assert graph.version == 2
    assert graph.place(3700, 3700) is None
    shapes.take(barricade)
    assert rebuild(graph) == 2
    assert graph.version == 3
    assert graph.place(3700, 3700) is not None


def test_a_change_near_a_tile_border_rebuilds_both_sides() -> None:
    """NAV-26: what is grown over the border is cut out beyond it too."""
    shapes = ChangingShapes([ground("plaza", 0, 0, 4000, 2000)])
    graph = WalkGraph(map_shapes(shapes))
    shapes.put(rect(1300, 400, 1490, 600))
    assert rebuild(graph) == 3
    assert graph.place(1515, 500) is None
    assert graph.place(1521, 500) is not None


def test_the_old_graph_is_used_until_the_new_one_is_complete() -> None:
    """NAV-26: half a rebuild is never seen; old paths and searches go on."""
    shapes = ChangingShapes([ground("plaza", 0, 0, 4000, 2000)])
    graph = WalkGraph(map_shapes(shapes))
    mesh = graph.mesh
    shapes.put(rect(1500, -100, 2500, 2100))
    for _ in range(4):
        assert graph.advance_rebuild()
        assert graph.mesh is mesh
        assert graph.version == 1
    assert graph.advance_rebuild()
    assert graph.mesh is not mesh
    assert graph.version == 2
    assert find(graph, (1000, 1000), (3000, 1000)).failure == PathFailure.NO_PATH


def test_changes_without_end_still_get_published() -> None:
    """NAV-26: what changes during a rebuild waits for the next one."""
    shapes = ChangingShapes([ground("plaza", 0, 0, 4000, 2000)])
    graph = WalkGraph(map_shapes(shapes))
    for step in range(30):
        shapes.put(Obstacle(1, box_at(1000 + 50 * step, 1000, 100, 100)))
        graph.advance_rebuild()
    assert graph.version > 5
    rebuild(graph)
    assert graph.place(2450, 1000) is None
    assert graph.place(1000, 1000) is not None


@settings(max_examples=25, deadline=None)
@given(footprints, footprints)
def test_a_rebuilt_graph_equals_one_built_anew(
    first: list[Footprint], second: list[Footprint]
) -> None:
    """NAV-26: the way a graph came about can't be seen from it."""
    surfaces = [ground("plaza", 0, 0, 2600, 1200)]
    shapes = ChangingShapes(surfaces, first)
    graph = WalkGraph(map_shapes(shapes))
    for obstacle in list(shapes.obstacles()):
        shapes.take(obstacle.object_id)
    for footprint in second:
        shapes.put(footprint)
    rebuild(graph)
    anew = walk_graph(surfaces, second)
    assert graph.mesh.start_x == anew.mesh.start_x
    assert graph.mesh.start_y == anew.mesh.start_y
    assert graph.mesh.links == anew.mesh.links


def test_a_tile_border_is_no_bend_in_a_way() -> None:
    """NAV-26: along a wall over a tile border the way is straight."""
    graph = walk_graph(
        [ground("plaza", 0, 0, 4500, 2000)], [rect(1000, 900, 3500, 1000), rect(0, 400, 1500, 500)]
    )
    start, goal = (500.0, 860.0), (4000.0, 860.0)
    points = path_points(start, find(graph, start, goal))
    assert length(points) == pytest.approx(3500.0)
    assert len(points) == 2


def test_tiles_cover_the_map_and_no_more() -> None:
    """NAV-26: the unit of a rebuild."""
    layout = TileLayout.over((-100.0, 0.0, 4000.0, 2000.5))
    assert (layout.columns, layout.rows, layout.count) == (4, 2, 8)
    assert layout.bounds == (-1500.0, 0.0, 4500.0, 3000.0)
    assert layout.tile_bounds(5) == (0.0, 1500.0, 1500.0, 3000.0)
    assert layout.tiles_touching((100.0, 100.0, 200.0, 200.0)) == [1]
    assert layout.tiles_touching((100.0, 100.0, 200.0, 200.0), 150.0) == [0, 1]
    assert layout.tiles_touching((-9e9, -9e9, 9e9, 9e9)) == list(range(8))


def test_ground_of_another_cost_is_a_wall_to_the_ground_links_alone() -> None:
    """NAV-27: legs stay on ground of one cost; pavement and crossing are one to them."""
    graph = walk_graph(
        [
            ground("pavement", 0, 0, 1500, 1500),
            ground("road", 0, 600, 1500, 900),
            ground("crossing", 400, 600, 600, 900),
        ]
    )
    mesh = graph.mesh
    costs = np.array(mesh.cost)
    cut = [
        half_edge
        for half_edge, twin in enumerate(mesh.links.twin)
        if twin != NO_LINK and costs[half_edge] != costs[twin]
    ]
    assert cut
    for half_edge, twin in enumerate(mesh.ground_links.twin):
        assert twin == (NO_LINK if half_edge in cut else mesh.links.twin[half_edge])
    corners = set(zip(mesh.ground_links.corner_x, mesh.ground_links.corner_y, strict=True))
    assert corners == {(400.0, 600.0), (600.0, 600.0), (400.0, 900.0), (600.0, 900.0)}
