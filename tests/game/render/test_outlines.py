"""Convex hulls of the picture, with and without rounding."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from game.render.outlines import convex_hull, disc_hull, disc_hulls, grown_hull, unit_circle

pixels = st.tuples(
    st.floats(-60.0, 60.0).map(lambda px: round(px, 2)), st.integers(-60, 60).map(float)
)


@given(st.lists(pixels, min_size=1, max_size=30), st.sampled_from([0.5, 2.0, 7.25]))
def test_a_hull_grows_by_the_same_ten_cornered_disc_everywhere(
    points: list[tuple[float, float]], grow: float
) -> None:
    """Art and feel 3: the ink edge. As if the disc were put on every point; also in one line."""
    everywhere = [(x + grow * dx, y + grow * dy) for x, y in points for dx, dy in unit_circle(10)]
    wanted = shapely.Polygon(convex_hull(everywhere))
    grown = shapely.Polygon(grown_hull(points, grow))
    assert grown.is_valid
    assert shapely.symmetric_difference(grown, wanted).area <= 1e-9 * wanted.area


def test_a_square_grows_to_fourteen_corners() -> None:
    """Ten of the disc, two of which lie on sides of the square, and four more of the square."""
    hull = grown_hull([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)], 1.0)
    assert (11.0, 0.0) in hull
    assert (11.0, 10.0) in hull
    assert len(hull) == 14


discs = st.tuples(st.integers(-60, 60), st.integers(-60, 60), st.integers(0, 30))


@given(st.lists(discs, min_size=1, max_size=8))
def test_hulls_of_grown_discs_are_those_of_larger_discs(found: list[tuple[int, int, int]]) -> None:
    """Growing all discs alike is the same as the hull of discs that much larger."""
    given_discs = np.array(found, dtype=float)
    larger = given_discs + np.array((0.0, 0.0, 2.5))
    grown, as_they_are = disc_hulls(given_discs, (2.5, 0.0))
    assert np.array(grown) == pytest.approx(np.array(disc_hull(larger)))
    assert as_they_are == disc_hull(given_discs)
