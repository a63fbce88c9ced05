"""The checks of an order's start, in their order: the first failure is the reply (ORD-05).

They read and never change anything. Passing them permits the attempt alone:
whether the goal projects, connects and has room is found out by path and walk.
"""

from __future__ import annotations

import math
from typing import Protocol

from ai.behaviours.actor import Actor
from ai.behaviours.approach import approach_point, goal_is_usable, transform_is_usable
from ai.behaviours.order_commands import PASSED, CheckResult, Refusal
from ai.behaviours.order_ownership import RESPONSE_SLOTS
from ai.behaviours.order_record import OrderState
from ai.events.script_commands import ScriptCommands
from ai.events.slot_identity import SlotIdentity
from ai.ports import EntityRef, ObjectTransform, ObjectTransforms, OrderSources, Vec3
from ai.tasks.trees import PRIMARY, PrimarySlot


class PedDirectory(Protocol):
    """Finds peds by handle."""

    def resolve(self, ref: EntityRef) -> Actor | None:
        """The ped, also one that is retired but not yet removed; None for a stale handle."""
        ...


def check_ped(actor: Actor | None) -> CheckResult:
    """Row 1."""
    if actor is None:
        return CheckResult(Refusal.NO_PED)
    if actor.retired:
        return CheckResult(Refusal.PED_RETIRED, f"ped#{actor.ped_id}")
    return PASSED


def check_source(source: EntityRef | None, sources: OrderSources) -> CheckResult:
    """Row 2: a source that is named must live."""
    if source is not None and not sources.is_alive(source):
        return CheckResult(Refusal.BAD_SOURCE, f"source={source}")
    return PASSED


def check_target(
    target: EntityRef, offset: Vec3, transforms: ObjectTransforms, offset_max_cm: float
) -> CheckResult:
    """Rows 3 to 5: the object, the offset, the transform; and that they make a goal (NAV-03)."""
    if target.world != transforms.world:
        return CheckResult(Refusal.OTHER_WORLD, f"world={target.world}")
    transform = transforms.transform(target)
    if transform is None:
        return CheckResult(Refusal.NO_OBJECT, f"object={target}")
    if transforms.is_dying(target):
        return CheckResult(Refusal.OBJECT_DYING, f"object={target}")
    if not math.hypot(*offset) <= offset_max_cm:
        return CheckResult(Refusal.BAD_OFFSET, f"offset={tuple(offset)}")
    if not transform_is_usable(transform):
        return CheckResult(Refusal.BAD_TRANSFORM, f"transform={_numbers(transform)}")
    goal = approach_point(transform, offset)
    if not goal_is_usable(goal):
        return CheckResult(Refusal.BAD_GOAL, f"goal={tuple(goal)}")
    return PASSED


def check_permission(
    actor: Actor, order: OrderState | None, source: EntityRef | None, scripts: ScriptCommands
) -> CheckResult:
    """Rows 6 to 10: may this source change what the ped does?

    ``order`` is the ped's live or last one. The task of an ended order only waits for
    its next update and is in nobody's way.
    """
    if actor.vehicle_link is not None:
        return CheckResult(Refusal.VEHICLE_RELATION, f"vehicle={actor.vehicle_link}")
    if actor.tasks_suppressed:
        return CheckResult(Refusal.SUPPRESSED, "tasks_suppressed=True")
    if order is not None and order.live and order.source == source:
        return CheckResult(Refusal.SESSION_RUNNING, f"session={order.session}")
    tree = actor.tasks.tree(PRIMARY)
    for slot in RESPONSE_SLOTS:
        if tree.get_task(slot) is not None:
            return CheckResult(Refusal.FOREIGN_MAIN_ACTIVE, f"slot={slot.name}")
    if _is_foreign(scripts.main_identity(actor), order, source):
        return CheckResult(Refusal.FOREIGN_MAIN_ACTIVE, f"slot={PrimarySlot.PRIMARY.name}")
    waiting = scripts.waiting_source(actor)
    if waiting is not None and waiting != source:
        return CheckResult(Refusal.FOREIGN_MAIN_PENDING, f"source={waiting}")
    return PASSED


def _is_foreign(
    main: SlotIdentity | None, order: OrderState | None, source: EntityRef | None
) -> bool:
    if main is None:
        return False
    if order is not None and not order.live and main == order.slot:
        return False
    return main.source is None or main.source != source


def _numbers(transform: ObjectTransform) -> tuple[float, ...]:
    return (*transform.position, transform.yaw_rad, *transform.scale)
