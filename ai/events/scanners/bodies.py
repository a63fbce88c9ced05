"""Bodies on the ground, seen by others (EVT-45)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ai.events.types import EventType

if TYPE_CHECKING:
    from ai.events.scanners.facts import Ints, Lying, PedRows, ScanWorld
    from ai.events.scanners.scanner import Telling
    from ai.events.scanners.tuning import ScannerTuning


class BodyScanner:
    """One event a body, kept up while somebody sees it lie there."""

    name = "bodies"

    def __init__(self, telling: Telling, world: ScanWorld, tuning: ScannerTuning) -> None:
        self.period = tuning.period.bodies
        self._telling = telling
        self._world = world
        self._tuning = tuning.bodies
        self._half_angle = math.radians(tuning.bodies.half_angle_deg)

    def has_work(self) -> bool:
        """Somebody lies."""
        return bool(self._world.lying())

    def scan(self, rows: PedRows, due: Ints) -> None:
        """Each body that a due ped sees in front of it."""
        tuning = self._tuning
        for body in self._world.lying():
            if not body.is_dead and body.down_s <= tuning.injured_after_s:
                continue
            x, y = body.at.x - rows.x[due], body.at.y - rows.y[due]
            off = np.abs(np.remainder(np.arctan2(y, x) - rows.yaw[due] + np.pi, 2 * np.pi) - np.pi)
            sees = (np.hypot(x, y) <= tuning.range_cm) & (off <= self._half_angle)
            sees &= ~rows.is_down[due]
            if any(self._sees(rows, row, body) for row in due[sees].tolist()):
                self._telling.services.global_events.shock(
                    EventType.SHOCKING_BODY if body.is_dead else EventType.SHOCKING_INJURED_PED,
                    body.at,
                    source=body.ref,
                )

    def _sees(self, rows: PedRows, row: int, body: Lying) -> bool:
        ped = rows.peds[row]
        if ped.ref == body.ref or body.ref in ped.events.ignored_bodies:
            return False
        return self._telling.can_see(rows, row, body.at)
