"""What the next step of a clip is (CLIP-08 to CLIP-12, LOC-10)."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.motion.clip_state import ClipState, begin_stop, begin_turn
from ai.motion.clip_steps import (
    advance_idle,
    advance_loop,
    advance_tail,
    advance_turn,
    propose_loop,
    propose_start,
    propose_stop,
    step_along_curve,
)
from ai.motion.movement_table import ClipPhase
from tests.ai.motion.clip_doubles import (
    CRAWL,
    DT,
    RUN,
    TUNING,
    WALK,
    clip_with_distances,
    profile_with,
)

START, LOOP = ClipPhase.START, ClipPhase.LOOP
STEEP = profile_with(RUN, start=clip_with_distances([1000.0 * i / 120 for i in range(121)], 1.0))
"""A run whose start clip covers 1000 cm/s."""


def test_a_steep_curve_is_cut_to_the_budget() -> None:
    """CLIP-08: the worked figures of the 1000 cm/s curve.

    Rate 0.55525, 0.0092542 s would cover 9.2542 of 5.5 cm allowed; twelve halvings give
    0.00549921 s and 5.49921 cm, within 9.2542 / 4096 = 0.0022593 cm of the budget.
    """
    proposal = propose_start(STEEP, ClipState(1, START), 330.0, DT)
    assert proposal.new_state.clip_time == pytest.approx(0.00549921, abs=5e-9)
    assert proposal.distance == pytest.approx(5.49921, abs=5e-6)
    assert 5.5 - proposal.distance < 0.0022594


def test_the_cut_is_exactly_twelve_halvings() -> None:
    """CLIP-08: t1 is a whole number of 4096ths of the step: 2434 of them."""
    step = 330.0 / 594.324 * DT
    proposal = propose_start(STEEP, ClipState(1, START), 330.0, DT)
    assert proposal.new_state.clip_time == pytest.approx(2434 / 4096 * step, rel=1e-12)


def test_a_start_step_within_budget_advances_by_the_rate() -> None:
    """CLIP-08: 330 / 594.324 = 0.55525 advances the clip 0.0092542 s in a tick."""
    proposal = propose_start(RUN, ClipState(1, START, clip_time=0.4), 330.0, DT)
    assert proposal.new_state.clip_time - 0.4 == pytest.approx(0.0092542, abs=5e-8)
    # d = 594.324 t^2 / 1.6 between samples: about 297.162 cm/s * 0.0092542 s at t = 0.4.
    assert proposal.distance == pytest.approx(2.782, abs=0.01)


def test_at_speed_0_the_clip_creeps_and_covers_nothing() -> None:
    """CLIP-08: rate 0.1, budget 0: distance 0."""
    proposal = propose_start(RUN, ClipState(1, START, clip_time=0.4), 0.0, DT)
    assert proposal.distance == 0.0
    assert 0.4 <= proposal.new_state.clip_time < 0.4 + 0.1 * DT


def test_a_negative_speed_is_none() -> None:
    """CLIP-08: budget = max(speed, 0) * dt."""
    assert propose_start(RUN, ClipState(1, START, clip_time=0.4), -50.0, DT).distance == 0.0


def test_the_rate_is_never_over_two_and_a_half() -> None:
    """CLIP-08: 3000 / 594.324 is 5.05, clamped to 2.5: 0.0416667 s a tick."""
    proposal = propose_start(RUN, ClipState(1, START), 3000.0, DT)
    assert proposal.new_state.clip_time == pytest.approx(0.0416667, abs=5e-8)


@settings(max_examples=1000, deadline=None)
@given(
    seed=st.integers(min_value=0, max_value=2**32),
    steepness=st.floats(min_value=0.0, max_value=200.0),
    clip_time=st.floats(min_value=0.0, max_value=1.0),
    speed=st.floats(min_value=0.0, max_value=3000.0),
    scale=st.floats(min_value=0.01, max_value=1.0),
)
def test_no_curve_steps_past_the_budget(
    seed: int, steepness: float, clip_time: float, speed: float, scale: float
) -> None:
    """CLIP-08: on 1,000 random monotone curves the distance is never over speed * dt."""
    draw = random.Random(seed).random
    curve = [0.0, *itertools.accumulate(steepness * draw() for _ in range(120))]
    step = step_along_curve(curve, 1.0, clip_time, 594.324, speed, DT, scale, TUNING)
    assert 0.0 <= step.distance <= speed * DT
    assert clip_time <= step.clip_time <= 1.0


def test_the_start_ends_in_the_loop() -> None:
    """CLIP-07: at its duration START becomes LOOP with cycle time 0."""
    state, travelled = ClipState(0, START), 0.0
    for _ in range(200):
        proposal = propose_start(WALK, state, 140.0, DT)
        state, travelled = proposal.new_state, travelled + proposal.distance
        if state.phase is LOOP:
            break
    assert state == ClipState(0, LOOP, clip_seq=1)
    # 0.6 s at rate 1; the budget (140 cm/s) never cuts a curve that only rises to it.
    assert travelled == pytest.approx(42.0, abs=0.05)


def test_loop_legs_advance_by_ground_covered() -> None:
    """CLIP-09: 5.5 cm at a reference of 594.324 advance the cycle by 0.0092542 s."""
    proposal = propose_loop(RUN, ClipState(1, LOOP), 330.0, DT, 1000.0)
    assert proposal.distance == 5.5
    assert proposal.new_state.cycle_time == pytest.approx(0.0092542, abs=5e-8)


def test_a_loop_step_ends_with_the_route() -> None:
    """CLIP-09: capped by the remaining route."""
    proposal = propose_loop(RUN, ClipState(1, LOOP), 330.0, DT, 2.0)
    assert proposal.distance == 2.0
    assert proposal.new_state.cycle_time == pytest.approx(2.0 / 594.324)


def test_the_cycle_goes_round() -> None:
    """CLIP-09: fmod by the loop's 0.66 s."""
    state = advance_loop(RUN, ClipState(1, LOOP, cycle_time=0.655), 594.324 * 0.01)
    assert state.cycle_time == pytest.approx(0.005, abs=1e-12)


def test_refused_steps_advance_nothing() -> None:
    """CLIP-09, CLIP-10: 100 loop and 50 start ticks whose proposals are dropped.

    Clip and cycle time stay: a proposal never touches the state it was made from.
    """
    loop, start = ClipState(1, LOOP, cycle_time=0.3), ClipState(1, START, clip_time=0.2)
    proposals = [propose_loop(RUN, loop, 330.0, DT, 1000.0) for _ in range(100)]
    proposals += [propose_start(RUN, start, 330.0, DT) for _ in range(50)]
    assert loop == ClipState(1, LOOP, cycle_time=0.3)
    assert start == ClipState(1, START, clip_time=0.2)
    assert len(set(proposals)) == 2


def test_the_run_tail_starts_at_sample_59() -> None:
    """CLIP-11: 0.688 s, 0.058 cm left, tail 0.712 s."""
    assert RUN.stop.tail_sample(0.1) == 59
    assert RUN.tail_start_s == pytest.approx(0.688, abs=5e-4)
    left = RUN.stop.total_distance - RUN.stop.distance[59]
    assert left == pytest.approx(0.058, abs=5e-4)
    assert RUN.stop.duration_s - RUN.tail_start_s == pytest.approx(0.712, abs=5e-4)


def test_the_walk_tail_starts_at_sample_57() -> None:
    """CLIP-11: 0.475 s, tail 0.525 s."""
    assert WALK.stop.tail_sample(0.1) == 57
    assert WALK.tail_start_s == pytest.approx(0.475)
    assert WALK.stop.duration_s - WALK.tail_start_s == pytest.approx(0.525)


def test_the_tail_plays_at_rate_1_and_ends_in_idle() -> None:
    """CLIP-11, LOC-12: 0.525 s of the walk are 31.5 ticks: IDLE on the 32nd."""
    state, ticks = ClipState(0, ClipPhase.STOP_TAIL, clip_time=WALK.tail_start_s), 0
    while state.phase is ClipPhase.STOP_TAIL:
        state, ticks = advance_tail(WALK, state, DT), ticks + 1
    assert ticks == 32
    assert (state.phase, state.clip_time, state.clip_seq) == (ClipPhase.IDLE, 0.0, 1)


def test_the_tail_of_the_run_lasts_about_seven_tenths_of_a_second() -> None:
    """LOC-12: 0.7117 s are 42.7 ticks: IDLE on the 43rd."""
    state, ticks = ClipState(1, ClipPhase.STOP_TAIL, clip_time=RUN.tail_start_s), 0
    while state.phase is ClipPhase.STOP_TAIL:
        state, ticks = advance_tail(RUN, state, DT), ticks + 1
    assert ticks == 43


def walk_out(state: ClipState, remaining: float, speed: float) -> tuple[float, ClipState, int]:
    """Accept every step of a stop until the phase ends: distance, state, ticks."""
    travelled = 0.0
    for tick in range(1, 2000):
        proposal = propose_stop(RUN, state, speed, DT, remaining - travelled, CRAWL)
        travelled, state = travelled + proposal.distance, proposal.new_state
        if state.phase is not ClipPhase.STOP:
            return travelled, state, tick
    raise AssertionError("the stop never ended")


def test_a_travelling_stop_covers_exactly_the_rest_of_the_route() -> None:
    """LOC-10: scaled to 200 of 208.01 cm, accepted increments sum to 200.0 +- 0.01."""
    state = begin_stop(RUN, ClipState(1, LOOP), 200.0)
    travelled, state, _ = walk_out(state, 200.0, 330.0)
    assert travelled == pytest.approx(200.0, abs=0.01)
    assert state.phase is ClipPhase.IDLE


def test_a_stop_step_never_passes_the_end_of_the_route() -> None:
    """LOC-10: a scale that is too big for the route left is capped by it."""
    state = ClipState(1, ClipPhase.STOP, stop_scale=1.0)
    travelled, _, _ = walk_out(state, 30.0, 330.0)
    assert travelled == pytest.approx(30.0, abs=1e-9)


def test_a_residue_is_crawled_and_then_the_tail_is_played() -> None:
    """CLIP-12: 3 cm of residue take 3 ticks of 1 cm, then the tail."""
    state = ClipState(1, ClipPhase.STOP, clip_time=RUN.stop.duration_s, stop_scale=0.5)
    remaining, steps = 3.0, []
    while state.phase is ClipPhase.STOP:
        proposal = propose_stop(RUN, state, 330.0, DT, remaining, CRAWL)
        remaining, state = remaining - proposal.distance, proposal.new_state
        steps.append(proposal.distance)
    assert steps == pytest.approx([1.0, 1.0, 1.0])
    assert (state.phase, state.clip_time) == (ClipPhase.STOP_TAIL, RUN.tail_start_s)


def test_a_stop_with_a_residue_waits_at_its_end() -> None:
    """CLIP-12: more than 0.5 cm left when the clip reaches its duration: STOP stays."""
    state = ClipState(1, ClipPhase.STOP, clip_time=1.395, stop_scale=0.5)
    proposal = propose_stop(RUN, state, 594.324, DT, 0.51, CRAWL)
    assert proposal.distance == 0.0
    assert proposal.new_state == state._replace(clip_time=1.4)


def test_a_residue_of_half_a_centimetre_is_none() -> None:
    """CLIP-12: 0.5 cm is not more than 0.5 cm."""
    state = ClipState(1, ClipPhase.STOP, clip_time=1.395, stop_scale=0.5)
    proposal = propose_stop(RUN, state, 594.324, DT, 0.5, CRAWL)
    assert proposal.new_state.phase is ClipPhase.IDLE


def test_a_slow_ped_crawls_no_faster_than_it_walks() -> None:
    """CLIP-12, LOC-15: at most 60 cm/s, and never over the desired speed."""
    state = ClipState(0, ClipPhase.STOP, clip_time=WALK.stop.duration_s, stop_scale=1.0)
    assert propose_stop(WALK, state, 30.0, DT, 3.0, CRAWL).distance == pytest.approx(0.5)


@pytest.mark.parametrize("degrees", [70.0, 170.0, -120.0])
def test_a_turn_ends_exactly_on_its_target(degrees: float) -> None:
    """CLIP-04, LOC-03: start + angle to the last bit, after 0.7 s = 42 ticks, then IDLE."""
    angle = math.radians(degrees)
    state = begin_turn(ClipState(0), 0.25, angle)
    for tick in range(1, 43):
        step = advance_turn(WALK, state, DT)
        state = step.new_state
        assert (state.phase is ClipPhase.IDLE) == (tick == 42)
    assert step.yaw_rad == 0.25 + angle


def test_half_a_turn_clip_is_half_the_angle() -> None:
    """LOC-03: 120 deg of error, progress 0.5 gives 60 deg."""
    state = begin_turn(ClipState(0), 0.0, math.radians(120.0))
    for _ in range(21):
        step = advance_turn(WALK, state, DT)
        state = step.new_state
    assert math.degrees(step.yaw_rad) == pytest.approx(60.0, abs=0.01)


def test_idle_goes_round_and_round() -> None:
    """CLIP-07: IDLE has no end; 300 ticks of a 4 s clip leave it at 1 s."""
    state = ClipState(0)
    for _ in range(300):
        state = advance_idle(WALK, state, DT)
    assert state.clip_time == pytest.approx(1.0, abs=1e-9)
    assert (state.phase, state.clip_seq) == (ClipPhase.IDLE, 0)
