"""Drawn weapons, and being aimed at (EVT-47)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ai.events.sound_events import AimedAt
from ai.events.types import EventType

if TYPE_CHECKING:
    from ai.events.scanners.facts import Armed, Ints, PedRows, ScanWorld
    from ai.events.scanners.scanner import Telling
    from ai.events.scanners.tuning import ScannerTuning


class WeaponScanner:
    """Who holds a weapon where others see it, and who is in its line."""

    name = "weapons"

    def __init__(self, telling: Telling, world: ScanWorld, tuning: ScannerTuning) -> None:
        self.period = tuning.period.weapons
        self._telling = telling
        self._world = world
        self._tuning = tuning.weapons
        self._half_angle = math.radians(tuning.weapons.aim_half_angle_deg)

    def has_work(self) -> bool:
        """Somebody has a weapon in hand."""
        return bool(self._world.armed())

    def scan(self, rows: PedRows, due: Ints) -> None:
        """Each armed ped that a due one sees; friends' and group's eyes are the events' affair."""
        tuning = self._tuning
        shock = self._telling.services.global_events.shock
        for armed in self._world.armed():
            at = rows.place(armed.row)
            x, y = rows.x[due] - at.x, rows.y[due] - at.y
            away = np.hypot(x, y)
            near = due[(away <= tuning.range_cm) & (due != armed.row)]
            if any(self._telling.can_see(rows, row, at) for row in near.tolist()):
                shock(EventType.SHOCKING_WEAPON_DRAWN, at, source=armed.ref)
                if armed.aims_rad is not None:
                    shock(EventType.SHOCKING_WEAPON_THREAT, at, source=armed.ref)
            if armed.aims_rad is not None:
                off = np.arctan2(y, x) - armed.aims_rad
                off = np.abs(np.remainder(off + np.pi, 2.0 * np.pi) - np.pi)
                in_line = (away <= tuning.aim_cm) & (off <= self._half_angle) & (due != armed.row)
                for row in due[in_line].tolist():
                    self._aim(rows, row, armed)

    def _aim(self, rows: PedRows, row: int, armed: Armed) -> None:
        at = rows.place(armed.row)
        if self._telling.can_see(rows, row, at):
            self._telling.tell(rows, row, AimedAt(at, armed.ref, rows.peds[row].ref))
