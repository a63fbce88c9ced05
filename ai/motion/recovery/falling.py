"""Which way a hit ped falls, and how it comes to lie (RAG-05, RAG-10)."""

from __future__ import annotations

import math

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
    x: float, y: float, way: Way, roll: float, *, extent: float, tilt: float
) -> LimpPose:
    """A body in the straight rest pose, its head towards ``way``."""
    angle = math.atan2(way[1], way[0])
    return LimpPose(x, y, 0.0, (angle,) * len(BodyPart), extent, tilt, roll)
