"""Choosing a point to flee to: candidates, filters, score, ties, refusal (FLEE-01 to FLEE-07)."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from ai.navigation.flee_points import (
    Fate,
    FleeGround,
    FleeRefused,
    GoalPoint,
    ThreatPoint,
    away_from,
    candidates,
)
from ai.navigation.flee_selection import select_flee_point
from ai.navigation.flee_tuning import FleeTuning
from ai.ports import FoundPath, GroundPoint, PathFailure, Vec3
from ai.tuning import load_own_form

TUNING = load_own_form(
    Path(__file__).resolve().parents[3] / "assets" / "tuning" / "flee.toml", FleeTuning
)
SAFE = 650.0
THREAT = ThreatPoint(0.0, 0.0, SAFE)
START = Vec3(400.0, 0.0)


class Plane:
    """Open ground; each answer may be replaced by a test."""

    def __init__(self) -> None:
        self.shift: Callable[[float, float], float | None] = lambda x, y: 0.0
        self.free: Callable[[float, float], bool] = lambda x, y: True
        self.route: Callable[[Vec3, Vec3], Sequence[Vec3] | None] = lambda start, goal: (goal,)
        self.cost = 1
        self.searches = 0
        self.version = 1

    def project(self, x: float, y: float, max_shift_cm: float) -> GroundPoint | None:
        shift = self.shift(x, y)
        if shift is None or shift > max_shift_cm:
            return None
        return GroundPoint(x, y, 0.0, 1.0, shift, "pavement")

    def circle_free(self, x: float, y: float, radius: float, low: float, high: float) -> bool:
        assert (radius, low, high) == (30.0, 5.0, 180.0)
        return self.free(x, y)

    def begin(
        self, start: Vec3, goal: Vec3, *, expansions_max: int, ignore_costs: bool = False
    ) -> Search:
        assert ignore_costs
        self.searches += 1
        points = self.route(start, goal)
        if points is None:
            found = FoundPath(PathFailure.NO_PATH, (), 0)
        else:
            found = FoundPath(PathFailure.NONE, tuple(points), self.cost)
        return Search(found, self.cost)

    def ground(self, standing: Sequence[tuple[float, float]] = ()) -> FleeGround:
        return FleeGround(self, self, self, standing)  # type: ignore[arg-type]


class Search:
    """Ends after a number of expansions."""

    def __init__(self, found: FoundPath, cost: int) -> None:
        self._found, self._left = found, cost
        self.result: FoundPath | None = None

    def advance(self, expansions: int) -> int:
        used = min(expansions, self._left)
        self._left -= used
        if self._left == 0:
            self.result = self._found
        return used


def choose(plane: Plane, start: Vec3 = START, threat: ThreatPoint = THREAT,
           standing: Sequence[tuple[float, float]] = ()) -> GoalPoint | FleeRefused:  # fmt: skip
    return select_flee_point(start, [threat], plane.ground(standing), TUNING)


def chosen(plane: Plane, start: Vec3 = START) -> GoalPoint:
    goal = choose(plane, start)
    assert isinstance(goal, GoalPoint)
    return goal


def test_a_threat_is_not_a_goal() -> None:
    """FLEE-01: different types with different shapes."""
    assert not isinstance(THREAT, (GoalPoint, Vec3))
    assert not hasattr(THREAT, "z")


def test_on_the_threat_it_goes_along_x() -> None:
    """FLEE-02: start on the threat: (start.x + 1200, start.y), score 1140."""
    goal = chosen(Plane(), Vec3(0.0, 0.0))
    assert goal.position == Vec3(1200.0, 0.0)
    assert goal.score == pytest.approx(1140.0)


def test_the_candidate_list() -> None:
    """FLEE-03: begins (1150, 0), (1350, 0), (1600, 0), (1049.52, 375); 21; 14 of two lengths."""
    points = candidates(START, [THREAT], TUNING)
    assert len(points) == 21
    assert points[:3] == [(1150.0, 0.0), (1350.0, 0.0), (1600.0, 0.0)]
    assert points[3] == pytest.approx((1049.519, 375.0), abs=1e-3)
    fewer = TUNING.model_copy(update={"beyond_safe_cm": [100.0, 300.0]})
    assert len(candidates(START, [THREAT], fewer)) == 14


@pytest.mark.parametrize(("shift", "kept"), [(50.0, True), (50.1, False)])
def test_filter_1_projection(shift: float, kept: bool) -> None:
    """FLEE-04 (1): a shift of 50 cm inclusive."""
    plane = Plane()
    plane.shift = lambda x, y: shift
    reply = choose(plane)
    assert bool(reply) is kept
    if not kept:
        assert reply == FleeRefused({"surface": 21})


def test_filter_2_standing_room() -> None:
    """FLEE-04 (2): 30 cm clear, 63 cm from standing peds."""
    plane = Plane()
    plane.free = lambda x, y: x < 1590.0
    assert chosen(plane).position.x < 1590.0
    crowded = choose(Plane(), standing=[(1600.0, 62.9)])
    assert isinstance(crowded, GoalPoint)
    assert crowded.position != Vec3(1600.0, 0.0)
    roomy = choose(Plane(), standing=[(1600.0, 63.0)])
    assert isinstance(roomy, GoalPoint)
    assert roomy.position == Vec3(1600.0, 0.0)


@pytest.mark.parametrize(("x", "kept"), [(680.0, False), (680.01, True)])
def test_filter_3_distance_is_strict(x: float, kept: bool) -> None:
    """FLEE-04 (3): exactly 680.0 at safe 650 is dropped, 680.01 kept."""

    class Ledge(Plane):
        """All ground ends here."""

        def project(self, _x: float, _y: float, max_shift_cm: float) -> GroundPoint:
            return GroundPoint(x, 0.0, 0.0, 1.0, 0.0, "pavement")

    reply = choose(Ledge())
    assert bool(reply) is kept
    if not kept:
        assert reply == FleeRefused({"distance": 21})


@pytest.mark.parametrize(("cost", "kept"), [(2048, True), (2049, False)])
def test_filter_4_expansions(cost: int, kept: bool) -> None:
    """FLEE-04 (4): a route that needs 2049 expansions is dropped."""
    plane = Plane()
    plane.cost = cost
    reply = choose(plane)
    assert bool(reply) is kept
    if not kept:
        assert reply == FleeRefused({"path": 21})


def test_filter_5_no_fleeing_past_the_threat() -> None:
    """FLEE-04 (5): 300 cm inside an alley, every route passes at 200 cm, below 240: refused."""
    plane = Plane()
    plane.route = lambda start, goal: (Vec3(0.0, 200.0), goal)
    assert choose(plane, Vec3(300.0, 0.0)) == FleeRefused({"danger": 21})
    plane.route = lambda start, goal: (Vec3(240.0, 0.0), Vec3(240.0, 300.0), goal)
    assert choose(plane, Vec3(300.0, 0.0))


TABLE = {
    0: (1112.50, 1302.50, 1540.00),
    30: (1077.00, 1264.25, 1499.29),
    60: (973.69, 1153.54, 1382.22),
    90: (812.50, 983.28, 1204.91),
}


@pytest.mark.parametrize("angle", TABLE)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("length", range(3))
def test_the_score_table(angle: int, sign: int, length: int) -> None:
    """FLEE-05: open plane, ped (400, 0), threat (0, 0), safe 650, to 0.01."""
    one = TUNING.model_copy(
        update={
            "angles_deg": [float(sign * angle)],
            "beyond_safe_cm": [TUNING.beyond_safe_cm[length]],
        }
    )
    goal = select_flee_point(START, [THREAT], Plane().ground(), one)
    assert isinstance(goal, GoalPoint)
    assert goal.score == pytest.approx(TABLE[angle][length], abs=0.01)


def test_the_choice_on_the_plane() -> None:
    """FLEE-05, FLEE-10: (1600, 0), found with one search."""
    plane = Plane()
    assert chosen(plane).position == Vec3(1600.0, 0.0)
    assert plane.searches == 1


@pytest.mark.parametrize("mirrored", [False, True])
def test_ties_keep_the_earlier(mirrored: bool) -> None:
    """FLEE-06: the 0 degree row blocked: +30/1200 wins over -30/1200, mirrored too."""
    plane = Plane()
    plane.free = lambda x, y: abs(y) > 1.0
    if mirrored:
        plane.route = lambda start, goal: (Vec3(goal.x, goal.y, goal.z),)
    assert chosen(plane).position[:2] == pytest.approx((1439.23, 600.00), abs=0.01)


def test_a_refusal_is_falsy_and_counts_by_filter() -> None:
    """FLEE-07: no unchecked substitute."""
    plane = Plane()
    plane.route = lambda start, goal: None
    reply = choose(plane)
    assert not reply
    assert reply == FleeRefused({"path": 21})


def test_pruned_equals_plain() -> None:
    """FLEE-10: 300 random routes: the same choice as looking at every candidate."""
    stream = random.Random(3)
    for _ in range(300):
        start = Vec3(stream.uniform(-500, 500), stream.uniform(-500, 500))
        detours = [stream.choice([0.0, 0.0, 150.0, 900.0]) for _ in range(21)]
        missing = {index for index in range(21) if stream.random() < 0.4}
        points = candidates(start, [THREAT], TUNING)
        plane = Plane()

        def index_of(goal: Vec3, points: list[tuple[float, float]] = points) -> int:
            return min(range(21), key=lambda number: math.dist(points[number], goal[:2]))

        def route(
            start: Vec3,
            goal: Vec3,
            detours: list[float] = detours,
            missing: set[int] = missing,
            index_of: Callable[[Vec3], int] = index_of,
        ) -> Sequence[Vec3] | None:
            index = index_of(goal)
            if index in missing:
                return None
            out = Vec3(goal.x + (goal.x - start.x) / 9, goal.y + (goal.y - start.y) / 9)
            return (out, goal) if detours[index] > 500.0 else (goal,)

        plane.route = route
        best: tuple[float, int] | None = None
        for index, (x, y) in enumerate(points):
            distance = math.hypot(x, y)
            found = route(start, Vec3(x, y))
            if found is None or not distance > SAFE + 30.0:
                continue
            way = [start[:2], *(point[:2] for point in found)]
            length = sum(math.dist(one, two) for one, two in pairwise(way))
            score = round(distance - 0.05 * length, 6)
            if best is None or score > best[0]:
                best = (score, index)
        reply = choose(plane, start)
        if best is None:
            assert isinstance(reply, FleeRefused)
        else:
            assert isinstance(reply, GoalPoint)
            assert index_of(reply.position) == best[1]


# -- several threats -----------------------------------------------------------------------

BEHIND = ThreatPoint(-200.0, 0.0, SAFE)
ABOVE = ThreatPoint(0.0, -400.0, SAFE)
HERE = Vec3(0.0, 0.0)


def test_two_threats_count_by_their_nearness() -> None:
    """FLEE-09: weights 1/200 and 1/400 give (2, 1) / sqrt 5; both distances; score 1321.78."""
    away = away_from(HERE, [BEHIND, ABOVE], TUNING)
    assert away == pytest.approx((0.894427, 0.447214), abs=1e-6)
    goal = select_flee_point(HERE, [BEHIND, ABOVE], Plane().ground(), TUNING)
    assert isinstance(goal, GoalPoint)
    assert goal.position[:2] == pytest.approx((1073.313, 536.656), abs=1e-3)
    assert goal.score == pytest.approx(1321.78, abs=0.01)


def test_a_candidate_must_be_clear_of_every_threat() -> None:
    """FLEE-09: -60/750 lies 626.0 from the upper one, under 680."""
    goal = select_flee_point(HERE, [BEHIND, ABOVE], Plane().ground(), TUNING)
    assert isinstance(goal, GoalPoint)
    views = {(view.angle_deg, view.length_cm): view for view in goal.views}
    close = views[(-60.0, 750.0)]
    assert close.fate is Fate.DISTANCE
    assert math.hypot(close.x, close.y + 400.0) == pytest.approx(626.0, abs=0.1)
    assert views[(0.0, 1200.0)].fate is Fate.CHOSEN


def test_threats_on_both_sides_are_left_sideways() -> None:
    """FLEE-09: away from the nearest, turned by +90 degrees; of equals the first."""
    left, right = ThreatPoint(-300.0, 0.0, SAFE), ThreatPoint(300.0, 0.0, SAFE)
    assert away_from(HERE, [left, right], TUNING) == pytest.approx((0.0, 1.0))
    nearer = ThreatPoint(299.9999, 0.0, SAFE)
    assert away_from(HERE, [left, nearer], TUNING) == pytest.approx((0.0, -1.0))


def test_every_threat_has_its_own_safe_distance() -> None:
    """FLEE-09: lengths by the largest; the score by the distance beyond each one's own.

    From (0, 0): 1200 along x is 1200 from the near threat (safe 650: 550 beyond) and 1500
    from the far one (safe 100: 1400 beyond). 550 + 650 - 0.05 * 1200 = 1140.
    """
    near, far = ThreatPoint(0.0, 0.0, 650.0), ThreatPoint(-300.0, 0.0, 100.0)
    goal = select_flee_point(HERE, [near, far], Plane().ground(), TUNING)
    assert isinstance(goal, GoalPoint)
    assert goal.position[:2] == pytest.approx((1200.0, 0.0))
    assert goal.score == pytest.approx(1140.0)


def test_a_route_may_pass_no_threat() -> None:
    """FLEE-09, FLEE-04 (5): the second threat stands 400 off; a way within 320 of it is out."""
    plane = Plane()
    plane.route = lambda start, goal: (Vec3(0.0, -100.0), goal)
    refused = select_flee_point(HERE, [BEHIND, ABOVE], plane.ground(), TUNING)
    assert isinstance(refused, FleeRefused)
    assert refused.dropped["danger"] > 0
    assert select_flee_point(HERE, [BEHIND], plane.ground(), TUNING)


def test_without_a_threat_there_is_no_question() -> None:
    """FLEE-01: one or more threats."""
    with pytest.raises(ValueError, match="nothing to flee from"):
        select_flee_point(HERE, [], Plane().ground(), TUNING)


def test_what_became_of_every_candidate_is_told() -> None:
    """FLEE-10: one search on open ground; the others can't be better and are not searched."""
    goal = chosen(Plane())
    fates = Counter(view.fate for view in goal.views)
    assert fates == {Fate.CHOSEN: 1, Fate.NOT_SEARCHED: 20}
    assert goal.route == ((400.0, 0.0), (1600.0, 0.0))
