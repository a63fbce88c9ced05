"""Records that hold a steering wish instead of goal and path (LOC-18)."""

from __future__ import annotations

import math

import pytest

from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import ClipPhase, MoveStatus, StepOutcome, SuspendReason
from tests.ai.motion.plain_world import PlainClearance, PlainGround, box, disc
from tests.ai.motion.walk_scenes import table_bytes
from tests.ai.motion.walk_world import WALK_SPEED, WalkingPed, WalkWorld

STEP_CM = WALK_SPEED / 60.0


def wish(ped: WalkingPed, heading_deg: float, speed: float = WALK_SPEED) -> None:
    ped.world.table.wish_active[ped.row] = True
    ped.world.table.wish_heading[ped.row] = math.radians(heading_deg)
    ped.record.desired_speed = speed


def player(world: WalkWorld, *, yaw_deg: float = 0.0) -> WalkingPed:
    """A ped at the origin that slides and turns quickly, as the player's record does."""
    ped = world.spawn(0.0, 0.0, yaw_deg=yaw_deg)
    world.table.slides[ped.row] = True
    world.table.turn_time_limit[ped.row] = 0.15
    return ped


def test_a_wish_walks_its_heading_and_never_arrives() -> None:
    """LOC-18: straight on at walking speed; status, generation and timers stay untouched."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, yaw_deg=30.0)
    wish(ped, 30.0)
    world.tick(300)
    x, y = ped.xy
    assert math.degrees(math.atan2(y, x)) == pytest.approx(30.0, abs=1e-6)
    assert 550.0 < math.hypot(x, y) < 650.0
    assert ped.clip.phase is ClipPhase.LOOP
    assert ped.status is MoveStatus.IDLE
    assert ped.record.generation == 0
    assert world.facts.notes == []


def test_no_timer_runs_for_a_wish() -> None:
    """LOC-18, NAV-17: ten seconds against a wall: no blocked time, no replan, no failure."""
    world = WalkWorld(clearance=PlainClearance(box(61.0, 0.0, 40.0, 4000.0)))
    ped = world.spawn(0.0, 0.0)
    wish(ped, 0.0)
    world.tick(600)
    assert ped.outcome is StepOutcome.NONE
    assert ped.record.blocked_time == 0.0
    assert ped.record.no_progress_time == 0.0
    assert ped.record.replans_total == 0
    assert ped.record.measured_speed == 0.0


def test_a_player_slides_along_a_wall_at_30_degrees() -> None:
    """LOC-18: W held against a wall at 30 deg moves along it, and never into it.

    It covers the step's part along the wall, cos 30, or cos 35 for want of finer deviations.
    """
    wall = box(300.0, 0.0, 20.0, 4000.0, 60.0)
    world = WalkWorld(clearance=PlainClearance(wall))
    ped = player(world, yaw_deg=0.0)
    wish(ped, 0.0)
    world.tick(240)
    before = ped.xy
    world.tick(60)
    dx, dy = ped.xy[0] - before[0], ped.xy[1] - before[1]
    assert math.hypot(dx, dy) >= 60 * STEP_CM * math.cos(math.radians(35.0)) - 1e-6
    assert abs(math.degrees(math.atan2(dy, dx))) == pytest.approx(30.0, abs=2.0)
    assert world.clearance.circle_free(*ped.xy, 30.0 - 1e-6, 5.0, 180.0)


def test_a_player_facing_a_wall_squarely_stands() -> None:
    """LOC-18: a step has no part along a wall at 90 deg; the ped stands and does not drift."""
    world = WalkWorld(clearance=PlainClearance(box(100.0, 0.0, 60.0, 4000.0)))
    ped = player(world)
    wish(ped, 0.0)
    world.tick(60)
    assert ped.xy[0] > 40.0 - STEP_CM
    assert ped.moved(60) == 0.0
    assert ped.clip.phase is ClipPhase.IDLE


def test_a_player_at_the_edge_of_the_ground_slides_along_it_or_stands() -> None:
    """LOC-18, LOC-07: projection carries a slanting step along the edge; a square one is none."""
    world = WalkWorld(ground=PlainGround.of(box(0.0, 0.0, 200.0, 4000.0)))
    ped = player(world)
    wish(ped, 0.0)
    world.tick(120)
    assert ped.xy[0] == pytest.approx(70.0, abs=STEP_CM)
    assert ped.moved(30) == 0.0
    wish(ped, 45.0)
    world.tick(60)
    assert ped.moved(30) == pytest.approx(30 * STEP_CM * math.cos(math.radians(45.0)), abs=0.5)


def test_a_player_is_not_steered_round_things_ahead() -> None:
    """LOC-18: free steps go where the controls say, up to the bollard itself."""
    world = WalkWorld(clearance=PlainClearance(disc(200.0, 0.0, 15.0)))
    ped = player(world)
    wish(ped, 0.0)
    while ped.xy[0] < 150.0:
        world.tick()
        assert ped.xy[1] == 0.0


def test_a_task_that_steers_without_sliding_goes_round_things() -> None:
    """LOC-18: the candidate fan is laid about the wish's heading."""
    world = WalkWorld(clearance=PlainClearance(disc(200.0, 0.0, 15.0)))
    ped = world.spawn(0.0, 0.0)
    wish(ped, 0.0)
    world.tick(240)
    assert ped.xy[0] > 350.0
    assert ped.xy[1] > 0.0


def test_a_players_turn_in_place_is_cut_to_0_15_s() -> None:
    """LOC-18: 180 deg are turned in 9 ticks instead of 42; the first tick already shows it."""
    world = WalkWorld()
    ped = player(world)
    wish(ped, 180.0)
    world.tick()
    assert ped.yaw_deg > 0.0
    world.tick(7)
    assert ped.clip.phase is ClipPhase.TURN
    world.tick()
    assert ped.yaw_deg == pytest.approx(180.0, abs=1e-9)
    assert ped.xy == (0.0, 0.0)
    assert ped.moved() > 0.0


def test_the_answer_to_a_key_is_felt_within_two_frames() -> None:
    """LOC-18: from standing, facing the way: the ped has moved after the first tick."""
    world = WalkWorld()
    ped = player(world)
    world.tick(10)
    wish(ped, 0.0)
    assert ped.moved() > 0.0


def test_dropping_a_wish_plays_the_stop_without_covering_ground() -> None:
    """LOC-18, LOC-12: the stop tail is shown, displacement 0.0."""
    world = WalkWorld()
    ped = player(world)
    wish(ped, 0.0)
    world.tick(90)
    world.table.wish_active[ped.row] = False
    assert ped.moved() == 0.0
    assert ped.clip.phase is ClipPhase.STOP_TAIL
    assert ped.moved(60) == 0.0
    assert ped.clip.phase is ClipPhase.IDLE


@pytest.mark.parametrize(("heading", "ticks"), [(45.0, 12), (120.0, 42)])
def test_a_wish_without_speed_is_a_facing(heading: float, ticks: int) -> None:
    """LOC-17, LOC-18: the ped turns to it, steered or by the turn clip, and stands."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    wish(ped, heading, speed=0.0)
    world.tick(ticks)
    assert ped.yaw_deg == pytest.approx(heading, abs=1e-9)
    world.tick(60)
    assert ped.xy == (0.0, 0.0)
    assert ped.clip.phase is ClipPhase.IDLE


def test_a_wish_yields_to_the_body_and_goes_on_after_it() -> None:
    """LOC-18: knocked down with W held: nothing moves until BODY is lifted, then it walks on."""
    world = WalkWorld()
    ped = player(world)
    wish(ped, 0.0)
    world.tick(60)
    world.coordination.set_reason(ped.slot, SuspendReason.BODY, on=True)
    world.tick()
    assert ped.moved(120) == 0.0
    world.coordination.set_reason(ped.slot, SuspendReason.BODY, on=False)
    assert ped.moved(30) > 0.0


def test_a_wish_yields_to_a_higher_claim() -> None:
    """LOC-18, NAV-13: claim 50 of the general record gives way to an event movement's 70."""
    world = WalkWorld()
    ped = player(world)
    assert world.system.claims.take(ped.slot, 50, ClaimOwner.CONTROL_MOVEMENT, None, 1) is not None
    wish(ped, 0.0)
    assert ped.moved(30) > 0.0
    assert world.system.claims.take(ped.slot, 70, ClaimOwner.EVENT_MOVEMENT, None, 2) is not None
    world.tick()
    assert ped.moved(60) == 0.0
    assert world.system.claims.release(ped.slot, ClaimOwner.EVENT_MOVEMENT, 2)
    assert ped.moved(30) > 0.0


def test_a_held_wish_stands() -> None:
    """NAV-21: a command hold stops a wish like any movement."""
    world = WalkWorld()
    ped = player(world)
    wish(ped, 0.0)
    world.tick(60)
    ped.record.hold()
    assert ped.moved(60) == 0.0


def test_a_wish_goes_before_an_old_path() -> None:
    """LOC-18: a wish *instead of* goal and path: the path is not walked, no corner consumed."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    ped.walk((1000.0, 0.0))
    wish(ped, -90.0)
    world.tick(120)
    assert ped.xy[0] == pytest.approx(0.0, abs=1e-6)
    assert ped.xy[1] < -50.0
    assert ped.record.corner == 0
    assert ped.status is MoveStatus.WALKING


def test_players_slide_round_each_other_too() -> None:
    """LOC-18, LOC-07: a standing ped in the way is slid past, the spacing kept."""
    world = WalkWorld()
    ped = player(world)
    world.spawn(150.0, 40.0)
    wish(ped, 0.0)
    nearest = math.inf
    for _ in range(400):
        world.tick()
        nearest = min(nearest, math.dist(ped.xy, (150.0, 40.0)))
    assert nearest >= 63.0
    assert ped.xy[0] > 250.0


def test_the_same_recorded_input_gives_the_same_bits() -> None:
    """LOC-18: two runs of the same keys over walls and corners end in equal tables."""
    keys = [(0.0, 40), (90.0, 30), (200.0, 80), (-45.0, 100), (10.0, 60)]
    ends = []
    for _ in range(2):
        world = WalkWorld(clearance=PlainClearance(box(90.0, 30.0, 20.0, 200.0, 25.0)))
        ped = player(world)
        for heading, ticks in keys:
            wish(ped, heading)
            world.tick(ticks)
        ends.append(table_bytes(world))
    assert ends[0] == ends[1]
