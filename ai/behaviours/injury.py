"""Health: what harm takes of it, what is left, and what being hurt means (EVT-102)."""

from __future__ import annotations

from pydantic import Field

from ai.tuning import OwnForm


class DamageTuning(OwnForm):
    """What harm is worth (EVT-102), as shares of a whole health.

    An impact takes (speed change - ``impact_from_cm_s``) / ``impact_scale_cm_s``, at most
    ``impact_max``; a blast ``blast_max`` at its centre,
    a second of burning ``burning_per_s``.
    """

    impact_from_cm_s: float = Field(ge=0.0, le=10_000.0)
    impact_scale_cm_s: float = Field(gt=0.0, le=100_000.0)
    impact_max: float = Field(ge=0.0, le=1.0)
    blast_max: float = Field(ge=0.0, le=1.0)
    burning_per_s: float = Field(ge=0.0, le=1.0)
    immortal_rest: float = Field(gt=0.0, le=1.0)


class InjuryTuning(OwnForm):
    """What being hurt looks like, by the health that is left.

    - Below ``limps_below`` it walks at ``limp_speed`` of its pace.
    - Below ``lies_below`` it stays down after a fall and calls every ``call_gap_s``, until
      somebody helps or ``lies_s`` are over; then it has ``helped_to`` at least.
    - Who helps stands ``help_from_cm`` off and takes ``help_s``.
    """

    limps_below: float = Field(ge=0.0, le=1.0)
    limp_speed: float = Field(gt=0.0, le=1.0)
    lies_below: float = Field(ge=0.0, le=1.0)
    lies_s: float = Field(gt=0.0, le=600.0)
    call_gap_s: float = Field(gt=0.0, le=60.0)
    help_from_cm: float = Field(ge=60.0, le=500.0)
    help_s: float = Field(gt=0.0, le=60.0)
    helped_to: float = Field(ge=0.0, le=1.0)


def harm_of_impact(delta_v_cm_s: float, tuning: DamageTuning) -> float:
    """What a hit that changes the body's speed by so much takes."""
    over = (delta_v_cm_s - tuning.impact_from_cm_s) / tuning.impact_scale_cm_s
    return min(max(over, 0.0), tuning.impact_max)


def harm_of_blast(distance_cm: float, radius_cm: float, tuning: DamageTuning) -> float:
    """What a blast takes of whom it reaches, less with the distance."""
    return tuning.blast_max * max(0.0, 1.0 - distance_cm / radius_cm)


class Health:
    """A number in [0, 1], 1 at spawn; 0 is dead, and only then.

    Who is ``immortal`` keeps ``immortal_rest`` whatever comes.
    """

    __slots__ = ("_tuning", "immortal", "value")

    def __init__(self, tuning: DamageTuning, *, immortal: bool) -> None:
        self._tuning = tuning
        self.immortal = immortal
        self.value = 1.0

    def is_fatal(self, amount: float) -> bool:
        """Would this harm be the end?"""
        return not self.immortal and self.value > 0.0 and amount > 0.0 and amount >= self.value

    def take(self, amount: float) -> None:
        """Harm is done."""
        least = self._tuning.immortal_rest if self.immortal else 0.0
        self.value = max(min(self.value, 1.0) - max(amount, 0.0), least)

    def mend_to(self, value: float) -> None:
        """At least so much is left again; the dead stay dead."""
        if self.value > 0.0:
            self.value = max(self.value, value)
