"""Heading errors and how a yaw follows a heading (LOC-03), for one ped and for arrays.

Each function has an array twin that uses the same operations in the same order,
so that both give equal bits. Angles in rad, wrapped to (-pi, pi]; positive turns
clockwise on screen.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

FULL_TURN = 2.0 * math.pi

ANGLE_SLACK_RAD = 1e-9
"""Slack of every comparison with a turning limit: an error of exactly 60 deg is not over it."""


def wrap_angle(angle: float) -> float:
    """The same direction within (-pi, pi]."""
    angle = math.fmod(angle, FULL_TURN)
    if angle > math.pi:
        return angle - FULL_TURN
    if angle <= -math.pi:
        return angle + FULL_TURN
    return angle


def wrap_angles(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """``wrap_angle`` of an array."""
    angle = np.fmod(angle, FULL_TURN)
    wrapped = np.where(angle > math.pi, angle - FULL_TURN, angle)
    return np.where(angle <= -math.pi, angle + FULL_TURN, wrapped)


def facing(aim: float, suggestion: float, most: float) -> float:
    """Heading that the yaw follows while stepping along ``aim + suggestion``.

    It leaves the aim by at most ``most``, the limit of being aligned: a ped that has
    passed an obstacle goes on at once and need not turn back first.
    """
    return aim + min(max(suggestion, -most), most)


def facings(
    aim: NDArray[np.float64], suggestion: NDArray[np.float64], most: float
) -> NDArray[np.float64]:
    """``facing`` of arrays of equal shape."""
    return aim + np.minimum(np.maximum(suggestion, -most), most)


def turned(yaw: float, heading: float, most: float) -> float:
    """The yaw after turning towards a heading by at most ``most`` (>= 0)."""
    error = wrap_angle(heading - yaw)
    return wrap_angle(yaw + min(max(error, -most), most))


def turned_all(
    yaw: NDArray[np.float64], heading: NDArray[np.float64], most: float
) -> NDArray[np.float64]:
    """``turned`` of arrays of equal shape."""
    error = wrap_angles(heading - yaw)
    return wrap_angles(yaw + np.minimum(np.maximum(error, -most), most))
