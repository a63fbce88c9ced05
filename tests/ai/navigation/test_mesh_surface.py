"""The walk surface: exact to the radius, quick where nothing is near."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ai.navigation import mesh_surface
from ai.navigation.ground_faces import DENT_CM
from ai.navigation.mesh_surface import MeshSurface
from ai.ports import Circle, Footprint, GroundPoint, Obstacle, Polygon
from tests.ai.navigation.maps import (
    ChangingShapes,
    as_shape,
    box_at,
    graph_area,
    ground,
    map_shapes,
    rect,
    walk_graph,
    walk_surface,
)

YARD = ground("plaza", 0, 0, 1000, 1000)


def test_a_body_touching_a_wall_is_on_the_surface() -> None:
    """LOC-07 a: a centre exactly 30 cm from walls and edges needs no shift."""
    surface = walk_surface([YARD], [rect(500, 400, 600, 600)])
    for x, y in ((470.0, 500.0), (630.0, 500.0), (550.0, 370.0), (30.0, 30.0), (970.0, 500.0)):
        assert surface.project(x, y, 5.0) == GroundPoint(x, y, 0.0, 1.0, 0.0, "plaza")


def test_a_point_nearer_is_put_back_onto_it() -> None:
    """LOC-07 a: the XY shift is the distance to the surface, at most 5 cm."""
    surface = walk_surface([YARD], [rect(500, 400, 600, 600)])
    put = surface.project(474.0, 500.0, 5.0)
    assert put is not None
    assert (put.x, put.y, put.shift_cm) == (
        pytest.approx(470.0, abs=0.001),
        500.0,
        pytest.approx(4.0, abs=0.001),
    )
    assert surface.project(475.0, 500.0, 5.0) is not None
    assert surface.project(475.1, 500.0, 5.0) is None


def test_a_shift_may_be_exactly_as_large_as_allowed() -> None:
    """FLEE-04: shift 50.0 kept, 50.1 dropped."""
    surface = walk_surface([YARD])
    assert surface.project(-20.0, 500.0, 50.0) is not None
    assert surface.project(-20.1, 500.0, 50.0) is None
    assert surface.project(500.0, 1020.0, 50.0) is not None


def test_the_ground_tells_kind_and_height() -> None:
    """NAV-27: of overlapping patches the later one, flat ground everywhere."""
    surface = walk_surface(
        [ground("pavement", 0, 0, 1000, 1000, 12.0), ground("road", 400, 0, 600, 1000, 0.0)]
    )
    assert surface.project(300.0, 500.0, 5.0) == GroundPoint(300, 500, 12.0, 1.0, 0.0, "pavement")
    assert surface.project(500.0, 500.0, 5.0) == GroundPoint(500, 500, 0.0, 1.0, 0.0, "road", 3.0)
    assert surface.project(399.0, 511.0, 5.0) == GroundPoint(399, 511, 12.0, 1.0, 0.0, "pavement")
    assert surface.project(401.0, 511.0, 5.0) == GroundPoint(401, 511, 0.0, 1.0, 0.0, "road", 3.0)


def test_the_batch_tells_what_the_ground_costs() -> None:
    """NAV-27: a road costs 3 a cm, a pavement 1, as the single point says."""
    surface = walk_surface(
        [ground("pavement", 0, 0, 1000, 1000), ground("road", 400, 0, 600, 1000)]
    )
    x, y = np.array([200.0, 500.0, -500.0]), np.array([500.0, 500.0, 500.0])
    costs = surface.ground_inside(x, y)[1]
    assert costs[:2].tolist() == [1.0, 3.0]
    assert math.isnan(costs.item(2)), "off the map"
    for place, cost in zip(((200.0, 500.0), (500.0, 500.0)), costs.tolist(), strict=False):
        point = surface.project(*place, 5.0)
        assert point is not None
        assert point.cost == cost


def test_nobody_stands_on_no_walk() -> None:
    """NAV-27: no_walk never."""
    surface = walk_surface([YARD, ground("no_walk", 400, 0, 600, 1000)])
    assert surface.project(500.0, 500.0, 129.0) is None
    put = surface.project(480.0, 500.0, 129.0)
    assert put is not None
    assert put.x == pytest.approx(370.0, abs=0.001)


def test_a_prop_that_moves_does_not_take_the_ground_from_under_a_body() -> None:
    """NAV-25: props are the clearance's; here only what never moves is cut out."""
    crate = Obstacle(1, box_at(500, 500, 80, 80), dynamic=True, mass_kg=60.0)
    put = walk_surface([YARD], [crate]).project(500.0, 500.0, 5.0)
    assert put is not None
    assert put.shift_cm == 0.0


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_nowhere(bad: float) -> None:
    """LOC-07 a: never a place, never an exception, in the batch as alone."""
    surface = walk_surface([YARD])
    assert surface.project(bad, 500.0, 50.0) is None
    assert surface.project(500.0, bad, 50.0) is None
    ground = surface.ground_inside(np.array([bad, 500.0, 500.0]), np.array([500.0, bad, 500.0]))
    assert np.isnan(ground).tolist() == [[True, True, False]] * 2


def test_far_outside_the_map_is_nowhere() -> None:
    """LOC-07 a: also beyond all tiles."""
    surface = walk_surface([YARD])
    assert surface.project(-5000.0, 500.0, 50.0) is None
    assert np.isnan(surface.ground_inside(np.array([-5000.0, 9e9]), np.full(2, 500.0))).all()
    assert walk_surface([]).project(0.0, 0.0, 50.0) is None


footprints = st.lists(
    st.one_of(
        st.builds(
            box_at,
            st.integers(0, 2600),
            st.integers(0, 1200),
            st.integers(10, 500),
            st.integers(10, 200),
            st.sampled_from([0.0, 90.0, 37.0, -12.5]),
        ),
        st.builds(Circle, st.integers(0, 2600), st.integers(0, 1200), st.integers(5, 90)),
    ),
    max_size=6,
)
STREET = [
    ground("pavement", 0, 0, 2600, 1200, 15.0),
    ground("road", 0, 500, 2600, 800),
    ground("crossing", 1900, 500, 2200, 800),
]


@settings(max_examples=40, deadline=None)
@given(footprints, st.integers(0, 2**31))
@example([Circle(1, 0, 5)], 5)
def test_a_point_is_on_the_surface_if_a_body_there_touches_nothing(
    things: list[Footprint], seed: int
) -> None:
    """LOC-07 a: 30 cm from everything static is on it, 27.9 and less is not.

    In a notch, as between a post and a wall, ``DENT_CM`` more may be kept.
    """
    surface = walk_surface(STREET, things)
    shapes = [as_shape(thing) for thing in things]
    walls = shapely.union_all([*shapes, shapely.boundary(shapely.box(0, 0, 2600, 1200))])
    points = np.random.default_rng(seed).uniform((30, 30), (2570, 1170), (200, 2))
    free = shapely.distance(shapely.points(points), walls)
    for (x, y), distance in zip(points.tolist(), free.tolist(), strict=True):
        put = surface.project(x, y, 5.0)
        on = put is not None and put.shift_cm == 0.0
        # The inner polygon of a circle of 90 cm is up to 1.8 cm smaller.
        if distance >= 30.0 + DENT_CM:
            assert on
        elif distance >= 30.0:
            assert put is not None
            assert put.shift_cm <= DENT_CM
        elif distance < 30.0 - 0.3 - 1.8:
            assert not on


@settings(max_examples=40, deadline=None)
@given(footprints, st.integers(0, 2**31), st.sampled_from([0.0, 5.0, 30.0, 50.0]))
def test_projection_is_idempotent_and_keeps_to_its_shift(
    things: list[Footprint], seed: int, max_shift: float
) -> None:
    """LOC-07 a: what has been put onto the surface stays where it is."""
    surface = walk_surface(STREET, things)
    for x, y in np.random.default_rng(seed).uniform((-60, -60), (2660, 1260), (150, 2)).tolist():
        put = surface.project(x, y, max_shift)
        if put is None:
            continue
        assert put.shift_cm <= max_shift + 0.01
        assert math.dist((x, y), (put.x, put.y)) == pytest.approx(put.shift_cm, abs=1e-9)
        again = surface.project(put.x, put.y, 0.0)
        assert again is not None
        assert (again.x, again.y, again.shift_cm) == (put.x, put.y, 0.0)


@pytest.mark.parametrize("batch", [12, 300])
@settings(max_examples=40, deadline=None)
@given(footprints, st.integers(0, 2**31))
def test_the_batch_agrees_with_the_single_point(
    batch: int, things: list[Footprint], seed: int
) -> None:
    """LOC-16: few or many, the same height wherever a point lies on the ground."""
    surface = walk_surface(STREET, things)
    points = np.random.default_rng(seed).uniform((-60, -60), (2660, 1260), (300, 2))
    x, y = points[:, 0].copy(), points[:, 1].copy()
    heights = np.concatenate(
        [
            surface.ground_inside(x[first : first + batch], y[first : first + batch])[0]
            for first in range(0, len(x), batch)
        ]
    )
    left_open = 0
    for px, py, height in zip(x.tolist(), y.tolist(), heights.tolist(), strict=True):
        put = surface.project(px, py, 0.0)
        if math.isnan(height):
            left_open += put is not None
        else:
            assert put is not None
            assert (put.x, put.y, put.z, put.shift_cm) == (px, py, height, 0.0)
    # A point that is off the ground by less than its grid counts as on it, but is seldom hit.
    assert left_open <= 2


def test_where_heights_meet_the_point_is_asked_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """LOC-16, NAV-27: on a kerb's own line the batch leaves open which ground it is."""
    monkeypatch.setattr(mesh_surface, "FEW", 0)
    surface = walk_surface(
        [ground("pavement", 0, 0, 1000, 1000, 12.0), ground("road", 400, 0, 600, 1000, 0.0)]
    )
    x = np.array([399.0, 400.0, 401.0])
    heights, _ = surface.ground_inside(x, np.full(3, 511.0))
    assert heights.tolist()[::2] == [12.0, 0.0]
    assert np.isnan(heights[1])


@pytest.mark.parametrize("few", [0, 12])
def test_a_rebuilt_tile_answers_with_its_new_ground(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NAV-26, LOC-16: the batch knows of a parked car as soon as the single point does."""
    monkeypatch.setattr(mesh_surface, "FEW", few)
    shapes = ChangingShapes([ground("plaza", 0, 0, 4000, 4000)])
    surface = MeshSurface(map_shapes(shapes))
    shapes.put(rect(1400, 1000, 1600, 1300))
    x, y = np.array([1375.0, 1365.0]), np.array([1150.0, 1150.0])
    assert not np.isnan(surface.ground_inside(x, y)[0]).any()
    rebuild(surface)
    assert np.isnan(surface.ground_inside(x, y)[0]).tolist() == [True, False]


@settings(max_examples=30, deadline=None)
@given(footprints)
def test_the_walk_graph_lies_on_the_surface(things: list[Footprint]) -> None:
    """NAV-26, LOC-07 a: every corner of every path can be stood on."""
    surface = walk_surface(STREET, things)
    for polygon in shapely.get_parts(graph_area(walk_graph(STREET, things))):
        for ring in (polygon.exterior, *polygon.interiors):
            for x, y in ring.coords:
                put = surface.project(x, y, 0.0)
                assert put is not None
                assert put.shift_cm == 0.0


def rebuild(surface: MeshSurface) -> int:
    pieces = 0
    while surface.advance_rebuild():
        pieces += 1
        assert pieces < 100
    return pieces


def test_a_parked_car_takes_its_ground_away_tile_by_tile() -> None:
    """NAV-26: one tile a call; what moves makes no work at all."""
    shapes = ChangingShapes([ground("plaza", 0, 0, 4000, 4000)])
    surface = MeshSurface(map_shapes(shapes))
    assert rebuild(surface) == 0
    shapes.put(Obstacle(1, box_at(1000, 1000, 80, 80), dynamic=True, mass_kg=60.0))
    assert rebuild(surface) == 0
    car = shapes.put(rect(1400, 1000, 1600, 1300))
    assert surface.project(1500.0, 1150.0, 5.0) is not None
    assert rebuild(surface) == 2
    assert surface.project(1500.0, 1150.0, 5.0) is None
    shapes.take(car)
    assert rebuild(surface) == 2
    assert surface.project(1500.0, 1150.0, 5.0) == GroundPoint(1500, 1150, 0.0, 1.0, 0.0, "plaza")


def test_a_triangle_of_ground_keeps_its_shape() -> None:
    """LOC-07 a: also where the surface's edge is not upright."""
    wedge = Polygon(((0, 0), (1000, 0), (0, 1000)))
    surface = MeshSurface(map_shapes(ChangingShapes([YARD._replace(outline=wedge)])))
    inner = 500.0 - 30.0 / math.sqrt(2.0)
    put = surface.project(inner + 2.0, inner + 2.0, 5.0)
    assert put is not None
    assert put.shift_cm == pytest.approx(2.0 * math.sqrt(2.0), abs=0.002)
