"""Who stands in front of whom, beside things that are more than a point."""

from __future__ import annotations

import itertools
import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from game.render.depth import Base, DepthOrder
from tests.game.render.doubles import ball, rectangle, thing


def key(order: DepthOrder, x: float, y: float) -> float:
    return float(order.keys_of(np.array([[x, y]]))[0])


def test_small_things_sort_by_their_ground_point() -> None:
    order = DepthOrder([thing("bin", 0.0, 100.0, ball(26.0)), thing("cone", 0.0, 50.0, ball(20.0))])
    assert order.keys == [100.0, 50.0]
    assert key(order, 10.0, 75.0) == 75.0


def test_beside_a_slanting_car_the_outline_decides_not_its_middle() -> None:
    """A car at 45 degrees: its front edge at x 100 lies far below its middle."""
    car = thing("car", 0.0, 0.0, rectangle(440.0, 180.0), yaw=math.radians(45.0))
    order = DepthOrder([car])
    base = Base.of(car)
    assert base.front(100.0) > 150.0
    assert key(order, 100.0, 150.0) < order.keys[0]
    assert key(order, 100.0, base.front(100.0) + 1.0) > order.keys[0]
    assert base.front(-150.0) < 20.0
    assert key(order, -150.0, 25.0) > order.keys[0]


@given(st.floats(-199.0, 199.0), st.floats(-300.0, 300.0), st.floats(-math.pi, math.pi))
def test_a_ped_is_in_front_exactly_when_it_is_below_the_outline(
    x: float, y: float, yaw: float
) -> None:
    """Art-and-feel section 3, for one long thing in any direction."""
    car = thing("car", 0.0, 0.0, rectangle(440.0, 180.0), yaw=yaw)
    order = DepthOrder([car])
    base = Base.of(car)
    if base.x_min < x < base.x_max:
        assert (key(order, x, y) > order.keys[0]) == (y > base.front(x))


def test_far_from_a_long_thing_only_y_counts() -> None:
    order = DepthOrder([thing("wall", 0.0, 0.0, rectangle(400.0, 20.0))])
    assert key(order, 900.0, -50.0) == -50.0
    assert key(order, 900.0, 50.0) == 50.0


def test_of_two_long_things_the_one_lower_down_the_map_is_in_front() -> None:
    """A long slanting wall whose middle is higher up still covers what stands behind its end."""
    wall = thing("wall", 0.0, 0.0, rectangle(1200.0, 20.0), yaw=math.radians(40.0))
    behind = thing("car", 400.0, 100.0, rectangle(180.0, 90.0))
    for things in ([wall, behind], [behind, wall]):
        keys = dict(zip([one.shape.kind for one in things], DepthOrder(things).keys, strict=True))
        assert keys["wall"] > keys["car"]


def test_what_stands_before_a_raised_thing_is_raised_with_it() -> None:
    """The wall is raised over the car behind its end; the second wall, before the first, as well.

    Raising goes on until nothing moves: in whichever order the three are given.
    """
    wall = thing("wall", 0.0, 0.0, rectangle(1200.0, 20.0), yaw=math.radians(40.0))
    behind = thing("car", 400.0, 100.0, rectangle(180.0, 90.0))
    before = thing("building", -350.0, 20.0, rectangle(150.0, 60.0), 300.0)
    for things in itertools.permutations([wall, behind, before]):
        keys = dict(zip([one.shape.kind for one in things], DepthOrder(things).keys, strict=True))
        assert keys["car"] < keys["wall"] < keys["building"]


def test_who_is_behind_a_building_is_known() -> None:
    order = DepthOrder([thing("building", 0.0, 0.0, rectangle(800.0, 400.0), 900.0)])
    assert order.behind(100.0, -250.0) == [0]
    assert order.behind(100.0, 250.0) == []
    assert order.behind(500.0, -250.0) == []


def test_nothing_at_all_can_be_ordered() -> None:
    assert DepthOrder([]).keys == []
    assert DepthOrder([]).keys_of(np.zeros((0, 4))).tolist() == []
