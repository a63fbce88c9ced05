"""Schema of ``assets/tuning/orders.toml`` (orders document, section 10; ORD-25 for ``place``)."""

from __future__ import annotations

from pydantic import Field

from ai.tuning import OwnForm


class ApproachTuning(OwnForm):
    """Limits of an approach point's local offset, in cm (ORD-05 row 4)."""

    offset_max: float = Field(gt=0.0, le=100_000.0)


class GoalTuning(OwnForm):
    """How close two goals are the same, in cm per component (ORD-07)."""

    match: float = Field(gt=0.0, le=1.0)


class CommandTuning(OwnForm):
    """How many order commands one step takes (ORD-22)."""

    per_tick: int = Field(ge=1, le=65536)


class PlaceTuning(OwnForm):
    """How far an order to a place may be put onto walkable ground, in cm (ORD-25)."""

    project_max: float = Field(ge=0.0, le=1000.0)


class TrackingTuning(OwnForm):
    """How orders follow a moving object (ORD-20). Times in s, speeds in cm/s, lengths in cm.

    - ``resample``: time between two looks; ``lead``: time ahead of which the object is
      looked for while it is faster than ``lead_min_speed``.
    - ``still_speed``: up to this it stands, and can be arrived at.
    - ``move_threshold``: a goal of a moving object follows when this far off.
    - ``give_up``: CANNOT_CATCH after so long without coming ``give_up_gain`` nearer.
    """

    resample: float = Field(ge=0.05, le=60.0)
    lead: float = Field(ge=0.0, le=10.0)
    lead_min_speed: float = Field(ge=0.0, le=10_000.0)
    still_speed: float = Field(ge=0.0, le=10_000.0)
    move_threshold: float = Field(gt=0.0, le=10_000.0)
    give_up: float = Field(gt=0.0, le=3600.0)
    give_up_gain: float = Field(gt=0.0, le=10_000.0)


class OrderTuning(OwnForm):
    """The whole file."""

    approach: ApproachTuning
    goal: GoalTuning
    commands: CommandTuning
    place: PlaceTuning
    tracking: TrackingTuning
