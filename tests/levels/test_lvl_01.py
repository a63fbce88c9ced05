"""LVL-01: an order leads around a barricade to the side of a car."""

from __future__ import annotations

import math

import pytest

from ai.motion.movement_table import ClipPhase, MoveStatus
from ai.ports import Vec3
from game.levels.level import Level
from game.levels.map_transforms import MapTransform, Mirrored, Turned
from game.levels.transforms import transformed
from tests.levels.runs import Run, distance, near, play, shipped
from tests.levels.variants import with_thing

GOAL = Vec3(1000.0, 600.0)
START_STEP = 30
"""The cue at 0.5 s."""


@pytest.fixture(scope="module")
def level() -> Level:
    return shipped("pickup")


@pytest.fixture(scope="module")
def run(level: Level) -> Run:
    return play(level)


def test_the_level_is_as_specified(level: Level) -> None:
    """LVL-01: courier, barricade, bollard and car where the specification has them."""
    description = level.description
    things = {thing.name: thing for thing in (*description.obstacles, *description.vehicles)}
    (courier,) = description.peds
    assert (courier.name, courier.position, courier.yaw_rad) == ("courier", Vec3(200, 600), 0.0)
    assert courier.default_task == "stand"
    assert things["barricade"].position == Vec3(600, 602)
    assert things["barricade"].nav_block
    assert things["bollard"].position == Vec3(800, 522)
    assert things["bollard"].outline == (0.0, 0.0, 15.0)
    assert not things["bollard"].nav_block
    assert things["car_a"].position == Vec3(1200, 600)


def test_the_level_meets_its_own_expectations(run: Run) -> None:
    """LVL-01, LVL-09: every expectation passes, none with a warning."""
    assert run.failures() == []
    assert run.summary.passed == run.summary.total


def test_the_order_completes_in_time_and_place(run: Run) -> None:
    """LVL-01: COMPLETED by 12 s within 15 cm of (1000, 600)."""
    assert run.first("COMPLETED").step < 12 * 60
    assert run.last.order_status == "COMPLETED"
    assert near(run.last.order_goal, 1000.0, 600.0)
    assert distance(run.last, GOAL) <= 15.0


def test_nothing_had_to_be_tried_twice(run: Run) -> None:
    """LVL-01: session 1, instruction 1, failure 0, generation g0, retry_count 0."""
    walking = run.rows[START_STEP:]
    g0 = walking[0].generation
    for row in walking:
        assert (row.session, row.instruction_count, row.failure_count) == (1, 1, 0)
        assert (row.generation, row.retry_count) == (g0, 0)


def test_the_stop_pose_ends_before_arrival_and_arrival_before_completion(run: Run) -> None:
    """LVL-01, ORD-17, LOC-11: stop pose end <= ARRIVED <= COMPLETED in (step, phase) order."""
    arrived, completed = run.first("ARRIVED"), run.first("COMPLETED")
    assert arrived.when <= completed.when
    stopping = [
        row.step
        for row in run.rows
        if row.clip_phase in (ClipPhase.STOP, ClipPhase.STOP_TAIL)
        and row.movement_status is MoveStatus.WALKING
    ]
    assert stopping, "the courier never played its stop pose"
    assert stopping[-1] < arrived.step
    assert not any(row.movement_status is MoveStatus.ARRIVED for row in run.rows[: arrived.step])


def test_the_way_is_the_short_one_above_the_barricade(run: Run) -> None:
    """LVL-01, NAV-26: 858 to 930 cm; by hand 2 * hypot(359.5, 148.5) + 81 = 858.9 cm."""
    (length,) = run.paths.values()
    assert 858.0 <= length <= 930.0
    assert length == pytest.approx(2.0 * math.hypot(359.5, 148.5) + 81.0, abs=0.1)
    assert min(row.position.y for row in run.rows) < 460.0


def test_a_turned_and_stretched_car_moves_the_goal(level: Level) -> None:
    """LVL-01, ORD-08: yaw 30 degrees, scale x 1.2: goal (992.15, 480.00)."""
    variant = with_thing(level, "car_a", yaw_rad=math.radians(30.0), scale=Vec3(1.2, 1.0, 1.0))
    run = play(variant)
    assert near(run.last.order_goal, 992.15, 480.0)
    assert run.last.order_status == "COMPLETED"
    assert distance(run.last, Vec3(992.153903, 480.0)) <= 15.0
    assert (run.last.session, run.last.instruction_count, run.last.failure_count) == (1, 1, 0)


@pytest.mark.parametrize("image", [Mirrored, Turned])
def test_mirrored_and_turned_it_comes_out_the_same(level: Level, image: type[MapTransform]) -> None:
    """LVL-08: LVL-01 also passes mirrored and turned by 90 degrees (outcomes, not hashes)."""
    run = play(transformed(level, image))
    motion = image(level.description.width_cm, level.description.height_cm)
    goal = motion.place(GOAL)
    assert run.failures() == []
    assert near(run.last.order_goal, goal.x, goal.y)
    assert run.first("COMPLETED").step < 12 * 60
    (length,) = run.paths.values()
    assert 858.0 <= length <= 930.0
