"""What holds of a ped and an event's source when it decides (EVT-77, EVT-78)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ai.events.shocking import ShockingEvent
from ai.events.situation import Posture, Situation, SourceKind, SourceNature
from ai.peds.weapons import Weapon
from ai.ports import EntityKind

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.events.event_world import EventWorld
    from ai.events.subject import EventPed
    from ai.peds.ped import Ped
    from ai.ports import EntityRef

_NATURE: Final = {
    EntityKind.PED: SourceNature.PED,
    EntityKind.VEHICLE: SourceNature.VEHICLE,
    EntityKind.PROP: SourceNature.PROP,
}


def situation_of(ped: Ped, event: Event) -> Situation:
    """Built once per event, when it is decided."""
    world = ped.events.services.world
    source = event.source
    behind = event.source_ped(world)
    group = world.group_of(ped.ref)
    is_friend = behind is not None and (
        world.are_friends(ped.ref, behind) or (behind in group and behind != ped.ref)
    )
    is_player = behind is not None and world.is_player(behind)
    other = None if behind is None else world.ped(behind)
    return Situation(
        source_kind=_source_kind(
            is_threat=behind is not None
            and (behind in ped.threats or world.hates(ped.ref, behind)),
            is_friend=is_friend,
            is_player=is_player,
        ),
        posture=_posture(ped),
        fear=ped.fear,
        brave=ped.events.is_brave,
        armed=ped.weapon is not Weapon.NONE,
        in_group=bool(group),
        group_leader=bool(group) and group[0] == ped.ref,
        seen=event.was_seen_by(ped) if isinstance(event, ShockingEvent) else True,
        source=SourceNature.NONE if source is None else _NATURE.get(source.kind, SourceNature.NONE),
        source_in_vehicle=source is not None and source.kind is EntityKind.VEHICLE,
        source_armed=_is_armed(other),
        source_is_player=is_player,
        source_is_friend=is_friend,
        source_down=other is not None and other.is_dead,
        target_is_me=event.target == ped.ref,
        target_is_friend=_is_friend(world, ped.ref, event.target),
    )


def _is_armed(other: EventPed | None) -> bool:
    return getattr(other, "weapon", Weapon.NONE) is not Weapon.NONE


def _posture(ped: Ped) -> Posture:
    if ped.is_ragdolling:
        return Posture.ON_GROUND
    return Posture.IN_CAR if ped.vehicle_link is not None else Posture.ON_FOOT


def _source_kind(*, is_threat: bool, is_friend: bool, is_player: bool) -> SourceKind:
    """First match: a threat, friend or same group, the player, anybody else."""
    if is_threat:
        return SourceKind.THREAT
    if is_friend:
        return SourceKind.FRIEND
    return SourceKind.PLAYER if is_player else SourceKind.OTHER


def _is_friend(world: EventWorld, one: EntityRef, other: EntityRef | None) -> bool:
    return other is not None and other != one and world.are_friends(one, other)
