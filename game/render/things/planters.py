"""Planters: troughs and round beds of shrubs, and the fountain that a round one may hold."""

from __future__ import annotations

import random
from itertools import pairwise

from game.render.canvas import INK_CM, Canvas, Solid
from game.render.colours import shade
from game.render.solids import paint_prism, paint_round, ring
from game.render.things.shape import Setting, ThingShape

RIM_CM = 44.0
RIM_WIDTH_CM = 14.0
BUSH_RADIUS_CM = 16.4
CM2_PER_BUSH = 280.0
JET_CM = 74.0
"""How high the middle jet of a fountain stands over the rim."""

JETS = 8
"""How many jets fall from a fountain's bowl into its basin."""


def paint_planter(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Stone trough along its outline: shrubs that stand over its rim, or a fountain (option)."""
    stone = setting.palette.thing.planter
    rim = min(RIM_CM, shape.height)
    for face in paint_prism(canvas, shape.outline, shape.z_low, shape.z_low + rim, stone):
        light = face.tone / 0.68
        face.quad(shade(stone, 0.9 * light), 0.0, face.width, rim - 8.0, rim)
        face.quad(shade(stone, 0.52 * light), 0.0, face.width, 0.0, 5.0)
    if shape.flag("fountain"):
        _fountain(canvas, shape, setting, shape.z_low + rim)
    else:
        _shrubs(canvas, shape, setting, shape.z_low + rim)


def _shrubs(canvas: Canvas, shape: ThingShape, setting: Setting, rim_z: float) -> None:
    palette = setting.palette
    dice = random.Random(shape.number)
    leaf = palette.thing.leaf
    count = max(10, int(4.0 * shape.half_x * shape.half_y / CM2_PER_BUSH))
    bushes: list[Solid] = []
    while len(bushes) < count:
        across, deep = dice.uniform(-0.86, 0.86), dice.uniform(-0.7, 0.6)
        x, y = across * shape.half_x, deep * shape.half_y
        height = rim_z + dice.uniform(4.0, 20.0)
        if len(shape.outline) <= 4 or across * across + deep * deep < 0.7:
            bushes.append((x, y, height))
    bushes.sort(key=lambda bush: canvas.to_world(bush)[1])
    for tone, radius, shift in (
        (0.0, BUSH_RADIUS_CM, 0.0),
        (0.82, BUSH_RADIUS_CM - 2.2, 0.0),
        (1.10, 9.0, 3.0),
    ):
        colour = shade(leaf, tone) if tone else canvas.ink
        for x, y, z in bushes:
            canvas.ball(colour, (x, y, z + shift), radius)
    for x, y, z in bushes[::2]:
        canvas.ball(
            dice.choice(palette.building.flowers[2:] or palette.building.flowers),
            (x + dice.uniform(-7, 7), y, z + dice.uniform(2, 12)),
            4.2,
        )


def _fountain(canvas: Canvas, shape: ThingShape, setting: Setting, rim_z: float) -> None:
    """Water inside the rim with rings on it, a bowl on a foot in the middle, and jets."""
    stone, water, foam = (
        setting.palette.thing.planter,
        setting.palette.thing.water,
        setting.palette.thing.foam,
    )
    wide = max(0.2, 1.0 - RIM_WIDTH_CM / shape.half_x)
    deep = max(0.2, 1.0 - RIM_WIDTH_CM / shape.half_y)
    pool = [(x * wide, y * deep, rim_z) for x, y in shape.outline]
    canvas.polygon(canvas.ink, pool)
    for share, tone in ((0.97, 0.72), (0.93, 1.0), (0.66, 1.12), (0.60, 1.0), (0.38, 1.16)):
        canvas.polygon(shade(water, tone), [(x * share, y * share, z) for x, y, z in pool])
    radius = shape.radius
    bowl_z = rim_z + 26.0
    paint_round(canvas, (rim_z, radius * 0.13), (bowl_z - 6.0, radius * 0.09), stone)
    paint_round(canvas, (bowl_z - 6.0, radius * 0.22), (bowl_z + 4.0, radius * 0.36), stone)
    canvas.polygon(shade(water, 0.8), ring(0.0, 0.0, bowl_z + 4.0, radius * 0.30))
    for x, y, _ in ring(0.0, 0.0, 0.0, radius * 0.36, JETS):
        # Half a parabola from the bowl's rim to the water, in four straight pieces.
        fall = [(1.0 + 0.5 * step / 4.0, (step / 4.0) ** 2) for step in range(5)]
        way = [
            (x * out, y * out, bowl_z + 4.0 - down * (bowl_z + 4.0 - rim_z)) for out, down in fall
        ]
        for start, end in pairwise(way):
            canvas.line(foam, start, end, 2.6)
        canvas.plate(foam, way[-1], 5.0)
    top = rim_z + JET_CM
    for colour, grow in ((canvas.ink, INK_CM), (foam, 0.0)):
        for share, size in ((0.45, 5.0), (0.7, 6.0), (0.9, 7.5), (1.0, 6.0)):
            height = bowl_z + (top - bowl_z) * share
            canvas.ball(colour, (0.0, 0.0, height), size + grow)
    canvas.line(foam, (0.0, 0.0, bowl_z + 4.0), (0.0, 0.0, top), 5.0)
