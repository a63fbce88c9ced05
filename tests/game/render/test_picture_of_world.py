"""Pictures of a world: what they hold after a step, and that the world never feels them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pygame
import pytest

from ai.behaviours.order_commands import CancelOrder, HoldOrder, StartOrderAt
from ai.motion.movement_table import ClipPhase
from ai.ports import Impact, Vec3
from game.render.figures.faces import Mood
from game.render.figures.looks import shipped_outfits
from game.render.palette import load_palette
from game.render.picture import OrderBubble, Pose, SpokenPicture
from game.render.picture_of_world import ENDED_BUBBLE_S, ClipPoses, WorldPicture, look_name
from game.render.projection import Projection
from game.render.scene_renderer import Quality, SceneRenderer
from game.world.world import World
from tests.streets import (
    courier_street,
    ped_named,
    perform,
    person,
    prop,
    start,
    street,
    thing,
)


def step(world: World, picture: WorldPicture, count: int = 1) -> None:
    for _ in range(count):
        world.step()
        picture.after_step()


def test_a_new_picture_stands_still() -> None:
    world = World(courier_street())
    peds = WorldPicture(world).picture.peds
    assert peds.ids.tolist() == [10]
    assert peds.now.tolist() == [[200.0, 600.0, 0.0, 0.0]]
    assert (peds.before == peds.now).all()


def test_what_was_now_becomes_before() -> None:
    world = World(courier_street())
    picture = WorldPicture(world)
    assert start(world).accepted
    step(world, picture, 120)
    now = picture.picture.peds.now.copy()
    poses = list(picture.picture.peds.poses)
    step(world, picture)
    peds = picture.picture.peds
    assert (peds.before == now).all()
    assert list(peds.poses_before) == poses
    assert peds.now[0, 0] > peds.before[0, 0]
    assert picture.picture.time_s == pytest.approx(121 / 60)


def test_legs_go_by_the_ground_covered() -> None:
    """CLIP-13: in LOOP a drawn stride of 154 sqrt(130/140) = 148.4 cm is one cycle."""
    world = World(courier_street())
    picture = WorldPicture(world)
    assert start(world).accepted
    while ped_named(world).movement.clip.phase is not ClipPhase.LOOP:
        step(world, picture)
    step(world, picture, 40)
    first = picture.picture.peds
    cycles, travelled = 0.0, 0.0
    for _ in range(40):
        step(world, picture)
        peds = picture.picture.peds
        cycles += (peds.poses[0].time - peds.poses_before[0].time) % 1.0
        travelled += float(np.hypot(*(peds.now[0, :2] - peds.before[0, :2])))
    assert first.poses[0].phase == ClipPhase.LOOP
    assert travelled / cycles == pytest.approx(154.0 * math.sqrt(130.0 / 140.0), rel=0.01)


def test_the_bubble_tells_how_the_order_stands_and_goes_after_its_end() -> None:
    """Art-and-feel 12: while the order lives, and 1.5 s after its end."""
    world = World(courier_street())
    picture = WorldPicture(world)
    assert picture.picture.peds.bubbles == [None]
    assert start(world).accepted
    step(world, picture, 2)
    assert picture.picture.peds.bubbles == [OrderBubble.GOING]
    order = ped_named(world).order
    assert perform(world, HoldOrder(ped_named(world).ref, order.session)).accepted
    step(world, picture)
    assert picture.picture.peds.bubbles == [OrderBubble.HELD]
    assert perform(world, CancelOrder(ped_named(world).ref, order.session)).accepted
    step(world, picture)
    assert picture.picture.peds.bubbles == [OrderBubble.FAILED]
    step(world, picture, round((ENDED_BUBBLE_S + 0.1) * 60))
    assert picture.picture.peds.bubbles == [None]


def test_where_somebody_plays_only_the_selected_and_the_sent_tell_their_orders() -> None:
    """Art-and-feel 12: order bubbles stand over selected peds."""
    you = replace(person(3, "you", 1000.0, 800.0), options={"player": True}, default_task="")
    couriers = (person(10, "courier", 200.0, 600.0), person(11, "sent", 200.0, 900.0))
    world = World(courier_street(peds=(you, *couriers)))
    giver = world.sources.create("player")
    picture = WorldPicture(world, giver)
    assert start(world).accepted
    sent = ped_named(world, "sent").ref
    assert perform(world, StartOrderAt(sent, Vec3(600.0, 900.0), giver)).accepted
    step(world, picture, 2)
    assert picture.picture.peds.bubbles == [None, None, OrderBubble.GOING]
    picture.select((10,))
    assert picture.picture.peds.bubbles == [None, OrderBubble.GOING, OrderBubble.GOING]


def test_the_way_of_the_selected_ends_at_the_goal_of_its_order() -> None:
    """Art-and-feel 13: accent dots along the way and a ring at its end."""
    world = World(courier_street())
    picture = WorldPicture(world)
    assert start(world).accepted
    step(world, picture, 20)
    assert picture.picture.marks.lines == ()
    picture.select((10,))
    (line,) = picture.picture.marks.lines
    assert line.goal == Vec3(1000.0, 600.0)
    assert line.corners[-1][:2] == pytest.approx((1000.0, 600.0), abs=1.0)


def test_standing_things_stay_one_object_until_something_changes() -> None:
    world = World(courier_street())
    picture = WorldPicture(world)
    standing = picture.picture.standing
    assert {one.shape.kind for one in standing} == {"car"}
    step(world, picture, 5)
    assert picture.picture.standing is standing
    assert world.things.place(thing(world, "car_a"), Vec3(1300.0, 600.0), 0.0)
    step(world, picture)
    assert picture.picture.standing is not standing
    assert 1300.0 in [one.x for one in picture.picture.standing]


def test_a_car_under_way_is_a_moving_thing() -> None:
    world = World(courier_street())
    picture = WorldPicture(world)
    car = thing(world, "car_a")
    for index in range(3):
        world.things.place(car, Vec3(1200.0 + index, 600.0), 0.0, Vec3(60.0, 0.0))
        step(world, picture)
    assert [shape.kind for shape in picture.picture.props.shapes] == ["car"]
    assert len(picture.picture.standing) == 1
    assert picture.picture.props.before[0, 0] < picture.picture.props.now[0, 0]


def test_props_come_with_both_their_places() -> None:
    world = World(street(props=(prop(5, "barrel", 500.0, 500.0, 29.0, 35.0),)))
    picture = WorldPicture(world)
    barrel = thing(world, "barrel5")
    world.physics.apply_impulse(barrel, (20_000.0, 0.0))
    step(world, picture, 3)
    props = picture.picture.props
    assert props.now[0, 0] > props.before[0, 0] > 500.0


def test_selected_peds_are_marked_and_stay_so() -> None:
    world = World(street(peds=(person(3, "ann", 300.0, 300.0), person(4, "ben", 600.0, 300.0))))
    picture = WorldPicture(world)
    picture.select([4])
    assert picture.picture.peds.selected.tolist() == [False, True]
    step(world, picture)
    assert picture.picture.peds.selected.tolist() == [False, True]


def test_a_ped_without_an_outfit_wears_what_its_name_says() -> None:
    world = World(courier_street())
    assert look_name(ped_named(world)) == "courier"
    assert shipped_outfits().named("courier") is not None


def test_clip_poses_are_those_of_the_clips() -> None:
    """Standing, the figure is 170 to 180 cm tall and has a foot on the ground."""
    source = ClipPoses(World(courier_street()).data.clips)
    standing, turning = source.poses(
        [Pose(0, int(ClipPhase.IDLE), 0.0), Pose(0, int(ClipPhase.TURN), 0.3, turn_left=True)]
    )
    heights = dict(zip(source.joints, standing[:, 2].tolist(), strict=True))
    assert 160.0 < heights["crown"] < 180.0
    assert min(heights.values()) < 4.0
    assert standing.shape == turning.shape == (24, 3)


def test_drawing_never_changes_a_run() -> None:
    """LVL-08, CLIP-13: the fingerprint is the same with pictures taken and drawn, and without."""
    plain, watched = World(courier_street()), World(courier_street())
    picture = WorldPicture(watched)
    scene = SceneRenderer(
        load_palette(), shipped_outfits(), ClipPoses(watched.data.clips), Quality()
    )
    surface = pygame.Surface((320, 180))
    for world in (plain, watched):
        assert start(world).accepted
    for index in range(90):
        for world in (plain, watched):
            world.pool.activate()
            world.step()
        picture.after_step()
        if index % 10 == 0:
            scene.draw(surface, picture.picture, Projection(600.0, 600.0, 55.0, 0.4, 320, 180))
    assert plain.fingerprint.hexdigest() == watched.fingerprint.hexdigest()


def test_who_is_thrown_is_scared_then_dizzy_and_drawn_where_the_body_is() -> None:
    """Up at 267 cm/s it flies 0.54 s. Between two steps no body is moved with its frame."""
    world = World(courier_street())
    picture = WorldPicture(world)
    step(world, picture)
    world.impacts.strike(ped_named(world), Impact((60_000.0, 0.0), 20_000.0))
    for _ in range(20):
        step(world, picture)
    peds = picture.picture.peds
    assert peds.moods == [Mood.SCARED]
    assert peds.poses[0].joints is not None
    assert (peds.before == peds.now).all()
    for _ in range(20):
        step(world, picture)
    peds = picture.picture.peds
    assert peds.moods == [Mood.DIZZY]
    assert (peds.before == peds.now).all()


def test_what_a_response_says_is_shown_in_words() -> None:
    """The Speech port: words of a response, and the words of a brain's key; then silence."""
    world = World(courier_street())
    picture = WorldPicture(world)
    ped = ped_named(world)
    world.events.say(ped, "Not again.")
    step(world, picture)
    assert picture.picture.speech == (SpokenPicture(ped.ped_id, "Not again."),)
    world.speech.say(ped.ref, "guard_halt", 0.5)
    step(world, picture)
    assert picture.picture.speech == (SpokenPicture(ped.ped_id, "Hey! Stop right there!"),)
    for _ in range(31):
        step(world, picture)
    assert picture.picture.speech == ()
