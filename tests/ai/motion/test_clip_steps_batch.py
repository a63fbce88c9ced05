"""The array twins of the clip steps equal the scalar functions bit for bit (LOC-16, NAV-12)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.motion.clip_state import ClipState, read_clip_state, write_clip_state
from ai.motion.clip_steps import (
    MotionProposal,
    advance_idle,
    advance_loop,
    advance_tail,
    propose_loop,
    propose_start,
    propose_stop,
)
from ai.motion.clip_steps_batch import (
    ClipStates,
    advance_idle_batch,
    advance_loop_batch,
    advance_tail_batch,
    gather_clip_states,
    propose_loop_batch,
    propose_start_batch,
    propose_stop_batch,
    scatter_clip_states,
)
from ai.motion.movement_table import ClipPhase, MovementTable
from tests.ai.motion.clip_doubles import CRAWL, DT, LIBRARY

CURVES = LIBRARY.curves
SHARES = st.one_of(st.floats(min_value=0.0, max_value=1.0), st.just(1.0), st.just(0.999999))
SPEEDS = st.one_of(
    st.floats(min_value=-10.0, max_value=3000.0), st.sampled_from([0.0, 130.0, 330.0])
)
LENGTHS = st.one_of(
    st.floats(min_value=0.0, max_value=500.0), st.sampled_from([0.0, 0.5, 0.50001, 1.0, 3.0])
)
STEPS = st.sampled_from([DT, 0.05, 0.0125])


@st.composite
def crowds(draw: st.DrawFn, phase: ClipPhase) -> tuple[list[ClipState], list[float], list[float]]:
    """States in one phase, speeds and lengths of one to twenty peds."""
    states, speeds, lengths = [], [], []
    for _ in range(draw(st.integers(min_value=1, max_value=20))):
        index = draw(st.integers(min_value=0, max_value=len(LIBRARY.profiles) - 1))
        profile = LIBRARY.profile(index)
        clip = {
            ClipPhase.IDLE: profile.idle,
            ClipPhase.START: profile.start,
            ClipPhase.LOOP: profile.loop,
        }.get(phase, profile.stop)
        states.append(
            ClipState(
                profile=index,
                phase=phase,
                clip_time=draw(SHARES) * clip.duration_s,
                cycle_time=draw(SHARES) * profile.loop.duration_s,
                clip_seq=draw(st.integers(min_value=0, max_value=1000)),
                stop_scale=draw(SHARES),
            )
        )
        speeds.append(draw(SPEEDS))
        lengths.append(draw(LENGTHS))
    return states, speeds, lengths


def columns(states: list[ClipState]) -> ClipStates:
    return ClipStates(*(np.array(column) for column in zip(*states, strict=True)))


def rows(states: ClipStates) -> list[ClipState]:
    """Back to scalars; exact, so that equality below is bit for bit."""
    return [
        ClipState(*row)._replace(phase=ClipPhase(row[1]))
        for row in zip(*(column.tolist() for column in states), strict=True)
    ]


def proposals(distance: np.ndarray, states: ClipStates) -> list[MotionProposal]:
    return [MotionProposal(*row) for row in zip(distance.tolist(), rows(states), strict=True)]


@settings(deadline=None)
@given(crowds(ClipPhase.START), STEPS)
def test_start_steps_are_equal(
    crowd: tuple[list[ClipState], list[float], list[float]], dt: float
) -> None:
    """LOC-16, CLIP-08: budgets that are kept and budgets that need the halvings."""
    states, speeds, _ = crowd
    batch = propose_start_batch(CURVES, columns(states), np.array(speeds), dt)
    assert proposals(*batch) == [
        propose_start(LIBRARY.profile(state.profile), state, speed, dt)
        for state, speed in zip(states, speeds, strict=True)
    ]


@settings(deadline=None)
@given(crowds(ClipPhase.LOOP), STEPS)
def test_loop_steps_are_equal(
    crowd: tuple[list[ClipState], list[float], list[float]], dt: float
) -> None:
    """LOC-16, CLIP-09."""
    states, speeds, lengths = crowd
    batch = propose_loop_batch(CURVES, columns(states), np.array(speeds), dt, np.array(lengths))
    assert proposals(*batch) == [
        propose_loop(LIBRARY.profile(state.profile), state, speed, dt, remaining)
        for state, speed, remaining in zip(states, speeds, lengths, strict=True)
    ]


@settings(deadline=None)
@given(crowds(ClipPhase.STOP), STEPS)
def test_stop_steps_are_equal(
    crowd: tuple[list[ClipState], list[float], list[float]], dt: float
) -> None:
    """LOC-16, LOC-10, CLIP-12: on the way, ending, waiting with a residue, crawling."""
    states, speeds, lengths = crowd
    batch = propose_stop_batch(
        CURVES, columns(states), np.array(speeds), dt, np.array(lengths), CRAWL
    )
    assert proposals(*batch) == [
        propose_stop(LIBRARY.profile(state.profile), state, speed, dt, remaining, CRAWL)
        for state, speed, remaining in zip(states, speeds, lengths, strict=True)
    ]


@settings(deadline=None)
@given(crowds(ClipPhase.LOOP))
def test_accepted_ground_advances_legs_equally(
    crowd: tuple[list[ClipState], list[float], list[float]],
) -> None:
    """LOC-16, CLIP-09."""
    states, _, lengths = crowd
    batch = advance_loop_batch(CURVES, columns(states), np.array(lengths))
    assert rows(batch) == [
        advance_loop(LIBRARY.profile(state.profile), state, accepted)
        for state, accepted in zip(states, lengths, strict=True)
    ]


@settings(deadline=None)
@given(crowds(ClipPhase.STOP_TAIL), STEPS)
def test_tail_steps_are_equal(
    crowd: tuple[list[ClipState], list[float], list[float]], dt: float
) -> None:
    """LOC-16, CLIP-11."""
    check_advance(crowd[0], dt, advance_tail_batch(CURVES, columns(crowd[0]), dt), advance_tail)


@settings(deadline=None)
@given(crowds(ClipPhase.IDLE), STEPS)
def test_idle_steps_are_equal(
    crowd: tuple[list[ClipState], list[float], list[float]], dt: float
) -> None:
    """LOC-16, CLIP-07."""
    check_advance(crowd[0], dt, advance_idle_batch(CURVES, columns(crowd[0]), dt), advance_idle)


def check_advance(
    states: list[ClipState], dt: float, batch: ClipStates, scalar: Callable[..., ClipState]
) -> None:
    assert rows(batch) == [scalar(LIBRARY.profile(s.profile), s, dt) for s in states]


def test_a_batch_leaves_its_input_alone() -> None:
    """CLIP-10: propose, then commit, for arrays too."""
    states = columns([ClipState(1, ClipPhase.START, clip_time=0.79), ClipState(0, ClipPhase.START)])
    before = [column.copy() for column in states]
    propose_start_batch(CURVES, states, np.array([3000.0, 130.0]), DT)
    for column, copy in zip(states, before, strict=True):
        assert (column == copy).all()


def test_clip_columns_travel_between_table_and_batch() -> None:
    """CLIP-06: gather and scatter move the same fields as reading and writing one by one."""
    table = MovementTable(3)
    states = [
        ClipState(1, ClipPhase.LOOP, 0.1, 0.2, 3, 0.4, 0.5, 0.6),
        ClipState(0, ClipPhase.TURN, 1.1, 1.2, 4, 1.4, 1.5, 1.6),
    ]
    places = np.array([7, 2])
    scatter_clip_states(table, places, columns(states))
    assert [read_clip_state(table, int(row)) for row in places] == states
    write_clip_state(table, 7, states[1])
    assert rows(gather_clip_states(table, places)) == [states[1], states[1]]


def test_the_stacked_curves_are_read_only() -> None:
    """LOC-13: shared clip data is read-only."""
    for array in (CURVES.start_distance, CURVES.stop_distance, CURVES.reference_speed):
        assert not array.flags.writeable
