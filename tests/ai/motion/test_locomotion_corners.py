"""Walking from corner to corner (LOC-09)."""

from __future__ import annotations

import math

import pytest

from ai.motion.movement_table import MoveStatus
from tests.ai.motion.plain_world import PlainClearance, box
from tests.ai.motion.walk_world import WalkingPed, WalkWorld


def passed_corners(ped: WalkingPed, ticks: int = 1200) -> list[tuple[float, float]]:
    """Walk to the end; where the ped stood when each corner but the last was consumed."""
    places = []
    corner = ped.record.corner
    last = len(ped.record.path) - 1
    for _ in range(ticks):
        before = ped.xy
        ped.world.tick()
        if ped.status is not MoveStatus.WALKING:
            break
        if ped.record.corner != corner and corner < last:
            places.append(before)
        corner = ped.record.corner
    assert ped.status is MoveStatus.ARRIVED, ped.xy
    return places


def test_a_right_angled_path_skips_no_corner_by_more_than_5_cm() -> None:
    """LOC-09: three points at right angles; corners are consumed within 5 cm, the last hit."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((300.0, 0.0), (300.0, 300.0), (600.0, 300.0))
    places = passed_corners(ped)
    assert len(places) == 2
    assert math.dist(places[0], (300.0, 0.0)) <= 5.0
    assert math.dist(places[1], (300.0, 300.0)) <= 5.0
    assert ped.xy == pytest.approx((600.0, 300.0), abs=0.001)


def test_a_corner_whose_next_leg_is_closed_from_there_is_walked_to() -> None:
    """LOC-09: a wall grazes the short cut, so the ped goes on to the corner itself.

    The wall's corner at (306, 29.9) leaves 30.5 cm to the path; cutting the corner 5 cm
    early would come nearer than 30 cm to it.
    """
    wall = box(306.0 - 200.0, 29.9 + 200.0, 400.0, 400.0)
    ped = WalkWorld(clearance=PlainClearance(wall)).spawn(0.0, -0.2)
    ped.walk((337.0, -0.2), (337.0, 300.0))
    places = passed_corners(ped)
    assert math.dist(places[0], (337.0, -0.2)) <= 130.0 / 60.0 + 1e-6


def test_a_passed_perpendicular_consumes_the_corner() -> None:
    """LOC-09: pushed past the corner 40 cm to the side, the ped does not go back to it."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((300.0, 0.0), (600.0, 0.0))
    ped.world.tick(60)
    ped.world.table.x[ped.slot], ped.world.table.y[ped.slot] = 300.0, 40.0
    ped.world.tick()
    assert ped.record.corner == 1


def test_a_ped_pushed_on_round_a_corner_does_not_go_back_for_it() -> None:
    """LOC-09: beyond a right-angled corner along the next leg, before its perpendicular: consumed.

    Halfway between the legs' perpendiculars is a line at 45 deg; with the next leg closed
    the corner stays.
    """
    for shape, corner in ((box(0.0, 900.0, 20.0, 20.0), 1), (box(380.0, 160.0, 200.0, 20.0), 0)):
        ped = WalkWorld(clearance=PlainClearance(shape)).spawn(0.0, 0.0)
        ped.walk((300.0, 0.0), (300.0, 900.0))
        ped.world.tick(60)
        ped.world.table.x[ped.slot], ped.world.table.y[ped.slot] = 280.0, 60.0
        ped.world.tick()
        assert ped.record.corner == corner


def test_before_the_perpendicular_a_corner_to_the_side_is_kept() -> None:
    """LOC-09: 1 cm before it and 40 cm to the side the corner still stands."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((300.0, 0.0), (600.0, 0.0))
    ped.world.tick(60)
    ped.world.table.x[ped.slot], ped.world.table.y[ped.slot] = 299.0, 40.0
    ped.world.tick()
    assert ped.record.corner == 0


def test_the_last_point_is_not_consumed_by_passing_it() -> None:
    """LOC-09: pushed beyond the end the ped goes back: the last point is reached exactly."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((300.0, 0.0))
    ped.world.tick(60)
    ped.world.table.x[ped.slot] = 340.0
    ped.run_until(MoveStatus.ARRIVED, 600)
    assert ped.xy == pytest.approx((300.0, 0.0), abs=0.001)


def test_corners_on_the_spot_are_consumed_at_once() -> None:
    """LOC-09: points where the ped stands cost no step and no turn."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((0.0, 0.0), (0.0, 0.0), (300.0, 0.0))
    assert ped.moved() > 0.0
    assert ped.record.corner == 2


def test_consumption_restarts_the_best_distance() -> None:
    """LOC-09, NAV-17: the best distance to the new corner counts from the new corner."""
    ped = WalkWorld().spawn(0.0, 0.0)
    ped.walk((100.0, 0.0), (400.0, 0.0))
    while ped.record.corner == 0:
        ped.world.tick()
    assert ped.record.best_corner_dist == pytest.approx(400.0 - ped.xy[0], abs=1e-9)
    assert ped.record.no_progress_time == 0.0


def test_a_goal_underfoot_is_arrived_at_without_a_step() -> None:
    """LOC-09, LOC-11: path of no length, idle pose: arrived in the first tick."""
    ped = WalkWorld().spawn(50.0, 50.0)
    ped.walk((50.0, 50.0))
    assert ped.moved() == 0.0
    assert ped.status is MoveStatus.ARRIVED


def test_around_the_barricade_of_the_pickup_level() -> None:
    """LVL-01: over the mitred corners of the barricade and past the bollard in the way.

    858 to 930 cm, no retry, never nearer than 30 cm to a shape.
    """
    clearance = PlainClearance(box(600.0, 602.0, 20.0, 240.0), box(800.0, 522.0, 30.0, 30.0))
    ped = WalkWorld(clearance=clearance).spawn(200.0, 600.0)
    ped.walk((559.5, 451.5), (640.5, 451.5), (1000.0, 600.0))
    while ped.status is MoveStatus.WALKING:
        ped.world.tick()
        assert clearance.circle_free(*ped.xy, 30.0 - 1e-6, 5.0, 180.0)
    assert ped.status is MoveStatus.ARRIVED
    assert ped.record.retry_count == 0
    assert 858.0 <= ped.record.travelled <= 930.0
    assert ped.xy == pytest.approx((1000.0, 600.0), abs=0.001)
