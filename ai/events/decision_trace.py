"""The decision trace: what became of every event a ped had, and why (EVT-95).

Recording never influences behaviour and draws no random number. The stages admit
and select are dropped while the trace is brief.
"""

from __future__ import annotations

from collections import deque
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from ai.ports import Clock, EntityRef

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.events.event_world import EventWorld
    from ai.events.subject import EventPed
    from ai.events.types import EventType


class Stage(Enum):
    """Where in an event's life a record was made."""

    ADMIT = auto()
    SELECT = auto()
    HANDLE = auto()
    DECIDE = auto()
    END = auto()


class Reason(Enum):
    """Why; the value is the stage, and a number that keeps members apart."""

    ADDED = (Stage.ADMIT, 0)
    DUPLICATE = (Stage.ADMIT, 1)
    MERGED_SAME_SOURCE = (Stage.ADMIT, 2)
    EVICTED_FOR = (Stage.ADMIT, 3)
    REFUSED_MIRRORED = (Stage.ADMIT, 4)
    REFUSED_NOT_AFFECTED = (Stage.ADMIT, 5)
    REFUSED_FULL = (Stage.ADMIT, 6)
    REFUSED_NO_SPACE_ALLOWED = (Stage.ADMIT, 7)
    REFUSED_NO_BUDGET = (Stage.ADMIT, 8)

    CHOSEN = (Stage.SELECT, 0)
    IN_DELAY = (Stage.SELECT, 1)
    INVALID_FOR_PED = (Stage.SELECT, 2)
    NOT_AFFECTED_NOW = (Stage.SELECT, 3)
    DECIDED_NONE = (Stage.SELECT, 4)
    OUTRANKED_IN_QUEUE = (Stage.SELECT, 5)
    TIE_FARTHER = (Stage.SELECT, 6)

    DEATH_FORCED = (Stage.HANDLE, 0)
    BELOW_CURRENT = (Stage.HANDLE, 1)
    BELOW_STORED = (Stage.HANDLE, 2)
    BLOCKED_NON_TEMP = (Stage.HANDLE, 3)
    SAME_TYPE = (Stage.HANDLE, 4)
    SAME_TYPE_BY_TASK = (Stage.HANDLE, 5)
    BELOW_MOVEMENT = (Stage.HANDLE, 6)
    JOINED = (Stage.HANDLE, 7)
    NO_RESPONSE = (Stage.HANDLE, 8)
    NEXT_BEST = (Stage.HANDLE, 9)
    LOOP_GUARD = (Stage.HANDLE, 10)
    WAIT_ABORT = (Stage.HANDLE, 11)
    ABORT_OVERDUE = (Stage.HANDLE, 12)
    FORCED_IMMEDIATE = (Stage.HANDLE, 13)
    SLOT_REFUSED = (Stage.HANDLE, 14)
    COMMITTED = (Stage.HANDLE, 15)
    FAILED_IN_HOOK = (Stage.HANDLE, 16)
    FLEE_POINT = (Stage.HANDLE, 17)
    NO_FLEE_POINT = (Stage.HANDLE, 18)

    BLOCKED_TYPE = (Stage.DECIDE, 0)
    DYNAMIC = (Stage.DECIDE, 1)
    NOT_LISTED = (Stage.DECIDE, 2)
    COOLDOWN = (Stage.DECIDE, 3)
    REMEMBERED_NONE = (Stage.DECIDE, 4)
    KIND_NOT_BUILT = (Stage.DECIDE, 5)
    ROLL = (Stage.DECIDE, 6)
    NO_CHANCE = (Stage.DECIDE, 7)

    EXPIRED = (Stage.END, 0)
    FLUSHED = (Stage.END, 1)
    RESPONSE_ENDED = (Stage.END, 2)
    RESTORED = (Stage.END, 3)
    STORED = (Stage.END, 4)
    DROPPED = (Stage.END, 5)

    @property
    def stage(self) -> Stage:
        """Where it belongs."""
        return self.value[0]


_KEYS_REMEMBERED = 64

_DROPPED_WHEN_BRIEF = frozenset(
    reason for reason in Reason if reason.stage in (Stage.ADMIT, Stage.SELECT)
)


class TraceRecord(NamedTuple):
    """One record. ``distance_cm`` is None for an event without a place; ``data`` by reason."""

    step: int
    pass_no: int
    reason: Reason
    event_id: int
    event: str
    priority: int
    ticks: int
    source: EntityRef | None
    distance_cm: float | None
    data: tuple[object, ...]

    @property
    def stage(self) -> Stage:
        """Stage of the reason."""
        return self.reason.stage


class DecisionTrace:
    """A ring of records; ``full`` keeps the stages admit and select too.

    What is said of an event in these stages is recorded when it changes: a fire that is
    offered in each step, or a delay that runs, does not push everything else out.
    """

    __slots__ = ("_clock", "_last_said", "_records", "_world", "full", "pass_no")

    def __init__(self, clock: Clock, world: EventWorld, size: int, *, full: bool) -> None:
        self._clock = clock
        self._world = world
        self._records: deque[TraceRecord] = deque(maxlen=size)
        self._last_said: dict[tuple[int, EventType, EntityRef | None, Stage], Reason] = {}
        self.full = full
        self.pass_no = 0

    def note(self, reason: Reason, event: Event, ped: EventPed | None, *data: object) -> None:
        """Append a record of the present step and pass."""
        if reason in _DROPPED_WHEN_BRIEF and (not self.full or self._is_said(reason, event)):
            return
        distance: float | None = None
        priority = 0
        if ped is not None:
            priority = int(event.priority(ped))
            place = event.position(self._world)
            if place is not None:
                here = ped.position
                distance = ((place.x - here.x) ** 2 + (place.y - here.y) ** 2) ** 0.5
        self._records.append(
            TraceRecord(
                self._clock.step,
                self.pass_no,
                reason,
                event.event_id,
                event.event_type.name,
                priority,
                event.ticks,
                event.source,
                distance,
                data,
            )
        )

    def note_by_name(
        self,
        reason: Reason,
        event: str,
        source: EntityRef | None,
        distance_cm: float | None,
        *data: object,
    ) -> None:
        """Append a record about the answer to an event which is not at hand itself."""
        self._records.append(
            TraceRecord(
                self._clock.step, self.pass_no, reason, 0, event, 0, 0, source, distance_cm, data
            )
        )

    def _is_said(self, reason: Reason, event: Event) -> bool:
        key = (event.event_id, event.event_type, event.source, reason.stage)
        if self._last_said.get(key) is reason:
            return True
        if len(self._last_said) >= _KEYS_REMEMBERED:
            self._last_said.clear()
        self._last_said[key] = reason
        return False

    def records(
        self, *, reason: Reason | None = None, event: str | None = None, since_step: int = 0
    ) -> list[TraceRecord]:
        """Records, oldest first; only those of a reason, of an event type, since a step."""
        return [
            one
            for one in self._records
            if one.step >= since_step
            and (reason is None or one.reason is reason)
            and (event is None or one.event == event)
        ]

    def reasons(self) -> list[Reason]:
        """The reasons alone, oldest first."""
        return [one.reason for one in self._records]

    def clear(self) -> None:
        """Forget everything."""
        self._records.clear()
        self._last_said.clear()
