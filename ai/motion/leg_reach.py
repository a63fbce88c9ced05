"""Two-bone reach: knees that put the ankles where the feet stand.

Works on pose arrays of shape (..., joints, 3) in cm, for clip writing (whole
clips) and for drawing (many peds) alike. Only adds, products, roots and
divisions are used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.motion.rig import Rig

Floats = NDArray[np.float64]

_UPWARD_SHARE = 0.1
"""Share of the pelvis' up axis in the knee's side: decides for a leg held straight out ahead."""


def reach_shortfall(joints: Floats, rig: Rig, straightness: float = 1.0) -> Floats:
    """How far the body must sink, in cm, until both legs reach their ankles; shape (...,).

    - Legs may be stretched to ``straightness`` of their full length.
    - Negative where there is room to rise.
    """
    longest = rig.leg_length * straightness
    shortfalls = []
    for leg in rig.legs:
        hip, ankle = joints[..., leg.hip, :], joints[..., leg.ankle, :]
        ahead = hip[..., 0] - ankle[..., 0]
        aside = hip[..., 1] - ankle[..., 1]
        height = np.sqrt(np.maximum(longest * longest - ahead * ahead - aside * aside, 0.0))
        shortfalls.append(hip[..., 2] - ankle[..., 2] - height)
    return np.maximum(shortfalls[0], shortfalls[1])


def lower_body(joints: Floats, rig: Rig, drop_cm: Floats) -> None:
    """Lower everything but the feet, in place; knees are left wrong.

    ``drop_cm`` has shape (...,).
    """
    feet = [joint for leg in rig.legs for joint in leg.foot]
    body = np.setdiff1d(np.arange(len(rig.joints)), feet)
    joints[..., body, 2] -= drop_cm[..., None]


def bend_knees(joints: Floats, rig: Rig) -> None:
    """Set both knees, in place, so that thigh and shin join hip and ankle.

    - Knees bend to the pelvis' front, never backwards.
    - A leg that is too short is stretched straight.
    """
    left, right = rig.legs
    across = joints[..., right.hip, :] - joints[..., left.hip, :]
    upward = joints[..., rig.index("waist"), :] - joints[..., rig.index("pelvis"), :]
    front = _unit(np.cross(across, upward)) + _UPWARD_SHARE * _unit(upward)
    thigh, shin = rig.proportions.thigh, rig.proportions.shin
    for leg in rig.legs:
        hip, ankle = joints[..., leg.hip, :], joints[..., leg.ankle, :]
        span = ankle - hip
        length = np.sqrt(np.sum(span * span, axis=-1, keepdims=True))
        axis = span / length
        bent = np.minimum(length, thigh + shin)
        along = (bent * bent + thigh * thigh - shin * shin) / (2.0 * bent)
        out = np.sqrt(np.maximum(thigh * thigh - along * along, 0.0))
        side = _unit(front - axis * np.sum(front * axis, axis=-1, keepdims=True))
        joints[..., leg.knee, :] = hip + axis * (along * (length / bent)) + side * out


def _unit(vectors: Floats) -> Floats:
    length: Floats = np.sqrt(np.sum(vectors * vectors, axis=-1, keepdims=True))
    return vectors / length
