"""Committing a response: which part into which slot, and what that ends (EVT-65, EVT-66)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ai.events.base import EditableEvent, Event
from ai.events.decision_trace import Reason
from ai.events.history import EventRecord, PlacedTask
from ai.events.response import EventResponse
from ai.events.task_events import GivePedTaskEvent, ScriptCommandEvent
from ai.tasks.task import Task
from ai.tasks.task_tree import SetTaskResult
from ai.tasks.trees import (
    MOVEMENT,
    PRIMARY,
    SECONDARY,
    MovementTreeSlot,
    PrimarySlot,
    SecondarySlot,
)

if TYPE_CHECKING:
    from ai.events.subject import EventPed

_PHYSICAL: Final = int(PrimarySlot.PHYSICAL_RESPONSE)
_TEMP: Final = int(PrimarySlot.EVENT_RESPONSE_TEMP)
_NONTEMP: Final = int(PrimarySlot.EVENT_RESPONSE_NONTEMP)
_SCRIPT: Final = int(PrimarySlot.PRIMARY)
_PARTIAL_ANIM: Final = int(SecondarySlot.PARTIAL_ANIM)
_MOVE_RESPONSE: Final = int(MovementTreeSlot.EVENT_RESPONSE)
_RESPONSE_SLOTS: Final = (_TEMP, _NONTEMP, _PHYSICAL)
_WRITTEN: Final = (SetTaskResult.SET, SetTaskResult.DEFERRED)


def main_place(event: Event, response: EventResponse) -> tuple[int, int]:
    """Tree and slot of the main part."""
    if response.run_on_secondary:
        return SECONDARY, _PARTIAL_ANIM
    if isinstance(event, (ScriptCommandEvent, GivePedTaskEvent)):
        return PRIMARY, int(event.slot)
    if event.is_temporary and not response.override_as_non_temp:
        return PRIMARY, _TEMP
    return PRIMARY, _NONTEMP


def is_below_movement(ped: EventPed, event: Event, response: EventResponse) -> bool:
    """A lone movement part loses against what moves the ped already (EVT-65)."""
    if response.movement is None or response.main is not None or response.physical is not None:
        return False
    current = ped.events.history.movement
    return (
        current is not None
        and current.event.priority(ped) >= event.priority(ped)
        and not current.event.can_be_interrupted_by_same_type(event, ped)
    )


def commit(ped: EventPed, event: Event, response: EventResponse) -> bool:
    """Write the parts, then history, queue, cooldown, speech, news, record, trace.

    False if a slot refused the write: the rest is discarded, the event flagged.
    """
    events = ped.events
    place = main_place(event, response)
    alone_in_movement = response.main is None and response.physical is None
    on_secondary = response.run_on_secondary
    has_main = response.main is not None
    if isinstance(event, ScriptCommandEvent):
        events.services.commands.placing(ped)
    placed = _write(ped, response, place)
    if placed is None:
        response.discard()
        event.flagged = True
        events.trace.note(Reason.SLOT_REFUSED, event, ped)
        return False
    record = EventRecord(event, placed, events.services.clock.step)
    recorded = True
    if alone_in_movement:
        events.history.begin_movement(record)
    elif on_secondary:
        recorded = False
    else:
        _empty_slots(ped, event, place, has_main=has_main)
        recorded = _note_history(ped, record, place, has_main=has_main)
        if all(one.tree != MOVEMENT for one in placed):
            _empty_movement(ped)
    events.group.queue.take(event)
    _after(ped, event, response, placed)
    if not recorded:
        events.response_ended(event)
    return True


def _write(
    ped: EventPed, response: EventResponse, place: tuple[int, int]
) -> tuple[PlacedTask, ...] | None:
    """Physical, main, movement; None as soon as a slot refuses."""
    placed: list[PlacedTask] = []
    for take, tree, slot in (
        (response.take_physical, PRIMARY, _PHYSICAL),
        (response.take_main, *place),
        (response.take_movement, MOVEMENT, _MOVE_RESPONSE),
    ):
        task = take()
        if task is None:
            continue
        if ped.tasks.set_task(tree, task, slot) not in _WRITTEN:
            return None
        placed.append(PlacedTask(tree, slot, task))
    return tuple(placed)


def _empty_slots(ped: EventPed, event: Event, place: tuple[int, int], *, has_main: bool) -> None:
    """What the new part ends in the main tree."""
    if isinstance(event, ScriptCommandEvent):
        _empty_below_command(ped, event)
    elif not has_main or place == (PRIMARY, _NONTEMP):
        _clear(ped, _TEMP)


def _empty_below_command(ped: EventPed, event: ScriptCommandEvent) -> None:
    """Responses of less weight than the command, and those that nobody knows of, end."""
    history = ped.events.history
    priority = event.priority(ped)
    for slot in _RESPONSE_SLOTS:
        if ped.tasks.tree(PRIMARY).slots[slot] is None:
            continue
        record = history.record_of(PRIMARY, slot)
        if record is None:
            _clear(ped, slot)
        elif record.event.priority(ped) < priority:
            _clear(ped, slot)
            history.drop_record(record)


def _note_history(
    ped: EventPed, record: EventRecord, place: tuple[int, int], *, has_main: bool
) -> bool:
    """The history column of EVT-65; False if the event is not recorded."""
    history = ped.events.history
    slot = place[1]
    if not has_main:
        history.begin_physical(record)
    elif slot not in (_TEMP, _NONTEMP):
        return False
    elif slot == _TEMP:
        history.begin_temporary(record)
    else:
        history.begin_non_temporary(record)
    return True


def _after(
    ped: EventPed, event: Event, response: EventResponse, placed: tuple[PlacedTask, ...]
) -> None:
    events = ped.events
    services = events.services
    if isinstance(event, EditableEvent) and event.decision is not None:
        decided = event.decision
        if decided.entry is not None:
            events.memory.start_cooldown(
                decided.entry, decided.maker, services.clock.step, event.position(services.world)
            )
    if response.say:
        services.say(ped, response.say)
    event.on_response_started(ped)
    if isinstance(event, ScriptCommandEvent):
        services.commands.performing(ped, event, placed[0].task)
    kind = (
        event.decision.kind
        if isinstance(event, EditableEvent) and event.decision is not None
        else "none"
    )
    events.trace.note(
        Reason.COMMITTED, event, ped, ", ".join(_place_text(one) for one in placed), kind
    )


def _place_text(placed: PlacedTask) -> str:
    if placed.tree == PRIMARY:
        slot = PrimarySlot(placed.slot).name
    else:
        slot = "MOVEMENT" if placed.tree == MOVEMENT else "SECONDARY"
    return f"{task_name(placed.task)} in {slot}"


def task_name(task: Task) -> str:
    """A task's class by name."""
    return type(task).__name__


def _clear(ped: EventPed, slot: int) -> None:
    if ped.tasks.tree(PRIMARY).slots[slot] is not None:
        ped.tasks.set_task(PRIMARY, None, slot)


def _empty_movement(ped: EventPed) -> None:
    """A side-step belonged to the older intent."""
    if ped.tasks.tree(MOVEMENT).slots[_MOVE_RESPONSE] is not None:
        ped.tasks.set_task(MOVEMENT, None, _MOVE_RESPONSE)
    ped.events.history.drop_movement()
