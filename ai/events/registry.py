"""The registry of event classes: type to name and class (EVT-10, EVT-11).

A class that declares a type in its body is checked and registered when it is made;
abstract families declare none. Tests may derive from a registered class without
declaring a type of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ai.events.types import EventType
from ai.tasks.new_task_event import NewTaskEvent

if TYPE_CHECKING:
    from ai.events.base import Event

REQUIRED: Final = ("priority", "clone", "same_as", "script_data")


class RegisteredEvent(NamedTuple):
    """What is known of a type. ``NEW_TASK`` alone has a class that is no ``Event``."""

    event_type: EventType
    name: str
    event_class: type[object]


_registered: dict[int, RegisteredEvent] = {
    EventType.NEW_TASK: RegisteredEvent(EventType.NEW_TASK, "NEW_TASK", NewTaskEvent)
}


def declare(cls: type[Event]) -> None:
    """Check a new event class, and register it if its body declares an event type.

    Raises ``TypeError`` for a class with instance dictionaries, one that leaves out what
    every class must say, one of a wrong range or a type that is taken.
    """
    if "__slots__" not in cls.__dict__:
        raise TypeError(f"{cls.__qualname__}: declare __slots__ (which may be empty)")
    declared = cls.__dict__.get("event_type")
    if isinstance(declared, EventType):
        register(declared, cls)


def register(event_type: EventType, cls: type[Event]) -> None:
    """Make a class the one of a type; one class may serve several types."""
    if event_type is EventType.NONE or event_type in _registered:
        taken = "NONE is never queued" if not event_type else "it is taken"
        raise TypeError(f"{cls.__qualname__}: can't register {event_type.name}: {taken}")
    missing = [name for name in REQUIRED if _is_abstract(cls, name)]
    if missing:
        raise TypeError(f"{cls.__qualname__}: define {', '.join(missing)}")
    if cls.is_for_scripts == (event_type < _FIRST_FOR_SCRIPTS):
        raise TypeError(
            f"{cls.__qualname__}: {event_type.name} = {int(event_type)} is outside its range"
        )
    _registered[event_type] = RegisteredEvent(event_type, event_type.name, cls)


_FIRST_FOR_SCRIPTS: Final = 300


def _is_abstract(cls: type[Event], name: str) -> bool:
    return getattr(getattr(cls, name), "__isabstractmethod__", False)


def is_registered(event_type: int) -> bool:
    """True for a type that groups take."""
    return event_type in _registered


def all_registered() -> tuple[RegisteredEvent, ...]:
    """Every type in the order of its number."""
    return tuple(_registered[number] for number in sorted(_registered))


def entry_of(event_type: EventType) -> RegisteredEvent:
    """What is known of a type.

    Raises ``KeyError`` if no class was registered.
    """
    return _registered[event_type]
