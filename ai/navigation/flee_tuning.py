"""Schema of ``assets/tuning/flee.toml`` (FLEE-02 to FLEE-10, SAFE-03 to SAFE-11)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ai.tuning import OwnForm


class SafeTuning(OwnForm):
    """The safe response (SAFE); the three margins are keys of their own (SAFE-08)."""

    queue_margin_cm: float = Field(ge=0.0)
    arrival_margin_cm: float = Field(ge=0.0)
    distance_max_cm: float = Field(gt=0.0)
    start_within_s: float = Field(gt=0.0)
    moved_before_start_cm: float = Field(ge=0.0)
    sample_s: float = Field(gt=0.0)
    threat_moved_cm: float = Field(gt=0.0)
    towards_dot: float = Field(ge=-1.0, le=1.0)
    reselect_gap_s: float = Field(ge=0.0)
    reselect_max: int = Field(ge=1)
    refusal_cooldown_s: float = Field(ge=0.0)
    threats_max: int = Field(ge=1, le=16)
    own_entries_max: int = Field(ge=1, le=16)
    scripted_move: Literal["run", "sprint"]


class FleeTuning(OwnForm):
    """The whole file; lengths in cm."""

    safe: SafeTuning
    weight_from_cm: float = Field(gt=0.0)
    cancelled_below: float = Field(gt=0.0)

    angles_deg: list[float] = Field(min_length=1, max_length=36)
    beyond_safe_cm: list[float] = Field(min_length=1, max_length=16)
    default_away: tuple[float, float]
    on_threat_cm: float = Field(gt=0.0)
    shift_max_cm: float = Field(ge=0.0)
    clear_of_safe_cm: float = Field(ge=0.0)
    expansions_max: int = Field(ge=1)
    expansions_per_step: int = Field(ge=1)
    restart_move_cm: float = Field(ge=0.0)
    forgotten_steps: int = Field(ge=1)
    route_weight: float = Field(ge=0.0)
    pass_share: float = Field(ge=0.0, le=1.0)
    pass_min_cm: float = Field(ge=0.0)
    pass_gain_cm: float = Field(ge=0.0)
    body_radius_cm: float = Field(gt=0.0)
    body_low_cm: float = Field(ge=0.0)
    body_high_cm: float = Field(gt=0.0)
    ped_spacing_cm: float = Field(ge=0.0)
