"""What a ped remembers of its decisions: cooldowns and "none" (EVT-79, EVT-82)."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from ai.events.decision_maker import UNLIMITED, ResponseEntry
from ai.events.types import EventType
from ai.ports import EntityRef, Vec3

NONES_BEFORE_TIDYING: Final = 32
"""So many memories of "none" are kept before the old ones are looked for."""


class CooldownNote(NamedTuple):
    """A response of an entry was committed, then and there."""

    entry: ResponseEntry
    maker: str
    step: int
    place: Vec3 | None


class NoneNote(NamedTuple):
    """The decision was "none", in this distance band."""

    event_type: EventType
    source: EntityRef | None
    band: int
    step: int


class DecisionMemory:
    """Rings of a ped; the oldest note goes."""

    __slots__ = ("_none_steps", "_nones", "cooldowns")

    def __init__(self, cooldown_notes: int, none_steps: int) -> None:
        self.cooldowns: deque[CooldownNote] = deque(maxlen=cooldown_notes)
        self._nones: dict[tuple[EventType, EntityRef | None], NoneNote] = {}
        self._none_steps = none_steps

    # -- cooldowns ----------------------------------------------------------------------

    def start_cooldown(
        self, entry: ResponseEntry, maker: str, step: int, place: Vec3 | None
    ) -> None:
        """A response from this entry was committed."""
        if entry.cooldown is not None:
            self.cooldowns.append(CooldownNote(entry, maker, step, place))

    def is_cooling(self, entry: ResponseEntry, maker: str, step: int, place: Vec3 | None) -> bool:
        """May the entry not answer an event here and now?

        A note stands for its event type: it holds back the entry of another maker too,
        but not a further entry of its own.
        """
        for note in self.cooldowns:
            cooldown = note.entry.cooldown
            assert cooldown is not None
            if (
                note.entry.event_type is entry.event_type
                and (note.maker != maker or note.entry.name == entry.name)
                and step - note.step < cooldown.steps
                and _within(note.place, place, cooldown.squared)
            ):
                return True
        return False

    # -- "none" -------------------------------------------------------------------------

    def remember_none(
        self, event_type: EventType, source: EntityRef | None, band: int, step: int
    ) -> None:
        """Decided "none", or remembered as such, which does not renew the memory."""
        if len(self._nones) >= NONES_BEFORE_TIDYING:
            self._forget_old(step)
        self._nones[event_type, source] = NoneNote(event_type, source, band, step)

    def remembers_none(
        self, event_type: EventType, source: EntityRef | None, band: int, step: int
    ) -> bool:
        """Was it "none" lately, in the same band?"""
        note = self._nones.get((event_type, source))
        if note is None:
            return False
        if step - note.step >= self._none_steps:
            del self._nones[event_type, source]
            return False
        return note.band == band

    def was_none(self, event_type: EventType, source: EntityRef | None, step: int) -> bool:
        """Was it "none" lately, in whatever band? Who reports it again may save the trouble."""
        note = self._nones.get((event_type, source))
        return note is not None and step - note.step < self._none_steps

    def _forget_old(self, step: int) -> None:
        """Drop memories that are over, so that a long run does not grow."""
        self._nones = {
            key: note for key, note in self._nones.items() if step - note.step < self._none_steps
        }


def _within(one: Vec3 | None, other: Vec3 | None, squared: float) -> bool:
    if squared == UNLIMITED or one is None or other is None:
        return True
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2 <= squared
