"""Cars from any heading: stacked convex frusta, each shaded by the sun (art-and-feel section 7).

A car is built in its own frame, local x forward, at the model's size and scaled to
its footprint. From the bottom to the top: wheels, ink silhouette, lower body,
shoulder, near sides, ends, cabin with glass, roof. Only faces that look at the
camera are painted, so every heading comes from the same code.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from game.render.canvas import INK_CM, Canvas, Solid
from game.render.colours import Colour, mix, shade
from game.render.outlines import Point, unit_circle
from game.render.palette import CarColours
from game.render.solids import prism, rectangle
from game.render.things.shape import Setting, ThingShape

SILL_CM = 20.0
WHEEL_RADIUS_CM = 33.0
WHEEL_AT = 0.62
"""Axles at this share of half the length."""


@dataclass(frozen=True, slots=True)
class CarModel:
    """One kind of car at its own size, cm.

    - ``shoulder`` and ``roof`` are heights.
    - The cabin's foot runs from ``rear_foot`` to ``front_foot`` along x, its roof from
      ``rear_roof`` to ``front_roof``.
    - ``side_windows``, ``glass_low``: panes as shares of the cabin side from front to
      back, and where glass begins.
    - ``doors``, ``handles``: x of the gaps between doors and of their handles.
    """

    length: float
    width: float
    shoulder: float
    roof: float
    rear_foot: float
    rear_roof: float
    front_foot: float
    front_roof: float
    side_windows: tuple[tuple[float, float], ...]
    doors: tuple[float, ...]
    handles: tuple[float, ...]
    glass_low: float = 0.12
    rear_glass: bool = True
    is_van: bool = False
    is_taxi: bool = False


_SALOON_WINDOWS = ((0.05, 0.44), (0.49, 0.78), (0.82, 0.95))

HATCH = CarModel(
    400, 172, 74, 142, -170, -150, 70, 28, _SALOON_WINDOWS, (8.0, -40.0), (-18.0, 44.0)
)
SEDAN = CarModel(
    450, 176, 76, 138, -150, -104, 92, 44, _SALOON_WINDOWS, (30.0, -40.0), (-18.0, 44.0)
)
TAXI = CarModel(
    450,
    176,
    76,
    138,
    -150,
    -104,
    92,
    44,
    _SALOON_WINDOWS,
    (30.0, -40.0),
    (-18.0, 44.0),
    is_taxi=True,
)
VAN = CarModel(
    500,
    196,
    100,
    206,
    -246,
    -244,
    206,
    150,
    ((0.04, 0.26),),
    (40.0, -60.0),
    (60.0,),
    glass_low=0.34,
    is_van=True,
)

MODELS: dict[str, CarModel] = {
    "car": SEDAN,
    "hatch": HATCH,
    "sedan": SEDAN,
    "taxi": TAXI,
    "van": VAN,
}


def model_of(shape: ThingShape) -> CarModel:
    """The model of a kind; plain cars are sedans or hatchbacks by their number."""
    if shape.kind == "car":
        return (SEDAN, HATCH)[shape.number % 2]
    return MODELS.get(shape.kind, SEDAN)


def paint_car(canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
    """Paint a whole car or van."""
    _CarPainter(canvas, shape, setting).paint()


def car_body(shape: ThingShape) -> list[Sequence[Solid]]:
    """Lower body and cabin, for bounds and shadow."""
    model = model_of(shape)
    long, wide = 2.0 * shape.half_x / model.length, 2.0 * shape.half_y / model.width
    body = prism(_octagon(-shape.half_x, shape.half_x, shape.half_y, 22.0), 0.0, model.shoulder)
    half = model.width * 0.40 * wide
    cabin = [
        (x * long, y, model.roof)
        for x in (model.rear_roof, model.front_roof)
        for y in (-half, half)
    ]
    foot = [
        (x * long, y, model.shoulder)
        for x in (model.rear_foot, model.front_foot)
        for y in (-half, half)
    ]
    return [body, cabin + foot]


def _octagon(x0: float, x1: float, half: float, cut: float) -> list[Point]:
    """A rectangle with cut corners."""
    return [
        (x0 + cut, -half),
        (x1 - cut, -half),
        (x1, -half + cut),
        (x1, half - cut),
        (x1 - cut, half),
        (x0 + cut, half),
        (x0, half - cut),
        (x0, -half + cut),
    ]


class _CarPainter:
    """One car being painted; fields are the car's measures after scaling to its footprint."""

    def __init__(self, canvas: Canvas, shape: ThingShape, setting: Setting) -> None:
        self.canvas = canvas
        self.model = model_of(shape)
        self.colours: CarColours = setting.palette.car
        self.lamps_on = setting.lamps_on and shape.flag("lights")
        paints = self.colours.paints
        number = shape.options.get("paint", shape.number)
        index = number if isinstance(number, int) else shape.number
        self.paint_colour: Colour = (
            self.colours.taxi if self.model.is_taxi else paints[index % len(paints)]
        )
        self.half_length = shape.half_x
        self.half_width = shape.half_y
        self.long = 2.0 * shape.half_x / self.model.length
        self.shoulder = self.model.shoulder
        self.waist = self.model.shoulder * 0.72

    def paint(self) -> None:
        """From the bottom to the top."""
        model, half_length, half_width = self.model, self.half_length, self.half_width
        sill = _octagon(-half_length, half_length, half_width, 26.0)
        waist = _octagon(-half_length + 2, half_length - 2, half_width + 2, 24.0)
        shoulder = _octagon(-half_length + 8, half_length - 8, half_width - 8, 30.0)
        foot, roof = self._cabin_outlines()
        for x, side in self._wheels():
            self._wheel(x, side)
        self._ink([(sill, SILL_CM), (waist, self.waist), (shoulder, self.shoulder)])
        self._ink([(foot, self.shoulder - 2.0), (roof, model.roof)])
        self._frustum(sill, waist, SILL_CM, self.waist, shade(self.paint_colour, 0.92), None)
        self._frustum(
            waist, shoulder, self.waist, self.shoulder, self.paint_colour, self.paint_colour
        )
        for side in self._near_sides():
            self._near_side(side)
        for end in (1.0, -1.0):
            if self.canvas.facing((end, 0.0, 0.0)) > 0.05:
                self._end(end)
        if not model.is_van:
            self._bonnet_creases()
        self._frustum(
            foot, roof, self.shoulder, model.roof, shade(self.paint_colour, 0.96), self.paint_colour
        )
        self._glass(foot, roof)
        self._roof_streak(roof)
        if model.is_taxi:
            self._taxi_sign()
        self._mirrors()

    # -- wheels and sides ------------------------------------------------------

    def _wheels(self) -> list[tuple[float, float]]:
        """Axle x and side of the four wheels, far ones first."""
        x = self.half_length * WHEEL_AT
        wheels = [(axle, side) for axle in (x, -x) for side in (1.0, -1.0)]
        return sorted(
            wheels,
            key=lambda wheel: self.canvas.to_world((wheel[0], wheel[1] * self.half_width, 0.0))[1],
        )

    def _near_sides(self) -> list[float]:
        return [side for side in (1.0, -1.0) if self.canvas.facing((0.0, side, 0.0)) > 0.05]

    def _wheel(self, x: float, side: float) -> None:
        """Tyre with its tread, and the hub if its outer side is seen."""
        canvas, colours = self.canvas, self.colours
        outer, inner = side * (self.half_width - 1.0), side * (self.half_width - 21.0)
        tyre = self._disc(x, outer, WHEEL_RADIUS_CM) + self._disc(x, inner, WHEEL_RADIUS_CM)
        canvas.hull(canvas.ink, tyre, 1.4)
        canvas.hull(colours.tyre_side, tyre)
        if canvas.facing((0.0, side, 0.0)) < 0.05:
            return
        for share, colour in (
            (1.0, colours.tyre),
            (0.62, colours.hub),
            (0.40, colours.hub_ring),
            (0.16, colours.hub_cap),
        ):
            canvas.polygon(colour, self._disc(x, outer, WHEEL_RADIUS_CM * share))

    def _disc(self, x: float, y: float, radius: float) -> list[Solid]:
        """An upright disc seen from the side."""
        return [
            (x + radius * cos, y, WHEEL_RADIUS_CM + radius * sin) for cos, sin in unit_circle(20)
        ]

    def _near_side(self, side: float) -> None:
        """Wheel arches, wheels, doors, handles and sill of a side that is seen."""
        canvas, model = self.canvas, self.model
        y = side * (self.half_width + 2.0)
        for x, wheel_side in self._wheels():
            if wheel_side != side:
                continue
            arch = [
                (x + 40.0 * cos, y, 36.0 + max(-16.0, 38.0 * sin)) for cos, sin in unit_circle(24)
            ]
            canvas.polygon(shade(self.paint_colour, 0.34), arch)
            self._wheel(x, side)
        gap = shade(self.paint_colour, 0.55)
        for x in model.doors:
            x *= self.long
            canvas.line(gap, (x, y, 26.0), (x, y, self.waist), 2.0)
            canvas.line(
                gap, (x, y, self.waist), (x, side * (self.half_width - 6.0), self.shoulder), 2.0
            )
        reach = self.half_length * 0.36
        canvas.line(shade(self.paint_colour, 0.5), (-reach, y, 27.0), (reach, y, 27.0), 6.0)
        canvas.line(
            shade(self.paint_colour, 1.12),
            (-reach * 2.3, y, self.waist),
            (reach * 2.3, y, self.waist),
            1.8,
        )
        for x in model.handles:
            x *= self.long
            canvas.line(
                self.colours.handle,
                (x - 8.0, y, self.waist + 3.0),
                (x + 6.0, y, self.waist + 3.0),
                3.0,
            )
        if model.is_taxi:
            self._checks(y)

    def _checks(self, y: float) -> None:
        """Two rows of checks along a taxi's door."""
        for index in range(-8, 9):
            low = 42.0 if index % 2 else 49.0
            x = index * 11.0
            self.canvas.polygon(
                self.canvas.ink,
                [(x, y, low), (x + 11.0, y, low), (x + 11.0, y, low + 7.0), (x, y, low + 7.0)],
            )

    # -- ends ------------------------------------------------------------------

    def _end(self, end: float) -> None:
        """Front (1) or back (-1): bumper, plate, lamps, grille."""
        canvas, colours, half = self.canvas, self.colours, self.half_width
        x = end * (self.half_length + 1.0)
        is_front = end > 0.0
        bumper = [
            (x, -half * 0.70, 24.0),
            (x, half * 0.70, 24.0),
            (x, half * 0.70, 38.0),
            (x, -half * 0.70, 38.0),
        ]
        canvas.polygon(shade(self.paint_colour, 0.42), bumper)
        plate_x = x + end
        canvas.polygon(
            colours.plate,
            [
                (plate_x, -22.0, 36.0),
                (plate_x, 22.0, 36.0),
                (plate_x, 22.0, 47.0),
                (plate_x, -22.0, 47.0),
            ],
        )
        if is_front:
            lamp = colours.lamp_front_lit if self.lamps_on else colours.lamp_front
            grille = [
                (x, -half * 0.40, 50.0),
                (x, half * 0.40, 50.0),
                (x, half * 0.40, 60.0),
                (x, -half * 0.40, 60.0),
            ]
            canvas.polygon(shade(self.paint_colour, 0.36), grille)
        else:
            lamp = colours.lamp_back_lit if self.lamps_on else colours.lamp_back
        for side in (1.0, -1.0):
            corners = [
                (x, side * half * 0.50, 49.0),
                (x, side * half * 0.84, 49.0),
                (x - end * 4.0, side * half * 0.84, 64.0),
                (x - end * 2.0, side * half * 0.50, 64.0),
            ]
            canvas.hull(canvas.ink, corners, 1.6)
            canvas.polygon(lamp, corners)

    def _bonnet_creases(self) -> None:
        start = self.model.front_foot * self.long + 6.0
        tone = shade(self.paint_colour, 0.72)
        for side in (-0.45, 0.45):
            y = side * self.half_width
            self.canvas.line(
                tone,
                (start, y, self.shoulder),
                (self.half_length - 16.0, y * 0.9, self.shoulder),
                1.8,
            )

    # -- cabin -----------------------------------------------------------------

    def _cabin_outlines(self) -> tuple[list[Point], list[Point]]:
        """Foot and roof of the cabin, corners: back left, front left, front right, back right."""
        model, long = self.model, self.long
        foot_half, roof_half = self.half_width - 10.0, self.half_width * 0.80
        foot = [
            (model.rear_foot * long, -foot_half),
            (model.front_foot * long, -foot_half),
            (model.front_foot * long, foot_half),
            (model.rear_foot * long, foot_half),
        ]
        roof = [
            (model.rear_roof * long, -roof_half),
            (model.front_roof * long, -roof_half),
            (model.front_roof * long, roof_half),
            (model.rear_roof * long, roof_half),
        ]
        return foot, roof

    def _glass(self, foot: list[Point], roof: list[Point]) -> None:
        """Panes of every side of the cabin that is seen, inset 5 %, with two strips of gleam."""
        model = self.model
        low, high = self.shoulder, model.roof
        back_low = 0.5 if model.is_van else 0.22
        panes = (
            (1, 2, ((0.05, 0.95),), model.glass_low),
            (3, 0, ((0.08, 0.92),), back_low),
            (2, 3, model.side_windows, model.glass_low),
            (
                0,
                1,
                tuple((1.0 - end, 1.0 - start) for start, end in model.side_windows),
                model.glass_low,
            ),
        )
        for start, end, shares, bottom in panes:
            corners: tuple[Solid, Solid, Solid, Solid] = (
                (*foot[start], low),
                (*foot[end], low),
                (*roof[end], high),
                (*roof[start], high),
            )
            if self.canvas.facing(_normal(corners[0], corners[1], corners[3])) <= 0.02:
                continue
            for first, last in shares:
                self._pane(corners, first, last, bottom)

    def _pane(
        self, corners: tuple[Solid, Solid, Solid, Solid], first: float, last: float, bottom: float
    ) -> None:
        canvas, colours = self.canvas, self.colours
        top = 0.88

        def at(u: float, v: float) -> Solid:
            low = _between(corners[0], corners[1], u)
            return _between(low, _between(corners[3], corners[2], u), v)

        pane = [at(first, bottom), at(last, bottom), at(last, top), at(first, top)]
        canvas.hull(canvas.ink, pane, 1.2)
        canvas.polygon(colours.glass, pane)
        wide = last - first
        if wide <= 0.2:
            return
        for start, thick, tone in ((0.18, 0.14, 1.0), (0.42, 0.06, 0.6)):
            gleam = [
                at(first + wide * start, bottom),
                at(first + wide * (start + thick), bottom),
                at(first + wide * min(1.0, start + thick + 0.22), top),
                at(first + wide * min(1.0, start + 0.22), top),
            ]
            canvas.polygon(mix(colours.glass, colours.gleam, tone), gleam)

    def _roof_streak(self, roof: list[Point]) -> None:
        middle = (roof[0][0] + roof[1][0]) / 2.0
        reach = (roof[1][0] - roof[0][0]) / 2.0 * 0.80
        half = self.half_width
        tone = mix(
            shade(self.paint_colour, 0.50 + 0.55 * self.canvas.sunlight((0.0, 0.0, 1.0))),
            (255, 255, 255),
            0.14,
        )
        z = self.model.roof
        self.canvas.polygon(
            tone,
            [
                (middle - reach, -half * 0.62, z),
                (middle + reach, -half * 0.62, z),
                (middle + reach, -half * 0.20, z),
                (middle - reach, -half * 0.20, z),
            ],
        )

    def _taxi_sign(self) -> None:
        middle = (self.model.rear_roof + self.model.front_roof) / 2.0 * self.long
        box = rectangle(12.0, 26.0, middle, 0.0)
        roof = self.model.roof
        self.canvas.outline(prism(box, roof, roof + 16.0))
        self._frustum(box, box, roof, roof + 16.0, self.colours.taxi_sign, self.colours.taxi_sign)

    def _mirrors(self) -> None:
        x = self.model.front_foot * self.long - 14.0
        for side in (1.0, -1.0):
            point = (x, side * (self.half_width + 6.0), self.shoulder + 8.0)
            self.canvas.ball(self.canvas.ink, point, 9.0)
            self.canvas.ball(shade(self.paint_colour, 0.8), point, 6.6)

    # -- solids ----------------------------------------------------------------

    def _ink(self, levels: list[tuple[list[Point], float]]) -> None:
        points = [(x, y, z) for outline, z in levels for x, y in outline]
        self.canvas.hull(self.canvas.ink, points, max(INK_CM + 0.4, 1.0 / self.canvas.scale))

    def _frustum(
        self,
        low: list[Point],
        high: list[Point],
        z0: float,
        z1: float,
        colour: Colour,
        top: Colour | None,
    ) -> None:
        """Side faces that are seen, far ones first, then the top; shaded 0.50 + 0.55 sun."""
        canvas = self.canvas
        faces: list[tuple[float, Colour, list[Solid]]] = []
        for index in range(len(low)):
            after = (index + 1) % len(low)
            corners: list[Solid] = [
                (*low[index], z0),
                (*low[after], z0),
                (*high[after], z1),
                (*high[index], z1),
            ]
            normal = _normal(corners[0], corners[1], corners[3])
            if canvas.facing(normal) > 0.0:
                nearness = canvas.to_world(_between(corners[0], corners[2], 0.5))[1]
                faces.append(
                    (nearness, shade(colour, 0.50 + 0.55 * canvas.sunlight(normal)), corners)
                )
        faces.sort(key=lambda face: face[0])
        for _, tone, corners in faces:
            canvas.polygon(tone, corners)
        if top is not None:
            canvas.polygon(
                shade(top, 0.50 + 0.55 * canvas.sunlight((0.0, 0.0, 1.0))),
                [(x, y, z1) for x, y in high],
            )


def _between(a: Solid, b: Solid, share: float) -> Solid:
    return (
        a[0] + (b[0] - a[0]) * share,
        a[1] + (b[1] - a[1]) * share,
        a[2] + (b[2] - a[2]) * share,
    )


def _normal(corner: Solid, along: Solid, up: Solid) -> Solid:
    """Unit normal of a face from one corner and its neighbours; outward for our outlines."""
    ax, ay, az = along[0] - corner[0], along[1] - corner[1], along[2] - corner[2]
    bx, by, bz = up[0] - corner[0], up[1] - corner[1], up[2] - corner[2]
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    length = math.sqrt(x * x + y * y + z * z) or 1.0
    return (x / length, y / length, z / length)


__all__ = ["MODELS", "CarModel", "car_body", "model_of", "paint_car"]
