"""Light contacts with a ped's body, and being pushed once too often (EVT-39).

What is strong enough to move the body is damage, and the affair of whoever strikes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from ai.events.scanners.tuning import ScannerTuning


class ImpactScanner:
    """Goes through the contacts of the step; who lies on the ground feels none of them.

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

    def has_facts(self) -> bool:
        """Something was touched, or pairs have to be forgotten."""
        return bool(self._happenings.contacts) or bool(self._touched) or bool(self._pushes)

    def take(self, rows: PedRows) -> None:
        """Each contact in the order in which it came about."""
        step = self._telling.services.clock.step
        if self._happenings.contacts:
            row_of = {ped.ref: row for row, ped in enumerate(rows.peds)}
            for contact in self._happenings.contacts:
                row = row_of.get(contact.ped)
                if row is not None:
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
        pair = contact.ped, contact.other
        is_new = pair not in self._touched
        self._touched[pair] = step
        if not is_new or rows.is_down[row]:
            return
        other = contact.other
        self._telling.tell(rows, row, self._collision(other))
        if other is not None and other.kind is EntityKind.PED:
            self._push(rows, row, other, step)

    def _push(self, rows: PedRows, row: int, other: EntityRef, step: int) -> None:
        tuning = self._tuning
        since = step - round(tuning.provoked_within_s * 60)
        steps = self._pushes.setdefault((rows.peds[row].ref, other), [])
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
