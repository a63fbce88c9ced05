"""The response factory: from a kind to tasks in a container (EVT-85).

A dispatch table that ``ai/behaviours`` fills, so that no behaviour is imported here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from ai.events.decision_maker import Decided, ResponseTaskDef
from ai.events.decision_trace import Reason
from ai.events.response_kinds import KINDS, OUTLASTING_KINDS

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.events.response import EventResponse
    from ai.events.subject import EventPed

Builder: TypeAlias = "Callable[[EventPed, Event, ResponseTaskDef, int, EventResponse], str | None]"
"""Puts a task into the container and returns None, or answers none with a reason.

Arguments: ped, event, definition, flee flags, container. It touches no slot, queue or
history and does not raise for missing context.
"""


class ResponseFactory:
    """One builder a kind; ``not_built`` names kinds that were asked for and have none."""

    def __init__(self) -> None:
        self._builders: dict[str, Builder] = {}
        self._reported: set[str] = set()

    def register(self, kind: str, builder: Builder) -> None:
        """Say how a kind is built.

        Raises ``ValueError`` for an unknown kind or one that has a builder.
        """
        if kind not in KINDS:
            raise ValueError(f"no response kind is called {kind!r}; add it to KINDS")
        if kind in self._builders:
            raise ValueError(f"{kind!r} has a builder already")
        self._builders[kind] = builder

    def is_built(self, kind: str) -> bool:
        """Can a task of this kind be made?"""
        return kind in self._builders

    def add(self, kind: str, ped: EventPed, event: Event, response: EventResponse) -> bool:
        """Add what code fixed, with the kind's own defaults; False if it answers none."""
        info = KINDS[kind]
        defaults = {
            name: one.default for name, one in info.parameters.items() if one.default is not None
        }
        return self._build(ped, event, ResponseTaskDef(kind, kind, info, defaults), 0, response)

    def build(self, ped: EventPed, event: Event, decided: Decided, response: EventResponse) -> bool:
        """Add what was decided; False if it answers none."""
        definition = decided.definition
        assert definition is not None
        if not self._build(ped, event, definition, decided.flee_flags, response):
            return False
        response.say = decided.say
        if event.is_temporary and definition.kind in OUTLASTING_KINDS:
            response.override_as_non_temp = True
        return True

    def _build(
        self,
        ped: EventPed,
        event: Event,
        definition: ResponseTaskDef,
        flee_flags: int,
        response: EventResponse,
    ) -> bool:
        note = ped.events.trace.note
        builder = self._builders.get(definition.kind)
        if builder is None:
            if definition.kind not in self._reported:
                self._reported.add(definition.kind)
                note(Reason.KIND_NOT_BUILT, event, ped, definition.kind)
            return False
        why_not = builder(ped, event, definition, flee_flags, response)
        if why_not is not None:
            note(Reason.NO_RESPONSE, event, ped, definition.name, why_not)
            return False
        return True
