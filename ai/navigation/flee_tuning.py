"""Schema of ``assets/tuning/flee.toml`` (FLEE-02 to FLEE-05)."""

from __future__ import annotations

from pydantic import Field

from ai.tuning import OwnForm


class FleeTuning(OwnForm):
    """The whole file; lengths in cm."""

    angles_deg: list[float] = Field(min_length=1, max_length=36)
    beyond_safe_cm: list[float] = Field(min_length=1, max_length=16)
    default_away: tuple[float, float]
    on_threat_cm: float = Field(gt=0.0)
    shift_max_cm: float = Field(ge=0.0)
    clear_of_safe_cm: float = Field(ge=0.0)
    expansions_max: int = Field(ge=1)
    expansions_per_step: int = Field(ge=1)
    route_weight: float = Field(ge=0.0)
    pass_share: float = Field(ge=0.0, le=1.0)
    pass_min_cm: float = Field(ge=0.0)
    pass_gain_cm: float = Field(ge=0.0)
    body_radius_cm: float = Field(gt=0.0)
    body_low_cm: float = Field(ge=0.0)
    body_high_cm: float = Field(gt=0.0)
    ped_spacing_cm: float = Field(ge=0.0)
