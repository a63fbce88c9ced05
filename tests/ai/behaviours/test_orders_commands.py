"""Hold, Continue, Redirect, Cancel: what they change, and what no longer follows from them."""

from __future__ import annotations

import math

import pytest

from ai.behaviours.order_commands import Refusal
from ai.behaviours.order_record import EndCause, OrderStatus
from ai.behaviours.order_task import OrderTask
from ai.events.command_records import CommandStatus
from ai.motion.movement_table import MoveReason, MoveStatus, SuspendReason
from ai.ports import Vec3
from ai.tasks.trees import PRIMARY
from tests.ai.behaviours.courier import (
    GOAL_A,
    GOAL_B,
    MAIN,
    PHYSICAL,
    Courier,
    bring_to,
    until_status,
)
from tests.streets import barrier, car, courier_street, prop

# -- Hold (ORD-10) -----------------------------------------------------------------------------


def test_hold_while_pending() -> None:
    """ORD-10, section 12 (3): the reply installs under the hold; nothing moves for 300 steps."""
    courier = Courier()
    assert courier.start().accepted
    courier.step()
    assert courier.hold().accepted
    assert courier.movement.path_pending
    here = courier.xy
    for _ in range(300):
        courier.step()
        assert courier.xy == here
    assert courier.movement.status is MoveStatus.WALKING
    assert courier.movement.path_usable
    assert courier.status is OrderStatus.WAITING_FOR_SIGNAL
    assert courier.go_on().accepted
    courier.step(15)
    assert courier.xy != here


def test_hold_10s() -> None:
    """ORD-10, LVL-20: 600 steps without Continue: position and generation unchanged."""
    courier = Courier()
    courier.travel()
    assert courier.hold().accepted
    here, generation = courier.xy, courier.movement.generation
    for _ in range(600):
        courier.step()
        assert courier.xy == here
        assert courier.movement.generation == generation
        assert courier.status is OrderStatus.WAITING_FOR_SIGNAL
    assert courier.movement.command_hold


@pytest.mark.parametrize("status", ["held", "awaiting", "pending"])
def test_hold_is_for_travelling_alone(status: str) -> None:
    """ORD-10, section 1.4: otherwise NOT_TRAVELLING, nothing changed."""
    courier = Courier()
    bring_to(courier, status)
    before = courier.snapshot()
    assert courier.hold().reason is Refusal.NOT_TRAVELLING
    assert courier.snapshot() == before


# -- Continue (ORD-11) -------------------------------------------------------------------------


def test_continue_keeps_generation_and_path() -> None:
    """ORD-11: generation before Hold equals generation after Continue; the path is kept."""
    courier = Courier()
    courier.travel()
    generation, path = courier.movement.generation, courier.movement.path
    assert courier.hold().accepted
    courier.step(120)
    assert courier.go_on().accepted
    assert (courier.movement.generation, courier.movement.path) == (generation, path)
    until_status(courier, OrderStatus.COMPLETED)
    assert courier.movement.generation == generation


def test_the_kept_path_gets_no_free_pass() -> None:
    """ORD-11: a prop put on the kept path while held stops the ped, which then replans."""
    courier = Courier()
    courier.travel(60)
    assert courier.hold().accepted
    courier.step(10)
    x, y = courier.xy
    courier.world.things.spawn(prop(70, "crate", x + 160.0, y, 110.0, 400.0))
    assert courier.go_on().accepted
    stopped = 0
    for _ in range(400):
        courier.step()
        assert math.dist(courier.xy, (x + 160.0, y)) >= 139.9
        stopped += courier.movement.blocked_time > 0.0
    assert stopped > 60
    assert courier.movement.replans_total > 0


@pytest.mark.parametrize("status", ["travelling", "awaiting", "pending"])
def test_continue_is_for_waiting_alone(status: str) -> None:
    """ORD-11, section 1.4: otherwise NOT_WAITING, nothing changed."""
    courier = Courier()
    bring_to(courier, status)
    before = courier.snapshot()
    assert courier.go_on().reason is Refusal.NOT_WAITING
    assert courier.snapshot() == before


def test_continue_while_down_removes_the_hold_alone() -> None:
    """ORD-11, section 12 (1): the body stays down."""
    courier = Courier()
    courier.travel()
    assert courier.hold().accepted
    courier.fall()
    courier.step(10)
    assert courier.go_on().accepted
    here = courier.xy
    courier.step(60)
    assert courier.xy == here
    assert not courier.movement.command_hold
    assert courier.movement.suspend


# -- Redirect (ORD-12) -------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["travelling", "held", "awaiting"])
def test_redirect_is_a_new_goal_in_the_same_session(status: str) -> None:
    """ORD-12: session, source, failure_count, last_failure stay; generation + 1, no hold."""
    courier = Courier()
    bring_to(courier, status)
    order = courier.order
    session, instructions, failures, generation = courier.counts()
    source, last_failure = order.source, order.last_failure
    reply = courier.redirect()
    assert (reply.accepted, reply.session, reply.instruction_count) == (
        True,
        session,
        instructions + 1,
    )
    assert courier.counts() == (session, instructions + 1, failures, generation + 1)
    assert (order.source, order.last_failure) == (source, last_failure)
    assert order.status is OrderStatus.TRAVELLING
    assert order.goal == courier.movement.goal == pytest.approx(GOAL_B)
    assert not courier.movement.command_hold
    until_status(courier, OrderStatus.COMPLETED)
    assert math.dist(courier.ped.position, GOAL_B) <= 15.0


def test_redirect_bad_object_keeps_walking() -> None:
    """ORD-12, section 12 (6): old path, hold, generation and query stay as they were."""
    crate = prop(60, "crate", 500.0, 1200.0, 25.0, 40.0)
    courier = Courier(courier_street(props=(crate,)))
    assert courier.start().accepted
    courier.step()
    gone = courier.world.things.by_name("crate60")
    assert gone is not None
    courier.world.things.request_removal(gone.ref)
    assert courier.movement.path_pending
    before = courier.snapshot()
    assert courier.redirect(target=gone.ref).reason is Refusal.OBJECT_DYING
    assert courier.snapshot() == before
    courier.step(30)
    before = courier.snapshot()
    assert courier.redirect(target=gone.ref).reason is Refusal.NO_OBJECT
    assert courier.snapshot() == before
    until_status(courier, OrderStatus.COMPLETED)
    assert math.dist(courier.ped.position, GOAL_A) <= 15.0


def test_redirect_while_down() -> None:
    """ORD-12: accepted the same way; the query is sent after recovery."""
    courier = Courier()
    courier.travel()
    courier.fall()
    courier.step(10)
    generation = courier.movement.generation
    assert courier.redirect().accepted
    courier.step(60)
    assert courier.movement.generation == generation + 1
    assert courier.movement.needs_path
    assert courier.world.movement.desk.handle(courier.row) is None
    courier.get_up()
    courier.step(2)
    assert courier.world.movement.desk.handle(courier.row) or courier.movement.path_usable
    until_status(courier, OrderStatus.COMPLETED)
    assert math.dist(courier.ped.position, GOAL_B) <= 15.0


def test_redirect_of_a_pending_order_replaces_goal_and_approach() -> None:
    """Section 1.4: while PENDING it counts and asks for nothing; the goal is B's from the start."""
    courier = Courier()
    courier.fall()
    assert courier.start().accepted
    reply = courier.redirect()
    assert (reply.accepted, reply.instruction_count) == (True, 2)
    assert courier.status is OrderStatus.PENDING
    courier.step(3)
    assert courier.movement.owner is None
    assert courier.movement.generation == 1, "the fall"
    courier.get_up()
    courier.step()
    assert courier.movement.goal == pytest.approx(GOAL_B)
    assert courier.movement.generation == 3, "the fall, the start, the resume"


# -- Cancel (ORD-13) ---------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["travelling", "held", "awaiting"])
def test_cancel_ends_movement_and_task(status: str) -> None:
    """ORD-13: query cancelled, generation + 1, path and hold cleared, claim and task gone."""
    courier = Courier()
    bring_to(courier, status)
    generation = courier.movement.generation
    reply = courier.cancel()
    assert (reply.accepted, reply.session) == (True, 1)
    movement = courier.movement
    assert (movement.status, movement.generation) == (MoveStatus.CANCELLED, generation + 1)
    assert (movement.path, movement.command_hold) == ((), False)
    assert courier.task() is None
    assert courier.world.movement.claims.held(courier.ped.slot) == ()
    assert (courier.status, courier.order.end_cause) == (
        OrderStatus.CANCELLED,
        EndCause.CANCELLED,
    )
    here = courier.xy
    courier.step(120)
    assert courier.xy == here
    assert "ARRIVED" not in courier.facts()
    assert movement.generation == generation + 1


def test_a_second_cancel_finds_nothing() -> None:
    """ORD-13: NOTHING_TO_CANCEL, also for a completed order."""
    courier = Courier()
    courier.travel()
    assert courier.cancel().accepted
    before = courier.snapshot()
    assert courier.cancel().reason is Refusal.NOTHING_TO_CANCEL
    assert courier.snapshot() == before
    assert courier.start().accepted
    until_status(courier, OrderStatus.COMPLETED)
    assert courier.cancel(2).reason is Refusal.NOTHING_TO_CANCEL
    assert courier.status is OrderStatus.COMPLETED
    assert courier.hold(2).reason is Refusal.SESSION_ENDED


def test_cancel_of_a_pending_order_withdraws_the_command() -> None:
    """ORD-13: the command is taken back; nothing ever starts."""
    courier = Courier()
    courier.fall()
    assert courier.start().accepted
    used = courier.world.pool.used
    assert courier.cancel().accepted
    assert courier.world.pool.used == used - 1
    assert courier.world.scripts.waiting_source(courier.ped) is None
    courier.get_up()
    courier.step(30)
    assert courier.movement.owner is None
    assert courier.status is OrderStatus.CANCELLED


def test_cancel_leaves_stand_suspension_and_other_slots() -> None:
    """ORD-13, section 12 (9): never empties a tree, clears no suspension bit and no stand."""
    courier = Courier()
    courier.travel()
    faller = courier.fall()
    courier.movement.stand(30.0)
    courier.step(5)
    suspend, stand = courier.movement.suspend, courier.movement.stand_until
    assert courier.cancel().accepted
    assert (courier.movement.suspend, courier.movement.stand_until) == (suspend, stand)
    assert courier.task(PHYSICAL) is faller
    assert courier.ped.tasks.tree(PRIMARY).get_task(4) is not None


def test_a_cancelled_order_is_not_revived_by_getting_up() -> None:
    """ORD-19, section 12 (14), EVT-72: cancelled while down; up again it stays within 0.0 cm."""
    courier = Courier()
    courier.travel()
    courier.fall()
    courier.step(30)
    assert courier.cancel().accepted
    courier.step(5)
    courier.get_up()
    here, generation = courier.xy, courier.movement.generation
    for _ in range(120):
        courier.step()
        assert courier.xy == here
    assert courier.movement.status is MoveStatus.CANCELLED
    assert courier.movement.generation == generation
    assert courier.task(MAIN) is None


# -- counts (ORD-14) ---------------------------------------------------------------------------


def test_accepted_start_hold_continue_and_redirect_count() -> None:
    """ORD-14: start, hold, continue, redirect: 4; refused commands and Cancel do not count."""
    courier = Courier()
    courier.travel()
    assert courier.order.instruction_count == 1
    courier.go_on()
    courier.hold(7)
    assert courier.order.instruction_count == 1
    assert courier.hold().instruction_count == 2
    assert courier.go_on().instruction_count == 3
    assert courier.redirect().instruction_count == 4
    courier.fall()
    courier.step(5)
    courier.get_up()
    courier.step(5)
    assert courier.cancel().instruction_count == 4


# -- failure (ORD-15, ORD-16) ------------------------------------------------------------------


def test_a_failure_is_consumed_once() -> None:
    """ORD-15, LVL-23: 600 steps of FAILED: 1; a second order of another session: 0."""
    courier = Courier()
    courier.travel()
    courier.fail_it()
    for _ in range(600):
        courier.step()
        assert courier.order.failure_count == 1
    assert courier.movement.status is MoveStatus.FAILED
    assert courier.order.last_failure is MoveReason.BLOCKED
    assert courier.cancel().accepted
    assert courier.start().accepted
    courier.step(30)
    assert (courier.order.session, courier.order.failure_count) == (2, 0)


def sealed(period: int = 1) -> Courier:
    """Car A stands in a closed yard."""
    walls = (
        barrier(30, 1200.0, 300.0, 800.0, 20.0),
        barrier(31, 1200.0, 900.0, 800.0, 20.0),
        barrier(32, 810.0, 600.0, 20.0, 620.0),
        barrier(33, 1590.0, 600.0, 20.0, 620.0),
    )
    return Courier(courier_street(obstacles=walls), period=period)


def test_fail_under_hold() -> None:
    """ORD-15, section 12 (12): a query fails under a hold: the flag stays, Redirect clears."""
    courier = sealed()
    assert courier.start().accepted
    courier.step()
    assert courier.hold().accepted
    until_status(courier, OrderStatus.AWAITING_DECISION, 10)
    assert courier.order.failure_count == 1
    assert courier.movement.command_hold
    assert courier.go_on().reason is Refusal.NOT_WAITING
    courier.step(60)
    assert courier.movement.status is MoveStatus.FAILED
    assert courier.redirect().accepted
    assert not courier.movement.command_hold
    until_status(courier, OrderStatus.COMPLETED)


def test_awaiting_a_decision_means_waiting() -> None:
    """ORD-16: 10 s without a command: position, generation, goal and counts unchanged."""
    courier = sealed()
    assert courier.start().accepted
    until_status(courier, OrderStatus.AWAITING_DECISION, 10)
    before = (courier.xy, courier.counts(), courier.order.goal, courier.order.source)
    for _ in range(600):
        courier.step()
        assert (courier.xy, courier.counts(), courier.order.goal, courier.order.source) == before
    assert courier.status is OrderStatus.AWAITING_DECISION
    assert courier.order.last_failure is MoveReason.NO_PATH
    task = courier.task()
    assert isinstance(task, OrderTask)
    assert (task.state, task.child) == (OrderTask.State.AWAIT, None)


def test_a_failing_substitute_makes_two_failures() -> None:
    """ORD-16: failure_count 2, and the order waits again."""
    courier = sealed()
    assert courier.start().accepted
    until_status(courier, OrderStatus.AWAITING_DECISION, 10)
    assert courier.redirect(target=courier.car_a).accepted
    assert courier.status is OrderStatus.TRAVELLING
    until_status(courier, OrderStatus.AWAITING_DECISION, 10)
    assert courier.counts()[:3] == (1, 2, 2)


def test_a_decision_in_the_very_next_step_is_taken() -> None:
    """ORD-12, ORD-16: redirected before the task saw the failure, it goes on all the same."""
    courier = sealed()
    assert courier.start().accepted
    until_status(courier, OrderStatus.AWAITING_DECISION, 10)
    assert courier.redirect().accepted
    until_status(courier, OrderStatus.COMPLETED)
    assert courier.order.failure_count == 1


def test_a_decision_reaches_a_sliced_mind_in_its_very_step() -> None:
    """ORD-12 (5), TASK-86: the movement slot is active again at once, not 15 steps later."""
    courier = sealed(period=15)
    assert courier.start().accepted
    until_status(courier, OrderStatus.AWAITING_DECISION, 10)
    courier.step(20)
    assert courier.redirect().accepted
    courier.step()
    assert courier.movement.desired_speed == 130.0
    assert courier.movement.suspend == SuspendReason.NONE


# -- the script's view (EVT-71) ----------------------------------------------------------------


def test_the_command_of_an_order_is_one_from_start_to_end() -> None:
    """ORD-17, EVT-71: PERFORMING, SUSPENDED while down, PERFORMING, FINISHED; given once."""
    courier = Courier()
    courier.travel()
    scripts = courier.world.scripts
    entry = courier.world.order_book.entry(courier.ped.ref)
    assert entry is not None
    seen = [scripts.command_status(entry.command)]

    def look() -> None:
        status = scripts.command_status(entry.command)
        if status is not seen[-1]:
            seen.append(status)

    courier.fall()
    courier.step(10)
    look()
    courier.get_up()
    for _ in range(900):
        courier.step()
        look()
    assert seen == [
        CommandStatus.PERFORMING,
        CommandStatus.SUSPENDED,
        CommandStatus.PERFORMING,
        CommandStatus.FINISHED,
    ]
    assert courier.facts("COMMAND_GIVEN") == ["COMMAND_GIVEN"]


def test_a_car_beside_the_way_is_no_goal_of_the_other() -> None:
    """ORD-08, section 12 (37): neither a fixed world offset nor the car's centre."""
    courier = Courier(
        courier_street(
            vehicles=(
                car(20, "car_a", 1200.0, 600.0, math.pi),
                car(21, "car_b", 900.0, 1300.0, math.pi / 2),
            )
        )
    )
    assert courier.start().accepted
    assert courier.order.goal == pytest.approx(Vec3(1400.0, 600.0))
