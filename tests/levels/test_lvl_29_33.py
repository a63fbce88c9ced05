"""LVL-29, LVL-30, LVL-33 and the shipped levels of falls: what is kept across falls that spread."""

from __future__ import annotations

import pytest

from ai.behaviours.order_commands import ContinueOrder, HoldOrder, RedirectOrderTo, StartOrderAt
from ai.behaviours.reaction_tasks import TaskShockingWatch
from ai.events.types import EventType
from ai.motion.movement_table import MoveStatus
from ai.motion.recovery.phases import DOWN, RecoveryPhase
from ai.peds.ped import Ped
from ai.ports import Impact, Vec3
from ai.tasks.trees import PRIMARY, PrimarySlot
from game import Sandbox
from game.world.impacts import Strike
from game.world.world import World
from tests.levels.runs import shipped
from tests.streets import courier_street, ped_named, perform, person, start, steps, street, until

INACTIVE = RecoveryPhase.INACTIVE
HIT = Impact((0.0, 15000.0))


def phase(world: World, ped: Ped) -> RecoveryPhase:
    return world.recovery.phase(ped.slot)


def through_a_fall(world: World, ped: Ped) -> None:
    """Hit it, and step until it is up."""
    assert world.impacts.strike(ped, HIT) is Strike.FALL
    world.step()
    assert phase(world, ped) in DOWN
    for _ in range(900):
        world.step()
        if phase(world, ped) is INACTIVE:
            return
    raise AssertionError("it did not get up")


def walking() -> tuple[World, Ped]:
    """LVL-01's courier, one second on its way."""
    world = World(courier_street(), strict=True)
    assert start(world).accepted
    steps(world, 60)
    return world, ped_named(world)


# -- LVL-29 ------------------------------------------------------------------------------


def test_order_and_task_are_the_same_objects_in_every_step_of_a_fall() -> None:
    """LVL-29: type, source, session and task object before, during and after."""
    world, ped = walking()
    order, source = ped.order, ped.order.source
    task = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
    world.impacts.strike(ped, HIT)
    for _ in range(300):
        world.step()
        assert ped.order is order
        assert (order.session, order.source) == (1, source)
        assert ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY) is task
    assert phase(world, ped) is INACTIVE


def test_a_response_is_the_same_object_before_during_and_after() -> None:
    """LVL-29: a response under a fall keeps its slot and its object, and goes on."""
    world = World(street(peds=(person(10, "courier", 1000.0, 800.0),)), strict=True)
    steps(world, 3)
    ped = ped_named(world)
    response = TaskShockingWatch(int(EventType.SHOCKING_FIRE), Vec3(1300.0, 800.0), None, -1.0)
    ped.tasks.set_task(PRIMARY, response, PrimarySlot.EVENT_RESPONSE_NONTEMP)
    steps(world, 5)
    world.impacts.strike(ped, HIT)
    for _ in range(300):
        world.step()
        slots = ped.tasks.tree(PRIMARY).slots
        assert slots[PrimarySlot.EVENT_RESPONSE_NONTEMP] is response
    assert ped.tasks.tree(PRIMARY).active_root is response


# -- LVL-30 ------------------------------------------------------------------------------


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_hold_outlasts_the_fall_unless_continue_comes_meanwhile(goes_on: bool) -> None:
    """LVL-30: hold, impact, Continue while down: walks; no Continue: stands."""
    world, ped = walking()
    perform(world, HoldOrder(ped.ref, 1))
    steps(world, 5)
    world.impacts.strike(ped, HIT)
    steps(world, 30)
    if goes_on:
        perform(world, ContinueOrder(ped.ref, 1))
    for _ in range(400):
        world.step()
        if phase(world, ped) is INACTIVE:
            break
    here = ped.position
    steps(world, 90)
    assert (ped.position != here) is goes_on


def test_a_timed_stand_expires_while_down() -> None:
    """LVL-30: stand 1 s, impact: walks after the rise."""
    world, ped = walking()
    ped.movement.stand(1.0)
    through_a_fall(world, ped)
    here = ped.position
    steps(world, 60)
    assert ped.position != here


def test_hold_and_redirect_while_down_lead_to_the_new_goal() -> None:
    """LVL-30: impact, hold while down, redirect while down: new goal, no hold."""
    world, ped = walking()
    world.impacts.strike(ped, HIT)
    steps(world, 20)
    perform(world, HoldOrder(ped.ref, 1))
    steps(world, 5)
    perform(world, RedirectOrderTo(ped.ref, 1, Vec3(300.0, 1200.0)))
    steps(world, 1200)
    assert ped.order.completed
    assert abs(ped.position.x - 300.0) <= 15.0
    assert abs(ped.position.y - 1200.0) <= 15.0


# -- LVL-33 ------------------------------------------------------------------------------


def row_of_eight() -> tuple[World, list[Ped]]:
    """Eight peds 80 cm apart, each on an order of its own to the north."""
    peds = [person(10 + n, f"p{n}", 600.0 + 80.0 * n, 800.0) for n in range(8)]
    world = World(street(peds=peds), strict=True)
    source = world.sources.create("test")
    everybody = [ped_named(world, f"p{n}") for n in range(8)]
    steps(world, 3)
    for number, ped in enumerate(everybody):
        goal = Vec3(600.0 + 80.0 * number, 300.0)
        assert perform(world, StartOrderAt(ped.ref, goal, source)).accepted
    steps(world, 3)
    for ped in everybody:
        assert perform(world, HoldOrder(ped.ref, ped.order.session)).accepted
    steps(world, 60)
    return world, everybody


def test_falls_spread_along_a_row_and_everybody_keeps_its_purpose() -> None:
    """LVL-33: at least three others fall, all up within 10 s, purposes kept, no endless hits."""
    world, everybody = row_of_eight()
    assert world.impacts.strike(everybody[0], Impact((45000.0, 0.0))) is Strike.FALL
    fallen: set[str] = set()
    hits = 0
    for _ in range(600):
        world.step()
        hits += len(world.physics.struck)
        fallen |= {ped.name for ped in everybody if phase(world, ped) in DOWN}
    assert len(fallen - {"p0"}) >= 3
    assert all(phase(world, ped) is INACTIVE for ped in everybody)
    assert hits <= 40
    for ped in everybody:
        assert ped.order.live
        assert ped.movement.command_hold
        assert ped.order.failure_count == 0
    for ped in everybody:
        # Who still looks at what happened is told when it has seen enough.
        until(
            world,
            lambda ped=ped: perform(world, ContinueOrder(ped.ref, ped.order.session)).accepted,
        )
    steps(world, 900)
    assert [ped.order.status.name for ped in everybody] == ["COMPLETED"] * 8


@pytest.mark.parametrize("name", ["dominoes", "ragdoll_lab"])
def test_the_shipped_levels_of_falls_pass(name: str) -> None:
    """LVL-33, LVL-09: every expectation passes, none with a warning."""
    with Sandbox(shipped(name), strict=True) as box:
        box.run()
        summary = box.expectations.summary()
        box.expectations.finish()
        assert box.expectations.summary().passed == summary.total


def test_somebody_in_the_queue_only_staggers() -> None:
    """RAG-14: the impulse falls by 0.8 from one to the next; below the threshold they stumble."""
    with Sandbox(shipped("dominoes"), strict=True) as box:
        staggered, fallen = set(), set()
        for _ in range(60 * 6):
            box.step()
            for ped in box.world.peds.in_id_order():
                if box.world.stumbles.tag_of(ped.slot) is not None:
                    staggered.add(ped.name)
                if box.world.recovery.phase(ped.slot) in DOWN:
                    fallen.add(ped.name)
        assert len(fallen) >= 4
        assert staggered - fallen
        assert all(
            ped.movement.status in (MoveStatus.IDLE, MoveStatus.WALKING, MoveStatus.WAITING_PATH)
            for ped in box.world.peds.in_id_order()
        )
