"""Round things that have fallen over: barrels and bins on their sides, planks of what broke."""

from __future__ import annotations

import math

from game.render.canvas import Canvas, Solid
from game.render.colours import Colour, shade
from game.render.solids import paint_prism, rectangle
from game.render.things.shape import Setting, ThingShape

_RING = 20


def _hoop(x: float, radius: float, middle_z: float) -> list[Solid]:
    """An upright circle about the x axis."""
    turns = [2.0 * math.pi * index / _RING for index in range(_RING)]
    return [(x, radius * math.cos(one), middle_z + radius * math.sin(one)) for one in turns]


def _drum(canvas: Canvas, first: float, last: float, radius: float, z: float, tone: Colour) -> None:
    """A lying cylinder from one x to another, lit along its upper side."""
    canvas.hull(shade(tone, 0.72), _hoop(first, radius, z) + _hoop(last, radius, z))
    upper = _hoop(first, radius * 0.72, z + radius * 0.2)
    canvas.hull(tone, upper + _hoop(last, radius * 0.72, z + radius * 0.2))


def _ends(canvas: Canvas, half: float, radius: float, z: float, tone: Colour) -> None:
    """The end that looks at the camera."""
    for x, normal in ((half, (1.0, 0.0, 0.0)), (-half, (-1.0, 0.0, 0.0))):
        if canvas.facing(normal) > 0.0:
            canvas.hull(shade(tone, 0.86), _hoop(x, radius, z))
            canvas.hull(shade(tone, 0.6), _hoop(x, radius * 0.8, z))


def paint_fallen_barrel(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """A barrel on its side, with its bands."""
    palette = setting.palette.thing
    colour = palette.explosive if shape.flag("explosive") else palette.barrel
    radius, half, z = shape.half_y, shape.half_x, shape.z_low + shape.half_y
    canvas.outline(_hoop(-half, radius, z) + _hoop(half, radius, z))
    _drum(canvas, -half, half, radius, z, colour)
    for x in (-0.34 * half, 0.34 * half):
        canvas.hull(
            shade(colour, 0.88),
            _hoop(x - 2.5, radius * 1.03, z) + _hoop(x + 2.5, radius * 1.03, z),
        )
    _ends(canvas, half, radius, z, colour)


def paint_fallen_bin(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """A litter bin on its side: narrower at the foot, its dark mouth at the other end."""
    colour = setting.palette.thing.bin
    radius, half, z = shape.half_y, shape.half_x, shape.z_low + shape.half_y
    foot = radius * 0.8
    canvas.outline(_hoop(-half, foot, z - radius + foot) + _hoop(half, radius, z))
    canvas.hull(shade(colour, 0.72), _hoop(-half, foot, z - radius + foot) + _hoop(half, radius, z))
    canvas.hull(
        colour,
        _hoop(-half, foot * 0.7, z - radius + foot * 1.2) + _hoop(half, radius * 0.7, z * 1.1),
    )
    if canvas.facing((1.0, 0.0, 0.0)) > 0.0:
        canvas.hull(shade(colour, 0.8), _hoop(half, radius, z))
        canvas.hull((40, 44, 50), _hoop(half, radius * 0.78, z))
    else:
        canvas.hull(shade(colour, 0.9), _hoop(-half, foot, z - radius + foot))


def paint_plank(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """A board of a crate, with its nails."""
    colour = shade(setting.palette.thing.crate, 0.9 if shape.number % 2 else 1.0)
    paint_prism(canvas, rectangle(shape.half_x, shape.half_y), shape.z_low, shape.z_high, colour)
    for x in (-0.82 * shape.half_x, 0.82 * shape.half_x):
        canvas.ball(shade(colour, 0.5), (x, 0.0, shape.z_high), 1.2)
