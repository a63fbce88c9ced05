"""Buildings: an extruded outline with fronts on every side that is seen and a roof on top."""

from __future__ import annotations

import random
from collections.abc import Sequence

from game.render.canvas import Canvas, Solid
from game.render.colours import shade
from game.render.outlines import Point
from game.render.palette import Palette, ShopColours
from game.render.solids import Face, Wall, paint_prism, paint_round, prism, rectangle
from game.render.things.facade import (
    GROUND_FLOOR_CM,
    STOREY_CM,
    FrontStyle,
    ShopLayout,
    paint_awning,
    paint_plain_ground_floor,
    paint_shop_front,
    paint_upper_floors,
)
from game.render.things.shape import Setting, ThingShape

AWNING_OUT_CM = 60.0
FRONT_LIGHT = 1.0 / 0.68
"""Fronts are lit like the street: a wall that looks south has its plain colour."""

SHOP_MIN_WIDTH_CM = 340.0


def storeys_of(shape: ThingShape) -> int:
    """Whole storeys above the ground floor."""
    return max(0, int((shape.z_high - GROUND_FLOOR_CM + 1.0) // STOREY_CM))


def shop_of(shape: ThingShape, palette: Palette) -> ShopColours | None:
    """The shop on a building's ground floor, or None for a plain house."""
    name = shape.text("shop", palette.shop[shape.number % len(palette.shop)].name)
    if name == "none" or shape.z_high < GROUND_FLOOR_CM:
        return None
    return palette.shop_of(name)


def shop_wall(walls: Sequence[Face] | Sequence[Wall]) -> int:
    """Which of the seen walls has the shop front: the nearest one that is wide enough, else -1."""
    for index in range(len(walls) - 1, -1, -1):
        if walls[index].width >= SHOP_MIN_WIDTH_CM:
            return index
    return -1


def paint_building(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """A building of any outline.

    Options: ``wall`` (a material's name), ``shop`` (a name for the fascia; ``none``
    for a house without). A front without the option becomes a shop of the palette's
    list if it is wide and high enough.
    """
    palette = setting.palette
    material = palette.wall_of(shape.text("wall"), shape.number)
    style = FrontStyle(
        material, palette.building, setting.lamps_on, storeys_of(shape), shape.number
    )
    faces = paint_prism(
        canvas,
        shape.outline,
        shape.z_low,
        shape.z_high,
        material.wall,
        shade(material.wall, 0.74),
        wall_light=FRONT_LIGHT,
    )
    dice = random.Random(shape.number)
    _roof(canvas, shape, setting, dice)
    awnings: list[tuple[Face, ShopLayout]] = []
    shop = shop_of(shape, palette)
    for index, face in enumerate(faces):
        if face.width < 60.0:
            continue
        if style.storeys:
            paint_upper_floors(face, index, style, dice)
        if shop is not None and index == shop_wall(faces):
            layout = ShopLayout.on(face.width, shape.number % 2 == 0)
            paint_shop_front(canvas, face, style, shop, layout, dice)
            awnings.append((face, layout))
        else:
            paint_plain_ground_floor(face, style, dice)
    for face, layout in awnings:
        if shop is None:
            break
        out = face.moved_out(canvas, AWNING_OUT_CM)
        paint_awning(canvas, face, out, shop, layout, palette.building.awning_light)
        _doorstep(canvas, face, layout, setting)


def _doorstep(canvas: Canvas, face: Face, layout: ShopLayout, setting: Setting) -> None:
    """A step of 8 cm before the shop's door."""
    step = setting.palette.building.step
    out = face.moved_out(canvas, 34.0)
    left, right = layout.door - 16.0, layout.door + 106.0
    canvas.fill(
        step, [face.at(left, 8.0), face.at(right, 8.0), out.at(right, 8.0), out.at(left, 8.0)]
    )
    out.quad(shade(step, 0.78), left, right, 0.0, 8.0)


def _roof(canvas: Canvas, shape: ThingShape, setting: Setting, dice: random.Random) -> None:
    """Parapet, two vents, a tank and a hatch, where the roof is large enough for them."""
    palette = setting.palette
    material = palette.wall_of(shape.text("wall"), shape.number)
    top = shape.z_high
    edge = [(x, y, top) for x, y in shape.outline]
    inner = [(x, y, top) for x, y in _inset(shape.outline, 16.0)]
    canvas.polygon(shade(material.trim, 0.92), edge)
    canvas.polygon(shade(material.wall, 0.48), inner)
    floor = [(x, y, top) for x, y in _inset(shape.outline, 22.0)]
    canvas.polygon(shade(material.wall, 0.74), floor)
    if shape.half_x < 180.0 or shape.half_y < 120.0:
        return
    seams = shade(material.wall, 0.69)
    reach_x, reach_y = shape.half_x * 0.55, shape.half_y * 0.5
    for index in range(-3, 4):
        x = reach_x * index / 3.0
        canvas.line(seams, (x, -reach_y, top), (x, reach_y, top), 3.0)
    metal = palette.building.metal_box
    spots = [(-0.6, -0.3), (-0.25, 0.35), (0.2, -0.4), (0.6, 0.2)]
    dice.shuffle(spots)
    at = [(x * reach_x, y * reach_y) for x, y in spots]
    paint_prism(
        canvas,
        rectangle(52.0, 38.0, *at[0]),
        top,
        top + 26.0,
        shade(material.wall, 0.9),
        shade(metal, 0.7),
    )
    for x, y in at[1:3]:
        for face in paint_prism(
            canvas, rectangle(34.0, 28.0, x, y), top, top + 40.0, shade(metal, 0.86)
        ):
            for share in (0.25, 0.45, 0.65):
                face.quad(
                    shade(metal, 0.45),
                    6.0,
                    face.width - 6.0,
                    face.height * share,
                    face.height * share + 4.0,
                )
    x, y = at[3]
    paint_round(
        canvas, (top, 40.0), (top + 84.0, 40.0), shade(palette.thing.trunk, 1.2), None, x, y
    )
    paint_round(
        canvas, (top + 84.0, 43.0), (top + 104.0, 6.0), shade(palette.thing.trunk, 0.9), None, x, y
    )


def _inset(outline: Sequence[Point], by: float) -> list[Point]:
    """A convex-ish outline drawn in towards its middle by about ``by`` cm."""
    middle_x = sum(x for x, _ in outline) / len(outline)
    middle_y = sum(y for _, y in outline) / len(outline)
    inset: list[Point] = []
    for x, y in outline:
        dx, dy = x - middle_x, y - middle_y
        inset.append(
            (
                middle_x + dx * max(0.0, 1.0 - by / max(abs(dx), by)),
                middle_y + dy * max(0.0, 1.0 - by / max(abs(dy), by)),
            )
        )
    return inset


def building_body(shape: ThingShape) -> list[Sequence[Solid]]:
    """The extruded outline, for bounds and shadow."""
    return [prism(shape.outline, shape.z_low, shape.z_high)]
