"""Falls as timelines see them: when a body comes down, and how fast it slides (EVT-94).

Read off the recovery's records and the pelvis's way from step to step.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from ai.motion.recovery.phases import LIMP
from ai.ports import STEP_S, at_least
from game.render.timelines.players import Place
from game.world.world import World

TOPPLED_SHARE: Final = 0.8
"""A body that topples meets the ground after this share of the fall's time."""
LANDING_CM_S: Final = 120.0
"""Below this a body that comes down does so silently (``fall.bounce_min``)."""
SKID_FROM_CM_S: Final = 90.0
SKID_FULL_CM_S: Final = 420.0


class Landing(NamedTuple):
    """A body has met the ground: whose and which fall, where, at what speed in cm/s."""

    owner: tuple[int, int]
    at: Place
    speed: float


@dataclass(slots=True)
class _Fall:
    """One body that is down, as it was after the last step."""

    session: int
    at: Place
    height: float
    sinks_cm_s: float = 0.0
    speed: float = 0.0
    fastest: float = 0.0
    has_toppled: bool = False


class FallWatch:
    """Follows every limp body of a world; gives nothing back to it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._falls: dict[int, _Fall] = {}

    def after_step(self) -> Iterator[Landing]:
        """Go on by a step; who came down in it."""
        world, table = self._world, self._world.table
        topples_s = world.data.knockdown.fall.fall_time * TOPPLED_SHARE
        last, self._falls = self._falls, {}
        for record in world.recovery.in_id_order():
            if record.phase not in LIMP:
                continue
            slot = record.ped.slot
            at = table.x.item(slot), table.y.item(slot), record.ground_z
            height = table.z.item(slot) - record.ground_z
            fall = last.get(slot)
            if fall is None or fall.session != record.session:
                self._falls[slot] = _Fall(record.session, at, height)
                continue
            self._falls[slot] = fall
            speed = math.hypot(at[0] - fall.at[0], at[1] - fall.at[1]) / STEP_S
            sinks = (fall.height - height) / STEP_S
            came_down = fall.height > 0.0 and height == 0.0
            hit_ground = max(sinks, fall.sinks_cm_s) if came_down else 0.0
            fall.at, fall.height, fall.sinks_cm_s, fall.speed = at, height, sinks, speed
            fall.fastest = max(fall.fastest, speed)
            owner = table.ped_id.item(slot), record.session
            if hit_ground >= LANDING_CM_S:
                fall.has_toppled = True
                yield Landing(owner, at, math.hypot(hit_ground, speed))
            elif not fall.has_toppled and height == 0.0 and at_least(record.age, topples_s):
                fall.has_toppled = True
                yield Landing(owner, at, max(fall.fastest, LANDING_CM_S))

    def has_landed(self, slot: int) -> bool:
        """Has the limp body of a slot's ped met the ground?"""
        fall = self._falls.get(slot)
        return fall is not None and fall.has_toppled

    def skids(self) -> Iterator[tuple[int, Place, float]]:
        """Slots of bodies that slide over the ground, where, and how fast from 0 to 1."""
        for slot, fall in self._falls.items():
            if fall.has_toppled and fall.height == 0.0 and fall.speed >= SKID_FROM_CM_S:
                yield slot, fall.at, min(fall.speed / SKID_FULL_CM_S, 1.0)
