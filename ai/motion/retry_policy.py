"""Blocking, retry and failure: when a way is given up (NAV-17 to NAV-19).

A refused step is a local matter, a replan a retry, and only FAILED reaches the
order. This policy reads what each motion sub-step did (``MovementTable.outcome``)
and is the one place where the two timers and the counters grow.

What each outcome does to a record:

========  ============  ================  ===========
outcome   blocked_time  no_progress_time  turn_time
========  ============  ================  ===========
STEPPED   0             grows or 0        0
REFUSED   grows         grows or 0        0
TURNED    stays         stays (see below) grows
POSING    stays         stays             0
NONE      stays         stays             0
========  ============  ================  ===========

``no_progress_time`` is 0 on a tick that brings the corner nearer than ever by
``progress_min`` seconds of the desired speed, and on the first tick of a new
corner. Turning beyond ``turn_exempt_max`` of unbroken turning counts as no
progress, so that an endless spin has an end.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.motion.execution import ReplanKind
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import MoveReason, StepOutcome
from ai.motion.timer_batch import more_than_batch
from ai.ports import more_than

FEW = 6
"""Up to this many peds cost less one by one than as arrays; either way gives the same bits."""

_STEPPED = int(StepOutcome.STEPPED)
_REFUSED = int(StepOutcome.REFUSED)
_TURNED = int(StepOutcome.TURNED)


class RetryPolicy:
    """Timers, replans and the end of patience, over the active records in one batch or singly."""

    def __init__(self, system: MovementSystem) -> None:
        self._system = system
        self._table = system.table

    def after_substep(self, slots: NDArray[np.int64], dt_s: float) -> None:
        """Account for one motion sub-step of these peds' active records.

        - ``slots``: shape (n,), ped slots in ped-id order, each at most once.
        - Records that are replanned or fail here have no usable path or no live
          intent afterwards and take no further sub-step.
        """
        if len(slots) <= FEW:
            for slot in slots.tolist():
                self._account(slot, dt_s)
        else:
            self._account_batch(slots, dt_s)

    # -- one ped -----------------------------------------------------------------

    def _account(self, slot: int, dt_s: float) -> None:
        table = self._table
        tuning = self._system.tuning
        row = table.active_record.item(slot)
        outcome = table.outcome.item(row)
        turned = outcome == _TURNED
        turn_time = table.turn_time.item(row) + dt_s if turned else 0.0
        table.turn_time[row] = turn_time
        stepped, refused = outcome == _STEPPED, outcome == _REFUSED
        counting = stepped or refused or more_than(turn_time, tuning.turn_exempt_max)
        if not (counting or turned):
            return
        blocked_time = table.blocked_time.item(row)
        if refused:
            blocked_time += dt_s
        elif stepped:
            blocked_time = 0.0
        table.blocked_time[row] = blocked_time
        no_progress_time = self._progress_of(slot, row, counting, dt_s)
        if stepped:
            travel = table.travel_since_replan.item(row) + table.measured_speed.item(row) * dt_s
            table.travel_since_replan[row] = travel
            if travel >= tuning.retry_reset_travel:
                table.retry_count[row] = 0
        if not counting:
            return
        if more_than(blocked_time, tuning.blocked_limit):
            self._give_up_way(row, MoveReason.BLOCKED)
        elif more_than(no_progress_time, tuning.no_progress_limit):
            self._give_up_way(row, MoveReason.NO_PROGRESS)

    def _progress_of(self, slot: int, row: int, counting: bool, dt_s: float) -> float:
        """``_progress`` of a record that counts or has turned."""
        table = self._table
        dx = table.corner_x.item(row) - table.x.item(slot)
        dy = table.corner_y.item(row) - table.y.item(slot)
        distance = math.sqrt(dx * dx + dy * dy)
        best = table.best_corner_dist.item(row)
        gain = self._system.tuning.progress_min * table.desired_speed.item(row)
        time = table.no_progress_time.item(row)
        if math.isinf(best) or (counting and distance <= best - gain):
            time = 0.0
            table.best_corner_dist[row] = distance
        elif counting:
            time += dt_s
        table.no_progress_time[row] = time
        return time

    # -- many peds ---------------------------------------------------------------

    def _account_batch(self, slots: NDArray[np.int64], dt_s: float) -> None:
        table = self._table
        tuning = self._system.tuning
        rows = table.active_record[slots]
        outcome = table.outcome[rows]
        stepped = outcome == _STEPPED
        refused = outcome == _REFUSED
        turned = outcome == _TURNED

        turn_time = np.where(turned, table.turn_time[rows] + dt_s, 0.0)
        table.turn_time[rows] = turn_time
        counting = stepped | refused | more_than_batch(turn_time, tuning.turn_exempt_max)

        blocked_time = table.blocked_time[rows]
        blocked_time = np.where(refused, blocked_time + dt_s, np.where(stepped, 0.0, blocked_time))
        table.blocked_time[rows] = blocked_time
        no_progress_time = self._progress(slots, rows, counting, turned, dt_s)
        self._reward_travel(rows[stepped], dt_s)

        blocked = more_than_batch(blocked_time, tuning.blocked_limit)
        stuck = more_than_batch(no_progress_time, tuning.no_progress_limit)
        for index in np.flatnonzero(counting & (blocked | stuck)).tolist():
            reason = MoveReason.BLOCKED if blocked[index] else MoveReason.NO_PROGRESS
            self._give_up_way(int(rows[index]), reason)

    def _progress(
        self,
        slots: NDArray[np.int64],
        rows: NDArray[np.int64],
        counting: NDArray[np.bool_],
        turned: NDArray[np.bool_],
        dt_s: float,
    ) -> NDArray[np.float64]:
        """Bring ``no_progress_time`` and ``best_corner_dist`` up to date; returns the former."""
        table = self._table
        dx = table.corner_x[rows] - table.x[slots]
        dy = table.corner_y[rows] - table.y[slots]
        distance = np.sqrt(dx * dx + dy * dy)
        best = table.best_corner_dist[rows]
        gain = self._system.tuning.progress_min * table.desired_speed[rows]
        new_corner = np.isinf(best) & (counting | turned)
        gained = new_corner | (counting & (distance <= best - gain))
        time = table.no_progress_time[rows]
        time = np.where(gained, 0.0, np.where(counting, time + dt_s, time))
        table.no_progress_time[rows] = time
        table.best_corner_dist[rows] = np.where(gained, distance, best)
        return time

    def _reward_travel(self, rows: NDArray[np.int64], dt_s: float) -> None:
        """Enough accepted travel since the last replan gives the retries back (NAV-19)."""
        table = self._table
        travel = table.travel_since_replan[rows] + table.measured_speed[rows] * dt_s
        table.travel_since_replan[rows] = travel
        table.retry_count[rows[travel >= self._system.tuning.retry_reset_travel]] = 0

    # -- the end of patience -------------------------------------------------------

    def _give_up_way(self, row: int, reason: MoveReason) -> None:
        """Replan, or fail once the retries or the goal's replans are spent (NAV-18, NAV-19)."""
        tuning = self._system.tuning
        if int(self._table.retry_count[row]) >= tuning.retries_max:
            self._system.fail(row, reason)
        elif int(self._table.replans_total[row]) >= tuning.replans_per_goal_max:
            self._system.fail(row, MoveReason.BLOCKED)
        else:
            self._system.replan(row, ReplanKind.RETRY)
