"""What stands above an order: falls, stumbles and responses, and the way back (ORD-19)."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from ai.behaviours.order_record import OrderStatus
from ai.behaviours.order_task import OrderTask
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import MoveReason, MoveStatus, SuspendReason
from ai.ports import Vec3
from ai.tasks.trees import MOVEMENT, MovementTreeSlot
from tests.ai.behaviours.courier import (
    GOAL_A,
    GOAL_B,
    MAIN,
    NONTEMP,
    PHYSICAL,
    TEMP,
    Courier,
    until_status,
)
from tests.ai.behaviours.stand_ins import Faller, Idler, Pointless, Walker

AWAY = Vec3(300.0, 900.0)
"""Where a response of its own walks to."""


def travelling(courier: Courier) -> None:
    courier.travel()


def held(courier: Courier) -> None:
    courier.travel()
    assert courier.hold().accepted
    courier.step(5)


def awaiting(courier: Courier) -> None:
    courier.travel()
    courier.fail_it()


STATUSES = [travelling, held, awaiting]
Bring = Callable[[Courier], None]


def settled(courier: Courier) -> tuple[object, ...]:
    """What neither an overlay nor the resume may change."""
    order = courier.order
    return (
        order.session,
        order.source,
        order.goal,
        order.status,
        order.instruction_count,
        order.failure_count,
        order.last_failure,
    )


def check_goes_on(courier: Courier, status: OrderStatus) -> None:
    """The purpose still stands as it stood."""
    if status is OrderStatus.TRAVELLING:
        until_status(courier, OrderStatus.COMPLETED)
        assert math.dist(courier.ped.position, GOAL_A) <= 15.0
        return
    here = courier.xy
    courier.step(120)
    assert courier.xy == here
    assert courier.status is status
    if status is OrderStatus.WAITING_FOR_SIGNAL:
        assert courier.go_on().accepted
    else:
        assert (courier.movement.status, courier.movement.reason) == (
            MoveStatus.FAILED,
            MoveReason.BLOCKED,
        )
        assert courier.redirect().accepted
    until_status(courier, OrderStatus.COMPLETED)


# -- a fall ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bring", "generations"), [(travelling, 2), (held, 2), (awaiting, 1)])
def test_a_fall_leaves_the_order_as_it_was(bring: Bring, generations: int) -> None:
    """ORD-19 a, LVL-29: dormant but live; same task object; the movement resumes by itself.

    Generation + 1 for the suspension and, if the intent is live, + 1 for the resume
    (NAV-14, NAV-15); nothing is requested by the order.
    """
    courier = Courier()
    bring(courier)
    before, task = settled(courier), courier.task()
    status, generation = courier.status, courier.movement.generation
    hold = courier.movement.command_hold
    assert isinstance(task, OrderTask)
    controller = None if status is OrderStatus.AWAITING_DECISION else task.child
    courier.fall()
    here = courier.xy
    for _ in range(90):
        courier.step()
        assert courier.xy == here
        assert courier.task() is task
        assert settled(courier) == before
    assert task.is_aborted
    assert courier.movement.generation == generation + 1
    courier.get_up()
    courier.step()
    assert courier.task() is task
    assert not task.is_aborted
    assert task.child is controller, "the chain goes on, it is not made anew"
    assert settled(courier) == before
    assert courier.movement.generation == generation + generations
    assert courier.movement.command_hold is hold
    check_goes_on(courier, status)
    assert courier.facts("COMMAND_GIVEN") == ["COMMAND_GIVEN"]


def test_the_way_on_starts_where_the_ped_is() -> None:
    """NAV-15, section 12 (15): displaced 300 cm while down: the new path starts there."""
    courier = Courier()
    courier.travel(60)
    courier.fall()
    courier.step(10)
    table, slot = courier.world.table, courier.ped.slot
    table.x[slot] -= 50.0
    table.y[slot] += 300.0
    x, y = courier.xy
    courier.step(5)
    courier.get_up()
    courier.step(3)
    first = courier.movement.path[0]
    assert first == GOAL_A, "straight on from the actual place"
    courier.step(60)
    moved = (courier.xy[0] - x, courier.xy[1] - y)
    wanted = math.atan2(GOAL_A.y - y, GOAL_A.x - x)
    assert math.atan2(moved[1], moved[0]) == pytest.approx(wanted, abs=0.02)


def test_a_stumble_acts_through_its_claim() -> None:
    """NAV-14, NAV-16, NAV-21: HIGHER_MOVE while the claim is held, nothing else."""
    courier = Courier()
    courier.travel()
    generation = courier.movement.generation
    claims = courier.world.movement.claims
    courier.put(Faller(), PHYSICAL)
    claims.take(courier.ped.slot, 80, ClaimOwner.STUMBLE, None, 5)
    here = courier.xy
    courier.step(30)
    assert courier.xy == here
    assert courier.movement.suspend == SuspendReason.HIGHER_MOVE
    assert courier.hold().accepted, "a dormant order takes commands"
    assert courier.go_on().accepted
    claims.release(courier.ped.slot, ClaimOwner.STUMBLE, 5)
    courier.clear(PHYSICAL)
    courier.step()
    assert courier.movement.generation == generation + 2
    until_status(courier, OrderStatus.COMPLETED)


# -- responses ---------------------------------------------------------------------------------


@pytest.mark.parametrize("slot", [TEMP, NONTEMP])
@pytest.mark.parametrize(("bring", "own_requests"), [(travelling, 1), (held, 1), (awaiting, 0)])
def test_a_response_that_takes_the_movement_gives_the_order_back(
    bring: Bring, own_requests: int, slot: int
) -> None:
    """ORD-19 b, EVT-72: one request of the order's own, hold set again, failure adopted again.

    No new command, no instruction counted, no failure counted (section 12, 13).
    """
    courier = Courier()
    bring(courier)
    before, task, status = settled(courier), courier.task(), courier.status
    generation = courier.movement.generation
    walker = courier.put(Walker(AWAY), slot)
    courier.step(60)
    assert courier.movement.owner == walker.move_owner
    assert courier.movement.generation == generation + 1, "the response's own request"
    assert courier.xy != GOAL_A[:2]
    assert settled(courier) == before
    courier.clear(slot)
    courier.step()
    assert courier.task() is task
    assert settled(courier) == before
    assert courier.movement.goal == courier.order.goal
    assert courier.movement.generation == generation + 1 + own_requests
    assert courier.movement.command_hold is (status is OrderStatus.WAITING_FOR_SIGNAL)
    if own_requests == 0:
        assert courier.world.movement.desk.handle(courier.row) is None
        assert not courier.movement.needs_path
    check_goes_on(courier, status)
    assert courier.facts("COMMAND_GIVEN") == ["COMMAND_GIVEN"]


@pytest.mark.parametrize("bring", STATUSES)
def test_a_response_that_ends_at_its_start_changes_nothing(bring: Bring) -> None:
    """ORD-19, LVL-24: a flee that finds no point: generation + 0, counts unchanged."""
    courier = Courier()
    bring(courier)
    before, task, status = settled(courier), courier.task(), courier.status
    generation = courier.movement.generation
    courier.put(Pointless(), NONTEMP)
    courier.step(2)
    assert courier.task(NONTEMP) is None
    assert courier.task() is task
    assert settled(courier) == before
    assert courier.movement.generation == generation
    check_goes_on(courier, status)


@pytest.mark.parametrize("slot", [TEMP, NONTEMP])
def test_a_response_that_moves_nothing_stops_the_movement(slot: int) -> None:
    """NAV-14, NAV-16: FOREIGN_MAIN from its first to its last step; generation once each way."""
    courier = Courier()
    courier.travel()
    generation = courier.movement.generation
    courier.respond(slot)
    here = courier.xy
    for _ in range(60):
        courier.step()
        assert courier.xy == here
        assert courier.movement.suspend & SuspendReason.FOREIGN_MAIN
        assert courier.movement.generation == generation + 1
    courier.clear(slot)
    courier.step()
    assert courier.movement.suspend == SuspendReason.NONE
    assert courier.movement.generation == generation + 2
    until_status(courier, OrderStatus.COMPLETED)


def test_results_are_not_taken_while_interrupted() -> None:
    """ORD-07, ORD-19 b: a failure under a response waits until the order is active again."""
    courier = Courier()
    courier.travel()
    courier.respond()
    courier.step(3)
    courier.movement.fail(MoveReason.NO_PROGRESS)
    courier.step(10)
    assert courier.status is OrderStatus.TRAVELLING
    courier.clear(NONTEMP)
    courier.step()
    assert courier.status is OrderStatus.AWAITING_DECISION
    assert courier.order.last_failure is MoveReason.NO_PROGRESS


@pytest.mark.parametrize("bring", STATUSES)
@pytest.mark.parametrize("above", ["fall", "walker", "idler"])
def test_an_order_cancelled_under_an_overlay_never_resumes(bring: Bring, above: str) -> None:
    """ORD-19, EVT-72, section 12 (14): cancelled meanwhile; the ped falls to its default task."""
    courier = Courier()
    bring(courier)
    slot = PHYSICAL if above == "fall" else NONTEMP
    if above == "fall":
        courier.fall()
    elif above == "walker":
        courier.put(Walker(AWAY), NONTEMP)
    else:
        courier.respond()
    courier.step(30)
    assert courier.cancel().accepted
    courier.step(5)
    if above == "fall":
        courier.get_up()
    else:
        courier.clear(slot)
    courier.step(2)
    here, generation = courier.xy, courier.movement.generation
    for _ in range(120):
        courier.step()
        assert courier.xy == here
    assert courier.movement.generation == generation
    assert courier.task() is None
    assert courier.movement.goal != courier.order.goal or not courier.movement.live
    assert courier.world.movement.claims.held(courier.ped.slot) == ()


def test_an_order_that_ended_under_a_response_asks_for_nothing() -> None:
    """ORD-19: its task resumes, reads that it is over, and leaves the record alone."""
    courier = Courier()
    courier.travel()
    until_status(courier, OrderStatus.COMPLETED)
    walker = courier.put(Walker(AWAY), NONTEMP)
    courier.step(10)
    assert isinstance(courier.task(), OrderTask), "dormant; it has not been asked yet"
    generation = courier.movement.generation
    courier.clear(NONTEMP)
    courier.step()
    assert courier.task() is None
    assert courier.movement.owner == walker.move_owner
    assert courier.movement.generation - generation <= 1, "suspended, as nobody states it now"
    assert courier.movement.goal == AWAY


def test_order_response_and_fall_stacked_wake_in_turn() -> None:
    """TASK combinations 21, section 12 (16): fall over response over order, each same object.

    Under the fall the response keeps its slot, so FOREIGN_MAIN stands although the
    physical overlay is the active task; each release clears its own reason.
    """
    courier = Courier()
    courier.travel()
    order_task = courier.task()
    generation = courier.movement.generation
    response = courier.respond()
    courier.step(5)
    courier.fall()
    courier.step(5)
    assert courier.movement.suspend & SuspendReason.FOREIGN_MAIN
    assert courier.movement.suspend & SuspendReason.BODY
    courier.get_up()
    here = courier.xy
    courier.step(30)
    assert courier.xy == here
    assert courier.movement.suspend & SuspendReason.FOREIGN_MAIN
    assert not courier.movement.suspend & SuspendReason.BODY
    assert courier.movement.generation == generation + 1, "further bits bump nothing"
    assert response.enters == 2, "entered, and resumed after the fall"
    courier.clear(NONTEMP)
    courier.step()
    assert courier.task() is order_task
    assert courier.movement.generation == generation + 2
    until_status(courier, OrderStatus.COMPLETED)


def test_a_fall_without_body_or_claim_over_a_response_moves_nothing() -> None:
    """NAV-14: the foreign main task has not lost its slot; the order's movement stays suspended."""
    courier = Courier()
    courier.travel()
    courier.respond()
    courier.step(5)
    generation = courier.movement.generation
    courier.put(Faller(), PHYSICAL)
    courier.step(10)
    assert courier.movement.suspend & SuspendReason.FOREIGN_MAIN
    assert courier.movement.generation == generation


# -- stops combined (LVL-30) -------------------------------------------------------------------


def test_hold_fall_continue_while_down_walks_after_getting_up() -> None:
    """LVL-30, first case."""
    courier = Courier()
    courier.travel()
    assert courier.hold().accepted
    courier.fall()
    courier.step(20)
    assert courier.go_on().accepted
    courier.step(20)
    courier.get_up()
    here = courier.xy
    courier.step(30)
    assert courier.xy != here
    until_status(courier, OrderStatus.COMPLETED)


def test_hold_fall_no_continue_stands_after_getting_up() -> None:
    """LVL-30, second case, section 12 (1)."""
    courier = Courier()
    courier.travel()
    assert courier.hold().accepted
    courier.fall()
    courier.step(20)
    courier.get_up()
    here = courier.xy
    courier.step(300)
    assert courier.xy == here
    assert courier.status is OrderStatus.WAITING_FOR_SIGNAL


def test_a_stand_expires_while_down() -> None:
    """LVL-30, third case, section 12 (2): stand 1 s, fall: it expires while down, then walks."""
    courier = Courier()
    courier.travel()
    courier.movement.stand(1.0)
    courier.fall()
    courier.step(70)
    assert courier.movement.stand_until is None
    assert courier.task() is not None
    courier.get_up()
    here = courier.xy
    courier.step(30)
    assert courier.xy != here


def test_hold_and_redirect_while_down() -> None:
    """LVL-30, fourth case: new goal, no hold."""
    courier = Courier()
    courier.travel()
    courier.fall()
    courier.step(10)
    assert courier.hold().accepted
    assert courier.redirect().accepted
    courier.step(10)
    courier.get_up()
    assert not courier.movement.command_hold
    until_status(courier, OrderStatus.COMPLETED)
    assert math.dist(courier.ped.position, GOAL_B) <= 15.0


def test_redirected_at_once_after_hold_and_stand() -> None:
    """NAV-03, ORD-12: a redirect withdraws hold and timed stand."""
    courier = Courier()
    courier.travel()
    courier.movement.stand(30.0)
    assert courier.hold().accepted
    assert courier.redirect().accepted
    assert courier.movement.stand_until is None
    here = courier.xy
    courier.step(30)
    assert courier.xy != here


# -- slots of the movement tree (ORD-26) -------------------------------------------------------


def test_a_cleared_general_slot_is_filled_again_without_a_request() -> None:
    """ORD-26, TASK-79: GENERAL cleared during an order: a copy comes back, generation unchanged."""
    undisturbed = Courier()
    undisturbed.travel(100)
    until_status(undisturbed, OrderStatus.COMPLETED)

    courier = Courier()
    courier.travel(100)
    generation, uid = courier.movement.generation, movement_task_uid(courier)
    courier.clear(MovementTreeSlot.GENERAL, MOVEMENT)
    assert movement_task_uid(courier) is None
    courier.step()
    assert movement_task_uid(courier) not in (None, uid)
    assert courier.movement.generation == generation
    until_status(courier, OrderStatus.COMPLETED)
    assert courier.movement.generation == generation
    assert abs(courier.world.clock.step - undisturbed.world.clock.step) <= 1


def test_the_movement_record_survives_the_sweep_under_a_fall() -> None:
    """NAV-01, section 12 (44): the movement task is swept, the record keeps goal and owner."""
    courier = Courier()
    courier.travel()
    owner = courier.movement.owner
    courier.fall()
    courier.step()
    assert movement_task_uid(courier) is None
    assert (courier.movement.owner, courier.movement.goal) == (owner, GOAL_A)
    assert courier.movement.desired_speed == 0.0
    assert courier.movement.status is MoveStatus.WALKING
    courier.get_up()
    courier.step()
    assert movement_task_uid(courier) is not None
    assert courier.movement.desired_speed == 130.0


def test_another_main_task_in_primary_suspends_the_same_type_too() -> None:
    """NAV-16: the same task type with another session suspends."""
    courier = Courier()
    courier.travel()
    table = courier.world.table
    owner = table.owners[courier.row]
    assert owner is not None
    table.owners[courier.row] = type(owner)(owner.task_type, owner.source, owner.tag + 1)
    from ai.peds.movement_reasons import state_movement_reasons

    state_movement_reasons(courier.ped)
    courier.world.coordination.coordinate()
    assert courier.movement.suspend == SuspendReason.FOREIGN_MAIN | SuspendReason.NOT_OWNER


def test_a_foreign_task_in_the_main_slot_suspends_and_frees_the_order() -> None:
    """NAV-14, NAV-21: FOREIGN_MAIN while it runs; its end does not revive the displaced task."""
    courier = Courier()
    courier.travel()
    idler = Idler(updates_left=20)
    courier.put(idler, MAIN)
    courier.step(5)
    assert courier.movement.suspend & SuspendReason.FOREIGN_MAIN
    here = courier.xy
    courier.step(60)
    assert courier.xy == here
    assert courier.task() is None
    assert courier.movement.suspend == SuspendReason.NOT_OWNER, "nobody states the movement"


def movement_task_uid(courier: Courier) -> int | None:
    task = courier.ped.tasks.tree(MOVEMENT).get_task(MovementTreeSlot.GENERAL)
    return None if task is None else task.uid
