"""The one projection: numbers by hand, its inverse, its batch, its depth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.render.projection import Projection

coordinates = st.floats(-1e5, 1e5)
views = st.builds(
    Projection,
    centre_x=coordinates,
    centre_y=coordinates,
    pitch_deg=st.floats(35.0, 90.0),
    zoom=st.floats(0.25, 1.8),
    width=st.integers(100, 4000),
    height=st.integers(100, 4000),
)


def test_straight_down_heights_do_not_show() -> None:
    """Pitch 90: (100, 50) is 50 px right of and 25 px below the middle at 0.5 px/cm."""
    view = Projection(0.0, 0.0, 90.0, 0.5, 200, 100)
    assert view.to_screen(100.0, 50.0, 30.0) == pytest.approx((150.0, 75.0))


def test_tilted_the_ground_shortens_and_heights_rise() -> None:
    """Pitch 60: y 20 counts 20 sin 60 = 17.3205, height 40 counts 40 cos 60 = 20; times 2 px/cm."""
    view = Projection(0.0, 0.0, 60.0, 2.0, 100, 100)
    x, y = view.to_screen(10.0, 20.0, 40.0)
    assert x == pytest.approx(70.0)
    assert y == pytest.approx(50.0 + 2.0 * (17.320508 - 20.0))


def test_the_centre_is_in_the_middle() -> None:
    view = Projection(321.0, -50.0, 55.0, 0.6, 1280, 720)
    assert view.to_screen(321.0, -50.0) == pytest.approx((640.0, 360.0))


def test_depth_grows_down_the_map_and_upwards() -> None:
    """Pitch 60: y 20 cos 60 + z 40 sin 60 = 10 + 34.641 (art-and-feel section 3)."""
    assert Projection(0.0, 0.0, 60.0).depth(20.0, 40.0) == pytest.approx(44.641016)


@given(view=views, x=coordinates, y=coordinates, z=st.floats(0.0, 1000.0))
def test_the_ground_point_under_a_projected_point_is_the_point(
    view: Projection, x: float, y: float, z: float
) -> None:
    back = view.to_ground(*view.to_screen(x, y, z), z)
    assert back == pytest.approx((x, y), abs=1e-4)


@given(view=views, points=st.lists(st.tuples(coordinates, coordinates, coordinates), max_size=8))
def test_many_points_at_once_are_where_single_ones_are(
    view: Projection, points: list[tuple[float, float, float]]
) -> None:
    batch = view.to_screen_batch(np.array(points).reshape(-1, 3))
    assert batch.tolist() == [list(view.to_screen(*point)) for point in points]


@given(view=views)
def test_a_snapped_view_has_the_origin_on_a_whole_pixel(view: Projection) -> None:
    """Ground and things round alike, so nothing shimmers while the camera moves."""
    snapped = view.snapped()
    x, y = snapped.to_screen(0.0, 0.0)
    assert x - round(x) == pytest.approx(0.0, abs=1e-6)
    assert y - round(y) == pytest.approx(0.0, abs=1e-6)
    moved = view.to_screen(snapped.centre_x, snapped.centre_y)
    assert math.dist(moved, (view.width / 2, view.height / 2)) <= math.sqrt(0.5) + 1e-6


def test_the_visible_ground_is_what_the_corners_see() -> None:
    """640 x 360 px at 0.5 px/cm, straight down: 1280 x 720 cm about the centre, and the margin."""
    bounds = Projection(100.0, 200.0, 90.0, 0.5, 640, 360).visible_ground(10.0)
    assert bounds == pytest.approx((-550.0, -170.0, 750.0, 570.0))


@pytest.mark.parametrize("pitch_deg", [34.9, 90.1, math.nan])
def test_other_pitches_are_refused(pitch_deg: float) -> None:
    with pytest.raises(ValueError, match="pitch must be 35 to 90"):
        Projection(0.0, 0.0, pitch_deg)


def test_a_zoom_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="zoom must be over 0"):
        Projection(0.0, 0.0, 55.0, 0.0)
