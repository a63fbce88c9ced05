"""How a body type carries itself, laid over any pose: lean, knees, head, arms, side sway.

Drawing only, from the table of bodies in art-and-feel section 4. Bones keep their
lengths and feet their places. All of it counts as far as the trunk is upright: whoever
lies on the ground lies like everybody else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from game.render.figures.looks import Body

TRUNK_JOINTS = ("pelvis", "waist", "neck", "head", "face", "crown")
ARM_JOINTS = ("shoulder", "elbow", "wrist", "hand")
SIDES = ("left", "right")

Rows = NDArray[np.int64]
Joints = NDArray[np.float64]
"""Shape (n_joints, 3), cm in the body frame: x forward, y to the right, z up."""


class Posture:
    """Knows which row of a pose is which joint; lays a body's posture over poses.

    Raises ``ValueError`` if a joint that it moves is not there.
    """

    def __init__(self, names: Sequence[str]) -> None:
        def rows(*joints: str) -> Rows:
            return np.array([names.index(joint) for joint in joints], dtype=np.int64)

        def both(*joints: str) -> Rows:
            return rows(*(f"{side}_{joint}" for joint in joints for side in SIDES))

        self._pelvis, self._waist, self._neck = rows("pelvis", "waist", "neck").tolist()
        self._upper = rows(*(name for name in names if above_hips(name)))
        self._head = rows("head", "face", "crown")
        self._shoulders, self._elbows = both("shoulder"), both("elbow")
        self._hips, self._knees, self._ankles = both("hip"), both("knee"), both("ankle")
        self._below_shoulders, self._below_elbows = (
            both("elbow", "wrist", "hand"),
            both("wrist", "hand"),
        )
        self._below_hips = both("knee", "ankle", "heel", "toe")
        self._below_knees, self._below_ankles = both("ankle", "heel", "toe"), both("heel", "toe")

    def lay_over(self, joints: Joints, body: Body) -> None:
        """Carry a pose as this body does, in place."""
        upright = self._upright(joints)
        if upright <= 0.0:
            return
        if body.knees_deg:
            self._bend_knees(joints, math.radians(body.knees_deg) * upright)
        if body.sway != 1.0:
            self._sway(joints, (body.sway - 1.0) * upright)
        if body.lean_deg:
            bend(joints, self._pelvis, self._upper, math.radians(body.lean_deg) * upright)
        if body.nod_deg:
            bend(joints, self._neck, self._head, math.radians(body.nod_deg) * upright)
        if body.arms_deg or body.elbows_deg:
            self._bring_forward(joints, body, upright)

    def _upright(self, joints: Joints) -> float:
        """1 for a trunk that stands, 0 for one that lies or hangs upside down."""
        x, y, z = (joints[self._neck] - joints[self._waist]).tolist()
        rise: float = z / max(1.0, math.sqrt(x * x + y * y + z * z))
        return max(0.0, rise)

    def _bend_knees(self, joints: Joints, angle_rad: float) -> None:
        """Both knees go forward; feet keep their pitch, and the body sinks onto them."""
        half = angle_rad / 2.0
        hip, knee, ankle = (joints[row] for row in (self._hips, self._knees, self._ankles))
        leg = float(np.sqrt(np.sum((hip - knee) ** 2, axis=1))[0])
        leg += float(np.sqrt(np.sum((knee - ankle) ** 2, axis=1))[0])
        bend(joints, _each(self._hips, self._below_hips), self._below_hips, -half)
        bend(joints, _each(self._knees, self._below_knees), self._below_knees, 2.0 * half)
        bend(joints, _each(self._ankles, self._below_ankles), self._below_ankles, -half)
        joints[:, 2] -= leg * (1.0 - math.cos(half))

    def _sway(self, joints: Joints, more: float) -> None:
        """Tilt the trunk further to the side to which the pose tilts it."""
        _, aside, up = (joints[self._neck] - joints[self._pelvis]).tolist()
        angle = more * math.atan2(aside, up)
        cos, sin = math.cos(angle), math.sin(angle)
        pelvis = joints[self._pelvis]
        y = joints[self._upper, 1] - pelvis[1]
        z = joints[self._upper, 2] - pelvis[2]
        joints[self._upper, 1] = pelvis[1] + y * cos + z * sin
        joints[self._upper, 2] = pelvis[2] + z * cos - y * sin

    def _bring_forward(self, joints: Joints, body: Body, upright: float) -> None:
        """Hands in front, of each arm as far as it hangs: one that is raised stays raised."""
        arm = joints[self._shoulders] - joints[self._elbows]
        reach = np.sqrt(np.sum(arm * arm, axis=1))
        hangs = np.maximum(arm[:, 2] / np.maximum(reach, 1.0), 0.0) * upright
        for pivots, rows, degrees in (
            (self._shoulders, self._below_shoulders, body.arms_deg),
            (self._elbows, self._below_elbows, body.elbows_deg),
        ):
            angles = np.tile(hangs * -math.radians(degrees), len(rows) // len(SIDES))
            bend(joints, _each(pivots, rows), rows, angles)


def above_hips(name: str) -> bool:
    """True for a joint that goes along when the trunk bends at the pelvis."""
    if name in TRUNK_JOINTS:
        return name != "pelvis"
    return name.split("_", 1)[1] in ARM_JOINTS


def bend(joints: Joints, pivots: int | Rows, rows: Rows, angle_rad: float | Joints) -> None:
    """Turn ``rows`` about their pivot joints in the plane of forward and up, in place.

    - ``pivots`` is one row for all, or one for each of ``rows``; so is ``angle_rad``.
    - What is above its pivot goes forward by a positive angle, what hangs below goes back.
    """
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    pivot = joints[pivots]
    x = joints[rows, 0] - pivot[..., 0]
    z = joints[rows, 2] - pivot[..., 2]
    joints[rows, 0] = pivot[..., 0] + x * cos + z * sin
    joints[rows, 2] = pivot[..., 2] + z * cos - x * sin


def _each(pivots: Rows, rows: Rows) -> Rows:
    """The pivots of both sides, repeated for rows that go left, right, left, right."""
    return np.tile(pivots, len(rows) // len(SIDES))
