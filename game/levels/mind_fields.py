"""Fields of what peds have in mind: tasks and events, by the names of their types."""

from __future__ import annotations

from collections.abc import Mapping

from ai.events.types import EventType
from ai.tasks.task_types import TaskType
from ai.tasks.trees import MOVEMENT, PRIMARY, SECONDARY
from game.levels.comparisons import Value
from game.levels.field_kinds import Field, FieldKind, names_of
from game.levels.sight import Sight

NOTHING = "NONE"
"""What a tree without a task and a mind without an event read as."""


def _active_task(sight: Sight, tree: int) -> Value:
    if sight.ped is None:
        return None
    root = sight.ped.tasks.tree(tree).active_root
    return NOTHING if root is None else TaskType(root.task_type).name


def _main_task(sight: Sight) -> Value:
    return _active_task(sight, PRIMARY)


def _secondary_task(sight: Sight) -> Value:
    return _active_task(sight, SECONDARY)


def _movement_task(sight: Sight) -> Value:
    return _active_task(sight, MOVEMENT)


def _leaf_task(sight: Sight) -> Value:
    """The innermost task of the main tree: what the ped is doing at the moment."""
    if sight.ped is None:
        return None
    leaf = sight.ped.tasks.tree(PRIMARY).leaf()
    return NOTHING if leaf is None else TaskType(leaf.task_type).name


def _answered_event(sight: Sight) -> Value:
    """The event that the ped answers at the moment."""
    if sight.ped is None:
        return None
    record = sight.ped.events.history.current
    return NOTHING if record is None else EventType(record.event.event_type).name


def _queued_events(sight: Sight) -> Value:
    return None if sight.ped is None else len(sight.ped.events.group)


_TASKS = names_of(TaskType)
_EVENTS = names_of(EventType)

MIND_FIELDS: Mapping[str, Field] = {
    "task.main": Field(FieldKind.WORD, _main_task, _TASKS),
    "task.leaf": Field(FieldKind.WORD, _leaf_task, _TASKS),
    "task.secondary": Field(FieldKind.WORD, _secondary_task, _TASKS),
    "task.movement": Field(FieldKind.WORD, _movement_task, _TASKS),
    "event.answered": Field(FieldKind.WORD, _answered_event, _EVENTS),
    "event.queued": Field(FieldKind.NUMBER, _queued_events),
}
"""Part of the fields of peds."""
