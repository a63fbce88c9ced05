"""Several sent to one side of a car get there, whoever is to stand where (ORD-08)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest

from ai.behaviours.order_commands import StartOrder
from ai.behaviours.order_record import OrderStatus
from game.ui.goal_places import places_at
from game.world.world import World
from tests.streets import courier_street, ped_named, perform, person, until

NAMES = ("one", "two", "three")


@pytest.mark.parametrize("dealt", list(permutations(range(3))))
def test_three_at_a_cars_side_all_get_there(dealt: Sequence[int]) -> None:
    """NAV-18: who comes later gets round who stands there already; nobody's order fails."""
    people = tuple(person(10 + n, name, 200.0, 520.0 + 80.0 * n) for n, name in enumerate(NAMES))
    world = World(courier_street(peds=people), strict=True)
    car = world.things.by_name("car_a")
    assert car is not None
    peds = [ped_named(world, name) for name in NAMES]
    places = places_at(world, car, peds[1].position, 3)
    assert len(places) == 3
    for ped, place in zip(peds, dealt, strict=True):
        perform(world, StartOrder(ped.ref, car.ref, places[place]))
    until(world, lambda: all(ped.order.status is OrderStatus.COMPLETED for ped in peds), 1200)
    assert [ped.order.failure_count for ped in peds] == [0, 0, 0]
