"""Who and what a ped is about to walk into, and who is about to walk into it (EVT-42)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ai.events.collision_events import (
    PotentialBeWalkedInto,
    PotentialCollisionEvent,
    PotentialWalkIntoPed,
    PotentialWalkIntoProp,
    PotentialWalkIntoVehicle,
)
from ai.ports import EntityKind

if TYPE_CHECKING:
    from ai.events.scanners.facts import Floats, Ints, Obstacle, PedRows, ScanWorld
    from ai.events.scanners.scanner import Telling
    from ai.events.scanners.tuning import ScannerTuning


class Approach(NamedTuple):
    """When two bodies come nearest within a horizon, and how near, between their centres."""

    time_s: float
    distance_cm: float


def closest_approach(
    to_x: float, to_y: float, velocity_x: float, velocity_y: float, horizon_s: float
) -> Approach | None:
    """EVT-42 for one pair; ``velocity`` is the obstacle's less the ped's. None: they part."""
    closing = to_x * velocity_x + to_y * velocity_y
    if closing >= 0.0:
        return None
    squared = velocity_x * velocity_x + velocity_y * velocity_y
    time_s = min(-closing / squared, horizon_s)
    return Approach(time_s, math.hypot(to_x + velocity_x * time_s, to_y + velocity_y * time_s))


def box_entry_s(
    ped: tuple[float, float],
    velocity: tuple[float, float],
    box: Obstacle,
    margin_cm: float,
    horizon_s: float,
) -> float | None:
    """When a point reaches an oriented box widened by a margin; None if not in time."""
    assert box.half_size is not None
    cos, sin = math.cos(box.yaw_rad), math.sin(box.yaw_rad)
    from_x, from_y = ped[0] - box.at.x, ped[1] - box.at.y
    start = from_x * cos + from_y * sin, -from_x * sin + from_y * cos
    way = velocity[0] * cos + velocity[1] * sin, -velocity[0] * sin + velocity[1] * cos
    enters, leaves = 0.0, horizon_s
    for begin, speed, half in zip(start, way, box.half_size, strict=True):
        low, high = -half - margin_cm - begin, half + margin_cm - begin
        if speed == 0.0:
            if low >= 0.0 or high <= 0.0:
                return None
            continue
        first, last = sorted((low / speed, high / speed))
        enters, leaves = max(enters, first), min(leaves, last)
    return enters if enters < leaves else None


class PotentialCollisionScanner:
    """The obstacle that is met soonest; for who walks a path, peds alone.

    - What stands in the way of a path is the walk update's affair (LOC-04, LOC-05, NAV-17).
    - The player and who lies are left alone, and so is a ped's own leader.
    """

    name = "ahead"

    def __init__(self, telling: Telling, world: ScanWorld, tuning: ScannerTuning) -> None:
        self.period = tuning.period.ahead
        self._telling = telling
        self._world = world
        self._tuning = tuning.ahead

    def has_work(self) -> bool:
        """Somebody may be walking."""
        return True

    def scan(self, rows: PedRows, due: Ints) -> None:
        """The soonest obstacle of each due ped, and for a standing one who comes at it."""
        due = due[~(rows.is_player[due] | rows.is_down[due])]
        if not len(due):
            return
        tuning = self._tuning
        walks = rows.speed[due] > tuning.moving_cm_s
        peds_ahead = self._peds_ahead(rows, due[walks])
        approached = self._approached(rows, due[~walks])
        wished = set(due[walks & ~rows.on_path[due]].tolist())
        for row in due.tolist():
            soonest = peds_ahead.get(row)
            if row in wished:
                thing = self._thing_ahead(rows, row)
                if thing is not None and (soonest is None or thing.time_s < soonest.time_s):
                    soonest = thing
            if row in approached:
                soonest = approached[row]
            if soonest is not None and not self._is_known_to_leave_cold(rows, row, soonest):
                self._telling.tell(rows, row, soonest)

    def _is_known_to_leave_cold(
        self, rows: PedRows, row: int, event: PotentialCollisionEvent
    ) -> bool:
        """The ped decided on this very obstacle lately, for nothing (EVT-82)."""
        memory = rows.peds[row].events.memory
        step = self._telling.services.clock.step
        return memory.was_none(event.event_type, event.source, step)

    # -- peds -----------------------------------------------------------------------------

    def _peds_ahead(self, rows: PedRows, due: Ints) -> dict[int, PotentialCollisionEvent]:
        found: dict[int, PotentialCollisionEvent] = {}
        for row, other, time_s in self._meetings(rows, due, rows.speed):
            if self._is_led_by(rows, row, other):
                continue
            known = found.get(row)
            if known is None or time_s < known.time_s:
                ped = rows.peds[other]
                found[row] = PotentialWalkIntoPed(
                    rows.ids.item(other), time_s, rows.place(other), ped.ref
                )
        return found

    def _approached(self, rows: PedRows, due: Ints) -> dict[int, PotentialCollisionEvent]:
        found: dict[int, PotentialCollisionEvent] = {}
        fast = rows.speed > self._tuning.approached_cm_s
        if not fast.any():
            return found
        for row, other, time_s in self._meetings(rows, due, np.where(fast, rows.speed, 0.0)):
            known = found.get(row)
            if fast[other] and (known is None or time_s < known.time_s):
                ped = rows.peds[other]
                found[row] = PotentialBeWalkedInto(
                    rows.ids.item(other), time_s, rows.place(other), ped.ref
                )
        return found

    def _meetings(self, rows: PedRows, due: Ints, speeds: Floats) -> list[tuple[int, int, float]]:
        """(row, other row, seconds) of everybody who comes too near to a due ped in time."""
        if not len(due):
            return []
        tuning = self._tuning
        touch = 2.0 * tuning.ped_radius_cm + tuning.margin_cm
        horizon = tuning.ped_horizon_s
        reach = (rows.speed[due] + float(speeds.max())) * horizon + touch
        to_x = rows.x - rows.x[due, None]
        first, second = (np.abs(to_x) < reach[:, None]).nonzero()
        row = due[first]
        apart = to_x[first, second], rows.y[second] - rows.y[row]
        velocity = rows.vx[second] - rows.vx[row], rows.vy[second] - rows.vy[row]
        closing = apart[0] * velocity[0] + apart[1] * velocity[1]
        meets = (closing < 0.0) & (row != second) & ~rows.is_down[second]
        squared = np.where(meets, velocity[0] ** 2 + velocity[1] ** 2, 1.0)
        time_s = np.minimum(-closing / squared, horizon)
        nearest = np.hypot(apart[0] + velocity[0] * time_s, apart[1] + velocity[1] * time_s)
        hits = (meets & (nearest < touch)).nonzero()[0]
        return list(
            zip(row[hits].tolist(), second[hits].tolist(), time_s[hits].tolist(), strict=True)
        )

    def _is_led_by(self, rows: PedRows, row: int, other: int) -> bool:
        group = self._telling.services.world.group_of(rows.peds[row].ref)
        return bool(group) and group[0] == rows.peds[other].ref

    # -- things ---------------------------------------------------------------------------

    def _thing_ahead(self, rows: PedRows, row: int) -> PotentialCollisionEvent | None:
        tuning = self._tuning
        velocity = rows.vx.item(row), rows.vy.item(row)
        here = rows.place(row)
        body = tuning.ped_radius_cm + tuning.margin_cm
        reach = rows.speed.item(row) * tuning.vehicle_horizon_s + body
        soonest: PotentialCollisionEvent | None = None
        for thing in self._world.things_near(here, reach):
            event = self._meeting(thing, here, velocity, body)
            if event is not None and (soonest is None or event.time_s < soonest.time_s):
                soonest = event
        return soonest

    def _meeting(
        self,
        thing: Obstacle,
        here: tuple[float, float, float],
        velocity: tuple[float, float],
        body_cm: float,
    ) -> PotentialCollisionEvent | None:
        tuning = self._tuning
        if thing.ref.kind is EntityKind.VEHICLE and thing.half_size is not None:
            time_s = box_entry_s(here[:2], velocity, thing, body_cm, tuning.vehicle_horizon_s)
            if time_s is None:
                return None
            return PotentialWalkIntoVehicle(thing.object_id, time_s, thing.at, thing.ref)
        approach = closest_approach(
            thing.at.x - here[0],
            thing.at.y - here[1],
            -velocity[0],
            -velocity[1],
            tuning.prop_horizon_s,
        )
        if approach is None or approach.distance_cm >= body_cm + thing.radius_cm:
            return None
        return PotentialWalkIntoProp(thing.object_id, approach.time_s, thing.at, thing.ref)
