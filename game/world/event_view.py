"""The world as events see it: entities by handle, sight and hearing (EVT-103)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from ai.events.scanners.sounds import BEHIND_WALL
from ai.ports import EntityKind, EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.relations import Relations
    from ai.events.scanners.tuning import Senses
    from ai.events.subject import EventPed
    from ai.peds.ped import Ped
    from game.world.world import World

EYE_HIGH_CM: Final = 170.0
RAY_RADIUS_CM: Final = 0.5


class EventView:
    """Fills ``ai.events.event_world.EventWorld``; made before the peds are, and asks later."""

    def __init__(self, world: World, senses: Senses, relations: Relations) -> None:
        self._world = world
        self._senses = senses
        self._half_angle_rad = math.radians(senses.sight_half_angle_deg)
        self._relations = relations

    def exists(self, ref: EntityRef) -> bool:
        """True until the entity was removed."""
        if ref.kind is EntityKind.PED:
            return self._world.peds.resolve(ref) is not None
        if ref.kind is EntityKind.ORDER_SOURCE:
            return self._world.sources.is_alive(ref)
        return self._world.objects.transform(ref) is not None

    def position_of(self, ref: EntityRef) -> Vec3 | None:
        """Where it is, or None if it is gone or is nowhere."""
        if ref.kind is EntityKind.PED:
            ped = self._world.peds.resolve(ref)
            return None if ped is None else ped.position
        if ref.kind is EntityKind.ORDER_SOURCE:
            return None
        transform = self._world.objects.transform(ref)
        return None if transform is None else transform.position

    def ped_behind(self, ref: EntityRef) -> EntityRef | None:
        """The ped itself; vehicles have no drivers yet."""
        return ref if ref.kind is EntityKind.PED else None

    def ped(self, ref: EntityRef) -> EventPed | None:
        """A ped that is there, or None."""
        return self._world.peds.resolve(ref) if ref.kind is EntityKind.PED else None

    def peds(self) -> Sequence[EventPed]:
        """All peds in ascending id."""
        return self._world.peds.in_id_order()

    def can_see(self, observer: EventPed, point: Vec3) -> bool:
        """Within sight and in front of its head, and neither smoke nor anything high in between."""
        here = observer.position
        dx, dy = point.x - here.x, point.y - here.y
        distance = math.hypot(dx, dy)
        if distance > self._senses.sight_cm:
            return False
        if distance > 0.0:
            ped = cast("Ped", observer)
            off = math.atan2(dy, dx) - ped.yaw - ped.motion.gaze_rad
            if abs(math.remainder(off, math.tau)) > self._half_angle_rad + 1e-9:
                return False
        return self._is_open(here, point)

    def can_hear(self, observer: EventPed, point: Vec3, radius_cm: float) -> bool:
        """Within the radius, halved by each wall between, so many of which count."""
        here = observer.position
        distance = math.hypot(point.x - here.x, point.y - here.y)
        if distance > radius_cm:
            return False
        walls_max = self._senses.walls_max
        if distance <= radius_cm * BEHIND_WALL**walls_max:
            return True
        walls = self._world.clearance.count_on_way(
            here.x, here.y, point.x, point.y, RAY_RADIUS_CM, self._senses.hides_above_cm,
            EYE_HIGH_CM, walls_max,
        )  # fmt: skip
        return distance <= radius_cm * BEHIND_WALL**walls

    def _is_open(self, here: Vec3, there: Vec3) -> bool:
        if self._world.fires.smoke.hides(here[:2], there[:2]):
            return False
        return self._world.clearance.sweep_free(
            here.x,
            here.y,
            there.x,
            there.y,
            RAY_RADIUS_CM,
            self._senses.hides_above_cm,
            EYE_HIGH_CM,
        )

    def are_friends(self, one: EntityRef, other: EntityRef) -> bool:
        """Does ``one`` count ``other`` among its friends?"""
        return self._relations.are_friends(one, other)

    def hates(self, one: EntityRef, other: EntityRef) -> bool:
        """Does ``one`` hate ``other``?"""
        return self._relations.hates(one, other)

    def group_of(self, ped: EntityRef) -> Sequence[EntityRef]:
        """Who goes together with the ped, the leader first."""
        return self._relations.group_of(ped)

    def is_player(self, ref: EntityRef) -> bool:
        """True for the one ped that the player steers."""
        player = self._world.peds.local_player
        return player is not None and player.ref == ref
