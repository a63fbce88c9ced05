"""Schema of ``assets/tuning/blasts.toml``."""

from __future__ import annotations

from pydantic import Field

from ai.tuning import OwnForm


class BlastTuning(OwnForm):
    """How far a blast reaches, and how hard.

    ``throws_share`` of the radius throws people over (EVT-40); a wall shelters that reaches
    from ``wall_low_cm`` to ``wall_high_cm``.
    """

    radius_cm: float = Field(gt=0.0, le=5000.0)
    power: float = Field(gt=0.0, le=1e6)
    lift: float = Field(ge=0.0, le=1e6)
    throws_share: float = Field(ge=0.0, le=1.0)
    prop_speed_max_cm_s: float = Field(gt=0.0, le=6000.0)
    hear_cm: float = Field(gt=0.0, le=100_000.0)
    wall_low_cm: float = Field(ge=0.0, le=1000.0)
    wall_high_cm: float = Field(gt=0.0, le=1000.0)
