"""The checks of an order's start, in their order: the first failure is the reply (ORD-05).

They read and never change anything. Passing them permits the attempt alone:
whether the goal projects, connects and has room is found out by path and walk.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from ai.behaviours.actor import Actor
from ai.behaviours.approach import transform_is_usable
from ai.behaviours.order_commands import Refusal
from ai.behaviours.order_record import OrderState
from ai.events.script_commands import ScriptCommands
from ai.ports import EntityRef, ObjectTransform, ObjectTransforms, OrderSources, Vec3
from ai.tasks.trees import PRIMARY, PrimarySlot


class PedDirectory(Protocol):
    """Finds peds by handle."""

    def resolve(self, ref: EntityRef) -> Actor | None:
        """The ped, also one that is retired but not yet removed; None for a stale handle."""
        ...


class CheckResult(NamedTuple):
    """NONE, or the first refusal with the value at fault."""

    refusal: Refusal
    detail: str = ""


PASSED = CheckResult(Refusal.NONE)

_MAIN_SLOTS = (
    PrimarySlot.EVENT_RESPONSE_TEMP,
    PrimarySlot.EVENT_RESPONSE_NONTEMP,
    PrimarySlot.PRIMARY,
)


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
    """Rows 3 to 5: the object, the offset, the transform."""
    if target.world != transforms.world:
        return CheckResult(Refusal.OTHER_WORLD, f"world={target.world}")
    transform = transforms.transform(target)
    if transform is None:
        return CheckResult(Refusal.NO_OBJECT, f"object={target}")
    if transforms.is_dying(target):
        return CheckResult(Refusal.OBJECT_DYING, f"object={target}")
    length = math.sqrt(offset.x**2 + offset.y**2 + offset.z**2)
    if not math.isfinite(length) or length > offset_max_cm:
        return CheckResult(Refusal.BAD_OFFSET, f"offset={tuple(offset)}")
    if not transform_is_usable(transform):
        return CheckResult(Refusal.BAD_TRANSFORM, f"transform={_numbers(transform)}")
    return PASSED


def check_permission(
    actor: Actor, order: OrderState | None, source: EntityRef | None, scripts: ScriptCommands
) -> CheckResult:
    """Rows 6 to 10: may this source change what the ped does?"""
    if actor.vehicle_link is not None:
        return CheckResult(Refusal.VEHICLE_RELATION, f"vehicle={actor.vehicle_link}")
    if actor.tasks_suppressed:
        return CheckResult(Refusal.SUPPRESSED)
    if order is not None and order.live and order.source == source:
        return CheckResult(Refusal.SESSION_RUNNING, f"session={order.session}")
    tree = actor.tasks.tree(PRIMARY)
    for slot in _MAIN_SLOTS:
        task = tree.get_task(slot)
        if task is None or task.has_finished:
            continue
        identity = scripts.main_identity(actor) if slot is PrimarySlot.PRIMARY else None
        owner = None if identity is None else identity.source
        if owner is None or owner != source:
            return CheckResult(Refusal.FOREIGN_MAIN_ACTIVE, f"slot={slot.name}")
    waiting = scripts.waiting_source(actor)
    if waiting is not None and waiting != source:
        return CheckResult(Refusal.FOREIGN_MAIN_PENDING, f"source={waiting}")
    return PASSED


def _numbers(transform: ObjectTransform) -> tuple[float, ...]:
    return (*transform.position, transform.yaw_rad, *transform.scale)
