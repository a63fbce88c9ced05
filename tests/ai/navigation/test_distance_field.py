"""The baked distance field: quick, and never too free."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.navigation.distance_field import CAP_CM, DistanceField
from ai.ports import Circle, Footprint, Obstacle, Polygon
from tests.ai.navigation.maps import ChangingShapes, as_shape, box_at, ground, rect

YARD = ground("plaza", 0, 0, 2000, 1500)


def at(field: DistanceField, x: float, y: float) -> float:
    return float(field.distance(np.array([x]), np.array([y]))[0])


def test_grid_points_have_the_exact_distance() -> None:
    """LOC-19: to sides, to corners, to circles; 0 inside; no more than 300."""
    field = DistanceField(ChangingShapes([YARD], [rect(500, 500, 600, 700), Circle(1500, 500, 40)]))
    assert at(field, 400, 600) == 100.0
    assert at(field, 425, 400) == pytest.approx(math.hypot(75, 100))
    assert at(field, 550, 600) == 0.0
    assert at(field, 1500, 600) == pytest.approx(60.0)
    assert at(field, 1500, 500) == 0.0
    assert at(field, 1000, 1200) == CAP_CM


def test_between_grid_points_it_is_interpolated() -> None:
    """LOC-19: bilinear."""
    field = DistanceField(ChangingShapes([YARD], [rect(500, -500, 600, 2000)]))
    assert at(field, 610, 703) == pytest.approx(10.0)
    assert at(field, 637.5, 712.5) == pytest.approx(37.5)


def test_40_cm_and_more_are_clear_for_a_body_and_less_is_asked_exactly() -> None:
    """LOC-19: where it says 40 cm or more the point is clear."""
    field = DistanceField(ChangingShapes([YARD], [rect(500, -500, 600, 2000)]))
    x = np.array([639.0, 640.0, 700.0, 480.0, 550.0])
    assert field.clear_mask(x, np.full(5, 700.0), 30.0).tolist() == [
        False,
        True,
        True,
        False,
        False,
    ]
    assert field.clear_mask(np.array([659.0, 661.0]), np.full(2, 700.0), 50.0).tolist() == [
        False,
        True,
    ]
    assert field.clear_mask(np.array([639.0, 641.0]), np.full(2, 700.0), 5.0).tolist() == [
        False,
        True,
    ]
    assert not field.clear_mask(np.array([1000.0]), np.array([700.0]), 295.0).any()


def test_off_the_map_and_no_number_are_never_clear() -> None:
    """LOC-19: False means ask exactly."""
    field = DistanceField(ChangingShapes([YARD]))
    x = np.array([-1.0, 2026.0, math.nan, 1000.0, math.inf])
    y = np.array([700.0, 700.0, 700.0, math.nan, 700.0])
    assert not field.clear_mask(x, y, 30.0).any()


def test_props_are_not_in_it_but_everything_static_is() -> None:
    """LOC-19, NAV-25: static obstacles only, also those that the graph ignores."""
    crate = Obstacle(1, box_at(500, 500, 80, 80), dynamic=True, mass_kg=60.0)
    bollard = Obstacle(2, Circle(1000, 500, 15), nav_block=False)
    field = DistanceField(ChangingShapes([YARD], [crate, bollard]))
    assert at(field, 500, 500) == CAP_CM
    assert at(field, 1000, 500) == 0.0


things = st.one_of(
    st.builds(
        box_at,
        st.integers(-100, 2100),
        st.integers(-100, 1600),
        st.integers(5, 500),
        st.integers(5, 200),
        st.sampled_from([0.0, 90.0, 37.0, -12.5]),
    ),
    st.builds(Circle, st.integers(-100, 2100), st.integers(-100, 1600), st.integers(3, 90)),
    st.builds(
        lambda x, y: Polygon(
            ((x, y), (x + 300, y), (x + 300, y + 40), (x + 40, y + 40), (x + 40, y + 300))
        ),
        st.integers(0, 1700),
        st.integers(0, 1200),
    ),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(things, max_size=8), st.integers(0, 2**31))
def test_it_is_never_free_where_the_exact_test_says_blocked(
    footprints: list[Footprint], seed: int
) -> None:
    """LOC-19: 10,000 random points on random maps, for bodies of 30 cm and others."""
    field = DistanceField(ChangingShapes([YARD], footprints))
    points = np.random.default_rng(seed).uniform((0, 0), (2000, 1500), (10_000, 2))
    shapes = shapely.union_all([as_shape(footprint) for footprint in footprints])
    exact = (
        np.full(len(points), math.inf)
        if shapely.is_empty(shapes)
        else shapely.distance(shapely.points(points), shapes)
    )
    for radius in (30.0, 10.0, 60.0):
        clear = field.clear_mask(points[:, 0], points[:, 1], radius)
        assert not np.any(clear & (exact < radius))
        # And it does not call what is far off near: 18 cm are half a cell's diagonal.
        assert np.all(clear | (exact < max(radius, 30.0) + 10.0 + 18.0))


@settings(max_examples=25, deadline=None)
@given(st.lists(things, max_size=5), st.lists(things, max_size=5))
def test_a_field_that_followed_changes_equals_one_made_anew(
    first: list[Footprint], second: list[Footprint]
) -> None:
    """LOC-19: updated rectangle by rectangle, before the next answer."""
    shapes = ChangingShapes([YARD], first)
    field = DistanceField(shapes)
    for obstacle in list(shapes.obstacles())[::2]:
        shapes.take(obstacle.object_id)
    for footprint in second:
        shapes.put(Obstacle(100 + len(shapes.obstacles()), footprint))
    x, y = np.meshgrid(np.arange(0.0, 2001.0, 25.0), np.arange(0.0, 1501.0, 25.0))
    anew = DistanceField(ChangingShapes([YARD], list(shapes.obstacles())))
    x, y = x.ravel(), y.ravel()
    np.testing.assert_array_equal(field.distance(x, y), anew.distance(x, y))
