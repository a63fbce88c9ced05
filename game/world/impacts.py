"""Hits that people take: one way from whatever strikes a ped to its DAMAGE event (EVT-39, RAG-01).

A shove, a cue, a tool, a blast, a body or prop in flight: each comes through ``strike``,
which says what it does to this ped (``ai.motion.recovery.balance``), what it costs of its
health, and puts one event into its queue. The event's answer, in the same step's minds or
the next one's, is the stumble or the fall.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from ai.behaviours.brains.reports import ReportKind
from ai.behaviours.injury import harm_of_impact
from ai.events.base import EventRef
from ai.events.body_events import DamageEvent
from ai.events.scanners.facts import Contact
from ai.motion.recovery.balance import HitEffect, effect_of, raised
from ai.motion.recovery.phases import DOWN, RecoveryPhase
from ai.motion.recovery.tuning import KnockdownTuning
from ai.peds.ped import Ped
from ai.ports import EntityKind, EntityRef, Impact, at_least

if TYPE_CHECKING:
    from game.world.ragdoll.people_contacts import Struck
    from game.world.world import World


class Strike(IntEnum):
    """What a hit came to; from STUMBLE on the ped answers with its body."""

    BAD_IMPULSE = 0
    """Not finite: ignored and noted (EVT-39)."""
    IGNORED = 1
    """Too weak or too soon for a body that is down, or the ped's events are closed to it."""
    BUMP = 2
    STUMBLE = 3
    FALL = 4


class _Hit:
    """The event that this step's hits on a ped have made so far."""

    __slots__ = ("event", "impact", "step")

    def __init__(self, step: int, event: EventRef | None, impact: Impact) -> None:
        self.step = step
        self.event = event
        self.impact = impact


class Impacts:
    """Strikes people in a world.

    Invariant: hits on one ped that reach the same turn of its mind are one event, with the
    vector sum of their impulses (RAG-01).
    """

    def __init__(self, world: World, tuning: KnockdownTuning) -> None:
        self._world = world
        self._tuning = tuning
        self._hits: dict[int, _Hit] = {}
        self._hit_id = 0

    def strike(
        self,
        ped: Ped,
        impact: Impact,
        *,
        melee: bool = False,
        ragdolls: bool = False,
        harm: float | None = None,
    ) -> Strike:
        """Hit a ped, with an impulse in kg cm/s.

        - ``ragdolls``: whoever strikes says that it throws, however weak it is (RAG-15).
        - ``melee``: a shove, a blow, anything swung (EVT-16).
        - ``harm`` of a whole health; None: what the impulse is worth (EVT-102).
        """
        if not all(map(math.isfinite, (*impact.impulse_xy, impact.up))):
            self._world.facts.note(ped.ped_id, "BAD_IMPULSE")
            return Strike.BAD_IMPULSE
        self._tell_witnesses(ped, impact.source)
        if ped.is_dead:
            return self._push_the_dead(ped, impact)
        total, before = self._with_earlier(ped, impact)
        effect = self._effect(ped, total, ragdolls=ragdolls)
        if effect is None:
            return Strike.IGNORED
        if effect is HitEffect.BUMP and not (harm and harm > 0.0):
            self._hits[ped.slot] = _Hit(self._world.clock.step, before, total)
            return Strike.BUMP
        falls = effect is HitEffect.FALL
        if harm is None:
            delta_v = math.hypot(*impact.impulse_xy, impact.up) / self._tuning.ragdoll.mass_kg
            harm = harm_of_impact(delta_v, self._world.data.peds.tuning.damage)
        sent = self._send(ped, total, before, falls=falls, melee=melee, harm=harm)
        if not sent:
            return Strike.IGNORED
        return Strike.FALL if falls else Strike.STUMBLE

    def shove(self, by: Ped, ped: Ped, push: float) -> Strike:
        """One ped pushes another, in kg cm/s along its facing; who runs puts weight behind it."""
        carried = self._tuning.ragdoll.mass_kg * self._tuning.touch.share
        size = push + carried * by.movement.measured_speed
        impulse = size * math.cos(by.yaw), size * math.sin(by.yaw)
        came_to = self.strike(ped, Impact(impulse, source=by.ref), melee=True)
        if came_to is Strike.BUMP:
            self._world.happenings.contact(Contact(ped.ref, by.ref))
        self._world.facts.note(ped.ped_id, "SHOVED", came_to.name, *impulse)
        return came_to

    def blow(self, by: Ped, ped: Ped, size: float) -> Strike:
        """One ped strikes another with what it holds, in kg cm/s from the one to the other."""
        way_x, way_y = ped.position.x - by.position.x, ped.position.y - by.position.y
        distance = math.hypot(way_x, way_y)
        if distance == 0.0:
            way_x, way_y, distance = math.cos(by.yaw), math.sin(by.yaw), 1.0
        impulse = size * way_x / distance, size * way_y / distance
        came_to = self.strike(ped, Impact(impulse, source=by.ref), melee=True)
        self._world.facts.note(ped.ped_id, "BLOW", came_to.name, *impulse)
        return came_to

    def _tell_witnesses(self, ped: Ped, source: EntityRef | None) -> None:
        """Guards may have seen who did it (HSM-30)."""
        if source is not None and source.kind is EntityKind.PED and source != ped.ref:
            self._world.reports.note(
                self._world.clock.step, ReportKind.DEED, source, ped.ref, ped.position
            )

    def take(self, struck: Sequence[Struck]) -> None:
        """End of physics: bodies and props that flew into people (RAG-14).

        The source is that of the thrown ped's own fall. What is too weak to move anybody is
        a collision, once for each pair.
        """
        if not struck:
            return
        ped_in = {ped.slot: ped for ped in self._world.peds.in_id_order()}
        for hit in struck:
            ped = ped_in.get(hit.ped_slot)
            if ped is None:
                continue
            thrown = self._thrown_ref(hit)
            source = None
            if hit.thrown.kind is EntityKind.PED:
                record = self._world.recovery.record(hit.thrown.slot)
                source = None if record is None else record.origin
            came_to = self.strike(ped, Impact(hit.impulse, source=source))
            if came_to is Strike.BUMP and thrown is not None:
                self._world.happenings.contact(Contact(ped.ref, thrown))
            self._world.facts.note(ped.ped_id, "STRUCK", came_to.name, *hit.impulse)

    # -- inside ------------------------------------------------------------------

    def _with_earlier(self, ped: Ped, impact: Impact) -> tuple[Impact, EventRef | None]:
        """This hit with those before it that the ped has not answered yet."""
        earlier = self._hits.get(ped.slot)
        if earlier is None:
            return impact, None
        is_open = (
            earlier.step == self._world.clock.step
            if earlier.event is None
            else earlier.event.get() is not None
        )
        return (earlier.impact.plus(impact), earlier.event) if is_open else (impact, None)

    def _effect(self, ped: Ped, impact: Impact, *, ragdolls: bool) -> HitEffect | None:
        """What a hit does to this ped as it is now, None for nothing at all."""
        record = ped.recovery
        if record is None or record.phase is RecoveryPhase.COMPLETE:
            if ragdolls:
                return HitEffect.FALL
            return effect_of(impact, ped.agility, ped.movement.measured_speed, self._tuning)
        entry = self._tuning.entry
        strong = ragdolls or impact.size >= entry.impulse_min or impact.up >= entry.up_min
        limp = record.phase in DOWN and record.phase is not RecoveryPhase.BLENDING
        if not strong or (limp and not at_least(record.since_hit, entry.hit_gap)):
            return None
        return HitEffect.FALL

    def _send(
        self,
        ped: Ped,
        impact: Impact,
        before: EventRef | None,
        *,
        falls: bool,
        melee: bool,
        harm: float,
    ) -> bool:
        """Put the hit into the ped's queue; False if it is closed to it."""
        total = impact
        if falls:
            impact = raised(total, self._tuning)._replace(force=True)
            if (impact.impulse_xy, impact.up) != (total.impulse_xy, total.up):
                self._world.facts.note(ped.ped_id, "IMPULSE_RAISED", *impact.impulse_xy, impact.up)
        fatal = ped.health.is_fatal(harm)
        queued = None if before is None else before.get()
        if isinstance(queued, DamageEvent):
            queued.impact = impact
            queued.ragdolls |= falls
            queued.melee |= melee
            queued.fatal |= fatal
            queued.amount += harm
        else:
            self._hit_id += 1
            before = ped.events.add_event(
                DamageEvent(
                    self._hit_id,
                    impact.source,
                    amount=harm,
                    fatal=fatal,
                    ragdolls=falls,
                    melee=melee,
                    at=ped.position,
                    impact=impact,
                )
            )
            if before is None:
                return False
        ped.health.take(harm)
        ped.force_full_update()
        self._hits[ped.slot] = _Hit(self._world.clock.step, before, total)
        return True

    def _push_the_dead(self, ped: Ped, impact: Impact) -> Strike:
        """A dead body is moved, and answers nothing."""
        up = max(impact.up, 0.0)
        self._world.knock_downs.request(ped, impact.impulse_xy, up, impact.part, impact.source)
        return Strike.IGNORED

    def _thrown_ref(self, hit: Struck) -> EntityRef | None:
        """Handle of what flew, or None if it is gone."""
        slot = hit.thrown.slot
        if hit.thrown.kind is EntityKind.PED:
            record = self._world.recovery.record(slot)
            ped = None if record is None else record.ped
            return ped.ref if isinstance(ped, Ped) else None
        return self._world.things.in_slot(slot).ref
