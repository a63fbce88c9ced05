"""One clip from its form: root, poses between keys, feet on their footfalls, curves."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ai.motion.authoring.footfalls import plant_feet
from ai.motion.authoring.footing import keep_above_ground, move_foot, turned
from ai.motion.authoring.forward_kinematics import joint_positions, lowest_contact
from ai.motion.authoring.gaits import STRAIGHTNESS, GaitCycle
from ai.motion.authoring.pose_channels import COLUMN, Samples, blend, body_row, smoothstep
from ai.motion.authoring.pose_forms import ClipForm, KeyForm, RootForm, WobbleForm
from ai.motion.clip_channels import distance_channel, yaw_channel
from ai.motion.clip_files import rounded
from ai.motion.clip_tuning import ClipTuning
from ai.motion.clips import MotionClip
from ai.motion.leg_reach import bend_knees, lower_body, reach_shortfall
from ai.motion.rig import SIDES, Rig

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Repertoire:
    """What keys may name: poses as rows of ``pose_channels``, gaits as built cycles."""

    poses: Mapping[str, Floats]
    gaits: Mapping[str, GaitCycle]


def build_clip(
    name: str, form: ClipForm, rig: Rig, repertoire: Repertoire, tuning: ClipTuning
) -> MotionClip:
    """Sample a clip and its curves, rounded as they will lie in the file.

    Raises ``ClipRefused`` if the root makes a curve unusable (CLIP-03, CLIP-04), and
    ``KeyError`` for a pose or gait that the repertoire lacks.
    """
    times = np.linspace(0.0, form.duration, tuning.samples)
    root = rounded(_root_track(form.root, form.duration, times))
    if form.loop_of is not None:
        samples = repertoire.gaits[form.loop_of].samples(times / form.duration)
    else:
        samples = _between_keys(form.key, times, repertoire)
    _add_wobbles(form.wobble, samples.rows, times / form.duration)
    joints = joint_positions(rig, samples.rows)
    carried = samples.rows[:, COLUMN["hop"]] - lowest_contact(rig, joints)
    joints[:, :, 2] += carried[:, None]
    for leg, shift in zip(rig.legs, samples.foot_shifts, strict=True):
        move_foot(joints, leg, shift)
    plant_feet(form.footfall, rig, joints, root, times)
    keep_above_ground(rig, joints)
    lower_body(joints, rig, -samples.body_shift)
    lower_body(joints, rig, np.maximum(reach_shortfall(joints, rig, STRAIGHTNESS), 0.0))
    bend_knees(joints, rig)
    return MotionClip(
        name=name,
        rig_id=rig.rig_id,
        joints=rig.joints,
        duration_s=form.duration,
        root=root,
        tracks=rounded(_in_clip_space(joints, root)),
        distance=_distance(name, form.root, root, tuning),
        yaw_progress=_yaw_progress(name, form.root, root, tuning),
    )


def mirrored(name: str, clip: MotionClip, rig: Rig) -> MotionClip:
    """The same clip with left and right swapped, under another name."""
    swap_sides = np.array([1.0, -1.0, 1.0])
    return replace(
        clip,
        name=name,
        root=clip.root * np.array([1.0, -1.0, 1.0, -1.0]),
        tracks=clip.tracks[:, rig.mirror] * swap_sides,
    )


def _root_track(form: RootForm, duration: float, times: Floats) -> Floats:
    """x, y, z in cm and yaw in rad, shape (samples, 4)."""
    root = np.zeros((len(times), 4))
    if form.kind == "turn":
        root[:, 3] = math.radians(form.angle_deg) * smoothstep(times / duration)
    elif form.kind == "steady":
        root[:, 0] = form.speed * times
    elif form.kind == "ramp_up":
        root[:, 0] = form.speed * times * times / (2.0 * duration)
    elif form.kind == "ramp_down":
        braking = np.minimum(times, form.ramp)
        root[:, 0] = form.speed * (braking - braking * braking / (2.0 * form.ramp))
    if form.heading_deg:
        heading = math.radians(form.heading_deg)
        root[:, 1] = root[:, 0] * math.sin(heading)
        root[:, 0] *= math.cos(heading)
    return root


def _between_keys(keys: tuple[KeyForm, ...], times: Floats, repertoire: Repertoire) -> Samples:
    """Smoothstep from key to key; between two keys of one gait the gait itself runs."""
    parts = []
    for number, (first, second) in enumerate(itertools.pairwise(keys)):
        starts = times >= first.at if number == 0 else times > first.at
        span = times[starts & (times <= second.at)]
        share = (span - first.at) / (second.at - first.at)
        if first.gait is not None and first.gait == second.gait:
            phase = first.phase + (second.phase - first.phase) * share
            parts.append(repertoire.gaits[first.gait].samples(phase))
        else:
            ends = [_held(key, len(span), repertoire) for key in (first, second)]
            parts.append(blend(ends[0], ends[1], smoothstep(share)))
    return Samples(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.body_shift for part in parts]),
        np.concatenate([part.foot_shifts for part in parts], axis=1),
    )


def _held(key: KeyForm, count: int, repertoire: Repertoire) -> Samples:
    """One key, held for ``count`` samples."""

    def still(row: Floats) -> Samples:
        return Samples(np.tile(row, (count, 1)), np.zeros(count), np.zeros((len(SIDES), count, 3)))

    if key.gait is not None:
        held = repertoire.gaits[key.gait].samples(np.full(count, key.phase))
    else:
        held = still(repertoire.poses[str(key.pose)])
    weighted = blend(still(repertoire.poses["idle"]), held, np.full(count, key.weight))
    return weighted._replace(rows=weighted.rows + body_row(key.add))


def _add_wobbles(wobbles: tuple[WobbleForm, ...], rows: Floats, share: Floats) -> None:
    for wobble in wobbles:
        turn = 2.0 * np.pi * wobble.cycles * share + math.radians(wobble.shift_deg)
        rows[:, COLUMN[wobble.channel]] += wobble.amplitude * np.sin(turn)


def _in_clip_space(joints: Floats, root: Floats) -> Floats:
    """Body-frame joints put where the root is: the inverse of ``MotionClip.body_tracks``."""
    placed = [turned(joints[:, j], root[:, 3]) + root[:, :3] for j in range(joints.shape[1])]
    return np.stack(placed, axis=1)


def _distance(name: str, form: RootForm, root: Floats, tuning: ClipTuning) -> tuple[float, ...]:
    if form.kind in ("still", "turn"):
        return (0.0,) * len(root)
    return tuple(distance_channel(name, root[:, 0].tolist(), root[:, 1].tolist(), tuning))


def _yaw_progress(
    name: str, form: RootForm, root: Floats, tuning: ClipTuning
) -> tuple[float, ...] | None:
    if form.kind != "turn":
        return None
    return tuple(yaw_channel(name, root[:, 3].tolist(), tuning))
