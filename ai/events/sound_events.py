"""What is heard, aimed or nearly hits: sounds, weapons, blasts, near misses (EVT-12, EVT-13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ai.events.base import EditableEvent, Tag
from ai.events.notice_events import MergedNoise, PlaceEvent, tell_friends
from ai.events.priorities import EventPriority
from ai.events.types import EventType
from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.subject import EventPed


class SoundEvent(PlaceEvent):
    """A sound: ``sound_id`` names the one sound, ``loudness`` tells which of two is kept."""

    __slots__ = ("loudness", "sound_id")
    PAYLOAD: ClassVar[tuple[str, ...]] = ("at", "sound_id", "loudness")
    DISCRIMINATORS: ClassVar[tuple[str, ...]] = ("sound_id",)

    def __init__(
        self,
        at: Vec3,
        sound_id: int,
        source: EntityRef | None = None,
        *,
        loudness: float = 1.0,
        tag: Tag = 0,
    ) -> None:
        super().__init__(at, source, tag=tag)
        self.sound_id = sound_id
        self.loudness = loudness

    def affects_ped(self, ped: EventPed) -> bool:
        """Never its maker (EVT-41)."""
        return super().affects_ped(ped) and ped.ref != self.source


class FootstepHeard(SoundEvent):
    """Somebody runs up from behind."""

    __slots__ = ()
    event_type = EventType.FOOTSTEP_HEARD
    rank = EventPriority.INVESTIGATE_SOUND


class UnidentifiedNoise(SoundEvent):
    """A breakage that was not seen."""

    __slots__ = ()
    event_type = EventType.UNIDENTIFIED_NOISE
    rank = EventPriority.INVESTIGATE_SOUND


class BangHeard(SoundEvent):
    """A shot, a backfire, a firecracker."""

    __slots__ = ()
    event_type = EventType.BANG_HEARD
    rank = EventPriority.BANG


class ExplosionHeard(MergedNoise):
    """A blast in the distance; a chain of blasts is one event (EVT-35)."""

    __slots__ = ()
    event_type = EventType.EXPLOSION_HEARD
    rank = EventPriority.EXPLOSION

    def affects_ped(self, ped: EventPed) -> bool:
        """Who stands in the blast does not answer its sound too (EVT-40)."""
        return super().affects_ped(ped) and not any(
            isinstance(one, ExplosionEvent) and one.blast_id == self.noise_id
            for one in ped.events.group.queue.entries
        )


class WeaponEvent(PlaceEvent):
    """What a weapon or a thrown thing does to nerves."""

    __slots__ = ()


class ProjectileWhizzedBy(WeaponEvent):
    """Something passed at an arm's length."""

    __slots__ = ()
    event_type = EventType.PROJECTILE_WHIZZED_BY
    rank = EventPriority.NEAR_MISS


class ProjectileImpactNear(WeaponEvent):
    """Something struck close by."""

    __slots__ = ()
    event_type = EventType.PROJECTILE_IMPACT_NEAR
    rank = EventPriority.NEAR_MISS


class VehicleNearMiss(WeaponEvent):
    """The vehicle ``source`` nearly hit."""

    __slots__ = ()
    event_type = EventType.VEHICLE_NEAR_MISS
    rank = EventPriority.NEAR_MISS


class AimedAt(WeaponEvent):
    """``source`` aims at ``target``."""

    __slots__ = ()
    event_type = EventType.AIMED_AT
    rank = EventPriority.AIMED_AT

    def on_response_started(self, ped: EventPed) -> None:
        """Friends hear of it whatever the answer (EVT-34)."""
        tell_friends(ped, self.source)


class ExplosionEvent(EditableEvent):
    """This ped stands within a blast around ``at``; ``amount`` is the harm of EVT-102."""

    __slots__ = ("amount", "at", "blast_id")
    event_type = EventType.EXPLOSION
    rank = EventPriority.EXPLOSION
    PAYLOAD: ClassVar[tuple[str, ...]] = ("at", "blast_id", "amount")
    DISCRIMINATORS: ClassVar[tuple[str, ...]] = ("blast_id",)
    adds_physical_response = True

    def __init__(
        self,
        at: Vec3,
        blast_id: int,
        source: EntityRef | None = None,
        *,
        amount: float = 0.0,
        tag: Tag = 0,
    ) -> None:
        super().__init__(source, tag=tag)
        self.at = at
        self.blast_id = blast_id
        self.amount = amount

    def position(self, world: object) -> Vec3 | None:  # noqa: ARG002
        """Centre of the blast."""
        return self.at
