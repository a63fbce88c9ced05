"""Schema of ``assets/tuning/navigation.toml`` (orders document, section 10)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from ai.tuning import OwnForm


class ClaimTuning(OwnForm):
    """Priorities of position claims (NAV-13); larger wins."""

    default: int = Field(ge=1, lt=90)
    general: int = Field(ge=1, lt=90)
    event: int = Field(ge=1, lt=90)
    stumble: int = Field(ge=1, lt=90)
    recovery: Literal[90]
    max: int = Field(ge=2, le=16)

    @model_validator(mode="after")
    def _in_order(self) -> ClaimTuning:
        if not self.default < self.general < self.event < self.stumble:
            raise ValueError("priorities must rise from default over general and event to stumble")
        return self


class NavigationTuning(OwnForm):
    """Path service, acceptance, retry and claim figures. Lengths in cm, times in s."""

    path_end_tolerance: float = Field(gt=0.0, le=100.0)
    arrive_distance: float = Field(gt=0.0, le=100.0)
    last_leg_min: float = Field(ge=0.0, le=15.0)
    max_points: int = Field(ge=2, le=4096)
    queue_size: int = Field(ge=1, le=65536)
    expansions_per_step: int = Field(ge=1, le=1_000_000)
    no_path_memory: float = Field(ge=0.0, le=600.0)
    no_path_entries: int = Field(ge=0, le=65536)
    expansions_max: int = Field(ge=1, le=1_000_000)
    queue_full_ticks: int = Field(ge=0, le=3600)
    blocked_limit: float = Field(gt=0.0, le=60.0)
    no_progress_limit: float = Field(gt=0.0, le=60.0)
    progress_min: float = Field(ge=0.0, le=5.0)
    retries_max: int = Field(ge=0, le=100)
    retry_reset_travel: float = Field(gt=0.0)
    replans_per_goal_max: int = Field(ge=0, le=1000)
    turn_exempt_max: float = Field(ge=0.0, le=60.0)
    stand_max: float = Field(gt=0.0, le=86400.0)
    claim: ClaimTuning
