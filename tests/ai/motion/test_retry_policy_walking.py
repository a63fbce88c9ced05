"""Retry, hold and resume with the real walk update around them (NAV-07, NAV-15 to NAV-18)."""

from __future__ import annotations

import math

import pytest

from ai.motion.movement_table import (
    MoveReason,
    MoveStatus,
    PositionWriter,
    StepOutcome,
    SuspendReason,
)
from ai.ports import Vec3
from tests.ai.motion.plain_world import box, disc
from tests.ai.motion.walk_world import RUN_SPEED, WalkWorld


def walk_until_refused(world: WalkWorld, limit: int = 600) -> None:
    """Run until the first ped's step is refused for the first time."""
    for _ in range(limit):
        world.tick()
        if world.peds[0].outcome is StepOutcome.REFUSED:
            return
    raise AssertionError("no step was refused")


def test_a_sealed_passage_fails_after_three_replans_without_creeping() -> None:
    """NAV-18, LOC-06, LVL-04, section 12 (27): 366 ticks after the first refused step."""
    world = WalkWorld()
    world.clearance.add(box(400.0, 0.0, 20.0, 2000.0))
    ped = world.spawn(0.0, 0.0)
    ped.walk((1000.0, 0.0))
    generation = ped.record.generation
    walk_until_refused(world)
    place = ped.xy
    assert ped.run_until(MoveStatus.FAILED, 400) == pytest.approx(366, abs=4)
    assert ped.record.reason is MoveReason.BLOCKED
    assert ped.record.generation == generation + 3
    assert ped.record.replans_total == 3
    assert math.dist(ped.xy, place) <= 0.001


def test_a_bollard_on_the_last_leg_ends_in_failure_and_never_in_arrival() -> None:
    """NAV-07: the path end is 19.8 cm off the goal, which a bollard keeps out of reach."""
    world = WalkWorld()
    world.clearance.add(disc(1000.0, 0.0, 15.0))
    ped = world.spawn(900.0, 0.0)
    world.paths.lay(ped.row, Vec3(940.0, 0.0), Vec3(960.0, 40.0))
    ped.record.desired_speed = 130.0
    ped.request((940.0, 0.0), (986.0, 14.0))
    world.table.goals[ped.row] = Vec3(1000.0, 0.0, 0.0)
    for _ in range(1500):
        world.tick()
        assert ped.status is not MoveStatus.ARRIVED
    assert ped.status is MoveStatus.FAILED
    assert ped.record.reason in (MoveReason.BLOCKED, MoveReason.NO_PROGRESS)


def test_an_end_beside_the_goal_is_walked_to_the_goal() -> None:
    """NAV-06, NAV-07, section 12 (26): arrived within the ball, not at 19.8 cm."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    ped.request((300.0, 0.0), (486.0, 14.0))
    world.table.goals[ped.row] = Vec3(500.0, 0.0, 0.0)
    ped.run_until(MoveStatus.ARRIVED, 900)
    assert math.dist(ped.xy, (500.0, 0.0)) <= 15.0


def test_a_hold_in_front_of_a_barricade_never_enters_it() -> None:
    """LOC-12, ORD-10, section 12 (24): at 330 cm/s, 20 cm before it: displacement 0.0."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0, profile="run", speed=RUN_SPEED)
    ped.walk((3000.0, 0.0))
    while ped.xy[0] < 1000.0:
        world.tick()
    world.clearance.add(box(ped.xy[0] + 30.0 + 20.0 + 10.0, 0.0, 20.0, 400.0))
    ped.record.hold()
    assert ped.moved(600) == 0.0


def test_a_kept_path_gets_no_free_pass_after_a_continue() -> None:
    """ORD-11: a prop put on it while held stops the ped, which then replans."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    ped.walk((2000.0, 0.0))
    world.tick(60)
    generation, path = ped.record.generation, ped.record.path
    ped.record.hold()
    world.tick(30)
    world.clearance.add(box(ped.xy[0] + 100.0, 0.0, 20.0, 3000.0))
    ped.record.release_hold()
    assert (ped.record.generation, ped.record.path) == (generation, path)
    walk_until_refused(world)
    world.tick(91)
    assert ped.record.generation == generation + 1
    assert ped.record.retry_count == 1


def test_a_ped_that_was_moved_while_down_walks_on_from_there() -> None:
    """NAV-15, REC-19, REC-21: from the actual position and yaw, by a new path, to the kept goal."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    ped.walk((1000.0, 0.0))
    world.tick(120)
    world.coordination.set_reason(0, SuspendReason.BODY, True)
    for _ in range(60):
        world.table.begin_step()
        world.coordination.coordinate()
        y = float(world.table.y[0]) + 5.0
        world.table.write_position(0, float(world.table.x[0]), y, 0.0, PositionWriter.RECOVERY)
        world.walk.step(1.0 / 60.0)
        world.hand_off.step()
    world.coordination.set_reason(0, SuspendReason.BODY, False)
    assert ped.xy[1] == 300.0
    ped.run_until(MoveStatus.ARRIVED, 1200)
    assert math.dist(ped.xy, (1000.0, 0.0)) <= 15.0
    assert ped.record.retry_count == 0
