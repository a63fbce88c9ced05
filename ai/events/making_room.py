"""Making room for a response: who has to let go, and what if it does not (EVT-59, EVT-60)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.events.decision_trace import Reason
from ai.events.response import EventResponse
from ai.tasks.task import AbortPriority, Task
from ai.tasks.task_tree import TaskTree
from ai.tasks.trees import MOVEMENT, PRIMARY, SECONDARY

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.events.subject import EventPed

_URGENT = AbortPriority.URGENT
_IMMEDIATE = AbortPriority.IMMEDIATE


def make_room(ped: EventPed, event: Event, response: EventResponse) -> Task | None:
    """Ask what is in the way to let go; None once it has, else the task that refuses.

    - A main or physical part needs the active task of the main tree (of the secondary one
      for a side action), a lone movement part the active movement task.
    - With both, the main task decides; a movement task that refuses then must let go, so
      that no response is left half admitted. A refusal leaves everything as it was.
    """
    tree = ped.tasks.tree
    if response.main is not None or response.physical is not None:
        asked = tree(SECONDARY if response.run_on_secondary else PRIMARY)
        active = asked.active_root
        if not _lets_go(active, event) and not _is_forced(ped, event, active):
            return active
        _delete_if_allowed(asked, active)
        if response.movement is not None:
            movement = tree(MOVEMENT).active_root
            if not _lets_go(movement, event):
                assert movement is not None
                movement.make_abortable(_IMMEDIATE, event)
            _delete_if_allowed(tree(MOVEMENT), movement)
        return None
    movement = tree(MOVEMENT).active_root
    if not _lets_go(movement, event):
        return movement
    _delete_if_allowed(tree(MOVEMENT), movement)
    return None


def _lets_go(task: Task | None, event: Event) -> bool:
    return task is None or task.has_finished or task.make_abortable(_URGENT, event)


def _is_forced(ped: EventPed, event: Event, task: Task | None) -> bool:
    """The body is simulated and the event takes it over: the task should have yielded (EVT-60)."""
    if (
        task is None
        or not ped.is_ragdolling
        or not (event.requires_ragdoll_abort or event.requires_melee_abort)
        or task.is_ragdoll_behaviour
        or task.decides_forced_aborts
    ):
        return False
    ped.events.trace.note(Reason.FORCED_IMMEDIATE, event, ped, repr(task))
    return task.make_abortable(_IMMEDIATE, event)


def _delete_if_allowed(tree: TaskTree, task: Task | None) -> None:
    """An aborted task that may be deleted goes at once; a default task stays."""
    if task is None or task.is_deleted or not task.may_delete_on_abort():
        return
    slot = tree.slots.index(task)
    if tree.default is None or tree.default.index != slot:
        tree.take_out(slot)
