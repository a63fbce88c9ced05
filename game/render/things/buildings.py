"""Buildings: an extruded outline with fronts on every side that is seen and a roof on top."""

from __future__ import annotations

import random
from collections.abc import Sequence

from game.render.canvas import Canvas
from game.render.colours import shade
from game.render.palette import Palette, ShopColours
from game.render.solids import Face, Wall, paint_prism
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
from game.render.things.roofs import paint_roof
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
    paint_roof(canvas, shape, material, palette, dice)
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
