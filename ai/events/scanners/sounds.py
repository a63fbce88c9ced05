"""What is heard, and what flies past or lands near (EVT-41)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from ai.events.scanners.facts import SoundKind
from ai.events.sound_events import (
    BangHeard,
    FootstepHeard,
    ProjectileImpactNear,
    ProjectileWhizzedBy,
    SoundEvent,
    UnidentifiedNoise,
)

if TYPE_CHECKING:
    from ai.events.scanners.facts import Flight, PedRows, ScanWorld, Sound
    from ai.events.scanners.happenings import Happenings
    from ai.events.scanners.scanner import Telling
    from ai.events.scanners.tuning import ScannerTuning

BEHIND_WALL: Final = 0.5
"""Each wall leaves this share of a sound's radius."""

_EVENTS: Final[dict[SoundKind, type[SoundEvent]]] = {
    SoundKind.BANG: BangHeard,
    SoundKind.FOOTSTEP: FootstepHeard,
    SoundKind.BREAKAGE: UnidentifiedNoise,
}


class BangScanner:
    """Goes through the sounds and flights of the step; makers hear nothing of their own."""

    name = "bangs"

    def __init__(
        self, telling: Telling, world: ScanWorld, happenings: Happenings, tuning: ScannerTuning
    ) -> None:
        self._telling = telling
        self._world = world
        self._happenings = happenings
        self._tuning = tuning.sounds
        self._walls_max = tuning.senses.walls_max

    def has_facts(self) -> bool:
        """Something was to be heard, or flew."""
        return bool(self._happenings.sounds) or bool(self._happenings.flights)

    def take(self, rows: PedRows) -> None:
        """Sounds, then flights, each for everybody it reaches."""
        for sound in self._happenings.sounds:
            self._hear(rows, sound)
        for flight in self._happenings.flights:
            self._pass(rows, flight)

    def _hear(self, rows: PedRows, sound: Sound) -> None:
        at = sound.at
        distance = np.hypot(rows.x - at.x, rows.y - at.y)
        through_all = sound.radius_cm * BEHIND_WALL**self._walls_max
        for row in (distance <= sound.radius_cm).nonzero()[0].tolist():
            away = distance.item(row)
            if away > through_all:
                walls = self._world.walls_between(rows.place(row), at)
                if away > sound.radius_cm * BEHIND_WALL**walls:
                    continue
            if sound.kind is SoundKind.FOOTSTEP and not is_behind(rows, row, at.x, at.y):
                continue
            if sound.kind is SoundKind.BREAKAGE and self._telling.can_see(rows, row, at):
                continue
            event = _EVENTS[sound.kind](at, sound.sound_id, sound.source, loudness=sound.loudness)
            self._telling.tell(rows, row, event)

    def _pass(self, rows: PedRows, flight: Flight) -> None:
        """One that lands near is an impact; one that goes on has passed by."""
        tuning, source = self._tuning, flight.source
        landed = flight.landed
        struck = np.zeros(len(rows.ids), dtype=np.bool_)
        if landed is not None:
            struck = np.hypot(rows.x - landed.x, rows.y - landed.y) <= tuning.land_cm
            for row in struck.nonzero()[0].tolist():
                if rows.peds[row].ref != source:
                    self._telling.tell(rows, row, ProjectileImpactNear(landed, source))
        if flight.speed_cm_s < tuning.pass_cm_s:
            return
        passed = _distance_to_segment(rows, flight) <= tuning.pass_cm
        for row in (passed & ~struck).nonzero()[0].tolist():
            if rows.peds[row].ref != source:
                self._telling.tell(rows, row, ProjectileWhizzedBy(flight.start, source))


def is_behind(rows: PedRows, row: int, x: float, y: float) -> bool:
    """Does the ped of a row have its back to a place?"""
    yaw = rows.yaw.item(row)
    ahead = (x - rows.x.item(row)) * math.cos(yaw) + (y - rows.y.item(row)) * math.sin(yaw)
    return ahead < 0.0


def _distance_to_segment(
    rows: PedRows, flight: Flight
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Shape (n,): how near the flight came to each ped, cm."""
    way_x, way_y = flight.end.x - flight.start.x, flight.end.y - flight.start.y
    squared = max(way_x * way_x + way_y * way_y, 1e-12)
    to_x, to_y = rows.x - flight.start.x, rows.y - flight.start.y
    share = np.clip((to_x * way_x + to_y * way_y) / squared, 0.0, 1.0)
    return np.hypot(to_x - share * way_x, to_y - share * way_y)


class FootstepMaker:
    """Peds that run are sounds: each of them once in so many steps (EVT-12 row 3)."""

    name = "footsteps"

    def __init__(self, happenings: Happenings, tuning: ScannerTuning) -> None:
        self.period = tuning.sounds.footstep_every_steps
        self._happenings = happenings
        self._radius_cm = tuning.sounds.footstep_cm
        self._running = tuning.runners.running_cm_s

    def has_work(self) -> bool:
        """Anybody may run."""
        return True

    def scan(self, rows: PedRows, due: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        """Runners among the due are heard in the next step; one runner is one sound."""
        for row in due[rows.speed[due] > self._running].tolist():
            ped = rows.peds[row]
            self._happenings.footstep(-ped.ped_id, rows.place(row), self._radius_cm, ped.ref)
