"""A ped's group: who may come in (EVT-23 to EVT-26)."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from ai.events.base import Event, EventRef
from ai.events.decision_trace import Reason
from ai.events.group import PED_CAPACITY, EventGroup
from ai.events.sound_events import BangHeard
from ai.events.types import EventType
from ai.ports import EntityRef

if TYPE_CHECKING:
    from ai.events.event_services import EventServices
    from ai.events.subject import EventPed


class Received(NamedTuple):
    """What reached a ped, whether or not there was room for it."""

    event_type: EventType
    source: EntityRef | None
    step: int


class EventGroupPed(EventGroup):
    """Sixteen places; ``received`` is what scripts may ask about."""

    __slots__ = ("_ped", "received")

    def __init__(self, services: EventServices, ped: EventPed) -> None:
        super().__init__(
            services, f"ped#{ped.ped_id}", PED_CAPACITY, lambda event: event.priority(ped)
        )
        self._ped = ped
        self.received: deque[Received] = deque(maxlen=services.tuning.received_kept)

    def add(
        self, event: Event, *, force_persistent: bool = False, make_space: bool = True
    ) -> EventRef | None:
        """Take an event in, in the order of EVT-24; None if it is refused.

        - ``make_space`` false: refused at once if all places are taken (EVT-26).
        - ``force_persistent``: the entry, also one that was there before, never expires.

        Raises ``TypeError`` and ``UnregisteredEvent`` as ``check_kind``, ``EventBudgetError``
        in strict mode without room in the budget.
        """
        self.check_kind(event)
        ped = self._ped
        note = ped.events.trace.note
        if not make_space and self.queue.is_full:
            note(Reason.REFUSED_NO_SPACE_ALLOWED, event, ped)
            return None
        if not self.has_room_in_budget(event):
            note(Reason.REFUSED_NO_BUDGET, event, ped)
            return None
        if ped.is_mirrored:
            note(Reason.REFUSED_MIRRORED, event, ped)
            return None
        if not event.affects_ped(ped):
            note(Reason.REFUSED_NOT_AFFECTED, event, ped)
            return None
        merged = self._merge_bang(event)
        self.received.append(Received(event.event_type, event.source, self.services.clock.step))
        if merged is not None:
            note(Reason.MERGED_SAME_SOURCE, event, ped)
            return merged.ref()
        result = self.queue.add(event)
        entry = result.entry
        if entry is None:
            note(Reason.REFUSED_FULL, event, ped, result.lowest.name)
            return None
        if result.evicted is not None:
            note(Reason.EVICTED_FOR, result.evicted, ped, entry.event_type.name)
        note(Reason.ADDED if result.is_new else Reason.DUPLICATE, entry, ped)
        if force_persistent:
            entry.persistent = True
        if result.is_new:
            entry.on_added(ped)
        return entry.ref()

    def _gone(self, event: Event) -> None:
        expired = event.expired and not event.flagged
        self._ped.events.trace.note(Reason.EXPIRED if expired else Reason.FLUSHED, event, self._ped)
        super()._gone(event)

    def has_received(self, event_type: EventType, within_steps: int) -> bool:
        """Did an event of a type reach the ped in the last steps?"""
        since = self.services.clock.step - within_steps
        return any(one.event_type == event_type and one.step >= since for one in self.received)

    def _merge_bang(self, event: Event) -> BangHeard | None:
        """One noisy ped does not fill the queue: its bangs are one, nearer and louder (EVT-24)."""
        if not isinstance(event, BangHeard) or event.source is None:
            return None
        world = self.services.world
        if world.ped(event.source) is None or world.is_player(event.source):
            return None
        for entry in self.queue.entries:
            if isinstance(entry, BangHeard) and entry.source == event.source and not entry.expired:
                here = self._ped.position
                old, new = entry.at, event.at
                assert old is not None
                assert new is not None
                if (new.x - here.x) ** 2 + (new.y - here.y) ** 2 < (old.x - here.x) ** 2 + (
                    old.y - here.y
                ) ** 2:
                    entry.at = new
                entry.loudness = max(entry.loudness, event.loudness)
                return entry
        return None
