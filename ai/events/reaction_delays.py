"""Reaction delays: drawn once, and never so that a crowd moves in unison (EVT-21, EVT-22)."""

from __future__ import annotations

import random

from ai.events.types import EventType
from ai.ports import Clock

STEPS_PER_S = 60


class DelayLedger:
    """Delays handed out in the present step, by event type.

    - A delay closer than ``gap_steps`` to one handed out is pushed back by as much,
      repeatedly, at most ``max_pushes`` times.
    - It forgets when the step number changes; peds draw in id order.
    """

    def __init__(self, clock: Clock, *, gap_steps: int, max_pushes: int) -> None:
        self._clock = clock
        self._gap = gap_steps
        self._max_pushes = max_pushes
        self._step = -1
        self._given: dict[EventType, list[int]] = {}

    def draw(
        self,
        event_type: EventType,
        range_s: tuple[float, float],
        stream: random.Random,
        reaction_scale: float,
    ) -> int:
        """A delay in whole steps; one number is drawn from the ped's stream ``reaction``."""
        low, high = range_s
        delay = round(stream.uniform(low, high) * reaction_scale * STEPS_PER_S)
        return self.hand_out(event_type, delay)

    def hand_out(self, event_type: EventType, delay: int) -> int:
        """Push a drawn delay clear of the others of its type and step."""
        if self._clock.step != self._step:
            self._step = self._clock.step
            self._given.clear()
        given = self._given.setdefault(event_type, [])
        for _ in range(self._max_pushes):
            if all(abs(delay - other) >= self._gap for other in given):
                break
            delay += self._gap
        given.append(delay)
        return delay
