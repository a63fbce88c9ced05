"""A crowd that leaves: to exits, as groups, round the fallen, pressed and pushed over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.behaviours.evacuate import TaskEvacuate, leading_task
from ai.peds.ped import Ped
from ai.ports import Impact, Polygon, Vec3
from game.world.description import PedDescription, ZoneDescription
from game.world.evacuation import pressure
from game.world.world import World
from tests.streets import ped_named, person, steps, street, until


def exit_zone(number: int, name: str, x: float, width: float = 150.0) -> ZoneDescription:
    outline = Polygon(((x, 0), (x + width, 0), (x + width, 1600), (x, 1600)))
    return ZoneDescription(number, name, "exit", outline)


def shopper(number: int, name: str, x: float, y: float, **options: str) -> PedDescription:
    made = person(number, name, x, y)
    return replace(made, model="shopper", options=dict(options))


def square(peds: Sequence[PedDescription]) -> World:
    """20 x 16 m with an exit at either end."""
    zones = (exit_zone(900, "west", 0.0), exit_zone(901, "east", 1850.0))
    return World(replace(street(peds=peds), zones=zones), strict=True)


def evacuates(ped: Ped) -> TaskEvacuate:
    task = leading_task(ped)
    assert task is not None
    return task


def test_a_fire_sends_people_to_the_exit_away_from_it_and_out() -> None:
    """A fire in the west: who stands in the middle leaves by the east, and is gone then."""
    world = square([shopper(10, "ann", 900.0, 700.0), shopper(11, "bob", 1000.0, 900.0)])
    world.fires.light(Vec3(300.0, 800.0), 350.0, steady=True)
    until(world, lambda: world.crowd.figures().left == 2, 1200)
    assert [left.exit_name for left in world.crowd.log] == ["east", "east"]
    steps(world, 2)
    assert world.peds.in_id_order() == ()
    assert world.crowd.figures().inside == 0


def test_a_level_without_exits_has_none_of_it() -> None:
    """Switched by data: the same people flee as civilians do."""
    world = World(street(peds=[shopper(10, "ann", 900.0, 700.0)]), strict=True)
    world.fires.light(Vec3(600.0, 700.0), 60.0, steady=True)
    steps(world, 240)
    assert leading_task(ped_named(world, "ann")) is None
    assert world.crowd.figures().alarmed == 0


def test_a_group_goes_where_its_leader_goes() -> None:
    """The follower stands nearer to the west exit, its leader to the east: both go east."""
    world = square(
        [
            shopper(10, "ann", 1150.0, 700.0, group="one"),
            shopper(11, "bob", 800.0, 700.0, group="one"),
        ]
    )
    world.fires.light(Vec3(900.0, 1100.0), 60.0, steady=True)
    until(world, lambda: leading_task(ped_named(world, "bob")) is not None, 240)
    until(world, lambda: world.crowd.figures().left == 2, 1500)
    assert [left.exit_name for left in world.crowd.log] == ["east", "east"]


def test_a_leader_waits_for_who_is_slow() -> None:
    """A follower at 60 cm/s is left behind: the leader stands until it has come up."""
    slow = replace(shopper(11, "bob", 700.0, 700.0, group="one"), walk_speed_cm_s=60.0)
    world = square([shopper(10, "ann", 1000.0, 700.0, group="one"), slow])
    world.fires.light(Vec3(300.0, 1000.0), 60.0, steady=True)
    ann = ped_named(world, "ann")
    until(world, lambda: leading_task(ann) is not None, 240)
    until(world, lambda: evacuates(ann).state == TaskEvacuate.State.WAIT, 600)
    until(world, lambda: evacuates(ann).state == TaskEvacuate.State.GO, 600)
    assert evacuates(ann).waited_s <= world.data.crowd.leaving.waits_s + 0.5
    until(world, lambda: world.crowd.figures().left == 2, 1800)


def test_one_turns_back_for_its_own_who_has_fallen() -> None:
    """The follower is thrown down behind its leader: that goes back, and both get out."""
    world = square(
        [
            shopper(10, "ann", 1000.0, 700.0, group="one"),
            shopper(11, "bob", 900.0, 760.0, group="one"),
        ]
    )
    world.fires.light(Vec3(300.0, 1000.0), 60.0, steady=True)
    ann, bob = ped_named(world, "ann"), ped_named(world, "bob")
    until(world, lambda: leading_task(ann) is not None, 240)
    steps(world, 30)
    world.impacts.strike(bob, Impact((-20000.0, 0.0)), ragdolls=True)
    until(world, lambda: evacuates(ann).state == TaskEvacuate.State.HELP, 240)
    until(world, lambda: world.crowd.figures().left == 2, 2400)


def pressure_alone(
    at: list[tuple[float, float]], velocity: list[tuple[float, float]], row: int, touch: float
) -> tuple[float, float, int]:
    """What presses on one body, without arrays."""
    x = y = 0.0
    count = 0
    for other in range(len(at)):
        dx, dy = at[row][0] - at[other][0], at[row][1] - at[other][1]
        apart = float(np.sqrt(dx * dx + dy * dy))
        if other == row or not 0.0 < apart < touch:
            continue
        count += 1
        way = dx / apart, dy / apart
        closing = (velocity[other][0] - velocity[row][0]) * way[0] + (
            velocity[other][1] - velocity[row][1]
        ) * way[1]
        x += max(closing, 0.0) * way[0]
        y += max(closing, 0.0) * way[1]
    return x, y, count


_NUMBERS = st.floats(-300.0, 300.0)


@given(
    st.lists(st.tuples(_NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS), min_size=1, max_size=9, unique=True)
)
def test_pressure_of_a_crowd_is_that_of_each(rows: list[tuple[float, ...]]) -> None:
    """The batch against one body after the other."""
    at = [(row[0], row[1]) for row in rows]
    velocity = [(row[2], row[3]) for row in rows]
    push, touching = pressure(np.array(at), np.array(velocity), 78.0)
    for row in range(len(rows)):
        x, y, count = pressure_alone(at, velocity, row, 78.0)
        assert push[row] == pytest.approx((x, y), abs=1e-6)
        assert touching[row] == count


def test_who_is_run_into_from_behind_is_pressed_forwards() -> None:
    """Two abreast at 300 cm/s into one who stands 60 cm ahead: 300 each, along the lines to it."""
    at = np.array([[0.0, 0.0], [-60.0, 0.0], [0.0, -60.0]])
    velocity = np.array([[0.0, 0.0], [300.0, 0.0], [0.0, 300.0]])
    push, touching = pressure(at, velocity, 78.0)
    assert push[0] == pytest.approx((300.0, 300.0))
    assert touching.tolist() == [2, 1, 1]
