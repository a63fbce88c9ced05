"""What a ped notices of itself: nothing under its feet, not getting on (EVT-49)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ai.events.body_events import InAir, Stuck

if TYPE_CHECKING:
    from ai.events.scanners.facts import Ints, PedRows, ScanWorld
    from ai.events.scanners.scanner import Telling
    from ai.events.scanners.tuning import ScannerTuning


class SelfScanner:
    """Looks at each ped by itself.

    - ``_air_since``: by ped id the step since which nothing is under its feet.
    - ``_stood``: by ped id where, and since which step, a ped that wants to move is.
    """

    name = "own_state"

    def __init__(self, telling: Telling, world: ScanWorld, tuning: ScannerTuning) -> None:
        self.period = tuning.period.own_state
        self._telling = telling
        self._world = world
        self._tuning = tuning.own_state
        self._air_since: dict[int, int] = {}
        self._stood: dict[int, tuple[float, float, int]] = {}

    @property
    def waits_for(self) -> int:
        """How many peds it keeps in mind."""
        return len(self._stood) + len(self._air_since)

    def has_work(self) -> bool:
        """Everybody has feet."""
        return True

    def scan(self, rows: PedRows, due: Ints) -> None:
        """Who is off the ground, and who does not get on."""
        step = self._telling.services.clock.step
        due = due[~rows.is_down[due]]
        if self._stood or self._air_since:
            self._forget_gone(rows)
        self._look_down(rows, due, step)
        wants = (rows.wanted_speed[due] > self._tuning.wants_cm_s) & ~rows.excused[due]
        if wants.any() or self._stood:
            self._look_about(rows, due, wants.tolist(), step)

    def _forget_gone(self, rows: PedRows) -> None:
        """Who has left the world is not waited for."""
        present = dict.fromkeys(rows.ids.tolist())
        self._stood = {one: kept for one, kept in self._stood.items() if one in present}
        self._air_since = {one: step for one, step in self._air_since.items() if one in present}

    def _look_down(self, rows: PedRows, due: Ints, step: int) -> None:
        up = self._world.heights(due) > self._tuning.air_cm
        if not self._air_since and not up.any():
            return
        for row, is_up in zip(due.tolist(), up.tolist(), strict=True):
            ped_id = rows.ids.item(row)
            if not is_up:
                self._air_since.pop(ped_id, None)
            elif step - self._air_since.setdefault(ped_id, step) >= self._tuning.air_steps:
                self._telling.tell(rows, row, InAir())

    def _look_about(self, rows: PedRows, due: Ints, wants: list[bool], step: int) -> None:
        tuning = self._tuning
        for row, wanting in zip(due.tolist(), wants, strict=True):
            ped_id = rows.ids.item(row)
            x, y = rows.x.item(row), rows.y.item(row)
            known = self._stood.get(ped_id)
            if not wanting:
                self._stood.pop(ped_id, None)
            elif known is None or math.hypot(x - known[0], y - known[1]) >= tuning.stuck_cm:
                self._stood[ped_id] = x, y, step
            elif step - known[2] >= round(tuning.stuck_s * 60):
                self._stood[ped_id] = x, y, step
                self._telling.tell(rows, row, Stuck())
