"""Space: the player's ped shoves what stands before it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from game.world.description import LevelDescription, PedDescription, ThingDescription
from game.world.shove import ShoveOutcome
from game.world.things import VX
from game.world.world import World
from tests.streets import barrier, ped_named, person, prop, steps, street, thing

REACH = 60.0
RADIUS = 20.0


def player(yaw_rad: float = 0.0) -> PedDescription:
    you = person(3, "you", 1000.0, 800.0, yaw_rad)
    return replace(you, options={"player": True}, default_task="")


def level(*props: ThingDescription, yaw_rad: float = 0.0) -> LevelDescription:
    return street(peds=(player(yaw_rad),), props=props)


def crate(object_id: int, x: float, y: float, mass_kg: float = 40.0) -> ThingDescription:
    return prop(object_id, "crate", x, y, RADIUS, mass_kg)


def shove(world: World) -> None:
    world.player_controls.shove = True
    world.step()


def moved_cm(world: World, name: str, x: float, y: float) -> tuple[float, float]:
    now = world.things.state[thing(world, name).slot]
    return float(now[0]) - x, float(now[1]) - y


def test_a_crate_in_front_slides_away_along_the_facing() -> None:
    """LOC-20: Space shoves a prop of up to 60 kg; 9000 kg cm/s give 40 kg 225 cm/s."""
    world = World(level(crate(20, 1070.0, 800.0)))
    world.player_controls.shove = True
    world.begin_step()
    world.act_for_player()
    assert world.last_shove is not None
    assert world.last_shove.outcome is ShoveOutcome.SHOVED
    velocity = world.things.state[thing(world, "crate20").slot, VX : VX + 2].tolist()
    assert velocity == pytest.approx([225.0, 0.0])
    steps(world, 60)
    right, down = moved_cm(world, "crate20", 1070.0, 800.0)
    assert right > 20.0
    assert abs(down) < 1.0


def test_one_press_is_one_shove() -> None:
    world = World(level(crate(20, 1070.0, 800.0)))
    shove(world)
    assert world.last_shove is not None
    assert not world.player_controls.shove
    world.step()
    assert world.last_shove is None


@pytest.mark.parametrize(
    ("mass_kg", "outcome"),
    [(60.0, ShoveOutcome.SHOVED), (60.5, ShoveOutcome.TOO_HEAVY)],
)
def test_sixty_kilograms_are_the_limit(mass_kg: float, outcome: ShoveOutcome) -> None:
    """LOC-20: heavier props refuse; Space shoves those up to 60 kg."""
    world = World(level(crate(20, 1070.0, 800.0, mass_kg)))
    shove(world)
    assert world.last_shove is not None
    assert world.last_shove.outcome is outcome
    steps(world, 30)
    assert (moved_cm(world, "crate20", 1070.0, 800.0)[0] > 5.0) is (outcome is ShoveOutcome.SHOVED)


@pytest.mark.parametrize(
    ("x", "y", "near"),
    [
        (1000.0 + 30.0 + REACH + RADIUS - 1.0, 800.0, True),
        (1000.0 + 30.0 + REACH + RADIUS + 1.0, 800.0, False),
        (1000.0 + 60.0 * math.cos(math.radians(59.0)), 800.0 + 60.0 * math.sin(1.0297), True),
        (1000.0, 860.0, False),
        (940.0, 800.0, False),
    ],
    ids=["at arm's length", "out of reach", "just inside the angle", "beside", "behind"],
)
def test_reach_and_angle_decide_what_is_in_front(x: float, y: float, near: bool) -> None:
    world = World(level(crate(20, x, y)))
    shove(world)
    assert world.last_shove is not None
    assert (world.last_shove.outcome is ShoveOutcome.SHOVED) is near


def test_of_two_the_nearer_is_meant() -> None:
    world = World(level(crate(20, 1085.0, 790.0), crate(21, 1072.0, 815.0)))
    shove(world)
    assert world.last_shove is not None
    assert world.last_shove.prop == thing(world, "crate21")


def test_nothing_is_shoved_through_a_wall() -> None:
    world = World(
        replace(level(crate(20, 1075.0, 800.0)), obstacles=(barrier(30, 1045.0, 800.0, 10.0),))
    )
    shove(world)
    assert world.last_shove is not None
    assert world.last_shove.outcome is ShoveOutcome.NOTHING_NEAR


def test_a_light_prop_gets_no_faster_than_the_tuned_speed() -> None:
    """9000 kg cm/s would give a cone of 2 kg 4500 cm/s; 420 cm/s is the most."""
    world = World(level(prop(20, "cone", 1060.0, 800.0, RADIUS, 2.0)))
    shove(world)
    slot = thing(world, "cone20").slot
    assert math.hypot(*world.things.state[slot, VX : VX + 2]) <= 420.0


def test_without_a_player_nobody_shoves() -> None:
    world = World(street(props=(crate(20, 1070.0, 800.0),)))
    shove(world)
    assert world.last_shove is None


def test_the_same_input_gives_the_same_run() -> None:
    """Product section 2: a shove is input, recorded or live; the run is the same bit for bit."""

    def run() -> str:
        world = World(level(crate(20, 1070.0, 805.0), crate(21, 1120.0, 800.0)))
        for step in range(120):
            world.player_controls.shove = step in (3, 40)
            world.step()
        return world.fingerprint.hexdigest()

    assert run() == run()


def shoved(speed: float) -> World:
    """You shove somebody 70 cm ahead, having moved at some speed."""
    world = World(
        street(peds=(player(), person(5, "other", 1070.0, 800.0), person(6, "far", 1000.0, 900.0)))
    )
    world.step()
    you = ped_named(world, "you")
    world.table.measured_speed[you.movement.row] = speed
    world.player_controls.shove = True
    world.begin_step()
    world.act_for_player()
    for ped in world.peds.in_id_order():
        ped.intelligence.process(world.clock.step, world.clock.dt_s)
    world.knock_downs.take_effect()
    return world


@pytest.mark.parametrize(
    ("speed", "falls"), [(0.0, False), (74.9, False), (75.1, True), (330.0, True)]
)
def test_a_shove_in_passing_throws_people_over(speed: float, falls: bool) -> None:
    """RAG-01: 9000 and 0.8 x 75 kg x speed: 13500 is reached at 75 cm/s; below they stagger."""
    world = shoved(speed)
    other = ped_named(world, "other")
    assert world.last_shove is not None
    assert world.last_shove.ped == other.ref
    assert world.last_shove.prop is None
    assert (other.recovery is not None) is falls
    assert ped_named(world, "far").recovery is None
    if other.recovery is not None:
        assert other.recovery.origin == ped_named(world, "you").ref


def test_of_prop_and_person_the_nearer_is_shoved() -> None:
    """LOC-20: a crate between the two takes it; who lies is not shoved."""
    world = World(
        street(
            peds=(player(), person(5, "other", 1088.0, 800.0)), props=(crate(20, 1052.0, 800.0),)
        )
    )
    shove(world)
    assert world.last_shove is not None
    assert world.last_shove.prop == thing(world, "crate20")
    world = shoved(330.0)
    world.player_controls.shove = True
    world.begin_step()
    world.act_for_player()
    assert world.last_shove is not None
    assert world.last_shove.ped is None
