"""The lights that things have after dark: lamps, lit windows, shop fronts, headlamps.

What glows is drawn twice: once as part of the thing, once as a pool in the light map
(art-and-feel section 8). Where lights stand is worked out from the same measures as
the drawings, so pool and picture lie on each other.
"""

from __future__ import annotations

from typing import NamedTuple

from game.render.canvas import Canvas
from game.render.colours import Colour
from game.render.outlines import Point
from game.render.solids import Wall, seen_walls
from game.render.things.buildings import shop_of, shop_wall, storeys_of
from game.render.things.facade import (
    GROUND_FLOOR_CM,
    SILL_CM,
    STOREY_CM,
    WINDOW_HEIGHT_CM,
    ShopLayout,
    window_is_lit,
    window_places,
)
from game.render.things.shape import Setting, ThingShape
from game.render.things.street import lamp_head


class Glow(NamedTuple):
    """One pool of the light map.

    - ``at``: where from the thing's ground point, in px of the probe canvas.
    - ``radius_cm``, ``colour``: reach and what it adds in its middle.
    - ``squash``: height over width (pools on the ground are flattened by the pitch).
    """

    at: Point
    radius_cm: float
    colour: Colour
    squash: float = 1.0


def no_glows(canvas: Canvas, shape: ThingShape, setting: Setting) -> list[Glow]:
    """A thing without lights."""
    del canvas, shape, setting
    return []


def lamp_glows(canvas: Canvas, shape: ThingShape, setting: Setting) -> list[Glow]:
    """A street lamp: a pool on the ground under its head and one about the bulb."""
    colours = setting.palette.glow
    x, y, z = lamp_head(shape)
    return [
        Glow(canvas.at((x, y, 0.0)), 330.0, colours.lamp_ground, canvas.sin_pitch),
        Glow(canvas.at((x, y, z)), 60.0, colours.lamp_bulb),
    ]


def car_glows(canvas: Canvas, shape: ThingShape, setting: Setting) -> list[Glow]:
    """Headlamps of a car whose lights are on (option ``lights``)."""
    if not shape.flag("lights"):
        return []
    return [
        Glow(canvas.at((330.0, 0.0, 0.0)), 190.0, setting.palette.glow.headlamp, canvas.sin_pitch)
    ]


def building_glows(canvas: Canvas, shape: ThingShape, setting: Setting) -> list[Glow]:
    """Lit windows of every seen wall, and the shop window with its spill on the pavement."""
    colours = setting.palette.glow
    walls = seen_walls(canvas, shape.outline)
    glows: list[Glow] = []
    for wall_index, wall in enumerate(walls):
        for storey in range(storeys_of(shape)):
            v = GROUND_FLOOR_CM + STOREY_CM * storey + SILL_CM + WINDOW_HEIGHT_CM / 2.0
            for index, u in enumerate(window_places(wall.width)):
                if window_is_lit(shape.number, wall_index, storey, index):
                    glows.append(Glow(_on(canvas, wall, u, v), 120.0, colours.window))
    shop_index = shop_wall(walls)
    if shop_of(shape, setting.palette) is not None and shop_index >= 0:
        wall = walls[shop_index]
        layout = ShopLayout.on(wall.width, shape.number % 2 == 0)
        middle = (layout.glass_left + layout.glass_right) / 2.0
        reach = 0.75 * (layout.glass_right - layout.glass_left)
        glows.append(Glow(_on(canvas, wall, middle, 150.0), reach, colours.shop, 0.8))
        glows.append(Glow(_on(canvas, wall, middle, 0.0, 90.0), reach, colours.shop_spill, 0.6))
    return glows


def _on(canvas: Canvas, wall: Wall, u: float, v: float, out: float = 0.0) -> Point:
    """Pixel of a place on a wall, ``out`` cm before it."""
    return canvas.at(
        (
            wall.left[0] + wall.along[0] * u + wall.normal[0] * out,
            wall.left[1] + wall.along[1] * u + wall.normal[1] * out,
            v,
        )
    )
