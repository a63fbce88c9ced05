"""Schema of ``limits.toml``: tasks of a world, detail of its minds (TASK-88, TASK-118)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

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


class AiLodLimits(OwnForm):
    """Section ``[ai_lod]`` (TASK-119): distances from the focus, steps between full updates.

    No period is over a second, the longest time that a task must take in (TASK-86).
    """

    near_cm: float = Field(ge=0.0, le=100_000.0)
    medium_cm: float = Field(ge=0.0, le=100_000.0)
    coarser_past_cm: float = Field(ge=0.0, le=10_000.0)
    near_period: int = Field(ge=1, le=60)
    medium_period: int = Field(ge=1, le=60)
    far_period: int = Field(ge=1, le=60)

    @field_validator("medium_cm")
    @classmethod
    def _lies_beyond(cls, medium_cm: float, others: ValidationInfo) -> float:
        if medium_cm < others.data.get("near_cm", 0.0):
            raise ValueError("must be at least near_cm; raise it or lower near_cm")
        return medium_cm


class HelperLimits(OwnForm):
    """Section ``[helpers]``: places in the pool of each kind of helper (TASK-91)."""

    each: int = Field(ge=1, le=10_000)
    each_in_crowd: int = Field(ge=1, le=10_000)

    def size(self, profile: str) -> int:
        """Places of each kind under a profile of the task pool."""
        return self.each_in_crowd if profile == "crowd" else self.each


class Limits(OwnForm):
    """The whole file."""

    tasks: TaskLimits
    ai_lod: AiLodLimits
    helpers: HelperLimits
