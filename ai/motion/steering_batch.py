"""Array twin of ``steering`` in its easy cases: nothing solid ahead, and peds in sight.

A walker whose straight direction something solid refuses, or that has no lane clear of
peds, is left to the scalar path.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_table import MovementTable
from ai.motion.ped_grid import PedGrid
from ai.motion.steering import both_sides, candidate_angles
from ai.motion.step_checks import ped_spacing_cm, sight_cm
from ai.motion.step_checks_batch import StepChecksBatch
from ai.motion.walker_columns import Walkers
from ai.ports import TIMER_EPSILON_S

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Lanes(NamedTuple):
    """Directions that peds would step in, one a ped; columns of shape (n,).

    Unit vectors of the aim and of the lane itself, desired speed, and the length looked
    ahead.
    """

    ped: Ints
    aim_x: Floats
    aim_y: Floats
    along_x: Floats
    along_y: Floats
    speed: Floats
    ahead: Floats


class FanColumns(NamedTuple):
    """The candidate fan as arrays of shape (2, candidates): positive side first, negative first."""

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
        tuning: LocomotionTuning,
    ) -> None:
        self._table = table
        self._grid = grid
        self._checks = checks
        self._tuning = tuning
        self._spacing = ped_spacing_cm(tuning)
        self._fan = fan_columns(tuning)

    def steered(self, walkers: Walkers) -> Walkers:
        """Those whose direction stands: kept, or chosen anew round peds where nothing solid is."""
        due = np.flatnonzero(walkers.due)
        if len(due) == 0:
            return walkers
        table, fan = self._table, self._fan
        stands = ~walkers.due
        kept = np.abs(walkers.suggestion)
        remembered = walkers.side_age <= self._tuning.side_memory + TIMER_EPSILON_S
        side = np.where(remembered & (table.side_sign[walkers.row] < 0), 1, 0)
        ahead = np.minimum(self._tuning.ahead_probe, walkers.distance)
        x, y = walkers.x[due], walkers.y[due]
        free = self._checks.ways_free(
            x,
            y,
            x + walkers.aim_x[due] * ahead[due],
            y + walkers.aim_y[due] * ahead[due],
        )
        asked = due[free]
        for rank in range(fan.angle.shape[1]):
            if len(asked) == 0:
                break
            angle, cosine, sine = (column[side[asked], rank] for column in fan)
            aim_x, aim_y = walkers.aim_x[asked], walkers.aim_y[asked]
            clear = self._peds_clear(
                Lanes(
                    walkers.index[asked],
                    aim_x,
                    aim_y,
                    aim_x * cosine - aim_y * sine,
                    aim_x * sine + aim_y * cosine,
                    walkers.speed[asked],
                    ahead[asked],
                ),
                back=np.abs(angle) < kept[asked],
            )
            walkers.suggestion[asked[clear]] = angle[clear]
            stands[asked[clear]] = True
            asked = asked[~clear]
        return walkers.select(stands)

    def _peds_clear(self, lanes: Lanes, back: Flags) -> Flags:
        """Where a lane is clear of the peds in sight; twin of ``Steering``'s.

        ``back`` marks the lanes by which a ped would turn back from a side step.
        """
        clear = self._approach_clear(lanes, aside=True)
        back = clear & back
        if back.any():
            returning = Lanes._make(column[back] for column in lanes)
            clear[back] = self._approach_clear(returning, aside=False)
        return clear

    def _approach_clear(self, lanes: Lanes, *, aside: bool) -> Flags:
        grid = self._grid
        asked, others = grid.sight.pairs(lanes.ped)
        mine = lanes.ped[asked]
        dx = grid.x[others] - grid.x[mine]
        dy = grid.y[others] - grid.y[mine]
        in_sight = dx * dx + dy * dy <= sight_cm(self._tuning) ** 2
        asked, others, dx, dy = asked[in_sight], others[in_sight], dx[in_sight], dy[in_sight]
        velocity_x, velocity_y = grid.velocity_x[others], grid.velocity_y[others]
        if not aside:
            aim_x, aim_y = lanes.aim_x[asked], lanes.aim_y[asked]
            on_line = velocity_x * aim_x + velocity_y * aim_y
            velocity_x = on_line * aim_x
            velocity_y = on_line * aim_y
        speed = lanes.speed[asked]
        closing_x = lanes.along_x[asked] * speed - velocity_x
        closing_y = lanes.along_y[asked] * speed - velocity_y
        closing = dx * closing_x + dy * closing_y
        nears = closing > 0.0
        asked, dx, dy, closing = asked[nears], dx[nears], dy[nears], closing[nears]
        closing_x, closing_y = closing_x[nears], closing_y[nears]
        speed_squared = closing_x * closing_x + closing_y * closing_y
        time_s = np.minimum(closing / speed_squared, (lanes.ahead / lanes.speed)[asked])
        dx = dx - closing_x * time_s
        dy = dy - closing_y * time_s
        clear = np.ones(len(lanes.ped), dtype=np.bool_)
        clear[asked[dx * dx + dy * dy < self._spacing**2]] = False
        return clear
