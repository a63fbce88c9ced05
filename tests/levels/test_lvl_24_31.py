"""LVL-24, LVL-26, LVL-27, LVL-31: no goal, a threat that moves, two threats, over an order."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ai.behaviours.order_commands import StartOrderAt
from ai.behaviours.order_record import OrderStatus
from ai.behaviours.safe_checks import add_own_entry
from ai.behaviours.safe_record import SafeResponse, SafeResult, SafeState
from ai.events.notice_events import SafeResponseEvent, ScriptWithData
from ai.motion.movement_table import MoveReason, MoveStatus
from ai.navigation.flee_points import FleeRefused
from ai.peds.ped import Ped
from ai.ports import EntityRef, Vec3
from ai.tasks.trees import PRIMARY, PrimarySlot
from game import Sandbox
from game.world.world import World
from tests.levels.runs import COURIER, shipped
from tests.streets import barrier, pavement, ped_named, person, steps, street, until

SAFE = 650.0


def open_street() -> World:
    """40 x 40 m without anything, and the courier in the middle of its west side."""
    made = street(peds=(person(10, COURIER, 800.0, 2000.0),), surfaces=(pavement(4000.0, 4000.0),))
    return World(replace(made, width_cm=4000.0, height_cm=4000.0), strict=True)


def running_from(world: World, spot: Vec3 | EntityRef) -> tuple[Ped, SafeResponse]:
    ped = ped_named(world)
    record = world.safe.flee_from(ped, (spot,), SAFE)
    assert isinstance(record, SafeResponse)
    world.step()
    assert record.state is SafeState.ACTIVE
    return ped, record


def gap(ped: Ped, at: Vec3) -> float:
    return math.hypot(ped.position.x - at.x, ped.position.y - at.y)


# -- LVL-24 --------------------------------------------------------------------------------


def yard() -> World:
    """A closed yard of 500 x 500 cm, and a car in it to be sent to."""
    walls = tuple(
        barrier(40 + n, x, y, width, height)
        for n, (x, y, width, height) in enumerate(
            ((500.0, 240.0, 540.0, 20.0), (500.0, 760.0, 540.0, 20.0),
             (240.0, 500.0, 20.0, 540.0), (760.0, 500.0, 20.0, 540.0))
        )
    )  # fmt: skip
    made = street(peds=(person(10, COURIER, 350.0, 600.0),), obstacles=walls)
    return World(made, strict=True)


@pytest.mark.parametrize("is_perceived", [False, True])
def test_in_a_closed_yard_there_is_nowhere_to_flee_to(is_perceived: bool) -> None:
    """LVL-24: refused; no record, start_count 0; order, failures and goal as before."""
    world = yard()
    ped = ped_named(world)
    fire = Vec3(600.0, 600.0)
    assert world.orders.perform(_to(world, ped, Vec3(650.0, 350.0))).accepted
    until(world, lambda: ped.order.status is OrderStatus.TRAVELLING)
    generation, goal = ped.movement.generation, ped.movement.goal
    if is_perceived:
        ped.events.add_event(SafeResponseEvent({}, world.objects.create_marker(fire), tag=5))
        add_own_entry(ped, SAFE, "run")
    else:
        reply = world.safe.flee_from(ped, (fire,), SAFE)
        assert isinstance(reply, FleeRefused)
        assert sum(reply.dropped.values()) == 21
        assert len(ped.events.group.queue.entries) == 0
    steps(world, 20)
    assert world.safe.record(ped.ref) is None
    assert ped.tasks.tree(PRIMARY).slots[PrimarySlot.EVENT_RESPONSE_NONTEMP] is None
    assert len(ped.events.group.queue.entries) == 0
    assert (ped.order.failure_count, ped.order.instruction_count) == (0, 1)
    assert ped.movement.goal == goal
    if not is_perceived:
        assert ped.movement.generation == generation
    until(world, lambda: ped.order.status is OrderStatus.COMPLETED, 1200)
    assert ped.order.failure_count == 0


def _to(world: World, ped: Ped, place: Vec3) -> StartOrderAt:
    return StartOrderAt(ped.ref, place, world.sources.create("test"))


# -- LVL-26 --------------------------------------------------------------------------------


def test_a_burning_cart_rolls_to_the_goal() -> None:
    """LVL-26: 150 cm/s to the chosen goal: chosen anew, start_count 1, safe when it ends."""
    world = open_street()
    cart = Vec3(650.0, 2000.0)
    ped, record = running_from(world, cart)
    first = record.goal
    for _ in range(60 * 60):
        if not record.live:
            break
        away = math.hypot(first.x - cart.x, first.y - cart.y)
        step = min(150.0 / 60.0, away)
        if away > 0.0:
            cart = Vec3(
                cart.x + (first.x - cart.x) / away * step, cart.y + (first.y - cart.y) / away * step
            )
        world.safe.move_threat(ped.ref, cart)
        world.step()
    assert record.result is SafeResult.SUCCEEDED
    assert record.reselect_count >= 1
    assert record.start_count == 1
    assert gap(ped, cart) > SAFE


def test_what_chases_for_ever_is_given_up_on() -> None:
    """LVL-26: 400 cm/s after it, on the street of LVL-03: FAILED within 30 s, then it goes on."""
    made = street(peds=(person(10, COURIER, 500.0, 500.0),), surfaces=(pavement(2800.0, 800.0),))
    world = World(replace(made, width_cm=2800.0, height_cm=800.0), strict=True)
    hound = Vec3(350.0, 500.0)
    ped, record = running_from(world, hound)
    taken = 0
    while record.live:
        here = ped.position
        away = math.hypot(here.x - hound.x, here.y - hound.y)
        step = min(400.0 / 60.0, away)
        if away > 0.0:
            hound = Vec3(
                hound.x + (here.x - hound.x) / away * step,
                hound.y + (here.y - hound.y) / away * step,
            )
        world.safe.move_threat(ped.ref, hound)
        world.step()
        taken += 1
        assert taken <= 30 * 60
    assert record.result is SafeResult.FAILED
    assert record.reason in ("RESELECT_LIMIT", "NOT_SAFE")
    steps(world, 3)
    assert ped.tasks.tree(PRIMARY).slots[PrimarySlot.EVENT_RESPONSE_NONTEMP] is None


# -- LVL-27 --------------------------------------------------------------------------------


def test_a_second_fire_on_the_way_joins_the_first() -> None:
    """LVL-27: chosen anew once, safe from both, start_count 1; the third event is still there."""
    world = open_street()
    first = world.objects.create_marker(Vec3(650.0, 2000.0))
    ped, record = running_from(world, first)
    steps(world, 70)
    second_at = Vec3(record.goal.x + 100.0, record.goal.y)
    second = world.objects.create_marker(second_at)
    ped.events.add_event(SafeResponseEvent({}, second, tag=77))
    third = ScriptWithData({}, world.objects.create_marker(Vec3(9.0, 9.0)), tag=78)
    ped.events.add_event(third, force_persistent=True)
    kept = [event.tag for event in ped.events.group.queue.entries]
    assert kept == [77, 78]
    until(world, lambda: not record.live, 1800)
    assert record.result is SafeResult.SUCCEEDED
    assert (record.reselect_count, record.start_count) == (1, 1)
    assert {threat.source for threat in record.threats} == {first, second}
    assert gap(ped, Vec3(650.0, 2000.0)) > SAFE
    assert gap(ped, second_at) > SAFE
    assert all(event.tag != 77 for event in ped.events.group.queue.entries)


# -- LVL-31 --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "status"),
    [
        ("pickup", OrderStatus.TRAVELLING),
        ("hold_redirect", OrderStatus.WAITING_FOR_SIGNAL),
        ("sealed_redirect", OrderStatus.AWAITING_DECISION),
    ],
)
def test_a_response_over_an_order_leaves_the_order_as_it_was(
    level: str, status: OrderStatus
) -> None:
    """LVL-31: it runs and ends; the order goes on, is still held, still waits for a decision.

    Session, instruction and failure counts and the goal are those before. The fire is
    small (safe 100), so that there is a point to flee to in each of the three maps.
    """
    with Sandbox(shipped(level), strict=True) as box:
        world, ped = box.world, box.ped(COURIER)
        box.run_until(lambda: ped.order.status is status, timeout_s=20.0)
        box.step(20)
        assert ped.order.status is status
        before = _counts(ped)
        goal = ped.order.goal
        record = _flee(world, ped)
        waited = 0
        while record.live:
            assert ped.order.status is status
            assert _counts(ped) == before
            world.step()
            waited += 1
            assert waited < 600
        assert (record.result, record.start_count) == (SafeResult.SUCCEEDED, 1)
        steps(world, 30)
        assert ped.order.status is status
        assert (_counts(ped), ped.order.goal) == (before, goal)
        assert ped.movement.goal == goal
        if status is OrderStatus.TRAVELLING:
            until(world, lambda: ped.order.status is OrderStatus.COMPLETED, 1800)
        elif status is OrderStatus.WAITING_FOR_SIGNAL:
            assert ped.movement.command_hold
            here = ped.position
            steps(world, 60)
            assert ped.position == here
        else:
            assert (ped.movement.status, ped.movement.reason) == (
                MoveStatus.FAILED,
                MoveReason.BLOCKED,
            )


def _flee(world: World, ped: Ped) -> SafeResponse:
    """From a spot close by, on whichever side leaves a way."""
    here = ped.position
    for dx, dy in ((80.0, 0.0), (0.0, -80.0), (0.0, 80.0), (-80.0, 0.0)):
        reply = world.safe.flee_from(ped, (Vec3(here.x + dx, here.y + dy),), 100.0)
        if isinstance(reply, SafeResponse):
            return reply
    raise AssertionError("nowhere to flee to")


def _counts(ped: Ped) -> tuple[int, int, int]:
    order = ped.order
    return order.session, order.instruction_count, order.failure_count
