"""Moving vehicles: about to run a ped over, and near misses (EVT-43)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ai.events.collision_events import PotentialGetRunOver
from ai.events.sound_events import VehicleNearMiss
from ai.events.types import EventType
from ai.ports import EntityRef

if TYPE_CHECKING:
    from ai.events.scanners.facts import Floats, Ints, MovingVehicle, PedRows, ScanWorld
    from ai.events.scanners.scanner import Telling
    from ai.events.scanners.tuning import ScannerTuning

NEVER: Final = -1_000_000


@dataclass(slots=True)
class _Pass:
    """One vehicle going by one ped: the least gap so far, when, how fast; when it was told."""

    least_cm: float
    least_step: int
    speed_cm_s: float
    touched: bool = False
    told_step: int = NEVER
    seen_step: int = 0


class VehicleScanner:
    """What moving vehicles mean to a ped; nobody in them and not the player is warned."""

    name = "vehicles"

    def __init__(self, telling: Telling, world: ScanWorld, tuning: ScannerTuning) -> None:
        self.period = tuning.period.vehicles
        self._telling = telling
        self._world = world
        self._tuning = tuning.vehicles
        self._radius_cm = tuning.ahead.ped_radius_cm
        self._passes: dict[tuple[EntityRef, int], _Pass] = {}
        self._misses: dict[EntityRef, list[int]] = {}

    def has_work(self) -> bool:
        """A vehicle moves, or has moved lately."""
        return bool(self._world.moving_vehicles()) or bool(self._passes)

    def scan(self, rows: PedRows, due: Ints) -> None:
        """Each moving vehicle in object order, the due peds within range."""
        tuning, step = self._tuning, self._telling.services.clock.step
        for vehicle in self._world.moving_vehicles():
            x, y = rows.x[due] - vehicle.at.x, rows.y[due] - vehicle.at.y
            near = np.hypot(x, y) <= tuning.range_cm
            if not near.any():
                continue
            inside = due[near]
            ahead, beside = _in_axes(vehicle, x[near], y[near])
            gap = _gap(vehicle, ahead, beside, self._radius_cm)
            speed = np.hypot(
                rows.vx[inside] - vehicle.velocity[0], rows.vy[inside] - vehicle.velocity[1]
            )
            if math.hypot(*vehicle.velocity) > tuning.moving_cm_s:
                self._warn(rows, inside, vehicle, ahead, beside)
            for row, gap_cm, speed_cm_s in zip(
                inside.tolist(), gap.tolist(), speed.tolist(), strict=True
            ):
                self._follow(rows, row, vehicle, gap_cm, speed_cm_s, step)
        self._forget(step)

    def _warn(
        self, rows: PedRows, inside: Ints, vehicle: MovingVehicle, ahead: Floats, beside: Floats
    ) -> None:
        """The box swept along the velocity within the time; forwards or backwards."""
        tuning = self._tuning
        cos, sin = math.cos(vehicle.yaw_rad), math.sin(vehicle.yaw_rad)
        forwards = vehicle.velocity[0] * cos + vehicle.velocity[1] * sin
        if abs(forwards) < tuning.moving_cm_s:
            return
        distance = ahead * math.copysign(1.0, forwards) - vehicle.half_length_cm
        time_s = np.maximum(distance, 0.0) / abs(forwards)
        is_met = (
            (np.abs(beside) <= vehicle.half_width_cm + tuning.side_cm)
            & (time_s <= tuning.ahead_s)
            & (distance > -2.0 * vehicle.half_length_cm)
            & ~rows.is_player[inside]
            & ~rows.is_down[inside]
        )
        for index in is_met.nonzero()[0].tolist():
            event = PotentialGetRunOver(
                vehicle.object_id, time_s.item(index), vehicle.at, vehicle.ref
            )
            self._telling.tell(rows, inside.item(index), event)

    def _follow(
        self,
        rows: PedRows,
        row: int,
        vehicle: MovingVehicle,
        gap_cm: float,
        speed_cm_s: float,
        step: int,
    ) -> None:
        """Keep the least gap of the pass, and tell once it grows again."""
        tuning = self._tuning
        key = vehicle.ref, rows.ids.item(row)
        known = self._passes.get(key)
        if known is None:
            if gap_cm > tuning.range_cm:
                return
            known = self._passes[key] = _Pass(gap_cm, step, speed_cm_s)
        known.seen_step = step
        known.touched = known.touched or gap_cm <= 0.0
        if gap_cm <= known.least_cm:
            known.least_cm, known.least_step, known.speed_cm_s = gap_cm, step, speed_cm_s
            return
        since = step - known.least_step
        if since > tuning.miss_within_steps:
            known.least_cm, known.least_step, known.speed_cm_s = gap_cm, step, speed_cm_s
            known.touched = False
            return
        if (
            not known.touched
            and known.least_cm <= tuning.miss_cm
            and known.speed_cm_s >= tuning.miss_cm_s
            and step - known.told_step >= round(tuning.miss_gap_s * 60)
        ):
            known.told_step = step
            self._telling.tell(rows, row, VehicleNearMiss(vehicle.at, vehicle.ref))
            self._count_miss(vehicle, step)

    def _count_miss(self, vehicle: MovingVehicle, step: int) -> None:
        tuning = self._tuning
        since = step - round(tuning.mad_within_s * 60)
        misses = [one for one in self._misses.get(vehicle.ref, []) if one > since]
        misses.append(step)
        self._misses[vehicle.ref] = misses
        if len(misses) >= tuning.mad_misses:
            self._telling.services.global_events.shock(
                EventType.SHOCKING_MAD_DRIVER, vehicle.at, source=vehicle.ref
            )

    def _forget(self, step: int) -> None:
        gap = round(self._tuning.miss_gap_s * 60)
        for key, known in list(self._passes.items()):
            if step - known.seen_step > gap and step - known.told_step > gap:
                del self._passes[key]


def _in_axes(vehicle: MovingVehicle, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Along and across the vehicle, cm."""
    cos, sin = math.cos(vehicle.yaw_rad), math.sin(vehicle.yaw_rad)
    return x * cos + y * sin, -x * sin + y * cos


def _gap(vehicle: MovingVehicle, ahead: Floats, beside: Floats, radius_cm: float) -> Floats:
    """From the hull to the body, 0 and less if they touch."""
    out_x = np.maximum(np.abs(ahead) - vehicle.half_length_cm, 0.0)
    out_y = np.maximum(np.abs(beside) - vehicle.half_width_cm, 0.0)
    gap: Floats = np.hypot(out_x, out_y) - radius_cm
    return gap
