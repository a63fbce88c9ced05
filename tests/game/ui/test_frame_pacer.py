"""Steps per drawn frame: real time in, whole steps out, never a spiral."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.ui.frame_pacer import SPEEDS, FramePacer

FRAME_S = 1.0 / 60.0


def at_speed(speed: float) -> FramePacer:
    pacer = FramePacer()
    while pacer.speed < speed:
        pacer.faster()
    while pacer.speed > speed:
        pacer.slower()
    return pacer


def test_a_frame_of_a_step_runs_a_step() -> None:
    pacer = FramePacer()
    assert [pacer.advance(FRAME_S) for _ in range(600)] == [1] * 600


def test_a_slow_display_runs_more_steps_a_frame() -> None:
    """30 frames a second: two steps each."""
    pacer = FramePacer()
    assert [pacer.advance(1.0 / 30.0) for _ in range(60)] == [2] * 60


def test_a_fast_display_runs_a_step_every_other_frame_and_draws_between() -> None:
    """120 frames a second: none, one, none, one, drawn half way after every other."""
    pacer = FramePacer()
    steps, alphas = [], []
    for _ in range(4):
        steps.append(pacer.advance(1.0 / 120.0))
        alphas.append(pacer.alpha)
    assert steps == [0, 1, 0, 1]
    assert alphas == pytest.approx([0.5, 0.0, 0.5, 0.0], abs=1e-6)


@pytest.mark.parametrize("gap_s", [5.0, 3600.0])
def test_the_window_is_dragged_for_five_seconds(gap_s: float) -> None:
    """F7: at most five steps are caught up, the rest is dropped and not owed."""
    pacer = FramePacer()
    assert pacer.advance(gap_s) == 5
    assert pacer.alpha == 0.0
    assert pacer.advance(FRAME_S) == 1


def test_five_steps_of_time_are_all_run() -> None:
    assert FramePacer().advance(5.0 * FRAME_S) == 5


@given(st.lists(st.floats(0.0, 10.0), max_size=50), st.sampled_from(SPEEDS))
def test_no_frame_ever_runs_more_than_it_may(frames: list[float], speed: float) -> None:
    """Five, or eight at eightfold speed, which needs eight of 60 frames a second."""
    pacer = at_speed(speed)
    for frame_s in frames:
        assert 0 <= pacer.advance(frame_s) <= max(5, round(speed))
        assert 0.0 <= pacer.alpha <= 1.0


@pytest.mark.parametrize("speed", SPEEDS)
def test_speeds_vary_the_steps_per_second(speed: float) -> None:
    """0.1x to 8x: over ten seconds 600 steps times the speed; the step's length never changes."""
    pacer = at_speed(speed)
    steps = sum(pacer.advance(FRAME_S) for _ in range(600))
    assert steps == pytest.approx(600 * speed, abs=1)


def test_speeds_end_at_both_ends() -> None:
    pacer = FramePacer()
    for _ in range(20):
        pacer.faster()
    assert pacer.speed == 8.0
    for _ in range(20):
        pacer.slower()
    assert pacer.speed == 0.1


def test_a_pause_owes_nothing() -> None:
    """F8: as if no time had passed."""
    pacer = FramePacer()
    pacer.advance(0.5 * FRAME_S)
    pacer.toggle_pause()
    assert [pacer.advance(1.0) for _ in range(10)] == [0] * 10
    assert pacer.alpha == pytest.approx(0.5)
    pacer.toggle_pause()
    assert pacer.advance(0.5 * FRAME_S) == 1


def test_a_single_step_halts_and_runs_exactly_one() -> None:
    pacer = FramePacer()
    pacer.single_step()
    assert pacer.is_paused
    assert [pacer.advance(FRAME_S) for _ in range(3)] == [1, 0, 0]
    pacer.single_step()
    pacer.single_step()
    assert pacer.advance(FRAME_S) == 2


def test_going_on_forgets_single_steps_that_were_not_run() -> None:
    pacer = FramePacer()
    pacer.single_step()
    pacer.toggle_pause()
    pacer.toggle_pause()
    assert pacer.advance(FRAME_S) == 0


def test_a_clock_that_runs_backwards_does_no_harm() -> None:
    pacer = FramePacer()
    assert pacer.advance(-3.0) == 0
    assert pacer.advance(FRAME_S) == 1
