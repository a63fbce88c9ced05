"""Which of a ped's tasks keep its general movement from running (NAV-14, NAV-16).

Motion knows claims and bodies; it is told here what the task trees say. The two
bits change only when trees or the movement's owner change, and both make the ped's
next update a full one, so they are stated after each full update.

What is looked at, ``main`` being the first task in TEMP, NONTEMP, PRIMARY:

- A physical overlay is looked through: it acts through BODY or its claim, and what
  lies dormant under it keeps its slot. So a response under a fall stays foreign to
  the order below, and an order under a fall keeps its movement.
- The *parent* is ``main``, else the default task: whose movement it may be. It owns
  the movement if ``move_owner`` equals the record's owner in all parts; the same task
  type under another session is another owner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.motion.movement_table import SuspendReason
from ai.tasks.trees import GENERAL_MOVEMENT, MOVEMENT, PRIMARY, PrimarySlot

if TYPE_CHECKING:
    from ai.motion.movement_table import MoveOwner
    from ai.peds.ped import Ped
    from ai.tasks.task import Task

_PHYSICAL = int(PrimarySlot.PHYSICAL_RESPONSE)
_DEFAULT = int(PrimarySlot.DEFAULT)
_TEMP = int(PrimarySlot.EVENT_RESPONSE_TEMP)
_NONTEMP = int(PrimarySlot.EVENT_RESPONSE_NONTEMP)
_PRIMARY = int(PrimarySlot.PRIMARY)
_NOT_OWNER = int(SuspendReason.NOT_OWNER)
_FOREIGN_MAIN = int(SuspendReason.FOREIGN_MAIN)


def main_task(ped: Ped) -> Task | None:
    """What the ped is about besides its default task, with a physical overlay looked through."""
    return _main_of(ped.tasks.tree(PRIMARY).slots)


def _main_of(slots: list[Task | None]) -> Task | None:
    if slots[_TEMP] is not None:
        return slots[_TEMP]
    if slots[_NONTEMP] is not None:
        return slots[_NONTEMP]
    return slots[_PRIMARY]


def main_task_is_foreign(ped: Ped) -> bool:
    """FOREIGN_MAIN: the main task is not the one that owns the movement.

    A default task never is: it is active only if nothing else is.
    """
    if ped.movement.owner is None:
        return False
    main = main_task(ped)
    return main is not None and not _is_served(ped, main)


def slot_belongs_to_another(ped: Ped) -> bool:
    """NOT_OWNER: the general slot serves another owner, or nobody states the live movement.

    An empty slot does not count while the parent is dormant under a physical overlay:
    its movement task was swept and comes back with it.
    """
    if ped.movement.owner is None or not ped.movement.live:
        return False
    stated = ped.tasks.tree(MOVEMENT).slots[GENERAL_MOVEMENT]
    if stated is not None:
        return not _is_served(ped, stated)
    slots = ped.tasks.tree(PRIMARY).slots
    if slots[_PHYSICAL] is None:
        return True
    parent = _main_of(slots) or slots[_DEFAULT]
    return parent is None or not _is_served(ped, parent)


def _is_served(ped: Ped, task: Task) -> bool:
    """True if the identity of the movement that a task owns or states is the record's owner."""
    identity: MoveOwner | None = getattr(task, "move_owner", None)
    return identity is not None and ped.movement.serves(identity)


def state_movement_reasons(ped: Ped) -> None:
    """Tell coordination both bits."""
    bits = _NOT_OWNER if slot_belongs_to_another(ped) else 0
    if main_task_is_foreign(ped):
        bits |= _FOREIGN_MAIN
    ped.services.coordination.set_task_reasons(ped.slot, bits)
