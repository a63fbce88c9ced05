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


class OrderTuning(OwnForm):
    """The whole file."""

    approach: ApproachTuning
    goal: GoalTuning
    commands: CommandTuning
    place: PlaceTuning
