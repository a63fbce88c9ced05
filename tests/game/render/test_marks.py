"""Marks on the ground: the dotted way of an order."""

from __future__ import annotations

import pytest

from ai.ports import Vec3
from game.render.marks import dots_along
from game.render.projection import Projection

STRAIGHT_DOWN = Projection(0.0, 0.0, 90.0, 1.0, 400, 400)


def test_dots_lie_at_even_distances_from_the_goal_and_none_under_the_feet() -> None:
    """Every 30 of 160 cm from the end: 130, 100, 70, 40; 10 is within the ring of 34."""
    way = (Vec3(0.0, 0.0), Vec3(160.0, 0.0))
    dots = [STRAIGHT_DOWN.to_ground(*point)[0] for point in dots_along(way, 30.0, STRAIGHT_DOWN)]
    assert dots == pytest.approx([130.0, 100.0, 70.0, 40.0])


def test_dots_go_on_round_a_corner_in_the_same_distance() -> None:
    """60 back from the goal are 40 along the last leg and 20 round the corner."""
    way = (Vec3(0.0, 0.0), Vec3(100.0, 0.0), Vec3(100.0, 40.0))
    dots = [STRAIGHT_DOWN.to_ground(*point) for point in dots_along(way, 30.0, STRAIGHT_DOWN)]
    assert [axis for point in dots for axis in point] == pytest.approx(
        [100.0, 10.0, 80.0, 0.0, 50.0, 0.0]
    )


def test_dots_lie_still_while_the_ped_walks() -> None:
    """Counted from the goal backwards, those that are left stay where they were."""
    goal = Vec3(160.0, 0.0)
    before = dots_along((Vec3(0.0, 0.0), goal), 30.0, STRAIGHT_DOWN)
    after = dots_along((Vec3(55.0, 0.0), goal), 30.0, STRAIGHT_DOWN)
    assert len(after) < len(before)
    for still, was in zip(after, before, strict=False):
        assert still == pytest.approx(was)
