"""Schema of ``assets/tuning/peds.toml``."""

from __future__ import annotations

from pydantic import Field

from ai.behaviours.injury import DamageTuning, InjuryTuning
from ai.tuning import OwnForm


class ThreatTuning(OwnForm):
    """How long a threat is kept in mind (EVT-104)."""

    max: int = Field(ge=1, le=64)
    dead_s: float = Field(ge=0.0)
    forget_s: float = Field(gt=0.0)
    forget_beyond_cm: float = Field(ge=0.0)
    just_perceived_s: float = Field(ge=0.0)
    hear_cm: float = Field(ge=0.0)


class PedTuning(OwnForm):
    """The whole file."""

    threats: ThreatTuning
    damage: DamageTuning
    injury: InjuryTuning
