"""Array twin of ``Steering.lane``: nothing solid straight ahead, and peds in sight.

A walker whose straight direction something solid refuses, or that has no lane clear of
peds, is left to the scalar path. Few walkers that choose anew are gone through one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_table import MovementTable
from ai.motion.ped_grid import FEW, PedGrid
from ai.motion.steering import Steering, both_sides, candidate_angles
from ai.motion.step_checks import ped_spacing_cm, sight_cm
from ai.motion.step_checks_batch import StepChecksBatch
from ai.motion.timer_batch import more_than_batch
from ai.motion.walker import aim_at
from ai.motion.walker_columns import Walkers

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Sights(NamedTuple):
    """What peds see of each other; columns of shape (pairs,).

    ``seer`` is a place among those who ask; the rest is the other ped's place relative to
    the seer in cm, and its velocity in cm/s.
    """

    seer: Ints
    dx: Floats
    dy: Floats
    velocity_x: Floats
    velocity_y: Floats

    def of(self, who: Flags) -> Sights:
        """What the marked ones of those who ask see; their places are counted anew."""
        kept = who[self.seer].nonzero()[0]
        place = who.cumsum() - 1
        return Sights(
            place[self.seer[kept]],
            self.dx[kept],
            self.dy[kept],
            self.velocity_x[kept],
            self.velocity_y[kept],
        )


class FanColumns(NamedTuple):
    """A candidate fan, one row a ped or, in ``fan_columns``, one for each side tried first."""

    angle: Floats
    cosine: Floats
    sine: Floats


def fan_columns(tuning: LocomotionTuning) -> FanColumns:
    """Angle, cosine and sine of the candidates in the order in which they are tried (LOC-04)."""
    fans = np.array([both_sides(candidate_angles(tuning), sign) for sign in (1, -1)])
    return FanColumns(fans[:, :, 0], fans[:, :, 1], fans[:, :, 2])


class SteeringBatch:
    """Decides in which direction many walkers step."""

    def __init__(
        self,
        table: MovementTable,
        grid: PedGrid,
        checks: StepChecksBatch,
        steering: Steering,
        tuning: LocomotionTuning,
    ) -> None:
        self._table = table
        self._grid = grid
        self._checks = checks
        self._steering = steering
        self._tuning = tuning
        self._spacing = ped_spacing_cm(tuning)
        self._fan = fan_columns(tuning)

    def steered(self, walkers: Walkers, dt_s: float) -> Walkers:
        """Those whose direction stands: kept, or chosen anew round peds where nothing solid is.

        What is chosen is written into ``suggestion`` of the columns.
        """
        due = walkers.due.nonzero()[0]
        if len(due) == 0:
            return walkers
        stands = ~walkers.due
        if len(due) <= FEW:
            for place in due.tolist():
                walker = walkers.single(place, dt_s)
                aim = aim_at(
                    walker.position.x,
                    walker.position.y,
                    self._table.corner_x.item(walker.row),
                    self._table.corner_y.item(walker.row),
                )
                lane = self._steering.lane(walker, aim, walkers.side_age.item(place))
                if lane is not None:
                    walkers.suggestion[place] = lane.angle
                    stands[place] = True
        else:
            self._choose_lanes(walkers, due, stands)
        return walkers.select(stands)

    def _choose_lanes(self, walkers: Walkers, due: Ints, stands: Flags) -> None:
        """Choose for all who are due at once; marks in ``stands`` who has a lane."""
        ahead = np.minimum(self._tuning.ahead_probe, walkers.distance[due])
        x, y = walkers.x[due], walkers.y[due]
        free = self._checks.ways_free(
            x, y, x + walkers.aim_x[due] * ahead, y + walkers.aim_y[due] * ahead
        )
        due, ahead = due[free], ahead[free]
        remembered = ~more_than_batch(walkers.side_age[due], self._tuning.side_memory)
        sign = self._table.side_sign[walkers.row[due]]
        side = np.where(remembered & (sign < 0), 1, 0)
        sights = self._sights(walkers.index[due])
        # Most find the straight direction clear; only the others pay for the whole fan.
        for ranks in (slice(0, 1), slice(1, None)):
            fan = FanColumns._make([column[side, ranks] for column in self._fan])
            clear = self._peds_clear(walkers, due, ahead, fan, sights)
            found: Flags = np.logical_or.reduce(clear, axis=1)
            first = clear.argmax(axis=1)
            if ranks.start:
                chosen = FanColumns._make(column[found, first[found]] for column in fan)
                found[found] = self._sides_free(walkers, due[found], ahead[found], chosen)
            walkers.suggestion[due[found]] = fan.angle[found, first[found]]
            stands[due[found]] = True
            if found.all():
                break
            others = np.logical_not(found)
            due, ahead, side = due[others], ahead[others], side[others]
            sights = sights.of(others)

    def _sides_free(self, walkers: Walkers, due: Ints, ahead: Floats, chosen: FanColumns) -> Flags:
        """Which side directions surely lead on past solid things; columns of shape (due,)."""
        x, y = walkers.x[due], walkers.y[due]
        aim_x, aim_y = walkers.aim_x[due], walkers.aim_y[due]
        side_x = x + (aim_x * chosen.cosine - aim_y * chosen.sine) * ahead
        side_y = y + (aim_x * chosen.sine + aim_y * chosen.cosine) * ahead
        dx = self._table.corner_x[walkers.row[due]] - side_x
        dy = self._table.corner_y[walkers.row[due]] - side_y
        distance = np.sqrt(dx * dx + dy * dy)
        # Who ends on the corner goes no further: any direction does.
        scale = np.where(distance > 0.0, distance, 1.0)
        forward = np.minimum(self._tuning.forward_probe, distance)
        return self._checks.ways_free(x, y, side_x, side_y) & self._checks.ways_free(
            side_x, side_y, side_x + dx / scale * forward, side_y + dy / scale * forward
        )

    def _peds_clear(
        self, walkers: Walkers, due: Ints, ahead: Floats, fan: FanColumns, sights: Sights
    ) -> Flags:
        """Which candidates of the due walkers are clear of peds; twin of ``Steering``'s.

        ``ahead`` has shape (due,), the columns of ``fan`` and the result (due, candidates).
        """
        aim_x, aim_y = walkers.aim_x[due][:, None], walkers.aim_y[due][:, None]
        speed = walkers.speed[due][:, None]
        forward_x = (aim_x * fan.cosine - aim_y * fan.sine) * speed
        forward_y = (aim_x * fan.sine + aim_y * fan.cosine) * speed
        horizon_s = ahead[:, None] / speed
        clear = self._approach_clear(sights, forward_x, forward_y, horizon_s)
        back = np.abs(fan.angle) < np.abs(walkers.suggestion[due])[:, None]
        if back.any():
            seer_x, seer_y = aim_x[sights.seer, 0], aim_y[sights.seer, 0]
            on_line = sights.velocity_x * seer_x + sights.velocity_y * seer_y
            sights = sights._replace(velocity_x=on_line * seer_x, velocity_y=on_line * seer_y)
            clear &= ~back | self._approach_clear(sights, forward_x, forward_y, horizon_s)
        return clear

    def _sights(self, peds: Ints) -> Sights:
        grid = self._grid
        seer, others = grid.sight.pairs(peds)
        dx = grid.x[others] - grid.x[peds][seer]
        dy = grid.y[others] - grid.y[peds][seer]
        seen = dx * dx + dy * dy <= sight_cm(self._tuning) ** 2
        others = others[seen]
        return Sights(
            seer[seen], dx[seen], dy[seen], grid.velocity_x[others], grid.velocity_y[others]
        )

    def _approach_clear(
        self, sights: Sights, forward_x: Floats, forward_y: Floats, horizon_s: Floats
    ) -> Flags:
        """Judge the nearest approaches: own velocities (due, candidates), horizons (due, 1)."""
        seer = sights.seer
        if len(seer) == 0:
            return np.ones(forward_x.shape, dtype=np.bool_)
        dx, dy = sights.dx[:, None], sights.dy[:, None]
        closing_x = forward_x[seer] - sights.velocity_x[:, None]
        closing_y = forward_y[seer] - sights.velocity_y[:, None]
        closing = dx * closing_x + dy * closing_y
        nears = closing > 0.0
        speed_squared = np.where(nears, closing_x * closing_x + closing_y * closing_y, 1.0)
        time_s = np.minimum(closing / speed_squared, horizon_s[seer])
        dx = dx - closing_x * time_s
        dy = dy - closing_y * time_s
        too_near = nears & (dx * dx + dy * dy < self._spacing**2)
        clear = np.ones(forward_x.shape, dtype=np.bool_)
        if too_near.any():
            pair, candidate = np.nonzero(too_near)
            clear[seer[pair], candidate] = False
        return clear
