"""Following a goal that moves: the record's side (NAV-24)."""

from __future__ import annotations

import math

import pytest

from ai.motion.clip_state import ClipState, read_clip_state, write_clip_state
from ai.motion.movement_table import ClipPhase, MoveReason, MoveStatus
from ai.ports import PathFailure, Vec3
from tests.ai.motion.movement_doubles import CLIPS, GOAL, Street

FARTHER = Vec3(1000.0, 60.0)
LOOP = ClipState(CLIPS.index("walk"), ClipPhase.LOOP, cycle_time=0.4, clip_seq=5)


def walking() -> Street:
    """On a path of one leg, with figures that nothing clears by chance."""
    street = Street()
    street.request(GOAL)
    street.tick()
    street.paths.answer(street.paths.waiting[0])
    street.tick()
    table, row = street.table, street.ped.row
    table.retry_count[row] = 2
    table.blocked_time[row] = 0.25
    table.no_progress_time[row] = 0.5
    table.stand_until[row] = 500.0
    table.command_hold[row] = True
    table.measured_speed[row] = 130.0
    write_clip_state(table, row, LOOP)
    return street


def test_a_retarget_changes_goal_generation_and_query_alone() -> None:
    """NAV-24: generation + 1, needs_path, goal; path, hold, stand, clip, retries, timers stay."""
    street = walking()
    ped = street.ped
    generation, path = ped.generation, ped.path
    assert ped.retarget(FARTHER)
    assert (ped.generation, ped.goal, ped.needs_path) == (generation + 1, FARTHER, True)
    assert (ped.path, ped.path_usable, ped.status) == (path, True, MoveStatus.WALKING)
    assert (ped.command_hold, ped.stand_until) == (True, 500.0)
    assert (ped.retry_count, ped.blocked_time, ped.no_progress_time) == (2, 0.25, 0.5)
    assert read_clip_state(street.table, ped.row) == LOOP
    assert ped.measured_speed == 130.0
    assert ped.best_corner_dist == pytest.approx(1000.0)


def test_an_outstanding_query_is_cancelled() -> None:
    """NAV-24: of two retargets in a row only the last is answered; the first reply is stale."""
    street = walking()
    street.ped.retarget(FARTHER)
    street.tick()
    first = street.paths.waiting[0]
    street.ped.retarget(Vec3(1000.0, 120.0))
    assert street.paths.cancelled[-1] == first.handle
    street.tick()
    assert [request.goal for request in street.paths.waiting] == [Vec3(1000.0, 120.0)]


def test_the_old_path_is_walked_until_the_new_one_is_there() -> None:
    """NAV-24: the new path takes over in the step of its reply."""
    street = walking()
    street.ped.retarget(FARTHER)
    street.tick()
    assert street.ped.path_usable
    assert street.ped.path[-1] == GOAL
    street.paths.answer(street.paths.waiting[0])
    street.tick()
    assert street.ped.path[-1] == FARTHER
    assert street.ped.status is MoveStatus.WALKING
    assert read_clip_state(street.table, street.ped.row).phase is ClipPhase.LOOP


def test_a_failed_reply_fails_the_movement() -> None:
    """NAV-24: as usual."""
    street = walking()
    street.ped.retarget(FARTHER)
    street.tick()
    street.paths.answer(street.paths.waiting[0], failure=PathFailure.NO_PATH)
    street.tick()
    assert (street.ped.status, street.ped.reason) == (MoveStatus.FAILED, MoveReason.NO_PATH)


def test_a_travelling_stop_is_given_up_with_its_path() -> None:
    """LOC-10, NAV-24: the scale was made for the old end; the new path starts from the tail."""
    street = walking()
    stop = LOOP._replace(phase=ClipPhase.STOP, clip_time=0.1, stop_scale=0.9)
    write_clip_state(street.table, street.ped.row, stop)
    street.ped.retarget(FARTHER)
    street.tick()
    assert read_clip_state(street.table, street.ped.row).phase is ClipPhase.STOP
    street.paths.answer(street.paths.waiting[0])
    street.tick()
    after = read_clip_state(street.table, street.ped.row)
    assert (after.phase, after.stop_scale) == (ClipPhase.STOP_TAIL, 0.0)


@pytest.mark.parametrize("goal", [Vec3(math.nan, 0.0), Vec3(0.0, math.inf), Vec3(2e6, 0.0)])
def test_a_goal_that_no_request_would_take_changes_nothing(goal: Vec3) -> None:
    """NAV-24, NAV-03."""
    street = walking()
    before = (street.ped.generation, street.ped.goal, street.ped.needs_path)
    assert not street.ped.retarget(goal)
    assert (street.ped.generation, street.ped.goal, street.ped.needs_path) == before


@pytest.mark.parametrize("ended", ["cancelled", "failed", "never begun"])
def test_an_ended_movement_is_not_revived(ended: str) -> None:
    """NAV-24, NAV-02: only a request leaves a terminal status."""
    street = Street() if ended == "never begun" else walking()
    if ended == "cancelled":
        street.ped.cancel()
    elif ended == "failed":
        street.ped.fail(MoveReason.BLOCKED)
    generation, status = street.ped.generation, street.ped.status
    assert not street.ped.retarget(FARTHER)
    assert (street.ped.generation, street.ped.status) == (generation, status)
