"""Schema of ``assets/tuning/wander.toml`` (TASK-121)."""

from __future__ import annotations

from pydantic import Field, model_validator

from ai.tuning import OwnForm


class WanderTuning(OwnForm):
    """How a ped with nothing to do walks about. Lengths in cm, times in s, speeds in cm/s."""

    goal_near: float = Field(gt=0.0, le=100_000.0)
    goal_far: float = Field(gt=0.0, le=100_000.0)
    candidates: int = Field(ge=1, le=64)
    project_shift: float = Field(ge=0.0, le=1000.0)
    goal_room: float = Field(gt=0.0, le=300.0)
    goal_taken_near: float = Field(ge=0.0, le=1000.0)
    goal_taken_wait: float = Field(gt=0.0, le=60.0)
    ahead_deg: float = Field(gt=0.0, le=180.0)
    ahead_weight: float = Field(gt=0.0)
    side_weight: float = Field(gt=0.0)
    behind_weight: float = Field(gt=0.0)
    pause_max: float = Field(ge=0.0, le=60.0)
    no_goal_stand: float = Field(gt=0.0, le=60.0)
    failures_max: int = Field(ge=1, le=100)
    failure_stand: float = Field(gt=0.0, le=60.0)
    surface_cost_max: float = Field(gt=0.0)

    @model_validator(mode="after")
    def _ordered(self) -> WanderTuning:
        if self.goal_near > self.goal_far:
            raise ValueError("goal_near must not exceed goal_far")
        return self
