"""Explosions: whom and what they push, and who is told (EVT-40, EVT-102, RAG-15).

A blast acts at once, in the phase that sets it off: bodies get their DAMAGE, props their
push, and the street hears of it in phase 4.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ai.behaviours.injury import harm_of_blast
from ai.events.sound_events import ExplosionEvent, ExplosionHeard
from ai.events.types import EventType
from ai.peds.ped import Ped
from ai.ports import EntityRef, Impact, Vec3
from game.world.blast_tuning import BlastTuning
from game.world.things import Thing

if TYPE_CHECKING:
    from game.world.world import World

_RAY_RADIUS_CM = 0.5

_LIFTED_PART = "pelvis"


class Blast(NamedTuple):
    """One explosion: where, how far it reaches, whose it was."""

    number: int
    step: int
    at: Vec3
    radius_cm: float
    source: EntityRef | None


class Blasts:
    """Sets off explosions in a world; ``of_step`` are those of the present step."""

    def __init__(self, world: World, tuning: BlastTuning) -> None:
        self._world = world
        self._tuning = tuning
        self._count = 0
        self.of_step: list[Blast] = []

    def begin_step(self) -> None:
        """Start of phase 1: the blasts of the last step are over."""
        if self.of_step:
            self.of_step = []

    def explode(
        self,
        at: Vec3,
        *,
        strength: float = 1.0,
        radius_cm: float | None = None,
        source: EntityRef | None = None,
    ) -> Blast:
        """Something blows up.

        ``strength`` multiplies the tuned power and lift, not the reach. Raises ``ValueError``
        for numbers that are not finite, a radius that is not above 0 or a strength below it.
        """
        radius = self._tuning.radius_cm if radius_cm is None else radius_cm
        if not all(map(math.isfinite, (*at, radius, strength))) or radius <= 0.0 or strength < 0.0:
            raise ValueError(
                f"a blast at {at} with radius {radius} and strength {strength} can't be: give "
                "finite numbers, a radius over 0 and a strength of 0 or more"
            )
        self._count += 1
        blast = Blast(self._count, self._world.clock.step, at, radius, source)
        self.of_step.append(blast)
        for ped in self._world.peds.in_id_order():
            if not ped.retired:
                self._reach_ped(blast, ped, strength)
        for thing in self._world.things.in_id_order():
            if thing.dynamic and not thing.dying:
                self._reach_prop(blast, thing, strength)
        self._tell_the_street(blast)
        return blast

    # -- inside ------------------------------------------------------------------

    def _reach_ped(self, blast: Blast, ped: Ped, strength: float) -> None:
        place, tuning = ped.position, self._tuning
        distance = math.dist(place[:2], blast.at[:2])
        if distance > blast.radius_cm or not self._is_open(blast.at, place):
            return
        throws_within = tuning.throws_share * blast.radius_cm
        size = strength * tuning.power * (1.0 - distance / blast.radius_cm)
        lift = strength * tuning.lift * max(0.0, 1.0 - distance / max(throws_within, 1e-9))
        way = _way(blast.at, place, distance)
        ped.events.add_event(ExplosionEvent(blast.at, blast.number, blast.source, amount=0.0))
        self._world.impacts.strike(
            ped,
            Impact((size * way[0], size * way[1]), lift, _LIFTED_PART, blast.source, force=True),
            ragdolls=distance <= throws_within,
            harm=strength
            * harm_of_blast(distance, blast.radius_cm, self._world.data.peds.tuning.damage),
        )

    def _reach_prop(self, blast: Blast, thing: Thing, strength: float) -> None:
        x, y = self._world.things.state[thing.ref.slot, :2].tolist()
        place = Vec3(x, y, thing.z_cm)
        distance = math.dist((x, y), blast.at[:2])
        if distance > blast.radius_cm or not self._is_open(blast.at, place):
            return
        size = strength * self._tuning.power * (1.0 - distance / blast.radius_cm)
        size = min(size, self._tuning.prop_speed_max_cm_s * thing.mass_kg)
        way = _way(blast.at, place, distance)
        self._world.physics.apply_impulse(thing.ref, (size * way[0], size * way[1]))
        self._world.prop_reactions.jolt(thing, size / thing.mass_kg, blast.source, in_blast=True)

    def _is_open(self, here: Vec3, there: Vec3) -> bool:
        """No full wall between (EVT-40)."""
        tuning = self._tuning
        return self._world.clearance.sweep_free(
            here.x, here.y, there.x, there.y, _RAY_RADIUS_CM, tuning.wall_low_cm,
            tuning.wall_high_cm,
        )  # fmt: skip

    def _tell_the_street(self, blast: Blast) -> None:
        """The global events of EVT-40; peds hear them in phase 4."""
        events = self._world.events.global_events
        events.group.add_or_combine(
            ExplosionHeard(
                blast.at, blast.number, self._tuning.hear_cm, blast.step, source=blast.source
            )
        )
        events.shock(EventType.SHOCKING_EXPLOSION, blast.at, source=blast.source)


def _way(here: Vec3, there: Vec3, distance_cm: float) -> tuple[float, float]:
    """Unit vector away from a blast; who stands in its middle goes up."""
    if distance_cm == 0.0:
        return (0.0, 0.0)
    return ((there.x - here.x) / distance_cm, (there.y - here.y) / distance_cm)
