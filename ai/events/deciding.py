"""Deciding: from an event to a fixed answer (EVT-74 to EVT-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ai.events.base import EditableEvent
from ai.events.decision_flags import STATE_MASK, first_unmet
from ai.events.decision_maker import (
    NOTHING,
    Decided,
    Decision,
    DecisionMaker,
    ResponseEntry,
    draw,
    pick,
)
from ai.events.decision_makers import FALLBACK
from ai.events.decision_trace import Reason
from ai.events.event_clock import UPDATE
from ai.events.event_errors import EventClockError
from ai.events.response_kinds import WATCHING_KINDS
from ai.events.shocking import ShockingEvent

if TYPE_CHECKING:
    from ai.events.subject import EventPed

_ENTRY_OF_PED: Final = "own"


def decision_maker_of(ped: EventPed) -> DecisionMaker:
    """The script's override, else the model's, else ``base``; a released override is dropped."""
    events = ped.events
    makers = events.services.decision_makers
    if events.decision_maker_override:
        maker = makers.get(events.decision_maker_override)
        if maker is not None:
            return maker
        events.decision_maker_override = ""
    maker = makers.get(events.decision_maker or FALLBACK) or makers.get(FALLBACK)
    assert maker is not None, "base is there: the loader sees to it"
    return maker


def decide(ped: EventPed, event: EditableEvent) -> None:
    """Compute the event's decision, once.

    Raises ``EventClockError`` outside an update, ``ValueError`` for a second time.
    """
    if ped.events.clock.mode != UPDATE:
        raise EventClockError("decisions are made in an update alone")
    if event.decision is not None:
        raise ValueError(f"{event!r} was decided already; an instance is decided once")
    event.decision = _decided(ped, event)
    ped.events.after_decision(event)


def _decided(ped: EventPed, event: EditableEvent) -> Decided:
    note = ped.events.trace.note
    event_type = event.event_type
    maker: DecisionMaker | None = decision_maker_of(ped)
    assert maker is not None
    chain = maker.chain()
    component = maker.component
    if component is not None and event_type in component.blocked:
        note(Reason.BLOCKED_TYPE, event, ped, maker.name)
        return NOTHING
    own = ped.events.own_response(event_type)
    if own is None and component is not None:
        own = component.responses.get(event_type)
    if own is not None:
        note(Reason.DYNAMIC, event, ped, own.name)
        return _answer(ped, event, (own,), maker.name, chain)
    while maker is not None:
        entries = maker.entries_for(event_type)
        if entries:
            return _answer(ped, event, entries, maker.name, chain)
        maker = maker.parent
    note(Reason.NOT_LISTED, event, ped, chain)
    return NOTHING


def _answer(
    ped: EventPed,
    event: EditableEvent,
    entries: tuple[ResponseEntry, ...],
    maker: str,
    chain: str,
) -> Decided:
    """The first entry that is off cooldown and has a chance answers."""
    events = ped.events
    services = events.services
    step = services.clock.step
    place = event.position(services.world)
    here = ped.position
    squared = 0.0 if place is None else (place.x - here.x) ** 2 + (place.y - here.y) ** 2
    situation = ped.situation(event)
    holding = situation.mask()
    band = 0
    decided: Decided | None = None
    for entry in entries:
        for decision in entry.decisions:
            band = band << 1 | decision.in_band(squared)
    if events.memory.remembers_none(event.event_type, event.source, band, step):
        events.trace.note(Reason.REMEMBERED_NONE, event, ped)
        return NOTHING
    for entry in entries:
        if events.memory.is_cooling(entry, maker, step, place):
            events.trace.note(Reason.COOLDOWN, event, ped, entry.name)
            continue
        if entry.shared_only and not events.is_shared:
            continue
        verdicts = [
            verdict(one, squared, holding, may_watch=_may_watch(event)) for one in entry.decisions
        ]
        chances = [
            one.chances.get(situation.source_kind, 0.0) if why is None else 0.0
            for one, why in zip(entry.decisions, verdicts, strict=True)
        ]
        total = sum(chances)
        text = _chances_text(entry.decisions, chances, verdicts)
        if total <= 0.0:
            events.trace.note(Reason.NO_CHANCE, event, ped, chain, entry.name, text)
            continue
        drawn = draw(ped.decision_rng, total)
        index = pick(chances, drawn)
        taken = entry.decisions[index]
        events.trace.note(
            Reason.ROLL, event, ped, chain, entry.name, text, total, drawn, taken.task.name
        )
        if taken.task.kind != "none":
            decided = Decided(taken.task, taken.flee_flags, taken.say, entry, maker, band)
        break
    if decided is None:
        events.memory.remember_none(event.event_type, event.source, band, step)
        return NOTHING
    return decided


def verdict(decision: Decision, squared: float, holding: int, *, may_watch: bool) -> str | None:
    """Why a decision has no chance here, or None: state, distance, flags, watchers (EVT-75)."""
    if not decision.flags & STATE_MASK & holding:
        return "STATE"
    if not decision.in_band(squared):
        return "DISTANCE"
    unmet = first_unmet(decision.flags, holding)
    if unmet is not None:
        return f"FLAG:{unmet}"
    if not may_watch and decision.task.kind in WATCHING_KINDS:
        return "WATCHERS_FULL"
    return None


def _may_watch(event: EditableEvent) -> bool:
    return not isinstance(event, ShockingEvent) or event.has_room_for_watcher()


def _chances_text(
    decisions: tuple[Decision, ...], chances: list[float], verdicts: list[str | None]
) -> str:
    words = []
    for decision, chance, why in zip(decisions, chances, verdicts, strict=True):
        if why is None and chance <= 0.0:
            why = "CHANCE_ZERO"
        words.append(f"{decision.task.name} {chance:g}" + (f" ({why})" if why else ""))
    return ", ".join(words)
