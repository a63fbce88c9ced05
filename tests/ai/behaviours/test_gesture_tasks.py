"""Reactions that the body shows: what they do, how they end, what is drawn of them (EVT-84)."""

from __future__ import annotations

import math

import pytest

from ai.behaviours.gestures import Gesture, gesture_of
from ai.events.decision_maker import Decided, ResponseTaskDef
from ai.events.response import EventResponse
from ai.events.response_kinds import KINDS
from ai.events.types import EventType
from ai.peds.ped import Ped
from ai.ports import Vec3
from ai.tasks.task import Task
from ai.tasks.trees import PRIMARY, SECONDARY, PrimarySlot
from game.world.description import PedDescription
from game.world.world import World
from tests.streets import ped_named, steps, street, until


def mary_in(world: World) -> Ped:
    return ped_named(world, "mary")


def quiet_world() -> World:
    mary = PedDescription(
        object_id=10, name="mary", position=Vec3(800, 500), model="dummy", default_task="stand"
    )
    return World(street(peds=(mary,)), strict=True)


def answered(ped: Ped, kind: str, at: Vec3, **parameters: float | str) -> Task:
    """Commit a response of a kind, whatever would be decided."""
    events = ped.events.services.global_events
    event = events.shock(EventType.SHOCKING_FIRE, at)
    assert event is not None
    response = EventResponse()
    values: dict[str, float | str] = {
        name: one.default for name, one in KINDS[kind].parameters.items() if one.default is not None
    }
    definition = ResponseTaskDef(kind, kind, KINDS[kind], {**values, **parameters})
    assert ped.services.events.factory.build(ped, event, Decided(definition), response)
    on_secondary = response.run_on_secondary
    task = response.take_main()
    assert task is not None
    if on_secondary:
        ped.tasks.set_task(SECONDARY, task, 0)
    else:
        ped.tasks.set_task(PRIMARY, task, PrimarySlot.EVENT_RESPONSE_NONTEMP)
    return task


@pytest.mark.parametrize(
    ("kind", "gesture", "faces"),
    [
        ("react", Gesture.STARTLE, True),
        ("film_with_phone", Gesture.FILM, True),
        ("report_by_phone", Gesture.PHONE, True),
        ("hands_up", Gesture.HANDS_UP, True),
        ("duck", Gesture.DUCK, False),
        ("cower", Gesture.COWER, False),
        ("head_track", Gesture.LOOK, False),
    ],
)
def test_what_is_done_on_the_spot_is_shown_and_ends(
    kind: str, gesture: Gesture, faces: bool
) -> None:
    """EVT-84: stays where it is, for its time; turns to it if it watches; shows its gesture."""
    world = quiet_world()
    mary = mary_in(world)
    task = answered(mary, kind, Vec3(800.0, 1000.0), duration_s=1.5)
    steps(world, 60)
    shown = gesture_of(mary.tasks)
    assert shown is not None
    assert shown.gesture is gesture
    assert shown.at == Vec3(800.0, 1000.0)
    assert (abs(mary.yaw - math.pi / 2) < 0.2) is faces
    assert mary.position[:2] == pytest.approx((800.0, 500.0), abs=1.0)
    steps(world, 40)
    assert task.is_deleted
    assert task.succeeded
    assert gesture_of(mary.tasks) is None
    world.close()


def test_cowering_until_safe_ends_with_the_fear() -> None:
    """EVT-84, EVT-101: duration -1: until it is no longer scared (0.8 - 0.02 a second: 15 s)."""
    world = quiet_world()
    mary = mary_in(world)
    event = world.events.global_events.shock(EventType.SHOCKING_EXPLOSION, Vec3(900.0, 500.0))
    assert event is not None
    mary.frighten(event)
    task = answered(mary, "cower", Vec3(900.0, 500.0))
    taken = until(world, lambda: task.is_deleted, limit=1200)
    assert 890 <= taken <= 930
    world.close()


def test_backing_away_goes_a_short_way_off() -> None:
    """EVT-84: so far and no further."""
    world = quiet_world()
    mary = mary_in(world)
    task = answered(mary, "back_away", Vec3(700.0, 500.0), distance_cm=250.0)
    until(world, lambda: task.is_deleted, limit=600)
    assert task.succeeded
    assert mary.position[:2] == pytest.approx((1050.0, 500.0), abs=20.0)
    world.close()


def test_a_glance_leaves_the_main_task_alone() -> None:
    """EVT-84, EVT-85: head_track runs on the secondary tree; the main task goes on."""
    world = quiet_world()
    mary = mary_in(world)
    steps(world, 2)
    before = mary.tasks.tree(PRIMARY).active_root
    answered(mary, "head_track", Vec3(800.0, 1000.0), duration_s=1.0)
    steps(world, 10)
    assert mary.tasks.tree(PRIMARY).active_root is before
    assert gesture_of(mary.tasks) is not None
    world.close()
