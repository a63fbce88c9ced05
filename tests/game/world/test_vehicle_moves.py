"""Vehicles under way (LVL-34): straight, steady, and halting for people."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai.ports import EntityRef, Vec3
from game.world.world import World
from tests.streets import car, person, prop, steps, street, thing


@pytest.fixture
def world() -> Iterator[World]:
    made = World(
        street(
            peds=(person(10, "anna", 1500.0, 300.0),),
            vehicles=(car(20, "car", 600.0, 300.0),),
            props=(prop(30, "crate", 1500.0, 1300.0, 30.0, 20.0),),
        ),
        strict=True,
    )
    yield made
    made.close()


def pose(world: World, ref: EntityRef) -> tuple[float, float, float]:
    found = world.things.transform(ref)
    assert found is not None
    return found.position.x, found.position.y, found.velocity.y


def test_it_rolls_at_its_speed_and_stops_exactly_there(world: World) -> None:
    """LVL-34: 60 cm/s for 300 cm are 300 steps; its velocity is known meanwhile (ORD-20)."""
    ref = thing(world, "car")
    assert world.vehicle_moves.start(ref, Vec3(600.0, 600.0), 60.0)
    steps(world, 150)
    assert pose(world, ref) == pytest.approx((600.0, 450.0, 60.0))
    steps(world, 151)
    assert pose(world, ref) == (600.0, 600.0, 0.0)
    before = world.shapes.version
    steps(world, 10)
    assert world.shapes.version == before


def test_it_halts_for_somebody_in_its_way_and_then_goes_on(world: World) -> None:
    """Nobody is run into: 33 cm short of a standing body, until that has gone."""
    ref = thing(world, "car")
    anna = world.peds.by_name("anna")
    assert anna is not None
    assert world.vehicle_moves.start(ref, Vec3(1600.0, 300.0), 200.0)
    steps(world, 600)
    x, _, _ = pose(world, ref)
    assert 1500.0 - x - 90.0 == pytest.approx(33.0, abs=200.0 / 60.0)
    assert not world.things.in_motion(world.things.in_slot(ref.slot))
    world.peds.request_removal(anna.ref)
    steps(world, 120)
    assert pose(world, ref)[0] == 1600.0


def test_only_vehicles_drive_and_one_that_goes_drives_no_more(world: World) -> None:
    """What is no vehicle, or gone, is refused; a removal ends the move."""
    assert not world.vehicle_moves.start(thing(world, "crate30"), Vec3(0.0, 0.0), 50.0)
    ref = thing(world, "car")
    assert world.vehicle_moves.start(ref, Vec3(600.0, 900.0), 50.0)
    assert world.things.request_removal(ref)
    steps(world, 5)
    assert not world.vehicle_moves.start(ref, Vec3(600.0, 900.0), 50.0)


def test_a_second_move_takes_the_place_of_the_first(world: World) -> None:
    ref = thing(world, "car")
    world.vehicle_moves.start(ref, Vec3(600.0, 900.0), 100.0)
    steps(world, 30)
    world.vehicle_moves.start(ref, Vec3(600.0, 300.0), 100.0)
    steps(world, 60)
    assert pose(world, ref) == (600.0, 300.0, 0.0)
