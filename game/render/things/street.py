"""Street furniture with more than one part: bench, lamp, tree, trolley."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pygame

from game.render.canvas import INK_CM, Canvas, Solid
from game.render.colours import Colour, shade
from game.render.solids import paint_prism, paint_round, prism, rectangle, ring
from game.render.strokes import capsule
from game.render.things.shape import Setting, ThingShape

LAMP_HEIGHT_CM = 420.0
LAMP_ARM_CM = 70.0

TREE_BALLS: tuple[tuple[float, float, float, float], ...] = (
    (4.0, -14.0, 300.0, 56.0),
    (-56.0, 8.0, 214.0, 58.0),
    (56.0, 6.0, 222.0, 60.0),
    (0.0, 0.0, 250.0, 78.0),
    (-26.0, 20.0, 186.0, 54.0),
    (30.0, 22.0, 190.0, 56.0),
)
"""Leaf balls: x, y, z, radius (art-and-feel section 7); as drawn, far ones first."""


def paint_bench(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Bench: two irons, three seat slats at 40 cm, two back slats at 56 and 74 cm."""
    palette = setting.palette.thing
    half_x, half_y, low = shape.half_x, shape.half_y, shape.z_low
    back = -half_y * 0.94
    wood = palette.bench_wood
    for x in (-half_x * 0.82, half_x * 0.82):
        paint_prism(canvas, rectangle(4.0, half_y * 0.9, x), low, low + 40.0, palette.bench_iron)
    slats: list[tuple[float, float, float, float]] = [
        (back, 2.4, low + 56.0, 12.0),
        (back, 2.4, low + 74.0, 12.0),
    ]
    pitch = 2.0 * half_y / 3.0
    seats = [(-half_y + pitch * (index + 0.5), pitch * 0.40, low + 40.0, 4.0) for index in range(3)]
    parts = slats + seats
    parts.sort(key=lambda part: canvas.to_world((0.0, part[0], 0.0))[1])
    for y, half, z, thick in parts:
        paint_prism(canvas, rectangle(half_x, half, 0.0, y), z, z + thick, wood)


def bench_body(shape: ThingShape) -> list[Sequence[Solid]]:
    """Seat and back, for the shadow."""
    half_x, half_y, low = shape.half_x, shape.half_y, shape.z_low
    return [
        prism(rectangle(half_x, half_y), low + 20.0, low + 44.0),
        prism(rectangle(half_x, 3.0, 0.0, -half_y * 0.94), low + 40.0, low + 86.0),
    ]


def paint_lamp(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Street lamp: a pole to 420 cm and an arm down the map with an oval head."""
    palette = setting.palette.thing
    top = _lamp_top(shape)
    arm = lamp_head(shape)
    for tone, grow in ((canvas.ink, INK_CM), (palette.pole, 0.0)):
        _tapered(canvas, tone, (0.0, 0.0, 2.0), 8.0 + grow, (0.0, 0.0, 40.0), 6.0 + grow)
        _tapered(canvas, tone, (0.0, 0.0, 40.0), 5.0 + grow, (0.0, 0.0, top), 4.0 + grow)
    _tapered(canvas, shade(palette.pole, 1.3), (-1.6, 0.0, 42.0), 1.6, (-1.4, 0.0, top), 1.2)
    for tone, grow in ((canvas.ink, INK_CM), (palette.pole, 0.0)):
        _tapered(
            canvas,
            tone,
            (0.0, 0.0, top),
            4.0 + grow,
            (arm[0], arm[1] * 0.9, arm[2] + 8.0),
            3.4 + grow,
        )
    x, y = canvas.at(arm)
    scale = canvas.scale
    bulb = palette.lamp_lit if setting.lamps_on else palette.lamp_dark
    for tone, half_x, half_y, down in (
        (canvas.ink, 26.0, 14.0, 0.0),
        (bulb, 22.0, 10.0, 2.0),
        (shade(palette.pole, 1.3), 24.0, 8.0, -5.0),
    ):
        box = pygame.Rect(0, 0, round(2 * half_x * scale), round(2 * half_y * scale))
        box.center = (round(x), round(y + down * scale))
        pygame.draw.ellipse(canvas.surface, tone, box)


def lamp_head(shape: ThingShape) -> Solid:
    """Where the bulb hangs, in the lamp's frame."""
    return (0.0, LAMP_ARM_CM + 6.0, _lamp_top(shape) + 14.0)


def _lamp_top(shape: ThingShape) -> float:
    return shape.z_high if shape.z_high > 250.0 else LAMP_HEIGHT_CM


def lamp_body(shape: ThingShape) -> list[Sequence[Solid]]:
    """Pole and arm, for the shadow."""
    top = _lamp_top(shape)
    head = lamp_head(shape)
    foot, bend = ring(0.0, 0.0, 0.0, 7.0, 8), ring(0.0, 0.0, top, 4.0, 8)
    return [[*foot, *bend], [*bend, *ring(head[0], head[1], head[2], 12.0, 8)]]


def _tapered(canvas: Canvas, colour: Colour, a: Solid, ra: float, b: Solid, rb: float) -> None:
    """A round bar with a radius (cm) at each end, without outline."""
    scale = canvas.scale
    capsule(canvas.surface, colour, (*canvas.at(a), ra * scale), (*canvas.at(b), rb * scale))


def paint_trunk(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """The trunk of a tree in its square of earth."""
    del shape
    palette = setting.palette
    canvas.polygon(
        shade(palette.ground.earth, 1.32), [(x, y, 0.0) for x, y in rectangle(46.0, 46.0)]
    )
    canvas.polygon(palette.ground.earth, [(x, y, 0.0) for x, y in rectangle(38.0, 38.0)])
    for tone, grow in ((canvas.ink, INK_CM + 0.5), (palette.thing.trunk, 0.0)):
        _tapered(canvas, tone, (0.0, 0.0, 4.0), 10.0 + grow, (0.0, 0.0, 170.0), 7.0 + grow)
    _tapered(canvas, shade(palette.thing.trunk, 0.72), (4.0, 0.0, 4.0), 5.0, (3.0, 0.0, 170.0), 3.0)


def paint_crown(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """The crown of a tree: six leaf balls in four tones, dots of light and shade."""
    dice = random.Random(shape.number)
    size = 0.92 + 0.16 * dice.random()
    leaf = shade(setting.palette.thing.leaf, 0.94 + 0.12 * dice.random())
    balls = [
        (
            *canvas.at((x * size, y * size, z * (0.96 + 0.08 * dice.random()))),
            radius * size * canvas.scale,
        )
        for x, y, z, radius in TREE_BALLS
    ]
    ink_px = max(1.0, (INK_CM + 0.2) * canvas.scale)
    surface = canvas.surface
    for x, y, radius in balls:
        pygame.draw.circle(surface, canvas.ink, (x, y), radius + ink_px)
    for share, shrink, left, up in (
        (0.66, 1.0, 0.0, 0.0),
        (0.86, 0.84, 0.12, 0.16),
        (1.0, 0.58, 0.22, 0.28),
    ):
        for x, y, radius in balls:
            pygame.draw.circle(
                surface, shade(leaf, share), (x - left * radius, y - up * radius), radius * shrink
            )
    for _ in range(46):
        x, y, radius = dice.choice(balls)
        angle, out = dice.uniform(0.0, 2.0 * math.pi), radius * math.sqrt(dice.random()) * 0.85
        down = out * math.sin(angle)
        share = 1.18 if down < 0.05 * radius else 0.58
        pygame.draw.circle(
            surface,
            shade(leaf, share),
            (x + out * math.cos(angle), y + down),
            max(1.0, dice.uniform(3.0, 6.0) * canvas.scale),
        )


def trunk_body(shape: ThingShape) -> list[Sequence[Solid]]:
    """The trunk, for bounds and shadow."""
    del shape
    return [[*ring(0.0, 0.0, 0.0, 10.0, 8), *ring(0.0, 0.0, 170.0, 8.0, 8)]]


def crown_body(shape: ThingShape) -> list[Sequence[Solid]]:
    """The leaf balls, for bounds and shadow."""
    del shape
    return [
        [*ring(x, y, z, radius, 14), (x, y, z + radius), (x, y, z - radius)]
        for x, y, z, radius in TREE_BALLS
    ]


def paint_trolley(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Shopping trolley: castors, tray, wire sides each 12 cm, red handle."""
    palette = setting.palette.thing
    half_x, half_y, low, high = shape.half_x, shape.half_y, shape.z_low, shape.z_high
    basket_low = low + shape.height * 0.22
    wheels = [
        (x, y) for y in (-half_y * 0.7, half_y * 0.7) for x in (-half_x * 0.75, half_x * 0.75)
    ]
    for x, y in wheels:
        paint_round(canvas, (low, 5.0), (low + 8.0, 5.0), palette.cone_base, None, x, y)
    paint_prism(canvas, rectangle(half_x, half_y), low + 10.0, low + 16.0, palette.trolley)
    canvas.outline(prism(rectangle(half_x, half_y), basket_low, high))
    # The inside of the basket is seen through its top: dark floor, then the wires.
    canvas.hull(shade(palette.trolley, 0.42), prism(rectangle(half_x, half_y), basket_low, high))
    for face in paint_prism(
        canvas,
        rectangle(half_x, half_y),
        basket_low,
        high,
        shade(palette.trolley, 0.62),
        shade(palette.trolley, 0.5),
        inked=False,
    ):
        at = 4.0
        while at < face.width - 2.0:
            face.quad(palette.trolley, at, at + 3.0, 0.0, face.height)
            at += 12.0
        for share in (0.0, 0.45, 0.92):
            face.quad(
                shade(palette.trolley, 1.12),
                0.0,
                face.width,
                face.height * share,
                face.height * share + 4.0,
            )
    rim = [(x, y, high) for x, y in rectangle(half_x, half_y)]
    for start, end in zip(rim, [*rim[1:], rim[0]], strict=True):
        canvas.line(shade(palette.trolley, 1.12), start, end, 3.0)
    canvas.rod(
        palette.hydrant,
        (-half_x - 8.0, -half_y * 0.9, high + 6.0),
        (-half_x - 8.0, half_y * 0.9, high + 6.0),
        2.6,
    )
