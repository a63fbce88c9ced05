"""The motion stage order and sub-steps of the walk update (LOC-01, LOC-02, NAV-21)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.motion.clip_state import begin_turn, enter_phase
from ai.motion.movement_table import (
    ClipPhase,
    MoveReason,
    MoveStatus,
    StepOutcome,
    SuspendReason,
)
from ai.ports import STEP_S
from tests.ai.motion.plain_world import PlainClearance, box
from tests.ai.motion.walk_world import RUN_SPEED, WalkingPed, WalkWorld


def walking_ped(**options: object) -> WalkingPed:
    """A ped in full walk, in phase LOOP, on its way along x to (1000, 0)."""
    ped = WalkWorld().spawn(0.0, 0.0, **options)  # type: ignore[arg-type]
    ped.walk((1000.0, 0.0))
    ped.world.tick(90)
    assert ped.clip.phase is ClipPhase.LOOP
    return ped


def stays_put(ped: WalkingPed, ticks: int = 60) -> bool:
    """True if XY stays as it is, bit for bit, on each of these ticks."""
    before = ped.xy
    for _ in range(ticks):
        ped.world.tick()
        if ped.xy != before:
            return False
    return True


def test_a_suspended_ped_is_not_worked_on_at_all() -> None:
    """LOC-01 (1), NAV-14: position, yaw and clip stay bit for bit; the outcome runs no timer."""
    ped = walking_ped()
    ped.world.coordination.set_reason(ped.slot, SuspendReason.BODY, on=True)
    clip, yaw = ped.clip, ped.yaw_deg

    assert stays_put(ped)
    assert (ped.clip, ped.yaw_deg) == (clip, yaw)
    assert ped.outcome is StepOutcome.NONE


def test_a_held_ped_does_not_move() -> None:
    """LOC-01 (2), NAV-21: a command hold lets no translation through, whatever path is there."""
    ped = walking_ped()
    ped.record.hold()
    assert stays_put(ped)
    assert ped.record.path_usable
    assert ped.outcome is StepOutcome.NONE


def test_a_timed_stand_lets_no_translation_through_until_its_deadline() -> None:
    """LOC-01 (2), NAV-20: still through the 59 ticks before the deadline, moving after it."""
    ped = walking_ped()
    ped.record.stand(1.0)
    assert stays_put(ped, ticks=59)
    assert ped.moved(5) > 0.0


@pytest.mark.parametrize("end", ["cancel", "fail"])
def test_a_ped_without_live_intent_does_not_move(end: str) -> None:
    """LOC-01 (2): cancelled and failed movements are not walked on."""
    ped = walking_ped()
    if end == "cancel":
        ped.record.cancel()
    else:
        ped.record.fail(MoveReason.BLOCKED)
    assert stays_put(ped)


def test_a_ped_without_a_usable_path_does_not_move() -> None:
    """LOC-01 (3): live, but the path is still being looked for."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    ped.request((1000.0, 0.0))
    world.walk.step(STEP_S)
    assert ped.status is MoveStatus.WAITING_PATH
    assert ped.xy == (0.0, 0.0)


def test_a_turn_in_place_does_not_move() -> None:
    """LOC-01 (4): 90 deg off, the turn clip of 0.7 s changes yaw alone."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=90.0)
    ped.walk((1000.0, 0.0))
    assert stays_put(ped, ticks=42)
    assert ped.outcome is StepOutcome.TURNED
    assert ped.yaw_deg == pytest.approx(0.0, abs=1e-9)


def test_a_turn_only_tick_does_not_move() -> None:
    """LOC-01 (5): 45 deg off, three ticks turn and do not step."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=45.0)
    ped.walk((1000.0, 0.0))
    assert stays_put(ped, ticks=3)


def test_hold_comes_before_turning() -> None:
    """NAV-21: the motion stage tests the hold before the heading; the yaw stays too."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=45.0)
    ped.walk((1000.0, 0.0))
    ped.record.hold()
    world.tick(30)
    assert ped.yaw_deg == pytest.approx(45.0, abs=1e-12)


def test_a_hold_ends_a_turn_where_the_yaw_is() -> None:
    """CLIP-07: TURN goes to IDLE under a hold; the yaw reached so far stays."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=120.0)
    ped.walk((1000.0, 0.0))
    world.tick(21)
    reached = ped.yaw_deg
    ped.record.hold()
    world.tick(30)
    assert 0.0 < reached < 120.0
    assert ped.yaw_deg == reached
    assert ped.clip.phase is ClipPhase.IDLE


def test_a_movement_without_speed_stands_and_keeps_its_goal() -> None:
    """LOC-17: desired speed 0 after the movement task is swept: no step, no timer, goal kept."""
    ped = walking_ped()
    ped.record.desired_speed = 0.0
    no_progress_s = ped.record.no_progress_time
    assert stays_put(ped)
    assert ped.record.goal.x == 1000.0
    assert ped.status is MoveStatus.WALKING
    assert ped.outcome is StepOutcome.NONE
    assert ped.record.no_progress_time == no_progress_s


def test_a_ped_without_speed_leaves_its_turn() -> None:
    """CLIP-07: a turn is for a wanted step; when none is wanted any more it ends in IDLE."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=180.0)
    ped.walk((1000.0, 0.0))
    world.tick(10)
    ped.record.desired_speed = 0.0
    world.tick()
    assert ped.clip.phase is ClipPhase.IDLE


def test_an_idle_clip_goes_round() -> None:
    """CLIP-07: a standing ped's idle clip of 4 s plays on and begins anew."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    world.tick(150)
    assert ped.clip.clip_time == pytest.approx(2.5, abs=1e-9)
    world.tick(120)
    assert ped.clip.clip_time == pytest.approx(0.5, abs=1e-9)


def test_a_getup_left_over_is_reset_before_a_step() -> None:
    """CLIP-07: GETUP changes only to IDLE, so a walk begins through IDLE: two phase changes."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    ped.walk((1000.0, 0.0))
    ped.clip = ped.clip._replace(phase=ClipPhase.GETUP, clip_seq=7)
    world.tick()
    assert ped.clip.phase is ClipPhase.START
    assert ped.clip.clip_seq == 9


@pytest.mark.parametrize(
    ("dt_s", "count"), [(0.05, 1), (0.0501, 2), (0.25, 5), (STEP_S, 1), (1.0, 20)]
)
def test_elapsed_time_is_split_into_equal_parts(
    dt_s: float, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LOC-02: n = max(1, ceil(dt / 0.05 - 1e-9)) sub-steps, each told to the retry policy."""
    world = WalkWorld()
    world.spawn(0.0, 0.0)
    parts: list[float] = []
    monkeypatch.setattr(
        world.walk._retry, "after_substep", lambda _slots, part_s: parts.append(part_s)
    )
    world.walk.step(dt_s)
    assert parts == [dt_s / count] * count


def test_time_over_the_longest_is_dropped_and_counted() -> None:
    """LOC-02: 1.0 s of 2.5 s are walked, 1.5 s are dropped with a counter."""
    ped = walking_ped()
    distance = ped.moved(1, dt_s=2.5)
    assert distance == pytest.approx(130.0, abs=1e-6)
    assert ped.world.walk.dropped_s == pytest.approx(1.5)


@pytest.mark.parametrize("dt_s", [0.0, -1.0, math.nan, math.inf])
def test_time_that_is_no_time_moves_nobody(dt_s: float) -> None:
    """LOC-02: dt <= 0 or not finite: no motion, an error counter."""
    ped = walking_ped()
    before = ped.xy
    ped.world.walk.step(dt_s)
    assert ped.xy == before
    assert ped.world.walk.bad_steps == 1


def test_a_long_step_stops_at_the_wall() -> None:
    """LOC-02, section 12 no. 28: 82.5 cm a step at dt 0.25; the 20 cm wall is not entered.

    The ped stops within one sub-step of 16.5 cm before the wall's face at x = 400.
    """
    clearance = PlainClearance(box(410.0, 0.0, 20.0, 2000.0))
    world = WalkWorld(clearance=clearance)
    ped = world.spawn(0.0, 0.0, profile="run", speed=RUN_SPEED)
    ped.walk((1000.0, 0.0))
    for _ in range(20):
        world.tick(dt_s=0.25)
        assert ped.xy[0] + 30.0 <= 400.0
        assert ped.xy[1] == 0.0
    assert ped.xy[0] + 30.0 > 400.0 - 16.5


def test_long_and_short_steps_walk_the_same_way() -> None:
    """LVL-32: with motion every 15 steps (dt 0.25 s) a ped arrives at the same place."""
    arrivals = []
    for dt_s in (STEP_S, 0.25):
        world = WalkWorld(clearance=PlainClearance(box(600.0, 602.0, 20.0, 240.0)))
        ped = world.spawn(200.0, 600.0)
        ped.walk((559.5, 451.5), (640.5, 451.5), (1000.0, 600.0))
        for _ in range(600):
            world.tick(dt_s=dt_s)
            if ped.status is MoveStatus.ARRIVED:
                break
        assert ped.status is MoveStatus.ARRIVED
        arrivals.append(ped.xy)
    assert arrivals[0] == pytest.approx((1000.0, 600.0), abs=0.001)
    assert arrivals[1] == pytest.approx((1000.0, 600.0), abs=0.001)


def test_a_record_that_is_replanned_within_a_step_walks_no_further_in_it() -> None:
    """LOC-02, NAV-18: refused since long, the first sub-step replans; the others only rest."""
    world = WalkWorld(clearance=PlainClearance(box(40.0, 0.0, 20.0, 2000.0)))
    ped = world.spawn(0.0, 0.0)
    ped.walk((1000.0, 0.0))
    world.tick()
    world.table.blocked_time[ped.row] = 1.5
    world.walk.step(0.25)
    assert ped.status is MoveStatus.WAITING_PATH
    assert ped.record.retry_count == 1
    assert ped.outcome is StepOutcome.NONE


def test_an_empty_world_steps() -> None:
    """LOC-01: no present ped, nothing to do."""
    world = WalkWorld()
    world.walk.step(STEP_S)
    ped = world.spawn(0.0, 0.0)
    world.system.retire(ped.slot)
    world.walk.step(STEP_S)
    assert not world.table.present.any()


def test_velocity_is_what_the_last_substep_moved() -> None:
    """NAV-12: other peds look ahead by it: 130 cm/s in full walk, 0 once the ped stands."""
    ped = walking_ped()
    table = ped.world.table
    assert table.velocity_x[ped.slot] == pytest.approx(130.0, abs=1e-9)
    assert table.velocity_y[ped.slot] == 0.0
    ped.record.hold()
    ped.world.tick()
    assert table.velocity_x[ped.slot] == 0.0


def test_turning_states_are_copied_whole() -> None:
    """CLIP-06: entering TURN stores start yaw and angle in the ped's own state, in no clip."""
    ped = walking_ped()
    shared = [clip.root.copy() for clip in ped.world.clips.clips]
    ped.clip = begin_turn(enter_phase(ped.clip, ClipPhase.IDLE), 0.5, 1.0)
    ped.world.tick(10)
    assert ped.clip.turn_start_yaw == 0.5
    for clip, before in zip(ped.world.clips.clips, shared, strict=True):
        assert np.array_equal(clip.root, before)
        assert not clip.root.flags.writeable
