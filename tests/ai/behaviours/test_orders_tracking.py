"""Orders that follow a moving object (ORD-20, NAV-24, LVL-28)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ai.behaviours.order_commands import RedirectOrder, StartOrder
from ai.behaviours.order_record import OrderStatus
from ai.motion.movement_table import ClipPhase, MoveReason, MoveStatus
from ai.ports import Vec3
from game.world.description import LevelDescription
from tests.ai.behaviours.courier import Courier, until_status
from tests.streets import CAR_OFFSET, car, courier_street, pavement, perform, until


def long_street(length_cm: float = 4000.0) -> LevelDescription:
    """The courier at (200, 600); car A's side is its right-hand one; car B stands far off."""
    cars = (car(20, "car_a", 1200.0, 600.0), car(21, "car_b", 500.0, 300.0, math.pi / 2))
    street = courier_street(vehicles=cars, surfaces=(pavement(1600.0, length_cm),))
    return replace(street, width_cm=1600.0, height_cm=length_cm)


class Follower(Courier):
    """A courier under a tracked order to car A."""

    def __init__(self, length_cm: float = 4000.0, *, period: int = 1) -> None:
        super().__init__(long_street(length_cm), period=period)

    def follow(self) -> None:
        command = StartOrder(self.ped.ref, self.car_a, CAR_OFFSET, self.source, track=True)
        assert perform(self.world, command).accepted

    def drive(self, speed_cm_s: float, distance_cm: float) -> None:
        """Car A down the map, the way its front looks."""
        assert self.world.vehicle_moves.start(
            self.car_a, Vec3(1200.0, self.car_y + distance_cm), speed_cm_s
        )

    @property
    def car_y(self) -> float:
        pose = self.world.things.transform(self.car_a)
        assert pose is not None
        return pose.position.y

    @property
    def side(self) -> Vec3:
        """The point beside car A as it stands, by hand."""
        return Vec3(1000.0, self.car_y)


def test_a_car_that_drives_and_stops_is_met_at_its_last_side() -> None:
    """ORD-20, LVL-28: 60 cm/s for 5 s, then it stops: within 15 cm of the final side point.

    Session 1, instruction 1, at most 10 retargets in the 5 s.
    """
    follower = Follower()
    follower.follow()
    follower.step(2)
    follower.drive(60.0, 300.0)
    follower.step(300)
    assert 1 <= follower.order.resample_count <= 10
    until_status(follower, OrderStatus.COMPLETED)
    assert follower.car_y == pytest.approx(900.0)
    assert math.dist(follower.ped.position, follower.side) <= 15.0
    assert follower.counts()[:3] == (1, 1, 0)
    assert follower.order.goal == pytest.approx(follower.side)


def test_it_keeps_walking_across_retargets() -> None:
    """NAV-24: no stop and no clip reset across five retargets; each is one generation."""
    follower = Follower()
    follower.follow()
    until(follower.world, lambda: follower.movement.clip.phase is ClipPhase.LOOP)
    follower.drive(100.0, 1500.0)
    sequence, generation = follower.movement.clip.clip_seq, follower.movement.generation
    while follower.order.resample_count < 5:
        before = follower.ped.position
        follower.step()
        assert follower.ped.position != before
        assert follower.movement.status is MoveStatus.WALKING
    assert follower.movement.clip.clip_seq == sequence
    assert follower.movement.generation == generation + 5


def test_the_goal_leads_a_car_that_moves_fast_enough() -> None:
    """ORD-20: 0.25 s x velocity ahead above 30 cm/s; a slow one is gone to where it is."""
    follower = Follower()
    follower.follow()
    follower.step(2)
    follower.drive(120.0, 1000.0)
    until(follower.world, lambda: follower.order.resample_count == 1)
    assert follower.order.goal.y == pytest.approx(follower.car_y + 30.0)
    assert follower.movement.goal == follower.order.goal
    slow = Follower()
    slow.follow()
    slow.step(2)
    slow.drive(29.0, 1000.0)
    until(slow.world, lambda: slow.order.resample_count == 1)
    assert slow.order.goal.y == pytest.approx(slow.car_y)


def test_nobody_arrives_at_a_car_that_moves_on() -> None:
    """ORD-20: ARRIVED needs a speed of at most 10 cm/s; until then the ped keeps following."""
    follower = Follower(6000.0)
    follower.follow()
    follower.step(420)
    follower.drive(40.0, 1600.0)
    until(follower.world, lambda: math.dist(follower.ped.position, follower.side) < 80.0)
    for _ in range(1200):
        follower.step()
        assert follower.status is OrderStatus.TRAVELLING
        assert math.dist(follower.ped.position, follower.side) < 120.0
    until_status(follower, OrderStatus.COMPLETED)
    assert math.dist(follower.ped.position, follower.side) <= 15.0


def test_a_held_ped_is_not_led_on_and_samples_when_told_to_continue() -> None:
    """ORD-20: sampling pauses while held; Continue samples at once, the hold flag is untouched."""
    follower = Follower()
    follower.follow()
    follower.step(60)
    assert follower.hold().accepted
    follower.drive(60.0, 300.0)
    generation = follower.movement.generation
    follower.step(360)
    assert follower.order.goal == pytest.approx(Vec3(1000.0, 600.0))
    assert (follower.order.resample_count, follower.movement.generation) == (0, generation)
    assert follower.movement.command_hold
    assert follower.go_on().accepted
    assert follower.order.goal == pytest.approx(follower.side)
    assert follower.movement.goal == follower.order.goal
    assert follower.order.resample_count == 1
    until_status(follower, OrderStatus.COMPLETED)
    assert math.dist(follower.ped.position, follower.side) <= 15.0


def test_a_retarget_leaves_the_hold_flag_alone() -> None:
    """ORD-20, section 12 (39): session 1, instruction 1."""
    follower = Follower()
    follower.follow()
    follower.step(30)
    follower.movement.hold()
    follower.drive(100.0, 300.0)
    follower.step(120)
    assert follower.order.resample_count >= 1
    assert follower.movement.command_hold
    assert follower.counts()[:3] == (1, 1, 0)


def test_a_fall_pauses_sampling_and_the_first_query_after_it_has_the_new_goal() -> None:
    """ORD-20, ORD-19: resume samples at once, before any new query."""
    follower = Follower()
    follower.follow()
    follower.step(60)
    follower.fall()
    follower.drive(100.0, 300.0)
    follower.step(240)
    assert follower.order.resample_count == 0
    follower.get_up()
    follower.step(3)
    assert follower.movement.path[-1] == pytest.approx(follower.side)
    assert follower.order.resample_count == 1
    until_status(follower, OrderStatus.COMPLETED)


def test_a_response_that_took_the_record_is_followed_by_the_new_goal() -> None:
    """ORD-20, ORD-19 b: the order's own request after a flee is for where the car is now."""
    follower = Follower()
    follower.follow()
    follower.step(60)
    follower.respond()
    follower.step(2)
    owner = follower.movement.owner
    assert owner is not None
    follower.movement.request_goal(
        Vec3(300.0, 300.0), follower.movement.speed_mode, replace(owner, tag=99)
    )
    follower.drive(100.0, 300.0)
    follower.step(240)
    follower.clear(2)
    follower.clear(1)
    until(follower.world, lambda: follower.movement.owner == owner, 10)
    assert follower.movement.goal == pytest.approx(follower.side)


@pytest.mark.parametrize("held", [False, True], ids=["travelling", "held"])
def test_a_car_that_goes_is_a_failure_of_the_order(held: bool) -> None:
    """ORD-20: movement cancelled, failure 1, TARGET_GONE, AWAITING_DECISION; counted once."""
    follower = Follower()
    follower.follow()
    follower.step(60)
    if held:
        assert follower.hold().accepted
    assert follower.world.things.request_removal(follower.car_a)
    follower.step()
    order = follower.order
    assert order.status is OrderStatus.AWAITING_DECISION
    assert (order.failure_count, order.last_failure) == (1, MoveReason.TARGET_GONE)
    assert follower.movement.status is MoveStatus.CANCELLED
    follower.step(60)
    assert follower.order.failure_count == 1
    assert follower.redirect().accepted
    until_status(follower, OrderStatus.COMPLETED)


def test_an_untracked_order_goes_to_where_the_car_was() -> None:
    """ORD-09, ORD-18, section 12 (38): no goal follows unasked, and a car may go."""
    courier = Courier(long_street())
    courier.travel()
    assert courier.world.vehicle_moves.start(courier.car_a, Vec3(1200.0, 1500.0), 100.0)
    courier.step(120)
    assert courier.order.goal == pytest.approx(Vec3(1000.0, 600.0))
    assert courier.world.things.request_removal(courier.car_a)
    until_status(courier, OrderStatus.COMPLETED)
    assert courier.order.resample_count == 0


def test_a_car_that_is_too_fast_cannot_be_caught() -> None:
    """ORD-20: at 200 cm/s no closing by 100 cm within 30 s: FAILED, CANNOT_CATCH."""
    follower = Follower(9000.0)
    follower.follow()
    follower.step(2)
    follower.drive(200.0, 8000.0)
    taken = until_status(follower, OrderStatus.AWAITING_DECISION, 2400)
    assert follower.order.last_failure is MoveReason.CANNOT_CATCH
    assert follower.order.failure_count == 1
    assert taken >= 1800


def test_a_redirect_may_follow_too() -> None:
    """ORD-12, ORD-20: the same session; the pursuit begins anew."""
    follower = Follower()
    follower.travel()
    command = RedirectOrder(follower.ped.ref, 1, follower.car_a, CAR_OFFSET, track=True)
    assert perform(follower.world, command).accepted
    follower.drive(80.0, 400.0)
    until_status(follower, OrderStatus.COMPLETED)
    assert follower.counts()[:3] == (1, 2, 0)
    assert math.dist(follower.ped.position, follower.side) <= 15.0


def test_sliced_minds_follow_as_well() -> None:
    """ORD-20, LVL-32: passes run every step, whatever the period of the mind."""
    follower = Follower(period=15)
    follower.follow()
    follower.step(20)
    follower.drive(60.0, 300.0)
    until_status(follower, OrderStatus.COMPLETED)
    assert math.dist(follower.ped.position, follower.side) <= 15.0
