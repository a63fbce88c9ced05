"""Schema of ``limits.toml``: how many tasks a world may hold (TASK-88, TASK-118)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ai.tasks.task_pool import TaskPool
from ai.tuning import OwnForm


class TaskLimits(OwnForm):
    """Section ``[tasks]``; the profile's memory budget is checked when the pool is made."""

    pool_slots: int = Field(ge=1, le=1_000_000)
    essential_reserve: int = Field(ge=0, le=1_000_000)
    profile: Literal["compact_a", "compact_b", "standard", "crowd"]

    def make_pool(self) -> TaskPool:
        """A world's pool.

        Raises ``ValueError`` naming both figures if the slots do not fit the profile.
        """
        return TaskPool(self.pool_slots, self.essential_reserve, self.profile)


class Limits(OwnForm):
    """The whole file."""

    tasks: TaskLimits
