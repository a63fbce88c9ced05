"""A market street: stalls under striped awnings, bales of straw, and what fire leaves of them."""

from __future__ import annotations

import math
import random

from game.render.canvas import Canvas, Solid
from game.render.colours import Colour, shade
from game.render.solids import paint_prism, paint_round, rectangle
from game.render.things.shape import Setting, ThingShape

COUNTER_CM = 86.0
VALANCE_CM = 20.0
EAVES_CM = 14.0
"""How far the awning hangs out over the counter."""
STRIPE_CM = 27.0


def paint_stall(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """A counter with crates of goods under an awning on four posts; its colours go by number."""
    palette = setting.palette
    colour = palette.person.tops[shape.number % len(palette.person.tops)]
    wood = palette.thing.crate
    half_x, half_y = shape.half_x - 6.0, shape.half_y - 8.0
    for face in paint_prism(canvas, rectangle(half_x, half_y), 0.0, COUNTER_CM, wood):
        face.quad(shade(wood, 0.5 * face.tone / 0.68), 0.0, face.width, 0.0, 10.0)
        cloth = shade(colour, 0.9 * face.tone / 0.68)
        face.quad(cloth, 2.0, face.width - 2.0, COUNTER_CM - 34.0, COUNTER_CM - 2.0)
    _lay_out_goods(canvas, shape, setting)
    top = shape.z_high
    front, back = top - 36.0, top - 8.0
    for x, y, high in _posts(shape, front, back):
        canvas.rod(canvas.ink, (x, y, COUNTER_CM), (x, y, high), 5.0)
        canvas.rod(shade(wood, 0.8), (x, y, COUNTER_CM), (x, y, high), 3.0)
    _paint_awning(canvas, shape, colour, palette.building.awning_light, front, top)


def stall_body(shape: ThingShape) -> list[list[Solid]]:
    """Counter and awning: what throws the shadow."""
    wide, deep = shape.half_x + EAVES_CM, shape.half_y + EAVES_CM
    counter = [
        (x, y, z) for x, y in rectangle(shape.half_x, shape.half_y) for z in (0.0, COUNTER_CM)
    ]
    roof = [
        (x, y, z) for x, y in rectangle(wide, deep) for z in (shape.z_high - 44.0, shape.z_high)
    ]
    return [counter, roof]


def _posts(shape: ThingShape, front: float, back: float) -> list[tuple[float, float, float]]:
    x, y = shape.half_x - 8.0, shape.half_y - 8.0
    return [(-x, -y, back), (x, -y, back), (-x, y, front), (x, y, front)]


def _lay_out_goods(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Three heaps on the counter: round things in two colours, piled."""
    rng = random.Random(shape.number * 7919)
    goods = setting.palette.building.goods
    for heap in range(3):
        colour = goods[rng.randrange(len(goods))]
        middle = (heap - 1) * shape.half_x * 0.58
        for _ in range(11):
            x = middle + rng.uniform(-20.0, 20.0)
            y = rng.uniform(-0.4, 0.7) * shape.half_y
            z = COUNTER_CM + 4.0 + rng.uniform(0.0, 9.0)
            tone = shade(colour, rng.choice((0.8, 0.95, 1.1)))
            canvas.ball(canvas.ink, (x, y, z), 8.4)
            canvas.ball(tone, (x, y, z), 6.8)


def _paint_awning(
    canvas: Canvas, shape: ThingShape, colour: Colour, light: Colour, front: float, top: float
) -> None:
    """A cloth roof falling to both sides, with a scalloped valance where it is seen from."""
    wide, deep = shape.half_x + EAVES_CM, shape.half_y + EAVES_CM
    ridge_y = -0.25 * shape.half_y
    back_z = front + 6.0
    canvas.outline(
        [
            (-wide, deep, front - VALANCE_CM), (wide, deep, front - VALANCE_CM),
            (-wide, -deep, back_z), (wide, -deep, back_z), (-wide, ridge_y, top),
            (wide, ridge_y, top),
        ]
    )  # fmt: skip
    count = max(4, round(2.0 * wide / STRIPE_CM))
    step = 2.0 * wide / count
    for index in range(count):
        tone = colour if index % 2 == 0 else light
        x0, x1 = -wide + index * step, -wide + (index + 1) * step
        canvas.polygon(
            shade(tone, 0.86),
            [(x0, -deep, back_z), (x1, -deep, back_z), (x1, ridge_y, top), (x0, ridge_y, top)],
        )
        canvas.polygon(
            shade(tone, 1.04),
            [(x0, ridge_y, top), (x1, ridge_y, top), (x1, deep, front), (x0, deep, front)],
        )
        scallop: list[Solid] = [(x0, deep, front), (x1, deep, front)]
        for part in range(5):
            turn = math.pi * part / 4.0
            x = (x0 + x1) / 2.0 + 0.5 * step * math.cos(turn)
            scallop.append((x, deep, front - 11.0 - 8.0 * math.sin(turn)))
        canvas.polygon(shade(tone, 0.72), scallop)


def paint_hay(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """A bale of straw: two strings round it, ends of straw sticking out."""
    colour = setting.palette.fire.straw
    outline = rectangle(shape.half_x, shape.half_y)
    rng = random.Random(shape.number)
    for face in paint_prism(canvas, outline, shape.z_low, shape.z_high, colour):
        for _ in range(26):
            u, v = rng.uniform(3.0, face.width - 3.0), rng.uniform(4.0, face.height - 4.0)
            tone = shade(colour, face.tone * rng.choice((0.82, 0.92, 1.12)))
            face.line(tone, (u - 5.0, v), (u + 5.0, v + rng.uniform(-3.0, 3.0)), 2.0)
        for share in (0.3, 0.7):
            u = face.width * share
            face.line(shade(colour, 0.5), (u, 0.0), (u, face.height), 2.2)
    top = shape.z_high
    for _ in range(22):
        x = rng.uniform(-0.9, 0.9) * shape.half_x
        y = rng.uniform(-0.85, 0.85) * shape.half_y
        canvas.line(
            shade(colour, rng.choice((0.86, 1.16))), (x - 7.0, y, top), (x + 7.0, y, top), 2.0
        )
    for x in (-0.4 * shape.half_x, 0.4 * shape.half_x):
        canvas.line(shade(colour, 0.55), (x, -shape.half_y, top), (x, shape.half_y, top), 2.4)


def paint_ashes(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """A low heap of ash with charred ends of boards in it."""
    colour = setting.palette.fire.ash
    rng = random.Random(shape.number)
    paint_round(canvas, (0.0, shape.half_y), (shape.z_high, 0.55 * shape.half_y), colour)
    for _ in range(6):
        turn, length = rng.uniform(0.0, math.tau), rng.uniform(0.4, 0.95) * shape.half_x
        x, y = rng.uniform(-0.3, 0.3) * shape.half_x, rng.uniform(-0.4, 0.4) * shape.half_y
        a: Solid = (x, y, 4.0 + rng.uniform(0.0, 6.0))
        b: Solid = (x + length * math.cos(turn), y + 0.7 * length * math.sin(turn), 2.0)
        canvas.rod(canvas.ink, a, b, 4.6)
        canvas.rod(shade(colour, 0.62), a, b, 2.8)
