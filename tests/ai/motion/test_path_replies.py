"""What counts as a path to walk on (NAV-05 to NAV-07, NAV-10)."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ai.motion.movement_table import MoveReason
from ai.motion.path_replies import REASON_OF_FAILURE, JudgedPath, judge_path
from ai.navigation.navigation_tuning import NavigationTuning
from ai.ports import PathFailure, Vec3
from ai.tuning import load_own_form

TUNING = load_own_form(
    Path(__file__).resolve().parents[3] / "assets" / "tuning" / "navigation.toml", NavigationTuning
)
GOAL = Vec3(1000.0, 600.0, 25.0)


def judge(*points: Vec3) -> JudgedPath:
    return judge_path(PathFailure.NONE, points, GOAL, TUNING)


def end_off_by(x: float, y: float, z: float) -> Vec3:
    return Vec3(GOAL.x + x, GOAL.y + y, GOAL.z + z)


@pytest.mark.parametrize(
    ("off", "passes"),
    [
        ((14.0, 14.0, 0.0), True),
        ((15.0, 0.0, 0.0), True),
        ((15.01, 0.0, 0.0), False),
        ((0.0, 0.0, 16.0), False),
        ((9.0, 9.0, 8.0), True),
        ((-15.0, -15.0, -15.0), True),
        ((0.0, -15.01, 0.0), False),
    ],
)
def test_the_path_end_is_checked_by_a_box(off: tuple[float, float, float], passes: bool) -> None:
    """NAV-06: the table, and the box's other sides."""
    judged = judge(Vec3(0.0, 0.0, 0.0), end_off_by(*off))
    assert judged.reason is (MoveReason.NONE if passes else MoveReason.END_OUT_OF_TOLERANCE)
    assert bool(judged.points) is passes


def test_a_path_that_ends_off_the_goal_gets_the_goal_as_last_point() -> None:
    """NAV-07: (14, 14, 0) passes the box at 19.80 cm, outside the ball."""
    end = end_off_by(14.0, 14.0, 0.0)
    assert judge(end).points == (end, GOAL)


@pytest.mark.parametrize(("off", "added"), [(0.0, False), (0.5, False), (0.51, True)])
def test_a_last_leg_under_half_a_centimetre_is_not_added(off: float, added: bool) -> None:
    """NAV-07: more than 0.5 cm (default)."""
    assert len(judge(end_off_by(off, 0.0, 0.0)).points) == (2 if added else 1)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("component", [0, 1, 2])
def test_a_point_that_is_not_finite_is_a_bad_reply(bad: float, place: int, component: int) -> None:
    """NAV-05."""
    points = [[500.0, 600.0, 25.0], list(GOAL)]
    points[place][component] = bad
    assert judge(*(Vec3(*point) for point in points)) == JudgedPath(MoveReason.BAD_REPLY, ())


def test_no_point_at_all_is_a_bad_reply() -> None:
    """NAV-05."""
    assert judge() == JudgedPath(MoveReason.BAD_REPLY, ())


@pytest.mark.parametrize(("count", "reason"), [(256, MoveReason.NONE), (257, MoveReason.BAD_REPLY)])
def test_more_than_256_points_are_a_bad_reply(count: int, reason: MoveReason) -> None:
    """NAV-05."""
    assert judge(*([GOAL] * count)).reason is reason


@pytest.mark.parametrize("failure", [failure for failure in PathFailure if failure])
def test_every_failure_of_a_request_fails_the_movement_under_its_own_name(
    failure: PathFailure,
) -> None:
    """NAV-05, NAV-10: a flag wins over the points beside it, and a partial path is a failure."""
    judged = judge_path(failure, (GOAL,), GOAL, TUNING)
    assert judged == JudgedPath(REASON_OF_FAILURE[failure], ())
    assert judged.reason.name == failure.name
