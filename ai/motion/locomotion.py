"""The walk update: phase W4 of a step, turning and motion of every ped (NAV-11, LOC-01).

``WalkUpdate`` splits the step's time into motion sub-steps (LOC-02) and runs each of
them over all present peds: first the easy ones together (``locomotion_batch``), then
the rest one by one in ped-id order (``locomotion_scalar``, the definition). Both give
the same bits, so how many are batched is a matter of cost alone (NAV-12).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ai.motion.corners import Corners
from ai.motion.locomotion_batch import BatchWalk
from ai.motion.locomotion_scalar import ScalarWalk
from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_system import MovementSystem
from ai.motion.ped_grid import FEW, PedGrid
from ai.motion.retry_policy import RetryPolicy
from ai.motion.steer_clock import SteerClock
from ai.motion.steering import Steering
from ai.motion.step_checks import StepChecks, ped_spacing_cm, sight_cm
from ai.ports import Clearance, WalkSurface, WorldView

COUNT_SLACK = 1e-9
"""Taken off a count of sub-steps: rounding in ``dt / substep_max`` adds no part (LOC-02)."""

TOUCH_SLACK_CM = 1.0
"""Added to the range within which peds are compared; over what rounding may take from it."""


class WalkUpdate:
    """Moves the peds of a movement system over ground and round obstacles.

    - ``retry`` is told of each sub-step; it alone replans and fails records.
    - ``force_scalar`` runs every ped through the scalar path.
    - ``bad_steps`` counts calls with a time that is no time, ``dropped_s`` sums what
      was over the longest time taken in one call (LOC-02).
    """

    def __init__(
        self,
        system: MovementSystem,
        retry: RetryPolicy,
        surface: WalkSurface,
        clearance: Clearance,
        view: WorldView,
        tuning: LocomotionTuning,
        *,
        force_scalar: bool = False,
    ) -> None:
        self._table = system.table
        self._retry = retry
        self._tuning = tuning
        self._grid = PedGrid(system.table)
        checks = StepChecks(system.table, self._grid, surface, clearance, tuning)
        steering = Steering(system.table, self._grid, checks, tuning)
        corners = Corners(system.table, checks, tuning)
        self._steer_clock = SteerClock(system.table, view, tuning)
        self._scalar = ScalarWalk(system, steering, corners, self._steer_clock, tuning)
        self._batch = BatchWalk(
            system, self._grid, self._steer_clock, steering, surface, clearance, tuning
        )
        self._force_scalar = force_scalar
        self.bad_steps = 0
        self.dropped_s = 0.0

    @property
    def steer_checks_near(self) -> int:
        """Evaluations of peds near the focus so far (LOC-04)."""
        return self._steer_clock.checks_near

    @property
    def steer_checks_far(self) -> int:
        """Evaluations of peds far from the focus so far (LOC-04)."""
        return self._steer_clock.checks_far

    def step(self, dt_s: float) -> None:
        """Turn and move every present ped for this much time, in equal sub-steps (LOC-02)."""
        if not (math.isfinite(dt_s) and dt_s > 0.0):
            self.bad_steps += 1
            return
        tuning = self._tuning
        if dt_s > tuning.elapsed_max:
            self.dropped_s += dt_s - tuning.elapsed_max
            dt_s = tuning.elapsed_max
        slots = self._table.slots_in_id_order()
        if len(slots) == 0:
            return
        count = max(1, math.ceil(dt_s / tuning.substep_max - COUNT_SLACK))
        part_s = dt_s / count
        for _ in range(count):
            self._substep(slots, part_s)
            self._retry.after_substep(slots, part_s)

    def _substep(self, slots: NDArray[np.int64], dt_s: float) -> None:
        table = self._table
        rows = table.active_record[slots]
        self._grid.rebuild(slots, self._touch_cm(rows, dt_s), sight_cm(self._tuning))
        table.velocity_x[slots] = 0.0
        table.velocity_y[slots] = 0.0
        if self._force_scalar or len(slots) <= FEW:
            left_over: Iterable[int] = range(len(slots))
        else:
            left_over = self._batch.step(rows, dt_s)
        for index in left_over:
            self._scalar.step(index, slots.item(index), rows.item(index), dt_s)

    def _touch_cm(self, rows: NDArray[np.int64], dt_s: float) -> float:
        """Range within which two peds may come too near each other in this sub-step."""
        longest = max(float(self._table.desired_speed[rows].max()), 0.0) * dt_s
        return ped_spacing_cm(self._tuning) + 2.0 * longest + TOUCH_SLACK_CM
