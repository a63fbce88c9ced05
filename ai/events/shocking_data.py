"""Schema of ``assets/events/shocking.toml``: the kinds of shocking events (EVT-87)."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from pydantic import Field, model_validator

from ai.events.event_tuning import DelayRange, ordered
from ai.events.priorities import EventPriority
from ai.events.types import EventType
from ai.tuning import OwnForm

FIRST_SHOCKING = EventType.SHOCKING_NICE_CAR
LAST_SHOCKING = EventType.SHOCKING_EXPLOSION
SHOCKING_TYPES = tuple(one for one in EventType if FIRST_SHOCKING <= one <= LAST_SHOCKING)


class ShockClass(Enum):
    """How serious it is; the value is its priority."""

    INTERESTING = EventPriority.SHOCK_INTERESTING
    AFFECTS_OTHERS = EventPriority.SHOCK_AFFECTS_OTHERS
    POTENTIAL = EventPriority.SHOCK_POTENTIAL_DANGER
    DANGEROUS = EventPriority.SHOCK_DANGEROUS
    SERIOUS = EventPriority.SHOCK_SERIOUS_DANGER


ClassName = Literal["interesting", "affects_others", "potential", "dangerous", "serious"]


class Close(OwnForm):
    """Inside this distance the class is another."""

    distance_cm: float = Field(gt=0.0)
    class_: ClassName = Field(alias="class")


class ShockKind(OwnForm):
    """One kind. ``max_watchers`` -1 is any number."""

    class_: ClassName = Field(alias="class")
    see_cm: float = Field(ge=0.0)
    hear_cm: float = Field(ge=0.0)
    life_s: float = Field(gt=0.0)
    delay_s: DelayRange
    close: Close | None = None
    spawn_block_cm: float = Field(ge=0.0)
    max_watchers: int = Field(ge=-1)
    stampede: bool = False

    @model_validator(mode="after")
    def _sensible(self) -> ShockKind:
        ordered(self.delay_s)
        if self.see_cm == 0.0 and self.hear_cm == 0.0:
            raise ValueError("see_cm and hear_cm are both 0: nobody would notice it")
        return self

    @property
    def reach_cm(self) -> float:
        """The coarse radius: the larger of seeing and hearing."""
        return max(self.see_cm, self.hear_cm)

    @property
    def life_ticks(self) -> int:
        """Ticks in the global group: it is offered in exactly ``life_s * 60`` steps (EVT-86)."""
        return round(self.life_s * 60) - 1

    def shock_class(self, distance_cm: float) -> ShockClass:
        """The class at a distance; the close one's is inclusive."""
        name = self.class_
        if self.close is not None and distance_cm <= self.close.distance_cm:
            name = self.close.class_
        return ShockClass[name.upper()]


class OfferAgain(OwnForm):
    """When a ped that decided is asked again about the same cause (EVT-89)."""

    moved_cm: float = Field(gt=0.0)
    inside_share_of_see: float = Field(ge=0.0, le=1.0)
    after_s: float = Field(ge=0.0)


class Stampede(OwnForm):
    """How many flee starts make one (EVT-90)."""

    peds: int = Field(ge=2)
    radius_cm: float = Field(gt=0.0)
    within_s: float = Field(gt=0.0)


class ShockingTuning(OwnForm):
    """The whole file."""

    lifetime_ticks: int = Field(ge=0, strict=True)
    offer: OfferAgain
    stampede: Stampede
    kind: dict[str, ShockKind]

    @model_validator(mode="after")
    def _kinds(self) -> ShockingTuning:
        known = {one.name for one in SHOCKING_TYPES}
        unknown = sorted(set(self.kind) - known)
        missing = sorted(known - set(self.kind))
        if unknown:
            raise ValueError(f"kind.{unknown[0]}: there is no such kind")
        if missing:
            raise ValueError(f"kind.{missing[0]} is missing")
        return self

    def of(self, event_type: EventType) -> ShockKind:
        """The kind of a type."""
        return self.kind[event_type.name]
