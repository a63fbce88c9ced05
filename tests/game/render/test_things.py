"""Things: every kind has a drawing, in its place and from every side."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pygame
import pytest

from ai.ports import Circle, Polygon
from game import resources
from game.render.canvas import Canvas, View
from game.render.depth import Base
from game.render.frame import Tones
from game.render.palette import load_palette
from game.render.scenery import sway_px
from game.render.things.catalogue import PLAIN, STYLES, overheads_of, style_of
from game.render.things.shape import Setting, ThingShape, shape_of
from game.render.things.sprites import ThingSprites
from game.world.outlines import placed
from game.world.thing_kinds import load_catalogue
from tests.game.render.doubles import ball, rectangle, thing

KINDS = load_catalogue(resources.tuning()).kinds
VIEW = View(0.6, 55.0)
DAY = Tones((176, 168, 196), (144, 137, 160))


def shape(kind: str, **options: str | float | bool) -> ThingShape:
    form = KINDS[kind]
    return shape_of(
        kind, form.footprint.outline(), form.z_low, form.z_high, number=1, options=options
    )


def painted(
    drawn: ThingShape, yaw: float = 0.0, *, lamps_on: bool = False, view: View = VIEW
) -> pygame.Surface:
    sprites = ThingSprites(Setting(load_palette(), lamps_on))
    return sprites.baked(drawn, yaw, view, DAY, exact=True).body.surface


def count(surface: pygame.Surface, colour: tuple[int, int, int], within: int = 12) -> int:
    pixels = pygame.surfarray.array3d(surface).astype(int)
    return int((np.abs(pixels - np.array(colour)).sum(axis=2) <= within).sum())


def test_every_kind_of_the_catalogue_has_a_drawing_of_its_own() -> None:
    assert set(KINDS) - set(STYLES) == set()


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("yaw_deg", [0.0, 37.0, 90.0, -90.0])
def test_a_thing_is_drawn_from_every_side_with_ink(kind: str, yaw_deg: float) -> None:
    surface = painted(shape(kind), math.radians(yaw_deg))
    assert pygame.mask.from_surface(surface).count() > 40
    assert count(surface, load_palette().ink.line, 24) > 5


@pytest.mark.parametrize("pitch_deg", [35.0, 90.0])
def test_all_things_can_be_drawn_at_the_limits_of_the_pitch(pitch_deg: float) -> None:
    for kind in KINDS:
        surface = painted(shape(kind), 0.4, view=View(0.3, pitch_deg))
        assert pygame.mask.from_surface(surface).count() > 5, kind


def test_an_unknown_kind_is_its_extruded_outline() -> None:
    assert style_of("catapult") is PLAIN
    surface = painted(shape_of("catapult", rectangle(100.0, 60.0), 0.0, 80.0))
    assert count(surface, load_palette().thing.plain, 60) > 500


@pytest.mark.parametrize("yaw_deg", range(0, 360, 45))
def test_every_heading_of_a_car_is_a_car(yaw_deg: int) -> None:
    """Art-and-feel section 17, question 6: wheels, glass, lamps."""
    palette = load_palette()
    surface = painted(shape("sedan", paint=0), math.radians(yaw_deg))
    colours = palette.car
    assert count(surface, colours.glass, 20) > 100
    paint = np.array(colours.paints[0])
    shades = sum(count(surface, tuple((paint * tone).astype(int)), 30) for tone in (0.5, 0.7, 0.95))
    assert shades > 1500
    sideways = abs(math.cos(math.radians(yaw_deg)))
    if sideways < 0.9:
        assert count(surface, colours.tyre, 30) > 20
    if sideways > 0.6:
        lamps = count(surface, colours.lamp_front, 30) + count(surface, colours.lamp_back, 40)
        assert lamps > 4


def test_headlamps_shine_after_dark_when_they_are_on() -> None:
    colours = load_palette().car
    lit = painted(shape("sedan", lights=True), 0.0, lamps_on=True)
    dark = painted(shape("sedan"), 0.0, lamps_on=True)
    assert count(lit, colours.lamp_front_lit) > count(dark, colours.lamp_front_lit)


def test_a_barricade_has_white_stripes_on_orange() -> None:
    colours = load_palette().thing
    surface = painted(shape("barricade"))
    assert count(surface, colours.stripe, 90) > 200
    assert count(surface, colours.barricade, 60) > 100


def test_an_explosive_barrel_is_red_with_a_yellow_sign() -> None:
    palette = load_palette().thing
    red = painted(shape("barrel", explosive=True))
    blue = painted(shape("barrel"))
    assert count(red, palette.warning) > 20
    assert count(blue, palette.warning) == 0


def test_a_round_planter_is_drawn_round() -> None:
    """F12: straight down, a picture fills its box as a disc does, not as a square."""
    bed = shape_of("planter", Circle(0.0, 0.0, 130.0), 0.0, 60.0, number=1)
    mask = pygame.mask.from_surface(painted(bed, view=View(1.0, 90.0)))
    assert mask.count() / 264.0**2 == pytest.approx(math.pi / 4.0, rel=0.03)


def test_a_fountain_has_water_where_a_planter_has_leaves() -> None:
    thing_colours = load_palette().thing
    pond = Circle(0.0, 0.0, 130.0)
    bed = painted(shape_of("planter", pond, 0.0, 60.0, number=1))
    fountain = painted(shape_of("planter", pond, 0.0, 60.0, number=1, options={"fountain": True}))
    assert count(fountain, thing_colours.water) > 1000 > count(bed, thing_colours.water)
    assert count(bed, thing_colours.leaf, 40) > 1000 > count(fountain, thing_colours.leaf, 40)


def test_the_shop_says_its_name_and_a_house_has_none() -> None:
    palette = load_palette()
    sign, awning = palette.building.sign_text, palette.shop_of("TEA").colour
    named = painted(shape("building", shop="TEA"))
    assert count(named, sign) > count(painted(shape("building", shop="")), sign) + 10
    assert count(painted(shape("building", shop="none")), awning) < count(named, awning) / 10


def test_windows_are_lit_after_dark() -> None:
    lit = load_palette().building.glass_lit
    assert count(painted(shape("building"), lamps_on=True), lit, 20) > 200
    assert count(painted(shape("building")), lit, 20) < 40


def test_only_the_shelters_glass_is_translucent() -> None:
    assert [kind for kind, style in STYLES.items() if style.translucent] == ["bus_shelter"]


def test_a_shelters_roof_is_drawn_over_whoever_waits() -> None:
    shelter = thing("bus_shelter", 500.0, 500.0, rectangle(320.0, 120.0), 220.0)
    (roof,) = overheads_of([shelter, thing("lamp", 0.0, 0.0, ball(10.0))])
    assert roof.shape.kind == "bus_shelter_roof"
    assert Base.of(shelter).front(500.0) < 500.0 < Base.of(roof).front(500.0)


def test_a_tree_carries_its_crown_over_its_trunk() -> None:
    """Art-and-feel 7: the leaves are drawn apart from the trunk, which does not sway."""
    tree = thing("tree", 0.0, 0.0, ball(12.0), 300.0, number=4)
    (crown,) = overheads_of([tree])
    assert (crown.shape.number, crown.x, crown.y) == (4, tree.x, tree.y)
    leaf = load_palette().thing.leaf
    assert count(painted(crown.shape), leaf, 30) > 500
    assert count(painted(tree.shape), leaf, 30) == 0
    assert [kind for kind, style in STYLES.items() if style.sway_cm] == ["tree_crown"]


def test_crowns_sway_by_two_cm_at_a_third_of_a_hertz_each_in_its_own_time() -> None:
    """Art-and-feel 7. A picture of 5 px a cm shows 10 px to either side, in whole px."""
    crown, neighbour = (
        thing("tree_crown", 0.0, 0.0, ball(12.0), 300.0, number=number).shape for number in (0, 1)
    )
    moved = [sway_px(crown, step / 60.0, 5.0) for step in range(201)]
    assert (min(moved), max(moved)) == (-10, 10)
    assert moved[0] == moved[200] == 0
    assert moved[50] == 10
    assert all(abs(after - before) <= 1 for before, after in pairwise(moved))
    assert sway_px(neighbour, 0.0, 5.0) == round(10.0 * math.sin(2.0 * math.pi * 0.618))
    assert sway_px(thing("lamp", 0.0, 0.0, ball(10.0)).shape, 0.8, 5.0) == 0


# -- shapes and places ---------------------------------------------------------


def test_the_longer_side_becomes_the_things_own_x() -> None:
    """A car of 180 x 440 looks along local +y (ORD-08): its drawing is turned a quarter."""
    car = shape_of("car", rectangle(180.0, 440.0), 0.0, 142.0)
    assert (car.half_x, car.half_y, car.turn_rad) == (220.0, 90.0, math.pi / 2.0)
    bench = shape_of("bench", rectangle(170.0, 55.0), 0.0, 84.0)
    assert (bench.half_x, bench.turn_rad) == (85.0, 0.0)


def test_scale_applies_and_a_mirrored_thing_keeps_its_size() -> None:
    scaled = shape_of("crate", rectangle(68.0, 68.0), 0.0, 68.0, (-2.0, 1.0, 0.5))
    assert (scaled.half_x, scaled.half_y, scaled.height) == (68.0, 34.0, 34.0)
    assert shape_of("bollard", Circle(0.0, 0.0, 15.0), 0.0, 100.0, (2.0, 2.0, 1.0)).radius == 30.0


@pytest.mark.parametrize("yaw_deg", [0.0, 90.0, -90.0, 37.0])
@pytest.mark.parametrize("size", [(170.0, 55.0), (55.0, 170.0)])
def test_the_drawn_base_is_the_solid_one_within_a_centimetre(
    yaw_deg: float, size: tuple[float, float]
) -> None:
    """F12: the outline that drawing sorts by equals the one that physics collides with."""
    yaw = math.radians(yaw_deg)
    bench = thing("bench", 640.0, 480.0, rectangle(*size), yaw=yaw)
    solid = placed(rectangle(*size), 640.0, 480.0, yaw)
    assert isinstance(solid, Polygon)
    base = Base.of(bench)
    xs, ys = [x for x, _ in solid.points], [y for _, y in solid.points]
    assert (base.x_min, base.x_max) == pytest.approx((min(xs), max(xs)), abs=1.0)
    lowest = max(range(4), key=lambda corner: ys[corner])
    assert base.front(xs[lowest]) == pytest.approx(ys[lowest], abs=1.0)


@pytest.mark.parametrize("yaw_deg", [0.0, 37.0])
def test_the_picture_lies_over_the_things_ground(yaw_deg: float) -> None:
    """F12: straight down, a crate's picture is its footprint and the ink about it."""
    yaw = math.radians(yaw_deg)
    crate = shape("crate")
    sprites = ThingSprites(Setting(load_palette()))
    sprite = sprites.baked(crate, yaw, View(1.0, 90.0), DAY, exact=True).body
    xs = [x for x, _ in np.argwhere(pygame.surfarray.array3d(sprite.surface).any(axis=2))]
    mask = pygame.mask.from_surface(sprite.surface)
    boxes = mask.get_bounding_rects()
    reach = 34.0 * (abs(math.cos(yaw)) + abs(math.sin(yaw))) + 2.0
    assert xs
    assert boxes[0].width == pytest.approx(2.0 * reach, abs=2.5)
    assert boxes[0].centerx + sprite.left == pytest.approx(0.0, abs=1.5)


def test_moving_things_come_in_32_headings() -> None:
    sprites = ThingSprites(Setting(load_palette()))
    crate = shape("crate")
    step = 2.0 * math.pi / 32.0
    first = sprites.baked(crate, 0.0, VIEW, DAY, exact=False)
    assert sprites.baked(crate, 0.4 * step, VIEW, DAY, exact=False) is first
    assert sprites.baked(crate, 0.6 * step, VIEW, DAY, exact=False) is not first
    assert sprites.baked(crate, 2.0 * math.pi, VIEW, DAY, exact=False) is first


def test_a_beam_in_the_air_throws_a_shadow_but_touches_nothing() -> None:
    sprites = ThingSprites(Setting(load_palette()))
    beam, crate = shape("beam"), shape("crate")
    shadows = [sprites.baked(one, 0.0, VIEW, DAY, exact=True).shadow for one in (beam, crate)]
    assert count(shadows[0].surface, DAY.contact, 0) == 0
    assert count(shadows[1].surface, DAY.contact, 0) > 0


def test_lamps_and_lit_windows_lie_where_they_are_drawn() -> None:
    """A lamp's bulb pool is about its head, 434 cm up and 76 down the map."""
    palette = load_palette()
    lamp = shape("lamp")
    probe = Canvas(pygame.Surface((1, 1)), (0.0, 0.0), 1.0, View(1.0, 60.0), palette.ink.line)
    ground, bulb = style_of("lamp").glows(probe, lamp, Setting(palette, True))
    assert bulb.at == pytest.approx((0.0, 76.0 * math.sin(math.radians(60.0)) - 434.0 * 0.5))
    assert ground.radius_cm == 330.0
    house = style_of("building").glows(
        probe, shape("building", shop="none"), Setting(palette, True)
    )
    assert house
    assert {glow.radius_cm for glow in house} == {120.0}
