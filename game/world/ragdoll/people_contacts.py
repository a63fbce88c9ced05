"""Limp bodies and flying props against people on their feet: who hits whom, once (RAG-14)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pymunk

from ai.motion.recovery.tuning import TouchTuning
from ai.ports import EntityKind
from game.world.bodies import BodyOwner
from game.world.ragdoll.ragdolls import Ragdolls

OwnerOf = Callable[[pymunk.Shape], BodyOwner | None]


@dataclass(frozen=True, slots=True)
class Struck:
    """A ped on its feet was touched for the first time by something that flew.

    ``impulse`` in kg cm/s, at the tuned share of what the closing speed carries.
    """

    thrown: BodyOwner
    ped_slot: int
    impulse: tuple[float, float]


@dataclass(slots=True)
class _Pair:
    """How many shapes of a pair touch, and since when none does."""

    touching: int = 0
    parted_s: float = 0.0


class PeopleContacts:
    """Collects first touches; a pair that was apart long enough touches for the first time again.

    ``begin`` and ``separate`` are contact callbacks with the standing circle second.
    """

    def __init__(self, ragdolls: Ragdolls, owner_of: OwnerOf, tuning: TouchTuning) -> None:
        self._ragdolls = ragdolls
        self._owner_of = owner_of
        self._tuning = tuning
        self._pairs: dict[tuple[BodyOwner, BodyOwner], _Pair] = {}
        self._struck: list[Struck] = []

    def begin(self, arbiter: pymunk.Arbiter) -> None:
        """Two shapes touch."""
        pair = self._pair(arbiter)
        if pair is None:
            return
        known = self._pairs.get(pair)
        if known is None:
            known = self._pairs[pair] = _Pair()
            self._strike(pair, arbiter)
        known.touching += 1
        known.parted_s = 0.0

    def separate(self, arbiter: pymunk.Arbiter) -> None:
        """Two shapes part, or one of them is taken out."""
        pair = self._pair(arbiter)
        known = None if pair is None else self._pairs.get(pair)
        if known is not None:
            known.touching = max(0, known.touching - 1)

    def take(self, dt_s: float) -> list[Struck]:
        """The first touches since the last call, once a step; time goes on for the parted."""
        struck, self._struck = self._struck, []
        over = []
        for pair, known in self._pairs.items():
            if known.touching == 0:
                known.parted_s += dt_s
                if known.parted_s >= self._tuning.part_s:
                    over.append(pair)
        for pair in over:
            del self._pairs[pair]
        return struck

    def _pair(self, arbiter: pymunk.Arbiter) -> tuple[BodyOwner, BodyOwner] | None:
        first, second = arbiter.shapes
        thrown, ped = self._owner_of(first), self._owner_of(second)
        return None if thrown is None or ped is None else (thrown, ped)

    def _strike(self, pair: tuple[BodyOwner, BodyOwner], arbiter: pymunk.Arbiter) -> None:
        thrown, ped = pair
        body, circle = arbiter.bodies
        mass, velocity, place = body.mass, body.velocity, body.position
        if thrown.kind is EntityKind.PED:
            limp = self._ragdolls.limp_ped(thrown.slot)
            if limp is None:
                return
            mass, velocity = self._ragdolls.spec.mass_kg, limp.velocity()
            place = limp.bodies[0].position
        relative = velocity - circle.velocity
        way = circle.position - place
        if way.length == 0.0 or relative.length == 0.0:
            return
        closing = relative.dot(way) / way.length
        if closing <= 0.0:
            return
        push = relative * (mass * closing * self._tuning.share / relative.length)
        self._struck.append(Struck(thrown, ped.slot, (push.x, push.y)))
