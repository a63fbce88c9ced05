"""What the event system asks of the world and its other peds; ``game/world`` has the real thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.subject import EventPed


class EventWorld(Protocol):
    """Entities by handle; a stale handle reads as gone, never as another thing."""

    def exists(self, ref: EntityRef) -> bool:
        """True until the entity was removed."""
        ...

    def position_of(self, ref: EntityRef) -> Vec3 | None:
        """Where it is, or None if it is gone."""
        ...

    def ped_behind(self, ref: EntityRef) -> EntityRef | None:
        """The ped itself, a vehicle's driver, or None."""
        ...

    def ped(self, ref: EntityRef) -> EventPed | None:
        """A living or dead ped that is there, or None."""
        ...

    def peds(self) -> Sequence[EventPed]:
        """All peds in ascending id."""
        ...

    def can_see(self, observer: EventPed, point: Vec3) -> bool:
        """Sight of EVT-103: distance, cone, and what stands between."""
        ...

    def can_hear(self, observer: EventPed, point: Vec3, radius_cm: float) -> bool:
        """Hearing of EVT-103: the radius, halved by each wall between."""
        ...

    def are_friends(self, one: EntityRef, other: EntityRef) -> bool:
        """Does ``one`` count ``other`` among its friends? (EVT-48)."""
        ...

    def hates(self, one: EntityRef, other: EntityRef) -> bool:
        """Does ``one`` hate ``other``? (EVT-48, EVT-78)."""
        ...

    def group_of(self, ped: EntityRef) -> Sequence[EntityRef]:
        """Members of the ped's group, itself included; empty without one."""
        ...

    def is_player(self, ref: EntityRef) -> bool:
        """True for the one ped that the player steers."""
        ...
