"""The cabin of a car: frame, glass with gleams, roof, mirrors, a taxi's sign."""

from __future__ import annotations

from game.render.canvas import Canvas, Solid
from game.render.colours import Colour, mix, shade
from game.render.palette import CarColours
from game.render.solids import prism, rectangle
from game.render.things.car_models import CarMeasures
from game.render.things.frusta import between, normal_of, paint_frustum, sunlit

GLASS_TOP = 0.88
GLASS_SEEN_MIN = 0.02
BACK_GLASS_LOW, VAN_BACK_GLASS_LOW = 0.22, 0.5
"""Panes end at these shares of the cabin's height."""

Side = tuple[Solid, Solid, Solid, Solid]
"""A side of the cabin: foot start, foot end, roof end, roof start."""


def paint_cabin(canvas: Canvas, car: CarMeasures, paint: Colour, colours: CarColours) -> None:
    """Everything above the shoulder."""
    heights = (car.shoulder, car.model.roof)
    paint_frustum(canvas, car.cabin_foot(), car.cabin_roof(), heights, shade(paint, 0.96), paint)
    for side, shares, low in _sides(car):
        if canvas.facing(normal_of(side[0], side[1], side[3])) > GLASS_SEEN_MIN:
            for first, last in shares:
                _pane(canvas, colours, side, (first, last), low)
    _roof_streak(canvas, car, paint)
    if car.model.is_taxi:
        _taxi_sign(canvas, car, colours)
    for hand in (1.0, -1.0):
        x = car.model.front_foot * car.stretch - 14.0
        mirror = (x, hand * (car.half_width + 6.0), car.shoulder + 8.0)
        canvas.ball(canvas.ink, mirror, 9.0)
        canvas.ball(shade(paint, 0.8), mirror, 6.6)


def _sides(car: CarMeasures) -> list[tuple[Side, tuple[tuple[float, float], ...], float]]:
    """Front, back and both flanks: corners, panes along each, where glass begins."""
    model = car.model
    foot, roof = car.cabin_foot(), car.cabin_roof()
    mirrored = tuple((1.0 - end, 1.0 - start) for start, end in model.side_windows)
    back_low = VAN_BACK_GLASS_LOW if model.is_van else BACK_GLASS_LOW

    def side(start: int, end: int) -> Side:
        return (
            (*foot[start], car.shoulder),
            (*foot[end], car.shoulder),
            (*roof[end], model.roof),
            (*roof[start], model.roof),
        )

    return [
        (side(1, 2), ((0.05, 0.95),), model.glass_low),
        (side(3, 0), ((0.08, 0.92),), back_low),
        (side(2, 3), model.side_windows, model.glass_low),
        (side(0, 1), mirrored, model.glass_low),
    ]


def _pane(
    canvas: Canvas, colours: CarColours, side: Side, share: tuple[float, float], low: float
) -> None:
    """One pane; wide ones have two slanted strips of gleam."""

    def at(u: float, v: float) -> Solid:
        return between(between(side[0], side[1], u), between(side[3], side[2], u), v)

    first, last = share
    pane = [at(first, low), at(last, low), at(last, GLASS_TOP), at(first, GLASS_TOP)]
    canvas.hull(canvas.ink, pane, 1.2)
    canvas.polygon(colours.glass, pane)
    wide = last - first
    if wide <= 0.2:
        return
    for start, thick, strength in ((0.18, 0.14, 1.0), (0.42, 0.06, 0.6)):
        gleam = [
            at(first + wide * start, low),
            at(first + wide * (start + thick), low),
            at(first + wide * min(1.0, start + thick + 0.22), GLASS_TOP),
            at(first + wide * min(1.0, start + 0.22), GLASS_TOP),
        ]
        canvas.polygon(mix(colours.glass, colours.gleam, strength), gleam)


def _roof_streak(canvas: Canvas, car: CarMeasures, paint: Colour) -> None:
    """A streak of 14 % white along the sunny side of the roof."""
    rear, front = car.cabin_roof()[0][0], car.cabin_roof()[1][0]
    middle, reach = (rear + front) / 2.0, (front - rear) / 2.0 * 0.80
    half = car.half_width * 0.21
    streak = rectangle(reach, half, middle, -car.half_width * 0.41)
    tone = mix(sunlit(canvas, paint, (0.0, 0.0, 1.0)), (255, 255, 255), 0.14)
    canvas.polygon(tone, [(x, y, car.model.roof) for x, y in streak])


def _taxi_sign(canvas: Canvas, car: CarMeasures, colours: CarColours) -> None:
    rear, front = car.cabin_roof()[0][0], car.cabin_roof()[1][0]
    box = rectangle(12.0, 26.0, (rear + front) / 2.0)
    roof = car.model.roof
    canvas.outline(prism(box, roof, roof + 16.0))
    sign = colours.taxi_sign
    paint_frustum(canvas, box, box, (roof, roof + 16.0), sign, sign)
