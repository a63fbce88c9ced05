"""Legs by ground covered (CLIP-13)."""

from __future__ import annotations

import numpy as np
import pytest

from ai.motion.clip_state import ClipState
from ai.motion.clip_steps_batch import ClipStates
from ai.motion.drawn_stride import DrawnClips, DrawnGaits
from ai.motion.movement_table import ClipPhase
from tests.ai.motion.clip_doubles import DT, LIBRARY, RUN, WALK

SLOTS = np.array([0])
PEDS = np.array([1])


def columns(state: ClipState) -> ClipStates:
    return ClipStates(*(np.array([value]) for value in state))


class Figure:
    """One drawn ped, driven step by step."""

    def __init__(self, ped_id: int = 1) -> None:
        self.gaits = DrawnGaits(2, LIBRARY.profiles)
        self.peds = np.array([ped_id])

    def step(self, state: ClipState, accepted_cm: float) -> DrawnClips:
        states = columns(state)
        self.gaits.advance(SLOTS, self.peds, states, np.array([accepted_cm]), DT)
        return self.gaits.drawn(SLOTS, self.peds, states)


@pytest.mark.parametrize(
    ("speed", "stride_cm"), [(140.0, 154.0), (130.0, 148.4), (35.0, 77.0), (230.0, 197.4)]
)
def test_walk_strides_grow_with_the_root_of_the_speed(speed: float, stride_cm: float) -> None:
    """CLIP-13: 154 * sqrt(v / 140) cm."""
    assert WALK.drawn_stride.length_cm(speed) == pytest.approx(stride_cm, abs=0.05)


@pytest.mark.parametrize(("speed", "stride_cm"), [(330.0, 242.3), (480.0, 333.8)])
def test_run_strides_grow_with_the_speed(speed: float, stride_cm: float) -> None:
    """CLIP-13: 41 + 0.61 v cm."""
    assert RUN.drawn_stride.length_cm(speed) == pytest.approx(stride_cm, abs=0.05)


def test_a_run_at_330_draws_163_steps_a_minute() -> None:
    """CLIP-13: 163 +- 2; two steps a cycle, counted over a minute of ticks."""
    figure, state = Figure(), ClipState(1, ClipPhase.LOOP, clip_seq=2)
    cycles, before = 0.0, 0.0
    for _ in range(3600):
        phase = float(figure.step(state, 5.5).time[0])
        cycles += (phase - before) % 1.0
        before = phase
    assert 2.0 * cycles == pytest.approx(163.0, abs=2.0)


def test_waiting_draws_no_step() -> None:
    """CLIP-13, CLIP-09: waiting or refused ticks advance nothing."""
    figure, state = Figure(), ClipState(0, ClipPhase.LOOP, clip_seq=2)
    walking = figure.step(state, 2.0)
    for _ in range(100):
        waiting = figure.step(state, 0.0)
    assert (waiting.time[0], waiting.reach[0]) == (walking.time[0], walking.reach[0])


def test_the_loop_begins_on_the_left_heel() -> None:
    """CLIP-13: the drawn phase starts where foot contacts match: the start ends on phase 0."""
    figure = Figure()
    figure.step(ClipState(0, ClipPhase.LOOP, clip_seq=2), 70.0)
    figure.step(ClipState(0, ClipPhase.START, clip_time=0.5, clip_seq=4), 1.0)
    again = figure.step(ClipState(0, ClipPhase.LOOP, clip_seq=5), 1.4)
    stride = WALK.drawn_stride.length_cm(1.4 / DT)
    assert again.time[0] == pytest.approx(1.4 / stride)


@pytest.mark.parametrize(("covered_cm", "mirrored"), [(7.0, False), (77.0, True), (140.0, False)])
def test_a_stop_begins_on_the_nearer_foot(covered_cm: float, mirrored: bool) -> None:
    """CLIP-13: a stop clip begins with the left heel's contact, or is mirrored.

    It is where the right one's, half a stride of 154 cm on, is nearer; until it is over.
    """
    figure, loop = Figure(), ClipState(0, ClipPhase.LOOP, clip_seq=2)
    for _ in range(round(covered_cm / (140.0 * DT))):
        figure.step(loop, 140.0 * DT)
    stop = ClipState(0, ClipPhase.STOP, clip_seq=3)
    assert bool(figure.step(stop, 2.0).mirrored[0]) is mirrored
    assert bool(figure.step(stop._replace(clip_time=0.3), 2.0).mirrored[0]) is mirrored
    assert not figure.step(ClipState(0, ClipPhase.IDLE, clip_seq=4), 0.0).mirrored[0]


def test_a_stop_out_of_the_start_is_not_mirrored() -> None:
    """CLIP-13: the start clip begins with the left foot, whatever an earlier loop ended on."""
    figure, loop = Figure(), ClipState(0, ClipPhase.LOOP, clip_seq=2)
    for _ in range(33):
        figure.step(loop, 140.0 * DT)
    figure.step(ClipState(0, ClipPhase.IDLE, clip_seq=3), 0.0)
    figure.step(ClipState(0, ClipPhase.START, clip_seq=4), 0.5)
    assert not figure.step(ClipState(0, ClipPhase.STOP, clip_seq=5), 0.5).mirrored[0]


def test_strides_follow_a_change_of_speed_without_a_jump() -> None:
    """CLIP-13: planted feet don't jump when a ped slows down.

    The stride goes a fifteenth of its way a tick and settles on the new one.
    """
    figure, state = Figure(), ClipState(0, ClipPhase.LOOP, clip_seq=2)
    for _ in range(30):
        before = figure.step(state, 140.0 * DT).reach[0]
    after = figure.step(state, 70.0 * DT).reach[0]
    assert before == pytest.approx(1.0)
    # Target 0.7071; one tick of 1/60 s in 0.25 s goes a fifteenth of the way.
    assert after == pytest.approx(1.0 - 0.2929 / 15.0, abs=1e-4)
    for _ in range(120):
        after = figure.step(state, 70.0 * DT).reach[0]
    assert after == pytest.approx(0.7071, abs=1e-3)


def test_a_standing_crowd_does_not_breathe_as_one() -> None:
    """Art-and-feel 6: loops start at phase id * 0.618 mod 1: ped 2 is at 0.236 of 4 s."""
    state = ClipState(0, ClipPhase.IDLE, clip_time=1.0)
    assert Figure(ped_id=2).step(state, 0.0).time[0] == pytest.approx(1.0 + 0.236 * 4.0)
    assert Figure(ped_id=3).step(state, 0.0).time[0] == pytest.approx((1.0 + 0.854 * 4.0) % 4.0)


def test_a_slot_that_is_used_again_starts_anew() -> None:
    """CLIP-13: the next ped of a pool slot does not inherit a phase (product.md section 5)."""
    figure, state = Figure(ped_id=1), ClipState(0, ClipPhase.LOOP, clip_seq=2)
    for _ in range(40):
        figure.step(state, 2.0)
    figure.peds = np.array([9])
    assert figure.step(state, 0.0).time[0] == 0.0


def test_clip_states_are_only_read() -> None:
    """CLIP-13, LOC-14: drawing changes nothing of the simulation."""
    states = columns(ClipState(0, ClipPhase.LOOP, 0.1, 0.2, 3))
    before = [column.copy() for column in states]
    gaits = DrawnGaits(1, LIBRARY.profiles)
    gaits.advance(SLOTS, PEDS, states, np.array([2.0]), DT)
    gaits.drawn(SLOTS, PEDS, states).time[:] = 9.0
    for column, copy in zip(states, before, strict=True):
        assert (column == copy).all()
