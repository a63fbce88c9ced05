"""Running peds, and runs of many (EVT-46)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ai.events.shocking import ShockingEvent
from ai.events.types import EventType
from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.scanners.facts import Ints, PedRows
    from ai.events.scanners.scanner import Telling
    from ai.events.scanners.tuning import ScannerTuning


@dataclass(slots=True)
class _Stampede:
    """One run of many: who was seen in it, and when last."""

    members: dict[int, None]
    last_step: int


class RunnerScanner:
    """Who runs is told of once in a while; three who run together are a stampede."""

    name = "runners"

    def __init__(self, telling: Telling, tuning: ScannerTuning) -> None:
        self.period = tuning.period.runners
        self._telling = telling
        self._tuning = tuning.runners
        self._half_angle = math.radians(tuning.runners.stampede_half_angle_deg)
        self._told: dict[EntityRef, int] = {}
        self._stampedes: list[_Stampede] = []
        self._gathered_step = -1

    def has_work(self) -> bool:
        """Somebody may run."""
        return True

    def scan(self, rows: PedRows, due: Ints) -> None:
        """Runners that a due ped sees, then runs of many, once a step."""
        tuning, step = self._tuning, self._telling.services.clock.step
        running = ((rows.speed > tuning.running_cm_s) & ~rows.is_down).nonzero()[0]
        if not len(running):
            self._told.clear()
            self._stampedes.clear()
            return
        gap = round(tuning.gap_s * 60)
        for runner in running.tolist():
            ped = rows.peds[runner]
            if step - self._told.get(ped.ref, -gap) < gap or self._runs_with_many(rows, runner):
                continue
            away = np.hypot(rows.x[due] - rows.x.item(runner), rows.y[due] - rows.y.item(runner))
            if any(self._sees(rows, row, runner) for row in due[away <= tuning.range_cm].tolist()):
                self._told[ped.ref] = step
                self._telling.services.global_events.shock(
                    EventType.SHOCKING_RUNNING_PED, rows.place(runner), source=ped.ref
                )
        if self._gathered_step != step:
            self._gathered_step = step
            self._gather(rows, running, step)

    def _runs_with_many(self, rows: PedRows, row: int) -> bool:
        """One of a stampede: that is the news, not each of them."""
        ped_id = rows.ids.item(row)
        return any(ped_id in one.members for one in self._stampedes)

    def _sees(self, rows: PedRows, row: int, runner: int) -> bool:
        if row == runner:
            return False
        group = self._telling.services.world.group_of(rows.peds[row].ref)
        if rows.peds[runner].ref in group:
            return False
        return self._telling.can_see(rows, row, rows.place(runner))

    # -- runs of many ---------------------------------------------------------------------

    def _gather(self, rows: PedRows, running: Ints, step: int) -> None:
        tuning = self._tuning
        gap = round(tuning.gap_s * 60)
        self._stampedes = [one for one in self._stampedes if step - one.last_step < gap]
        free = [row for row in running.tolist() if not self._has_its_stampede(rows, row)]
        taken: dict[int, None] = {}
        for row in free:
            if row in taken:
                continue
            together = [row]
            for other in free:
                if other not in taken and all(self._with(rows, one, other) for one in together):
                    together.append(other)
            if len(together) >= tuning.stampede_peds:
                taken.update(dict.fromkeys(together))
                self._tell(rows, together, step)

    def _tell(self, rows: PedRows, together: list[int], step: int) -> None:
        ids = dict.fromkeys(rows.ids.item(row) for row in together)
        for known in self._stampedes:
            if any(one in known.members for one in ids):
                known.members.update(ids)
                known.last_step = step
                return
        self._stampedes.append(_Stampede(ids, step))
        middle = Vec3(float(rows.x[together].mean()), float(rows.y[together].mean()))
        self._telling.services.global_events.shock(EventType.SHOCKING_STAMPEDE, middle)

    def _with(self, rows: PedRows, one: int, other: int) -> bool:
        if one == other:
            return False
        apart = math.hypot(
            rows.x.item(one) - rows.x.item(other), rows.y.item(one) - rows.y.item(other)
        )
        headings = (
            math.atan2(rows.vy.item(one), rows.vx.item(one)),
            math.atan2(rows.vy.item(other), rows.vx.item(other)),
        )
        turned = abs(math.remainder(headings[0] - headings[1], math.tau))
        return apart <= self._tuning.stampede_cm and turned <= self._half_angle

    @staticmethod
    def _has_its_stampede(rows: PedRows, row: int) -> bool:
        """It flees something that is known to make many run (EVT-90)."""
        record = rows.peds[row].events.history.non_temp
        event = None if record is None else record.event
        return isinstance(event, ShockingEvent) and event.cause.has_stampede
