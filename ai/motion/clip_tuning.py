"""Schema of ``assets/tuning/clips.toml`` (orders document, section 10, rows "clips.toml")."""

from __future__ import annotations

from pydantic import Field, model_validator

from ai.tuning import OwnForm


class ClipTuning(OwnForm):
    """How clips are sampled, stepped through and judged. Lengths in cm, times in s."""

    intervals: int = Field(ge=2, le=1000)
    samples: int = Field(ge=3, le=1001)
    rate_min: float = Field(gt=0.0, le=1.0)
    rate_max: float = Field(ge=1.0, le=10.0)
    bisection_steps: int = Field(ge=1, le=52)
    tail_remaining: float = Field(gt=0.0, le=10.0)
    backstep_max: float = Field(ge=0.0, le=100.0)
    arc_ratio_max: float = Field(ge=1.0, le=10.0)
    turn_total_min_deg: float = Field(gt=0.0, le=180.0)
    turn_sample_max_deg: float = Field(gt=0.0, le=180.0)
    duration_match: float = Field(ge=0.0, le=0.1)
    reference_match_percent: float = Field(ge=0.0, le=100.0)

    @model_validator(mode="after")
    def _samples_include_both_ends(self) -> ClipTuning:
        if self.samples != self.intervals + 1:
            raise ValueError(f"samples must be intervals + 1 = {self.intervals + 1} (CLIP-02)")
        return self
