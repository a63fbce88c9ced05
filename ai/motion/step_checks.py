"""May a ped take this step: the commit checks of LOC-07.

A step is judged whole, in this order: the ground it ends on, the way there, the
distance to other peds, its length after projection. Nothing is changed here.
"""

from __future__ import annotations

import math

from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_table import MovementTable
from ai.motion.ped_grid import PedGrid
from ai.motion.walker import Aim, CheckedStep, Walker
from ai.ports import Clearance, GroundPoint, WalkSurface

LENGTH_SLACK_CM = 1e-6
"""How far past its budget a step may be after projection (LOC-07)."""

NO_STEP_CM = 1e-6
"""A step of which projection leaves less than this is refused: who pushes squarely
against the edge of the ground stands, and does not walk on the spot."""


def ped_spacing_cm(tuning: LocomotionTuning) -> float:
    """Least distance between the centres of two peds: two radii and the gap (LOC-07)."""
    return 2.0 * tuning.ped_radius + tuning.ped_gap


def sight_cm(tuning: LocomotionTuning) -> float:
    """How far off a ped may be to be looked at ahead.

    Two peds of equal speed that walk at each other cover two ahead probes in the time
    of one.
    """
    return ped_spacing_cm(tuning) + 2.0 * tuning.ahead_probe


def distance_xy(x0: float, y0: float, x1: float, y1: float) -> float:
    """Horizontal distance; written out so that the batch can do the same operations."""
    dx = x1 - x0
    dy = y1 - y0
    return math.sqrt(dx * dx + dy * dy)


class StepChecks:
    """The commit checks over the world's ground and obstacles and the peds of a grid."""

    def __init__(
        self,
        table: MovementTable,
        grid: PedGrid,
        surface: WalkSurface,
        clearance: Clearance,
        tuning: LocomotionTuning,
    ) -> None:
        self._table = table
        self._grid = grid
        self._surface = surface
        self._clearance = clearance
        self._tuning = tuning
        self._spacing_squared = ped_spacing_cm(tuning) ** 2

    def check(self, walker: Walker, to_x: float, to_y: float) -> CheckedStep | None:
        """The step to a point as it would be committed, or None if it is refused.

        The length is checked last, since only the projected step has one.
        """
        ground = self.ground(walker, to_x, to_y)
        if ground is None:
            return None
        x, y, _ = walker.position
        if not self.way_free(x, y, ground.x, ground.y):
            return None
        if not self._room(walker, ground.x, ground.y):
            return None
        length = distance_xy(x, y, ground.x, ground.y)
        if length > walker.budget + LENGTH_SLACK_CM:
            return None
        if length < NO_STEP_CM <= distance_xy(x, y, to_x, to_y):
            return None
        return CheckedStep(ground.x, ground.y, ground.z, length)

    def ground(self, walker: Walker, x: float, y: float) -> GroundPoint | None:
        """Where a body centre would stand, or None if it can't step there (LOC-07 a)."""
        tuning = self._tuning
        ground = self._surface.project(x, y, tuning.step_shift)
        if (
            ground is None
            or abs(ground.z - walker.position.z) > tuning.step_height
            or ground.normal_z < tuning.normal_z_min
        ):
            return None
        return ground

    def stays_cheap(self, walker: Walker, x: float, y: float) -> bool:
        """True if a step aside doesn't lead onto ground that one keeps off when making way.

        Making way never leads from a pavement onto the road; who is on it already may
        stay. What is no ground at all is for ``check`` to refuse.
        """
        limit = self._tuning.aside_cost_max
        ground = self._surface.project(x, y, self._tuning.step_shift)
        if ground is None or ground.cost <= limit:
            return True
        here = self._surface.project(walker.position.x, walker.position.y, self._tuning.step_shift)
        return here is not None and here.cost > limit

    def way_free(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        """True if the body meets nothing solid on a straight way (LOC-07 b).

        The swept circle has the body's radius, so its end is the standing circle of
        LOC-07 c too.
        """
        tuning = self._tuning
        return self._clearance.sweep_free(
            x0, y0, x1, y1, tuning.ped_radius, tuning.body_low, tuning.ped_height
        )

    def ped_in_way(self, walker: Walker, aim: Aim, distance: float) -> int | None:
        """Grid index of the ped that alone refuses a straight step, else None."""
        x, y, _ = walker.position
        ground = self.ground(walker, x + aim.x * distance, y + aim.y * distance)
        if ground is None or not self.way_free(x, y, ground.x, ground.y):
            return None
        return self._too_near(walker, ground.x, ground.y)

    def ped_touched(self, walker: Walker, aim: Aim) -> int | None:
        """Grid index of a ped ahead that a step straight at it would come too near to."""
        slots = self._grid.lists().slots
        x, y, _ = walker.position
        reach = math.sqrt(self._spacing_squared) + walker.budget
        for index in self._grid.touch.near(walker.index):
            dx = self._table.x.item(slots[index]) - x
            dy = self._table.y.item(slots[index]) - y
            if dx * dx + dy * dy < reach * reach and dx * aim.x + dy * aim.y > 0.0:
                return index
        return None

    def _room(self, walker: Walker, x: float, y: float) -> bool:
        """True if no other ped is nearer than the spacing, or its distance grows (LOC-07 c)."""
        return self._too_near(walker, x, y) is None

    def _too_near(self, walker: Walker, x: float, y: float) -> int | None:
        """Grid index of the first ped that refuses a step to a point (LOC-07 c)."""
        table = self._table
        slots = self._grid.lists().slots
        from_x, from_y, _ = walker.position
        for index in self._grid.touch.near(walker.index):
            slot = slots[index]
            other_x = table.x.item(slot)
            other_y = table.y.item(slot)
            dx = other_x - x
            dy = other_y - y
            after = dx * dx + dy * dy
            if after < self._spacing_squared:
                dx = other_x - from_x
                dy = other_y - from_y
                if after <= dx * dx + dy * dy:
                    return index
        return None
