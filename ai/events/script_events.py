"""Events for scripts alone: of the session, and errors (EVT-01, EVT-29, EVT-30)."""

from __future__ import annotations

from typing import Any, ClassVar

from ai.events.base import PlainEvent, ScriptData
from ai.events.priorities import EventPriority
from ai.events.types import EventType


class ForScripts(PlainEvent):
    """Carries plain ``data``; two of them are never the same event."""

    __slots__ = ("data",)
    PAYLOAD: ClassVar[tuple[str, ...]] = ("data",)
    DISCRIMINATORS: ClassVar[tuple[str, ...]] = ("data",)
    is_for_scripts = True
    rank = EventPriority.ENV_TRIVIA

    def __init__(self, data: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.data = dict(data or {})

    def script_data(self) -> ScriptData:
        """The data as they are."""
        return dict(self.data)


class SessionEvent(ForScripts):
    """Membership, ownership and messages of a session."""

    __slots__ = ()


class SessionPlayerJoined(SessionEvent):
    """A world joined."""

    __slots__ = ()
    event_type = EventType.SESSION_PLAYER_JOINED


class SessionPlayerLeft(SessionEvent):
    """A world left."""

    __slots__ = ()
    event_type = EventType.SESSION_PLAYER_LEFT


class SessionOwnershipChanged(SessionEvent):
    """A ped became, or stopped being, mirrored."""

    __slots__ = ()
    event_type = EventType.SESSION_OWNERSHIP_CHANGED


class SessionMessage(SessionEvent):
    """The other world says something."""

    __slots__ = ()
    event_type = EventType.SESSION_MESSAGE


class SessionEnded(SessionEvent):
    """The session is over."""

    __slots__ = ()
    event_type = EventType.SESSION_ENDED


class ErrorEvent(ForScripts):
    """Something went wrong that a script should know of."""

    __slots__ = ()


class ErrorScriptException(ErrorEvent):
    """A script or a hook raised."""

    __slots__ = ()
    event_type = EventType.ERROR_SCRIPT_EXCEPTION


class ErrorUnknownPed(ErrorEvent):
    """A command to nobody."""

    __slots__ = ()
    event_type = EventType.ERROR_UNKNOWN_PED


class ErrorRefusedCommand(ErrorEvent):
    """A command was refused."""

    __slots__ = ()
    event_type = EventType.ERROR_REFUSED_COMMAND


class ErrorSequence(ErrorEvent):
    """A sequence was used wrongly."""

    __slots__ = ()
    event_type = EventType.ERROR_SEQUENCE


class ErrorBadData(ErrorEvent):
    """Level data that can't be used."""

    __slots__ = ()
    event_type = EventType.ERROR_BAD_DATA
