"""Room for peds, and finding them by name."""

from __future__ import annotations

from dataclasses import replace

from ai.ports import Vec3
from game.world.world import SPARE_PEDS, World, room_for_peds
from tests.streets import ped_named, person, steps, street

PEOPLE = (person(10, "ann", 300.0, 300.0), person(20, "ben", 600.0, 300.0))


def test_a_name_finds_the_first_of_that_name_in_id_order_whoever_comes_or_goes() -> None:
    world = World(street(peds=PEOPLE))
    peds = world.peds
    ann = ped_named(world, "ann")
    assert peds.by_name("eve") is None
    other = peds.spawn(ann.traits, ann.position, 0.0)
    assert other.ped_id > ann.ped_id
    assert peds.by_name("ann") is ann
    peds.request_removal(ann.ref)
    assert peds.by_name("ann") is ann
    steps(world, 1)
    assert peds.by_name("ann") is other
    peds.request_removal(other.ref)
    steps(world, 1)
    assert peds.by_name("ann") is None


def test_a_world_has_room_for_its_peds_and_spare_ones() -> None:
    """Product.md section 5: the pool is sized when the world is made, and so are all arrays."""
    description = street(peds=PEOPLE)
    assert room_for_peds(description) == 2 + SPARE_PEDS
    assert room_for_peds(description, spawned=5) == 7 + SPARE_PEDS
    assert World(description).table.capacity == 2 + SPARE_PEDS
    assert World(description, ped_capacity=3).table.capacity == 3


def test_a_removed_ped_takes_its_random_streams_along() -> None:
    """product.md section 5 and 10: an hour of comers and goers leaves no stream behind."""
    world = World(street(peds=(person(1, "stays", 300.0, 300.0, task="wander"),)))
    steps(world, 120)
    kept = len(world.streams._peds)
    traits = replace(ped_named(world, "stays").traits, name="goes")
    for _ in range(3):
        guest = world.peds.spawn(traits, Vec3(1200.0, 800.0), 0.0)
        guest.rng.random()
        assert len(world.streams._peds) == kept + 1
        assert world.peds.request_removal(guest.ref)
        steps(world, 1)
        assert len(world.streams._peds) == kept
