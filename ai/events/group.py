"""What all groups share: kinds, registration, taps, budget (EVT-01, EVT-11, EVT-20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.events import registry
from ai.events.base import Event
from ai.events.event_errors import UnregisteredEvent
from ai.events.queue import EventQueue

if TYPE_CHECKING:
    from collections.abc import Callable

    from ai.events.event_services import EventServices
    from ai.events.priorities import EventPriority

PED_CAPACITY = 16
"""Places of a ped's group (EVT-23); fixed, because the cost of a pass rests on it."""


class EventGroup:
    """A queue with its owner and rules of admission.

    - ``owner`` names it in the budget's table.
    - Every queued clone counts against the budget until it is over.
    """

    __slots__ = ("owner", "queue", "services")

    def __init__(
        self,
        services: EventServices,
        owner: str,
        capacity: int,
        rank_of: Callable[[Event], EventPriority],
    ) -> None:
        self.services = services
        self.owner = owner
        self.queue = EventQueue(
            capacity, rank_of=rank_of, on_clone=self._cloned, on_gone=self._gone
        )

    def __len__(self) -> int:
        return len(self.queue.entries)

    def events(self) -> tuple[Event, ...]:
        """The entries in the order of their arrival."""
        return tuple(self.queue.entries)

    def check_kind(self, event: Event) -> None:
        """Raise ``TypeError`` for what is no event of this group, ``UnregisteredEvent`` else."""
        if not isinstance(event, Event) or event.is_for_scripts:
            raise TypeError(
                f"{type(event).__name__} does not belong into {self.owner}; "
                "session and error events go to the script groups, effects nowhere"
            )
        check_registered(event)

    def has_room_in_budget(self, event: Event) -> bool:
        """Tell the taps, then ask the budget; a refusal is counted there."""
        budget = self.services.budget
        budget.notify(event, self.owner)
        if budget.can_create_event():
            return True
        budget.refuse()
        return False

    def flush_expired(self) -> int:
        """Drop what is over: end of a step (EVT-63)."""
        return self.queue.flush_expired() if self.queue.entries else 0

    def clear(self) -> None:
        """Drop everything: unload, removal, a ped that becomes mirrored."""
        self.queue.flush_all()

    def _cloned(self, event: Event) -> None:
        tuning = self.services.tuning.of_type(event.event_type)
        event.give_defaults(tuning.lifetime_ticks, tuning.delay_s)
        self.services.budget.take(event, self.owner)

    def _gone(self, event: Event) -> None:
        self.services.budget.give_back(event)


def check_registered(event: Event) -> None:
    """Raise ``UnregisteredEvent``, strict or not, for a class without a type (EVT-11)."""
    event_type = getattr(event, "event_type", None)
    if event_type is None or not registry.is_registered(event_type):
        raise UnregisteredEvent(
            f"{type(event).__name__} has no registered name; declare its event_type"
        )
