"""Schema of ``assets/tuning/events.toml``: capacities, delays, lifetimes, kinds of command."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from ai.events.base import NO_DELAY
from ai.events.types import EventType, is_ai
from ai.tuning import OwnForm

DELAY_MAX_S = 10.0

Capacity = Annotated[int, Field(ge=1, le=1024)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
DelaySeconds = Annotated[float, Field(ge=0.0, le=DELAY_MAX_S)]
DelayRange = tuple[DelaySeconds, DelaySeconds]


def ordered(delay_s: tuple[float, float]) -> tuple[float, float]:
    """The range, if its ends are in order (EVT-21)."""
    if delay_s[0] > delay_s[1]:
        raise ValueError(f"{list(delay_s)}: the first of a delay range must not be the larger")
    return delay_s


class Capacities(OwnForm):
    """Places of the groups; a ped's is fixed (EVT-23)."""

    vehicle: Capacity
    global_: Capacity = Field(alias="global")
    script: Capacity
    script_session: Capacity
    script_error: Capacity
    inform_friends: Capacity
    inform_group: Capacity

    @model_validator(mode="before")
    @classmethod
    def _no_ped(cls, data: Any) -> Any:
        if isinstance(data, dict) and "ped" in data:
            raise ValueError("ped = {!r}: fixed at 16; remove the key".format(data["ped"]))
        return data


class Desync(OwnForm):
    """Crowds do not react in unison (EVT-22)."""

    gap_s: float = Field(gt=0.0, le=DELAY_MAX_S)
    max_pushes: int = Field(ge=0, le=100)


class Inform(OwnForm):
    """Telling friends and group (EVT-34)."""

    delay_s: DelayRange
    friend_radius_cm: float = Field(gt=0.0)
    friend_hear_cm: float = Field(ge=0.0)
    hops: int = Field(ge=1, le=10)

    @model_validator(mode="after")
    def _range(self) -> Inform:
        ordered(self.delay_s)
        return self


class Decide(OwnForm):
    """Memories of decisions (EVT-79, EVT-82)."""

    none_memory_s: float = Field(ge=0.0)
    cooldown_notes: int = Field(ge=1, le=64)


class Fear(OwnForm):
    """How events frighten, and who is brave (EVT-101)."""

    potential: Share
    dangerous: Share
    serious: Share
    fall_per_s: Share
    brave_from: Share


class CommandKind(OwnForm):
    """Priority of a kind of script command (EVT-70)."""

    high: bool = False
    breaks_ragdoll: bool = False


class ScriptCommandTuning(OwnForm):
    """Kinds that are not plain commands."""

    kind: dict[str, CommandKind]


class EventTypeTuning(OwnForm):
    """What a type has unless the maker of an event says otherwise (EVT-12)."""

    delay_s: DelayRange = NO_DELAY
    lifetime_ticks: int = Field(ge=0, strict=True, default=0)

    @model_validator(mode="after")
    def _range(self) -> EventTypeTuning:
        ordered(self.delay_s)
        return self


_ORDINARY_TYPE = EventTypeTuning()
_ORDINARY_COMMAND = CommandKind()


class EventTuning(OwnForm):
    """The whole file."""

    budget: int = Field(ge=1, le=1_000_000)
    base_share: float = Field(gt=0.0, le=1.0)
    session_budget: int = Field(ge=1, le=1_000_000)
    abort_overdue_s: float = Field(gt=0.0)
    received_kept: int = Field(ge=1, le=1024)
    trace_records: int = Field(ge=1, le=100_000)
    world_trace_records: int = Field(ge=1, le=1_000_000)
    capacity: Capacities
    desync: Desync
    inform: Inform
    decide: Decide
    fear: Fear
    script_command: ScriptCommandTuning
    event: dict[str, EventTypeTuning]

    @model_validator(mode="after")
    def _names(self) -> EventTuning:
        unknown = [
            name
            for name in self.event
            if name not in EventType.__members__ or not is_ai(EventType[name])
        ]
        if unknown:
            raise ValueError(f"event.{', event.'.join(unknown)}: no such event type")
        return self

    def of_type(self, event_type: EventType) -> EventTypeTuning:
        """Lifetime and delay of a type."""
        return self.event.get(event_type.name, _ORDINARY_TYPE)

    def command_kind(self, kind: str) -> CommandKind:
        """Priority of a kind of command; an unlisted one is plain."""
        return self.script_command.kind.get(kind, _ORDINARY_COMMAND)
