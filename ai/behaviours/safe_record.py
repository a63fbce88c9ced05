"""The record of a safe response: what is fled from, where to, and what came of it (SAFE-01)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto

from ai.events.base import Event
from ai.events.types import EventType
from ai.motion.movement_table import MoveOwner, SpeedMode
from ai.navigation.flee_points import CandidateView, Point
from ai.ports import EntityRef, Vec3
from ai.tasks.task_types import TaskType

NO_PLACE = Vec3(0.0, 0.0)


class SafeState(IntEnum):
    """Goes up and never back; QUEUED and PENDING may be passed over."""

    NONE = 0
    QUEUED = 1
    """Its event is on its way to the handler."""
    PENDING = 2
    """Its task is placed and waits until the ped may run (SAFE-04)."""
    ACTIVE = 3
    ENDED = 4


class SafeResult(IntEnum):
    """How it ended; NONE while it has not."""

    NONE = 0
    SUCCEEDED = 1
    FAILED = 2
    CANCELLED = 3
    SOURCE_LOST = 4
    NEVER_STARTED = 5


class SafeRefusal(Enum):
    """Why a response was not queued; nothing has changed then (SAFE-03)."""

    ALREADY = auto()
    BUSY = auto()
    """Another response is queued, or of another kind active."""
    BAD_SOURCE = auto()
    BAD_TAG = auto()
    BAD_INPUT = auto()
    GOAL_NOT_SAFE = auto()
    NO_BASE_MOVE = auto()
    MAPPING_CONFLICT = auto()
    QUEUE_REFUSED = auto()


@dataclass(slots=True)
class Threat:
    """What is fled from: an entity while it exists, or a place.

    ``at`` is where it is, or was when it was last looked at; ``chosen_at`` where it was at
    the last selection of a goal. ``tag`` tells threats without an entity apart.
    """

    source: EntityRef | None
    at: Vec3
    safe_cm: float
    chosen_at: Vec3 = NO_PLACE
    tag: int | str = 0

    def is_of(self, event: Event) -> bool:
        """Is it what this event is about?"""
        return event.source == self.source and (self.source is not None or event.tag == self.tag)


@dataclass(frozen=True, slots=True)
class EventKey:
    """By which a response's events are told from others (SAFE-09)."""

    event_type: EventType
    source: EntityRef | None
    tag: int | str


def key_of(event: Event) -> EventKey:
    """The key of an event."""
    return EventKey(event.event_type, event.source, event.tag)


@dataclass(slots=True, eq=False)
class SafeResponse:
    """One response of one ped.

    - ``key``: type, source and tag of its event; ``tag`` the number of this response, by which
      its movement and claim are known.
    - ``start_count``: 0 before ACTIVE, 1 from then on, whatever happens to the body.
    - ``replaced_goal``: where the ped was going before; for display, nobody restores it.
    - ``is_selected``: its goal came from the policy, not from outside (SAFE-02).
    - ``views``, ``route``: what the last selection thought of its candidates, and the way.
    - ``joined``: further threats' events (SAFE-11), answered by this response and over with it;
      ``joining``: what a script has named while the event of it is on its way.
    """

    ped_id: int
    key: EventKey
    tag: int
    threats: list[Threat]
    goal: Vec3
    speed_mode: SpeedMode
    entry: str
    is_selected: bool
    state: SafeState = SafeState.QUEUED
    start_count: int = 0
    initial_generation: int = 0
    replaced_goal: Vec3 | None = None
    reselect_count: int = 0
    result: SafeResult = SafeResult.NONE
    reason: str = ""
    root_uid: int = 0
    waited_s: float = 0.0
    chosen_from: Vec3 = NO_PLACE
    since_sample_s: float = 0.0
    since_selection_s: float = 0.0
    joined: list[Event] = field(default_factory=list)
    joining: dict[EventKey, list[Threat]] = field(default_factory=dict)
    own_markers: list[EntityRef] = field(default_factory=list)
    has_own_entry: bool = False
    views: tuple[CandidateView, ...] = ()
    route: tuple[Point, ...] = ()

    @property
    def live(self) -> bool:
        """Queued, waiting, or at it."""
        return self.state is not SafeState.ENDED

    @property
    def move_owner(self) -> MoveOwner:
        """Identity of the movement that serves it (NAV-16)."""
        return MoveOwner(int(TaskType.SMART_FLEE), self.key.source, self.tag)

    def go_to(self, state: SafeState) -> None:
        """The next state.

        Raises ``ValueError`` for a step back (SAFE-01).
        """
        if state <= self.state:
            raise ValueError(f"a safe response never goes from {self.state.name} to {state.name}")
        self.state = state
