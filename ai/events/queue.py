"""The bounded queue of events: no duplicates, eviction by priority (EVT-17 to EVT-19)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ai import settings
from ai.events import deferred
from ai.events.base import Event, EventRef, Tag
from ai.events.event_errors import QueueMutationError
from ai.events.priorities import EventPriority
from ai.ports import EntityRef

if TYPE_CHECKING:
    from ai.events.types import EventType


class AddResult(NamedTuple):
    """What became of an add: the entry, what had to go for it, the lowest priority if refused."""

    entry: Event | None
    is_new: bool
    evicted: Event | None = None
    lowest: EventPriority = EventPriority.NONE


class EventQueue:
    """Entries in the order of their arrival.

    - ``rank_of`` says how urgent an event is to the owner: the least urgent may be evicted.
    - ``on_clone`` sees a new clone before it is queued, ``on_gone`` each entry that leaves
      for good.
    - Every entry is a clone that belongs to the queue until it leaves.
    """

    __slots__ = (
        "_deferred",
        "_guards",
        "_on_clone",
        "_on_gone",
        "_owner_thread",
        "_rank_of",
        "capacity",
        "entries",
    )

    def __init__(
        self,
        capacity: int,
        *,
        rank_of: Callable[[Event], EventPriority],
        on_clone: Callable[[Event], None],
        on_gone: Callable[[Event], None],
    ) -> None:
        self.capacity = capacity
        self.entries: list[Event] = []
        self._rank_of = rank_of
        self._on_clone = on_clone
        self._on_gone = on_gone
        self._guards = 0
        self._deferred: list[Callable[[], object]] = []
        self._owner_thread = threading.get_ident()

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def is_full(self) -> bool:
        """No free place, expired entries counted as taken."""
        return len(self.entries) >= self.capacity

    # -- adding -------------------------------------------------------------------------

    def find_same(self, event: Event) -> Event | None:
        """A live entry that means the same, or None."""
        for entry in self.entries:
            if entry.event_type == event.event_type and entry.same_as(event) and not entry.expired:
                return entry
        return None

    def add(self, event: Event) -> AddResult:
        """Queue a clone (EVT-17).

        A live equal entry is returned as it is; a dying one does not swallow a fresh event.
        Raises ``TypeError`` for anything but an event, ``QueueMutationError`` in strict mode
        during an iteration and always while workers run or from another thread.
        """
        if not isinstance(event, Event):
            raise TypeError(f"{event!r} is no event; queues hold nothing else")
        if self._must_wait(lambda: self.add(event)):
            return AddResult(None, is_new=False)
        same = self.find_same(event)
        if same is not None:
            return AddResult(same, is_new=False)
        for entry in [one for one in self.entries if not one.being_processed]:
            if entry.expired and entry.same_as(event):
                self._drop(entry)
        if self.is_full:
            self.flush_expired()
        victim: Event | None = None
        if self.is_full:
            lowest, rank = self._lowest_removable()
            if lowest is None or not self._rank_of(event) > rank:
                return AddResult(None, is_new=False, lowest=rank)
            victim = lowest
        fresh = event.clone()
        if victim is not None:
            self._drop(victim)
        self.entries.append(fresh)
        self._on_clone(fresh)
        return AddResult(fresh, is_new=True, evicted=victim)

    def can_place(self, event: Event, *, freed: int = 0) -> bool:
        """Would an add that first frees ``freed`` places find room? Changes nothing."""
        room = self.capacity - len(self.entries) + freed
        room += sum(1 for one in self.entries if one.expired and not one.being_processed)
        if room > 0:
            return True
        lowest, rank = self._lowest_removable()
        return lowest is not None and self._rank_of(event) > rank

    def _lowest_removable(self) -> tuple[Event | None, EventPriority]:
        lowest: Event | None = None
        rank = EventPriority.NONE
        for entry in self.entries:
            if entry.being_processed or entry.never_evicted:
                continue
            priority = self._rank_of(entry)
            if lowest is None or priority < rank:
                lowest, rank = entry, priority
        return lowest, rank

    # -- removing -----------------------------------------------------------------------

    def flush_expired(self) -> int:
        """Drop what is expired or flagged, but never what is being processed; how many."""
        dying = [one for one in self.entries if one.expired and not one.being_processed]
        if dying and not self._must_wait(self.flush_expired):
            for entry in dying:
                self._drop(entry)
        return len(dying)

    def flush_all(self, *, spare: Callable[[Event], bool] | None = None) -> None:
        """Drop everything, what is being processed too, but for what ``spare`` names (EVT-18)."""
        if self._must_wait(lambda: self.flush_all(spare=spare)):
            return
        for entry in list(self.entries):
            if spare is None or not spare(entry):
                self._drop(entry)

    def remove(self, ref: EventRef) -> bool:
        """Drop one entry; what is being processed goes at the end of the pass instead."""
        event = ref.get()
        if event is None or event not in self.entries:
            return False
        self._remove_entry(event)
        return True

    def remove_matching(
        self,
        event_type: EventType | None = None,
        source: EntityRef | None = None,
        tag: Tag | None = None,
    ) -> int:
        """Drop what matches all given keys; returns how many.

        Raises ``ValueError`` without a key: who cleans up never empties others' events.
        """
        if event_type is None and source is None and tag is None:
            raise ValueError("remove_matching needs at least one key; flush_all removes all")
        matching = [
            one
            for one in self.entries
            if (event_type is None or one.event_type == event_type)
            and (source is None or one.source == source)
            and (tag is None or one.tag == tag)
        ]
        for entry in matching:
            self._remove_entry(entry)
        return len(matching)

    def take(self, event: Event) -> None:
        """Take an answered entry out; it lives on with whoever took it."""
        self.entries.remove(event)
        event.leave_queue()

    def _remove_entry(self, event: Event) -> None:
        if event.being_processed:
            event.flagged = True
        elif not self._must_wait(lambda: self._remove_entry(event)):
            self._drop(event)

    def _drop(self, event: Event) -> None:
        if event in self.entries:
            self.entries.remove(event)
            event.leave_queue()
            self._on_gone(event)

    # -- iterating ----------------------------------------------------------------------

    @contextmanager
    def guarded(self) -> Iterator[list[Event]]:
        """The entries, which nobody may add to or take from in this section (EVT-19).

        Changes asked for inside raise ``QueueMutationError`` in strict mode, and happen at
        the end of the section otherwise.
        """
        self.hold()
        try:
            yield self.entries
        finally:
            self.let_go()

    def hold(self) -> None:
        """Begin a guarded section."""
        self._guards += 1

    def let_go(self) -> None:
        """End it; what had to wait happens now."""
        self._guards -= 1
        if self._deferred and self._guards == 0:
            waiting, self._deferred = self._deferred, []
            for change in waiting:
                change()

    def _must_wait(self, change: Callable[[], object]) -> bool:
        if deferred.running or threading.get_ident() != self._owner_thread:
            raise QueueMutationError(
                "events are added by the simulation thread alone; return a WorkerRecord instead"
            )
        if self._guards == 0:
            return False
        if settings.strict:
            raise QueueMutationError("this queue is being iterated over; change it afterwards")
        self._deferred.append(change)
        return True
