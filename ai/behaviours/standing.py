"""Standing: the default task of peds that wait where the level put them."""

from __future__ import annotations

from enum import IntEnum

from ai.ports import at_least
from ai.tasks.task import Task
from ai.tasks.task_types import TaskType


class TaskStand(Task):
    """Stands for ``duration_s`` seconds, for ever if negative."""

    task_type = TaskType.STAND
    __slots__ = ("duration_s",)
    PARAMS = ("duration_s",)

    class State(IntEnum):
        """One state."""

        STAND = 0

    def __init__(self, duration_s: float = -1.0) -> None:
        super().__init__()
        self.duration_s = duration_s

    def on_update_stand(self, _dt: float) -> int | None:
        """End when the time is over."""
        if self.duration_s >= 0.0 and at_least(self.time_running, self.duration_s):
            return self.succeed()
        return None
