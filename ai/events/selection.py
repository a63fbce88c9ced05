"""Choosing an event: the most urgent that may be answered, the nearest among equals (EVT-50)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.events.base import Event
from ai.events.decision_trace import Reason
from ai.events.event_clock import EventClock
from ai.events.types import EventType

if TYPE_CHECKING:
    from ai.events.subject import EventPed

_SCRIPT_COMMAND = EventType.SCRIPT_COMMAND
_MARKED = (Reason.OUTRANKED_IN_QUEUE, Reason.TIE_FARTHER)


def select(ped: EventPed, clock: EventClock) -> Event | None:
    """The event to answer, or None.

    - Every entry is asked whether it is ready, so that delays run side by side.
    - A command replaces the best only if it is strictly more urgent and joins no tie.
    - Expiry is no criterion: what this pass's tick expired still gets this pass.
    """
    best: Event | None = None
    best_priority = 0
    best_squared = -1.0
    note = ped.events.trace.note if ped.events.trace.full else None
    pass_no = clock.pass_no
    for event in ped.events.group.queue.entries:
        ready = event.is_ready(ped, clock)
        if event.flagged or event.passed_over_in == pass_no:
            continue
        why = None if ready else Reason.IN_DELAY
        if why is None:
            why = _obstacle(event, ped)
        if why is not None:
            if note is not None:
                note(why, event, ped)
            continue
        priority = event.priority(ped)
        if best is None or priority > best_priority:
            if note is not None and best is not None:
                note(_MARKED[0], best, ped)
            best, best_priority, best_squared = event, priority, -1.0
            continue
        if priority < best_priority or event.event_type == _SCRIPT_COMMAND:
            if note is not None:
                note(_MARKED[0], event, ped)
            continue
        if best_squared < 0.0:
            best_squared = _squared_distance(best, ped)
        squared = _squared_distance(event, ped)
        loser = best if squared < best_squared else event
        if note is not None:
            note(_MARKED[1], loser, ped)
        if loser is best:
            best, best_squared = event, squared
    if note is not None and best is not None:
        note(Reason.CHOSEN, best, ped)
    return best


def _obstacle(event: Event, ped: EventPed) -> Reason | None:
    if not event.will_respond:
        return Reason.DECIDED_NONE
    if not event.is_valid_for_ped(ped):
        return Reason.INVALID_FOR_PED
    if not event.affects_ped(ped):
        return Reason.NOT_AFFECTED_NOW
    return None


def _squared_distance(event: Event, ped: EventPed) -> float:
    place = event.position(ped.events.services.world)
    if place is None:
        return 0.0
    here = ped.position
    return (place.x - here.x) ** 2 + (place.y - here.y) ** 2


def mark_invalid(
    ped: EventPed, *, delete_now: bool = False, include_no_response: bool = True
) -> None:
    """Flag what makes no sense any more or was decided to stay unanswered (EVT-62).

    What waits, in delay or undecided, is left alone. ``delete_now`` is for a ped's reset.
    """
    trace = ped.events.trace
    queue = ped.events.group.queue
    for event in queue.entries:
        if event.flagged:
            continue
        if not event.is_valid_for_ped(ped):
            trace.note(Reason.INVALID_FOR_PED, event, ped)
            event.flagged = True
        elif include_no_response and not event.will_respond:
            event.flagged = True
    if delete_now:
        queue.flush_expired()
