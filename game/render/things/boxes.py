"""Angular things: crate, box, barricade, letter box, wall, fence, beam, and plain boxes.

Each is an ink silhouette, sides by their shade and a lighter top (art-and-feel
section 7), with its marks laid out on the faces that are seen.
"""

from __future__ import annotations

import random

from game.render.canvas import Canvas
from game.render.colours import Colour, shade
from game.render.solids import Face, paint_prism, rectangle
from game.render.things.shape import Setting, ThingShape


def paint_plain(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Any kind that has no drawing of its own: its outline, extruded."""
    paint_prism(canvas, shape.outline, shape.z_low, shape.z_high, setting.palette.thing.plain)


def paint_crate(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Wooden crate: two rails and a diagonal on each side, slats on top."""
    colour = setting.palette.thing.crate
    for face in _box(canvas, shape, colour):
        wide, high = face.width, face.height
        dark = shade(colour, 0.46 * face.tone / 0.68)
        face.line(dark, (2.0, 2.0), (wide - 2.0, high - 2.0), 5.0)
        rail = shade(colour, 0.84 * face.tone / 0.68)
        face.quad(rail, 0.0, wide, high * 0.06, high * 0.17)
        face.quad(rail, 0.0, wide, high * 0.84, high * 0.95)
        for edge in (0.0, wide - 6.0):
            face.quad(shade(colour, 0.76 * face.tone / 0.68), edge, edge + 6.0, 0.0, high)
    _slats(canvas, shape, shade(colour, 0.82), 3)


def paint_cardboard(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Cardboard box: a band of tape over the top and down its sides."""
    colour = setting.palette.thing.cardboard
    tape = shade(colour, 1.18)
    for face in _box(canvas, shape, colour):
        middle = face.width / 2.0
        face.quad(
            shade(tape, face.tone), middle - 4.0, middle + 4.0, face.height * 0.6, face.height
        )
    top = shape.z_high
    canvas.polygon(tape, [(x, y, top) for x, y in rectangle(4.0, shape.half_y)])


def paint_barricade(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Street barricade: orange with slanted white stripes of 18 cm in 36, on every seen side."""
    colour = setting.palette.thing.barricade
    white = setting.palette.thing.stripe
    for face in _box(canvas, shape, colour):
        foot = 12.0
        _slanted_stripes(face, shade(white, 0.86 * face.tone / 0.68), 0.0, foot)
        face.quad(shade(colour, 0.5), 0.0, face.width, 0.0, foot)
    top = shape.z_high
    edge = shape.half_y * 0.72
    at = -shape.half_x + 9.0
    while at + 18.0 <= shape.half_x:
        canvas.polygon(
            white, [(at, -edge, top), (at + 18, -edge, top), (at + 18, edge, top), (at, edge, top)]
        )
        at += 36.0


def _slanted_stripes(face: Face, colour: Colour, first: float, bottom: float) -> None:
    """Stripes of 18 cm in 36 that lean right, cut at the edges of the face."""
    lean = (face.height - bottom) * 0.6
    start = first - lean - 36.0
    while start < face.width:
        corners = [
            (start, bottom),
            (start + 18.0, bottom),
            (start + 18.0 + lean, face.height),
            (start + lean, face.height),
        ]
        clipped = _clip_across(corners, 0.0, face.width)
        if len(clipped) > 2:
            face.polygon(colour, clipped)
        start += 36.0


def _clip_across(
    corners: list[tuple[float, float]], low: float, high: float
) -> list[tuple[float, float]]:
    """The part of a polygon between two upright lines (Sutherland and Hodgman)."""
    for limit, sign in ((low, 1.0), (high, -1.0)):
        kept: list[tuple[float, float]] = []
        for index, here in enumerate(corners):
            before = corners[index - 1]
            here_in = (here[0] - limit) * sign >= 0.0
            if here_in != ((before[0] - limit) * sign >= 0.0):
                share = (limit - before[0]) / (here[0] - before[0])
                kept.append((limit, before[1] + share * (here[1] - before[1])))
            if here_in:
                kept.append(here)
        corners = kept
    return corners


def paint_letter_box(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Letter box: slot and collection plate on its front."""
    colour = setting.palette.thing.letter_box
    for face in _box(canvas, shape, colour):
        wide, high = face.width, face.height
        face.quad(canvas.ink, wide * 0.18, wide * 0.82, high * 0.76, high * 0.82)
        face.quad(setting.palette.thing.stripe, wide * 0.22, wide * 0.78, high * 0.42, high * 0.64)
        face.quad(shade(colour, 0.42), 0.0, wide, 0.0, high * 0.07)


def paint_wall(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Free-standing wall: courses of stone and a lighter coping."""
    colour = setting.palette.thing.wall
    dice = random.Random(shape.number)
    for face in paint_prism(
        canvas, shape.outline, shape.z_low, shape.z_high, colour, wall_light=1.25
    ):
        paint_masonry(face, colour, dice)
        face.quad(shade(colour, 1.12 * face.tone), 0.0, face.width, face.height - 10.0, face.height)
        face.quad(shade(colour, 0.6), 0.0, face.width, face.height - 14.0, face.height - 10.0)


def paint_masonry(
    face: Face, colour: Colour, dice: random.Random, per_stone_cm2: float = 2600.0
) -> None:
    """A sparse scatter of stones a little lighter or darker than the wall."""
    if face.width < 40.0 or face.height < 40.0:
        return
    for _ in range(int(face.width * face.height / per_stone_cm2)):
        u = dice.uniform(4.0, face.width - 30.0)
        v = round(dice.uniform(6.0, face.height - 22.0) / 12.0) * 12.0
        tone = face.tone * dice.choice((0.90, 0.94, 1.07))
        face.quad(shade(colour, tone), u, u + 24.0, v, v + 8.0)


def paint_fence(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Wooden fence: posts with gaps of shade between."""
    colour = setting.palette.thing.fence
    for face in paint_prism(
        canvas, shape.outline, shape.z_low, shape.z_high, shade(colour, 0.72), shade(colour, 1.1)
    ):
        at = 2.0
        while at < face.width - 4.0:
            end = min(face.width, at + 15.0)
            face.quad(shade(colour, face.tone * 1.30), at, end, 3.0, face.height)
            at += 19.0
        for height in (0.24, 0.76):
            face.quad(
                shade(colour, face.tone),
                0.0,
                face.width,
                face.height * height - 3.0,
                face.height * height + 3.0,
            )


def paint_beam(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Girder: a steel bar with flanges and rivets."""
    colour = setting.palette.thing.metal
    for face in _box(canvas, shape, colour):
        face.quad(shade(colour, 0.5), 0.0, face.width, face.height * 0.22, face.height * 0.78)
        at = 12.0
        while at < face.width:
            face.dot(shade(colour, 0.95), at, face.height * 0.88, 2.0)
            face.dot(shade(colour, 0.95), at, face.height * 0.12, 2.0)
            at += 30.0
    top = shape.z_high
    for y in (-0.5, 0.5):
        canvas.line(
            shade(colour, 0.86),
            (-shape.half_x, y * shape.half_y, top),
            (shape.half_x, y * shape.half_y, top),
            3.0,
        )


def _box(canvas: Canvas, shape: ThingShape, colour: Colour) -> list[Face]:
    return paint_prism(
        canvas, rectangle(shape.half_x, shape.half_y), shape.z_low, shape.z_high, colour
    )


def _slats(canvas: Canvas, shape: ThingShape, colour: Colour, count: int) -> None:
    """Lines across a top that part it into boards."""
    top = shape.z_high
    for index in range(1, count):
        x = -shape.half_x + 2.0 * shape.half_x * index / count
        canvas.line(colour, (x, -shape.half_y, top), (x, shape.half_y, top), 2.4)
