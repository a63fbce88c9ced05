"""Poses from clip states: the root is taken out, loops go by the drawn phase (LOC-14, CLIP-13)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ai.motion.clip_profiles import NO_PROFILE, ClipProfile
from ai.motion.clip_state import ClipState
from ai.motion.clips import MotionClip
from ai.motion.drawn_stride import DrawnClips
from ai.motion.movement_table import ClipPhase
from ai.motion.pose_evaluation import PoseEvaluator
from tests.ai.motion.clip_doubles import LIBRARY, RUN, WALK

EVALUATOR = PoseEvaluator(LIBRARY)
RIG = LIBRARY.rig


def placed(
    pose: NDArray[np.float64], x: float, y: float, z: float, yaw: float
) -> NDArray[np.float64]:
    """A pose put where a ped is, as drawing does it."""
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return np.stack(
        (
            x + pose[:, 0] * cosine - pose[:, 1] * sine,
            y + pose[:, 0] * sine + pose[:, 1] * cosine,
            z + pose[:, 2],
        ),
        axis=1,
    )


@pytest.mark.parametrize("clip", LIBRARY.clips, ids=lambda clip: clip.name)
def test_the_drawn_root_is_the_logical_root(clip: MotionClip) -> None:
    """LOC-14: a ped standing at the clip's root is drawn where the clip has it, to 0.01 cm.

    At 50 times of every clip: root translation and yaw are applied once, by the ped.
    """
    clip_id = LIBRARY.clip_id(clip)
    samples = np.linspace(0.0, 120.0, 50)
    for sample in samples:
        low = min(int(sample), 119)
        part = sample - low
        root = clip.root[low] + (clip.root[low + 1] - clip.root[low]) * part
        captured = clip.tracks[low] + (clip.tracks[low + 1] - clip.tracks[low]) * part
        pose = EVALUATOR.evaluate(clip_id, float(sample / 120.0 * clip.duration_s))
        assert placed(pose, *root) == pytest.approx(captured, abs=0.01)


@pytest.mark.parametrize("clip", LIBRARY.clips, ids=lambda clip: clip.name)
def test_a_pose_stays_over_its_origin(clip: MotionClip) -> None:
    """LOC-14: nothing of the 392 cm of a run loop is left in its poses."""
    pelvis = clip.body_tracks()[:, RIG.index("pelvis"), :2]
    assert np.abs(pelvis).max() < 0.01


def test_evaluation_takes_the_time_it_is_given_and_keeps_nothing() -> None:
    """LOC-14: the same time gives the same pose, whatever was asked for in between."""
    clip_id = LIBRARY.clip_id(WALK.loop)
    first = EVALUATOR.evaluate(clip_id, 0.4)
    EVALUATOR.evaluate(clip_id, 0.9)[:] = 0.0
    assert (EVALUATOR.evaluate(clip_id, 0.4) == first).all()


def test_times_are_clamped_to_the_clip() -> None:
    """CLIP-02: clamped to [0, T]."""
    clip_id = LIBRARY.clip_id(WALK.stop)
    tracks = WALK.stop.body_tracks()
    assert (EVALUATOR.evaluate(clip_id, -1.0) == tracks[0]).all()
    assert (EVALUATOR.evaluate(clip_id, 99.0) == tracks[-1]).all()


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(min_value=0, max_value=len(LIBRARY.clips) - 1),
            st.floats(min_value=-1.0, max_value=5.0),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_many_poses_at_once_are_the_poses_one_by_one(asked: list[tuple[int, float]]) -> None:
    """LOC-16: batch equals scalar, bit for bit."""
    clip_ids, times = (np.array(column) for column in zip(*asked, strict=True))
    batch = EVALUATOR.evaluate_batch(clip_ids, times)
    for row, (clip_id, time_s) in enumerate(asked):
        assert (batch[row] == EVALUATOR.evaluate(clip_id, time_s)).all()


PHASES: list[tuple[ClipState, MotionClip, float]] = [
    (ClipState(0, ClipPhase.IDLE, clip_time=1.5), WALK.idle, 1.5),
    (ClipState(1, ClipPhase.START, clip_time=0.3), RUN.start, 0.3),
    (ClipState(0, ClipPhase.STOP, clip_time=0.3), WALK.stop, 0.3),
    (ClipState(1, ClipPhase.STOP_TAIL, clip_time=1.0), RUN.stop, 1.0),
    (ClipState(0, ClipPhase.TURN, clip_time=0.2, turn_angle=-1.5), WALK.turn_left, 0.2),
    (ClipState(0, ClipPhase.TURN, clip_time=0.2, turn_angle=1.5), WALK.turn_right, 0.2),
    (ClipState(0, ClipPhase.LOOP, clip_time=0.7, cycle_time=0.9), WALK.loop, 0.25 * 1.1),
]


@pytest.mark.parametrize(("state", "clip", "time_s"), PHASES, ids=lambda value: str(value)[:40])
def test_each_phase_is_posed_by_its_clip(state: ClipState, clip: MotionClip, time_s: float) -> None:
    """LOC-14, CLIP-13: the clip time counts, but in LOOP the drawn phase, here a quarter."""
    pose = EVALUATOR.pose(state.profile, state, drawn_phase=0.25)
    assert (pose == EVALUATOR.evaluate(LIBRARY.clip_id(clip), time_s)).all()


def test_a_get_up_is_not_posed_here() -> None:
    """CLIP-07: GETUP is driven by the recovery."""
    with pytest.raises(ValueError, match="posed by the recovery"):
        EVALUATOR.pose(0, ClipState(0, ClipPhase.GETUP), 0.0)


def test_a_ped_without_a_profile_is_not_posed_by_chance() -> None:
    """LOC-13: NO_PROFILE is no index from the end."""
    with pytest.raises(ValueError, match="without a profile"):
        EVALUATOR.pose(NO_PROFILE, ClipState(NO_PROFILE), 0.0)


def test_a_mirrored_pose_swaps_the_sides() -> None:
    """CLIP-13: foot contacts match whichever foot is down."""
    state = ClipState(0, ClipPhase.STOP, clip_time=0.1)
    plain, mirrored = (EVALUATOR.pose(0, state, 0.0, mirrored=side) for side in (False, True))
    left, right = RIG.index("left_toe"), RIG.index("right_toe")
    assert mirrored[right] == pytest.approx(plain[left] * [1.0, -1.0, 1.0])


def loop_poses(profile: ClipProfile, speed: float, count: int) -> NDArray[np.float64]:
    """A whole drawn cycle at a speed, shape (count + 1, joints, 3)."""
    stride = profile.drawn_stride
    columns = count + 1
    return EVALUATOR.poses(
        DrawnClips(
            profile=np.full(columns, profile.index),
            phase=np.full(columns, ClipPhase.LOOP),
            time=np.linspace(0.0, 1.0, columns),
            reach=np.full(columns, stride.reach(stride.length_cm(speed))),
            mirrored=np.zeros(columns, dtype=np.bool_),
            turn_left=np.zeros(columns, dtype=np.bool_),
        )
    )


def worst_slide(profile: ClipProfile, speed: float) -> float:
    """How far heel or toe move over the ground while they touch it, in cm, over two cycles."""
    count = 400
    poses = loop_poses(profile, speed, count)
    poses = np.concatenate((poses[:-1], poses))
    ground = profile.drawn_stride.length_cm(speed) * np.arange(2 * count + 1) / count
    worst = 0.0
    for leg in RIG.legs:
        for joint in (leg.heel, leg.toe):
            place = poses[:, joint, 0] + ground
            touching = poses[:, joint, 2] - RIG.contact_radii[joint] < 0.15
            edges = np.flatnonzero(np.diff(touching.astype(int))) + 1
            for stretch in np.split(np.arange(len(place)), edges):
                if touching[stretch[0]]:
                    worst = max(worst, float(np.ptp(place[stretch])))
    return worst


@pytest.mark.parametrize("speed", [60.0, 100.0, 130.0, 140.0, 160.0])
def test_planted_feet_slide_at_most_two_centimetres_at_walk(speed: float) -> None:
    """CLIP-13: at the drawn stride of every walking speed."""
    assert worst_slide(WALK, speed) <= 2.0


@pytest.mark.parametrize("speed", [250.0, 330.0])
def test_running_feet_stand_still(speed: float) -> None:
    """Art-and-feel 6: at most 1 cm running."""
    assert worst_slide(RUN, speed) <= 1.0


@pytest.mark.parametrize("speed", [60.0, 130.0, 230.0, 330.0, 480.0])
@pytest.mark.parametrize("profile", [WALK, RUN], ids=["walk", "run"])
def test_reaching_legs_keep_their_length(profile: ClipProfile, speed: float) -> None:
    """CLIP-13: feet that reach further bend the knees anew; no limb is stretched."""
    poses = loop_poses(profile, speed, 60)
    for leg in RIG.legs:
        for upper, lower, length in ((leg.hip, leg.knee, 43.0), (leg.knee, leg.ankle, 41.0)):
            span = poses[:, lower] - poses[:, upper]
            assert np.sqrt(np.sum(span * span, axis=1)) == pytest.approx(length, abs=0.01)
