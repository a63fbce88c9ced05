"""Scanners in a running world: real fires, bangs, blasts, bodies and weapons (EVT-37 to EVT-49)."""

from __future__ import annotations

import math

import pytest

from ai.events.base import Event
from ai.events.decision_trace import Reason
from ai.events.relations import Relation
from ai.events.types import EventType
from ai.peds.ped import Ped
from ai.peds.situation_of import situation_of
from ai.peds.weapons import Weapon
from ai.ports import EntityKind, Polygon, Vec3
from game.world.description import PedDescription, SurfaceDescription, ThingDescription
from game.world.world import World
from tests.streets import box, car, ped_named, person, prop, steps, street


def told(ped: Ped, event_type: str) -> list[Reason]:
    """What was said of events of a type at their admission."""
    return [one.reason for one in ped.events.trace.records(event=event_type)]


def dummy(number: int, name: str, x: float, y: float, yaw_rad: float = 0.0,
          **options: str | bool) -> PedDescription:  # fmt: skip
    """A ped that answers nothing, so that it stays where it is."""
    return PedDescription(
        object_id=number, name=name, position=Vec3(x, y), yaw_rad=yaw_rad, model="dummy",
        default_task="stand", options=options,
    )  # fmt: skip


def wall(number: int, x: float, y: float, height_cm: float = 220.0) -> ThingDescription:
    return ThingDescription(
        object_id=number, name=f"wall{number}", kind="wall", position=Vec3(x, y), yaw_rad=0.0,
        outline=box(20.0, 400.0), z_high_cm=height_cm,
    )  # fmt: skip


def test_a_fire_lit_by_a_cue_is_offered_in_the_same_step() -> None:
    """EVT-31, EVT-37, EVT-100: lit before the step: the event in that step."""
    world = World(street(peds=(dummy(10, "mary", 500.0, 500.0),)), strict=True)
    mary = ped_named(world, "mary")
    steps(world, 9)
    world.happenings.light_fire(Vec3(600.0, 500.0), 60.0, burns_s=2.0)
    steps(world, 1)
    assert told(mary, "SHOCKING_FIRE")[0] is Reason.ADDED
    steps(world, 10)
    assert Reason.ADDED in told(mary, "HEAT")
    steps(world, 130)
    assert not world.happenings.fires(), "it burned for 2 s"
    world.close()
    assert world.events.budget.used == 0


def test_two_fires_are_two_causes_and_one_fire_is_one() -> None:
    """EVT-86, EVT-89: each fire is refreshed by itself while it burns, and over after its life."""
    world = World(street(peds=(dummy(10, "mary", 500.0, 500.0),)), strict=True)
    world.happenings.light_fire(Vec3(900.0, 500.0), 60.0, burns_s=5.0)
    world.happenings.light_fire(Vec3(900.0, 900.0), 60.0, burns_s=1.0)
    group = world.events.global_events.group.queue
    steps(world, 10)
    assert len(group.entries) == 2
    steps(world, 200)
    assert len(group.entries) == 1
    steps(world, 220)
    assert not group.entries
    world.close()


@pytest.mark.parametrize(("walls", "heard"), [(0, True), (1, True), (2, True)])
def test_walls_muffle_a_bang(walls: int, heard: bool) -> None:
    """EVT-41, EVT-103: 6000 cm through walls of the world: the halves are counted, not guessed."""
    at = [wall(20 + number, 700.0 + 100.0 * number, 500.0) for number in range(walls)]
    world = World(street(peds=(dummy(10, "mary", 500.0, 500.0),), obstacles=at), strict=True)
    mary = ped_named(world, "mary")
    assert world.scan_view.walls_between(mary.position, Vec3(1200.0, 500.0)) == walls
    reach = 700.0 / 0.5**walls
    for radius, expected in ((reach + 1.0, heard), (reach - 1.0, False)):
        mary.events.trace.clear()
        world.happenings.bang(Vec3(1200.0, 500.0), radius)
        steps(world, 1)
        assert (Reason.ADDED in told(mary, "BANG_HEARD")) is expected, radius
        assert world.events.world.can_hear(mary, Vec3(1200.0, 500.0), radius) is expected
    world.close()


def test_a_low_wall_muffles_nothing() -> None:
    """EVT-103: what is no higher than 140 cm is no wall."""
    world = World(
        street(peds=(dummy(10, "mary", 500.0, 500.0),), obstacles=(wall(20, 700.0, 500.0, 140.0),)),
        strict=True,
    )
    assert world.scan_view.walls_between(Vec3(500.0, 500.0), Vec3(900.0, 500.0)) == 0
    world.close()


def test_a_blast_is_felt_within_and_heard_beyond() -> None:
    """EVT-40: one stands in it, one behind a wall, one far off; the street has its event."""
    world = World(
        street(
            peds=(
                dummy(10, "inside", 500.0, 500.0),
                dummy(11, "sheltered", 1100.0, 500.0),
                dummy(12, "far", 800.0, 1400.0),
            ),
            obstacles=(wall(20, 950.0, 500.0),),
        ),
        strict=True,
    )
    world.blasts.explode(Vec3(800.0, 500.0), radius_cm=500.0)
    steps(world, 1)
    felt = [
        Reason.ADDED in told(ped_named(world, name), "EXPLOSION")
        for name in ("inside", "sheltered", "far")
    ]
    assert felt == [True, False, False]
    for name in ("sheltered", "far"):
        assert Reason.ADDED in told(ped_named(world, name), "EXPLOSION_HEARD")
    assert told(ped_named(world, "inside"), "EXPLOSION_HEARD") == [Reason.REFUSED_NOT_AFFECTED]
    world.close()


def test_a_body_on_the_ground_is_seen_after_two_seconds() -> None:
    """EVT-45: a ped that was thrown over and lies: one event with it as the source."""
    world = World(
        street(peds=(dummy(10, "mary", 500.0, 500.0), dummy(11, "tom", 900.0, 500.0))), strict=True
    )
    tom = ped_named(world, "tom")
    world.knock_downs.request(tom, (20_000.0, 0.0), 0.0, "chest", None)
    seen: list[Event] = []
    for _ in range(360):
        world.step()
        entries = world.events.global_events.group.queue.entries
        seen += [one for one in entries if one.event_type is EventType.SHOCKING_INJURED_PED]
        if tom.recovery is not None and tom.recovery.age < 2.0:
            assert not seen
    if seen:
        assert {one.source for one in seen} == {tom.ref}
    assert seen or tom.recovery is None
    world.close()


def test_a_weapon_is_seen_and_aimed() -> None:
    """EVT-47, EVT-77: drawn and aimed along the facing; who is in its line is aimed at."""
    world = World(
        street(
            peds=(
                dummy(10, "mary", 900.0, 500.0, math.pi),
                dummy(11, "joe", 500.0, 500.0),
                dummy(12, "ann", 900.0, 900.0, math.pi),
            )
        ),
        strict=True,
    )
    mary, joe, ann = (ped_named(world, name) for name in ("mary", "joe", "ann"))
    joe.weapon = Weapon.AIMED
    steps(world, 12)
    assert Reason.ADDED in told(mary, "AIMED_AT")
    assert not told(ann, "AIMED_AT")
    assert Reason.ADDED in told(ann, "SHOCKING_WEAPON_THREAT")
    (event,) = [
        one
        for one in world.events.global_events.group.queue.entries
        if one.event_type is EventType.SHOCKING_WEAPON_DRAWN
    ]
    assert situation_of(mary, event).source_armed
    assert situation_of(joe, event).armed
    joe.weapon = Weapon.NONE
    steps(world, 320)
    assert not world.scan_view.armed()
    world.close()


def test_who_shares_a_group_option_goes_together() -> None:
    """EVT-48: the first of the map leads; models have relation groups; who leaves is forgotten."""
    world = World(
        street(
            peds=(
                dummy(10, "mother", 500.0, 500.0, group="family"),
                dummy(11, "child", 600.0, 500.0, group="family"),
                dummy(12, "stranger", 800.0, 500.0, math.pi),
            )
        ),
        strict=True,
    )
    mother, child, stranger = (ped_named(world, name) for name in ("mother", "child", "stranger"))
    view = world.events.world
    assert tuple(view.group_of(child.ref)) == (mother.ref, child.ref)
    assert view.group_of(stranger.ref) == ()
    world.relations.set(stranger.ref, child.ref, Relation.HATE)
    assert view.hates(stranger.ref, child.ref)
    steps(world, 31)
    assert told(stranger, "ACQUAINTANCE_HATE"), "seen across the street"
    world.peds.request_removal(mother.ref)
    steps(world, 1)
    assert view.group_of(child.ref) == ()
    world.close()


def test_a_moving_car_is_seen_as_a_box_along_its_front() -> None:
    """EVT-43: cars look along +y of their outline: the long side lies along the velocity."""
    world = World(
        street(
            peds=(dummy(10, "mary", 500.0, 1200.0),), vehicles=(car(20, "car_a", 500.0, 300.0),)
        ),
        strict=True,
    )
    ref = world.things.by_name("car_a")
    assert ref is not None
    assert world.scan_view.moving_vehicles() == []
    world.things.place(ref.ref, Vec3(500.0, 300.0), 0.0, Vec3(0.0, 600.0))
    (found,) = world.scan_view.moving_vehicles()
    assert (found.half_length_cm, found.half_width_cm) == (220.0, 90.0)
    assert found.yaw_rad == pytest.approx(math.pi / 2)
    world.close()


def test_things_near_are_props_and_parked_vehicles() -> None:
    """EVT-37, EVT-42: nearest first, walls are none of them, a car is a box."""
    world = World(
        street(
            peds=(dummy(10, "mary", 500.0, 500.0),),
            vehicles=(car(20, "car_a", 900.0, 500.0),),
            props=(prop(21, "bin", 600.0, 500.0, 30.0, 20.0),),
            obstacles=(wall(22, 560.0, 500.0),),
        ),
        strict=True,
    )
    near = world.scan_view.things_near(Vec3(500.0, 500.0), 500.0)
    assert [one.object_id for one in near] == [21, 20]
    assert near[1].half_size == (90.0, 220.0)
    assert near[0].ref.kind is EntityKind.PROP
    world.close()


def test_rows_say_what_holds_of_everybody() -> None:
    """EVT-37, EVT-49: columns in id order; who walks a path, who is the player."""
    player = PedDescription(
        object_id=9, name="you", position=Vec3(900, 900), options={"player": True}
    )
    world = World(street(peds=(person(12, "mary", 500.0, 500.0), player)), strict=True)
    steps(world, 1)
    rows = world.scan_view.rows()
    assert rows.ids.tolist() == [9, 12]
    assert rows.is_player.tolist() == [True, False]
    assert world.scan_view.rows() is rows, "gathered once a step"
    assert rows.place(1)[:2] == (500.0, 500.0)
    world.close()


def test_feet_above_known_ground() -> None:
    """EVT-49: heights over the ground of the map."""
    ground = SurfaceDescription(
        object_id=1, kind="pavement", outline=Polygon(((0, 0), (2000, 0), (2000, 1600), (0, 1600)))
    )
    world = World(street(peds=(dummy(10, "mary", 500.0, 500.0),), surfaces=(ground,)), strict=True)
    heights = world.scan_view.heights(world.scan_view.rows().ids[:1] * 0)
    assert heights.tolist() == [0.0]
    mary = ped_named(world, "mary")
    world.table.z[mary.slot] = 50.0
    assert world.scan_view.heights(world.scan_view.rows().ids[:1] * 0).tolist() == [50.0]
    world.table.z[mary.slot] = 0.0
    world.close()
