"""Drawing between two steps: places, yaw the short way, poses over a loop's end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.motion.movement_table import ClipPhase
from game.render.picture import Pose, between, pose_between
from tests.game.render.doubles import walking


def test_half_way_is_half_way() -> None:
    before = np.array([[0.0, 10.0, 0.0, 0.0]])
    now = np.array([[2.0, 20.0, 4.0, 1.0]])
    assert between(before, now, 0.5).tolist() == [[1.0, 15.0, 2.0, 0.5]]


def test_yaw_turns_the_short_way_over_the_seam() -> None:
    """From 170 to -170 degrees it is 20 degrees on, not 340 back."""
    before = np.array([[0.0, 0.0, 0.0, math.radians(170.0)]])
    now = np.array([[0.0, 0.0, 0.0, math.radians(-170.0)]])
    assert between(before, now, 0.5)[0, 3] == pytest.approx(math.pi)


@given(st.floats(-10.0, 10.0))
def test_it_never_leaves_the_two_steps(alpha: float) -> None:
    before, now = np.array([[0.0, 0.0, 0.0, 0.0]]), np.array([[5.0, 5.0, 0.0, 0.5]])
    place = between(before, now, alpha)
    assert 0.0 <= place[0, 0] <= 5.0
    assert -1e-9 <= place[0, 3] <= 0.5 + 1e-9


def test_the_world_behind_a_picture_is_not_changed() -> None:
    before, now = np.zeros((1, 4)), np.ones((1, 4))
    between(before, now, 0.3)
    assert before.tolist() == [[0.0] * 4]
    assert now.tolist() == [[1.0] * 4]


def test_a_loop_goes_on_over_its_end() -> None:
    assert pose_between(walking(0.98), walking(0.02), 0.5).time == pytest.approx(0.0)
    assert pose_between(walking(0.20), walking(0.24), 0.25).time == pytest.approx(0.21)


def test_across_a_change_of_phase_it_is_the_new_pose() -> None:
    """The fade hides the jump (LOC-14)."""
    start = Pose(0, int(ClipPhase.START), 0.58, clip_seq=3)
    loop = Pose(0, int(ClipPhase.LOOP), 0.0, clip_seq=4)
    assert pose_between(start, loop, 0.1) == loop


def test_a_phase_that_begins_anew_is_the_new_pose_too() -> None:
    """Turn after turn: the second begins where it begins, not half way back through the first."""
    first = Pose(0, int(ClipPhase.TURN), 0.2, clip_seq=3)
    second = Pose(0, int(ClipPhase.TURN), 0.6, clip_seq=4)
    assert pose_between(first, second, 0.1) == second


def test_a_clip_that_starts_over_is_not_run_backwards() -> None:
    before = Pose(0, int(ClipPhase.IDLE), 3.99)
    now = Pose(0, int(ClipPhase.IDLE), 0.01)
    assert pose_between(before, now, 0.5) == now
