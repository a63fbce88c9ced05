"""Decision makers: named tables from event types to weighted possibilities (EVT-74, EVT-80)."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ai.events.event_errors import DecisionMakerError
from ai.events.response_kinds import KindInfo, ParameterValue
from ai.events.situation import SourceKind
from ai.events.types import EventType

UNLIMITED: Final = -1.0
SMALLEST_DRAW: Final = 1e-6
ENTRIES_MAX: Final = 46
MAKERS_MAX: Final = 25
PARENTS_MAX: Final = 8
COMPONENTS_MAX: Final = 3
DYNAMIC_TYPES_MAX: Final = 4
DYNAMIC_DECISIONS_MAX: Final = 4
BLOCKED_TYPES_MAX: Final = 4


@dataclass(frozen=True, slots=True)
class ResponseTaskDef:
    """A named, parameterised response kind."""

    name: str
    kind: str
    info: KindInfo
    parameters: dict[str, ParameterValue] = field(default_factory=dict)

    def number(self, name: str) -> float:
        """A numeric parameter."""
        return float(self.parameters[name])

    def word(self, name: str) -> str:
        """A parameter that is a word."""
        return str(self.parameters[name])


@dataclass(frozen=True, slots=True)
class Decision:
    """One weighted possibility.

    - ``chances`` by source kind are weights, not probabilities.
    - ``min_squared``, ``max_squared`` in cm², or -1 for unlimited: -1 is never squared.
    """

    task: ResponseTaskDef
    chances: dict[SourceKind, float]
    flags: int
    min_squared: float = UNLIMITED
    max_squared: float = UNLIMITED
    flee_flags: int = 0
    say: str = ""

    def in_band(self, squared: float) -> bool:
        """Closed interval (EVT-76)."""
        return (self.min_squared == UNLIMITED or squared >= self.min_squared) and (
            self.max_squared == UNLIMITED or squared <= self.max_squared
        )


class Cooldown(NamedTuple):
    """``steps`` since a committed response, within ``squared`` cm² (-1: anywhere)."""

    steps: int
    squared: float


@dataclass(frozen=True, slots=True)
class ResponseEntry:
    """What one decision maker says about one event type."""

    name: str
    event_type: EventType
    decisions: tuple[Decision, ...]
    cooldown: Cooldown | None = None
    shared_only: bool = False


class Decided(NamedTuple):
    """The fixed answer to one event in one ped's queue; no definition means "none".

    ``band``: which decisions passed their distance test, a bit each (EVT-82).
    """

    definition: ResponseTaskDef | None
    flee_flags: int = 0
    say: str = ""
    entry: ResponseEntry | None = None
    maker: str = ""
    band: int = 0

    @property
    def kind(self) -> str:
        """Response kind, ``"none"`` without a definition."""
        return "none" if self.definition is None else self.definition.kind


NOTHING: Final = Decided(None)


@dataclass(slots=True)
class DecisionComponent:
    """Run-time changes of a clone."""

    responses: dict[EventType, ResponseEntry] = field(default_factory=dict)
    blocked: list[EventType] = field(default_factory=list)

    def copy(self) -> DecisionComponent:
        """A clone's clone has its own."""
        return DecisionComponent(dict(self.responses), list(self.blocked))

    def add_response(self, entry: ResponseEntry) -> None:
        """Answer a type with this entry; a type that has one takes no new place."""
        if len(entry.decisions) > DYNAMIC_DECISIONS_MAX:
            raise DecisionMakerError(
                f"{entry.name}: at most {DYNAMIC_DECISIONS_MAX} decisions in a dynamic response"
            )
        if entry.event_type not in self.responses and len(self.responses) >= DYNAMIC_TYPES_MAX:
            raise DecisionMakerError(
                f"{entry.name}: at most {DYNAMIC_TYPES_MAX} types with dynamic responses; "
                "remove one first"
            )
        self.responses[entry.event_type] = entry

    def remove_response(self, event_type: EventType) -> None:
        """Take a dynamic response back."""
        self.responses.pop(event_type, None)

    def block(self, event_type: EventType) -> None:
        """Answer a type with nothing."""
        if event_type in self.blocked:
            return
        if len(self.blocked) >= BLOCKED_TYPES_MAX:
            raise DecisionMakerError(
                f"at most {BLOCKED_TYPES_MAX} types are blocked at a time; unblock one first"
            )
        self.blocked.append(event_type)

    def unblock(self, event_type: EventType) -> None:
        """Answer it again."""
        if event_type in self.blocked:
            self.blocked.remove(event_type)


class DecisionMaker:
    """A table with a parent.

    - ``types`` and ``entries`` are parallel, sorted by type with the written order as
      second key: a lookup is a binary search.
    """

    __slots__ = ("component", "entries", "name", "parent", "types")

    def __init__(
        self, name: str, entries: Sequence[ResponseEntry], parent: DecisionMaker | None = None
    ) -> None:
        self.name = name
        self.parent = parent
        self.component: DecisionComponent | None = None
        self.entries = tuple(sorted(entries, key=_type_of))
        self.types = tuple(int(entry.event_type) for entry in self.entries)

    def entries_for(self, event_type: EventType) -> tuple[ResponseEntry, ...]:
        """This table's own entries of a type, in written order."""
        first = bisect_left(self.types, event_type)
        last = first
        while last < len(self.types) and self.types[last] == event_type:
            last += 1
        return self.entries[first:last]

    def chain(self) -> str:
        """Names from this one to the root: ``"civilian < base"``."""
        names = [self.name]
        maker = self.parent
        while maker is not None:
            names.append(maker.name)
            maker = maker.parent
        return " < ".join(names)


def _type_of(entry: ResponseEntry) -> int:
    return int(entry.event_type)


def pick(chances: Sequence[float], drawn: float) -> int:
    """Index of the first weight whose running sum reaches ``drawn`` in (0, sum] (EVT-75)."""
    running = 0.0
    last = -1
    for index, chance in enumerate(chances):
        if chance > 0.0:
            running += chance
            last = index
            if running >= drawn:
                return index
    return last


def draw(stream: random.Random, total: float) -> float:
    """A number in [1e-6, total]: 0 would take a decision of weight 0."""
    return stream.uniform(SMALLEST_DRAW, total)
