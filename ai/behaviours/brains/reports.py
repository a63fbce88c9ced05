"""What people do to each other and what guards call: news that guards look at (HSM-30).

One ring for a world. Whoever brings something about writes it down here; a guard
remembers up to which number it has looked, so that quiet steps cost it one comparison.
"""

from __future__ import annotations

from collections import deque
from enum import IntEnum
from typing import NamedTuple

from ai.ports import EntityRef, Vec3

KEPT = 64
"""What is older than this many others is over; nobody who thinks now and then misses it."""


class ReportKind(IntEnum):
    """What happened."""

    DEED = 0
    """``by`` caused an impact on ``other``, who was at ``place``."""
    CALL = 1
    """``by`` calls out that it sees the enemy ``other`` at ``place``."""


class Report(NamedTuple):
    """One piece of news; ``number`` rises by one with each."""

    number: int
    step: int
    kind: ReportKind
    by: EntityRef
    other: EntityRef
    place: Vec3


class Reports:
    """The ring; ``last`` is the number of the newest, 0 before there is one."""

    __slots__ = ("_ring", "last")

    def __init__(self) -> None:
        self._ring: deque[Report] = deque(maxlen=KEPT)
        self.last = 0

    def note(
        self, step: int, kind: ReportKind, by: EntityRef, other: EntityRef, place: Vec3
    ) -> None:
        """Write something down."""
        self.last += 1
        self._ring.append(Report(self.last, step, kind, by, other, place))

    def since(self, number: int) -> list[Report]:
        """What came after this number, oldest first."""
        return [one for one in self._ring if one.number > number]
