"""Words for things and places."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ai.ports import EntityKind, EntityRef, Vec3
from game.render.palette import load_palette
from game.ui.inspector.place_names import PlaceNames, colour_word, shop_name
from game.world.description import ThingDescription
from game.world.things import Thing
from game.world.world import World
from tests.streets import box, car, prop, street, thing

NOBODY = EntityRef(EntityKind.MARKER, 0, 0)


def building(object_id: int, x: float, shop: str) -> ThingDescription:
    return ThingDescription(
        object_id=object_id,
        name="",
        kind="building",
        position=Vec3(x, 200.0),
        yaw_rad=0.0,
        outline=box(400.0, 400.0),
        z_high_cm=600.0,
        options={"shop": shop},
    )


@pytest.fixture
def world() -> World:
    """A bakery about (300, 200), a flat about (1700, 200), cars, a crate that moves."""
    blue = replace(car(22, "", 900.0, 1300.0), kind="sedan", options={"paint": 1})
    return World(
        street(
            obstacles=(building(30, 300.0, "BAKERY"), building(31, 1700.0, "none")),
            vehicles=(car(20, "car_a", 1200.0, 700.0), car(21, "red car", 600.0, 1300.0), blue),
            props=(prop(40, "crate", 1700.0, 700.0, 34.0, 40.0),),
        )
    )


def named(world: World, name: str) -> Thing:
    found = world.things.get(thing(world, name))
    assert found is not None
    return found


@pytest.fixture
def names(world: World) -> PlaceNames:
    return PlaceNames(world, load_palette())


def test_a_thing_goes_by_its_own_name(world: World, names: PlaceNames) -> None:
    """A numbered or lettered name stands without an article."""
    assert names.thing(named(world, "red car")) == "the red car"
    assert names.thing(named(world, "car_a")) == "car A"
    assert names.thing(named(world, "crate40")) == "crate40"


def test_a_nameless_vehicle_goes_by_its_paint(world: World, names: PlaceNames) -> None:
    """Paint 1 of art-and-feel section 2 is 64 124 190."""
    nameless = world.things.by_object_id(22)
    assert nameless is not None
    assert names.thing(nameless) == "the blue car"


def test_every_paint_has_the_word_that_people_use() -> None:
    """Car paints of art-and-feel section 2 in their order."""
    words = [colour_word(paint) for paint in load_palette().car.paints]
    assert words == ["red", "blue", "green", "white", "dark", "orange", "purple", "yellow"]


def test_an_order_leads_to_a_thing_or_to_its_side(world: World, names: PlaceNames) -> None:
    ref = thing(world, "red car")
    goal = Vec3(400.0, 1300.0)
    assert names.goal(ref, goal, beside=True) == "the side of the red car"
    assert names.goal(ref, goal, beside=False) == "the red car"


def test_a_target_that_is_gone_is_told_by_its_place(world: World, names: PlaceNames) -> None:
    ref = thing(world, "crate40")
    world.things.request_removal(ref)
    world.things.remove_dying()
    assert names.goal(ref, Vec3(300.0, 700.0), beside=True) == "a spot by the bakery"


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Vec3(300.0, 700.0), "a spot by the bakery"),
        (Vec3(1150.0, 1000.0), "a spot by car A"),
        (Vec3(1700.0, 700.0), "a spot on the pavement"),
        (Vec3(1700.0, 9000.0), "a far spot"),
    ],
)
def test_a_place_is_told_by_shop_then_landmark_then_ground(
    names: PlaceNames, place: Vec3, words: str
) -> None:
    """The flat has no shop, and what moves is no landmark."""
    assert names.goal(NOBODY, place, beside=False) == words


@pytest.mark.parametrize(
    ("sign", "name"),
    [
        ("BAKERY", "bakery"),
        ("HATS", "hat shop"),
        ("TEA", "tea shop"),
        ("none", ""),
        ("", ""),
        (7, ""),
    ],
)
def test_signs_become_shops(world: World, sign: str | int, name: str) -> None:
    shop = world.things.by_object_id(30)
    assert shop is not None
    shop.options = {"shop": sign}
    assert shop_name(shop) == name
