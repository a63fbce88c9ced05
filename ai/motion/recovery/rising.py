"""How a lying body gets up: which way, with which clip, blended from where it lay (REC-12 to 14).

A pose is rig joints of shape (joints, 3) in cm, in the body frame of a root.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FACE_UP_MAX_RAD = math.radians(45.0)
FACE_DOWN_MIN_RAD = math.radians(135.0)
SPINE_MIN_CM = 1.0
"""A spine shorter than this in plan says nothing of where it points (REC-13)."""


class LyingPose(IntEnum):
    """How a body lies; names the get-up clip."""

    FACE_UP = 0
    FACE_DOWN = 1
    SIDE_LEFT = 2
    SIDE_RIGHT = 3


class Root(NamedTuple):
    """Where a body frame is: cm and rad."""

    x: float
    y: float
    z: float
    yaw: float


@dataclass(frozen=True, slots=True, eq=False)
class PoseSnapshot:
    """The pose in which physics left the body, in the frame of the root it rises at."""

    joints: Floats


def lying_pose(roll_rad: float) -> LyingPose:
    """How a body lies, from its roll in -pi..pi (REC-13)."""
    turned = abs(roll_rad)
    if turned <= FACE_UP_MAX_RAD:
        return LyingPose.FACE_UP
    if turned >= FACE_DOWN_MIN_RAD:
        return LyingPose.FACE_DOWN
    return LyingPose.SIDE_LEFT if roll_rad < 0.0 else LyingPose.SIDE_RIGHT


def spine_angle(
    pelvis: tuple[float, float],
    chest: tuple[float, float],
    head: tuple[float, float],
    old_yaw_rad: float,
) -> float:
    """Where the spine points to the head, in rad (REC-13); the old yaw if nothing tells."""
    for end in (chest, head):
        dx, dy = end[0] - pelvis[0], end[1] - pelvis[1]
        if math.hypot(dx, dy) >= SPINE_MIN_CM:
            return math.atan2(dy, dx)
    return old_yaw_rad


def standing_yaw(pose: LyingPose, spine_rad: float) -> float:
    """Who lies on the back looks toward the feet once sitting, the others toward the head."""
    if pose is not LyingPose.FACE_UP:
        return spine_rad
    opposite = spine_rad + math.pi
    return math.atan2(math.sin(opposite), math.cos(opposite))


def rebased(joints: Floats, old: Root, new: Root) -> Floats:
    """The same bones in the frame of another root: ``inverse(new) * old`` applied (REC-12)."""
    turn = old.yaw - new.yaw
    cosine, sine = math.cos(turn), math.sin(turn)
    shift_x, shift_y = old.x - new.x, old.y - new.y
    back_cosine, back_sine = math.cos(new.yaw), math.sin(new.yaw)
    moved = np.empty_like(joints)
    moved[:, 0] = joints[:, 0] * cosine - joints[:, 1] * sine
    moved[:, 1] = joints[:, 0] * sine + joints[:, 1] * cosine
    moved[:, 0] += shift_x * back_cosine + shift_y * back_sine
    moved[:, 1] += shift_y * back_cosine - shift_x * back_sine
    moved[:, 2] = joints[:, 2] + (old.z - new.z)
    return moved


def animation_weight(blend_time_s: float, blend_over_s: float) -> float:
    """Smoothstep of the blend: 0 is the snapshot, 1 the clip (REC-14)."""
    share = min(max(blend_time_s / blend_over_s, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def mixed(first: Floats, second: Floats, weight: float) -> Floats:
    """From one pose to another."""
    return np.asarray(first + (second - first) * weight)
