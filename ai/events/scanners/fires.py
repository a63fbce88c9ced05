"""Fires: ahead on the way, too near, and a body that burns (EVT-38)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ai.events.body_events import OnFireEvent
from ai.events.collision_events import Heat, PotentialWalkIntoFire

if TYPE_CHECKING:
    from ai.events.scanners.facts import Fire, Ints, PedRows, ScanWorld
    from ai.events.scanners.happenings import Happenings
    from ai.events.scanners.scanner import Telling
    from ai.events.scanners.tuning import ScannerTuning


class FireScanner:
    """What the fires within range mean to a ped; the player is left alone."""

    name = "fires"

    def __init__(
        self, telling: Telling, world: ScanWorld, happenings: Happenings, tuning: ScannerTuning
    ) -> None:
        self.period = tuning.period.fires
        self._telling = telling
        self._world = world
        self._happenings = happenings
        self._tuning = tuning.fires

    def has_work(self) -> bool:
        """Something burns."""
        return bool(self._happenings.fires())

    def scan(self, rows: PedRows, due: Ints) -> None:
        """Heat and fires ahead, fires in the order in which they were lit."""
        tuning = self._tuning
        due = due[~rows.is_player[due]]
        fires = self._happenings.fires()
        x, y = rows.x[due], rows.y[due]
        distance = np.stack([np.hypot(x - one.at.x, y - one.at.y) for one in fires], axis=1)
        reach = np.array([one.radius_cm for one in fires])
        hot = distance <= reach + tuning.heat_cm
        near = distance <= tuning.range_cm
        walks = near & (distance > reach + tuning.path_cm) & (rows.speed[due] > 0.0)[:, None]
        for index, number in np.argwhere(hot | walks).tolist():
            row, fire = due.item(index), fires[number]
            if walks[index, number]:
                time_s = self._time_until(rows, row, fire)
                if time_s is not None:
                    event = PotentialWalkIntoFire(fire.fire_id, time_s, fire.at, fire.source)
                    self._telling.tell(rows, row, event)
            if hot[index, number]:
                self._telling.tell(rows, row, Heat(fire.fire_id, 0.0, fire.at, fire.source))

    def _time_until(self, rows: PedRows, row: int, fire: Fire) -> float | None:
        """Seconds until the predicted way comes too near, or None if it does not."""
        tuning = self._tuning
        here = rows.place(row)
        speed = rows.speed.item(row)
        corners = self._world.path_ahead(row)
        if not corners:
            ends = [
                (
                    here.x + rows.vx.item(row) * tuning.path_s,
                    here.y + rows.vy.item(row) * tuning.path_s,
                )
            ]
        else:
            ends = [(corner.x, corner.y) for corner in corners]
        keep_off = fire.radius_cm + tuning.path_cm
        left = speed * tuning.path_s
        gone = 0.0
        at = (here.x, here.y)
        for end in ends:
            length = math.dist(at, end)
            if length > 0.0:
                part = min(length, left)
                way = (end[0] - at[0]) / length, (end[1] - at[1]) / length
                met = entry_distance(at, way, part, (fire.at.x, fire.at.y), keep_off)
                if met is not None:
                    return (gone + met) / speed
                gone += part
                left -= part
                if left <= 0.0:
                    return None
            at = end
        return None


def entry_distance(
    start: tuple[float, float],
    way: tuple[float, float],
    length: float,
    centre: tuple[float, float],
    radius: float,
) -> float | None:
    """How far along a straight way of unit direction a disc is entered, or None within length."""
    to_x, to_y = centre[0] - start[0], centre[1] - start[1]
    along = to_x * way[0] + to_y * way[1]
    beside = to_x * to_x + to_y * to_y - along * along
    inside = radius * radius - beside
    if inside < 0.0:
        return None
    entry = max(along - math.sqrt(inside), 0.0)
    leaves = along + math.sqrt(inside)
    return entry if entry <= length and leaves >= 0.0 else None


class BurningScanner:
    """Who stood in a fire for long enough begins to burn: counted in every step (EVT-38 c).

    - ``_steps_inside``: by ped id the steps, of the last ones that count, spent in a fire.
      ``_told``: whose present burn was told already.
    """

    name = "burning"

    def __init__(self, telling: Telling, happenings: Happenings, tuning: ScannerTuning) -> None:
        self._telling = telling
        self._happenings = happenings
        self._needed = tuning.fires.burning_steps
        self._window = tuning.fires.burning_within_steps
        self._steps_inside: dict[int, list[int]] = {}
        self._told: dict[int, None] = {}

    def has_facts(self) -> bool:
        """Something burns, or somebody was in a fire lately."""
        return bool(self._steps_inside) or bool(self._happenings.fires())

    def take(self, rows: PedRows) -> None:
        """Count, forget what is too long ago, and tell once a burn."""
        step = self._telling.services.clock.step
        fires = self._happenings.fires()
        if fires:
            inside = np.zeros(len(rows.ids), dtype=np.bool_)
            for fire in fires:
                inside |= (rows.x - fire.at.x) ** 2 + (rows.y - fire.at.y) ** 2 <= (
                    fire.radius_cm * fire.radius_cm
                )
            for row in inside.nonzero()[0].tolist():
                self._steps_inside.setdefault(rows.ids.item(row), []).append(step)
        if not self._steps_inside:
            return
        row_of = {ped_id: row for row, ped_id in enumerate(rows.ids.tolist())}
        for ped_id, steps in list(self._steps_inside.items()):
            while steps and steps[0] <= step - self._window:
                del steps[0]
            if not steps or ped_id not in row_of:
                del self._steps_inside[ped_id]
                self._told.pop(ped_id, None)
            elif len(steps) >= self._needed and ped_id not in self._told:
                self._told[ped_id] = None
                self._telling.tell(rows, row_of[ped_id], OnFireEvent())
