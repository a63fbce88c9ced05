"""Stop reasons in words: every row of NAV-21, each apart from the others."""

from __future__ import annotations

import pytest

from ai.behaviours.order_commands import HoldOrder
from ai.motion.movement_table import MoveReason, MoveStatus, SuspendReason
from game.ui.inspector.stop_reasons import MOVE_REASONS, SUSPENSIONS, StopReason, stop_reasons
from game.world.world import World
from tests.streets import barrier, courier_street, ped_named, perform, person, start, steps, until


def found(world: World) -> dict[str, StopReason]:
    ped = ped_named(world)
    reasons = stop_reasons(ped.movement, world.clock.time_s, world.data.navigation)
    return {reason.key: reason for reason in reasons}


@pytest.fixture
def walking() -> World:
    world = World(courier_street())
    assert start(world).accepted
    steps(world, 60)
    return world


def test_a_walking_ped_has_none(walking: World) -> None:
    assert found(walking) == {}


def test_an_idle_ped_has_none() -> None:
    world = World(courier_street())
    steps(world, 3)
    assert found(world) == {}


@pytest.mark.parametrize("bit", [bit for bit, _, _ in SUSPENSIONS])
def test_each_suspension_is_told_by_its_own_words(walking: World, bit: SuspendReason) -> None:
    """NAV-14, NAV-21: one bit, one reason, one release."""
    table, ped = walking.table, ped_named(walking)
    table.suspend[ped.movement.row] = int(bit)
    assert list(found(walking)) == [bit.name]


def test_every_bit_of_the_mask_has_words() -> None:
    """NAV-14."""
    assert {bit for bit, _, _ in SUSPENSIONS} == {bit for bit in SuspendReason if bit}


def test_two_reasons_stay_two(walking: World) -> None:
    """NAV-21: no flag collapses them; they come in the order of the motion stage."""
    ped = ped_named(walking)
    assert perform(walking, HoldOrder(ped.ref, ped.order.session)).accepted
    walking.coordination.set_reason(ped.slot, SuspendReason.SUPPRESSED, True)
    steps(walking, 1)
    assert list(found(walking)) == ["SUPPRESSED", "HOLD"]
    walking.coordination.set_reason(ped.slot, SuspendReason.SUPPRESSED, False)
    steps(walking, 1)
    assert "HOLD" in found(walking)
    assert "SUPPRESSED" not in found(walking)


def test_a_command_hold_names_what_ends_it(walking: World) -> None:
    """NAV-21, ORD-10."""
    ped_named(walking).movement.hold()
    assert found(walking)["HOLD"].until == "until continue, redirect or cancel"


def test_a_timed_stand_says_how_long(walking: World) -> None:
    """NAV-20: 2 s from now, half a second later 1.5."""
    ped_named(walking).movement.stand(2.0)
    steps(walking, 30)
    assert found(walking)["STAND"].running == "1.5 s"


def test_waiting_for_a_path_is_a_reason() -> None:
    """NAV-21: requested in the ped's turn, answered a step later."""
    world = World(courier_street())
    assert start(world).accepted
    steps(world, 1)
    assert "PATH" in found(world)


def test_a_blocked_ped_is_timed_against_its_limit() -> None:
    """NAV-17, NAV-21: blocked for half of the 1.5 s that lead to a new search."""
    wall = barrier(30, 600.0, 800.0, 20.0, 1600.0, nav_block=False)
    world = World(courier_street(obstacles=(wall,)))
    assert start(world).accepted
    until(world, lambda: ped_named(world).movement.blocked_time > 0.75)
    assert found(world)["BLOCKED"].running == "0.8 of 1.5 s"


def test_turning_is_a_reason() -> None:
    """NAV-21: the courier looks west and is sent east."""
    world = World(courier_street(peds=(person(10, "courier", 200.0, 600.0, 3.14),)))
    assert start(world).accepted
    steps(world, 5)
    assert list(found(world)) == ["TURN"]


@pytest.mark.parametrize(
    ("status", "key"),
    [
        (MoveStatus.ARRIVED, "ARRIVED"),
        (MoveStatus.FAILED, "FAILED"),
        (MoveStatus.CANCELLED, "CANCELLED"),
    ],
)
def test_what_is_finished_waits_for_a_new_goal(
    walking: World, status: MoveStatus, key: str
) -> None:
    """NAV-02, NAV-21."""
    row = ped_named(walking).movement.row
    walking.table.status[row] = int(status)
    walking.table.reason[row] = int(MoveReason.NO_PATH)
    assert found(walking)[key].until == "until a new goal"


def test_every_reason_of_a_failure_has_words() -> None:
    """NAV-18, ORD-20: a new reason can't be forgotten here."""
    assert set(MOVE_REASONS) == set(MoveReason)
    assert all(MOVE_REASONS[reason] for reason in MoveReason if reason)
