"""The budget of live events: a bound whose spill is counted (EVT-20)."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from ai import settings
from ai.events.event_errors import EventBudgetError

if TYPE_CHECKING:
    from ai.events.base import Event

_log = logging.getLogger(__name__)


class EventBudget:
    """Counts events that live in queues and histories, and names them.

    - The first ``base_share`` of the budget is the base; ``spill`` is what is beyond it.
    - ``taps`` hear of every event that is to be added, before anything is checked.

    Invariant: ``used`` is the number of queued clones not yet released.
    """

    def __init__(self, budget: int, base_share: float) -> None:
        self.budget = budget
        self.base = math.floor(budget * base_share)
        self.spill_peak = 0
        self.refused = 0
        self.taps: list[Callable[[Event, str], None]] = []
        self._live: dict[int, tuple[Event, str]] = {}
        self._last_id = 0
        self._dumped = False

    @property
    def used(self) -> int:
        """Live events."""
        return len(self._live)

    @property
    def spill(self) -> int:
        """Live events beyond the base."""
        return max(len(self._live) - self.base, 0)

    def can_create_event(self, count: int = 1) -> bool:
        """Is there room for ``count`` more?"""
        return len(self._live) + count <= self.budget

    def notify(self, event: Event, owner: str) -> None:
        """Tell the taps what is about to be added to whom."""
        for tap in self.taps:
            tap(event, owner)

    def refuse(self) -> None:
        """Count an event that found no room; the first of a run is dumped to the log.

        Raises ``EventBudgetError`` in strict mode.
        """
        self.refused += 1
        if not self._dumped:
            self._dumped = True
            _log.warning("event budget of %d used up:\n%s", self.budget, self.table())
        if settings.strict:
            raise EventBudgetError(
                f"{self.used} of {self.budget} events live; find who keeps them (see the log), "
                "or raise budget in events.toml"
            )

    def take(self, event: Event, owner: str) -> None:
        """A clone was made and is live from now on."""
        self._last_id += 1
        event.event_id = self._last_id
        self._live[self._last_id] = (event, owner)
        self.spill_peak = max(self.spill_peak, self.spill)

    def give_back(self, event: Event) -> None:
        """It is over: what it carries is released, once."""
        if self._live.pop(event.event_id, None) is not None:
            event.leave_queue()
            event.release()

    def table(self) -> str:
        """Every live event: type, owner, ticks, persistent."""
        return "\n".join(
            f"{event!r}  {owner}  ticks {event.ticks}"
            + ("  persistent" if event.persistent else "")
            for event, owner in self._live.values()
        )
