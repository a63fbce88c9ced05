"""What choosing flee points may cost in a step, and choosing that spans steps (FLEE-10)."""

from __future__ import annotations

import pytest

from ai.navigation.flee_desk import FleeDesk
from ai.navigation.flee_points import FleeRefused, GoalPoint
from ai.navigation.flee_selection import FleeSelection, select_flee_point
from ai.ports import Vec3
from game.world.clock import StepClock
from tests.ai.navigation.test_flee_points import START, THREAT, TUNING, Plane

CANDIDATES = 21


def test_one_ped_on_open_ground_chooses_in_the_same_step() -> None:
    """FLEE-10: and the choice is that of the plain selection."""
    desk = FleeDesk(StepClock(), TUNING)
    goal = desk.select("mary", START, [THREAT], Plane().ground)
    assert isinstance(goal, GoalPoint)
    assert goal == select_flee_point(START, [THREAT], Plane().ground(), TUNING)
    assert desk.spent == CANDIDATES + 1


def test_a_step_has_so_much_for_choosing_and_the_next_one_goes_on() -> None:
    """FLEE-10: three selections of 22 fit into 66; nobody is forgotten."""
    clock = StepClock()
    tight = TUNING.model_copy(update={"expansions_per_step": 3 * (CANDIDATES + 1)})
    desk = FleeDesk(clock, tight)
    waiting = list(range(10))
    served: list[int] = []
    for _ in range(6):
        before = len(waiting)
        waiting = [
            one for one in waiting if desk.select(one, START, [THREAT], Plane().ground) is None
        ]
        assert desk.spent <= tight.expansions_per_step
        served.append(before - len(waiting))
        clock.advance()
    assert served == [3, 3, 3, 1, 0, 0]
    assert desk.chosen == 10


def test_a_selection_spans_steps_and_its_answer_is_the_same() -> None:
    """FLEE-10: 1000 expansions of one search, 379 of them in the first step, 400 in a further."""
    clock, plane = StepClock(), Plane()
    plane.cost = 1000
    desk = FleeDesk(clock, TUNING)
    spent = []
    goal = None
    while goal is None:
        goal = desk.select("mary", START, [THREAT], plane.ground)
        spent.append(desk.spent)
        clock.advance()
    assert spent == [400, 400, 221]
    assert plane.searches == 1
    assert goal == select_flee_point(START, [THREAT], Plane().ground(), TUNING)


@pytest.mark.parametrize("portion", [1, 7, 400])
def test_portions_do_not_change_the_answer(portion: int) -> None:
    """FLEE-10: every candidate's path is searched for, and fails but for one."""
    plane = Plane()
    plane.cost = 23
    plane.route = lambda start, goal: (goal,) if goal.x < 0.0 else None
    selection = FleeSelection(START, [THREAT], plane.ground(), TUNING)
    used = 0
    while selection.answer is None:
        came = selection.advance(portion)
        assert came <= portion
        used += came
    assert selection.answer == select_flee_point(START, [THREAT], plane.ground(), TUNING)
    assert isinstance(selection.answer, FleeRefused)
    assert used == 23 * selection.answer.dropped["path"]


@pytest.mark.parametrize(("moved", "searches"), [(50.0, 1), (50.1, 2)])
def test_a_selection_begins_again_once_if_the_ped_has_moved(moved: float, searches: int) -> None:
    """FLEE-10: it works on frozen inputs, and restarts once beyond 50 cm."""
    clock, plane = StepClock(), Plane()
    plane.cost = 1000
    desk = FleeDesk(clock, TUNING)
    place = START
    answers = []
    for _ in range(8):
        answers.append(desk.select("mary", place, [THREAT], plane.ground))
        clock.advance()
        if answers[-1] is not None:
            break
        place = Vec3(START.x + moved, 0.0)
    goal = answers[-1]
    assert isinstance(goal, GoalPoint)
    assert plane.searches == searches
    start_x = START.x if searches == 1 else START.x + moved
    assert goal.position.x == pytest.approx(start_x + 1200.0)
    assert len(answers) == (3 if searches == 1 else 4)


def test_a_further_move_does_not_begin_it_a_third_time() -> None:
    """FLEE-10: once: who is carried along while it chooses gets its answer all the same."""
    clock, plane = StepClock(), Plane()
    plane.cost = 1000
    desk = FleeDesk(clock, TUNING)
    place, steps = START, 0
    while desk.select("mary", place, [THREAT], plane.ground) is None:
        place = Vec3(place.x + 60.0, 0.0)
        clock.advance()
        steps += 1
        assert steps < 10
    assert plane.searches == 2


def test_a_selection_that_nobody_waits_for_is_dropped() -> None:
    """FLEE-10: dropped by name, or forgotten when nobody has asked for 120 steps."""
    clock, plane = StepClock(), Plane()
    plane.cost = 1000
    desk = FleeDesk(clock, TUNING)
    for leave in ("drop", "wait"):
        assert desk.select(leave, START, [THREAT], plane.ground) is None
        if leave == "drop":
            desk.drop(leave)
        for _ in range(TUNING.forgotten_steps + 1):
            clock.advance()
        searches = plane.searches
        assert desk.select(leave, START, [THREAT], plane.ground) is None
        assert plane.searches == searches + 1, "it began anew"
