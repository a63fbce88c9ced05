"""Cars from any heading: stacked convex frusta, each shaded by the sun (art-and-feel section 7).

A car is built in its own frame, local x forward, and scaled to its footprint. From
the bottom to the top: wheels, ink silhouette, lower body, shoulder, near sides, ends,
cabin. Only faces that look at the camera are painted, so every heading comes from the
same code.
"""

from __future__ import annotations

from game.render.canvas import INK_CM, Canvas, Solid
from game.render.colours import Colour, shade
from game.render.outlines import Point, unit_circle
from game.render.palette import CarColours
from game.render.things.car_cabin import paint_cabin
from game.render.things.car_models import CarMeasures
from game.render.things.frusta import paint_frustum
from game.render.things.shape import Setting, ThingShape

SILL_CM = 20.0
WHEEL_RADIUS_CM = 33.0
WHEEL_AT = 0.62
"""Axles at this share of half the length."""

SEEN_MIN = 0.05
"""Sides and ends get their details when they look at the camera more than this."""


def paint_car(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Paint a whole car or van.

    Options: ``paint`` (number of a paint of the palette), ``lights`` (lamps are lit
    after dark).
    """
    car, colours = CarMeasures.of(shape), setting.palette.car
    number = shape.options.get("paint", shape.number)
    index = number if isinstance(number, int) else shape.number
    paint = colours.taxi if car.model.is_taxi else colours.paints[index % len(colours.paints)]
    lit = setting.lamps_on and shape.flag("lights")
    _BodyPainter(canvas, car, paint, colours, lit).paint()
    paint_cabin(canvas, car, paint, colours)


class _BodyPainter:
    """Everything below the cabin."""

    def __init__(
        self, canvas: Canvas, car: CarMeasures, paint: Colour, colours: CarColours, lit: bool
    ) -> None:
        self._canvas = canvas
        self._car = car
        self._paint = paint
        self._colours = colours
        self._lit = lit

    def paint(self) -> None:
        """From the bottom to the top, far before near."""
        canvas, car, paint = self._canvas, self._car, self._paint
        sill, waist, shoulder = (
            car.outline(0.0, 26.0),
            car.outline(-2.0, 24.0),
            car.outline(8.0, 30.0),
        )
        for x, side in self._wheels():
            self._wheel(x, side)
        self._ink([(sill, SILL_CM), (waist, car.waist), (shoulder, car.shoulder)])
        self._ink([(car.cabin_foot(), car.shoulder - 2.0), (car.cabin_roof(), car.model.roof)])
        paint_frustum(canvas, sill, waist, (SILL_CM, car.waist), shade(paint, 0.92))
        paint_frustum(canvas, waist, shoulder, (car.waist, car.shoulder), paint, paint)
        for side in (1.0, -1.0):
            if canvas.facing((0.0, side, 0.0)) > SEEN_MIN:
                self._side(side)
        for end in (1.0, -1.0):
            if canvas.facing((end, 0.0, 0.0)) > SEEN_MIN:
                self._end(end)
        if not car.model.is_van:
            self._bonnet_creases()

    def _ink(self, levels: list[tuple[list[Point], float]]) -> None:
        canvas = self._canvas
        points = [(x, y, z) for outline, z in levels for x, y in outline]
        canvas.hull(canvas.ink, points, max(INK_CM + 0.4, 1.0 / canvas.scale))

    # -- wheels and sides ------------------------------------------------------

    def _wheels(self) -> list[tuple[float, float]]:
        """Axle x and side of the four wheels, far ones first."""
        canvas, half_width = self._canvas, self._car.half_width
        x = self._car.half_length * WHEEL_AT
        wheels = [(axle, side) for axle in (x, -x) for side in (1.0, -1.0)]
        return sorted(wheels, key=lambda at: canvas.to_world((at[0], at[1] * half_width, 0.0))[1])

    def _wheel(self, x: float, side: float) -> None:
        """Tyre with its tread, and the hub if its outer side is seen."""
        canvas, colours, half_width = self._canvas, self._colours, self._car.half_width
        outer, inner = side * (half_width - 1.0), side * (half_width - 21.0)
        tyre = _disc(x, outer, WHEEL_RADIUS_CM) + _disc(x, inner, WHEEL_RADIUS_CM)
        canvas.hull(canvas.ink, tyre, 1.4)
        canvas.hull(colours.tyre_side, tyre)
        if canvas.facing((0.0, side, 0.0)) < SEEN_MIN:
            return
        for share, colour in (
            (1.0, colours.tyre),
            (0.62, colours.hub),
            (0.40, colours.hub_ring),
            (0.16, colours.hub_cap),
        ):
            canvas.polygon(colour, _disc(x, outer, WHEEL_RADIUS_CM * share))

    def _side(self, side: float) -> None:
        """Wheel arches, wheels, doors, handles and sill of a side that is seen."""
        canvas, car, paint = self._canvas, self._car, self._paint
        y = side * (car.half_width + 2.0)
        for x, wheel_side in self._wheels():
            if wheel_side == side:
                arch = [
                    (x + 40.0 * cos, y, 36.0 + max(-16.0, 38.0 * sin))
                    for cos, sin in unit_circle(24)
                ]
                canvas.polygon(shade(paint, 0.34), arch)
                self._wheel(x, side)
        gap, waist = shade(paint, 0.55), car.waist
        for door in car.model.doors:
            x = door * car.stretch
            top = (x, side * (car.half_width - 6.0), car.shoulder)
            canvas.line(gap, (x, y, 26.0), (x, y, waist), 2.0)
            canvas.line(gap, (x, y, waist), top, 2.0)
        reach = car.half_length * 0.36
        canvas.line(shade(paint, 0.5), (-reach, y, 27.0), (reach, y, 27.0), 6.0)
        reach *= 2.3
        canvas.line(shade(paint, 1.12), (-reach, y, waist), (reach, y, waist), 1.8)
        for handle in car.model.handles:
            x, z = handle * car.stretch, waist + 3.0
            canvas.line(self._colours.handle, (x - 8.0, y, z), (x + 6.0, y, z), 3.0)
        if car.model.is_taxi:
            self._checks(y)

    def _checks(self, y: float) -> None:
        """Two rows of checks along a taxi's doors."""
        for index in range(-8, 9):
            z, x = 42.0 if index % 2 else 49.0, index * 11.0
            square = [(x, y, z), (x + 11.0, y, z), (x + 11.0, y, z + 7.0), (x, y, z + 7.0)]
            self._canvas.polygon(self._canvas.ink, square)

    # -- ends ------------------------------------------------------------------

    def _end(self, end: float) -> None:
        """Front (1) or back (-1): bumper, plate, lamps, grille."""
        canvas, colours, paint = self._canvas, self._colours, self._paint
        half, x = self._car.half_width, end * (self._car.half_length + 1.0)
        canvas.polygon(shade(paint, 0.42), _upright(x, half * 0.70, 24.0, 38.0))
        canvas.polygon(colours.plate, _upright(x + end, 22.0, 36.0, 47.0))
        if end > 0.0:
            lamp = colours.lamp_front_lit if self._lit else colours.lamp_front
            canvas.polygon(shade(paint, 0.36), _upright(x, half * 0.40, 50.0, 60.0))
        else:
            lamp = colours.lamp_back_lit if self._lit else colours.lamp_back
        for side in (1.0, -1.0):
            inner, outer = side * half * 0.50, side * half * 0.84
            corners = [
                (x, inner, 49.0),
                (x, outer, 49.0),
                (x - end * 4.0, outer, 64.0),
                (x - end * 2.0, inner, 64.0),
            ]
            canvas.hull(canvas.ink, corners, 1.6)
            canvas.polygon(lamp, corners)

    def _bonnet_creases(self) -> None:
        car = self._car
        start, end = car.model.front_foot * car.stretch + 6.0, car.half_length - 16.0
        for side in (-0.45, 0.45):
            y = side * car.half_width
            self._canvas.line(
                shade(self._paint, 0.72),
                (start, y, car.shoulder),
                (end, y * 0.9, car.shoulder),
                1.8,
            )


def _disc(x: float, y: float, radius: float) -> list[Solid]:
    """An upright disc at axle height, seen from the side."""
    return [(x + radius * cos, y, WHEEL_RADIUS_CM + radius * sin) for cos, sin in unit_circle(20)]


def _upright(x: float, half: float, z0: float, z1: float) -> list[Solid]:
    """An upright rectangle across the car."""
    return [(x, -half, z0), (x, half, z0), (x, half, z1), (x, -half, z1)]
