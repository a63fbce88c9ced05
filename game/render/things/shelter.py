"""The bus shelter, in two drawings: what stands at the back, and the roof over whoever waits.

People under the roof stand before the bench and the glass but behind the roof's
edge, so the two are sorted apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from game.render.canvas import Canvas, Solid
from game.render.colours import shade
from game.render.outlines import Point
from game.render.solids import paint_prism, prism, rectangle
from game.render.things.shape import Setting, ThingShape

ROOF_CM = 10.0
POST_RADIUS_CM = 3.4
GLASS_ALPHA = 110
BACK_AT, FRONT_AT, SIDE_AT = 0.86, 0.70, 0.94
"""Where posts stand, as shares of half the depth and half the width."""


def shelter_base(shape: ThingShape) -> list[Point]:
    """Ground outline of what stands at the back: the strip of glass and bench."""
    back, front = -shape.half_y, -shape.half_y * 0.30
    return [
        (-shape.half_x, back),
        (shape.half_x, back),
        (shape.half_x, front),
        (-shape.half_x, front),
    ]


def shelter_back(shape: ThingShape) -> list[Sequence[Solid]]:
    """The glass, for bounds and shadow."""
    y = -shape.half_y * BACK_AT
    return [prism(rectangle(shape.half_x * SIDE_AT, 3.0, 0.0, y), 0.0, _underside(shape))]


def shelter_roof(shape: ThingShape) -> list[Sequence[Solid]]:
    """The roof and the feet of its front posts, for bounds and shadow."""
    roof = prism(rectangle(shape.half_x, shape.half_y), _underside(shape), shape.z_high)
    posts = [
        prism(rectangle(POST_RADIUS_CM, POST_RADIUS_CM, x, y), 0.0, shape.z_high)
        for x, y in _posts(shape, FRONT_AT)
    ]
    return [roof, *posts]


def paint_shelter_below(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Back posts, glass with a poster, bench."""
    palette = setting.palette.thing
    for x, y in _posts(shape, -BACK_AT):
        canvas.rod(palette.metal, (x, y, 0.0), (x, y, _underside(shape)), POST_RADIUS_CM)
    _glass(canvas, shape, setting)
    bench_half = min(shape.half_x * 0.5, 80.0)
    seat = rectangle(bench_half, 14.0, -shape.half_x * 0.25, -shape.half_y * 0.55)
    for leg in (-0.8, 0.8):
        x = -shape.half_x * 0.25 + leg * bench_half
        foot = rectangle(3.0, 12.0, x, -shape.half_y * 0.55)
        paint_prism(canvas, foot, 0.0, 40.0, palette.bench_iron)
    paint_prism(canvas, seat, 40.0, 46.0, palette.bench_wood)


def paint_shelter_roof(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Front posts and the coloured roof with its lighter rim."""
    palette = setting.palette.thing
    for x, y in _posts(shape, FRONT_AT):
        canvas.rod(palette.metal, (x, y, 0.0), (x, y, _underside(shape)), POST_RADIUS_CM)
    colour = palette.shelter_roof
    outline = rectangle(shape.half_x, shape.half_y)
    for face in paint_prism(canvas, outline, _underside(shape), shape.z_high, colour):
        face.quad(shade(colour, 0.95), 0.0, face.width, face.height * 0.55, face.height)
    inner = rectangle(shape.half_x - 12.0, shape.half_y - 12.0)
    canvas.polygon(shade(colour, 0.96), [(x, y, shape.z_high) for x, y in inner])


def _underside(shape: ThingShape) -> float:
    return shape.z_high - ROOF_CM


def _posts(shape: ThingShape, at: float) -> list[Point]:
    return [(side * shape.half_x * SIDE_AT, at * shape.half_y) for side in (-1.0, 1.0)]


def _glass(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Translucent back wall and the poster on it."""
    palette = setting.palette.thing
    y, half = -shape.half_y * BACK_AT, shape.half_x * 0.92
    top = _underside(shape) - 8.0

    def upright(left: float, right: float, low: float, high: float) -> list[Solid]:
        return [(left, y, low), (right, y, low), (right, y, high), (left, y, high)]

    corners = [canvas.at(point) for point in upright(-half, half, 20.0, top)]
    left, up = min(x for x, _ in corners), min(y_px for _, y_px in corners)
    width = max(1, math.ceil(max(x for x, _ in corners) - left))
    height = max(1, math.ceil(max(y_px for _, y_px in corners) - up))
    glass = pygame.Surface((width, height), pygame.SRCALPHA)
    pygame.draw.polygon(
        glass, (*palette.shelter_glass, GLASS_ALPHA), [(x - left, y_px - up) for x, y_px in corners]
    )
    canvas.surface.blit(glass, (left, up))
    poster = upright(half * 0.42, half * 0.90, 50.0, top - 20.0)
    canvas.outline(poster)
    canvas.polygon(palette.poster, poster)
    canvas.polygon(palette.stripe, upright(half * 0.50, half * 0.82, 100.0, top - 34.0))
