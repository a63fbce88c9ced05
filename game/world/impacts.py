"""Hits that people take: what shoves, flies into them or is cued, and what comes of it (EVT-39).

The one place between whatever strikes a ped and its knock-down: by its thresholds a
hit knocks down or is a bump. Events of damage will be added here in place of the
direct request.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ai.motion.recovery.knock_downs import KnockDownReply
from ai.motion.recovery.tuning import KnockdownTuning
from ai.peds.ped import Ped
from ai.ports import EntityKind

if TYPE_CHECKING:
    from game.world.ragdoll.people_contacts import Struck
    from game.world.world import World


class Impacts:
    """Passes hits on to the knock-downs of a world."""

    def __init__(self, world: World, tuning: KnockdownTuning) -> None:
        self._world = world
        self._tuning = tuning

    def strike(
        self,
        ped: Ped,
        impulse_xy: tuple[float, float],
        up: float = 0.0,
        *,
        part: str = "chest",
        source: object | None = None,
    ) -> KnockDownReply:
        """Hit a ped with an impulse in kg cm/s; what can't throw it asks for nothing."""
        entry = self._tuning.entry
        if math.hypot(*impulse_xy) < entry.impulse_min and up < entry.up_min:
            return KnockDownReply.TOO_WEAK
        return self._world.knock_downs.request(ped, impulse_xy, up, part, source)

    def shove(self, by: Ped, ped: Ped, push: float) -> KnockDownReply:
        """One ped pushes another, in kg cm/s along its facing; who runs puts weight behind it."""
        carried = self._tuning.ragdoll.mass_kg * self._tuning.touch.share
        size = push + carried * by.movement.measured_speed
        impulse = size * math.cos(by.yaw), size * math.sin(by.yaw)
        reply = self.strike(ped, impulse, source=by.ref)
        self._world.facts.note(ped.ped_id, "SHOVED", reply.name, *impulse)
        return reply

    def take(self, struck: Sequence[Struck]) -> None:
        """End of physics: bodies and props that flew into people (RAG-14).

        The source is that of the thrown ped's own fall.
        """
        if not struck:
            return
        ped_in = {ped.slot: ped for ped in self._world.peds.in_id_order()}
        for hit in struck:
            ped = ped_in.get(hit.ped_slot)
            if ped is None:
                continue
            source = None
            if hit.thrown.kind is EntityKind.PED:
                thrown = self._world.recovery.record(hit.thrown.slot)
                source = None if thrown is None else thrown.origin
            reply = self.strike(ped, hit.impulse, source=source)
            self._world.facts.note(ped.ped_id, "STRUCK", reply.name, *hit.impulse)
