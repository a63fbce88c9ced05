"""LVL-04: the only gap is sealed; the order fails, waits for a decision and is redirected."""

from __future__ import annotations

import math

import pytest

from ai.motion.movement_table import MoveReason, MoveStatus
from ai.ports import Polygon, Vec3
from game.levels.level import Level
from game.levels.map_transforms import MapTransform, Mirrored, Turned
from game.levels.transforms import transformed
from game.world.description import ThingDescription
from tests.levels.runs import Run, distance, near, play, shipped
from tests.levels.variants import (
    with_obstacles,
    with_thing,
    without_expectations,
)

GOAL_A = Vec3(1000.0, 600.0)
GOAL_B = Vec3(400.0, 1100.0)
START = 30


@pytest.fixture(scope="module")
def level() -> Level:
    return shipped("sealed_redirect")


@pytest.fixture(scope="module")
def run(level: Level) -> Run:
    return play(level)


def first_refused_step(run: Run) -> int:
    """The first step in which a proposed step was refused."""
    return next(row.step for row in run.rows if row.blocked_time > 0.0)


def test_the_level_is_as_specified(level: Level) -> None:
    """LVL-04: wall x 690 to 710 with a gap y 480 to 720, sealed by a barricade that nav ignores."""
    things = {thing.name: thing for thing in level.description.obstacles}
    north, south = things["wall_north"], things["wall_south"]
    for wall in (north, south):
        assert isinstance(wall.outline, Polygon)
        assert {wall.position.x + x for x, _ in wall.outline.points} == {690.0, 710.0}
    assert max(north.position.y + y for _, y in north.outline.points) == 480.0
    assert min(south.position.y + y for _, y in south.outline.points) == 720.0
    assert things["barricade"].position == Vec3(700, 600)
    assert not things["barricade"].nav_block
    cars = {car.name: car for car in level.description.vehicles}
    assert cars["car_a"].position == Vec3(1200, 600)
    assert cars["car_b"].position == pytest.approx(Vec3(400, 1300))
    assert cars["car_b"].yaw_rad == pytest.approx(math.radians(90.0))


def test_the_level_meets_its_own_expectations(run: Run) -> None:
    """LVL-04, LVL-09: every expectation passes, none with a warning."""
    assert run.failures() == []
    assert run.summary.passed == run.summary.total


def test_it_tries_three_times_and_then_says_so(run: Run) -> None:
    """LVL-04, NAV-18: exactly 3 replans; FAILED(BLOCKED) 366 +- 4 steps after the first refusal."""
    failed = run.first("FAILED")
    row = run.rows[failed.step]
    assert (row.movement_status, row.movement_reason) == (MoveStatus.FAILED, MoveReason.BLOCKED)
    assert abs(failed.step - first_refused_step(run) - 366) <= 4
    retries = [row.retry_count for row in run.rows[: failed.step]]
    assert max(retries) == 3
    g0 = run.rows[START].generation
    assert row.generation == g0 + 3


def test_no_distance_is_gained_against_the_barrier(run: Run) -> None:
    """LOC-06: the place at FAILED equals that at the first refusal, to 0.001 cm."""
    refused = run.rows[first_refused_step(run)].position
    failed = run.rows[run.first("FAILED").step].position
    assert math.dist(refused, failed) <= 0.001


def test_it_waits_for_a_decision_where_it_stands(run: Run) -> None:
    """LVL-04, ORD-16: 90 +- 1 steps of AWAITING_DECISION, no motion, failure counted once."""
    waiting = run.steps_with_status("AWAITING_DECISION")
    assert abs(len(waiting) - 90) <= 1
    assert waiting == list(range(waiting[0], waiting[-1] + 1))
    assert len({run.rows[step].position for step in waiting}) == 1
    assert {row.failure_count for row in run.rows[waiting[0] :]} == {1}
    assert {row.failure_count for row in run.rows[: waiting[0]]} == {0}
    assert waiting[0] == run.first("FAILED").step


def test_the_redirect_leads_to_the_other_car(run: Run) -> None:
    """LVL-04: instruction 2, session 1, g0 + 4, failure 1; COMPLETED at B by 24 s."""
    redirected = run.steps_with_status("AWAITING_DECISION")[-1] + 1
    g0 = run.rows[START].generation
    for row in run.rows[redirected:]:
        assert (row.session, row.instruction_count, row.failure_count) == (1, 2, 1)
        assert row.generation == g0 + 4
    assert near(run.rows[redirected - 1].order_goal, GOAL_A.x, GOAL_A.y)
    assert near(run.last.order_goal, GOAL_B.x, GOAL_B.y)
    assert run.first("COMPLETED").step < 24 * 60
    assert distance(run.last, GOAL_B) <= 15.0


def test_the_barricade_is_where_it_was(run: Run) -> None:
    """LVL-04: barricade transform unchanged."""
    pose = run.poses["barricade"]
    assert (pose.position, pose.yaw_rad) == (Vec3(700.0, 600.0), 0.0)


def test_a_barricade_that_the_path_knows_fails_at_once(level: Level) -> None:
    """LVL-04 b, NAV-10, NAV-25: FAILED(NO_PATH), retry_count 0, generation g0."""
    run = play(without_expectations(with_thing(level, "barricade", nav_block=True)))
    failed = run.first("FAILED")
    row = run.rows[failed.step]
    assert row.movement_reason is MoveReason.NO_PATH
    assert row.retry_count == 0
    assert row.generation == run.rows[START].generation
    assert failed.step <= START + 5
    assert run.rows[failed.step].position == run.rows[0].position
    assert run.last.order_status == "COMPLETED"
    assert (run.last.instruction_count, run.last.failure_count) == (2, 1)


def test_a_second_sealed_goal_is_a_second_failure(level: Level) -> None:
    """LVL-04 c, ORD-16: failure_count 2, AWAITING_DECISION again."""

    def fence(object_id: int, x: float, y: float, width: float, height: float) -> ThingDescription:
        half_x, half_y = width / 2.0, height / 2.0
        return ThingDescription(
            object_id=object_id,
            name=f"seal_{object_id}",
            kind="wall",
            position=Vec3(x, y),
            yaw_rad=0.0,
            outline=Polygon(
                ((-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y))
            ),
            z_high_cm=220.0,
        )

    sealed = with_obstacles(
        level,
        fence(9001, 400.0, 1000.0, 240.0, 20.0),
        fence(9002, 290.0, 1110.0, 20.0, 240.0),
        fence(9003, 510.0, 1110.0, 20.0, 240.0),
    )
    run = play(without_expectations(sealed))
    assert run.last.order_status == "AWAITING_DECISION"
    assert run.last.failure_count == 2
    assert (run.last.session, run.last.instruction_count) == (1, 2)
    assert near(run.last.order_goal, GOAL_B.x, GOAL_B.y)


@pytest.mark.parametrize("image", [Mirrored, Turned])
def test_mirrored_and_turned_it_comes_out_the_same(level: Level, image: type[MapTransform]) -> None:
    """LVL-08: LVL-04 also passes mirrored and turned by 90 degrees (outcomes, not hashes)."""
    run = play(transformed(level, image))
    motion = image(level.description.width_cm, level.description.height_cm)
    goal = motion.place(GOAL_B)
    assert run.failures() == []
    assert near(run.last.order_goal, goal.x, goal.y)
    assert abs(run.first("FAILED").step - first_refused_step(run) - 366) <= 4
