"""A vehicle's group: delivered to its occupants in each step, and flushed (EVT-27)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ai.events.base import Event
from ai.events.group import EventGroup
from ai.events.priorities import EventPriority

if TYPE_CHECKING:
    from ai.events.event_services import EventServices
    from ai.events.subject import EventPed


class EventVehicle(Protocol):
    """What the group needs of its vehicle."""

    is_mirrored: bool

    def occupants(self) -> Sequence[EventPed]:
        """Driver first, then passengers by seat."""
        ...


class EventGroupVehicle(EventGroup):
    """Horn, near miss, contact, damage, and that somebody takes the vehicle."""

    def __init__(self, services: EventServices, vehicle: EventVehicle, label: str) -> None:
        super().__init__(services, label, services.tuning.capacity.vehicle, _rank_of)
        self._vehicle = vehicle

    def add(self, event: Event) -> Event | None:
        """Queue a clone; None if refused. Mirrored vehicles refuse everything."""
        self.check_kind(event)
        if not self.has_room_in_budget(event) or self._vehicle.is_mirrored:
            return None
        return self.queue.add(event).entry

    def deliver(self) -> None:
        """Offer each event to each occupant, then flush."""
        if self.queue.entries:
            for ped in self._vehicle.occupants():
                for event in self.events():
                    if event.exposed_to_occupant(ped):
                        ped.events.add_event(event)
            self.clear()


def _rank_of(event: Event) -> EventPriority:
    return event.rank
