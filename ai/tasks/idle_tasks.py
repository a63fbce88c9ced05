"""What an entity does when there is nothing to do (TASK-70)."""

from __future__ import annotations

from enum import IntEnum

from ai.ports import at_least
from ai.tasks.move_interface import MBR_STILL
from ai.tasks.movement import MoveTaskBase
from ai.tasks.task import Task
from ai.tasks.task_flags import Result
from ai.tasks.task_types import TaskType

FOR_EVER = -1.0


class DoNothing(Task):
    """Does nothing for ``duration_s`` seconds, for ever if negative."""

    task_type = TaskType.DO_NOTHING
    __slots__ = ("duration_s",)
    PARAMS = ("duration_s",)
    ESSENTIAL = True

    class State(IntEnum):
        """One state."""

        WAIT = 0

    def __init__(self, duration_s: float = FOR_EVER) -> None:
        super().__init__()
        self.duration_s = duration_s

    def on_update_wait(self, _dt: float) -> Result | None:
        """End once the time is over; interruptions do not count towards it."""
        if self.duration_s >= 0.0 and at_least(self.time_running, self.duration_s):
            return self.succeed()
        return None


class MoveStandStill(MoveTaskBase):
    """Wishes no speed: what the movement tree does when nobody moves the entity."""

    task_type = TaskType.MOVE_STAND_STILL
    __slots__ = ()
    PARAMS = ()
    ESSENTIAL = True

    def __init__(self) -> None:
        super().__init__(MBR_STILL)

    def process_move(self, dt: float) -> bool:  # noqa: ARG002
        """Stand, for ever."""
        return False
