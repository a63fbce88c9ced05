"""Explosions: bands, walls, height, harm, who is told; barrels that chain (EVT-40, EVT-102)."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from ai.events.types import EventType
from ai.motion.recovery.phases import DOWN, LIMP, RecoveryPhase
from ai.peds.ped import Ped
from ai.ports import Vec3
from game.world.description import ThingDescription
from game.world.things import VX, VY
from game.world.world import World
from tests.streets import barrier, ped_named, person, prop, steps, street, thing

CENTRE = Vec3(500.0, 800.0)


def standing_at(distance: float, *obstacles: ThingDescription) -> tuple[World, Ped]:
    """One ped so far east of the blast's place."""
    world = World(
        street(peds=(person(10, "courier", 500.0 + distance, 800.0),), obstacles=obstacles),
        strict=True,
    )
    steps(world, 3)
    return world, ped_named(world)


def phase(world: World, ped: Ped) -> RecoveryPhase:
    return world.recovery.phase(ped.slot)


def heard(ped: Ped) -> set[EventType]:
    return {one.event_type for one in ped.events.group.received}


@pytest.mark.parametrize(
    ("distance", "falls", "reached"),
    [(290.0, True, True), (310.0, False, True), (510.0, False, False)],
)
def test_the_bands_of_a_blast(distance: float, falls: bool, reached: bool) -> None:
    """EVT-40, RAG-15: R = 500: 290 cm ragdoll, 310 none, 510 only heard."""
    world, ped = standing_at(distance)
    world.blasts.explode(CENTRE)
    steps(world, 2)
    assert (phase(world, ped) in DOWN) is falls
    assert (EventType.EXPLOSION in heard(ped)) is reached
    assert (EventType.DAMAGE in heard(ped)) is reached
    assert (EventType.EXPLOSION_HEARD in heard(ped)) is not reached, "EVT-40: felt, not heard too"


def test_a_blast_throws_away_from_it_and_up() -> None:
    """Falloff 1 - d/R: 33750 x 0.8 = 27000 at 100 cm; lift 24000 x (1 - 100/300) = 16000."""
    world, ped = standing_at(100.0)
    world.blasts.explode(CENTRE)
    world.step()
    asked = next(one for one in world.facts.of(ped.ped_id) if one.fact == "KNOCK_DOWN")
    assert asked.details == pytest.approx(("ACCEPTED", 27000.0, 0.0, 16000.0), abs=1e-6)
    highest = 0.0
    for _ in range(40):
        world.step()
        highest = max(highest, ped.position.z)
    assert highest == pytest.approx((16000.0 / 75.0) ** 2 / (2 * 981.0), rel=0.05)


@pytest.mark.parametrize(("high", "shelters"), [(220.0, True), (100.0, False)])
def test_a_full_wall_shelters_and_a_low_one_does_not(high: float, shelters: bool) -> None:
    """EVT-40: not behind a full wall."""
    wall = replace(barrier(50, 600.0, 800.0, 20.0, 300.0), z_high_cm=high)
    world, ped = standing_at(200.0, wall)
    world.blasts.explode(CENTRE)
    steps(world, 2)
    assert (phase(world, ped) in DOWN) is not shelters
    assert ped.health.value == pytest.approx(1.0 if shelters else 1.0 - 0.6 * 0.6)


def test_a_blast_harms_by_the_distance_and_two_of_them_kill() -> None:
    """EVT-102: 0.6 x (1 - d/R): at 50 cm 0.54; a second one is the end."""
    world, ped = standing_at(50.0)
    world.blasts.explode(CENTRE)
    assert ped.health.value == pytest.approx(0.46)
    steps(world, 60)
    here = ped.position
    world.blasts.explode(Vec3(here.x - 50.0, here.y))
    steps(world, 200)
    assert ped.is_dead
    assert phase(world, ped) in LIMP


def test_the_middle_of_a_blast_throws_straight_up() -> None:
    """RAG-15: without a direction it lifts."""
    world, ped = standing_at(0.0)
    world.blasts.explode(CENTRE)
    steps(world, 10)
    assert phase(world, ped) is RecoveryPhase.PHYSICS
    assert ped.position.z > 10.0


def test_who_lies_is_thrown_again() -> None:
    """REC-17: a blast reaches live bodies; one session, two hits."""
    world, ped = standing_at(150.0)
    world.blasts.explode(CENTRE)
    steps(world, 60)
    world.blasts.explode(Vec3(ped.position.x - 100.0, 800.0))
    steps(world, 2)
    assert ped.recovery is not None
    assert (ped.recovery.session, ped.recovery.hit_count) == (1, 2)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_a_blast_of_no_number_is_refused(number: float) -> None:
    world, _ = standing_at(100.0)
    with pytest.raises(ValueError, match="give finite numbers"):
        world.blasts.explode(Vec3(number, 0.0))
    with pytest.raises(ValueError, match="give finite numbers"):
        world.blasts.explode(CENTRE, strength=number)


# -- props --------------------------------------------------------------------------------


def explosive(object_id: int, x: float, y: float = 800.0) -> ThingDescription:
    return replace(prop(object_id, "barrel", x, y, 29.0, 35.0), options={"explosive": True})


def props_of(world: World) -> list[str]:
    return [one.kind_name for one in world.things.in_id_order()]


def speed_of(world: World, name: str) -> float:
    state = world.things.state[thing(world, name).slot]
    return math.hypot(state[VX], state[VY])


def test_cones_scatter_and_heavy_things_hardly_move() -> None:
    """The push of a blast by mass, capped: 33750 x 0.8 = 27000: a cone 900 cm/s, 120 kg 225."""
    world = World(
        street(
            props=(
                prop(20, "cone", 600.0, 800.0, 20.0, 3.0),
                prop(21, "bench", 500.0, 900.0, 40.0, 120.0),
            )
        ),
        strict=True,
    )
    world.step()
    world.blasts.explode(CENTRE)
    assert speed_of(world, "cone20") == pytest.approx(900.0)
    assert speed_of(world, "bench21") == pytest.approx(225.0)


def test_barrels_chain_and_nothing_of_them_is_left() -> None:
    """Explosive barrels set each other off, each a fuse of 0.2 s after the one before."""
    world = World(street(props=tuple(explosive(20 + n, 300.0 + 330.0 * n) for n in range(5))))
    steps(world, 2)
    assert world.prop_reactions.light(thing(world, "barrel20"))
    assert not world.prop_reactions.light(thing(world, "barrel20")), "it burns already"
    blown = []
    for _ in range(120):
        world.step()
        blown += [(blast.step, blast.number) for blast in world.blasts.of_step]
    assert [number for _, number in blown] == [1, 2, 3, 4, 5]
    times = [step for step, _ in blown]
    assert all(12 <= after - before <= 14 for before, after in pairwise(times))
    assert props_of(world) == []
    assert len(world.physics.prop_state().slots) == 0


def test_a_barrel_that_no_map_calls_explosive_only_rolls() -> None:
    world = World(street(props=(prop(20, "barrel", 600.0, 800.0, 29.0, 35.0),)))
    world.step()
    assert not world.prop_reactions.light(thing(world, "barrel20"))
    world.blasts.explode(CENTRE)
    steps(world, 3)
    assert props_of(world) == ["fallen_barrel"]
    lying = world.things.in_id_order()[0]
    begun = world.things.state[lying.ref.slot, 0].item()
    steps(world, 60)
    assert world.things.state[lying.ref.slot, 0].item() > begun + 200.0


def test_a_crate_that_hits_a_wall_goes_to_pieces_that_are_swept_away() -> None:
    """Crates break: 400 cm/s lost at a wall is a blow over 320; its planks last 20 s."""
    world = World(
        street(
            obstacles=(barrier(50, 800.0, 800.0),),
            props=(prop(20, "crate", 680.0, 800.0, 34.0, 40.0),),
        ),
        strict=True,
    )
    world.step()
    world.physics.apply_impulse(thing(world, "crate20"), (24000.0, 0.0))
    steps(world, 40)
    kinds = props_of(world)
    assert kinds.count("plank") == 6
    assert "crate" not in kinds
    for one in world.things.in_id_order():
        if one.kind_name == "plank":
            assert world.things.state[one.ref.slot, 0].item() < 790.0, "a plank is in the wall"
    steps(world, 20 * 60)
    assert "plank" not in props_of(world)
    assert world.physics.check_ownership() == ()


def test_a_crate_that_is_shoved_stays_whole() -> None:
    """A shove gives it 225 cm/s; friction and pushing are no blow."""
    world = World(street(props=(prop(20, "crate", 680.0, 800.0, 34.0, 40.0),)), strict=True)
    world.step()
    world.physics.apply_impulse(thing(world, "crate20"), (9000.0, 0.0))
    steps(world, 120)
    assert props_of(world) == ["crate"]


def test_a_bin_that_is_hit_by_a_body_topples_and_rolls() -> None:
    """Bins roll: somebody thrown at one makes it fall over, with the speed it has by then."""
    world = World(
        street(
            peds=(person(10, "courier", 700.0, 800.0),),
            props=(prop(20, "bin", 770.0, 800.0, 26.0, 18.0),),
        ),
        strict=True,
    )
    steps(world, 2)
    ped = ped_named(world)
    world.knock_downs.request(ped, (45000.0, 0.0))
    for _ in range(90):
        world.step()
        if props_of(world) == ["fallen_bin"]:
            break
    lying = world.things.in_id_order()[0]
    assert lying.kind_name == "fallen_bin"
    begun = world.things.state[lying.ref.slot, 0].item()
    steps(world, 60)
    assert world.things.state[lying.ref.slot, 0].item() > begun + 50.0


def test_the_same_chain_twice_is_the_same_run() -> None:
    """Product section 2: no lot is drawn; fingerprints agree."""

    def run() -> str:
        peds = tuple(person(10 + n, f"p{n}", 450.0 + 120.0 * n, 860.0) for n in range(6))
        crates = tuple(
            prop(40 + n, "crate", 500.0 + 200.0 * n, 700.0, 34.0, 40.0) for n in range(3)
        )
        barrels = tuple(explosive(20 + n, 400.0 + 220.0 * n) for n in range(4))
        world = World(street(peds=peds, props=(*barrels, *crates)), strict=True)
        world.step()
        world.prop_reactions.light(thing(world, "barrel20"))
        steps(world, 300)
        return world.fingerprint.hexdigest()

    assert run() == run()
