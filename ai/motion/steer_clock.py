"""When a ped's direction is chosen anew, and how often that happened (LOC-04)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_table import MovementTable
from ai.motion.timer_batch import at_least_batch
from ai.motion.walker import Walker
from ai.ports import WorldView, at_least


class SteerClock:
    """Evaluations fall due every ``reeval_near`` or ``reeval_far`` seconds, or when asked for.

    Near is within ``near_range`` of the focus, or flagged important. ``checks_near``
    and ``checks_far`` count evaluations since the world began.
    """

    def __init__(self, table: MovementTable, view: WorldView, tuning: LocomotionTuning) -> None:
        self._table = table
        self._view = view
        self._tuning = tuning
        self._range_squared = tuning.near_range * tuning.near_range
        self.checks_near = 0
        self.checks_far = 0

    def advance(self, walker: Walker) -> bool:
        """Let the sub-step's time pass for a ped about to step; True if it must choose anew."""
        table = self._table
        row = walker.row
        age = table.steer_age.item(row) + walker.dt_s
        table.steer_age[row] = age
        if table.reeval_steer.item(row):
            return True
        tuning = self._tuning
        return at_least(age, tuning.reeval_near if self._near(walker) else tuning.reeval_far)

    def note_evaluation(self, walker: Walker) -> None:
        """Count an evaluation and start the time to the next one."""
        self._table.reeval_steer[walker.row] = False
        self._table.steer_age[walker.row] = 0.0
        if self._near(walker):
            self.checks_near += 1
        else:
            self.checks_far += 1

    def near_mask(self, slots: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Shape (n,): which peds are steered as near ones."""
        table = self._table
        focus = self._view.focus
        dx = table.x[slots] - focus.x
        dy = table.y[slots] - focus.y
        mask: NDArray[np.bool_] = table.important[slots] | (
            dx * dx + dy * dy <= self._range_squared
        )
        return mask

    def due_mask(
        self,
        rows: NDArray[np.int64],
        near: NDArray[np.bool_],
        steer_age: NDArray[np.float64],
    ) -> NDArray[np.bool_]:
        """Shape (n,): which records must choose anew at these ages; changes nothing."""
        tuning = self._tuning
        period = np.where(near, tuning.reeval_near, tuning.reeval_far)
        mask: NDArray[np.bool_] = self._table.reeval_steer[rows] | at_least_batch(steer_age, period)
        return mask

    def note_evaluations(self, rows: NDArray[np.int64], near: NDArray[np.bool_]) -> None:
        """``note_evaluation`` of many records, given which of them are near."""
        self._table.reeval_steer[rows] = False
        self._table.steer_age[rows] = 0.0
        count = int(np.count_nonzero(near))
        self.checks_near += count
        self.checks_far += len(rows) - count

    def _near(self, walker: Walker) -> bool:
        focus = self._view.focus
        dx = walker.position.x - focus.x
        dy = walker.position.y - focus.y
        return bool(
            self._table.important.item(walker.slot) or dx * dx + dy * dy <= self._range_squared
        )
