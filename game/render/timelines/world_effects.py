"""Which timelines a world's fires, blasts, hits and breakages have (EVT-92, EVT-94)."""

from __future__ import annotations

import math

from ai.events.shocking import ShockingEvent
from ai.events.types import EventType
from ai.ports import STEP_S
from game.render.timelines.effect_stage import EffectStage
from game.render.timelines.falls import FallWatch
from game.render.timelines.players import Place, TimelineManager
from game.render.timelines.timeline_files import Timeline, shipped_effects, shipped_timelines
from game.world.world import World

SMALL_FIRE_CM = 60.0
"""The radius of a fire of full intensity."""
HIT_BOUNDS = (1000.0, 12_000.0)
"""Impulses in kg cm/s between which a hit is shown weaker or stronger."""
LANDING_BOUNDS = (60.0, 600.0)
"""Speeds in cm/s between which a body's landing is shown weaker or stronger."""


class WorldEffects:
    """Reads a world after each of its steps; gives nothing back."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._timelines = shipped_timelines()
        self.stage = EffectStage(shipped_effects())
        self.manager = TimelineManager(self.stage)
        self._seen_breakage = 0
        self._falls = FallWatch(world)

    def after_step(self) -> None:
        """What burns, slides, blew up, came down, was struck, broke; then time goes on."""
        for landing in self._falls.after_step():
            self.manager.collide(
                self._timelines["landing"],
                landing.owner,
                landing.at,
                landing.speed,
                LANDING_BOUNDS,
            )
        self._follow_what_lasts()
        for blast in self._world.blasts.of_step:
            if blast.step == self._world.clock.step - 1:
                self.manager.break_apart(self._timelines["blast"], blast.number, blast.at)
        self._show_hits()
        self._show_breakages()
        self.manager.advance(STEP_S)
        self.stage.advance(STEP_S)

    def has_landed(self, slot: int) -> bool:
        """Has the limp body of a slot's ped met the ground?"""
        return self._falls.has_landed(slot)

    def _follow_what_lasts(self) -> None:
        """Each fire and each body that slides has its timeline for as long as it lasts."""
        wanted: dict[object, tuple[Timeline, Place, float]] = {}
        for fire in self._world.happenings.fires():
            intensity = min(fire.radius_cm / SMALL_FIRE_CM, 1.0)
            wanted["fire", fire.fire_id] = self._timelines["fire_small"], fire.at, intensity
        for slot, at, intensity in self._falls.skids():
            wanted["skid", slot] = self._timelines["skid"], at, intensity
        for owner in self.manager.owners():
            if owner not in wanted:
                self.manager.detach(owner)
        for owner, (timeline, place, intensity) in wanted.items():
            self.manager.attach(timeline, owner, place, intensity)

    def _show_hits(self) -> None:
        table = self._world.table
        for hit in self._world.physics.struck:
            slot = hit.ped_slot
            at = table.x.item(slot), table.y.item(slot), 90.0
            pair = (hit.thrown.kind, hit.thrown.slot, slot)
            impulse = math.hypot(*hit.impulse)
            self.manager.collide(self._timelines["hit"], pair, at, impulse, HIT_BOUNDS)

    def _show_breakages(self) -> None:
        last = self._seen_breakage
        for event in self._world.events.global_events.group.queue.entries:
            if (
                isinstance(event, ShockingEvent)
                and event.event_type is EventType.SHOCKING_BREAKAGE
                and event.event_id > last
            ):
                self._seen_breakage = max(self._seen_breakage, event.event_id)
                timeline = self._timelines["breakage"]
                self.manager.break_apart(timeline, event.event_id, event.cause.at)
