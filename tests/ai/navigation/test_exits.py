"""Exits: how far, how dear, how crowded; a field against distances worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.navigation.exits import Exit, Exits, cell_costs, distances, queue_s
from ai.ports import Circle, Danger, Polygon, Vec3


def rectangle(x: float, y: float, width: float, height: float) -> Polygon:
    return Polygon(((x, y), (x + width, y), (x + width, y + height), (x, y + height)))


WEST = Exit("west", rectangle(0.0, 0.0, 100.0, 500.0), 500.0)
EAST = Exit("east", rectangle(1900.0, 0.0, 100.0, 500.0), 500.0)


def exits() -> Exits:
    return Exits([WEST, EAST], 2000.0, 500.0, lambda _x, _y: True)


def test_distances_go_eight_ways_and_never_cut_a_corner() -> None:
    """One seed, a wall beside it: (0,1) is 1 cell off, (1,1) 1 + 1 as the corner is closed."""
    free = np.ones((3, 3), dtype=np.bool_)
    free[0, 1] = False
    seeds = np.zeros((3, 3), dtype=np.bool_)
    seeds[0, 0] = True
    field = distances(free, np.ones((3, 3)), seeds)
    assert math.isinf(field[0, 1])
    assert field[1, 0] == pytest.approx(100.0)
    assert field[1, 1] == pytest.approx(200.0)
    assert field[2, 2] == pytest.approx(100.0 + 100.0 * math.sqrt(2.0) + 100.0)


def test_the_nearer_exit_is_worth_more_until_too_many_queue_there() -> None:
    """From x = 650: 600 cm west, 1300 east. 330 cm/s x n / (1.3 x 5) > 700 from 14 people on."""
    field = exits()
    assert field.effort(650.0, 250.0) == [600.0, 1300.0]
    assert field.best(650.0, 250.0) == 0
    field.heading = [13, 0]
    assert field.best(650.0, 250.0) == 0
    field.heading = [14, 0]
    assert field.best(650.0, 250.0) == 1
    assert queue_s(14, 500.0) == pytest.approx(14 / 6.5)


def test_who_is_on_the_way_changes_only_for_much_better() -> None:
    """Keep 0.75: from x = 850 it is 800 west, 1100 east: 800 is 0.73 of 1100, 900 0.9 of 1000."""
    field = exits()
    assert field.best(850.0, 250.0, present=1, keep=0.75) == 0
    assert field.best(950.0, 250.0, present=1, keep=0.75) == 1


def test_a_fire_before_an_exit_makes_it_dear() -> None:
    """25 times the cost over three columns: the other exit, though it is further."""
    field = exits()
    danger = Danger(Circle(350.0, 250.0, 400.0), 25.0, 25.0)
    for index in range(2):
        field.refresh(index, [danger])
    assert field.best(850.0, 250.0) == 1
    assert cell_costs((5, 20), [danger])[2, 3] == 25.0
    assert cell_costs((5, 20), [danger])[2, 9] == 1.0


def test_without_a_way_there_is_no_exit() -> None:
    closed = Exits([WEST], 2000.0, 500.0, lambda x, _y: not 900.0 < x < 1100.0)
    assert closed.best(1500.0, 250.0) is None
    assert closed.best(500.0, 250.0) == 0


def test_goals_lie_within_the_exit_and_beside_each_other() -> None:
    goals = {EAST.goal(number, Vec3(500.0, 250.0)) for number in range(6)}
    assert len(goals) == 6
    assert all(EAST.contains(goal.x, goal.y) for goal in goals)
