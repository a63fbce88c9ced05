"""Whole gait cycles from a leg table: angles, how the body rises, how the feet stand.

The leg tables of art-and-feel section 6 carry a figure that nearly walks: planted
feet slide by up to 8 cm. Here each planted foot is held to the ground by two-bone
reach, so that at the gait's stride it stands still.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.motion.authoring.footing import FootShape, ease_between, move_foot
from ai.motion.authoring.forward_kinematics import joint_positions, lowest_contact
from ai.motion.authoring.pose_channels import CHANNELS, COLUMN, Samples
from ai.motion.authoring.pose_forms import GaitForm, LegTableForm, WaveForm
from ai.motion.leg_reach import reach_shortfall
from ai.motion.rig import Rig

Floats = NDArray[np.float64]

STRAIGHTNESS = 0.998
"""Planted legs are stretched to this share at most: a locked knee looks like a peg leg."""

_GRID = 240
"""Samples of a cycle; even, so that the second leg is an exact shift of the first."""


@dataclass(frozen=True, slots=True)
class GaitCycle:
    """A gait with its body and feet worked out over a grid of phases."""

    form: GaitForm
    grid: Samples

    def samples(self, phase: Floats) -> Samples:
        """The gait at phases of any cycle, shape (samples,)."""
        return Samples(
            gait_rows(self.form, phase),
            _periodic(self.grid.body_shift[None, :, None], phase)[0, :, 0],
            _periodic(self.grid.foot_shifts, phase),
        )


def build_gait(rig: Rig, form: GaitForm) -> GaitCycle:
    """Work out how body and feet of a gait go over a cycle."""
    phase = np.arange(_GRID) / _GRID
    rows = gait_rows(form, phase)
    joints = joint_positions(rig, rows)
    grounded = -lowest_contact(rig, joints)
    carried = _carried_height(form, phase, grounded)
    joints[:, :, 2] += carried[:, None]
    left_shift, planted = _left_foot_shift(rig, form, phase, joints)
    other_shift = left_shift
    if form.right_leg is not None:
        other_shift = _shift_of_other_foot(rig, form, form.right_leg, phase, carried)
    right_shift = np.roll(other_shift, _GRID // 2, axis=0)
    right_shift[:, 1] = -right_shift[:, 1]
    shifts = np.stack((left_shift, right_shift))
    for leg, shift in zip(rig.legs, shifts, strict=True):
        move_foot(joints, leg, shift)
    body = carried
    if form.body_rise is not None:
        wave = -0.5 * form.body_rise * np.cos(4.0 * np.pi * (phase - form.body_lowest))
        room = carried - reach_shortfall(joints, rig, STRAIGHTNESS)
        down = planted | np.roll(planted, _GRID // 2)
        body = wave + np.min((room - wave)[down])
    shifts[:, :, 2] += carried - grounded
    return GaitCycle(form, Samples(rows, body - grounded, shifts))


def gait_rows(form: GaitForm, phase: Floats) -> Floats:
    """Pose rows from the leg table and the waves of a gait, shape (samples, channels)."""
    rows = np.zeros((len(phase), len(CHANNELS)))
    for channel in ("lean", "side", "twist", "nod"):
        rows[:, COLUMN[channel]] = _wave(getattr(form, channel), phase, 1.0)
    for side, sign, lag in (("left", 1.0, 0.0), ("right", -1.0, 0.5)):
        rows[:, COLUMN[f"{side}_arm_forward"]] = _wave(form.arm_forward, phase, sign)
        rows[:, COLUMN[f"{side}_arm_elbow"]] = _wave(form.elbow, phase, sign)
        rows[:, COLUMN[f"{side}_arm_outward"]] = form.arm_outward
        rows[:, COLUMN[f"{side}_arm_inward"]] = form.arm_inward
        rows[:, COLUMN[f"{side}_leg_outward"]] = form.leg_outward
        for name in ("hip", "knee", "ankle"):
            table = form.right_leg if side == "right" and form.right_leg else form.leg
            rows[:, COLUMN[f"{side}_leg_{name}"]] = _leg_angle(table, name, phase + lag)
    return rows


def _left_foot_shift(
    rig: Rig, form: GaitForm, phase: Floats, joints: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """Shift of the left foot over the cycle, (grid, 3), and where it is planted, (grid,)."""
    first, last = form.contact.first, form.contact.last
    leg = rig.legs[0]
    foot = FootShape.of(rig, leg, joints)
    ankle = joints[:, leg.ankle]
    planted = (phase >= first - 1e-9) & (phase <= last + 1e-9)
    ground_moved = np.stack((form.stride * phase, np.zeros_like(phase)), axis=1)
    heels = foot.heel_points(ankle) + ground_moved
    middle = 0.5 * (heels[planted].min(axis=0) + heels[planted].max(axis=0))
    middle[0] -= form.contact.set_back
    shift = foot.standing_ankle(middle - ground_moved, foot.along()) - ankle
    at_first, at_last = shift[planted][0], shift[planted][-1]
    since_last = np.mod(phase - last, 1.0) / (1.0 - (last - first))
    swinging = ease_between(at_last, at_first, since_last)
    swinging[:, 2] += form.swing_lift * np.sin(np.pi * since_last)
    return np.where(planted[:, None], shift, swinging), planted


def _shift_of_other_foot(
    rig: Rig, form: GaitForm, table: LegTableForm, phase: Floats, carried: Floats
) -> Floats:
    """Shift (grid, 3) of the right foot as if it were the left: the gait with its legs changed."""
    swapped = form.model_copy(update={"leg": table, "right_leg": form.leg})
    joints = joint_positions(rig, gait_rows(swapped, phase))
    joints[:, :, 2] += np.roll(carried, -(_GRID // 2))[:, None]
    return _left_foot_shift(rig, swapped, phase, joints)[0]


def _carried_height(form: GaitForm, phase: Floats, grounded: Floats) -> Floats:
    """Pelvis height on the lower foot, and over the flight between two contacts (grid,)."""
    half = np.mod(phase, 0.5)
    take_off = form.contact.last
    if take_off >= 0.5:
        return grounded
    share = (half - take_off) / (0.5 - take_off)
    start = np.interp(take_off, phase, grounded)
    line = start + (grounded[0] - start) * share + form.flight_rise * np.sin(np.pi * share)
    return np.where(half > take_off, line, grounded)


def _wave(form: WaveForm, phase: Floats, sign: float) -> Floats:
    turn = 2.0 * np.pi * form.order * phase + np.radians(form.shift_deg)
    return np.asarray(form.mean + sign * form.amplitude * np.cos(turn))


def _leg_angle(table: LegTableForm, name: str, phase: Floats) -> Floats:
    """Periodic cubic through the keys of a leg table, slopes from the neighbouring keys."""
    keys = np.array(table.phase)
    values = np.array(getattr(table, name))
    count = len(keys)
    wrapped = np.mod(phase, 1.0)
    index = np.searchsorted(keys, wrapped, side="right") - 1

    def key(offset: int) -> tuple[Floats, Floats]:
        number = index + offset
        return keys[number % count] + number // count, values[number % count]

    (t0, v0), (t1, v1), (t2, v2), (t3, v3) = key(-1), key(0), key(1), key(2)
    span = t2 - t1
    slope1 = (v2 - v0) / (t2 - t0) * span
    slope2 = (v3 - v1) / (t3 - t1) * span
    s = (wrapped - t1) / span
    return np.asarray(
        (2 * s**3 - 3 * s**2 + 1) * v1
        + (s**3 - 2 * s**2 + s) * slope1
        + (3 * s**2 - 2 * s**3) * v2
        + (s**3 - s**2) * slope2
    )


def _periodic(values: Floats, phase: Floats) -> Floats:
    """Grid values (kinds, grid, axes) at phases, linear, the cycle closed.

    Shape (kinds, samples, axes).
    """
    position = np.mod(phase, 1.0) * _GRID
    index = np.floor(position).astype(np.int64)
    part = (position - index)[:, None]
    low, high = values[:, index % _GRID], values[:, (index + 1) % _GRID]
    return np.asarray(low + (high - low) * part)
