"""Contacts with a ped's body: bumps, stumbles, falls, and being pushed once too often (EVT-39)."""

from __future__ import annotations

import math
from enum import Enum, auto
from typing import TYPE_CHECKING

from ai.events.body_events import DamageEvent
from ai.events.collision_events import (
    CollisionPed,
    CollisionPlayer,
    CollisionProp,
    CollisionVehicle,
    CollisionWall,
)
from ai.events.notice_events import ProvokedEvent
from ai.ports import EntityKind, EntityRef

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.events.scanners.facts import Contact, PedRows
    from ai.events.scanners.happenings import Happenings
    from ai.events.scanners.scanner import Telling
    from ai.events.scanners.tuning import ImpactScan, ScannerTuning


class Impact(Enum):
    """What a contact amounts to."""

    BUMP = auto()
    STUMBLE = auto()
    RAGDOLL = auto()


def impact_of(contact: Contact, tuning: ImpactScan) -> Impact:
    """By the change of speed that it gives the body, or the speed of a vehicle (RAG-15)."""
    change_cm_s = contact.impulse / tuning.ped_mass_kg
    by_vehicle = contact.other is not None and contact.other.kind is EntityKind.VEHICLE
    if change_cm_s >= tuning.ragdoll_cm_s:
        return Impact.RAGDOLL
    if by_vehicle and contact.closing_cm_s >= tuning.vehicle_cm_s:
        return Impact.RAGDOLL
    return Impact.STUMBLE if change_cm_s >= tuning.stumble_cm_s else Impact.BUMP


class ImpactScanner:
    """Goes through the contacts of the step.

    - ``refused``: contacts whose numbers are not finite.
    - ``_touched``: by pair the step of its last contact; a pair bumps once until it was apart.
    - ``_pushes``: by pair the steps of its last bumps of ped by ped.
    """

    name = "impacts"

    def __init__(self, telling: Telling, happenings: Happenings, tuning: ScannerTuning) -> None:
        self._telling = telling
        self._happenings = happenings
        self._tuning = tuning.impacts
        self._touched: dict[tuple[EntityRef, EntityRef | None], int] = {}
        self._pushes: dict[tuple[EntityRef, EntityRef], list[int]] = {}
        self._last_hit: dict[EntityRef, int] = {}
        self._hits = 0
        self.refused = 0

    def has_facts(self) -> bool:
        """Something was touched, or pairs have to be forgotten."""
        return bool(self._happenings.contacts) or bool(self._touched)

    def take(self, rows: PedRows) -> None:
        """Each contact in the order in which it came about."""
        step = self._telling.services.clock.step
        if self._happenings.contacts:
            row_of = {ped.ref: row for row, ped in enumerate(rows.peds)}
            for contact in self._happenings.contacts:
                row = row_of.get(contact.ped)
                if not math.isfinite(contact.impulse) or not math.isfinite(contact.closing_cm_s):
                    self.refused += 1
                elif row is not None:
                    self._take(rows, row, contact, step)
        parted = round(self._tuning.part_s * 60)
        for pair, last in list(self._touched.items()):
            if step - last >= parted:
                del self._touched[pair]
        oldest = step - round(self._tuning.provoked_within_s * 60)
        for pushing, steps in list(self._pushes.items()):
            if steps[-1] < oldest:
                del self._pushes[pushing]

    def _take(self, rows: PedRows, row: int, contact: Contact, step: int) -> None:
        impact = impact_of(contact, self._tuning)
        is_down = bool(rows.is_down[row])
        pair = contact.ped, contact.other
        is_new = pair not in self._touched
        self._touched[pair] = step
        if impact is Impact.BUMP:
            if is_new and not is_down:
                self._bump(rows, row, contact, step)
            return
        if is_down and impact is not Impact.RAGDOLL:
            return
        gap = round(self._tuning.hit_gap_s * 60)
        if is_down and step - self._last_hit.get(contact.ped, -gap) < gap:
            return
        self._last_hit[contact.ped] = step
        self._hits += 1
        damage = self._telling.services.tuning.damage
        amount = damage.of_impact(contact.impulse / self._tuning.ped_mass_kg)
        self._telling.tell(
            rows,
            row,
            DamageEvent(
                self._hits, contact.other, amount=amount, ragdolls=impact is Impact.RAGDOLL
            ),
        )

    def _bump(self, rows: PedRows, row: int, contact: Contact, step: int) -> None:
        other = contact.other
        self._telling.tell(rows, row, self._collision(other))
        if other is None or other.kind is not EntityKind.PED:
            return
        tuning = self._tuning
        since = step - round(tuning.provoked_within_s * 60)
        steps = self._pushes.setdefault((contact.ped, other), [])
        steps[:] = [one for one in steps if one > since]
        steps.append(step)
        if len(steps) >= tuning.provoked_contacts:
            steps[:] = steps[-1:]
            self._telling.tell(rows, row, ProvokedEvent(other))

    def _collision(self, other: EntityRef | None) -> Event:
        if other is None:
            return CollisionWall()
        if other.kind is EntityKind.VEHICLE:
            return CollisionVehicle(other)
        if other.kind is not EntityKind.PED:
            return CollisionProp(other)
        is_player = self._telling.services.world.is_player(other)
        return CollisionPlayer(other) if is_player else CollisionPed(other)
