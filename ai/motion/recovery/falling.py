"""Which way a hit ped falls, and how it comes to lie (RAG-05, RAG-10)."""

from __future__ import annotations

import math

from ai.motion.recovery.tuning import SplayTuning
from ai.ports import BodyPart, LimpPose, Vec3

UPRIGHT_TILT_RAD = math.pi / 4.0
"""A figure that stands up further than this falls anew instead of sinking back."""

_SQUARELY = 0.5
"""Cosine from which a fall counts as forward or backward (RAG-10)."""

FACE_UP_ROLL = 0.0
FACE_DOWN_ROLL = math.pi
RIGHT_ROLL = 0.5 * math.pi
LEFT_ROLL = -0.5 * math.pi

Way = tuple[float, float]

_LEFT_LIMBS = (
    (BodyPart.LEFT_UPPER_ARM, BodyPart.LEFT_LOWER_ARM),
    (BodyPart.LEFT_THIGH, BodyPart.LEFT_SHIN),
)
_RIGHT_LIMBS = (
    (BodyPart.RIGHT_UPPER_ARM, BodyPart.RIGHT_LOWER_ARM),
    (BodyPart.RIGHT_THIGH, BodyPart.RIGHT_SHIN),
)


def fall_way(impulse: Vec3, speed_cm_s: float, yaw_rad: float, impulse_min: float) -> Way:
    """Unit vector: where the head goes.

    The impulse's way; below ``impulse_min`` the way the ped moves; at rest backwards.
    """
    size = math.hypot(impulse.x, impulse.y)
    if size >= impulse_min and size > 0.0:
        return impulse.x / size, impulse.y / size
    ahead = 1.0 if speed_cm_s > 0.0 else -1.0
    return ahead * math.cos(yaw_rad), ahead * math.sin(yaw_rad)


def fall_roll(way: Way, yaw_rad: float) -> float:
    """Forward onto the face, backward onto the back, else onto the side fallen to."""
    facing = math.cos(yaw_rad), math.sin(yaw_rad)
    along = facing[0] * way[0] + facing[1] * way[1]
    if along >= _SQUARELY:
        return FACE_DOWN_ROLL
    if along <= -_SQUARELY:
        return FACE_UP_ROLL
    across = facing[0] * way[1] - facing[1] * way[0]
    return RIGHT_ROLL if across > 0.0 else LEFT_ROLL


def toppling_pose(
    x: float, y: float, way: Way, roll: float, splay: SplayTuning, *, extent: float, tilt: float
) -> LimpPose:
    """A body whose head goes towards ``way``, its limbs flung out."""
    spine = math.atan2(way[1], way[0])
    if roll == FACE_UP_ROLL:
        form = splay.face_up
    elif roll == FACE_DOWN_ROLL:
        form = splay.face_down
    else:
        form = splay.side_right
    left, right = (form.left_arm, form.left_leg), (form.right_arm, form.right_leg)
    if roll == LEFT_ROLL:
        left, right = right, left
    angles = [spine] * len(BodyPart)
    for limbs, sign, (arm, leg) in ((_LEFT_LIMBS, 1.0, left), (_RIGHT_LIMBS, -1.0, right)):
        for (upper, lower), (first_deg, second_deg) in zip(limbs, (arm, leg), strict=True):
            angles[upper] = spine + sign * math.radians(first_deg)
            angles[lower] = angles[upper] + sign * math.radians(second_deg)
    return LimpPose(x, y, 0.0, tuple(angles), extent, tilt, roll)
