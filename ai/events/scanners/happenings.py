"""What happens on the street: fires that burn, and the sounds, flights and touches of a step.

Whoever makes something happen says so here, in any phase. In phase 3 it becomes the
street's own events, once a cause (EVT-37, EVT-100); in phase 6 the scanners of the peds
look at the same facts, which are then over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ai.events.scanners.facts import Contact, Fire, Flight, Sound, SoundKind
from ai.events.types import EventType
from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.event_services import EventServices

REFRESH_STEPS: Final = 30
"""A cause that goes on says so this often (EVT-86)."""

ONE_BLAZE_CM: Final = 400.0
"""Fires that were kindled nearer than this to an older one are one cause with it."""


@dataclass(slots=True)
class BurningSpot:
    """A fire as a thing of the street; ``until_step`` is None while nobody said when it ends.

    ``quiet``: another fire kindled it, so that it is no news so near to one that is.
    """

    fire: Fire
    lit_step: int
    until_step: int | None
    quiet: bool = False


class Happenings:
    """Facts of one world; what was said after phase 6 belongs to the next step.

    - ``fires``: those that burn now, in the order in which they were lit.
    - ``sounds``, ``flights``, ``contacts``: of the present step, until ``clear_step``.
    """

    def __init__(self, services: EventServices) -> None:
        self._services = services
        self._spots: dict[int, BurningSpot] = {}
        self._next_number = 1
        self._bangs_told = 0
        self.sounds: list[Sound] = []
        self._steps_heard_next: list[Sound] = []
        self.flights: list[Flight] = []
        self.contacts: list[Contact] = []

    # -- making things happen -------------------------------------------------------------

    def light_fire(
        self,
        at: Vec3,
        radius_cm: float,
        *,
        burns_s: float | None = None,
        source: EntityRef | None = None,
        quiet: bool = False,
    ) -> int:
        """Something begins to burn; the number is what ``put_out`` wants.

        ``quiet``: another fire kindled it; it is told only where no other fire is.

        Raises ``ValueError`` for a radius that is not over 0.
        """
        if not radius_cm > 0.0:
            raise ValueError(f"a fire needs a radius over 0 cm, not {radius_cm}")
        number = self._number()
        step = self._services.clock.step
        until = None if burns_s is None else step + round(burns_s * 60)
        self._spots[number] = BurningSpot(Fire(number, at, radius_cm, source), step, until, quiet)
        return number

    def change_fire(self, fire_id: int, x: float, y: float, radius_cm: float) -> None:
        """A fire is there now, and so large; one that does not burn stays out."""
        spot = self._spots.get(fire_id)
        if spot is not None:
            at = spot.fire.at._replace(x=x, y=y)
            spot.fire = spot.fire._replace(at=at, radius_cm=radius_cm)

    def put_out(self, fire_id: int) -> bool:
        """A fire is out; False if it did not burn."""
        return self._spots.pop(fire_id, None) is not None

    def bang(
        self,
        at: Vec3,
        radius_cm: float,
        source: EntityRef | None = None,
        *,
        loudness: float = 1.0,
    ) -> int:
        """A shot, a backfire, a firecracker."""
        return self._sound(SoundKind.BANG, at, radius_cm, source, loudness)

    def breakage(self, at: Vec3, source: EntityRef | None = None) -> int:
        """Something breaks; the street may see it, and who does not may hear it as far."""
        kind = EventType.SHOCKING_BREAKAGE
        self._services.global_events.shock(kind, at, source=source)
        heard_cm = self._services.shocking.of(kind).hear_cm
        return self._sound(SoundKind.BREAKAGE, at, heard_cm, source, 1.0)

    def footstep(self, sound_id: int, at: Vec3, radius_cm: float, source: EntityRef) -> None:
        """Somebody who runs is heard in the next step; one runner is one sound."""
        self._steps_heard_next.append(Sound(sound_id, SoundKind.FOOTSTEP, at, radius_cm, source))

    def flight(self, flight: Flight) -> None:
        """A thrown or shot thing went this way in this step."""
        self.flights.append(flight)

    def contact(self, contact: Contact) -> None:
        """Something touched a ped."""
        self.contacts.append(contact)

    # -- looking --------------------------------------------------------------------------

    def fires(self) -> list[Fire]:
        """Everything that burns, in the order in which it was lit."""
        return [spot.fire for spot in self._spots.values()]

    def spots(self) -> list[BurningSpot]:
        """The same with the steps in which they were lit and will be out."""
        return list(self._spots.values())

    # -- the step -------------------------------------------------------------------------

    def update(self) -> None:
        """Phase 3: fires burn on or end, and what is new becomes events of the street."""
        step = self._services.clock.step
        shock = self._services.global_events.shock
        if self._spots:
            out = [
                number
                for number, spot in self._spots.items()
                if spot.until_step is not None and step >= spot.until_step
            ]
            for number in out:
                del self._spots[number]
            for spot in self._spots.values():
                if (step - spot.lit_step) % REFRESH_STEPS == 0 and self._is_news(spot):
                    self._tell_fire(spot.fire)
        for sound in self.sounds[self._bangs_told :]:
            if sound.kind is SoundKind.BANG:
                shock(EventType.SHOCKING_BANG, sound.at, source=sound.source)
        self._bangs_told = len(self.sounds)

    def clear_step(self) -> None:
        """Phase 6 has looked: the facts of the step are over."""
        self.sounds, self._steps_heard_next = self._steps_heard_next, []
        self.flights.clear()
        self.contacts.clear()
        self._bangs_told = 0

    def _is_news(self, spot: BurningSpot) -> bool:
        """One that another kindled is part of the blaze of any told fire near it."""
        if not spot.quiet:
            return True
        at = spot.fire.at
        for other in self._spots.values():
            if other is spot:
                return True
            there = other.fire.at
            if (there.x - at.x) ** 2 + (there.y - at.y) ** 2 <= ONE_BLAZE_CM**2:
                return False
        return True

    def _tell_fire(self, fire: Fire) -> None:
        """One event a fire: refreshed by its number, or by the source that it has."""
        self._services.global_events.shock(
            EventType.SHOCKING_FIRE, fire.at, source=fire.source, cause_id=fire.fire_id
        )

    def _sound(
        self,
        kind: SoundKind,
        at: Vec3,
        radius_cm: float,
        source: EntityRef | None,
        loudness: float,
    ) -> int:
        number = self._number()
        self.sounds.append(Sound(number, kind, at, radius_cm, source, loudness))
        return number

    def _number(self) -> int:
        number = self._next_number
        self._next_number += 1
        return number
