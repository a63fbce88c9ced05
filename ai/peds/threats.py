"""Whom a ped takes for a threat (EVT-104)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ai.peds.ped_tuning import ThreatTuning
from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.event_world import EventWorld
    from ai.events.subject import EventPed

_NOT_DEAD: Final = -1


@dataclass(slots=True)
class Threat:
    """``place`` is where it was last perceived; it stands for the threat while out of sight."""

    ref: EntityRef
    registered_step: int
    perceived_step: int
    place: Vec3
    dead_since: int = _NOT_DEAD


class ThreatList:
    """A bounded list; the one not perceived for longest makes room.

    Forgotten are: stale handles at once, the dead after ``dead_s``, others ``forget_s``
    after they were last perceived if that was beyond ``forget_beyond_cm``, and whom a
    script names.
    """

    __slots__ = ("_threats", "_tuning")

    def __init__(self, tuning: ThreatTuning) -> None:
        self._tuning = tuning
        self._threats: list[Threat] = []

    def __len__(self) -> int:
        return len(self._threats)

    def __contains__(self, ref: EntityRef) -> bool:
        return any(one.ref == ref for one in self._threats)

    def register(self, ref: EntityRef, place: Vec3, step: int) -> None:
        """Take somebody for a threat; one that is known is refreshed."""
        for one in self._threats:
            if one.ref == ref:
                one.perceived_step, one.place = step, place
                return
        if len(self._threats) >= self._tuning.max:
            self._threats.remove(min(self._threats, key=_perceived))
        self._threats.append(Threat(ref, step, step, place))

    def forget(self, ref: EntityRef) -> None:
        """A script says so."""
        self._threats = [one for one in self._threats if one.ref != ref]

    def update(self, ped: EventPed, world: EventWorld, step: int) -> None:
        """See and hear them, and forget whom it is time to forget."""
        if self._threats:
            self._threats = [one for one in self._threats if self._stays(one, ped, world, step)]

    def ordered(self, ped: EventPed, step: int) -> list[Threat]:
        """Just perceived ones first, then by distance, then by handle."""
        recent = step - round(self._tuning.just_perceived_s * 60)
        return sorted(
            self._threats,
            key=lambda one: (one.perceived_step < recent, _distance(ped, one.place), one.ref),
        )

    def _stays(self, threat: Threat, ped: EventPed, world: EventWorld, step: int) -> bool:
        place = world.position_of(threat.ref) if world.exists(threat.ref) else None
        if place is None:
            return False
        if world.can_see(ped, place) or world.can_hear(ped, place, self._tuning.hear_cm):
            threat.perceived_step, threat.place = step, place
        other = world.ped(threat.ref)
        if other is None or not other.is_dead:
            threat.dead_since = _NOT_DEAD
        elif threat.dead_since == _NOT_DEAD:
            threat.dead_since = step
        elif step - threat.dead_since >= round(self._tuning.dead_s * 60):
            return False
        long_ago = step - threat.perceived_step >= round(self._tuning.forget_s * 60)
        far = _distance(ped, threat.place) > self._tuning.forget_beyond_cm
        return not (long_ago and far)


def _perceived(threat: Threat) -> tuple[int, int]:
    return threat.perceived_step, threat.registered_step


def _distance(ped: EventPed, place: Vec3) -> float:
    here = ped.position
    return math.hypot(place.x - here.x, place.y - here.y)
