"""The world as events see it: entities by handle, sight and hearing (EVT-103)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from ai.ports import EntityKind, EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.subject import EventPed
    from ai.peds.ped import Ped
    from game.world.world import World

SIGHT_CM: Final = 4000.0
SIGHT_HALF_ANGLE_RAD: Final = math.radians(80.0)
EYE_LOW_CM: Final = 140.0
"""What is no higher than this hides nobody."""
EYE_HIGH_CM: Final = 170.0
RAY_RADIUS_CM: Final = 0.5


class EventView:
    """Fills ``ai.events.event_world.EventWorld``; made before the peds are, and asks later.

    Nobody has friends or a group yet: the relations of EVT-48 are not built.
    """

    def __init__(self, world: World) -> None:
        self._world = world

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
        """Within 4000 cm and 80 degrees of where it faces, and nothing high in between."""
        here = observer.position
        dx, dy = point.x - here.x, point.y - here.y
        distance = math.hypot(dx, dy)
        if distance > SIGHT_CM:
            return False
        if distance > 0.0:
            yaw = cast("Ped", observer).yaw
            off = math.atan2(dy, dx) - yaw
            if abs(math.remainder(off, math.tau)) > SIGHT_HALF_ANGLE_RAD + 1e-9:
                return False
        return self._is_open(here, point)

    def can_hear(self, observer: EventPed, point: Vec3, radius_cm: float) -> bool:
        """Within the radius, halved by a wall between."""
        here = observer.position
        reach = radius_cm if self._is_open(here, point) else 0.5 * radius_cm
        return math.hypot(point.x - here.x, point.y - here.y) <= reach

    def _is_open(self, here: Vec3, there: Vec3) -> bool:
        return self._world.clearance.sweep_free(
            here.x, here.y, there.x, there.y, RAY_RADIUS_CM, EYE_LOW_CM, EYE_HIGH_CM
        )

    def are_friends(self, one: EntityRef, other: EntityRef) -> bool:  # noqa: ARG002
        """Nobody is anybody's friend."""
        return False

    def group_of(self, ped: EntityRef) -> Sequence[EntityRef]:  # noqa: ARG002
        """Nobody is in a group."""
        return ()

    def is_player(self, ref: EntityRef) -> bool:
        """True for the one ped that the player steers."""
        player = self._world.peds.local_player
        return player is not None and player.ref == ref
