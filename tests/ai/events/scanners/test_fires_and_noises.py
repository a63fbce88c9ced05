"""Fires, bangs and flights, each on either side of its bounds (EVT-38, EVT-41)."""

from __future__ import annotations

import pytest

from ai.events.scanners.facts import Flight
from ai.events.types import EventType
from ai.ports import Vec3
from tests.ai.events.scan_doubles import Scene, heard_of, only

FAR = Vec3(100_000.0, 0.0)


def near_fire(distance_cm: float, speed: float = 0.0) -> Scene:
    scene = only(Scene(), "fires")
    scene.walker(0.0, 0.0, speed)
    scene.happenings.light_fire(Vec3(distance_cm, 0.0), 60.0)
    scene.scanners.scan(step=3)
    return scene


@pytest.mark.parametrize(
    ("distance_cm", "speed", "expected"),
    [
        (211.0, 0.0, []),
        (210.0, 0.0, ["HEAT"]),
        (395.0, 140.0, ["POTENTIAL_WALK_INTO_FIRE"]),
        (405.0, 140.0, []),
        (605.0, 300.0, []),
        (115.0, 140.0, ["HEAT"]),
    ],
)
def test_fire_bands(distance_cm: float, speed: float, expected: list[str]) -> None:
    """EVT-38: r = 60: heat up to 210 cm; 395 - 280 = 115 <= 120 is ahead, 125 is not; 600 range."""
    scene = near_fire(distance_cm, speed)
    names = [one.event_type.name for one in scene.people[0].queued()]
    assert names == expected


def test_the_way_counts_and_not_the_facing() -> None:
    """EVT-38 a: a path that turns off before the fire is safe, one that turns to it is not."""
    for corners, expected in (
        ((Vec3(100.0, 0.0), Vec3(100.0, 900.0)), 0),
        ((Vec3(100.0, 0.0), Vec3(395.0, 0.0)), 1),
        ((), 1),
    ):
        scene = only(Scene(), "fires")
        ped = scene.walker(0.0, 0.0, 140.0)
        scene.paths[ped.ped_id] = corners
        scene.happenings.light_fire(Vec3(395.0, 0.0), 60.0)
        scene.scanners.scan(step=3)
        assert len(heard_of(ped, EventType.POTENTIAL_WALK_INTO_FIRE)) == expected, corners


def test_the_player_is_left_alone_by_fires_ahead() -> None:
    """EVT-38: nobody takes the player's ped by the hand."""
    scene = only(Scene(), "fires")
    ped = scene.walker(0.0, 0.0)
    scene.flags["is_player"].add(ped.ped_id)
    scene.happenings.light_fire(Vec3(100.0, 0.0), 60.0)
    scene.run(20)
    assert not ped.queued()


@pytest.mark.parametrize(("steps", "burns"), [(23, 0), (24, 1), (40, 1)])
def test_burning_is_counted_every_step(steps: int, burns: int) -> None:
    """EVT-38 c: 23 steps in contact: nothing; 24: one ON_FIRE, and only one."""
    scene = only(Scene(), "burning")
    ped = scene.walker(0.0, 0.0)
    fire = scene.happenings.light_fire(Vec3(10.0, 0.0), 60.0)
    scene.run(steps)
    scene.happenings.put_out(fire)
    scene.run(5)
    assert len(heard_of(ped, EventType.ON_FIRE)) == burns


def test_contact_with_fire_adds_up_within_a_second() -> None:
    """EVT-38 c: 12 steps, 30 away, 12 more: 24 within 60; with 50 away it is too long ago."""
    for away, burns in ((30, 1), (50, 0)):
        scene = only(Scene(), "burning")
        ped = scene.walker(0.0, 0.0)
        scene.happenings.light_fire(Vec3(10.0, 0.0), 60.0)
        scene.run(12)
        ped.position = FAR
        scene.run(away)
        ped.position = Vec3(0.0, 0.0)
        scene.run(12)
        assert len(heard_of(ped, EventType.ON_FIRE)) == burns, away


# -- sounds -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("distance_cm", "walls", "heard"),
    [
        (6000.0, 0, True), (6001.0, 0, False),
        (2900.0, 1, True), (3100.0, 1, False),
        (1400.0, 2, True), (1600.0, 2, False), (1400.0, 3, True),
    ],
)  # fmt: skip
def test_bang_walls(distance_cm: float, walls: int, heard: bool) -> None:
    """EVT-41: radius 6000, halved by each of at most two walls."""
    scene = only(Scene(), "bangs")
    ped = scene.walker(distance_cm, 0.0)
    scene.walls_to[ped.ped_id] = min(walls, 2)
    scene.happenings.bang(Vec3(0.0, 0.0), 6000.0)
    scene.look()
    assert bool(heard_of(ped, EventType.BANG_HEARD)) is heard


def test_the_maker_of_a_sound_is_never_affected() -> None:
    """EVT-41: who fires does not hear it as somebody else's."""
    scene = only(Scene(), "bangs")
    maker, other = scene.walker(0.0, 0.0), scene.walker(300.0, 0.0)
    scene.happenings.bang(Vec3(0.0, 0.0), 6000.0, maker.ref)
    scene.look()
    assert not heard_of(maker, EventType.BANG_HEARD)
    assert heard_of(other, EventType.BANG_HEARD)
    assert scene.global_types() == [EventType.SHOCKING_BANG]


def test_a_breakage_is_a_noise_to_who_does_not_see_it() -> None:
    """EVT-41: seen by one, heard by the blind one, out of earshot of the third."""
    scene = only(Scene(), "bangs")
    sees, blind, far = (scene.walker(x, 0.0) for x in (300.0, -300.0, 1900.0))
    scene.blind.add(blind.ref)
    scene.blind.add(far.ref)
    scene.happenings.breakage(Vec3(0.0, 0.0))
    scene.look()
    assert [len(heard_of(one, EventType.UNIDENTIFIED_NOISE)) for one in (sees, blind, far)] == [
        0, 1, 0,
    ]  # fmt: skip


def test_runners_are_heard_from_behind() -> None:
    """EVT-41: footsteps of a runner, by who has their back to it; of a walker by nobody."""
    for speed, heard in ((300.0, [1, 0]), (240.0, [0, 0])):
        scene = only(Scene(), "bangs", "footsteps")
        ahead, behind = scene.walker(200.0, 0.0), scene.walker(-200.0, 0.0)
        scene.walker(0.0, 0.0, speed)
        scene.run(40)
        both = (ahead, behind)
        assert [len(heard_of(one, EventType.FOOTSTEP_HEARD)) for one in both] == heard


@pytest.mark.parametrize(
    ("beside_cm", "speed", "landed", "expected"),
    [
        (100.0, 800.0, None, ["PROJECTILE_WHIZZED_BY"]),
        (101.0, 800.0, None, []),
        (50.0, 799.0, None, []),
        (500.0, 900.0, Vec3(0.0, 200.0), ["PROJECTILE_IMPACT_NEAR"]),
        (500.0, 900.0, Vec3(0.0, 201.0), []),
        (20.0, 900.0, Vec3(0.0, 20.0), ["PROJECTILE_IMPACT_NEAR"]),
    ],
)
def test_what_flies_past_or_lands_near(
    beside_cm: float, speed: float, landed: Vec3 | None, expected: list[str]
) -> None:
    """EVT-41: within 100 cm at 800 cm/s or more it passes; within 200 cm it lands."""
    scene = only(Scene(), "bangs")
    ped, thrower = scene.walker(0.0, 0.0), scene.walker(-900.0, beside_cm)
    way = Flight(Vec3(-900.0, beside_cm), Vec3(900.0, beside_cm), speed, thrower.ref, landed)
    scene.happenings.flight(way)
    scene.look()
    assert [one.event_type.name for one in ped.queued()] == expected
    assert not thrower.queued()
