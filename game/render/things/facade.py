"""Fronts of buildings: storeys with windows, a shop on the ground floor (art-and-feel section 7).

Everything is laid out on a ``Face`` in centimetres (u along the wall, v up), so a
wall that stands askew gets the same front as one that looks south.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pygame

from game.render.canvas import Canvas
from game.render.colours import Colour, mix, shade
from game.render.palette import BuildingColours, ShopColours, WallColours
from game.render.solids import Face
from game.render.things.boxes import paint_masonry
from game.render.things.lettering import paint_lettering

GROUND_FLOOR_CM = 330.0
STOREY_CM = 300.0
WINDOW_EVERY_CM = 200.0
SILL_CM = 70.0
"""Height of a window's lower edge above its floor."""

WINDOW_HEIGHT_CM = 146.0


@dataclass(frozen=True, slots=True)
class FrontStyle:
    """What one building's fronts are made of."""

    material: WallColours
    colours: BuildingColours
    lamps_on: bool
    storeys: int
    number: int


def window_is_lit(number: int, wall: int, storey: int, index: int) -> bool:
    """Whether a window of building ``number`` has its light on after dark: 45 % of them do."""
    mixed = (number * 7919 + wall * 613 + storey * 131 + index * 17) * 2654435761
    return (mixed >> 9) % 100 < 45


def window_places(width: float) -> list[float]:
    """Middles of the windows along a wall, cm from its left."""
    count = max(1, int(width / WINDOW_EVERY_CM))
    return [width / count * (index + 0.5) for index in range(count)]


def paint_upper_floors(face: Face, wall_index: int, style: FrontStyle, dice: random.Random) -> None:
    """Bricks, quoins, string courses, windows and cornice of a wall above the ground floor."""
    wall, trim = style.material.wall, style.material.trim
    tone = face.tone
    paint_masonry(face, wall, dice, per_stone_cm2=5200.0)
    v = GROUND_FLOOR_CM
    while v < face.height - 30.0:
        for u in (0.0, face.width - 22.0):
            face.quad(shade(trim, 0.92 * tone), u, u + 22.0, v + 4.0, v + 30.0)
        v += 60.0
    for storey in range(style.storeys):
        floor = GROUND_FLOOR_CM + STOREY_CM * storey
        face.quad(shade(wall, 0.86 * tone), 0.0, face.width, floor - 6.0, floor + 4.0)
        for index, u in enumerate(window_places(face.width)):
            lit = style.lamps_on and window_is_lit(style.number, wall_index, storey, index)
            _window(face, u, floor + SILL_CM, style, lit, dice)
    _cornice(face, style)


def _window(
    face: Face, u: float, v: float, style: FrontStyle, lit: bool, dice: random.Random
) -> None:
    """One window: trim, reveal, glass, gleams or light, curtains, bars, sill, box or air unit."""
    wall, trim, colours = style.material.wall, style.material.trim, style.colours
    tone = face.tone
    half = 52.0
    face.quad(shade(trim, tone), u - half - 9.0, u + half + 9.0, v - 8.0, v + 166.0)
    face.quad(shade(wall, 0.40 * tone), u - half, u + half, v, v + 156.0)
    glass = (
        colours.glass_lit if lit else colours.glass_night if style.lamps_on else colours.glass_day
    )
    face.quad(glass, u - half + 3.0, u + half - 3.0, v + 2.0, v + 146.0)
    if lit:
        face.quad(
            mix(glass, (255, 244, 214), 0.5), u - half + 3.0, u + half - 3.0, v + 2.0, v + 60.0
        )
    else:
        for shift, share in ((0.0, 0.30), (26.0, 0.16)):
            right = min(u - half + 64.0 + shift, u + half - 4.0)
            face.polygon(
                mix(glass, colours.gleam, share),
                [
                    (u - half + 8.0 + shift, v + 4.0),
                    (u - half + 24.0 + shift, v + 4.0),
                    (right, v + 140.0),
                    (u - half + 48.0 + shift, v + 140.0),
                ],
            )
    if dice.random() < 0.55:
        cloth = dice.choice(colours.curtains)
        face.quad(shade(cloth, 0.9), u - half + 3.0, u - half + 22.0, v + 2.0, v + 146.0)
        face.quad(shade(cloth, 0.8), u + half - 22.0, u + half - 3.0, v + 2.0, v + 146.0)
    bar = shade(trim, 0.85 * tone)
    face.quad(bar, u - 2.5, u + 2.5, v, v + 150.0)
    face.quad(bar, u - half, u + half, v + 84.0, v + 89.0)
    face.quad(shade(trim, 1.12 * tone), u - half - 14.0, u + half + 14.0, v - 16.0, v - 6.0)
    face.quad(shade(wall, 0.62 * tone), u - half - 12.0, u + half + 12.0, v - 24.0, v - 16.0)
    if dice.random() < 0.25:
        _flower_box(face, u, v, half, style, dice)
    elif dice.random() < 0.14:
        _air_unit(face, u + half, v, style)


def _flower_box(
    face: Face, u: float, v: float, half: float, style: FrontStyle, dice: random.Random
) -> None:
    face.quad((120, 74, 56), u - half, u + half, v - 14.0, v + 6.0)
    for index in range(9):
        face.dot(
            dice.choice(style.colours.flowers),
            u - half + 6.0 + index * 12.0,
            v + 10.0 + dice.uniform(-3.0, 8.0),
            dice.uniform(5.0, 8.0),
        )


def _air_unit(face: Face, u: float, v: float, style: FrontStyle) -> None:
    metal = style.colours.metal_box
    face.quad(shade(metal, 0.8), u - 40.0, u + 20.0, v - 62.0, v - 22.0)
    face.quad(metal, u - 40.0, u + 20.0, v - 28.0, v - 22.0)
    face.dot(shade(metal, 0.58), u - 18.0, v - 44.0, 14.0)


def _cornice(face: Face, style: FrontStyle) -> None:
    wall, trim = style.material.wall, style.material.trim
    tone = face.tone
    high = face.height
    face.quad(shade(wall, 0.55 * tone), 0.0, face.width, high - 38.0, high - 26.0)
    u = 8.0
    while u < face.width - 16.0:
        face.quad(shade(trim, 0.8 * tone), u, u + 16.0, high - 36.0, high - 26.0)
        u += 40.0
    face.quad(shade(trim, 1.1 * tone), 0.0, face.width, high - 26.0, high)


def paint_plain_ground_floor(face: Face, style: FrontStyle, dice: random.Random) -> None:
    """Ground floor of a house without a shop: plinth, door and windows."""
    trim, colours = style.material.trim, style.colours
    tone = face.tone
    high = min(GROUND_FLOOR_CM, face.height)
    face.quad(shade(trim, 0.58 * tone), 0.0, face.width, 0.0, 40.0)
    face.quad(shade(trim, 0.70 * tone), 0.0, face.width, 36.0, 42.0)
    if face.width < 150.0:
        return
    door = face.width * 0.5 if face.width < 420.0 else 110.0 + 90.0 * dice.random()
    top = min(236.0, high - 30.0)
    tint = dice.choice(colours.curtains)
    face.quad(shade(trim, tone), door - 57.0, door + 57.0, 0.0, top + 14.0)
    face.quad(shade(tint, 0.50), door - 46.0, door + 46.0, 0.0, top + 4.0)
    face.quad(shade(tint, 0.72), door - 40.0, door + 40.0, 4.0, top)
    for u in (-1.0, 1.0):
        face.quad(
            shade(tint, 0.58), door + u * 19.0 - 14.0, door + u * 19.0 + 14.0, 20.0, top * 0.45
        )
    glass = colours.glass_lit if style.lamps_on else colours.glass_day
    face.quad(glass, door - 28.0, door + 28.0, top * 0.56, top - 14.0)
    face.dot((246, 220, 140), door + 30.0, top * 0.46, 4.0)
    if high < 250.0:
        return
    u = door + 180.0
    while u < face.width - 70.0:
        _window(face, u, 96.0, style, False, dice)
        u += WINDOW_EVERY_CM
    u = door - 180.0
    while u > 70.0:
        _window(face, u, 96.0, style, False, dice)
        u -= WINDOW_EVERY_CM


@dataclass(frozen=True, slots=True)
class ShopLayout:
    """Where the parts of a shop front stand along the wall, cm."""

    door: float
    glass_left: float
    glass_right: float

    @classmethod
    def on(cls, width: float, door_left: bool) -> ShopLayout:
        """Door of 90 cm at one end, the window beside it."""
        if door_left:
            return cls(60.0, 180.0, width - 26.0)
        return cls(width - 150.0, 26.0, width - 170.0)


def paint_shop_front(
    canvas: Canvas,
    face: Face,
    style: FrontStyle,
    shop: ShopColours,
    layout: ShopLayout,
    dice: random.Random,
) -> None:
    """Base, fascia with the name, window with goods, door with pane, knob and step."""
    trim, colours = style.material.trim, style.colours
    tone = face.tone
    accent: Colour = shop.colour
    wide = face.width
    face.quad(shade(trim, 0.62 * tone), 0.0, wide, 0.0, 326.0)
    face.quad(shade(trim, 0.50 * tone), 0.0, wide, 0.0, 14.0)
    face.quad(accent, 10.0, wide - 10.0, 262.0, 318.0)
    face.quad(shade(accent, 0.7), 10.0, wide - 10.0, 262.0, 268.0)
    paint_lettering(canvas, face, shop.name, wide / 2.0, 290.0, 34.0, colours.sign_text)
    glass = colours.shop_glass_lit if style.lamps_on else colours.shop_glass_day
    left, right = layout.glass_left, layout.glass_right
    face.quad(shade(accent, 0.55), left - 8.0, right + 8.0, 40.0, 256.0)
    face.quad(glass, left, right, 54.0, 250.0)
    face.quad(mix(glass, (40, 36, 50), 0.35), left, right, 54.0, 104.0)
    u = left + 20.0
    while u < right - 30.0:
        face.quad(
            dice.choice(colours.goods),
            u,
            u + dice.uniform(16.0, 30.0),
            56.0,
            56.0 + dice.uniform(20.0, 64.0),
        )
        u += 38.0
    for shift in (0.0, 46.0):
        if left + 150.0 + shift < right:
            face.polygon(
                mix(glass, (255, 255, 255), 0.22),
                [
                    (left + 20.0 + shift, 56.0),
                    (left + 44.0 + shift, 56.0),
                    (left + 140.0 + shift, 248.0),
                    (left + 116.0 + shift, 248.0),
                ],
            )
    door = layout.door
    face.quad(shade(accent, 0.5), door - 8.0, door + 98.0, 0.0, 258.0)
    face.quad(shade(accent, 1.05), door, door + 90.0, 6.0, 236.0)
    face.quad(glass, door + 14.0, door + 76.0, 96.0, 222.0)
    face.dot((246, 220, 140), door + 80.0, 104.0, 5.0)


def paint_awning(
    canvas: Canvas, face: Face, out: Face, shop: ShopColours, layout: ShopLayout, light: Colour
) -> None:
    """Striped awning from v 264 out 60 cm to v 236, with a scalloped valance below its edge.

    ``out`` is the same wall moved 60 cm outwards: the awning's front edge lies on it.
    """
    left, right = layout.glass_left - 15.0, layout.glass_right + 15.0
    count = max(4, round((right - left) / 44.0))
    step = (right - left) / count
    back_left, back_right = face.at(left, 264.0), face.at(right, 264.0)
    frame = [back_left, back_right, out.at(right, 218.0), out.at(left, 218.0)]
    for start, end in zip(frame, [*frame[1:], frame[0]], strict=True):
        canvas.stroke(canvas.ink, start, end, 4.0 * canvas.scale)
    for index in range(count):
        u0, u1 = left + index * step, left + (index + 1) * step
        colour = shop.colour if index % 2 == 0 else light
        pygame.draw.polygon(
            canvas.surface,
            colour,
            [face.at(u0, 264.0), face.at(u1, 264.0), out.at(u1, 236.0), out.at(u0, 236.0)],
        )
        dark = shade(colour, 0.78)
        out.dot(dark, (u0 + u1) / 2.0, 220.0, step * 0.5)
        out.quad(dark, u0, u1, 220.0, 236.0)
