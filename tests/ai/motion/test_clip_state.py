"""A ped's place in its clips and its phase changes (CLIP-06, CLIP-07)."""

from __future__ import annotations

import itertools
import math

import pytest

from ai.motion.clip_state import (
    ClipState,
    PhaseChangeRefused,
    allowed,
    begin_stop,
    begin_turn,
    enter_phase,
    halt,
    read_clip_state,
    reset_clip,
    stop_due,
    write_clip_state,
)
from ai.motion.clip_steps import advance_loop, propose_loop
from ai.motion.movement_table import ClipPhase, MovementTable
from tests.ai.motion.clip_doubles import DT, RUN, WALK

IDLE, START, LOOP = ClipPhase.IDLE, ClipPhase.START, ClipPhase.LOOP
STOP, TAIL, TURN = ClipPhase.STOP, ClipPhase.STOP_TAIL, ClipPhase.TURN

TABLE = {
    (IDLE, TURN),
    (TAIL, TURN),
    (IDLE, START),
    (TAIL, START),
    (START, LOOP),
    (START, STOP),
    (LOOP, STOP),
    (START, TAIL),
    (LOOP, TAIL),
    (STOP, TAIL),
    (START, TURN),
    (LOOP, TURN),
}
"""The rows of CLIP-07 but those to IDLE, which every phase has."""


@pytest.mark.parametrize(("before", "after"), list(itertools.product(ClipPhase, ClipPhase)))
def test_phase_changes_are_those_of_the_table(before: ClipPhase, after: ClipPhase) -> None:
    """CLIP-07: every pair of phases, allowed or refused."""
    expected = after is IDLE or (before, after) in TABLE
    assert allowed(before, after) == expected
    state = ClipState(profile=0, phase=before, clip_seq=4)
    if expected:
        changed = enter_phase(state, after)
        assert (changed.phase, changed.clip_seq) == (after, 5)
    else:
        with pytest.raises(
            PhaseChangeRefused, match=f"{before.name} has no change to {after.name}"
        ):
            enter_phase(state, after)


def test_entering_a_phase_starts_its_times_and_keeps_the_profile() -> None:
    """CLIP-06: phase, times and turn of the old phase are gone, the profile stays."""
    state = ClipState(1, LOOP, 0.3, 0.4, 7, 0.5, 1.0, 2.0)
    assert enter_phase(state, IDLE) == ClipState(1, IDLE, 0.0, 0.0, 8, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("phase", [START, LOOP, STOP])
def test_halting_a_moving_clip_goes_to_the_stop_tail(phase: ClipPhase) -> None:
    """CLIP-07, LOC-12: at the tail's start, where no root distance is left."""
    state = halt(RUN, ClipState(1, phase, 0.2, 0.1, 3, 0.9))
    assert (state.phase, state.clip_seq, state.stop_scale) == (TAIL, 4, 0.0)
    assert state.clip_time == RUN.tail_start_s
    left = RUN.stop.total_distance - RUN.stop.distance_at(state.clip_time)
    assert left <= 0.1


def test_halting_a_turn_ends_it() -> None:
    """CLIP-07: TURN goes to IDLE; the yaw reached so far is the ped's, not the clip's."""
    state = halt(WALK, begin_turn(ClipState(0), 0.5, 2.0))
    assert (state.phase, state.clip_seq) == (IDLE, 2)


@pytest.mark.parametrize("phase", [IDLE, TAIL])
def test_halting_a_standing_clip_changes_nothing(phase: ClipPhase) -> None:
    """CLIP-07: IDLE has no change to STOP_TAIL, and a tail goes on."""
    state = ClipState(0, phase, 0.7, 0.0, 3)
    assert halt(WALK, state) == state


@pytest.mark.parametrize("phase", list(ClipPhase))
def test_reset_leads_to_idle_from_everywhere(phase: ClipPhase) -> None:
    """CLIP-07: any phase to IDLE on a new goal or a resume, counted if it is a change."""
    state = reset_clip(ClipState(1, phase, 0.7, 0.2, 3, 0.5, 1.0, 2.0))
    counted = 3 if phase is IDLE else 4
    assert (state.profile, state.phase, state.clip_time) == (1, IDLE, 0.0)
    assert state.clip_seq == counted


def test_the_stop_begins_at_the_stop_clips_distance() -> None:
    """LOC-10: remaining 200.0 of 208.01 gives a scale of 0.96148."""
    assert stop_due(RUN, 208.0)
    assert not stop_due(RUN, 208.1)
    state = begin_stop(RUN, ClipState(1, LOOP, cycle_time=0.2), 200.0)
    assert state.phase is STOP
    assert state.stop_scale == pytest.approx(0.96148, abs=5e-6)


def test_clip_states_survive_the_table() -> None:
    """CLIP-06: written to a record and read back, each of its fields."""
    table = MovementTable(2)
    state = ClipState(1, TURN, 0.25, 0.5, 9, 0.75, -1.5, math.pi)
    write_clip_state(table, 4, state)
    assert read_clip_state(table, 4) == state
    assert read_clip_state(table, 3) == ClipState(0)


def test_two_peds_on_one_profile_share_nothing() -> None:
    """CLIP-06, LOC-13: 600 ticks at different phases; the shared clip is byte-equal afterwards."""
    before = (WALK.loop.tracks.tobytes(), WALK.loop.root.tobytes(), WALK.loop.distance)
    walker = ClipState(0, LOOP)
    waiting = ClipState(0, LOOP, cycle_time=0.5)
    for _ in range(600):
        walker = propose_loop(WALK, walker, 130.0, DT, math.inf).new_state
        waiting = advance_loop(WALK, waiting, 0.0)
    assert waiting.cycle_time == 0.5
    # 600 ticks of 130 / 60 cm are 1300 cm: 9.2857 s at 140 cm/s, 8 cycles of 1.1 s and 0.4857 s.
    assert walker.cycle_time == pytest.approx(0.485714, abs=1e-6)
    assert (WALK.loop.tracks.tobytes(), WALK.loop.root.tobytes(), WALK.loop.distance) == before


def test_changing_one_peds_profile_changes_no_other() -> None:
    """LOC-13: the profile is a field of the ped's own state."""
    walker, other = ClipState(0, LOOP, cycle_time=0.1), ClipState(0, LOOP, cycle_time=0.1)
    fleeing = walker._replace(profile=1)
    assert fleeing.profile == 1
    assert other == ClipState(0, LOOP, cycle_time=0.1)
    assert WALK.desired_speed == 130.0
