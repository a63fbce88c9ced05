"""Approach points: a world goal from an object's transform and a local offset (ORD-08)."""

from __future__ import annotations

import math

from ai.motion.movement_system import GOAL_LIMIT_CM
from ai.ports import ObjectTransform, Vec3


def approach_point(transform: ObjectTransform, offset_local: Vec3) -> Vec3:
    """``pos + R(yaw) * (sx*ox, sy*oy)``, with ``z = pos.z + sz*oz`` (ORD-08). All in cm."""
    along_x = transform.scale.x * offset_local.x
    along_y = transform.scale.y * offset_local.y
    cosine = math.cos(transform.yaw_rad)
    sine = math.sin(transform.yaw_rad)
    return Vec3(
        transform.position.x + cosine * along_x - sine * along_y,
        transform.position.y + sine * along_x + cosine * along_y,
        transform.position.z + transform.scale.z * offset_local.z,
    )


def goal_is_usable(goal: Vec3) -> bool:
    """True if a movement would take the goal: finite, within NAV-03's limit."""
    return all(abs(component) <= GOAL_LIMIT_CM for component in goal)


def transform_is_usable(transform: ObjectTransform) -> bool:
    """True if every number is finite and no scale component is 0 (ORD-05 row 5)."""
    numbers = (*transform.position, transform.yaw_rad, *transform.scale, *transform.velocity)
    return all(math.isfinite(number) for number in numbers) and all(
        component != 0.0 for component in transform.scale
    )
