"""What choosing flee points may cost in a step (FLEE-10)."""

from __future__ import annotations

from ai.navigation.flee_desk import FleeDesk
from ai.navigation.flee_points import GoalPoint, select_flee_point
from game.world.clock import StepClock
from tests.ai.navigation.test_flee_points import START, THREAT, TUNING, Plane


def test_one_ped_on_open_ground_chooses_in_the_same_step() -> None:
    """FLEE-10: and the choice is that of the plain selection."""
    desk = FleeDesk(StepClock(), TUNING)
    ground = Plane().ground()
    goal = desk.select(START, [THREAT], ground)
    assert isinstance(goal, GoalPoint)
    assert goal == select_flee_point(START, [THREAT], ground, TUNING)


def test_a_step_has_so_much_for_choosing_and_the_next_one_goes_on() -> None:
    """FLEE-10: the first that passes the budget is the last of its step; nobody is forgotten."""
    clock = StepClock()
    work: list[int] = []
    select_flee_point(START, [THREAT], Plane().ground(), TUNING, work)
    each = sum(work)
    assert each >= len(TUNING.angles_deg) * len(TUNING.beyond_safe_cm)
    tight = TUNING.model_copy(update={"expansions_per_step": 3 * each})
    desk = FleeDesk(clock, tight)
    waiting = list(range(10))
    served: list[int] = []
    for _ in range(6):
        before = len(waiting)
        waiting = [one for one in waiting if desk.select(START, [THREAT], Plane().ground()) is None]
        served.append(before - len(waiting))
        clock.advance()
    assert served == [3, 3, 3, 1, 0, 0]
    assert desk.chosen == 10
