"""From pose angles to joint positions (art-and-feel section 6).

Vectors here have shape (samples, 3) in the rig's body frame: x forward, y right,
z up. A frame is the triple (F, L, U): forward, left, up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.authoring.pose_channels import COLUMN
from ai.motion.rig import SIDES, Rig

Floats = NDArray[np.float64]

_LEFTWARD = {"left": 1.0, "right": -1.0}
_NECK_NOD = 0.7
"""Share of a nod that already tips the neck; the rest turns the head on it."""
_SHIN_OUTWARD = 0.6
"""Share of a leg's outward angle that its shin keeps: people stand with vertical shins."""
_FOOT_OUTWARD = 0.3
"""The same for the foot."""


class _Frame(NamedTuple):
    forward: Floats
    left: Floats
    up: Floats

    def pitched(self, angle: Floats) -> _Frame:
        """Turned up towards forward: +90 deg is face down."""
        up, forward = _turn(self.up, self.forward, angle)
        return _Frame(forward, self.left, up)

    def spun(self, angle: Floats) -> _Frame:
        """Turned about the spine, forward towards left."""
        forward, left = _turn(self.forward, self.left, angle)
        return _Frame(forward, left, self.up)

    def tipped(self, angle: Floats) -> _Frame:
        """Bent sideways, up towards left."""
        up, left = _turn(self.up, self.left, angle)
        return _Frame(self.forward, left, up)


@dataclass(frozen=True, slots=True)
class _Figure:
    """Pose rows on the way to joints: angles are read from here, joints are put in."""

    rig: Rig
    rows: Floats
    joints: Floats

    def angle(self, channel: str) -> Floats:
        """An angle channel in rad, shape (samples, 1)."""
        return np.asarray(np.radians(self.rows[:, COLUMN[channel]])[:, None])

    def put(self, joint: str, position: Floats) -> Floats:
        """Set a joint, shape (samples, 3); returns the position."""
        self.joints[:, self.rig.index(joint)] = position
        return position


def joint_positions(rig: Rig, rows: Floats) -> Floats:
    """Joint positions of pose rows, shape (samples, joints, 3), pelvis at the origin.

    ``rows`` has shape (samples, channels); ``hop`` is not applied here.
    """
    figure = _Figure(rig, rows, np.zeros((len(rows), len(rig.joints), 3)))
    upright = _Frame(*(np.tile(axis, (len(rows), 1)) for axis in _AXES))
    pelvis = upright.pitched(figure.angle("pitch")).spun(figure.angle("spin"))
    chest, neck = _put_trunk(figure, pelvis)
    _put_head(figure, chest, neck)
    for side in SIDES:
        _put_arm(figure, side, chest, neck)
        _put_leg(figure, side, pelvis)
    return figure.joints


def _put_trunk(figure: _Figure, pelvis: _Frame) -> tuple[_Frame, Floats]:
    """Waist and neck; the chest's frame and where the neck begins."""
    size = figure.rig.proportions
    half_lean, side = 0.5 * figure.angle("lean"), figure.angle("side")
    belly = pelvis.pitched(half_lean).tipped(side)
    chest = pelvis.pitched(2.0 * half_lean).tipped(side).spun(figure.angle("twist"))
    waist = figure.put("waist", belly.up * size.pelvis_to_waist)
    return chest, figure.put("neck", waist + chest.up * size.waist_to_neck)


def _put_head(figure: _Figure, chest: _Frame, neck: Floats) -> None:
    size, nod = figure.rig.proportions, figure.angle("nod")
    tipped_neck = chest.pitched(_NECK_NOD * nod).up * size.head_above_neck
    ahead = chest.forward * size.head_ahead
    head = figure.put("head", neck + chest.up * size.neck + tipped_neck + ahead)
    gaze = chest.pitched(nod).spun(figure.angle("look"))
    figure.put("face", head + gaze.forward * size.face_ahead)
    figure.put("crown", head + gaze.up * size.crown_above)


def _put_arm(figure: _Figure, side: str, chest: _Frame, neck: Floats) -> None:
    size = figure.rig.proportions
    outward = chest.left * _LEFTWARD[side]
    lift = figure.rows[:, COLUMN["shrug"]][:, None] - size.shoulder_drop
    reach = outward * size.shoulder_half_width
    shoulder = figure.put(f"{side}_shoulder", neck + chest.up * lift + reach)
    swing, spread = figure.angle(f"{side}_arm_forward"), figure.angle(f"{side}_arm_outward")
    bend, inward = figure.angle(f"{side}_arm_elbow"), figure.angle(f"{side}_arm_inward")
    upper = _limb(chest, outward, swing, spread)
    ahead = chest.forward * np.cos(swing) + chest.up * np.sin(swing)
    ahead = _unit(ahead - upper * _dot(ahead, upper))
    across = np.cross(upper, ahead)
    across = np.where(_dot(across, outward) > 0.0, -across, across)
    plane = ahead * np.cos(inward) + across * np.sin(inward)
    fore = upper * np.cos(bend) + plane * np.sin(bend)
    elbow = figure.put(f"{side}_elbow", shoulder + upper * size.upper_arm)
    wrist = figure.put(f"{side}_wrist", elbow + fore * size.forearm)
    figure.put(f"{side}_hand", wrist + fore * size.hand)


def _put_leg(figure: _Figure, side: str, pelvis: _Frame) -> None:
    rig, size = figure.rig, figure.rig.proportions
    outward = pelvis.left * _LEFTWARD[side]
    swing, spread = figure.angle(f"{side}_leg_hip"), figure.angle(f"{side}_leg_outward")
    shank = swing - figure.angle(f"{side}_leg_knee")
    sole = shank + figure.angle(f"{side}_leg_ankle")
    thigh = _limb(pelvis, outward, swing, spread) * size.thigh
    shin = _limb(pelvis, outward, shank, _SHIN_OUTWARD * spread) * size.shin
    hip = figure.put(f"{side}_hip", outward * size.hip_half_width)
    knee = figure.put(f"{side}_knee", hip + thigh)
    ankle = figure.put(f"{side}_ankle", knee + shin)
    below = _limb(pelvis, outward, sole, np.zeros_like(sole))
    along = _limb(pelvis, outward, sole + 0.5 * np.pi, _FOOT_OUTWARD * spread)
    for joint, ahead in (("toe", size.toe_ahead), ("heel", -size.heel_behind)):
        drop = size.ankle_height - rig.contact_radii[rig.index(f"{side}_{joint}")]
        figure.put(f"{side}_{joint}", ankle + along * ahead + below * drop)


def lowest_contact(rig: Rig, joints: Floats) -> Floats:
    """Height in cm of the lowest point that can touch the ground, shape (samples,)."""
    return np.asarray(np.nanmin(joints[:, :, 2] - rig.contact_radii, axis=1))


_AXES = (
    np.array([1.0, 0.0, 0.0]),
    np.array([0.0, -1.0, 0.0]),
    np.array([0.0, 0.0, 1.0]),
)


def _turn(first: Floats, second: Floats, angle: Floats) -> tuple[Floats, Floats]:
    """Turn the first of two square axes towards the second."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return first * cosine + second * sine, second * cosine - first * sine


def _limb(frame: _Frame, outward: Floats, swing: Floats, spread: Floats) -> Floats:
    """Direction of a limb that hangs down, swung forward and spread outward."""
    ahead = frame.forward * (np.sin(swing) * np.cos(spread))
    down = frame.up * (np.cos(swing) * np.cos(spread))
    return np.asarray(ahead + outward * np.sin(spread) - down)


def _dot(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.sum(a * b, axis=-1, keepdims=True))


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.sqrt(_dot(vectors, vectors)))
