"""Paths over the walk graph: shortest, cheapest, counted, repeatable."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ai.faults import faults
from ai.navigation.mesh_path_finder import MeshPathFinder
from ai.navigation.walk_graph import WalkGraph
from ai.navigation.walk_mesh import NO_LINK
from ai.ports import Circle, Footprint, Obstacle, PathFailure, Vec3
from tests.ai.navigation.maps import (
    ChangingShapes,
    Point,
    as_shape,
    box_at,
    find,
    graph_area,
    ground,
    length,
    map_shapes,
    path_points,
    rect,
    shortest_length,
    walk_graph,
    walk_surface,
)

# LVL-01: courier and goal, barricade (a prop that blocks the graph), bollard (which does not).
PLAZA = ground("plaza", -1000, -1000, 3000, 3000)
COURIER: Point = (200.0, 600.0)
BESIDE_CAR: Point = (1000.0, 600.0)
BARRICADE = Obstacle(1, box_at(600, 602, 20, 240), dynamic=True, mass_kg=200.0)
BOLLARD = Obstacle(2, Circle(800, 522, 15), nav_block=False)


# -- LVL-01 ------------------------------------------------------------------------


def test_the_way_round_the_barricade_is_858_9_cm() -> None:
    """NAV-26, LVL-01: over the barricade's upper end, which is 3 cm nearer than the lower one.

    Grown by 30.5 it reaches from (559.5, 451.5) to (640.5, 752.5): twice 388.96 and 81.
    """
    path = find(walk_graph([PLAZA], [BARRICADE, BOLLARD]), COURIER, BESIDE_CAR)
    assert path.failure == PathFailure.NONE
    assert path.points == (Vec3(559.5, 451.5), Vec3(640.5, 451.5), Vec3(1000.0, 600.0))
    assert length(path_points(COURIER, path)) == pytest.approx(858.9, abs=0.05)


def test_every_step_of_that_way_passes_the_commit_checks() -> None:
    """NAV-26, LOC-07: on the surface without a shift, 30 cm clear of all but the bollard."""
    path = find(walk_graph([PLAZA], [BARRICADE, BOLLARD]), COURIER, BESIDE_CAR)
    surface = walk_surface([PLAZA], [BARRICADE, BOLLARD])
    line = shapely.LineString(path_points(COURIER, path))
    barricade = as_shape(BARRICADE.footprint)
    for step in range(int(line.length / (130 / 60)) + 1):
        point = line.interpolate(step * 130 / 60)
        put = surface.project(point.x, point.y, 5.0)
        assert put is not None
        assert put.shift_cm == 0.0
        assert shapely.distance(point, barricade) >= 30.0


# -- shortest ----------------------------------------------------------------------

footprints = st.lists(
    st.one_of(
        st.builds(
            box_at,
            st.integers(0, 2200),
            st.integers(0, 2200),
            st.integers(10, 700),
            st.integers(10, 200),
            st.sampled_from([0.0, 0.0, 90.0, 37.0, -12.5]),
        ),
        st.builds(Circle, st.integers(0, 2200), st.integers(0, 2200), st.integers(5, 120)),
    ),
    max_size=9,
)
coordinate = st.integers(31, 2169)


@settings(max_examples=60, deadline=None)
@given(footprints, coordinate, coordinate, coordinate, coordinate)
def test_a_way_of_one_leg_is_the_shortest_there_is(
    things: list[Footprint], x0: int, y0: int, x1: int, y1: int
) -> None:
    """NAV-26: equal to the shortest way of the visibility graph over the same ground."""
    graph = walk_graph([ground("plaza", 0, 0, 2200, 2200)], things)
    start, goal = (float(x0), float(y0)), (float(x1), float(y1))
    assume(graph.place(*start) is not None and graph.place(*goal) is not None)
    path = find(graph, start, goal)
    area = graph_area(graph)
    if path.failure is PathFailure.NO_PATH:
        parts = [
            part for part in shapely.get_parts(area) if part.distance(shapely.Point(start)) < 1
        ]
        assert all(part.distance(shapely.Point(goal)) > 0.0 for part in parts)
        return
    assert path.failure == PathFailure.NONE
    points = path_points(start, path)
    assert points[-1] == goal
    best = shortest_length(area, start, goal)
    assert best - 0.01 <= length(points) <= 1.01 * best + 0.01
    if len(points) > 1 and length(points) > 0.0:
        grown = shapely.buffer(area, 0.011, join_style="mitre")
        assert shapely.covers(grown, shapely.LineString(points))


def maze(walls: int) -> list[Footprint]:
    """Walls right across with gaps on alternate sides."""
    return [
        rect(
            -100 if wall % 2 else 300,
            500 + 600 * wall,
            2700 if wall % 2 else 3100,
            520 + 600 * wall,
        )
        for wall in range(walls)
    ]


def test_a_long_way_of_several_legs_is_within_one_percent_of_the_shortest() -> None:
    """NAV-26: a way through a maze of 140 m, cut into legs, is pulled straight at its joints."""
    graph = walk_graph([ground("plaza", 0, 0, 3000, 4300)], maze(6))
    start, goal = (1500.0, 100.0), (1500.0, 4200.0)
    found = length(path_points(start, find(graph, start, goal)))
    best = shortest_length(graph_area(graph), start, goal)
    assert found > 14_000.0
    assert best - 0.01 <= found <= 1.01 * best


# -- cost --------------------------------------------------------------------------


def across_a_road(crossing_off_cm: float) -> tuple[WalkGraph, Point, Point]:
    """Both sides of a road 20 m wide, a crossing so far off, and two points at its edges."""
    near, far = 3000.0, 5000.0
    x = 2000.0
    surfaces = [
        ground("pavement", 0, near - 500, 9000, far + 500),
        ground("road", 0, near, 9000, far),
        ground("crossing", x + crossing_off_cm, near, x + crossing_off_cm + 400, far),
    ]
    return walk_graph(surfaces), (x, near - 10.0), (x, far + 10.0)


def test_a_crossing_15_m_off_is_worth_the_detour() -> None:
    """NAV-27: 15 + 20 + 15 m of cost 1 against 20 m of cost 3."""
    graph, start, goal = across_a_road(1500.0)
    points = path_points(start, find(graph, start, goal))
    assert [round(x) for x, _ in points[1:-1]] == [3500, 3500]
    assert length(points) == pytest.approx(2 * 1500 + 2000, abs=5.0)


def test_a_crossing_40_m_off_is_not() -> None:
    """NAV-27: 40 + 20 + 40 m against 60: people jaywalk when the way round is so long."""
    graph, start, goal = across_a_road(4000.0)
    points = path_points(start, find(graph, start, goal))
    assert all(x == pytest.approx(2000, abs=1.0) for x, _ in points)
    assert length(points) == pytest.approx(2020, abs=1.0)


def test_who_flees_goes_straight_across() -> None:
    """NAV-27: FLEE ignores cost differences, road counts 1."""
    graph, start, goal = across_a_road(1500.0)
    path = find(graph, start, goal, ignore_costs=True)
    assert path.points == (Vec3(*goal),)


def test_a_road_is_crossed_at_a_right_angle_rather_than_aslant() -> None:
    """NAV-27: where road must be walked on, as little of it as pays."""
    surfaces = [ground("pavement", 0, 0, 4000, 2000), ground("road", 0, 800, 4000, 1200)]
    graph = walk_graph(surfaces)
    start, goal = (500.0, 400.0), (3000.0, 1600.0)
    points = path_points(start, find(graph, start, goal))
    (x_in, y_in), (x_out, y_out) = points[1:3]
    assert (y_in, y_out) == (pytest.approx(800), pytest.approx(1200))
    # Snell: the sine on the road is a third of that on the pavement (nearly 1 here).
    assert (x_out - x_in) / math.dist(points[1], points[2]) == pytest.approx(0.31, abs=0.02)


def test_on_one_ground_a_way_bends_at_the_corners_of_dearer_ground() -> None:
    """NAV-27: 2.8 + 8 m of path round a road are cheaper than 8 m over it."""
    surfaces = [
        ground("path", 0, 0, 2000, 1000),
        ground("road", 600, 300, 1400, 1000),
    ]
    path = find(walk_graph(surfaces), (400, 500), (1600, 500))
    assert [(p.x, p.y) for p in path.points] == [(600, 300), (1400, 300), (1600, 500)]


def test_a_goal_on_a_road_is_gone_to_from_its_nearer_side() -> None:
    """NAV-27: 380 over the crossing and 1200 along the far pavement, not 1200 aslant at cost 3."""
    surfaces = [
        ground("pavement", 0, 0, 2500, 2500),
        ground("road", 0, 1090, 2500, 1470),
        ground("crossing", 2060, 1090, 2360, 1470),
    ]
    points = path_points((2240, 1580), find(walk_graph(surfaces), (2240, 1580), (880, 1095)))
    assert any(2059 < x < 2361 and y == pytest.approx(1090, abs=1.0) for x, y in points)
    assert points[-2] == (pytest.approx(880, abs=5.0), pytest.approx(1090, abs=0.5))


def test_a_start_on_the_edge_of_a_road_may_leave_over_either_ground() -> None:
    """NAV-27: a point on a kerb lies on both grounds."""
    surfaces = [ground("pavement", 0, 0, 2000, 1000), ground("road", 0, 500, 2000, 1000)]
    graph = walk_graph(surfaces)
    along = find(graph, (200, 500), (1800, 500))
    assert length(path_points((200, 500), along)) == pytest.approx(1600, abs=0.1)
    into = find(graph, (200, 500), (200, 900))
    assert into.points == (Vec3(200, 900),)


# -- ends --------------------------------------------------------------------------


def test_points_have_the_height_of_the_ground() -> None:
    """NAV-27: a surface has a height; the goal's is that of the ground it is on."""
    surfaces = [
        ground("road", 0, 0, 2000, 2000),
        ground("pavement", 0, 1000, 2000, 2000, height_cm=15.0),
    ]
    path = find(walk_graph(surfaces), (500, 200), (500, 1800))
    assert path.points[-1] == Vec3(500.0, 1800.0, 15.0)
    back = find(walk_graph(surfaces), (500, 1800), (500, 200))
    assert back.points[-1] == Vec3(500.0, 200.0, 0.0)


def test_a_start_in_the_margin_needs_no_point_of_its_own() -> None:
    """NAV-26: a body stands 30 cm from a wall, the graph begins at 30.5."""
    path = find(walk_graph([ground("plaza", 0, 0, 1000, 1000)]), (30.1, 500), (900, 500))
    assert path.points == (Vec3(900, 500),)


def test_a_start_pushed_off_the_graph_first_leads_back_onto_it() -> None:
    """NAV-26: up to 30 cm off, inclusive."""
    graph = walk_graph([ground("plaza", 0, 0, 1000, 1000)])
    path = find(graph, (5, 500), (900, 500))
    assert path.points == (Vec3(30.5, 500), Vec3(900, 500))
    assert find(graph, (0.4, 500), (900, 500)).failure == PathFailure.START_OFF_SURFACE


@pytest.mark.parametrize(
    ("goal", "end"),
    [
        ((1000.0, 700.0), Vec3(1000.0, 700.0)),
        ((1384.4, 700.0), Vec3(1369.5, 700.0)),
        ((1384.6, 700.0), None),
        ((1384.0, 1384.0), Vec3(1369.5, 1369.5)),
    ],
)
def test_a_goal_off_the_graph_must_lie_within_the_end_box(goal: Point, end: Vec3 | None) -> None:
    """NAV-06, NAV-10: |dx| and |dy| up to 15 from the nearest point of the graph (a box)."""
    path = find(walk_graph([ground("plaza", 0, 0, 1400, 1400)]), (700, 700), goal)
    if end is None:
        assert (path.failure, path.points) == (PathFailure.GOAL_OFF_SURFACE, ())
    else:
        assert path.failure == PathFailure.NONE
        assert (path.points[-1].x, path.points[-1].y) == pytest.approx(end[:2], abs=0.001)


def test_a_goal_that_is_the_start_is_reached_at_once() -> None:
    """NAV-10: no length is a path too."""
    path = find(walk_graph([PLAZA]), (500, 500), (500, 500))
    assert (path.failure, path.points) == (PathFailure.NONE, (Vec3(500, 500),))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e6])
def test_what_is_no_place_on_the_map_fails_without_a_search(bad: float) -> None:
    """NAV-10: START_OFF_SURFACE before GOAL_OFF_SURFACE, no expansion."""
    graph = walk_graph([PLAZA])
    off_start = find(graph, (bad, 0), (0, bad))
    off_goal = find(graph, (0, 0), (0, bad))
    assert (off_start.failure, off_start.expansions) == (PathFailure.START_OFF_SURFACE, 0)
    assert (off_goal.failure, off_goal.expansions) == (PathFailure.GOAL_OFF_SURFACE, 0)


def test_closed_off_goals_are_known_by_their_region() -> None:
    """NAV-10: NO_PATH without an expansion; the regions of both ends differ."""
    graph = walk_graph([ground("plaza", 0, 0, 1500, 1500)], [rect(700, -100, 800, 1600)])
    finder = MeshPathFinder(graph, 15.0)
    path = find(graph, (200, 700), (1300, 700))
    assert (path.failure, path.expansions) == (PathFailure.NO_PATH, 0)
    left, right = finder.regions(Vec3(200, 700), Vec3(1300, 700))
    assert left != right
    assert finder.regions(Vec3(200, 100), Vec3(300, 700)) == (left, left)
    assert finder.regions(Vec3(-500, 0), Vec3(1300, 700)) == (-1, right)


# -- counting ----------------------------------------------------------------------

BUSY: list[Footprint] = [
    box_at(300 + 450 * column, 300 + 450 * row, 120, 200, 17.0 * (row + column))
    for row in range(6)
    for column in range(6)
]
MIXED = [ground("pavement", 0, 0, 2700, 2700), ground("road", 0, 1200, 2700, 1500)]


@pytest.mark.parametrize("ignore_costs", [False, True])
def test_a_search_in_small_bites_finds_what_one_in_one_bite_finds(ignore_costs: bool) -> None:
    """NAV-09: a search in progress continues; path and count do not depend on the budget."""
    graph = walk_graph(MIXED, BUSY)
    ends = ((100.0, 100.0), (2600.0, 2550.0))
    whole = find(graph, *ends, ignore_costs=ignore_costs)
    for bite in (1, 7, 50):
        assert find(graph, *ends, ignore_costs=ignore_costs, at_once=bite) == whole


def test_a_search_uses_no_more_than_it_is_given() -> None:
    """NAV-09: expansions are counted exactly."""
    finder = MeshPathFinder(walk_graph(MIXED, BUSY), 15.0)
    search = finder.begin(Vec3(100, 100), Vec3(2600, 2550), expansions_max=8192)
    total = 0
    while search.result is None:
        used = search.advance(5)
        assert 0 < used <= 5
        total += used
    assert search.result.expansions == total
    assert search.advance(5) == 0


def test_a_search_that_runs_out_of_expansions_has_a_partial_path_alone() -> None:
    """NAV-10: a partial path is a failure and has no points."""
    graph = walk_graph([ground("plaza", 0, 0, 3000, 4300)], maze(6))
    ends = ((1500.0, 100.0), (1500.0, 4200.0))
    needed = find(graph, *ends).expansions
    short = find(graph, *ends, expansions_max=needed // 2)
    assert (short.failure, short.points) == (PathFailure.PARTIAL_ONLY, ())
    assert short.expansions == needed // 2
    assert find(graph, *ends, expansions_max=needed).failure == PathFailure.NONE


def test_equal_ways_are_decided_the_same_each_time() -> None:
    """NAV-09, LVL-08: two equal ways round a box; the same one on every graph built."""
    things: list[Footprint] = [box_at(700, 700, 200, 200)]
    found = {
        find(walk_graph([ground("plaza", 0, 0, 1400, 1400)], things), (300, 700), (1100, 700))
        for _ in range(3)
    }
    assert len(found) == 1
    assert length(path_points((300, 700), found.pop())) > 800.0


def test_a_search_ends_on_the_graph_it_began_on() -> None:
    """NAV-26: a graph that is replaced meanwhile neither breaks nor restarts it."""
    shapes = ChangingShapes([ground("plaza", 0, 0, 1500, 1500)], [box_at(700, 700, 40, 600)])
    graph = WalkGraph(map_shapes(shapes))
    finder = MeshPathFinder(graph, 15.0)
    expected = find(graph, (300, 700), (1100, 700))
    search = finder.begin(Vec3(300, 700), Vec3(1100, 700), expansions_max=8192)
    search.advance(3)
    shapes.put(rect(700, -100, 720, 1600))
    while graph.advance_rebuild():
        pass
    assert finder.version == 2
    while search.result is None:
        search.advance(3)
    assert search.result == expected
    assert find(graph, (300, 700), (1100, 700)).failure == PathFailure.NO_PATH


@pytest.mark.expects_faults
def test_a_broken_graph_is_reported_and_not_taken_for_a_goal_out_of_reach() -> None:
    """NAV-10: NO_PATH would be remembered; what must not happen fails this request alone."""
    mesh = walk_graph([ground("plaza", 0, 0, 2000, 2000)], BUSY).mesh
    cut = replace(mesh.links, twin=[NO_LINK] * len(mesh.cell))
    start, goal = (100.0, 100.0), (1900.0, 1900.0)
    graph = walk_graph([ground("plaza", 0, 0, 2000, 2000)], BUSY)
    graph.mesh = replace(mesh, links=cut, ground_links=cut, even_links=cut)
    assert find(graph, start, goal).failure == PathFailure.PARTIAL_ONLY
    assert [fault.kind for fault in faults.all()] == ["path_lost"]


def test_no_two_points_of_a_path_are_the_same() -> None:
    """NAV-05: a path has no empty legs, also over the joints of a road."""
    graph = walk_graph(MIXED, BUSY)
    for goal in ((2600.0, 2550.0), (1350.0, 1200.0), (100.0, 2600.0)):
        points = path_points((100.0, 100.0), find(graph, (100.0, 100.0), goal))
        assert all(math.dist(a, b) > 0.001 for a, b in pairwise(points))
