"""Who makes the street's shocking events: each kind once, by its fact (EVT-100)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ai.events.body_events import OnFireEvent
from ai.events.shocking import ShockingEvent
from ai.events.types import EventType
from ai.peds.ped import Ped
from ai.ports import Impact, Vec3
from game.levels.world_stage import WorldStage
from game.world.description import PedDescription
from game.world.world import World
from tests.streets import car, ped_named, steps, street, thing


def dummies() -> World:
    people = [
        PedDescription(
            object_id=10 + number, name=f"p{number}", position=Vec3(500 + 300 * number, 500),
            model="dummy", default_task="stand",
        )
        for number in range(3)
    ]  # fmt: skip
    return World(street(peds=people, vehicles=(car(20, "car_a", 1500.0, 1200.0),)), strict=True)


def of_kind(world: World, name: str) -> list[ShockingEvent]:
    return [
        one
        for one in world.events.global_events.group.queue.entries
        if isinstance(one, ShockingEvent) and one.event_type.name == f"SHOCKING_{name}"
    ]


def cue(kind: str) -> Callable[[World], object]:
    return lambda world: WorldStage(world).shock(kind, Vec3(900.0, 900.0), None, None)


def hit(world: World, name: str, source: object | None = None) -> None:
    ped = ped_named(world, name)
    world.impacts.strike(ped, Impact((20_000.0, 0.0), source=source), ragdolls=True)


def burn(world: World) -> None:
    """An answer to burning is committed: the street hears of it through the event's own hook."""
    ped: Ped = ped_named(world, "p0")
    OnFireEvent().on_response_started(ped)


MAKERS: dict[str, Callable[[World], object]] = {
    "NICE_CAR": cue("nice_car"),
    "STREET_SHOW": cue("street_show"),
    "HORN": cue("horn"),
    "ALARM": cue("alarm"),
    "HELP_CALL": cue("help_call"),
    "FIRE": lambda world: world.happenings.light_fire(Vec3(900.0, 900.0), 60.0),
    "BANG": lambda world: world.happenings.bang(Vec3(900.0, 900.0), 6000.0),
    "EXPLOSION": lambda world: world.blasts.explode(Vec3(1800.0, 1500.0), radius_cm=100.0),
    "BREAKAGE": lambda world: world.happenings.breakage(Vec3(900.0, 900.0)),
    "PED_ON_FIRE": burn,
    "PED_KNOCKED_DOWN": lambda world: hit(world, "p0"),
    "PED_RUN_OVER": lambda world: hit(world, "p0", thing(world, "car_a")),
}
"""Facts of the world; the scanners' own kinds are in ``tests/ai/events/scanners``."""


@pytest.mark.parametrize("kind", MAKERS)
def test_every_shock_kind_has_a_maker(kind: str) -> None:
    """EVT-100: one event, from its fact, in the step after it at the latest."""
    world = dummies()
    MAKERS[kind](world)
    steps(world, 2)
    (event,) = of_kind(world, kind)
    assert event.event_type is EventType[f"SHOCKING_{kind}"]
    world.close()


def test_each_who_falls_is_an_event_and_the_same_one_hit_again_is_not() -> None:
    """EVT-100: source = who did it, other party = the fallen; a second ped is a second event."""
    world = dummies()
    first, second, pusher = (ped_named(world, f"p{number}") for number in range(3))
    hit(world, "p0", pusher.ref)
    steps(world, 2)
    (event,) = of_kind(world, "PED_KNOCKED_DOWN")
    assert (event.source, event.cause.other) == (pusher.ref, first.ref)
    steps(world, 30)
    hit(world, "p0", pusher.ref)
    steps(world, 2)
    assert len(of_kind(world, "PED_KNOCKED_DOWN")) == 1
    hit(world, "p1", pusher.ref)
    steps(world, 2)
    assert [one.cause.other for one in of_kind(world, "PED_KNOCKED_DOWN")] == [
        first.ref, second.ref,
    ]  # fmt: skip
    world.close()


def test_a_cue_may_name_a_ped_or_an_object() -> None:
    """EVT-100: the source of a call is who calls, of a fine car the car; what is gone refuses."""
    world = dummies()
    stage = WorldStage(world)
    assert stage.shock("help_call", None, "p1", None) is None
    assert stage.shock("nice_car", None, None, "car_a") is None
    assert of_kind(world, "HELP_CALL")[0].source == ped_named(world, "p1").ref
    assert of_kind(world, "NICE_CAR")[0].source == thing(world, "car_a")
    assert stage.shock("help_call", None, "nobody", None) == "'nobody' is not there"
    assert stage.shock("nice_car", None, None, "nothing") == "'nothing' is not there"
    world.close()
