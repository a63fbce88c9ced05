"""What is seen of fire: loops of flames, light, smoke, burnt ground, blackened things."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pygame
import pytest

from ai.ports import Vec3
from game.render.canvas import View
from game.render.fires.air import SMOKE_MAX, FireAir, Source
from game.render.fires.fire_layer import FireLayer, flicker
from game.render.fires.flame_sprites import FRAMES, FlameSprites, paint_flames
from game.render.fires.scorch import Scorch, paint_scorches
from game.render.palette import load_palette
from game.render.picture import FirePicture, GroundPicture, Picture
from game.render.picture_of_world import WorldPicture
from game.render.projection import Projection
from game.world.world import World
from tests.game.world.fire.test_fires import some
from tests.streets import person, steps, street

VIEW = View(0.6, 55.0)
PALETTE = load_palette()


def seen(sprite_surface: pygame.Surface) -> int:
    """Pixels that are not the colour key."""
    return pygame.mask.from_surface(sprite_surface).count()


def test_a_larger_and_stronger_fire_shows_more_and_is_higher() -> None:
    small = paint_flames(28.0, 1.0, 0, VIEW, PALETTE.fire)
    large = paint_flames(78.0, 1.0, 0, VIEW, PALETTE.fire)
    weak = paint_flames(78.0, 0.2, 0, VIEW, PALETTE.fire)
    assert seen(large.surface) > 3 * seen(small.surface)
    assert large.top < weak.top < 0, "stronger flames reach further up"


def test_flames_move_from_frame_to_frame_and_the_loop_closes() -> None:
    """16 pictures a loop: each differs from the next, the last no more from the first."""
    frames = [
        pygame.surfarray.array3d(paint_flames(56.0, 1.0, index, VIEW, PALETTE.fire).surface)
        for index in range(FRAMES)
    ]
    least = min(shape.shape for shape in frames)
    cut = [one[: least[0], : least[1]].astype(int) for one in frames]
    steps_between = [float(np.abs(a - b).mean()) for a, b in pairwise([*cut, cut[0]])]
    assert min(steps_between) > 0.5
    assert steps_between[-1] < 2.0 * max(steps_between[:-1])


def test_a_loop_is_baked_a_few_pictures_a_frame() -> None:
    """With one bake a frame another picture of the loop stands in, never nothing."""
    sprites = FlameSprites(PALETTE.fire, 1)
    sprites.begin_frame(VIEW)
    first = sprites.sprite(60.0, 1.0, 0, VIEW)
    second = sprites.sprite(60.0, 1.0, 1, VIEW)
    third = sprites.sprite(60.0, 1.0, 2, VIEW)
    assert second is not first
    assert third is second, "no bake is left: the picture before it"
    sprites.begin_frame(VIEW)
    assert sprites.sprite(60.0, 1.0, 2, VIEW) is not second


def picture_with(*fires: FirePicture) -> Picture:
    return Picture(ground=GroundPicture(2000.0, 1600.0), fires=fires)


PROJECTION = Projection(1000.0, 800.0)


def test_fires_near_each_other_light_the_street_as_one() -> None:
    """Two lights a cell of 260 cm however many burn in it: one on the ground, one in the flames."""
    layer = FireLayer(PALETTE, None)
    near = [FirePicture(n, 1050.0 + 5.0 * n, 800.0, 0.0, 40.0, 1.0) for n in range(20)]
    far = FirePicture(99, 1500.0, 800.0, 0.0, 40.0, 1.0)
    assert len(layer.pools(picture_with(*near), PROJECTION)) == 2
    assert len(layer.pools(picture_with(*near, far), PROJECTION)) == 4
    single = layer.pools(picture_with(near[0]), PROJECTION)
    assert layer.pools(picture_with(*near), PROJECTION)[0].radius > single[0].radius
    assert all(pool.always for pool in single), "a fire needs no lamps"


def test_a_fire_is_mostly_on_and_never_off() -> None:
    """Art section 8: 1 +- 0.10 +- 0.06 +- 0.04."""
    levels = [flicker(index / 60.0, 60.0, 3) for index in range(1200)]
    assert 0.80 <= min(levels) < 0.95
    assert 1.05 < max(levels) <= 1.20


def test_smoke_is_bounded_and_goes_with_the_wind() -> None:
    air = FireAir(PALETTE.fire)
    sources = [Source(1000.0 + n, 800.0, 0.0, 60.0, 1.0) for n in range(40)]
    for frame in range(1, 400):
        air.advance(sources, (200.0, 0.0), frame / 60.0)
    assert 40 < len(air._smoke) <= SMOKE_MAX
    assert all(one.vx > 100.0 and abs(one.vy) < 1.0 for one in air._smoke)
    for frame in range(400, 700):
        air.advance([], (200.0, 0.0), frame / 60.0)
    assert len(air) == 0


def test_burnt_ground_is_darkest_in_its_middle_and_only_there() -> None:
    """Rings at 0.78, 0.60, 0.50 of what was there."""
    surface = pygame.Surface((1280, 720))
    surface.fill((200, 200, 200))
    paint_scorches(surface, PROJECTION, [Scorch(1000.0, 800.0, 100.0, 1.0, 1)])
    middle = surface.get_at((640, 360))[0]
    assert middle == pytest.approx(100, abs=8)
    rim = surface.get_at((640 + 70, 360))[0]
    assert middle < rim < 200
    assert surface.get_at((640 + 120, 360))[0] == 200


def test_the_picture_shows_the_worlds_fires_and_what_they_left() -> None:
    """Flames on a thing stand before it, it blackens; burnt down it leaves a scorch."""
    world = World(street(props=[some("box", 50, 900.0, 800.0)]))
    picture = WorldPicture(world)
    thing = world.things.in_id_order()[0]
    world.fires.light_thing(thing)
    for _ in range(420):
        world.step()
        picture.after_step()
    (fire,) = picture.picture.fires
    assert fire.strength == pytest.approx(1.0)
    assert fire.front_y == pytest.approx(820.0, abs=1.0)
    assert picture.picture.props.shapes[0].char == 2, "5 of 12 s of full burning: 0.42 of 4 steps"
    for _ in range(720):
        world.step()
        picture.after_step()
    assert not picture.picture.fires
    assert len(picture.picture.scorches) == 1
    world.close()


def test_who_burns_has_flames_at_the_chest() -> None:
    world = World(street(peds=[person(10, "courier", 900.0, 800.0)]))
    picture = WorldPicture(world)
    world.burning.catch(world.peds.in_id_order()[0].ref, 0)
    steps(world, 2)
    picture.after_step()
    (fire,) = picture.picture.fires
    assert fire.is_person
    assert fire.z == pytest.approx(82.0)
    world.fires.douse(Vec3(900.0, 800.0), 50.0)
    picture.after_step()
    assert not picture.picture.fires
    assert picture.picture.water == ((900.0, 800.0, 50.0),)
    world.close()
