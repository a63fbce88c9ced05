"""Fills the picture's fires from a world: flames, burnt places, water, blackened things."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from game.render.fires.scorch import SCORCHES_MAX, Scorch
from game.render.picture import FirePicture, Picture
from game.world.outlines import bounds_of

if TYPE_CHECKING:
    from game.world.things import Thing
    from game.world.world import World

CHAR_STEPS: Final = 4
CHEST_CM: Final = 82.0
TOP_SHARE: Final = 0.55
"""Flames stand so high up a thing that burns."""


class FirePictures:
    """Reads one world after each step; gives nothing back."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._burnt: deque[Scorch] = deque(maxlen=SCORCHES_MAX)
        self._count = 0

    def char_of(self, thing: Thing) -> int:
        """How far fire has blackened a thing, 0 to 4."""
        share = self._world.fires.char_of.get(thing.ref)
        return 0 if share is None else min(CHAR_STEPS, round(share * CHAR_STEPS))

    def show(self, picture: Picture) -> None:
        """Bring the picture's fires up to date."""
        fires = self._world.fires
        for at, radius in fires.burnt:
            self._count += 1
            self._burnt.append(Scorch(at.x, at.y, radius, 1.0, self._count))
        for blast in self._world.blasts.of_step:
            self._count += 1
            self._burnt.append(Scorch(blast.at.x, blast.at.y, 150.0, 1.0, self._count))
        picture.water = tuple((one.at.x, one.at.y, one.radius_cm) for one in fires.doused)
        picture.wind = (fires.wind.x, fires.wind.y)
        shown = self._flames()
        picture.scorches = (
            *self._burnt,
            *(
                Scorch(one.x, one.y, one.radius, min(1.0, one.strength), one.number)
                for one in shown
                if not one.is_person
            ),
        )
        picture.fires = (*shown, *self._people())

    def _flames(self) -> list[FirePicture]:
        flames, things = self._world.fires.flames, self._world.things
        rows = zip(
            flames.number.tolist(),
            flames.x.tolist(),
            flames.y.tolist(),
            flames.radius().tolist(),
            flames.strength.tolist(),
            flames.thing_slot.tolist(),
            strict=True,
        )
        found = []
        for number, x, y, radius, strength, slot in rows:
            z, front_y = 0.0, None
            if slot >= 0:
                thing = things.in_slot(slot)
                front_y = bounds_of(things.footprint(thing))[3]
                z = thing.z_cm + TOP_SHARE * (thing.z_high_cm - thing.z_low_cm)
            found.append(FirePicture(number, x, y, z, radius, strength, front_y=front_y))
        return found

    def _people(self) -> list[FirePicture]:
        found = []
        for one in self._world.burning.all():
            ped = self._world.peds.resolve(one.ref)
            if ped is not None:
                x, y, z = ped.position
                found.append(FirePicture(-ped.ped_id, x, y, z + CHEST_CM, 19.0, 0.8, True))
        return found
