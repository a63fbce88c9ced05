"""Fire in a running world: spread, ruin, water, barrels, people (EVT-38, EVT-100, EVT-102)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from ai.behaviours.burning import TaskOnFire
from ai.events.types import EventType
from ai.peds.ped import Ped
from ai.ports import Vec3
from ai.tasks.trees import PRIMARY
from game.world.description import PedDescription, ThingDescription
from game.world.edits import Douse, LightFire
from game.world.world import World
from game.world.world_data import shipped_world_data
from tests.streets import ped_named, person, steps, street, until

CATALOGUE = shipped_world_data().things


def some(kind: str, number: int, x: float, y: float, **options: bool) -> ThingDescription:
    """A thing as its kind has it."""
    made = CATALOGUE.describe(number, kind, Vec3(x, y), name=f"{kind}{number}")
    return replace(made, options=dict(options))


def row(kind: str, count: int, apart_cm: float) -> list[ThingDescription]:
    """Things in a row to the east, from (400, 800)."""
    return [some(kind, 50 + index, 400.0 + apart_cm * index, 800.0) for index in range(count)]


def world_with(
    props: Sequence[ThingDescription] = (),
    peds: Sequence[PedDescription] = (),
    wind: tuple[float, float] = (0.0, 0.0),
    seed: int = 1,
) -> World:
    return World(replace(street(props=props, peds=peds, seed=seed), wind=wind), strict=True)


def burning(world: World) -> set[str]:
    """Names of the things on fire."""
    slots = world.fires.flames.thing_slot.tolist()
    return {world.things.in_slot(slot).name for slot in slots if slot >= 0}


def kinds(world: World) -> list[str]:
    return [thing.kind_name for thing in world.things.in_id_order()]


def fact_count(world: World, kind: EventType) -> int:
    queue = world.events.global_events.group.queue.entries
    return sum(event.event_type is kind for event in queue)


def test_fire_goes_from_one_crate_to_the_next_and_not_over_a_wide_gap() -> None:
    """Crates 68 wide a metre apart catch one after the other; 4 m is too far without wind."""
    props = [*row("crate", 3, 100.0), some("crate", 60, 1000.0, 800.0)]
    world = world_with(props)
    world.fires.light_thing(world.things.in_id_order()[0])
    until(world, lambda: burning(world) == {"crate50", "crate51", "crate52"}, 1800)
    steps(world, 600)
    assert "crate60" not in burning(world)


def test_a_wind_takes_it_further() -> None:
    """A gap of 1.5 m: no fire crosses it in still air, one does with a wind of 3 m/s."""
    for wind, crosses in (((0.0, 0.0), False), ((300.0, 0.0), True), ((-300.0, 0.0), False)):
        world = world_with(row("crate", 2, 230.0), wind=wind)
        world.fires.light_thing(world.things.in_id_order()[0])
        crossed = False
        for _ in range(2100):
            world.step()
            crossed |= "crate51" in burning(world)
        assert crossed is crosses, wind


def test_what_is_burnt_down_falls_to_ashes() -> None:
    """Cardboard of 4 kg lasts 12 s: char rises to 1, then it is gone, and ashes are not fuel."""
    world = world_with([some("box", 50, 400.0, 800.0)])
    thing = world.things.in_id_order()[0]
    assert world.fires.light_thing(thing)
    assert not world.fires.light_thing(thing), "it burns already"
    steps(world, 8 * 60)
    assert world.fires.char_of[thing.ref] == pytest.approx((8.0 - 2.0) / 12.0, abs=0.02)
    steps(world, 10 * 60)
    assert kinds(world) == ["ashes"]
    assert len(world.fires) == 0
    assert not world.happenings.fires()
    assert not world.fires.light_thing(world.things.in_id_order()[0])


def test_water_puts_out_what_it_reaches_and_keeps_it_wet() -> None:
    """Of two fires the one under the water is out within a second; its crate has char left."""
    world = world_with(row("crate", 2, 600.0))
    for thing in world.things.in_id_order():
        world.fires.light_thing(thing)
    steps(world, 300)
    world.actions.submit(Douse(Vec3(400.0, 800.0), 80.0))
    steps(world, 70)
    assert burning(world) == {"crate51"}
    first = world.things.in_id_order()[0]
    assert 0.0 < world.fires.char_of[first.ref] < 0.2


def test_a_thing_that_is_taken_away_burns_no_more() -> None:
    world = world_with(row("crate", 1, 100.0))
    thing = world.things.in_id_order()[0]
    world.fires.light_thing(thing)
    steps(world, 60)
    world.things.request_removal(thing.ref)
    steps(world, 2)
    assert len(world.fires) == 0
    assert not world.happenings.fires()


def test_an_explosive_barrel_cooks_off() -> None:
    """EVT-100: a potential blast is news as soon as it burns; cooks_s = 2.5 later it goes up."""
    world = world_with([some("barrel", 50, 400.0, 800.0, explosive=True)])
    barrel = world.things.in_id_order()[0]
    assert world.fires.light_thing(barrel)
    assert fact_count(world, EventType.SHOCKING_POTENTIAL_BLAST) == 1
    steps(world, 140)
    assert kinds(world) == ["barrel"]
    steps(world, 40)
    assert kinds(world) == []
    assert fact_count(world, EventType.SHOCKING_EXPLOSION) == 1


def test_water_in_time_saves_the_street_from_a_barrel() -> None:
    world = world_with([some("barrel", 50, 400.0, 800.0, explosive=True)])
    world.fires.light_thing(world.things.in_id_order()[0])
    steps(world, 60)
    world.actions.submit(Douse(Vec3(400.0, 800.0), 60.0))
    steps(world, 300)
    assert kinds(world) == ["barrel"]


def test_a_blaze_is_one_cause_and_a_far_part_of_it_another() -> None:
    """EVT-86, EVT-100: five crates that caught from one another are one fire to the street.

    Lit by hand each is its own.
    """
    world = world_with(row("crate", 5, 75.0))
    things = world.things.in_id_order()
    world.fires.light_thing(things[0])
    for thing in things[1:]:
        world.fires.light_thing(thing, kindled=True)
    steps(world, 2)
    assert fact_count(world, EventType.SHOCKING_FIRE) == 1
    world = world_with(row("crate", 5, 75.0))
    for thing in world.things.in_id_order():
        world.fires.light_thing(thing)
    steps(world, 2)
    assert fact_count(world, EventType.SHOCKING_FIRE) == 5


def test_a_map_may_have_a_thing_burn_from_the_start() -> None:
    world = world_with([some("hay", 50, 400.0, 800.0, burning=True)])
    assert burning(world) == {"hay50"}


def test_same_seed_same_fire_and_another_seed_another() -> None:
    """Product section 2: the fingerprint holds the fires; what is left to chance is seeded."""

    def run(seed: int) -> str:
        world = world_with(row("crate", 6, 110.0), wind=(80.0, 40.0), seed=seed)
        world.actions.submit(LightFire(Vec3(400.0, 800.0), 60.0))
        steps(world, 1500)
        return world.fingerprint.hexdigest()

    assert run(3) == run(3)
    assert run(3) != run(4)


def test_fires_alone_change_the_fingerprint() -> None:
    """Two empty streets, one of which burns, are two runs."""
    digests = []
    for radius in (60.0, 61.0):
        world = world_with()
        world.fires.light(Vec3(400.0, 800.0), radius)
        steps(world, 60)
        world.fires.flames.strength *= radius / 60.0
        steps(world, 1)
        digests.append(world.fingerprint.hexdigest())
    assert digests[0] != digests[1]


# -- people ---------------------------------------------------------------------------


def ablaze(**changes: str) -> tuple[World, Ped]:
    """Somebody who stands in a fire that was lit under its feet."""
    world = world_with(peds=[replace(person(10, "courier", 1000.0, 800.0), **changes)])
    ped = ped_named(world)
    world.fires.light(ped.position, 60.0, steady=True, burns_s=1.0)
    return world, ped


def test_who_burns_runs_then_rolls_and_is_hurt_by_the_second() -> None:
    """EVT-38 c, EVT-102: burning after 24 steps inside; then it is hurt by the second.

    1.6 to 3 s of running, 2.2 s of rolling: 3 to 5 whole seconds of 0.1; then it is out.
    """
    world, ped = ablaze(model="dummy")
    took = until(world, lambda: world.burning.burns(ped.ref), 60)
    assert took >= 24
    assert fact_count(world, EventType.SHOCKING_PED_ON_FIRE) == 1
    task = ped.tasks.tree(PRIMARY).active_root
    assert isinstance(task, TaskOnFire)
    start = ped.position
    until(world, lambda: task.state == TaskOnFire.State.ROLL, 240)
    assert abs(ped.position.x - start.x) + abs(ped.position.y - start.y) > 100.0, "it ran"
    until(world, lambda: not world.burning.burns(ped.ref), 200)
    seconds = round((1.0 - ped.health.value) / 0.1)
    assert 3 <= seconds <= 5
    assert ped.health.value == pytest.approx(1.0 - 0.1 * seconds)
    steps(world, 120)
    assert not isinstance(ped.tasks.tree(PRIMARY).active_root, TaskOnFire)


def test_water_ends_it_at_once() -> None:
    """A bucket over somebody who burns: out in that step, and the task with it."""
    world, ped = ablaze(model="dummy")
    until(world, lambda: world.burning.burns(ped.ref), 60)
    steps(world, 20)
    world.actions.submit(Douse(ped.position, 80.0))
    steps(world, 1)
    assert not world.burning.burns(ped.ref)
    steps(world, 10)
    assert not isinstance(ped.tasks.tree(PRIMARY).active_root, TaskOnFire)
    assert ped.health.value == 1.0


def test_who_burns_sets_alight_what_it_stands_beside() -> None:
    """person.spread_share of a fire: straw needs 0.6 s of heat."""
    world = world_with([some("hay", 50, 1000.0, 800.0)], [person(10, "courier", 1000.0, 870.0)])
    world.burning.catch(ped_named(world).ref, 0)
    until(world, lambda: burning(world) == {"hay50"}, 600)


def test_smoke_hides_a_fire_behind_it() -> None:
    """EVT-88: seen while the air is clear, not through thick smoke."""
    world = world_with(peds=[person(10, "courier", 300.0, 800.0)])
    ped = ped_named(world)
    there = Vec3(1500.0, 800.0)
    assert world.events.world.can_see(ped, there)
    world.fires.smoke.density[:, 6] = 3.0
    world.fires.smoke.is_clear = False
    assert not world.events.world.can_see(ped, there)
