"""Fear: what a ped decided on frightens it, and wears off (EVT-101)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ai.events.event_tuning import Fear
from ai.events.priorities import EventPriority
from ai.events.shocking import ShockingEvent
from ai.events.types import EventType
from ai.ports import STEP_S

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.events.subject import EventPed

_SERIOUS: Final = (
    EventType.AIMED_AT,
    EventType.EXPLOSION,
    EventType.DAMAGE,
)


class Nerves:
    """Keeps the fear of the last fright and its step; what is left is worked out when asked."""

    __slots__ = ("_fear", "_step", "_tuning")

    def __init__(self, tuning: Fear) -> None:
        self._tuning = tuning
        self._fear = 0.0
        self._step = 0

    def fear(self, step: int) -> float:
        """In [0, 1], 0 at spawn."""
        fallen = (step - self._step) * STEP_S * self._tuning.fall_per_s
        return max(self._fear - fallen, 0.0)

    def frighten(self, ped: EventPed, event: Event, step: int) -> None:
        """Raise the fear to at least what the event is worth."""
        self._fear = max(self.fear(step), self._worth(ped, event))
        self._step = step

    def _worth(self, ped: EventPed, event: Event) -> float:
        tuning = self._tuning
        if event.event_type in _SERIOUS:
            return tuning.serious
        if event.event_type == EventType.BANG_HEARD:
            return tuning.dangerous
        if isinstance(event, ShockingEvent):
            priority = event.priority(ped)
            if priority >= EventPriority.SHOCK_SERIOUS_DANGER:
                return tuning.serious
            if priority >= EventPriority.SHOCK_DANGEROUS:
                return tuning.dangerous
            if priority >= EventPriority.SHOCK_POTENTIAL_DANGER:
                return tuning.potential
        return 0.0
