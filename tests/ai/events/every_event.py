"""An instance of every event type."""

from __future__ import annotations

from typing import Any

from ai.events import registry
from ai.events.base import Event
from ai.events.body_events import RisingEvent
from ai.events.shocking import ShockCause, ShockingEvent
from ai.events.task_events import COMMAND_MODULES_ONLY, GivePedTaskEvent, ScriptCommandEvent
from ai.events.types import EventType
from ai.ports import Vec3
from tests.ai.events.event_doubles import NONTEMP, Reply, shipped_shocking, shipped_tuning


def instance_of(event_type: EventType, variant: int = 1) -> Event:
    """An event of a type; two variants differ in all that tells events apart."""
    cls = registry.entry_of(event_type).event_class
    at = Vec3(10.0 * variant, 0.0)
    if issubclass(cls, ShockingEvent):
        cause = ShockCause(variant, shipped_shocking().of(event_type), shipped_shocking(), at, 0)
        return cls(event_type, cause, None)
    if issubclass(cls, ScriptCommandEvent):
        kind = shipped_tuning().command_kind("walk")
        return cls(Reply(), variant, kind, token=COMMAND_MODULES_ONLY)
    if issubclass(cls, GivePedTaskEvent):
        return cls(Reply(), NONTEMP)
    if issubclass(cls, RisingEvent):
        return cls(Reply())
    arguments: dict[str, Any] = {
        "at": at,
        "radius_cm": 100.0,
        "start_step": 0,
        "sound_id": variant,
        "noise_id": variant,
        "blast_id": variant,
        "hit_id": variant,
        "obstacle_id": variant,
        "time_s": 1.0,
        "data": {"variant": variant},
    }
    code = cls.__init__.__code__  # type: ignore[misc]
    names = code.co_varnames[1 : code.co_argcount]
    made = cls(**{name: arguments[name] for name in names if name in arguments})
    assert isinstance(made, Event)
    return made


ALL_TYPES = [one.event_type for one in registry.all_registered()
             if one.event_type is not EventType.NEW_TASK]  # fmt: skip


def release(*events: Event) -> None:
    for event in events:
        event.release()
