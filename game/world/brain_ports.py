"""What brains need of the world: which handles live, blows that land, lines that are said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ai.events.subject import EventPed
from ai.machines.steps import steps
from ai.ports import EntityRef

if TYPE_CHECKING:
    from game.world.world import World

READ_S = 1.2
READ_LETTER_S = 0.05


class WorldLife:
    """Fills ``EntityLife``: a blackboard's handles turn stale when a ped leaves."""

    def __init__(self, world: World) -> None:
        self._world = world

    @property
    def version(self) -> int:
        """Rises whenever a ped has left."""
        return self._world.peds.departures

    def is_alive(self, ref: EntityRef) -> bool:
        """False for a stale handle."""
        return self._world.events.world.exists(ref)


class WorldBlows:
    """Fills ``Blows`` with the world's impacts."""

    def __init__(self, world: World) -> None:
        self._world = world

    def strike(self, by: EntityRef, target: EntityRef, impulse: float) -> None:
        """One ped hits another."""
        peds = self._world.peds
        attacker, ped = peds.resolve(by), peds.resolve(target)
        if attacker is not None and ped is not None:
            self._world.impacts.blow(attacker, ped, impulse)


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A line that is being said; it is over when ``until_step`` comes."""

    speaker: EntityRef
    line: str
    until_step: int


class SpokenLines:
    """Fills ``Speech``: what each ped says now, as a fact and for who shows it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._lines: dict[EntityRef, SpokenLine] = {}

    def say(self, speaker: EntityRef, line: str, seconds: float) -> None:
        """Say a line; it takes the place of the speaker's last."""
        world = self._world
        ped = world.peds.resolve(speaker)
        if ped is not None:
            until = world.clock.step + steps(seconds)
            self._lines[speaker] = SpokenLine(speaker, line, until)
            world.facts.note(ped.ped_id, "SAID", line)

    def say_words(self, ped: EventPed, words: str) -> None:
        """A response speaks: as long as it takes to read (art-and-feel section 12)."""
        self.say(ped.ref, words, READ_S + READ_LETTER_S * len(words))

    def present(self) -> tuple[SpokenLine, ...]:
        """What is being said; what is over is forgotten."""
        step = self._world.clock.step
        if self._lines:
            self._lines = {
                speaker: line for speaker, line in self._lines.items() if line.until_step > step
            }
        return tuple(self._lines.values())
