"""Whose task and movement is it: the ownership check of every command and result (ORD-07)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ai.behaviours.order_commands import Refusal
from ai.behaviours.order_record import OrderStatus
from ai.events.slot_identity import SlotIdentity
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import MoveOwner, MoveReason, MoveStatus, SpeedMode
from ai.ports import Vec3
from ai.tasks.task_flags import HAS_FINISHED
from ai.tasks.task_types import TaskType
from ai.tasks.trees import MOVEMENT, PRIMARY, MovementTreeSlot
from tests.ai.behaviours.courier import GOAL_A, MAIN, NONTEMP, TEMP, Courier
from tests.ai.behaviours.stand_ins import Idler, Walker

OTHER = {
    "tree_kind": 1,
    "slot": 2,
    "task_type": 7,
    "source": None,
    "from_script": False,
    "command_kind": "stand",
    "session": 2,
}
"""Another value for each of the seven fields."""


@pytest.mark.parametrize("field", SlotIdentity._fields)
@pytest.mark.parametrize("command", ["hold", "redirect"])
def test_a_command_is_refused_when_one_of_seven_fields_differs(field: str, command: str) -> None:
    """ORD-07: SLOT_MISMATCH(field), nothing changed."""
    courier = Courier()
    courier.travel()
    courier.order.slot = courier.order.slot._replace(**{field: OTHER[field]})
    before = courier.snapshot()
    reply = getattr(courier, command)()
    assert (reply.accepted, reply.reason, reply.detail) == (False, Refusal.SLOT_MISMATCH, field)
    assert courier.snapshot() == before


@pytest.mark.parametrize("field", SlotIdentity._fields)
@pytest.mark.parametrize("result", ["arrived", "failed"])
def test_a_result_is_not_mine_when_one_of_seven_fields_differs(field: str, result: str) -> None:
    """ORD-07: for result consumption it means "not mine": nothing changes."""
    courier = Courier()
    courier.travel()
    order = courier.order
    order.slot = order.slot._replace(**{field: OTHER[field]})
    if result == "arrived":
        courier.world.movement.arrive(courier.row)
    else:
        courier.world.movement.fail(courier.row, MoveReason.BLOCKED)
    before = replace(order)
    courier.world.order_passes.post_pass()
    assert order == before


def test_the_identity_fields_are_seven() -> None:
    """ORD-07: tree kind, slot index, task type, source, script flag, command kind, session."""
    assert set(SlotIdentity._fields) == set(OTHER)
    assert len(SlotIdentity._fields) == 7


def test_a_task_that_is_over_is_not_active() -> None:
    """ORD-07: live means entered, not finished, not cancelled."""
    courier = Courier()
    courier.travel()
    task = courier.task()
    assert task is not None
    task.flags |= HAS_FINISHED
    assert courier.hold().reason is Refusal.NOT_ACTIVE
    task.flags &= ~HAS_FINISHED
    assert courier.hold().accepted


@pytest.mark.parametrize(("off_cm", "accepted"), [(0.0099, True), (0.0101, False)])
@pytest.mark.parametrize("axis", range(3))
def test_the_goals_must_agree_within_a_tenth_of_a_millimetre(
    off_cm: float, accepted: bool, axis: int
) -> None:
    """ORD-07: each component within 0.01 cm, else GOAL_MISMATCH."""
    courier = Courier()
    courier.travel()
    goal = list(courier.world.table.goals[courier.row])
    goal[axis] += off_cm
    courier.world.table.goals[courier.row] = Vec3(*goal)
    reply = courier.hold()
    assert reply.accepted is accepted
    assert accepted or reply.reason is Refusal.GOAL_MISMATCH


def test_an_equal_goal_of_another_owner_is_no_proof() -> None:
    """ORD-01, ORD-07: the same goal under another identity is another movement."""
    courier = Courier()
    courier.travel()
    table = courier.world.table
    owner = table.owners[courier.row]
    assert owner is not None
    table.owners[courier.row] = replace(owner, tag=owner.tag + 1)
    assert courier.hold().reason is Refusal.GOAL_MISMATCH


def test_a_foreign_movement_in_failed_state_does_not_count() -> None:
    """ORD-07, section 12 (11): a foreign movement task in Failed state raises no failure_count."""
    courier = Courier()
    courier.travel()
    walker = courier.put(Walker(Vec3(300.0, 900.0)), NONTEMP)
    courier.step(5)
    assert courier.movement.owner == walker.move_owner
    courier.movement.fail(MoveReason.BLOCKED)
    courier.step()
    assert courier.movement.status is MoveStatus.FAILED
    assert courier.order.failure_count == 0
    assert courier.status is OrderStatus.TRAVELLING


def test_the_same_task_type_of_another_session_is_refused() -> None:
    """ORD-07, section 12 (8): an old session commands nothing of a new one, goals being equal."""
    courier = Courier()
    courier.travel()
    assert courier.cancel().accepted
    assert courier.start().accepted
    courier.step(10)
    assert courier.order.session == 2
    assert courier.order.goal == GOAL_A
    for command in (courier.hold, courier.go_on, courier.redirect, courier.cancel):
        before = courier.snapshot()
        assert command(1).reason is Refusal.WRONG_SESSION
        assert courier.snapshot() == before


def test_a_ped_without_an_order_knows_no_session() -> None:
    """ORD-13, section 1.4: wrong session, or nothing to cancel."""
    courier = Courier()
    assert courier.hold().reason is Refusal.WRONG_SESSION
    assert courier.cancel().reason is Refusal.NOTHING_TO_CANCEL


@pytest.mark.parametrize("slot", [TEMP, NONTEMP])
def test_an_interrupted_order_takes_no_command_but_cancel(slot: int) -> None:
    """ORD-19 b, section 1.4: INTERRUPTED for Hold, Continue, Redirect; Cancel is accepted."""
    courier = Courier()
    courier.travel()
    assert courier.hold().accepted
    courier.respond(slot)
    courier.step(5)
    for command in (courier.hold, courier.go_on, courier.redirect):
        before = courier.snapshot()
        assert command().reason is Refusal.INTERRUPTED
        assert courier.snapshot() == before
    assert courier.cancel().accepted
    assert courier.status is OrderStatus.CANCELLED


def test_commands_are_taken_in_the_step_after_an_overlay_has_gone() -> None:
    """ORD-07, ORD-19 a: dormant, or about to resume, the order is live."""
    courier = Courier()
    courier.travel()
    courier.fall()
    courier.step(10)
    courier.get_up()
    task = courier.task()
    assert task is not None
    assert task.is_aborted
    assert courier.hold().accepted


# -- foreign slots (LVL-22) --------------------------------------------------------------------


def movement_slot_of(courier: Courier) -> dict[str, Any]:
    """The movement slot with all that belongs to it: task, goal, path, generation, claim."""
    movement = courier.movement
    general = courier.ped.tasks.tree(MOVEMENT).get_task(MovementTreeSlot.GENERAL)
    return {
        "task": None if general is None else general.uid,
        "owner": movement.owner,
        "goal": movement.goal,
        "path": movement.path,
        "generation": movement.generation,
        "status": movement.status,
        "hold": movement.command_hold,
        "claims": [
            claim
            for claim in courier.world.movement.claims.held(courier.ped.slot)
            if claim.owner_kind is not ClaimOwner.ORDER
        ],
    }


@pytest.mark.parametrize("held", [False, True])
def test_cancel_leaves_a_foreign_movement_slot_as_found(held: bool) -> None:
    """ORD-13, LVL-22: goal, path, generation, hold and claim equal before and after Cancel."""
    courier = Courier()
    courier.travel()
    walker = courier.put(Walker(Vec3(300.0, 900.0)), NONTEMP)
    courier.step(5)
    assert courier.movement.owner == walker.move_owner
    if held:
        courier.movement.hold()
    before = movement_slot_of(courier)
    assert courier.cancel().accepted
    assert movement_slot_of(courier) == before
    assert courier.task(NONTEMP) is walker
    assert courier.task() is None, "the main slot was still the order's own"
    courier.step(3)
    after = movement_slot_of(courier)
    assert {**after, "path": before["path"]} == before


def test_cancel_foreign_slot_untouched() -> None:
    """ORD-13, LVL-22: a foreign task in the main slot stays, and keeps running."""
    courier = Courier()
    courier.travel()
    foreign = courier.put(Idler(), MAIN)
    courier.step(5)
    before = movement_slot_of(courier)
    assert courier.cancel().accepted
    assert courier.status is OrderStatus.CANCELLED
    assert courier.task() is foreign
    assert isinstance(foreign, Idler)
    updates = foreign.updates
    courier.step(3)
    assert foreign.updates == updates + 3
    assert before["owner"] == MoveOwner(int(TaskType.ORDER), courier.source, 1)
    assert courier.movement.status is MoveStatus.CANCELLED, "the movement was the order's own"


def test_nothing_completes_out_of_a_foreign_movement() -> None:
    """LVL-22: a foreign record that arrives completes no order and keeps its claim."""
    courier = Courier()
    courier.travel()
    walker = courier.put(Walker(Vec3(300.0, 900.0)), NONTEMP)
    courier.step(5)
    owner = walker.move_owner
    courier.world.movement.arrive(courier.row)
    before = movement_slot_of(courier)
    courier.world.order_passes.post_pass()
    assert movement_slot_of(courier) == before
    assert courier.movement.owner == owner
    assert courier.status is OrderStatus.TRAVELLING


def test_the_diagnostic_generation_decides_nothing() -> None:
    """ORD-21: it mirrors the movement's; corrupted, behaviour is unchanged."""
    runs = []
    for corrupt in (False, True):
        courier = Courier()
        courier.travel()
        assert courier.order.last_child_generation == courier.movement.generation
        for _ in range(600):
            if corrupt and courier.order.live:
                courier.order.last_child_generation = -7
            courier.step()
        assert courier.order.completed
        runs.append(courier.world.fingerprint.hexdigest())
    assert runs[0] == runs[1]


def test_the_diagnostic_generation_follows_the_movement() -> None:
    """ORD-21: it mirrors the last movement generation seen."""
    courier = Courier()
    courier.travel()
    assert courier.redirect().accepted
    courier.step()
    assert courier.order.last_child_generation == courier.movement.generation
    courier.movement.request_goal(Vec3(5.0, 5.0), SpeedMode.WALK, MoveOwner(99, None, 1))
    seen = courier.order.last_child_generation
    courier.world.order_passes.post_pass()
    assert courier.order.last_child_generation == seen, "another owner's is not the order's"
    assert courier.ped.tasks.tree(PRIMARY).get_task(MAIN) is not None
