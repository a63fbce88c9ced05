"""Standing groups that draw others' eyes (EVT-44)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ai.events.types import EventType
from ai.ports import Vec3

if TYPE_CHECKING:
    from ai.events.scanners.facts import Flags, Ints, PedRows
    from ai.events.scanners.scanner import Telling
    from ai.events.scanners.tuning import ScannerTuning
    from ai.events.shocking import ShockingEvent


@dataclass(slots=True)
class _Crowd:
    """One crowd, by its middle, and the event of the street that stands for it."""

    middle: Vec3
    event: ShockingEvent
    looked_step: int


class CrowdScanner:
    """One event a crowd, kept up while enough of it remain; members take no notice of it."""

    name = "crowds"

    def __init__(self, telling: Telling, tuning: ScannerTuning) -> None:
        self.period = tuning.period.crowds
        self._telling = telling
        self._tuning = tuning.crowds
        self._crowds: list[_Crowd] = []

    def has_work(self) -> bool:
        """Peds may stand about."""
        return True

    def scan(self, rows: PedRows, due: Ints) -> None:
        """Keep up what is known; each due ped that stands may be one of a new crowd."""
        tuning, step = self._tuning, self._telling.services.clock.step
        stands = (rows.speed < tuning.slow_cm_s) & ~rows.is_down
        for crowd in list(self._crowds):
            if step - crowd.looked_step >= tuning.refresh_steps:
                crowd.looked_step = step
                if not self._keep_up(crowd, rows, stands):
                    self._crowds.remove(crowd)
        for row in due[stands[due]].tolist():
            around = self._within(rows, stands, rows.place(row))
            if around.sum() >= tuning.peds:
                middle = _middle(rows, around)
                members = self._within(rows, stands, middle)
                if members.sum() >= tuning.peds and not self._is_known(middle):
                    self._begin(rows, middle, members, step)

    def _keep_up(self, crowd: _Crowd, rows: PedRows, stands: Flags) -> bool:
        members = self._within(rows, stands, crowd.middle)
        if members.sum() < self._tuning.peds_left or crowd.event.expired:
            return False
        crowd.middle = _middle(rows, members)
        crowd.event.cause.at = crowd.middle
        self._leave_members_out(crowd.event, rows, members)
        crowd.event.refresh()
        return True

    def _begin(self, rows: PedRows, middle: Vec3, members: Flags, step: int) -> None:
        event = self._telling.services.global_events.shock(EventType.SHOCKING_CROWD, middle)
        if event is not None:
            self._leave_members_out(event, rows, members)
            self._crowds.append(_Crowd(middle, event, step))

    @staticmethod
    def _leave_members_out(event: ShockingEvent, rows: PedRows, members: Flags) -> None:
        for row in members.nonzero()[0].tolist():
            event.cause.uninvolved[rows.peds[row].ref] = None

    def _within(self, rows: PedRows, stands: Flags, middle: Vec3) -> Flags:
        near = np.hypot(rows.x - middle.x, rows.y - middle.y) <= self._tuning.radius_cm
        inside: Flags = near & stands
        return inside

    def _is_known(self, middle: Vec3) -> bool:
        radius = self._tuning.radius_cm
        return any(
            (one.middle.x - middle.x) ** 2 + (one.middle.y - middle.y) ** 2 <= radius * radius
            for one in self._crowds
        )


def _middle(rows: PedRows, members: Flags) -> Vec3:
    return Vec3(float(rows.x[members].mean()), float(rows.y[members].mean()))
