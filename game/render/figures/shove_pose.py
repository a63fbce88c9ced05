"""The drawn shove: both arms thrust out, laid over whatever the clips say (LOC-20).

Drawing only. The shove itself has happened in its step; so the arms are out at once,
stay while the prop slides off, and come back without haste.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from game.render.figures.posture import above_hips, bend

Floats = NDArray[np.float64]

OUT_S = 0.06
BACK_FROM_S = 0.22
BACK_UNTIL_S = 0.50
LEAN_RAD = math.radians(14.0)
"""How far the trunk goes along with the arms."""

UPPER_ARM = (0.80, 0.10, -0.55)
FOREARM = (0.96, -0.16, 0.22)
"""Where the arms point when they are out: ahead, away from the body's middle, up."""


def shove_share(age_s: float) -> float:
    """How far the arms are out this long after a shove: 0 at rest, 1 wholly."""
    if age_s >= BACK_UNTIL_S:
        return 0.0
    if age_s <= BACK_FROM_S:
        return min(1.0, age_s / OUT_S)
    left = (BACK_UNTIL_S - age_s) / (BACK_UNTIL_S - BACK_FROM_S)
    return left * left * (3.0 - 2.0 * left)


def age_after_another(share: float, dt_s: float) -> float:
    """The age to go on from when a shove begins with the arms as far out as ``share``."""
    return OUT_S * share + dt_s


class ShovePose:
    """Lays the thrust of both arms over poses whose rows are the given joints.

    Bones keep their lengths; legs are left alone.
    """

    def __init__(self, joints: Sequence[str]) -> None:
        self._pelvis = joints.index("pelvis")
        self._upper = np.array(
            [row for row, name in enumerate(joints) if above_hips(name)], dtype=np.int64
        )
        self._arms = [
            (
                outward,
                tuple(joints.index(f"{side}_{j}") for j in ("shoulder", "elbow", "wrist", "hand")),
            )
            for side, outward in (("left", -1.0), ("right", 1.0))
        ]

    def laid_over(self, pose: Floats, share: float) -> Floats:
        """The pose with the arms out by a share of 0 to 1; shape (n_joints, 3) in and out."""
        posed = pose.copy()
        bend(posed, self._pelvis, self._upper, LEAN_RAD * share)
        for outward, rows in self._arms:
            bones = np.diff(posed[list(rows)], axis=0)
            for row, bone, (ahead, aside, up) in zip(
                rows[1:], bones, (UPPER_ARM, FOREARM, FOREARM), strict=True
            ):
                length = float(np.linalg.norm(bone))
                aim = np.array((ahead, aside * outward, up))
                way = bone / max(length, 1e-6) * (1.0 - share) + aim * share
                before = rows[rows.index(row) - 1]
                posed[row] = posed[before] + way * (length / max(float(np.linalg.norm(way)), 1e-6))
        return posed
