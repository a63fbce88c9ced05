"""Going from corner to corner of a path (LOC-09)."""

from __future__ import annotations

import math

from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_table import MovementTable
from ai.motion.step_checks import StepChecks
from ai.motion.walker import Walker, aim_at

REACHED_CM = 1e-6
"""A last point this near is reached; steps land on it exactly but for rounding."""


class Corners:
    """Consumes the corners that a ped has reached.

    - A corner on the way is reached when the ped passes its perpendicular.
    - It is reached earlier if the next leg is open from where the ped is: within
      ``corner_reach``, or past the line halfway between the perpendiculars of the two
      legs. So nobody whom others have pushed on round a corner goes back for it.
    - The last point is reached by standing on it.
    - A consumed corner means a new direction: the steering is evaluated anew, with
      no free first step (LOC-06).
    """

    def __init__(self, table: MovementTable, checks: StepChecks, tuning: LocomotionTuning) -> None:
        self._table = table
        self._checks = checks
        self._tuning = tuning

    def consume(self, walker: Walker) -> None:
        """Go past every corner that has been reached; ``corners_left`` is 0 at the path's end."""
        while self._table.corners_left.item(walker.row) > 0 and self._reached(walker):
            self._pass(walker.row, self._table.corner.item(walker.row) + 1)

    def finish(self, row: int) -> None:
        """Take the whole path as consumed: the stop has ended where it ends (CLIP-12)."""
        self._pass(row, len(self._table.paths[row]))

    def _pass(self, row: int, corner: int) -> None:
        self._table.set_corner(row, corner)
        self._table.steer_suggestion[row] = 0.0
        self._table.reeval_steer[row] = True

    def _reached(self, walker: Walker) -> bool:
        table = self._table
        row = walker.row
        x, y, _ = walker.position
        dx = x - table.corner_x.item(row)
        dy = y - table.corner_y.item(row)
        distance = math.sqrt(dx * dx + dy * dy)
        if table.corners_left.item(row) == 1:
            return distance <= REACHED_CM
        if dx * table.leg_x.item(row) + dy * table.leg_y.item(row) >= 0.0:
            return True
        near = distance <= self._tuning.corner_reach
        across = dx * table.across_x.item(row) + dy * table.across_y.item(row) >= 0.0
        return (near or across) and self._next_leg_open(walker)

    def _next_leg_open(self, walker: Walker) -> bool:
        """True if the next leg's first step passes the commit checks from where the ped is.

        The way must be free as far as the ahead probe too: a leg that grazes the
        corner's wall after a few steps is better begun at the corner itself.
        """
        table = self._table
        x, y, _ = walker.position
        following = table.paths[walker.row][table.corner.item(walker.row) + 1]
        aim = aim_at(x, y, following.x, following.y)
        step = min(walker.budget, aim.distance)
        if self._checks.check(walker, x + aim.x * step, y + aim.y * step) is None:
            return False
        ahead = min(self._tuning.ahead_probe, aim.distance)
        return self._checks.way_free(x, y, x + aim.x * ahead, y + aim.y * ahead)
