"""LVL-02: an order is held, continued and redirected to another car."""

from __future__ import annotations

import math

import pytest

from ai.ports import Vec3
from game import Sandbox
from game.levels.level import Level
from game.levels.map_transforms import MapTransform, Mirrored, Turned
from game.levels.transforms import transformed
from tests.levels.runs import Run, distance, near, play, shipped

GOAL_A = Vec3(1000.0, 600.0)
GOAL_B = Vec3(900.0, 1100.0)
START, HOLD, CONTINUE, REDIRECT = 30, 180, 390, 480
"""Steps of the cues at 0.5, 3.0, 6.5 and 8.0 s."""


@pytest.fixture(scope="module")
def level() -> Level:
    return shipped("hold_redirect")


@pytest.fixture(scope="module")
def run(level: Level) -> Run:
    return play(level)


def test_the_level_is_as_specified(level: Level) -> None:
    """LVL-02: as LVL-01 plus car B at (900, 1300), yaw 90 degrees."""
    cars = {car.name: car for car in level.description.vehicles}
    assert cars["car_b"].position == pytest.approx(Vec3(900, 1300))
    assert cars["car_b"].yaw_rad == pytest.approx(math.radians(90.0))
    pickup = {thing.name: thing for thing in shipped("pickup").description.obstacles}
    for thing in level.description.obstacles:
        if thing.name:
            assert thing == pickup[thing.name]


def test_the_level_meets_its_own_expectations(run: Run) -> None:
    """LVL-02, LVL-09: every expectation passes, none with a warning."""
    assert run.failures() == []
    assert run.summary.passed == run.summary.total


def test_a_held_ped_does_not_drift(run: Run) -> None:
    """LVL-02, ORD-10: drift 0.0 from hold to continue, 210 steps, 3.500 s; one generation."""
    held = run.rows[HOLD:CONTINUE]
    assert len(held) == 210
    before = run.rows[HOLD - 1]
    for row in held:
        assert row.position == before.position
        assert row.order_status == "WAITING_FOR_SIGNAL"
        assert row.command_hold
    assert {row.generation for row in run.rows[HOLD - 1 : REDIRECT]} == {before.generation}
    assert run.rows[HOLD - 2].position != before.position, "it was not walking when held"


def test_it_goes_on_within_a_quarter_second(run: Run) -> None:
    """LVL-02: displacement > 0 within 0.25 s of continue."""
    before = run.rows[CONTINUE - 1].position
    assert run.rows[CONTINUE + 14].position != before
    assert run.rows[CONTINUE].order_status == "TRAVELLING"
    assert not run.rows[CONTINUE].command_hold


def test_a_redirect_is_one_more_generation_in_the_same_session(run: Run) -> None:
    """LVL-02: redirect g0 + 1; session 1, instruction 4, failure 0."""
    g0 = run.rows[START].generation
    assert run.rows[REDIRECT - 1].generation == g0
    assert {row.generation for row in run.rows[REDIRECT:]} == {g0 + 1}
    assert {row.session for row in run.rows[START:]} == {1}
    assert {row.instruction_count for row in run.rows[REDIRECT:]} == {4}
    assert {row.failure_count for row in run.rows} == {0}
    counts = [run.rows[step].instruction_count for step in (START, HOLD, CONTINUE, REDIRECT)]
    assert counts == [1, 2, 3, 4]


def test_it_ends_at_the_side_of_the_other_car(run: Run) -> None:
    """LVL-02: goal (900, 1100) from car B's transform; COMPLETED by 20 s within 15 cm."""
    assert near(run.rows[REDIRECT - 1].order_goal, GOAL_A.x, GOAL_A.y)
    assert near(run.rows[REDIRECT].order_goal, GOAL_B.x, GOAL_B.y)
    assert run.first("COMPLETED").step < 20 * 60
    assert distance(run.last, GOAL_B) <= 15.0


@pytest.mark.parametrize(
    ("moved_at_step", "goal"),
    [(REDIRECT - 60, Vec3(850.0, 1100.0)), (REDIRECT + 60, GOAL_B)],
)
def test_the_goal_comes_from_where_the_car_is_at_the_redirect(
    level: Level, moved_at_step: int, goal: Vec3
) -> None:
    """LVL-02, ORD-09: the transform is read once, when the command is accepted."""

    def move_the_car(box: Sandbox) -> None:
        if box.world.clock.step == moved_at_step:
            car = box.world.things.by_name("car_b")
            assert car is not None
            assert box.world.things.place(car.ref, Vec3(850.0, 1300.0), math.radians(90.0))

    run = play(level, before_step=move_the_car)
    assert near(run.last.order_goal, goal.x, goal.y)
    assert run.last.order_status == "COMPLETED"
    assert distance(run.last, goal) <= 15.0


@pytest.mark.parametrize("image", [Mirrored, Turned])
def test_mirrored_and_turned_it_comes_out_the_same(level: Level, image: type[MapTransform]) -> None:
    """LVL-08: LVL-02 also passes mirrored and turned by 90 degrees (outcomes, not hashes)."""
    run = play(transformed(level, image))
    motion = image(level.description.width_cm, level.description.height_cm)
    goal = motion.place(GOAL_B)
    assert run.failures() == []
    assert near(run.last.order_goal, goal.x, goal.y)
    assert distance(run.last, goal) <= 15.0
