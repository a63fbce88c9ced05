"""Is the reply of the path service something to walk on (NAV-05 to NAV-07).

Pure judgement of one reply against the goal it was asked for; who it is for and
whether it is still wanted is decided before, by generation.
"""

from __future__ import annotations

import math
from itertools import chain
from typing import NamedTuple

from ai.motion.movement_table import MoveReason
from ai.navigation.navigation_tuning import NavigationTuning
from ai.ports import PathFailure, Vec3

REASON_OF_FAILURE: dict[PathFailure, MoveReason] = {
    PathFailure.NO_PATH: MoveReason.NO_PATH,
    PathFailure.PARTIAL_ONLY: MoveReason.PARTIAL_ONLY,
    PathFailure.START_OFF_SURFACE: MoveReason.START_OFF_SURFACE,
    PathFailure.GOAL_OFF_SURFACE: MoveReason.GOAL_OFF_SURFACE,
    PathFailure.CAPACITY: MoveReason.CAPACITY,
}
"""What a refused request fails the movement with (NAV-10)."""


class JudgedPath(NamedTuple):
    """Points to install, or the reason (not NONE) why there are none."""

    reason: MoveReason
    points: tuple[Vec3, ...]


def judge_path(
    failure: PathFailure, points: tuple[Vec3, ...], goal: Vec3, tuning: NavigationTuning
) -> JudgedPath:
    """Check a reply's points and lead them to the goal itself.

    - A failure flag becomes its reason; no point, more than ``max_points``, or a
      point that is not finite is BAD_REPLY (NAV-05).
    - The end must lie in the box ``path_end_tolerance`` round the goal in each
      component (NAV-06), else END_OUT_OF_TOLERANCE.
    - An end further than ``last_leg_min`` from the goal gets the goal as a last
      point (NAV-07): the box is not the arrival ball.
    """
    if failure is not PathFailure.NONE:
        return JudgedPath(REASON_OF_FAILURE[failure], ())
    if not points or len(points) > tuning.max_points or not all(map(math.isfinite, chain(*points))):
        return JudgedPath(MoveReason.BAD_REPLY, ())
    end = points[-1]
    dx = end.x - goal.x
    dy = end.y - goal.y
    dz = end.z - goal.z
    tolerance = tuning.path_end_tolerance
    if abs(dx) > tolerance or abs(dy) > tolerance or abs(dz) > tolerance:
        return JudgedPath(MoveReason.END_OUT_OF_TOLERANCE, ())
    if math.sqrt(dx * dx + dy * dy + dz * dz) > tuning.last_leg_min:
        points = (*points, goal)
    return JudgedPath(MoveReason.NONE, points)
