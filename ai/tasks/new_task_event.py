"""The displacement notice: tells an outgoing task what replaces it (TASK-40).

``ai/events`` registers it as event type 150, so that the kernel imports no events.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ai.tasks.task import Task

NEW_TASK_EVENT_TYPE: Final = 150
NEW_TASK_PRIORITY: Final = 1400


class NewTaskEvent:
    """Reason of an abort that makes room for another task.

    - ``new_type`` is the type of the task to come.
    - ``new_is_ragdoll`` lets a ragdoll task hand its limp body over.
    - ``priority`` is ``NEW_TASK``; the notice can't stop the replacement.
    """

    __slots__ = ("new_is_ragdoll", "new_type")

    event_type: Final = NEW_TASK_EVENT_TYPE
    priority: Final = NEW_TASK_PRIORITY

    def __init__(self, new_type: IntEnum, *, new_is_ragdoll: bool) -> None:
        self.new_type = new_type
        self.new_is_ragdoll = new_is_ragdoll


def displacement_notice(new: Task) -> NewTaskEvent:
    """The notice for a task that is about to take over."""
    return NewTaskEvent(new.task_type, new_is_ragdoll=new.is_ragdoll_behaviour)
