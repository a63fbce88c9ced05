"""Schema of ``assets/tuning/grab.toml``."""

from __future__ import annotations

from pydantic import Field

from ai.tuning import OwnForm


class GrabTuning(OwnForm):
    """How the hand pulls.

    - ``pull_cm_s2``: how hard, for each kg that it holds.
    - ``reach_cm_s``: how fast it follows the pointer.
    - ``lift_cm``, ``lift_cm_s``: how high a body is held, how fast it comes up.
    """

    pull_cm_s2: float = Field(gt=0.0, le=100_000.0)
    reach_cm_s: float = Field(gt=0.0, le=5000.0)
    lift_cm: float = Field(ge=0.0, le=200.0)
    lift_cm_s: float = Field(gt=0.0, le=2000.0)
