"""The trace of facts: what happened to whom, in which step and phase (NAV-23).

Arrival, completion and the end of a task are three facts with their own rows
(ORD-17); levels and tests judge by them and never by captions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ai.ports import Clock


class Fact(NamedTuple):
    """One row: ``phase`` is the row number of the step table (product.md section 11)."""

    step: int
    phase: int
    ped_id: int
    fact: str
    details: tuple[object, ...]

    @property
    def when(self) -> tuple[int, int]:
        """Order of facts in a run: (step, phase)."""
        return self.step, self.phase


class FactTrace:
    """Facts in the order in which they came about (the port ``FactSink``).

    - ``phase`` is set by the frame before each phase begins.
    - At most ``limit`` facts are kept; ``dropped`` counts those that came later.
    """

    def __init__(self, clock: Clock, limit: int = 1_000_000) -> None:
        self._clock = clock
        self._limit = limit
        self._facts: list[Fact] = []
        self.phase = 0
        self.dropped = 0

    def note(self, ped_id: int, fact: str, *details: object) -> None:
        """Append a fact of the present step and phase."""
        if len(self._facts) >= self._limit:
            self.dropped += 1
            return
        self._facts.append(Fact(self._clock.step, self.phase, ped_id, fact, details))

    def of(self, ped_id: int, fact: str | None = None) -> list[Fact]:
        """A ped's facts, oldest first; only those named ``fact`` if given."""
        return [
            row
            for row in self._facts
            if row.ped_id == ped_id and (fact is None or row.fact == fact)
        ]

    def since(self, number: int) -> list[Fact]:
        """Facts from a number on, oldest first: for who follows the trace as it grows."""
        return self._facts[number:]

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)
