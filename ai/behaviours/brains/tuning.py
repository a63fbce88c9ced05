"""How brains' actions are carried out, what guards perceive: ``assets/tuning/guards.toml``."""

from __future__ import annotations

from pydantic import Field

from ai.tuning import OwnForm


class MovingTuning(OwnForm):
    """Section ``[moving]``.

    - ``plant_s``: from the cancel of a walk until the feet stand and the mover is free.
    - ``retarget_cm``, ``retarget_s``: a chased ped has moved so far, and so long ago the goal
      was changed last, before it is changed again (ACT-18).
    - ``flee_safe_cm``: a flight ends this far from its source.
    """

    plant_s: float = Field(ge=0.0, le=2.0)
    retarget_cm: float = Field(gt=0.0, le=1000.0)
    retarget_s: float = Field(ge=0.0, le=10.0)
    flee_safe_cm: float = Field(gt=0.0, le=10_000.0)


class StrikeTuning(OwnForm):
    """Section ``[strike]``.

    - ``raise_s``: the feet are planted and the baton is drawn back; only then it is admitted.
    - ``swing_s``: from there to the contact, in which it can't be interrupted.
    - ``recover_s``: from the contact to the end. ``lower_s``: after a cancel or a refusal.
    - ``reach_cm``, ``angle_deg``: the target's centre at the contact, and how far off the facing.
    - ``impulse``: of the blow, in kg cm/s.
    """

    raise_s: float = Field(gt=0.0, le=5.0)
    swing_s: float = Field(gt=0.0, le=2.0)
    recover_s: float = Field(ge=0.0, le=5.0)
    lower_s: float = Field(ge=0.0, le=2.0)
    reach_cm: float = Field(gt=0.0, le=500.0)
    angle_deg: float = Field(gt=0.0, le=180.0)
    impulse: float = Field(gt=0.0, le=45_000.0)


class ExpressionTuning(OwnForm):
    """Section ``[expression]``.

    - ``say_s``: how long a line takes. ``look_s``: a look that names no time.
    - ``look_around_deg``, ``look_around_turn_s``: how far to each side, and a sweep there and back.
    """

    say_s: float = Field(gt=0.0, le=30.0)
    look_s: float = Field(gt=0.0, le=60.0)
    look_around_deg: float = Field(gt=0.0, le=180.0)
    look_around_turn_s: float = Field(gt=0.0, le=30.0)


class SenseTuning(OwnForm):
    """Section ``[senses]`` (HSM-30).

    - ``notice_cm``: a deed nearer than this is noticed, if it is seen.
    - ``glance_s``: how often an enemy that is not being fought is looked out for.
    - ``track_s``: how often one that is fought is (the service ``track_target``).
    - ``forget_s``: after the last sighting.
    - ``hear_cm``, ``told_s``: how far off a call of another guard is heard, and how long a
      guard goes by it as if it saw for itself.
    - ``call_lines``: lines that are calls.
    """

    notice_cm: float = Field(gt=0.0, le=10_000.0)
    glance_s: float = Field(gt=0.0, le=10.0)
    track_s: float = Field(gt=0.0, le=10.0)
    forget_s: float = Field(gt=0.0, le=600.0)
    hear_cm: float = Field(gt=0.0, le=10_000.0)
    told_s: float = Field(gt=0.0, le=60.0)
    call_lines: tuple[str, ...]


class BrainTuning(OwnForm):
    """The whole file."""

    moving: MovingTuning
    strike: StrikeTuning
    expression: ExpressionTuning
    senses: SenseTuning
