"""Ground under a lying body, and room to stand up in (REC-04, REC-11)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from ai.motion.movement_table import MovementTable
from ai.motion.recovery.tuning import GroundTuning, StandTuning
from ai.ports import Clearance, GroundPoint, WalkSurface

Point = tuple[float, float]

QUERIES_PER_TEST = 17
"""Clearance queries that one test of one ped may cost (REC-24)."""

_TOUCH_CM = 1e-9
"""Peds that are exactly the gap apart don't meet."""


class LyingSpots(NamedTuple):
    """What of a lying ped nobody may stand up on."""

    pelvis: Point
    chest: Point


class Found(NamedTuple):
    """Where to stand, or None; ``search_from`` is the place to go on with when asked again."""

    ground: GroundPoint | None
    search_from: int


class StandingRoom:
    """Questions about one place; nothing is changed.

    ``queries`` counts the clearance queries so far.
    """

    def __init__(
        self,
        table: MovementTable,
        surface: WalkSurface,
        clearance: Clearance,
        ground: GroundTuning,
        stand: StandTuning,
        ped_radius_cm: float,
    ) -> None:
        self._table = table
        self._surface = surface
        self._clearance = clearance
        self._ground = ground
        self._stand = stand
        self._radius_cm = ped_radius_cm
        self.queries = 0
        angle = 2.0 * math.pi / stand.search_directions
        self._places = tuple(
            (distance, turn * angle)
            for distance in stand.search
            for turn in range(stand.search_directions if distance else 1)
        )

    def support(self, x: float, y: float, ground_z: float) -> GroundPoint | None:
        """The walkable ground that carries a body there, or None (REC-04)."""
        if not (math.isfinite(x) and math.isfinite(y)):
            return None
        tuning = self._ground
        point = self._surface.project(x, y, tuning.shift)
        if (
            point is None
            or point.normal_z < tuning.normal_z_min
            or abs(point.z - ground_z) > tuning.dz
        ):
            return None
        return point

    def is_free(
        self, slot: int, x: float, y: float, z: float, lying: Mapping[int, LyingSpots]
    ) -> bool:
        """True if a standing body of this ped meets neither thing nor ped there."""
        return self._clear_of_peds(slot, x, y, z, lying) and self._clear_of_things(x, y)

    def find(
        self,
        slot: int,
        pelvis: Point,
        confirmed: GroundPoint,
        spine_rad: float,
        search_from: int,
        lying: Mapping[int, LyingSpots],
    ) -> Found:
        """The first free place: the confirmed point, then around it, clockwise from the spine.

        A test costs at most ``QUERIES_PER_TEST`` queries; if they do not reach round, the
        next one goes on where this one stopped, the confirmed point always first.
        """
        if self.is_free(slot, confirmed.x, confirmed.y, confirmed.z, lying):
            return Found(confirmed, 1)
        last = self.queries + QUERIES_PER_TEST - 3
        count = len(self._places)
        place = search_from if search_from < count else 1
        for _ in range(count - 1):
            if self.queries > last:
                return Found(None, place)
            distance, turn = self._places[place]
            ground = self._around(slot, pelvis, confirmed, distance, spine_rad + turn, lying)
            if ground is not None:
                return Found(ground, 1)
            place = place + 1 if place + 1 < count else 1
        return Found(None, 1)

    def _around(
        self,
        slot: int,
        pelvis: Point,
        confirmed: GroundPoint,
        distance: float,
        direction: float,
        lying: Mapping[int, LyingSpots],
    ) -> GroundPoint | None:
        x = confirmed.x + distance * math.cos(direction)
        y = confirmed.y + distance * math.sin(direction)
        ground = self.support(x, y, confirmed.z)
        if ground is None or not self.is_free(slot, ground.x, ground.y, ground.z, lying):
            return None
        self.queries += 1
        stand = self._stand
        way_free = self._clearance.sweep_free(
            *pelvis, ground.x, ground.y, stand.way_radius, stand.low, stand.high
        )
        return ground if way_free else None

    def _clear_of_things(self, x: float, y: float) -> bool:
        self.queries += 1
        return self._clearance.circle_free(x, y, self._radius_cm, self._stand.low, self._stand.high)

    def _clear_of_peds(
        self, slot: int, x: float, y: float, z: float, lying: Mapping[int, LyingSpots]
    ) -> bool:
        table, stand = self._table, self._stand
        slots = table.slots_in_id_order()
        dx, dy = table.x[slots] - x, table.y[slots] - y
        reach = stand.ped_gap + _LYING_REACH_CM
        near = (dx * dx + dy * dy < reach * reach) & (slots != slot)
        for other in slots[near].tolist():
            if abs(table.z.item(other) - z) >= stand.level_dz:
                continue
            spots = lying.get(other)
            if spots is None:
                gap = math.hypot(table.x.item(other) - x, table.y.item(other) - y)
                if gap < stand.ped_gap - _TOUCH_CM:
                    return False
            elif any(math.dist((x, y), spot) < stand.lying_gap - _TOUCH_CM for spot in spots):
                return False
        return True


_LYING_REACH_CM = 60.0
"""A chest is never further from its pelvis, whose place is the ped's."""
