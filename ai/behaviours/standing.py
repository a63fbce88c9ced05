"""Standing: the default task of peds that wait where the level put them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import ClassVar, Self

from ai.ports import at_least
from ai.tasks.mirrorable import FieldValue, MirrorableTask
from ai.tasks.task_types import TaskType


class TaskStand(MirrorableTask):
    """Stands for ``duration_s`` seconds, for ever if negative."""

    task_type = TaskType.STAND
    __slots__ = ("duration_s",)
    PARAMS = ("duration_s",)
    INFO_FIELDS: ClassVar[dict[str, type]] = {"duration_s": float}

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

    def on_mirror_update_stand(self, _dt: float) -> int | None:
        """Stand as long as the owner does."""
        return self.follow_owner()

    @classmethod
    def create_local(cls, payload: Mapping[str, FieldValue]) -> Self:
        """Stand on; what has passed of a limited time begins anew."""
        return cls(float(payload["duration_s"]))
