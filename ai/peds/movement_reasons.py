"""Which of a ped's tasks keep its general movement from running (NAV-14, NAV-16).

Motion knows claims and bodies; it is told here what the task trees say. The two
bits change only when trees change, so they are stated after each full update.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.motion.movement_table import MoveStatus, SuspendReason
from ai.tasks.trees import MOVEMENT, PRIMARY, MovementTreeSlot, PrimarySlot

if TYPE_CHECKING:
    from ai.motion.movement_table import MoveOwner
    from ai.peds.ped import Ped
    from ai.tasks.task import Task

_LIVE = (MoveStatus.WAITING_PATH, MoveStatus.WALKING)


def owner_served_by(task: Task) -> MoveOwner | None:
    """The movement identity that a task owns or states speed for; None if it moves nothing."""
    identity: MoveOwner | None = getattr(task, "move_owner", None) or getattr(task, "owner", None)
    return identity


def slot_belongs_to_another(ped: Ped) -> bool:
    """NOT_OWNER: the general slot serves another owner, or nobody states the live movement.

    Empty while something physical stands above the parent does not count.
    """
    owner = ped.movement.owner
    if owner is None or ped.movement.status not in _LIVE:
        return False
    task = ped.tasks.tree(MOVEMENT).get_task(MovementTreeSlot.GENERAL)
    if task is not None:
        return owner_served_by(task) != owner
    physical = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PHYSICAL_RESPONSE)
    return physical is None


def main_task_is_foreign(ped: Ped) -> bool:
    """FOREIGN_MAIN: the active main task is not the one that owns the movement (NAV-16).

    Default tasks and physical overlays never count: the latter act through BODY
    or their claim.
    """
    owner = ped.movement.owner
    if owner is None:
        return False
    tree = ped.tasks.tree(PRIMARY)
    active = tree.active_slot
    if active is None or active in (PrimarySlot.PHYSICAL_RESPONSE, PrimarySlot.DEFAULT):
        return False
    task = tree.active_root
    assert task is not None
    return owner_served_by(task) != owner


def state_movement_reasons(ped: Ped) -> None:
    """Tell coordination both bits."""
    coordination = ped.services.coordination
    coordination.set_reason(ped.slot, SuspendReason.NOT_OWNER, slot_belongs_to_another(ped))
    coordination.set_reason(ped.slot, SuspendReason.FOREIGN_MAIN, main_task_is_foreign(ped))
