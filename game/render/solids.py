"""Solid bodies for a canvas: flat faces with axes of their own, prisms, tapered rounds.

A ``Face`` is a flat part of a thing with its own two axes, so that windows, slats
and stripes are laid out in plain centimetres whatever way the thing is turned.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pygame

from game.render.canvas import Canvas, Solid
from game.render.colours import Colour, shade
from game.render.outlines import Point, unit_circle

TOP_SHADE = 1.06
"""Top of a box against its plain colour (art-and-feel section 7)."""


class Face:
    """A flat part of a thing with axes of its own: u to the right, v up, in cm.

    - ``origin`` is the local point at (0, 0); ``along`` and ``up`` are local unit vectors.
    - ``width`` and ``height`` in cm say how far the face goes.
    - ``tone`` is the shade that its base colour was painted with.
    """

    def __init__(
        self,
        canvas: Canvas,
        origin: Solid,
        along: Solid,
        width: float,
        height: float,
        tone: float = 1.0,
        up: Solid = (0.0, 0.0, 1.0),
    ) -> None:
        self.width = width
        self.height = height
        self.tone = tone
        self._canvas = canvas
        self._corner = origin
        self._axes = (along, up)
        x, y = canvas.at(origin)
        along_x, along_y = canvas.at(_plus(origin, along))
        up_x, up_y = canvas.at(_plus(origin, up))
        self._origin = (x, y)
        self._along = (along_x - x, along_y - y)
        self._up = (up_x - x, up_y - y)

    def moved_out(self, canvas: Canvas, distance: float) -> Face:
        """The same face, ``distance`` cm further out."""
        along, up = self._axes
        corner = (
            self._corner[0] - along[1] * distance,
            self._corner[1] + along[0] * distance,
            self._corner[2],
        )
        return Face(canvas, corner, along, self.width, self.height, self.tone, up)

    def at(self, u: float, v: float) -> Point:
        """Pixel of a point of the face."""
        return (
            self._origin[0] + u * self._along[0] + v * self._up[0],
            self._origin[1] + u * self._along[1] + v * self._up[1],
        )

    def quad(self, colour: Colour, u0: float, u1: float, v0: float, v1: float) -> None:
        """Fill a rectangle of the face."""
        self.polygon(colour, ((u0, v0), (u1, v0), (u1, v1), (u0, v1)))

    def polygon(self, colour: Colour, points: Iterable[Point]) -> None:
        """Fill a polygon of the face."""
        pygame.draw.polygon(self._canvas.surface, colour, [self.at(u, v) for u, v in points])

    def line(self, colour: Colour, start: Point, end: Point, width_cm: float) -> None:
        """A straight stroke on the face."""
        self._canvas.stroke(colour, self.at(*start), self.at(*end), width_cm * self._canvas.scale)

    def dot(self, colour: Colour, u: float, v: float, radius_cm: float) -> None:
        """A disc that faces the camera, on the face."""
        pygame.draw.circle(
            self._canvas.surface, colour, self.at(u, v), max(1.0, radius_cm * self._canvas.scale)
        )


def _plus(first: Solid, second: Solid) -> Solid:
    return (first[0] + second[0], first[1] + second[1], first[2] + second[2])


def ring(x: float, y: float, z: float, radius: float, count: int = 22) -> list[Solid]:
    """Points of a level circle."""
    return [(x + radius * cos, y + radius * sin, z) for cos, sin in unit_circle(count)]


def prism(outline: Sequence[Point], z0: float, z1: float) -> list[Solid]:
    """All corners of an upright extrusion."""
    return [(x, y, z) for x, y in outline for z in (z0, z1)]


class Wall(NamedTuple):
    """An upright side of an extruded outline that the camera sees, left corner first."""

    left: Point
    along: Point
    width: float
    normal: Solid


def seen_walls(canvas: Canvas, outline: Sequence[Point]) -> list[Wall]:
    """The sides of an extruded outline that look at the camera, far ones first."""
    walls: list[tuple[float, Wall]] = []
    clockwise = _signed_area(outline) > 0.0
    for start, end in zip(outline, [*outline[1:], outline[0]], strict=True):
        if not clockwise:
            start, end = end, start
        width = math.hypot(end[0] - start[0], end[1] - start[1])
        if width < 1e-6:
            continue
        # Seen from outside, the outline runs from right to left.
        along = ((start[0] - end[0]) / width, (start[1] - end[1]) / width)
        normal = (-along[1], along[0], 0.0)
        if canvas.facing(normal) > 1e-9:
            middle = ((start[0] + end[0]) / 2.0, (start[1] + end[1]) / 2.0, 0.0)
            walls.append((canvas.to_world(middle)[1], Wall(end, along, width, normal)))
    walls.sort(key=lambda pair: pair[0])
    return [wall for _, wall in walls]


def paint_prism(
    canvas: Canvas,
    outline: Sequence[Point],
    z0: float,
    z1: float,
    colour: Colour,
    top: Colour | None = None,
    *,
    inked: bool = True,
    wall_light: float = 1.0,
) -> list[Face]:
    """An upright extrusion of an outline: ink, the sides that are seen, the top.

    ``wall_light`` brightens the sides against those of a box. Returns the faces of the
    seen sides, far ones first, with v = 0 at ``z0``.
    """
    if inked:
        canvas.outline(prism(outline, z0, z1))
    faces: list[Face] = []
    for wall in seen_walls(canvas, outline):
        tone = min(TOP_SHADE, canvas.wall_shade(wall.normal) * wall_light)
        face = Face(canvas, (*wall.left, z0), (*wall.along, 0.0), wall.width, z1 - z0, tone)
        face.quad(shade(colour, tone), 0.0, wall.width, 0.0, z1 - z0)
        faces.append(face)
    canvas.polygon(top or shade(colour, TOP_SHADE), [(x, y, z1) for x, y in outline])
    return faces


def _signed_area(outline: Sequence[Point]) -> float:
    total = 0.0
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        total += ax * by - bx * ay
    return total


def rectangle(half_x: float, half_y: float, x: float = 0.0, y: float = 0.0) -> list[Point]:
    """Corners of an upright rectangle about (x, y)."""
    return [
        (x - half_x, y - half_y),
        (x + half_x, y - half_y),
        (x + half_x, y + half_y),
        (x - half_x, y + half_y),
    ]


def paint_round(
    canvas: Canvas,
    low: tuple[float, float],
    high: tuple[float, float],
    colour: Colour,
    top: Colour | None = None,
    x: float = 0.0,
    y: float = 0.0,
) -> None:
    """A tapered round body between two (z, radius) rings: ink, side with a lit strip, top."""
    (z0, r0), (z1, r1) = low, high
    body = ring(x, y, z0, r0) + ring(x, y, z1, r1)
    canvas.outline(body)
    canvas.hull(shade(colour, 0.70), body)
    sun_x, sun_y = _sunward(canvas)
    strip: list[Solid] = []
    for share in (-0.15, 0.75):
        # Angles around the axis from straight towards the camera to the sunny side.
        side = math.sqrt(1.0 - share * share)
        across = (share * sun_x, share * sun_y)
        front = _cameraward(canvas, side)
        for z, radius in ((z0, r0), (z1, r1)):
            strip.append(
                (
                    x + (across[0] + front[0]) * radius * 0.97,
                    y + (across[1] + front[1]) * radius * 0.97,
                    z,
                )
            )
    canvas.polygon(shade(colour, 0.94), [strip[0], strip[2], strip[3], strip[1]])
    canvas.polygon(top or shade(colour, 1.08), ring(x, y, z1, r1))


def _sunward(canvas: Canvas) -> Point:
    """Local unit direction of the picture's left, where the sun stands."""
    along_x = canvas.to_world((1.0, 0.0, 0.0))
    along_y = canvas.to_world((0.0, 1.0, 0.0))
    return (-along_x[0], -along_y[0])


def _cameraward(canvas: Canvas, length: float) -> Point:
    """Local direction down the map, of a length."""
    along_x = canvas.to_world((1.0, 0.0, 0.0))
    along_y = canvas.to_world((0.0, 1.0, 0.0))
    return (along_x[1] * length, along_y[1] * length)
