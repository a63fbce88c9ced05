"""The path service and the desk: order, budget, memory, cancelling."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from ai.navigation.mesh_path_finder import MeshPathFinder
from ai.navigation.navigation_tuning import NavigationTuning
from ai.navigation.path_desk import PathDesk
from ai.navigation.path_service import PathService, QueryHandle
from ai.navigation.walk_graph import WalkGraph
from ai.ports import FoundPath, PathFailure, Vec3
from ai.tuning import load_own_form
from tests.ai.navigation.maps import TUNING, ChangingShapes, ground, map_shapes, rect

FIGURES = load_own_form(TUNING / "navigation.toml", NavigationTuning)
HERE = Vec3(0.0, 0.0)


class CountedSearch:
    """Takes ``needs`` expansions, then has its result."""

    def __init__(self, needs: int, result: FoundPath) -> None:
        self.left = needs
        self.outcome = result
        self.result: FoundPath | None = None if needs else result

    def advance(self, expansions: int) -> int:
        used = min(expansions, self.left)
        self.left -= used
        if self.left == 0:
            self.result = self.outcome
        return used


class CountedFinder:
    """Needs as many expansions as the goal's x says; goals with y < 0 end in that failure.

    A goal's region is its z, the start's is 0.
    """

    def __init__(self) -> None:
        self.version = 1
        self.begun: list[Vec3] = []

    def begin(
        self, start: Vec3, goal: Vec3, *, expansions_max: int, ignore_costs: bool = False
    ) -> CountedSearch:
        self.begun.append(goal)
        failure = PathFailure(round(-goal.y)) if goal.y < 0.0 else PathFailure.NONE
        points = () if failure else (goal,)
        return CountedSearch(round(goal.x), FoundPath(failure, points, round(goal.x)))

    def path_end(self, goal: Vec3) -> Vec3 | None:
        return goal

    def regions(self, start: Vec3, goal: Vec3) -> tuple[int, int]:
        return (0, round(goal.z))


def service(finder: CountedFinder | None = None, **changes: object) -> PathService:
    tuning = FIGURES.model_copy(update=changes)
    return PathService(finder or CountedFinder(), tuning)


def submit(paths: PathService, row: int, goal: Vec3) -> QueryHandle | None:
    return paths.submit(row, 7, HERE, goal, expansions_max=8192)


def submit_all(paths: PathService, goals: Sequence[Vec3]) -> None:
    for row, goal in enumerate(goals):
        assert submit(paths, row, goal) is not None


def failing(failure: PathFailure, *, needs: int = 60, region: int = 9) -> Vec3:
    return Vec3(needs, -float(failure), region)


# -- order and budget --------------------------------------------------------------


def test_a_submit_answers_nothing_and_begins_nothing() -> None:
    """NAV-08: never inline; the earliest answer is that of the next process()."""
    finder = CountedFinder()
    paths = service(finder)
    handle = submit(paths, 3, Vec3(60, 0))
    assert finder.begun == []
    assert len(paths) == 1
    (reply,) = paths.process()
    assert reply == (handle, 3, 7, PathFailure.NONE, (Vec3(60, 0),))
    assert len(paths) == 0
    assert paths.process() == []


def test_1000_requests_of_60_expansions_are_answered_in_order_within_76_steps() -> None:
    """NAV-09: 60,000 expansions at 800 a step are 75 steps."""
    paths = service()
    submit_all(paths, [Vec3(60, 0)] * 1000)
    rows: list[int] = []
    steps = 0
    while len(paths):
        steps += 1
        rows += [reply.row for reply in paths.process()]
        assert steps <= 76
    assert rows == list(range(1000))
    assert steps == 75


def test_a_long_search_goes_on_in_the_next_step_and_holds_its_place() -> None:
    """NAV-09: 2000 expansions take three steps; the short one behind it waits."""
    paths = service()
    submit_all(paths, [Vec3(2000, 0), Vec3(10, 0)])
    assert [[reply.row for reply in paths.process()] for _ in range(3)] == [[], [], [0, 1]]


def test_at_least_one_request_advances_each_step() -> None:
    """NAV-09: also with the smallest budget."""
    paths = service(expansions_per_step=1)
    submit_all(paths, [Vec3(3, 0), Vec3(1, 0)])
    assert [[reply.row for reply in paths.process()] for _ in range(4)] == [[], [], [0], [1]]


def test_requests_that_cost_nothing_do_not_flood_a_step() -> None:
    """NAV-09, F29: each costs at least one expansion of the step's budget."""
    paths = service()
    submit_all(paths, [failing(PathFailure.START_OFF_SURFACE, needs=0)] * 1000)
    assert len(paths.process()) == 800
    assert len(paths.process()) == 200


def test_a_full_queue_refuses_until_there_is_room() -> None:
    """NAV-09: queue of 4; cancelled requests make room as answered ones do."""
    paths = service(queue_size=4)
    handles = [submit(paths, row, Vec3(800, 0)) for row in range(4)]
    assert submit(paths, 4, Vec3(800, 0)) is None
    assert handles[2] is not None
    assert paths.cancel(handles[2])
    assert submit(paths, 4, Vec3(800, 0)) is not None
    assert submit(paths, 5, Vec3(800, 0)) is None
    assert [reply.row for reply in paths.process()] == [0]
    assert submit(paths, 5, Vec3(800, 0)) is not None


# -- cancelling --------------------------------------------------------------------


def test_a_cancelled_request_is_never_answered() -> None:
    """NAV-04: before it begins, and while its search is in progress."""
    finder = CountedFinder()
    paths = service(finder)
    running = submit(paths, 0, Vec3(2000, 0))
    waiting = submit(paths, 1, Vec3(60, 0))
    submit(paths, 2, Vec3(30, 0))
    assert paths.process() == []
    assert running is not None
    assert waiting is not None
    assert paths.cancel(running)
    assert paths.cancel(waiting)
    assert [reply.row for reply in paths.process()] == [2]
    assert finder.begun == [Vec3(2000, 0), Vec3(30, 0)]


def test_cancelling_twice_or_too_late_or_the_unknown_does_nothing() -> None:
    """NAV-04: a no-op that returns False; the answer already formed stays formed."""
    paths = service()
    handle = submit(paths, 0, Vec3(60, 0))
    assert handle is not None
    replies = paths.process()
    assert not paths.cancel(handle)
    assert [reply.handle for reply in replies] == [handle]
    other = submit(paths, 0, Vec3(60, 0))
    assert other is not None
    assert other != handle
    assert paths.cancel(other)
    assert not paths.cancel(other)
    assert not paths.cancel(QueryHandle(99))
    assert paths.process() == []


def test_the_desk_keeps_one_request_a_record() -> None:
    """NAV-04: a new one cancels the old; dropping one says nothing to the service."""
    paths = service()
    desk = PathDesk(paths)
    first, second = submit(paths, 5, Vec3(60, 0)), submit(paths, 5, Vec3(60, 0))
    assert first is not None
    assert second is not None
    desk.note(5, first)
    desk.note(5, second)
    assert desk.handle(5) == second
    assert len(paths) == 1
    assert desk.cancel(5)
    assert not desk.cancel(5)
    assert desk.handle(5) is None
    assert len(paths) == 0

    third = submit(paths, 5, Vec3(60, 0))
    assert third is not None
    desk.note(5, third)
    desk.drop(5)
    assert desk.handle(5) is None
    assert len(paths) == 1
    assert not desk.cancel(5)


def test_a_reply_formed_before_the_cancel_is_left_to_the_generation() -> None:
    """NAV-04: cancelling a handle does not prove that no reply exists."""
    paths = service()
    desk = PathDesk(paths)
    handle = submit(paths, 5, Vec3(60, 0))
    assert handle is not None
    desk.note(5, handle)
    (reply,) = paths.process()
    assert not desk.cancel(5)
    assert (reply.row, reply.generation) == (5, 7)


# -- memory ------------------------------------------------------------------------


def test_100_requests_for_one_unreachable_goal_take_one_search() -> None:
    """NAV-10, F29: one search, 100 failures."""
    finder = CountedFinder()
    paths = service(finder)
    submit_all(paths, [failing(PathFailure.NO_PATH)] * 100)
    replies = paths.process()
    assert len(finder.begun) == 1
    assert [reply.failure for reply in replies] == [PathFailure.NO_PATH] * 100
    assert all(reply.points == () for reply in replies)


def test_no_path_is_remembered_for_5_s() -> None:
    """NAV-10: 300 steps from the step of the failure on."""
    finder = CountedFinder()
    paths = service(finder)
    for step in range(302):
        if step in (0, 299, 300):
            submit(paths, 0, failing(PathFailure.NO_PATH))
        paths.process()
        assert len(finder.begun) == (1 if step < 300 else 2)


def test_an_opened_gate_lets_the_next_request_search() -> None:
    """NAV-10: the memory is that of one graph version."""
    finder = CountedFinder()
    paths = service(finder)
    submit(paths, 0, failing(PathFailure.NO_PATH))
    paths.process()
    finder.version += 1
    submit(paths, 0, failing(PathFailure.NO_PATH))
    paths.process()
    assert len(finder.begun) == 2


def test_other_regions_are_searched() -> None:
    """NAV-10: remembered by start and goal region."""
    finder = CountedFinder()
    paths = service(finder)
    submit_all(paths, [failing(PathFailure.NO_PATH, region=region) for region in (1, 2, 1, 2)])
    paths.process()
    assert len(finder.begun) == 2


@pytest.mark.parametrize(
    "failure",
    [
        PathFailure.PARTIAL_ONLY,
        PathFailure.START_OFF_SURFACE,
        PathFailure.GOAL_OFF_SURFACE,
        PathFailure.CAPACITY,
    ],
)
def test_only_no_path_is_remembered(failure: PathFailure) -> None:
    """NAV-10: CAPACITY never, and what a bigger budget or another step might find neither."""
    finder = CountedFinder()
    paths = service(finder)
    submit_all(paths, [failing(failure)] * 3)
    assert [reply.failure for reply in paths.process()] == [failure] * 3
    assert len(finder.begun) == 3


def test_the_oldest_memory_goes_first() -> None:
    """NAV-10: 256 entries by default, here 2."""
    finder = CountedFinder()
    paths = service(finder, no_path_entries=2)
    order = (1, 2, 3, 2, 3, 1)
    submit_all(paths, [failing(PathFailure.NO_PATH, region=region) for region in order])
    paths.process()
    assert [goal.z for goal in finder.begun] == [1, 2, 3, 1]


# -- over a real graph -------------------------------------------------------------


def test_a_bang_among_1000_peds_is_worked_off_and_nobody_waits_for_ever() -> None:
    """F29, NAV-09, NAV-10: 1,000 requests in one step, 100 of them with no way."""
    shapes = ChangingShapes(
        [ground("plaza", 0, 0, 6000, 6000)],
        [
            rect(500 + 700 * i, 500 + 700 * j, 700 + 700 * i, 800 + 700 * j)
            for i in range(7)
            for j in range(7)
        ]
        + [rect(5300, -100, 5350, 6100)],
    )
    finder = MeshPathFinder(WalkGraph(map_shapes(shapes)), FIGURES.path_end_tolerance)
    paths = PathService(finder, FIGURES)
    for row in range(1000):
        angle = row * 2.399963
        start = Vec3(2500 + 1.8 * row * math.cos(angle), 2500 + 1.8 * row * math.sin(angle))
        goal = Vec3(5700, 3000) if row % 10 == 0 else Vec3(300, 300 + 5 * row)
        assert paths.submit(row, 1, start, goal, expansions_max=8192) is not None
    answered: list[int] = []
    steps = 0
    while len(paths):
        steps += 1
        answered += [reply.row for reply in paths.process()]
        assert steps < 600
    assert answered == list(range(1000))
