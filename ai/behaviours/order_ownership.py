"""Does this order still own the task and the movement it speaks of (ORD-07)?

Every command and every consumption of a movement result asks first. Holding a
ped reference, the same task type or an equal goal are each not enough.
"""

from __future__ import annotations

from ai.behaviours.actor import Actor
from ai.behaviours.order_commands import PASSED, CheckResult, Refusal
from ai.behaviours.order_record import OrderState
from ai.events.script_commands import ScriptCommands
from ai.motion.movement_table import MoveOwner
from ai.ports import Vec3
from ai.tasks.task_types import TaskType
from ai.tasks.trees import PRIMARY, PrimarySlot

RESPONSE_SLOTS = (PrimarySlot.EVENT_RESPONSE_TEMP, PrimarySlot.EVENT_RESPONSE_NONTEMP)
"""Slots above PRIMARY whose tasks interrupt an order; a physical overlay does not (ORD-19)."""


def movement_owner(order: OrderState) -> MoveOwner:
    """The identity that a movement of this order carries (NAV-01)."""
    return MoveOwner(int(TaskType.ORDER), order.source, order.session)


def same_goal(one: Vec3, other: Vec3, tolerance_cm: float) -> bool:
    """Equal within ``tolerance_cm`` in each component (ORD-07)."""
    return (
        abs(one.x - other.x) <= tolerance_cm
        and abs(one.y - other.y) <= tolerance_cm
        and abs(one.z - other.z) <= tolerance_cm
    )


def owns_movement(actor: Actor, order: OrderState, tolerance_cm: float) -> bool:
    """True if the general movement record serves this order and its goal."""
    movement = actor.movement
    return movement.owner == movement_owner(order) and same_goal(
        movement.goal, order.goal, tolerance_cm
    )


def owns_main_slot(actor: Actor, order: OrderState, scripts: ScriptCommands) -> CheckResult:
    """Compare the seven identity fields of what stands in PRIMARY with the record's."""
    identity = scripts.main_identity(actor)
    if identity is None:
        return CheckResult(Refusal.SLOT_MISMATCH, "task_type")
    difference = order.slot.first_difference(identity)
    if difference is not None:
        return CheckResult(Refusal.SLOT_MISMATCH, difference)
    return PASSED


def check_ownership(
    actor: Actor, order: OrderState, scripts: ScriptCommands, tolerance_cm: float
) -> CheckResult:
    """The whole check of ORD-07, in its order: identity, liveness, goal.

    - SLOT_MISMATCH with the field, if one of the seven differs.
    - INTERRUPTED with the slot, if an event response stands above the order (ORD-19).
    - NOT_ACTIVE, if the task was never entered, or is over. An aborted one lies under a
      physical overlay, or resumes in its next update: it is live.
    - GOAL_MISMATCH, if the movement serves somebody else or another goal.
    """
    main = owns_main_slot(actor, order, scripts)
    if main is not PASSED:
        return main
    tree = actor.tasks.tree(PRIMARY)
    for slot in RESPONSE_SLOTS:
        if tree.get_task(slot) is not None:
            return CheckResult(Refusal.INTERRUPTED, slot.name)
    task = tree.get_task(PrimarySlot.PRIMARY)
    assert task is not None
    if task.has_finished or not (task.has_entered or task.is_aborted):
        return CheckResult(Refusal.NOT_ACTIVE)
    if not owns_movement(actor, order, tolerance_cm):
        return CheckResult(Refusal.GOAL_MISMATCH)
    return PASSED
