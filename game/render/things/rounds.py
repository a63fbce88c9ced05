"""Round things: barrel, cone, bin, bollard, hydrant, bag."""

from __future__ import annotations

import pygame

from game.render.canvas import Canvas, Solid
from game.render.colours import shade
from game.render.solids import paint_prism, paint_round, rectangle
from game.render.things.shape import Setting, ThingShape


def paint_barrel(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Steel barrel with two bands and a bung; an explosive one is red with a warning sign."""
    explosive = shape.flag("explosive")
    colour = setting.palette.thing.explosive if explosive else setting.palette.thing.barrel
    low, high, radius = shape.z_low, shape.height, shape.radius
    band = shade(colour, 0.88)
    levels = [0.0, 0.32, 0.38, 0.66, 0.72, 1.0]
    for index in range(5):
        is_band = index % 2 == 1
        tone = band if is_band else colour
        grown = radius * (1.035 if is_band else 1.0)
        paint_round(
            canvas,
            (low + high * levels[index], grown),
            (low + high * levels[index + 1], grown),
            tone,
            band if index == 4 else None,
        )
    canvas.ball(shade(colour, 0.48), (-radius * 0.3, -radius * 0.25, shape.z_high), radius * 0.17)
    if explosive:
        _warning_sign(canvas, (0.0, 0.0, low + high * 0.5), radius, setting)


def _warning_sign(canvas: Canvas, centre: Solid, radius: float, setting: Setting) -> None:
    """Yellow triangle with an exclamation mark on the side that faces the camera."""
    x, y = canvas.at(centre)
    unit = radius * canvas.scale / 29.0
    y += radius * canvas.sin_pitch * canvas.scale
    corners = [(x, y - 15 * unit), (x + 16 * unit, y + 11 * unit), (x - 16 * unit, y + 11 * unit)]
    pygame.draw.polygon(canvas.surface, setting.palette.thing.warning, corners)
    canvas.stroke(canvas.ink, (x, y - 7 * unit), (x, y + 3 * unit), 3.4 * unit)
    pygame.draw.circle(canvas.surface, canvas.ink, (x, y + 7.4 * unit), max(1.0, 2.0 * unit))


def paint_cone(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Traffic cone: dark base, orange rings with a white band."""
    palette = setting.palette.thing
    size = shape.radius / 20.0
    rise = shape.height / 62.0
    paint_prism(
        canvas,
        rectangle(20.0 * size, 20.0 * size),
        shape.z_low,
        shape.z_low + 5.0 * rise,
        palette.cone_base,
    )
    rings = ((5, 15), (24, 11), (38, 8), (52, 5), (62, 3))
    colours = (palette.cone, palette.stripe, palette.cone, palette.cone)
    for (z0, r0), (z1, r1), colour in zip(rings, rings[1:], colours, strict=False):
        paint_round(
            canvas,
            (shape.z_low + z0 * rise, r0 * size),
            (shape.z_low + z1 * rise, r1 * size),
            colour,
        )


def paint_bin(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Litter bin: widening body with ribs, a rim and a dark mouth."""
    colour = setting.palette.thing.bin
    low, rim, radius = shape.z_low, shape.z_high - shape.height * 0.08, shape.radius
    paint_round(canvas, (low, radius * 0.79), (rim, radius * 0.93), colour)
    for share in (0.25, 0.5, 0.75):
        z = low + (rim - low) * share
        wide = radius * (0.79 + 0.14 * share)
        canvas.stroke(
            shade(colour, 0.6),
            _rim_left(canvas, wide, z),
            _rim_right(canvas, wide, z),
            1.6 * canvas.scale,
        )
    paint_round(
        canvas, (rim, radius), (shape.z_high, radius), shade(colour, 0.8), shade(colour, 0.9)
    )
    canvas.plate((40, 44, 50), (0.0, 0.0, shape.z_high), radius * 0.74)


def _rim_left(canvas: Canvas, radius: float, z: float) -> tuple[float, float]:
    x, y = canvas.at((0.0, 0.0, z))
    return (x - radius * 0.8 * canvas.scale, y + radius * 0.6 * canvas.sin_pitch * canvas.scale)


def _rim_right(canvas: Canvas, radius: float, z: float) -> tuple[float, float]:
    x, y = canvas.at((0.0, 0.0, z))
    return (x + radius * 0.8 * canvas.scale, y + radius * 0.6 * canvas.sin_pitch * canvas.scale)


def paint_bollard(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Iron bollard: foot, post, white band, round head."""
    palette = setting.palette.thing
    low, high, radius = shape.z_low, shape.height, shape.radius
    paint_round(canvas, (low, radius), (low + high * 0.10, radius), palette.pole)
    paint_round(
        canvas, (low + high * 0.10, radius * 0.72), (low + high * 0.70, radius * 0.68), palette.pole
    )
    paint_round(
        canvas,
        (low + high * 0.70, radius * 0.72),
        (low + high * 0.82, radius * 0.72),
        palette.stripe,
    )
    paint_round(
        canvas,
        (low + high * 0.82, radius * 0.72),
        (low + high, radius * 0.45),
        shade(palette.pole, 1.1),
        shade(palette.pole, 1.35),
    )


def paint_hydrant(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Fire hydrant: foot, body, collar, dome, brass cap."""
    palette = setting.palette.thing
    low, unit, size = shape.z_low, shape.height / 64.0, shape.radius / 17.0
    body = palette.hydrant
    for z0, r0, z1, r1, tone in (
        (0, 17, 6, 17, 0.9),
        (6, 12, 46, 12, 1.0),
        (46, 16, 51, 16, 0.9),
        (51, 12, 64, 4, 1.04),
    ):
        paint_round(
            canvas, (low + z0 * unit, r0 * size), (low + z1 * unit, r1 * size), shade(body, tone)
        )
    x, y = canvas.at((0.0, 0.0, low + 34.0 * unit))
    y += 12.0 * size * canvas.sin_pitch * canvas.scale
    for colour, radius in ((canvas.ink, 8.0), (palette.brass, 6.0)):
        pygame.draw.circle(canvas.surface, colour, (x, y), max(1.0, radius * size * canvas.scale))


def paint_bag(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """A soft bag with a handle."""
    colour = setting.palette.thing.bag
    low, high = shape.z_low, shape.height
    wide, deep = shape.half_x, shape.half_y
    body: list[tuple[Solid, float]] = [
        ((-wide * 0.55, 0.0, low + high * 0.32), deep * 0.8),
        ((wide * 0.55, 0.0, low + high * 0.32), deep * 0.8),
        ((0.0, 0.0, low + high * 0.55), deep * 0.8),
    ]
    for tone, grow in ((canvas.ink, 2.0), (shade(colour, 0.8), 0.0)):
        for centre, radius in body:
            canvas.ball(tone, centre, radius + grow)
    for centre, radius in body:
        canvas.ball(colour, (centre[0] - 1.5, centre[1], centre[2] + 2.0), radius * 0.76)
    canvas.rod(
        shade(colour, 0.6),
        (-wide * 0.3, 0.0, low + high * 0.9),
        (wide * 0.3, 0.0, low + high * 0.9),
        1.4,
    )
