"""Turning in place, turning only, steering while moving (LOC-03), and the angle functions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.motion.movement_table import ClipPhase, MoveStatus, StepOutcome
from ai.motion.turning import facing, facings, turned, turned_all, wrap_angle, wrap_angles
from tests.ai.motion.plain_world import PlainClearance, disc
from tests.ai.motion.walk_world import WalkWorld

angles = st.floats(min_value=-20.0, max_value=20.0)
limits = st.floats(min_value=0.0, max_value=4.0)


def test_an_error_of_45_deg_turns_three_ticks_and_moves_on_the_fourth() -> None:
    """LOC-03: 41, 37, 33 deg left on ticks 1 to 3, distance 0; tick 4 turns to 29 and moves."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=45.0)
    ped.walk((1000.0, 0.0))
    left = []
    for _ in range(3):
        assert ped.moved() == 0.0
        assert ped.outcome is StepOutcome.TURNED
        left.append(ped.yaw_deg)
    assert left == pytest.approx([41.0, 37.0, 33.0], abs=1e-9)
    assert ped.moved() > 0.0
    assert ped.yaw_deg == pytest.approx(29.0, abs=1e-9)
    assert ped.outcome is StepOutcome.STEPPED


def test_an_error_of_120_deg_is_turned_by_the_clip_exactly() -> None:
    """LOC-03: progress 0.5 gives 60 deg, the end exactly 120; the clip takes 0.7 s = 42 ticks.

    Progress of the turn clip is a smoothstep, 0.5 at half its time (CLIP-01).
    """
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    goal = (1000.0 * math.cos(math.radians(120.0)), 1000.0 * math.sin(math.radians(120.0)))
    ped.walk(goal)
    world.tick(21)
    assert ped.clip.phase is ClipPhase.TURN
    assert math.degrees(ped.clip.turn_angle) == pytest.approx(120.0, abs=1e-9)
    assert ped.yaw_deg == pytest.approx(60.0, abs=0.01)
    world.tick(20)
    assert ped.clip.phase is ClipPhase.TURN
    world.tick()
    assert ped.clip.phase is ClipPhase.IDLE
    assert ped.yaw_deg == pytest.approx(120.0, abs=1e-9)
    assert ped.xy == (0.0, 0.0)
    assert ped.moved() > 0.0


def test_a_turn_takes_the_shorter_way_round() -> None:
    """LOC-03: from 170 to -170 deg it is 20 deg clockwise, steered; from 100 to -100, 160."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=100.0)
    ped.walk((1000.0 * math.cos(math.radians(-100.0)), 1000.0 * math.sin(math.radians(-100.0))))
    world.tick()
    assert math.degrees(ped.clip.turn_angle) == pytest.approx(160.0, abs=1e-9)
    world.tick(41)
    assert ped.yaw_deg == pytest.approx(-100.0, abs=1e-9)


def test_an_error_of_just_60_deg_is_no_turn_in_place() -> None:
    """LOC-03: "over 60 deg" is strict, and not a matter of rounding."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=-60.0)
    ped.walk((1000.0, 0.0))
    world.tick()
    assert ped.clip.phase is ClipPhase.IDLE
    assert ped.yaw_deg == pytest.approx(-56.0, abs=1e-9)


def test_the_target_of_a_turn_is_fixed_at_its_start() -> None:
    """LOC-03: a corner that moves during the turn is looked at when the turn is over."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=90.0)
    ped.walk((1000.0, 0.0))
    world.tick(10)
    world.table.corner_x[ped.row], world.table.corner_y[ped.row] = 0.0, 1000.0
    world.tick(32)
    assert ped.yaw_deg == pytest.approx(0.0, abs=1e-9)
    world.tick()
    assert ped.clip.phase is ClipPhase.TURN


def test_a_new_goal_turns_from_the_yaw_reached() -> None:
    """LOC-03: a request during a turn resets the clip; the next turn starts at the actual yaw."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=180.0)
    ped.walk((1000.0, 0.0))
    world.tick(21)
    reached = ped.yaw_deg
    assert abs(reached) == pytest.approx(90.0, abs=0.01)
    ped.walk((-1000.0, 0.0))
    world.tick()
    assert math.degrees(ped.clip.turn_start_yaw) == pytest.approx(reached, abs=1e-9)


def test_walking_legs_stand_still_on_a_turn_only_tick() -> None:
    """CLIP-09, section 12 no. 29: legs advance by ground covered; none is covered here."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    ped.walk((200.0, 0.0), (400.0, 200.0))
    while ped.outcome is not StepOutcome.TURNED:
        before = ped.clip
        world.tick()
    assert before.phase is ClipPhase.LOOP
    assert ped.clip == before


def test_a_walking_ped_may_turn_in_place_at_a_sharp_corner() -> None:
    """CLIP-07: LOOP to TURN when the heading error is over 60 deg, then START again."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    ped.walk((300.0, 0.0), (300.0, 300.0))
    seen = []
    for _ in range(330):
        world.tick()
        if not seen or seen[-1] is not ped.clip.phase:
            seen.append(ped.clip.phase)
    assert seen[:5] == [
        ClipPhase.START,
        ClipPhase.LOOP,
        ClipPhase.TURN,
        ClipPhase.IDLE,
        ClipPhase.START,
    ]


def test_a_sharp_corner_within_a_stop_is_turned_at_through_the_tail() -> None:
    """CLIP-07: STOP has no change to TURN; the scale is dropped with STOP_TAIL on the way."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    ped.walk((300.0, 0.0), (300.0, 20.0))
    phases = set()
    for _ in range(400):
        before = ped.clip
        world.tick()
        phases.add(ped.clip.phase)
        if before.phase is ClipPhase.STOP and ped.clip.phase is ClipPhase.TURN:
            assert ped.clip.clip_seq == before.clip_seq + 2
            assert ped.clip.stop_scale == 0.0
            break
    else:
        raise AssertionError(f"no turn within the stop; phases {phases}")
    ped.run_until(MoveStatus.ARRIVED, 400)


def test_the_last_centimetres_of_a_stop_are_not_turned_for() -> None:
    """LOC-10: 4 cm before the end, 80 deg off to the side, the stop goes on to its end."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    ped.walk((300.0, 0.0))
    while not (ped.clip.phase is ClipPhase.STOP and 300.0 - ped.xy[0] < 4.0):
        world.tick()
    world.table.yaw[ped.slot] = math.radians(80.0)
    world.tick()
    assert ped.clip.phase is ClipPhase.STOP
    assert ped.outcome is StepOutcome.STEPPED


def test_a_ped_without_clips_turns_at_the_steer_rate() -> None:
    """LOC-13: without a profile there is no turn clip: 90 deg at 4 deg a tick, moving at 30."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=90.0, profile=None)
    ped.walk((1000.0, 0.0))
    world.tick(14)
    assert ped.xy == (0.0, 0.0)
    assert ped.yaw_deg == pytest.approx(34.0, abs=1e-9)
    assert ped.moved() == pytest.approx(130.0 / 60.0, abs=1e-9)


def test_the_yaw_follows_a_side_step_only_as_far_as_it_stays_aligned() -> None:
    """LOC-04: passing a bollard by +-40 deg no tick of it turns in place or turns only."""
    world = WalkWorld(clearance=PlainClearance(disc(400.0, 0.0, 15.0)))
    ped = world.spawn(0.0, 0.0)
    ped.walk((1000.0, 0.0))
    widest = 0.0
    for _ in range(400):
        world.tick()
        assert ped.outcome is StepOutcome.STEPPED
        corner = math.degrees(math.atan2(-ped.xy[1], 1000.0 - ped.xy[0]))
        widest = max(widest, abs(ped.yaw_deg - corner))
    assert 20.0 < widest <= 30.5


@given(angles, angles, limits)
def test_turned_never_turns_further_than_asked(yaw: float, heading: float, most: float) -> None:
    """LOC-03: at most the steer rate, towards the heading, and exactly there when near enough."""
    after = turned(yaw, heading, most)
    assert abs(wrap_angle(after - yaw)) <= most + 1e-9
    left = abs(wrap_angle(heading - yaw))
    assert abs(wrap_angle(heading - after)) == pytest.approx(max(0.0, left - most), abs=1e-9)


@given(angles)
def test_wrapping_keeps_the_direction(angle: float) -> None:
    """LOC-03: within (-180, 180] deg, the same direction."""
    wrapped = wrap_angle(angle)
    assert -math.pi < wrapped <= math.pi
    assert math.cos(wrapped) == pytest.approx(math.cos(angle), abs=1e-9)
    assert math.sin(wrapped) == pytest.approx(math.sin(angle), abs=1e-9)


@given(st.lists(st.tuples(angles, angles), min_size=1, max_size=20), limits)
def test_array_twins_give_equal_bits(pairs: list[tuple[float, float]], most: float) -> None:
    """NAV-12: the batch of each angle function equals the scalar one."""
    first = np.array([a for a, _ in pairs])
    second = np.array([b for _, b in pairs])
    assert wrap_angles(first).tolist() == [wrap_angle(a) for a, _ in pairs]
    assert turned_all(first, second, most).tolist() == [turned(a, b, most) for a, b in pairs]
    assert facings(first, second, most).tolist() == [facing(a, b, most) for a, b in pairs]
