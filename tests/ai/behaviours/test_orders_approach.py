"""Where an order leads: approach points of objects, and places on the ground."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ai.behaviours.approach import approach_point
from ai.behaviours.order_commands import Refusal
from ai.behaviours.order_record import OrderStatus
from ai.ports import ObjectTransform, Vec3
from game.world.description import ThingDescription
from tests.ai.behaviours.courier import Courier, until_status
from tests.streets import CAR_OFFSET, barrier, box, car, courier_street, pavement, person, street

ROWS = [
    ((1200.0, 600.0), 0.0, 1.0, (1000.00, 600.00)),
    ((900.0, 1300.0), 90.0, 1.0, (900.00, 1100.00)),
    ((900.0, 1300.0), 90.0, 1.5, (900.00, 1000.00)),
    ((1200.0, 600.0), 30.0, 1.2, (992.15, 480.00)),
]


@pytest.mark.parametrize(("place", "yaw_deg", "scale_x", "goal"), ROWS)
def test_the_goal_comes_through_the_whole_transform(
    place: tuple[float, float], yaw_deg: float, scale_x: float, goal: tuple[float, float]
) -> None:
    """ORD-08: the four rows to 0.01 cm, offset (-200, 0, 0)."""
    pose = ObjectTransform(
        Vec3(*place), math.radians(yaw_deg), Vec3(scale_x, 1.0, 1.0), Vec3(0.0, 0.0)
    )
    point = approach_point(pose, CAR_OFFSET)
    assert (point.x, point.y) == pytest.approx(goal, abs=0.01)


@pytest.mark.parametrize(("place", "yaw_deg", "scale_x", "goal"), ROWS)
def test_an_order_has_the_goal_of_its_car(
    place: tuple[float, float], yaw_deg: float, scale_x: float, goal: tuple[float, float]
) -> None:
    """ORD-08: the same four rows by a start, with the street car in the map."""
    one = replace(car(20, "car_a", *place, math.radians(yaw_deg)), scale=Vec3(scale_x, 1.0, 1.0))
    courier = Courier(courier_street(vehicles=(one, car(21, "car_b", 1700.0, 300.0))))
    assert courier.start().accepted
    courier.step()
    assert courier.order.goal[:2] == pytest.approx(goal, abs=0.01)
    assert courier.movement.goal == courier.order.goal


def test_height_scales_too() -> None:
    """ORD-08: goal.z = pos.z + sz * oz."""
    pose = ObjectTransform(Vec3(0.0, 0.0, 10.0), 1.0, Vec3(1.0, 1.0, 2.0), Vec3(0.0, 0.0))
    assert approach_point(pose, Vec3(0.0, 0.0, 7.0)).z == 24.0


def test_a_mirrored_object_has_its_side_on_the_other_side() -> None:
    """ORD-08: negative scale is allowed (mirrored tiles)."""
    one = replace(car(20, "car_a", 1200.0, 600.0), scale=Vec3(-1.0, 1.0, 1.0))
    courier = Courier(courier_street(vehicles=(one, car(21, "car_b", 1700.0, 1300.0))))
    assert courier.start().accepted
    assert courier.order.goal == Vec3(1400.0, 600.0)


# -- read once (ORD-09) ------------------------------------------------------------------------


def test_moving_the_car_afterwards_changes_nothing() -> None:
    """ORD-09, section 12 (38): move the car 300 cm: order.goal and generation unchanged."""
    courier = Courier()
    courier.travel()
    goal, generation = courier.order.goal, courier.movement.generation
    assert courier.world.things.place(courier.car_a, Vec3(1500.0, 600.0), 0.0)
    courier.step(30)
    assert courier.order.goal == courier.movement.goal == goal
    assert courier.movement.generation == generation
    assert courier.order.approach.transform.position == Vec3(1200.0, 600.0)


def test_a_redirect_reads_the_new_transform_afresh() -> None:
    """ORD-09: by hand: car B moved to (950, 1300), turned by 90 degrees: (950, 1100)."""
    courier = Courier()
    courier.travel()
    assert courier.world.things.place(courier.car_b, Vec3(950.0, 1300.0), math.pi / 2)
    assert courier.redirect().accepted
    assert courier.order.goal == pytest.approx(Vec3(950.0, 1100.0))


def test_a_goal_without_tracking_outlives_its_object() -> None:
    """ORD-18: a non-tracked object gone has no effect: the snapshot goal stands."""
    courier = Courier()
    courier.travel()
    assert courier.world.things.request_removal(courier.car_a)
    courier.step(2)
    assert courier.world.objects.transform(courier.car_a) is None
    until_status(courier, OrderStatus.COMPLETED)


# -- places (ORD-25) ---------------------------------------------------------------------------

EDGE = 1000.0
"""The pavement ends here; what lies beyond is roof."""


def roof_street(*obstacles: ThingDescription) -> Courier:
    return Courier(
        street(
            surfaces=(pavement(EDGE, 1600.0),),
            peds=(person(10, "courier", 200.0, 600.0),),
            vehicles=(car(20, "car_a", 700.0, 1200.0), car(21, "car_b", 300.0, 1200.0)),
            obstacles=obstacles,
        )
    )


def building() -> ThingDescription:
    """A house from the pavement's edge on, on ground of its own."""
    return replace(barrier(40, EDGE + 200.0, 600.0), kind="wall", outline=box(400.0, 800.0))


@pytest.mark.parametrize("house", [(), (building(),)], ids=["open", "house"])
@pytest.mark.parametrize(
    ("beyond_cm", "accepted"),
    [(0.0, True), (80.0, True), (99.0, True), (101.0, False), (120.0, False)],
)
def test_a_click_on_a_roof_near_the_pavement_is_put_onto_it(
    beyond_cm: float, accepted: bool, house: tuple[ThingDescription, ...]
) -> None:
    """ORD-25: walkable ground within 100 cm; 80 cm from the pavement yes, 120 cm NO_GROUND."""
    courier = roof_street(*house)
    before = courier.snapshot()
    reply = courier.start_at(EDGE + beyond_cm, 600.0)
    assert reply.accepted is accepted
    if accepted:
        assert courier.order.goal.x == pytest.approx(EDGE - 30.0, abs=0.6)
        assert courier.order.goal.y == pytest.approx(600.0)
        until_status(courier, OrderStatus.COMPLETED)
        assert math.dist(courier.ped.position, courier.order.goal) <= 15.0
    else:
        assert reply.reason is Refusal.NO_GROUND
        assert courier.snapshot() == before


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf, 1e300])
def test_a_click_on_no_place_at_all_is_no_ground(x: float) -> None:
    """ORD-25, ORD-05: numbers that are not finite never enter a record."""
    courier = roof_street()
    before = courier.snapshot()
    assert courier.start_at(x, 600.0).reason is Refusal.NO_GROUND
    assert courier.start_at(600.0, x).reason is Refusal.NO_GROUND
    assert courier.snapshot() == before


def test_a_refused_redirect_to_a_place_keeps_everything() -> None:
    """ORD-12, ORD-25: off the ground: the old goal, its marker and the path stay."""
    courier = roof_street()
    assert courier.start_at(800.0, 600.0).accepted
    courier.step(20)
    before = courier.snapshot()
    assert courier.redirect_to(EDGE + 120.0, 600.0).reason is Refusal.NO_GROUND
    assert courier.snapshot() == before


def test_an_order_to_a_place_goes_through_a_marker_with_offset_0() -> None:
    """ORD-25: a world-owned marker as the object, alive while an order refers to it."""
    courier = Courier()
    assert courier.start_at(700.0, 900.0).accepted
    approach = courier.order.approach
    assert approach.offset_local == Vec3(0.0, 0.0, 0.0)
    assert courier.world.objects.transform(approach.target) is not None
    assert courier.world.objects.marker_count == 1
    assert courier.order.goal == Vec3(700.0, 900.0)
    courier.step(5)
    assert courier.redirect_to(400.0, 900.0).accepted
    assert courier.world.objects.marker_count == 1, "the marker of the old goal is gone"
    assert courier.world.objects.transform(approach.target) is None
    assert courier.redirect().accepted
    assert courier.world.objects.marker_count == 0


def test_an_order_to_a_place_out_of_reach_is_an_ordinary_failure() -> None:
    """ORD-25: off walkable ground at run time means AWAITING_DECISION."""
    walls = [
        barrier(30, 1000.0, 500.0, 1000.0, 20.0),
        barrier(31, 1000.0, 900.0, 1000.0, 20.0),
        barrier(32, 500.0, 700.0, 20.0, 420.0),
        barrier(33, 1500.0, 700.0, 20.0, 420.0),
    ]
    courier = Courier(
        courier_street(
            obstacles=tuple(walls),
            vehicles=(car(20, "car_a", 1800.0, 300.0), car(21, "car_b", 300.0, 1300.0)),
        )
    )
    assert courier.start_at(1000.0, 700.0).accepted
    until_status(courier, OrderStatus.AWAITING_DECISION, 20)


def test_markers_before_and_after_100_orders_are_equal() -> None:
    """ORD-25: cancelled, completed, redirected and replaced orders give their markers back."""
    courier = Courier()
    world = courier.world
    before = world.objects.marker_count, len(world.sources), world.pool.used
    for number in range(100):
        x, y = courier.xy
        near = 0.0 if x < 900.0 else -60.0
        reply = courier.start_at(x + near + 20.0, y + 10.0 * (number % 3))
        assert reply.accepted
        if number % 4 == 1:
            courier.step(2)
            assert courier.redirect_to(x + 20.0, y, reply.session).accepted
        if number % 4 == 2:
            courier.step(1)
            assert courier.redirect(reply.session).accepted
        courier.step(3)
        if courier.order.live:
            assert courier.cancel(reply.session).accepted
        courier.step(2)
    courier.step(5)
    assert (world.objects.marker_count, len(world.sources), world.pool.used) == before
    assert world.movement.claims.held(courier.ped.slot) == ()
