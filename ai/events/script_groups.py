"""What scripts see: each event in exactly one round (EVT-28 to EVT-30)."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ai import settings
from ai.events.base import Event
from ai.events.group import check_registered
from ai.events.script_events import ErrorEvent, SessionEvent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ai.events.event_tuning import EventTuning
    from ai.events.types import EventType
    from ai.ports import Clock


class EventView(NamedTuple):
    """An event as a script reads it."""

    type: EventType
    data: Mapping[str, Any]
    step: int


class ScriptQueue:
    """A main queue that scripts read and a pending one that fills while they do.

    - While scripts run (``updating``) new events go to pending, otherwise to the main queue.
    - ``flush_all_and_move_pending`` ends a round.
    - ``drops_oldest``: what a full queue does; otherwise the newest is refused. Both count.
    - ``live_max`` bounds both together.
    """

    def __init__(
        self, capacity: int, *, drops_oldest: bool = False, live_max: int | None = None
    ) -> None:
        self._capacity = capacity
        self._live_max = 2 * capacity if live_max is None else live_max
        self._drops_oldest = drops_oldest
        self._main: list[EventView] = []
        self._pending: list[EventView] = []
        self.updating = False
        self.lost = 0

    def add(self, event: Event, step: int) -> bool:
        """Take a view of an event; False if it is refused."""
        check_registered(event)
        queue = self._pending if self.updating else self._main
        live = len(self._main) + len(self._pending)
        if len(queue) >= self._capacity or live >= self._live_max:
            self.lost += 1
            if not self._drops_oldest:
                return False
            del queue[:1]
        queue.append(EventView(event.event_type, MappingProxyType(event.script_data()), step))
        return True

    def events(self) -> tuple[EventView, ...]:
        """What this round sees."""
        return tuple(self._main)

    def flush_all_and_move_pending(self) -> None:
        """The round is over."""
        self._main, self._pending = self._pending, []


class ScriptGroups:
    """The three queues of the script runner."""

    def __init__(self, clock: Clock, tuning: EventTuning) -> None:
        self._clock = clock
        self.ai = ScriptQueue(tuning.capacity.script)
        self.session = ScriptQueue(tuning.capacity.script_session, live_max=tuning.session_budget)
        self.errors = ScriptQueue(tuning.capacity.script_error, drops_oldest=True)

    def add(self, event: Event) -> bool:
        """Give an event to the queue of its family; False if it is refused."""
        if isinstance(event, SessionEvent):
            queue = self.session
        elif isinstance(event, ErrorEvent):
            queue = self.errors
        else:
            queue = self.ai
        return queue.add(event, self._clock.step)

    def report(self, error: ErrorEvent, cause: Exception | None = None) -> None:
        """Store an error event; strict mode raises the cause again after that (EVT-30)."""
        self.add(error)
        if cause is not None and settings.strict:
            raise cause

    def begin_round(self) -> None:
        """Scripts run from now on."""
        for queue in (self.ai, self.session, self.errors):
            queue.updating = True

    def end_round(self) -> None:
        """Scripts have run."""
        for queue in (self.ai, self.session, self.errors):
            queue.updating = False
            queue.flush_all_and_move_pending()
