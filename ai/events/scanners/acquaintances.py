"""Whom a ped knows, and what its leader does (EVT-48)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ai.events.notice_events import (
    AcquaintanceDislike,
    AcquaintanceHate,
    AcquaintanceLike,
    LeaderHold,
    LeaderMovedOff,
    RelationEvent,
)
from ai.events.relations import Relation
from ai.ports import EntityRef

if TYPE_CHECKING:
    from ai.events.relations import Relations
    from ai.events.scanners.facts import Ints, PedRows
    from ai.events.scanners.scanner import Telling
    from ai.events.scanners.tuning import ScannerTuning

_EVENTS: Final[dict[Relation, type[RelationEvent]]] = {
    Relation.LIKE: AcquaintanceLike,
    Relation.DISLIKE: AcquaintanceDislike,
    Relation.HATE: AcquaintanceHate,
}


class RelationScanner:
    """Acquaintances in sight, once a pair in a while; leaders of who has one.

    - ``_met``: by pair the step in which it was told.
    - ``_leader_moving``: by leader the step since which it moves.
    """

    name = "relations"

    def __init__(self, telling: Telling, relations: Relations, tuning: ScannerTuning) -> None:
        self.period = tuning.period.relations
        self._telling = telling
        self._relations = relations
        self._tuning = tuning.relations
        self._met: dict[tuple[EntityRef, EntityRef], int] = {}
        self._leader_moving: dict[EntityRef, int] = {}

    def has_work(self) -> bool:
        """Somebody knows somebody."""
        return self._relations.matter

    def scan(self, rows: PedRows, due: Ints) -> None:
        """Acquaintances of each due ped, then its leader."""
        step = self._telling.services.clock.step
        row_of = {ped.ref: row for row, ped in enumerate(rows.peds)}
        self._watch_leaders(rows, row_of, step)
        gap = round(self._tuning.gap_s * 60)
        for row in due.tolist():
            self._meet(rows, row, step, gap)
            self._follow(rows, row, row_of, step)
        for pair, met in list(self._met.items()):
            if step - met >= gap:
                del self._met[pair]

    def _meet(self, rows: PedRows, row: int, step: int, gap: int) -> None:
        ped = rows.peds[row]
        if not self._relations.knows_anybody(ped.ref):
            return
        away = np.hypot(rows.x - rows.x.item(row), rows.y - rows.y.item(row))
        for other in (away <= self._tuning.range_cm).nonzero()[0].tolist():
            one = rows.peds[other]
            event = _EVENTS.get(self._relations.of(ped.ref, one.ref))
            pair = ped.ref, one.ref
            if event is None or other == row or step - self._met.get(pair, -gap) < gap:
                continue
            if self._telling.can_see(rows, row, rows.place(other)):
                self._met[pair] = step
                self._telling.tell(rows, row, event(one.ref))

    def _watch_leaders(self, rows: PedRows, row_of: dict[EntityRef, int], step: int) -> None:
        for leader in self._relations.leaders():
            row = row_of.get(leader)
            if row is None or rows.speed.item(row) <= self._tuning.leader_moving_cm_s:
                self._leader_moving.pop(leader, None)
            else:
                self._leader_moving.setdefault(leader, step)

    def _follow(self, rows: PedRows, row: int, row_of: dict[EntityRef, int], step: int) -> None:
        tuning = self._tuning
        group = self._relations.group_of(rows.peds[row].ref)
        if not group or group[0] == rows.peds[row].ref:
            return
        leader = row_of.get(group[0])
        if leader is None:
            return
        if rows.is_held[leader]:
            self._telling.tell(rows, row, LeaderHold(group[0]))
            return
        moving_since = self._leader_moving.get(group[0])
        away = np.hypot(
            rows.x.item(leader) - rows.x.item(row), rows.y.item(leader) - rows.y.item(row)
        )
        if (
            moving_since is not None
            and step - moving_since >= round(tuning.leader_moving_s * 60)
            and away > tuning.leader_cm
        ):
            self._telling.tell(rows, row, LeaderMovedOff(group[0]))
