"""A posed skeleton as the camera sees it: every joint in view coordinates.

Poses come in a body frame (x forward, y to the right, z up, origin on the ground
below the ped). ``FigureRig.seen`` turns one by the ped's yaw and the camera's pitch
into *view coordinates* relative to the ped's ground point: x right and y down the
picture, both in cm, and depth towards the camera. That is a rotation, so lengths,
angles and cross products still hold, and drawing becomes scaling by the zoom.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from game.render.canvas import SHADOW_SHIFT, View
from game.render.figures.looks import Body
from game.render.figures.posture import ARM_JOINTS, TRUNK_JOINTS, Posture
from game.render.figures.vectors import Seen, blend, cross, length, minus, unit

HEAD_TIP_RAD = math.radians(24.0)
"""Standing heads tip this far to the camera, or faces are never seen (art-and-feel section 5)."""

LIMB_JOINTS = (*ARM_JOINTS, "hip", "knee", "ankle", "heel", "toe")
FOOT_JOINTS = ((13, 14), (22, 23))
"""Heel and toe of either foot, in drawing order."""

REFERENCE_SHOULDER_HALF_WIDTH_CM = 17.0


class Limbs(NamedTuple):
    """The joints of one side."""

    shoulder: Seen
    elbow: Seen
    wrist: Seen
    hand: Seen
    hip: Seen
    knee: Seen
    ankle: Seen
    heel: Seen
    toe: Seen


class Axes(NamedTuple):
    """Unit vectors of a body part: where it looks, its left, its up."""

    forward: Seen
    left: Seen
    up: Seen


class Skeleton(NamedTuple):
    """One figure as seen.

    - ``scale`` is the body's; radii of parts are multiplied with it.
    - ``trunk`` and ``face`` are the axes of chest and head; the head's are tipped.
    """

    pelvis: Seen
    waist: Seen
    neck: Seen
    head: Seen
    left: Limbs
    right: Limbs
    trunk: Axes
    face: Axes
    scale: float


class FigureRig:
    """Knows which row of a pose is which joint.

    Raises ``ValueError`` if the rig's joint list lacks one that drawing needs.
    """

    def __init__(self, joints: Sequence[str]) -> None:
        names = [
            *TRUNK_JOINTS,
            *(f"{side}_{limb}" for side in ("left", "right") for limb in LIMB_JOINTS),
        ]
        missing = [name for name in names if name not in joints]
        if missing:
            raise ValueError(f"the rig has no joint {missing[0]!r}; drawing needs it")
        self._order = np.array([joints.index(name) for name in names], dtype=np.int64)
        self._posture = Posture(names)
        first_left = len(TRUNK_JOINTS)
        first_right = first_left + len(LIMB_JOINTS)
        self._left_arm = slice(first_left, first_left + 4)
        self._right_arm = slice(first_right, first_right + 4)

    def shaped(self, pose: NDArray[np.float64], body: Body) -> NDArray[np.float64]:
        """A pose of the reference body as this body stands in it, in drawing order.

        Shape (n_joints, 3) in, (24, 3) out, both cm in the body frame.
        """
        joints: NDArray[np.float64] = pose[self._order]
        self._posture.lay_over(joints, body)
        wider = body.shoulder_half_width - REFERENCE_SHOULDER_HALF_WIDTH_CM
        if wider:
            across = joints[self._left_arm.start] - joints[self._right_arm.start]
            across *= wider / max(1.0, float(np.sqrt(across @ across)))
            joints[self._left_arm] += across
            joints[self._right_arm] -= across
        joints *= body.scale
        return joints

    def seen(self, shaped: NDArray[np.float64], body: Body, yaw_rad: float, view: View) -> Skeleton:
        """The skeleton of a shaped pose, turned by the yaw and seen by the camera."""
        points = [(x, y, depth) for x, y, depth in (shaped @ view_matrix(yaw_rad, view)).tolist()]
        pelvis, waist, neck, head, face, crown = points[:6]
        left, right = Limbs(*points[6:15]), Limbs(*points[15:24])
        up = unit(minus(neck, waist))
        across = unit(minus(left.shoulder, right.shoulder))
        trunk = Axes(unit(cross(up, across)), across, up)
        rise = float(shaped[2, 2] - shaped[1, 2])
        upright = max(0.0, rise / max(1.0, length(minus(neck, waist))))
        return Skeleton(
            pelvis,
            waist,
            neck,
            head,
            left,
            right,
            trunk,
            _tipped(minus(face, head), minus(crown, head), HEAD_TIP_RAD * upright),
            body.scale,
        )

    def shadow(
        self, shaped: NDArray[np.float64], yaw_rad: float, view: View
    ) -> list[tuple[float, float]]:
        """Where each joint's shadow lies, in view cm from the ped's ground point."""
        cos, sin = math.cos(yaw_rad), math.sin(yaw_rad)
        x = shaped[:, 0] * cos - shaped[:, 1] * sin + SHADOW_SHIFT[0] * shaped[:, 2]
        y = shaped[:, 0] * sin + shaped[:, 1] * cos + SHADOW_SHIFT[1] * shaped[:, 2]
        return list(zip(x.tolist(), (y * view.sin_pitch).tolist(), strict=True))

    def feet(
        self, shaped: NDArray[np.float64], yaw_rad: float, view: View
    ) -> list[tuple[tuple[float, float], float]]:
        """Of each foot: view point (cm) on the ground under its middle, height of its lower end."""
        cos, sin = math.cos(yaw_rad), math.sin(yaw_rad)
        found: list[tuple[tuple[float, float], float]] = []
        for heel, toe in FOOT_JOINTS:
            x, y, _ = ((shaped[heel] + shaped[toe]) * 0.5).tolist()
            place = (x * cos - y * sin, (x * sin + y * cos) * view.sin_pitch)
            found.append((place, float(min(shaped[heel, 2], shaped[toe, 2]))))
        return found


def view_matrix(yaw_rad: float, view: View) -> NDArray[np.float64]:
    """Body-frame row vectors times this are view coordinates: right, down, towards the camera."""
    cos, sin = math.cos(yaw_rad), math.sin(yaw_rad)
    sin_p, cos_p = view.sin_pitch, view.cos_pitch
    return np.array(
        [
            [cos, sin * sin_p, sin * cos_p],
            [-sin, cos * sin_p, cos * cos_p],
            [0.0, -cos_p, sin_p],
        ]
    )


def _tipped(forward: Seen, up: Seen, angle_rad: float) -> Axes:
    """Head axes from where face and crown lie, the face lifted by an angle."""
    ahead = unit(forward)
    upward = unit(up)
    left = unit(cross(ahead, upward))
    cos, sin = math.cos(angle_rad), math.sin(angle_rad)
    return Axes(blend((ahead, cos), (upward, sin)), left, blend((upward, cos), (ahead, -sin)))
