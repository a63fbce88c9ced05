"""Candidate directions, the side-step rule, no creeping (LOC-04, LOC-05, LOC-06)."""

from __future__ import annotations

import math

import pytest

from ai.motion.movement_table import MoveReason, MoveStatus, StepOutcome
from ai.ports import Vec3
from tests.ai.motion.plain_world import PlainClearance, box, disc
from tests.ai.motion.walk_world import WalkingPed, WalkWorld

FAR_AWAY = Vec3(100_000.0, 0.0)


def walker(*shapes: object, focus: Vec3 = Vec3(0.0, 0.0), goal_x: float = 1000.0) -> WalkingPed:
    """A ped at the origin on its way along x, with shapes in the way."""
    world = WalkWorld(clearance=PlainClearance(*shapes), focus=focus)  # type: ignore[arg-type]
    ped = world.spawn(0.0, 0.0)
    ped.walk((goal_x, 0.0))
    return ped


def suggestion_deg(ped: WalkingPed) -> float:
    return math.degrees(ped.record.steer_suggestion)


def sides_taken(ped: WalkingPed, ticks: int = 700) -> list[float]:
    """Suggestions in the order in which they changed, until arrival."""
    taken: list[float] = []
    for _ in range(ticks):
        ped.world.tick()
        now = round(suggestion_deg(ped), 6)
        if not taken or taken[-1] != now:
            taken.append(now)
        if ped.status is not MoveStatus.WALKING:
            break
    return taken


def first_refusal(ped: WalkingPed, ticks: int = 900) -> int:
    """Ticks until the first refused step."""
    for tick in range(1, ticks):
        ped.world.tick()
        if ped.outcome is StepOutcome.REFUSED:
            return tick
    raise AssertionError("never refused")


# -- when ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("focus", "near", "far"),
    [(Vec3(0.0, 0.0), 50, 0), (FAR_AWAY, 0, 10)],
)
def test_on_an_empty_plane_the_way_is_straight_and_checked_in_time(
    focus: Vec3, near: int, far: int
) -> None:
    """LOC-04: direction 0 always; one check per 0.1 s near and 0.5 s far: in 5 s 50 or 10."""
    ped = walker(focus=focus, goal_x=3000.0)
    for _ in range(300):
        ped.world.tick()
        assert ped.record.steer_suggestion == 0.0
        assert ped.xy[1] == 0.0
    assert ped.world.walk.steer_checks_near == near
    assert ped.world.walk.steer_checks_far == far


def test_near_is_within_15_m_of_the_focus() -> None:
    """LOC-04: at 1500 cm near, beyond it far."""
    for x, near in ((1500.0, 1), (1500.1, 0)):
        ped = walker(focus=Vec3(x, 0.0))
        ped.world.tick()
        assert ped.world.walk.steer_checks_near == near
        assert ped.world.walk.steer_checks_far == 1 - near


def test_an_important_ped_is_steered_as_near() -> None:
    """LOC-04: flagged important counts as near wherever the focus is."""
    ped = walker(focus=FAR_AWAY, goal_x=3000.0)
    ped.world.table.important[ped.slot] = True
    ped.world.tick(60)
    assert ped.world.walk.steer_checks_near == 10


def test_a_refused_step_is_evaluated_anew_at_once() -> None:
    """LOC-04, LOC-08: what is refused looks at all directions on each tick, far away too."""
    ped = walker(box(41.0, 0.0, 20.0, 4000.0), focus=FAR_AWAY)
    ped.world.tick(10)
    assert ped.world.walk.steer_checks_far == 10


def test_a_kept_direction_that_is_refused_is_replaced_in_the_same_tick() -> None:
    """LOC-04: between evaluations the kept direction is re-checked; a thing appears in it."""
    ped = walker(focus=FAR_AWAY, goal_x=3000.0)
    ped.world.tick(100)
    checks = ped.world.walk.steer_checks_far
    ped.world.clearance.add(disc(ped.xy[0] + 61.0, 0.0, 30.0))
    ped.world.tick()
    assert ped.world.walk.steer_checks_far == checks + 1


# -- which side ------------------------------------------------------------------------


def test_a_bollard_is_passed_by_40_deg_on_the_positive_side_first() -> None:
    """LOC-04, LOC-05: a bollard of r 15 in the line: +40 deg, then back to the aim."""
    ped = walker(disc(400.0, 0.0, 15.0))
    taken = sides_taken(ped)
    assert taken[:2] == [0.0, pytest.approx(40.0)]
    assert min(taken) >= 0.0
    assert taken[-1] == 0.0
    assert ped.status is MoveStatus.ARRIVED
    assert ped.record.retry_count == 0


def test_the_side_last_used_is_remembered_for_a_second() -> None:
    """LOC-04: a second bollard soon after is passed on the side of the first, later on +."""
    world = WalkWorld(clearance=PlainClearance(disc(400.0, 0.0, 15.0)))
    for age, sign in ((0.9, -1.0), (1.1, 1.0)):
        ped = world.spawn(0.0, 3000.0 * len(world.peds))
        y = ped.xy[1]
        world.clearance.add(disc(120.0, y, 15.0))
        ped.walk((1000.0, y))
        world.table.side_sign[ped.row] = -1
        world.table.side_age[ped.row] = age - 1.0 / 60.0
        world.tick()
        assert math.copysign(1.0, ped.record.steer_suggestion) == sign
        assert ped.record.steer_suggestion != 0.0


def test_the_smaller_deviation_comes_before_the_side() -> None:
    """LOC-04: a thing slightly to the positive side is passed by -20 rather than by +40."""
    ped = walker(disc(300.0, 25.0, 15.0))
    taken = sides_taken(ped)
    assert taken[1] == pytest.approx(-20.0)


# -- leading somewhere -------------------------------------------------------------------


def test_a_plank_is_not_walked_along() -> None:
    """LOC-05: a nav-ignored plank of 240 cm: refused, the blocked timer runs, y stays 0."""
    ped = walker(box(400.0, 0.0, 20.0, 240.0))
    first_refusal(ped)
    assert 390.0 - 30.0 - 130.0 / 60.0 <= ped.xy[0] <= 360.0
    ped.world.tick(60)
    assert ped.record.blocked_time == pytest.approx(61.0 / 60.0, abs=1e-9)
    assert ped.xy[1] == 0.0


def test_a_dead_corner_is_not_slid_into() -> None:
    """LOC-05: the straight way ends at a wall between two others: no side is tried."""
    ped = walker(
        box(400.0, 0.0, 20.0, 400.0),
        box(340.0, 200.0, 140.0, 20.0),
        box(340.0, -200.0, 140.0, 20.0),
    )
    first_refusal(ped)
    assert ped.xy[1] == 0.0


def test_the_side_rule_does_not_hold_for_peds() -> None:
    """LOC-05: a standing ped in the way is walked round although a wall behind it closes the lane.

    Nothing solid lies within 90 cm ahead when the other ped comes into sight.
    """
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    world.spawn(400.0, 0.0)
    ped.walk((1000.0, 0.0))
    nearest = math.inf
    while ped.status is MoveStatus.WALKING:
        world.tick()
        nearest = min(nearest, math.dist(ped.xy, (400.0, 0.0)))
    assert ped.status is MoveStatus.ARRIVED
    assert 63.0 <= nearest < 80.0
    assert ped.record.retry_count == 0


def test_peds_may_be_squeezed_past_where_nothing_leads_on() -> None:
    """LOC-05: hemmed in by peds, a side step that passes the commit checks is taken."""
    world = WalkWorld()
    ped = world.spawn(0.0, 0.0)
    for y in (-40.0, 140.0):
        world.spawn(64.0, y)
    ped.walk((1000.0, 0.0))
    world.tick(30)
    assert ped.record.steer_suggestion > 0.0
    assert ped.record.travelled > 0.0


def test_two_who_meet_head_on_pass_each_other_without_swinging() -> None:
    """LOC-04, LOC-07: both give way to their positive side, once; the spacing is kept."""
    world = WalkWorld()
    first = world.spawn(0.0, 0.0)
    second = world.spawn(1000.0, 0.0, yaw_deg=180.0)
    first.walk((1000.0, 0.0))
    second.walk((0.0, 0.0))
    changes = 0
    nearest = math.inf
    for _ in range(600):
        before = first.record.steer_suggestion
        world.tick()
        changes += first.record.steer_suggestion != before
        nearest = min(nearest, math.dist(first.xy, second.xy))
        assert first.xy[1] >= 0.0
        assert second.xy[1] <= 1e-9
    assert first.status is MoveStatus.ARRIVED
    assert second.status is MoveStatus.ARRIVED
    assert nearest >= 63.0
    assert changes <= 4


def test_who_walks_behind_another_does_not_step_aside() -> None:
    """LOC-04: behind one who walks the same way at the same speed nothing is in the way."""
    world = WalkWorld()
    front = world.spawn(0.0, 0.0)
    front.walk((3000.0, 0.0))
    world.tick(60)
    back = world.spawn(front.xy[0] - 80.0, 0.0)
    back.walk((2800.0, 0.0))
    for _ in range(400):
        world.tick()
        assert back.record.steer_suggestion == 0.0
    assert front.xy[0] - back.xy[0] == pytest.approx(80.0 + 42.0, abs=2.2)


# -- no creeping ---------------------------------------------------------------------------


def test_a_sealed_passage_is_given_up_where_it_was_first_refused() -> None:
    """LOC-06, NAV-18, LVL-04, section 12 no. 27: three replans gain no distance, to 0.001 cm.

    FAILED(BLOCKED) comes 366 +- 4 ticks after the first refused step.
    """
    world = WalkWorld(clearance=PlainClearance(box(700.0, 600.0, 20.0, 4000.0)))
    ped = world.spawn(200.0, 600.0)
    ped.walk((1000.0, 600.0))
    generation = ped.record.generation
    first_refusal(ped)
    at = ped.xy
    ticks = ped.run_until(MoveStatus.FAILED, 500)
    assert ped.record.reason is MoveReason.BLOCKED
    assert abs(ticks - 366) <= 4
    assert ped.record.generation == generation + 3
    assert math.dist(ped.xy, at) <= 0.001


def test_short_steps_of_a_start_are_held_to_a_full_step() -> None:
    """LOC-06: 1 cm before a wall the 0.03 cm of a start clip's first step are refused too."""
    ped = walker(box(41.0, 0.0, 20.0, 4000.0))
    ped.world.tick(600)
    assert ped.xy == (0.0, 0.0)
    assert ped.status is MoveStatus.FAILED


def test_a_new_path_gets_no_free_first_step() -> None:
    """LOC-06, ORD-11: a prop put on the kept path during a hold stops the ped at once."""
    ped = walker()
    ped.world.tick(60)
    ped.record.hold()
    ped.world.clearance.add(box(ped.xy[0] + 41.0, 0.0, 20.0, 4000.0))
    ped.world.tick(30)
    ped.record.release_hold()
    at = ped.xy
    ped.world.tick(30)
    assert ped.outcome is StepOutcome.REFUSED
    assert ped.xy == at
