"""Footfalls of a keyed clip: feet that stand still on the ground while the body moves on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.authoring.footing import FootShape, ease_between, turned
from ai.motion.authoring.pose_forms import FootfallForm
from ai.motion.rig import SIDES, Leg, Rig

Floats = NDArray[np.float64]


class _Correction(NamedTuple):
    """What a foot is moved by, (samples, 3) in cm, and turned by, (samples, 1) in rad."""

    shift: Floats
    turn: Floats


class _Swing(NamedTuple):
    """One end of a swing: when, and the corrections there."""

    time: float
    shift: Floats
    turn: Floats


_SLACK = 1e-9
"""Slack in s when sample times are compared with authored times."""


def plant_feet(
    footfalls: tuple[FootfallForm, ...], rig: Rig, joints: Floats, root: Floats, times: Floats
) -> None:
    """Hold feet to their footfalls, in place; knees are left wrong.

    - ``joints`` (samples, joints, 3) in the body frame, ``root`` (samples, 4) as in
      ``MotionClip``, ``times`` (samples,) in s.
    - In a footfall a foot keeps the place and direction on the ground that it has at
      the anchor; it may roll from heel to toe.
    - Between footfalls the corrections ease into each other; before the first and
      after the last they ease from and to none, so that the clip's ends stay the keys.
    """
    for side, leg in zip(SIDES, rig.legs, strict=True):
        own = sorted((f for f in footfalls if f.foot == side), key=lambda f: f.first)
        if own:
            _plant_foot(own, rig, leg, joints, root, times)


def _plant_foot(
    footfalls: list[FootfallForm],
    rig: Rig,
    leg: Leg,
    joints: Floats,
    root: Floats,
    times: Floats,
) -> None:
    yaw = root[:, 3]
    ankle = turned(joints[:, leg.ankle], yaw) + root[:, :3]
    foot = FootShape.of(rig, leg, joints).turned(yaw)
    correction = _corrections(footfalls, foot, ankle, times)
    placed = foot.turned(correction.turn[:, 0])
    joints[:, leg.ankle] = turned(ankle + correction.shift - root[:, :3], -yaw)
    joints[:, leg.heel] = joints[:, leg.ankle] + turned(placed.heel, -yaw)
    joints[:, leg.toe] = joints[:, leg.ankle] + turned(placed.toe, -yaw)


def _corrections(
    footfalls: list[FootfallForm], foot: FootShape, ankle: Floats, times: Floats
) -> _Correction:
    """Corrections over the whole clip, (samples, 3) and (samples, 1)."""
    shift, turn = np.zeros((len(times), 3)), np.zeros((len(times), 1))
    left_ground, lift = _Swing(0.0, np.zeros(3), np.zeros(1)), 0.0
    for footfall in footfalls:
        inside = np.flatnonzero(
            (times >= footfall.first - _SLACK) & (times <= footfall.last + _SLACK)
        )
        held = _held(footfall, foot, ankle, times)
        shift[inside], turn[inside] = held.shift[inside], held.turn[inside]
        first, last = inside[0], inside[-1]
        landing = _Swing(footfall.first, held.shift[first], held.turn[first])
        _ease(shift, turn, times, left_ground, landing, lift)
        left_ground = _Swing(footfall.last, held.shift[last], held.turn[last])
        lift = footfall.lift
    clip_end = _Swing(float(times[-1]) + _SLACK, np.zeros(3), np.zeros(1))
    _ease(shift, turn, times, left_ground, clip_end, lift)
    return _Correction(shift, turn)


def _ease(
    shift: Floats, turn: Floats, times: Floats, start: _Swing, end: _Swing, lift: float
) -> None:
    """Fill in the corrections of one swing, in place."""
    swing = np.flatnonzero((times > start.time + _SLACK) & (times < end.time - _SLACK))
    share = (times[swing] - start.time) / max(end.time - start.time, _SLACK)
    shift[swing] = ease_between(start.shift, end.shift, share)
    shift[swing, 2] += lift * np.sin(np.pi * share)
    turn[swing] = ease_between(start.turn, end.turn, share)


def _held(footfall: FootfallForm, foot: FootShape, ankle: Floats, times: Floats) -> _Correction:
    """Corrections at every sample that would hold the foot where it is at the anchor."""
    anchor = int(np.argmin(np.abs(times - footfall.anchor)))
    along = foot.along()
    heel = foot.heel_points(ankle)[anchor]
    # The way from each direction to the anchor's, as a signed angle.
    cross = along[:, 0] * along[anchor, 1] - along[:, 1] * along[anchor, 0]
    dot = along[:, 0] * along[anchor, 0] + along[:, 1] * along[anchor, 1]
    turn = np.arctan2(cross, dot)
    standing = foot.turned(turn).standing_ankle(heel, along[anchor])
    return _Correction(standing - ankle, turn[:, None])
