"""Steps accepted and refused, stops, arrival, speeds (LOC-08, LOC-10 to 15, CLIP-09 to 12)."""

from __future__ import annotations

import math

import pytest

from ai.motion.clip_state import ClipState
from ai.motion.movement_table import ClipPhase, MoveReason, MoveStatus, StepOutcome
from ai.ports import Vec3
from tests.ai.motion.plain_world import PlainClearance, PlainGround, box
from tests.ai.motion.walk_world import OWNER, RUN_SPEED, WALK_SPEED, WalkingPed, WalkWorld

WALL_FACE = 400.0


def before_a_wall(*, profile: str = "walk", speed: float = WALK_SPEED) -> WalkingPed:
    """A ped walking from the origin towards a long wall with its face at x = 400."""
    clearance = PlainClearance(box(WALL_FACE + 10.0, 0.0, 20.0, 4000.0))
    ped = WalkWorld(clearance=clearance).spawn(0.0, 0.0, profile=profile, speed=speed)
    ped.walk((1000.0, 0.0))
    return ped


def until_refused(ped: WalkingPed) -> ClipState:
    """Walk on until the first refused step; the clip state before it."""
    for _ in range(600):
        before = ped.clip
        ped.world.tick()
        if ped.outcome is StepOutcome.REFUSED:
            return before
    raise AssertionError(f"never refused, at {ped.xy}")


def arrived(ped: WalkingPed, ticks: int = 900) -> int:
    return ped.run_until(MoveStatus.ARRIVED, ticks)


# -- accept and refuse ---------------------------------------------------------------


def test_a_refused_step_leaves_everything_as_it_was() -> None:
    """LOC-08, CLIP-10: position, yaw, travelled and the whole clip state; reeval is set."""
    ped = before_a_wall()
    state = until_refused(ped)
    xy, yaw, travelled = ped.xy, ped.yaw_deg, ped.record.travelled
    assert ped.clip == state
    assert ped.record.measured_speed == 0.0
    ped.world.tick()
    assert (ped.xy, ped.yaw_deg, ped.record.travelled) == (xy, yaw, travelled)
    assert ped.clip == state
    assert ped.record.reeval_steer


def test_refusal_shows_the_stop_tail_after_a_tenth_of_a_second() -> None:
    """LOC-08, CLIP-07: five refused ticks leave LOOP alone, the sixth (0.1 s) shows the tail."""
    ped = before_a_wall()
    until_refused(ped)
    ped.world.tick(4)
    assert ped.clip.phase is ClipPhase.LOOP
    ped.world.tick()
    assert ped.clip.phase is ClipPhase.STOP_TAIL


def test_fifty_refused_start_steps_leave_the_clip_time() -> None:
    """CLIP-10: START is refused 50 times, with the tail put off: its clip time stays."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((1000.0, 0.0))
    ped.world.tick(20)
    start = ped.clip
    assert start.phase is ClipPhase.START
    ped.world.clearance.add(box(ped.xy[0] + 41.0, 0.0, 20.0, 4000.0))
    ped.world.table.refused_time[ped.row] = -1000.0
    for _ in range(50):
        ped.world.tick()
        assert ped.outcome is StepOutcome.REFUSED
        assert ped.clip == start


def test_a_ped_refused_from_the_first_step_never_starts() -> None:
    """LOC-08, section 12 no. 27: 1 cm before a wall START is not entered, no ground gained."""
    ped = WalkWorld(clearance=PlainClearance(box(41.0, 0.0, 20.0, 4000.0))).spawn(0.0, 0.0)
    ped.walk((1000.0, 0.0))
    for _ in range(80):
        ped.world.tick()
        assert ped.outcome is StepOutcome.REFUSED
        assert ped.clip.phase is ClipPhase.IDLE
    assert ped.clip.clip_seq == 0
    assert ped.xy == (0.0, 0.0)


def test_a_hundred_refused_ticks_advance_no_legs() -> None:
    """CLIP-09: the cycle time is what it was when the steps began to be refused."""
    ped = before_a_wall()
    state = until_refused(ped)
    ped.world.table.refused_time[ped.row] = -1000.0
    for _ in range(100):
        ped.world.table.blocked_time[ped.row] = 0.0
        ped.world.table.no_progress_time[ped.row] = 0.0
        ped.world.tick()
    assert ped.outcome is StepOutcome.REFUSED
    assert ped.clip.cycle_time == state.cycle_time


def test_legs_advance_by_accepted_ground() -> None:
    """CLIP-09: 5.5 cm accepted at reference 594.324 advances the cycle by 0.0092542 s."""
    ped = WalkWorld().spawn(0.0, 0.0, profile="run", speed=RUN_SPEED)
    ped.walk((3000.0, 0.0))
    ped.world.tick(150)
    before = ped.clip
    assert before.phase is ClipPhase.LOOP
    assert ped.moved() == pytest.approx(5.5, abs=1e-9)
    assert ped.clip.cycle_time - before.cycle_time == pytest.approx(0.0092542, abs=1e-6)


def test_accepted_steps_add_up_to_travelled() -> None:
    """LOC-08: the sum of all displacements of a run equals the record's travelled."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((400.0, 0.0), (600.0, 150.0))
    covered = 0.0
    while ped.status is MoveStatus.WALKING:
        covered += ped.moved()
    assert covered == pytest.approx(ped.record.travelled, abs=1e-6)
    assert covered == pytest.approx(650.0, abs=5.0)


def test_measured_speed_is_length_over_time() -> None:
    """LOC-08: 130 cm/s in full walk."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((1000.0, 0.0))
    ped.world.tick(120)
    assert ped.record.measured_speed == pytest.approx(130.0, abs=1e-9)


# -- speeds ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "speed", "step"), [("walk", 130.0, 2.1667), ("run", 330.0, 5.5)]
)
def test_no_step_is_longer_than_desired_speed_times_time(
    profile: str, speed: float, step: float
) -> None:
    """LOC-15: the largest step of a whole run is 2.1667 cm walking, 5.5 cm running."""
    ped = WalkWorld().spawn(0.0, 0.0, profile=profile, speed=speed)
    ped.walk((1500.0, 0.0))
    longest = 0.0
    while ped.status is MoveStatus.WALKING:
        longest = max(longest, ped.moved())
    assert longest == pytest.approx(step, abs=1e-4)
    assert longest <= speed / 60.0 + 1e-6


def test_one_ped_on_the_run_profile_changes_no_other() -> None:
    """LOC-13, section 12 no. 40: one of two who share clips goes over to run, the other not."""
    alone = WalkWorld()
    single = alone.spawn(0.0, 0.0)
    single.walk((1000.0, 0.0))
    world = WalkWorld()
    walker = world.spawn(0.0, 0.0)
    other = world.spawn(0.0, 500.0)
    walker.walk((1000.0, 0.0))
    other.walk((1000.0, 500.0))
    for tick in range(200):
        if tick == 100:
            world.table.profile[other.row] = world.clips.index("run")
            other.record.desired_speed = RUN_SPEED
        alone.tick()
        world.tick()
        assert walker.clip == single.clip
        assert walker.xy == single.xy
    assert walker.record.desired_speed == WALK_SPEED
    for clip in world.clips.clips:
        assert not clip.root.flags.writeable
        assert not clip.tracks.flags.writeable


def test_a_ped_without_profile_moves_by_plain_budget() -> None:
    """LOC-13, LOC-11: 2.1667 cm from the first tick; it arrives without a stop pose."""
    ped = WalkWorld().spawn(0.0, 0.0, profile=None)
    ped.walk((100.0, 0.0))
    assert ped.moved() == pytest.approx(130.0 / 60.0, abs=1e-9)
    assert arrived(ped) == math.ceil(100.0 / (130.0 / 60.0))
    assert ped.xy == (100.0, 0.0)


# -- travelling stop -------------------------------------------------------------------


def test_the_travelling_stop_is_scaled_once_to_the_rest_of_the_route() -> None:
    """LOC-10: run stop distance 208.01; at remaining 200.0 the scale is 0.96148.

    The accepted increments add up to 200.0 +- 0.01.
    """
    ped = WalkWorld().spawn(0.0, 0.0, profile="run", speed=RUN_SPEED)
    ped.walk((1000.0, 0.0))
    ped.world.tick(120)
    assert ped.clip.phase is ClipPhase.LOOP
    ped.world.table.x[ped.slot] = 800.0
    travelled = ped.record.travelled
    ped.world.tick()
    assert ped.clip.phase is ClipPhase.STOP
    scale = ped.clip.stop_scale
    assert scale == pytest.approx(0.96148, abs=5e-6)
    while ped.status is MoveStatus.WALKING:
        assert ped.clip.stop_scale in (scale, 0.0)
        ped.world.tick()
    assert ped.record.travelled - travelled == pytest.approx(200.0, abs=0.01)
    assert ped.xy[0] == pytest.approx(1000.0, abs=0.001)


def test_a_short_way_is_begun_before_it_is_stopped() -> None:
    """LOC-10: with 20 cm to go a step is accepted first, then STOP; scale near 20 / 35."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((20.0, 0.0))
    ped.world.tick()
    assert ped.clip.phase is ClipPhase.START
    ped.world.tick()
    assert ped.clip.phase is ClipPhase.STOP
    assert ped.clip.stop_scale == pytest.approx(20.0 / 35.0, abs=0.01)
    arrived(ped)
    assert ped.xy[0] == pytest.approx(20.0, abs=0.001)


def test_a_blocked_stop_drops_its_scale() -> None:
    """LOC-10, CLIP-07: STOP refused for 0.1 s goes to the tail; once free it starts anew."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((300.0, 0.0))
    while ped.clip.phase is not ClipPhase.STOP:
        ped.world.tick()
    barrier = ped.world.clearance.add(box(ped.xy[0] + 31.0, 0.0, 2.0, 400.0))
    ped.world.tick(6)
    assert ped.clip.phase is ClipPhase.STOP_TAIL
    assert ped.clip.stop_scale == 0.0
    ped.world.clearance.remove(barrier)
    ped.world.tick()
    assert ped.clip.phase is ClipPhase.START
    arrived(ped)
    assert ped.xy[0] == pytest.approx(300.0, abs=0.001)


def test_a_stop_that_ends_short_is_crawled_out() -> None:
    """CLIP-12: 3 cm of residue take 3 ticks at 1 cm, then the tail is played, then ARRIVED."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((300.0, 0.0))
    while ped.clip.phase is not ClipPhase.STOP:
        ped.world.tick()
    stop_s = ped.world.clips.profile(ped.clip.profile).stop.duration_s
    ped.clip = ped.clip._replace(clip_time=stop_s)
    ped.world.table.x[ped.slot] = 297.0
    assert [ped.moved() for _ in range(3)] == pytest.approx([1.0, 1.0, 1.0], abs=1e-9)
    assert ped.xy[0] == pytest.approx(300.0, abs=1e-9)
    assert ped.status is MoveStatus.WALKING
    phases = []
    while ped.status is MoveStatus.WALKING:
        assert ped.moved() == 0.0
        phases.append(ped.clip.phase)
    assert set(phases[:-1]) == {ClipPhase.STOP_TAIL}
    assert 30 <= len(phases) <= 33
    assert ped.status is MoveStatus.ARRIVED


# -- arrival ---------------------------------------------------------------------------


def test_arrival_waits_for_the_stop_pose() -> None:
    """LOC-11, section 12 no. 25: on the goal with the pose unfinished it is still WALKING."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((300.0, 0.0))
    while ped.outcome is not StepOutcome.POSING:
        ped.world.tick()
    assert ped.xy[0] == pytest.approx(300.0, abs=0.001)
    assert ped.status is MoveStatus.WALKING
    while ped.status is MoveStatus.WALKING:
        assert ped.clip.phase is ClipPhase.STOP
        assert ped.world.facts.notes == []
        ped.world.tick()
    assert ped.clip.phase is ClipPhase.IDLE
    assert ped.world.facts.notes == [(1, "ARRIVED", ped.record.generation)]
    assert ped.outcome is StepOutcome.NONE


def test_hold_during_stop_pose() -> None:
    """LOC-11: Hold 0.2 s before the pose ends: no ARRIVED while held; Continue: ARRIVED."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((300.0, 0.0))
    while ped.outcome is not StepOutcome.POSING or ped.clip.clip_time < 0.8:
        ped.world.tick()
    ped.record.hold()
    ped.world.tick(300)
    assert ped.status is MoveStatus.WALKING
    ped.record.release_hold()
    ped.world.tick()
    assert ped.status is MoveStatus.ARRIVED


def test_stand_during_stop_pose_delays_arrival() -> None:
    """LOC-11: no arrival while a timed stand is active."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((300.0, 0.0))
    while ped.outcome is not StepOutcome.POSING:
        ped.world.tick()
    ped.record.stand(2.0)
    ped.world.tick(119)
    assert ped.status is MoveStatus.WALKING
    arrived(ped, ticks=40)


def test_a_path_end_out_of_reach_of_the_goal_is_no_arrival() -> None:
    """LOC-11, NAV-07, section 12 no. 26: path consumed, 16 cm too low: refused steps."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    ped.walk((300.0, 0.0))
    world.table.goals[ped.row] = Vec3(300.0, 0.0, 16.0)
    while ped.outcome is not StepOutcome.REFUSED:
        world.tick()
    assert ped.xy[0] == pytest.approx(300.0, abs=0.001)
    world.tick(60)
    assert ped.status is MoveStatus.WALKING
    assert ped.record.blocked_time > 0.9


def test_the_arrival_ball_is_closed_at_15_cm() -> None:
    """LOC-11, NAV-06: 15.00 cm from the goal is arrived, 15.01 cm is not."""
    for off, status in ((15.0, MoveStatus.ARRIVED), (15.01, MoveStatus.WALKING)):
        world = WalkWorld()
        ped = world.spawn(0.0, 0.0)
        ped.walk((0.0, 0.0))
        world.table.goals[ped.row] = Vec3(0.0, 0.0, off)
        world.tick()
        assert ped.status is status


def test_a_blocked_last_leg_is_never_an_arrival() -> None:
    """NAV-07: the path ends 14 cm off in x and y; a bollard stands in the last leg: FAILED."""
    world = WalkWorld(clearance=PlainClearance(box(330.0, 0.0, 40.0, 4000.0)))
    ped = world.spawn(0.0, 0.0)
    ped.request((279.0, 0.0))
    world.paths.lay(ped.row, Vec3(279.0, 0.0))
    ped.record.request_goal(Vec3(293.0, 14.0), ped.record.speed_mode, OWNER)
    ticks = ped.run_until(MoveStatus.FAILED, 900)
    assert ticks > 366
    assert ped.record.reason is MoveReason.BLOCKED
    assert ("ARRIVED" in [note[1] for note in world.facts.notes]) is False


# -- commanded stop --------------------------------------------------------------------


def test_a_commanded_stop_covers_no_ground() -> None:
    """LOC-12, section 12 no. 24: Hold at 330 cm/s, 20 cm before a barricade: displacement 0.0."""
    ped = before_a_wall(profile="run", speed=RUN_SPEED)
    while ped.xy[0] + 30.0 < WALL_FACE - 20.0:
        ped.world.tick()
    assert ped.record.measured_speed == pytest.approx(330.0, abs=1e-6)
    ped.record.hold()
    assert ped.moved(300) == 0.0
    assert ped.xy[0] + 30.0 <= WALL_FACE


def test_the_run_tail_starts_at_0_688_s_and_lasts_0_712_s() -> None:
    """CLIP-11, LOC-12: tail from sample 59 of run_stop, rate 1: 0.712 s are 43 ticks."""
    ped = before_a_wall(profile="run", speed=RUN_SPEED)
    ped.world.tick(80)
    ped.record.hold()
    assert ped.clip.phase is ClipPhase.STOP_TAIL
    assert ped.clip.clip_time == pytest.approx(0.688, abs=0.0005)
    ped.world.tick(42)
    assert ped.clip.phase is ClipPhase.STOP_TAIL
    ped.world.tick()
    assert ped.clip.phase is ClipPhase.IDLE


def test_walking_on_after_a_hold_starts_from_the_tail() -> None:
    """CLIP-07: STOP_TAIL to START when a step is wanted again; the way is the same path."""
    ped = before_a_wall()
    ped.world.tick(60)
    ped.record.hold()
    ped.world.tick(5)
    ped.record.release_hold()
    ped.world.tick()
    assert ped.clip.phase is ClipPhase.START
    assert ped.outcome is StepOutcome.STEPPED


def test_a_replan_leads_to_the_tail_and_on() -> None:
    """CLIP-07, LOC-06: blocked for over 1.5 s the path is fetched anew; no ground is gained."""
    ped = before_a_wall()
    until_refused(ped)
    at = ped.xy
    ped.world.tick(200)
    assert ped.record.retry_count == 2
    assert ped.xy == at


# -- ground ----------------------------------------------------------------------------


def test_a_step_follows_the_ground_up() -> None:
    """LOC-07, LOC-08: onto a pavement 12 cm up, z is the ground's."""
    ground = PlainGround(
        [(box(0.0, 0.0, 4000.0, 4000.0), 0.0), (box(600.0, 0.0, 800.0, 800.0), 12.0)]
    )
    world = WalkWorld(ground=ground)
    ped = world.spawn(0.0, 0.0)
    ped.walk((500.0, 0.0))
    world.table.goals[ped.row] = Vec3(500.0, 0.0, 12.0)
    arrived(ped)
    assert world.table.z[ped.slot] == 12.0
