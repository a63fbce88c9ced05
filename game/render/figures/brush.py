"""The strokes that people are drawn with: discs, tapered limbs and hulls, in ink and in shade.

A brush works in view coordinates (cm, see ``skeleton``) and knows zoom, origin and
the surface. Every part is drawn twice: once a little larger in ink, so that all
parts together get one silhouette line, and once shaded from three tones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import pygame
from numpy.typing import NDArray

from game.render.colours import Colour, shade
from game.render.figures.vectors import Seen
from game.render.outlines import Disc, Point, disc_hull, disc_hulls
from game.render.strokes import capsule

INK_CM = 2.0
INNER_LINE_CM = 0.75
INNER_LINE_SHADE = 0.52
BASE_SHADE = 0.80
LIT_RADIUS = 0.78
LIT_SHIFT = (-0.16, -0.22)
FAR_SIDE_SHADE = 0.86
"""Silhouette line, inner line, tones and the shift of the lit blob (art-and-feel section 5)."""

Ball: TypeAlias = tuple[Seen, float]
"""A joint and the radius drawn about it, cm."""


class Brush:
    """Draws view-space parts of one figure onto a surface.

    - ``origin``: px of the ped's ground point.
    - ``zoom``: px per cm of the surface; ``pixel``: how many of its px make one of
      the finished picture (supersampling), so that lines are never thinner than 1.
    """

    def __init__(
        self, surface: pygame.Surface, origin: Point, zoom: float, pixel: float, ink: Colour
    ) -> None:
        self.surface = surface
        self.zoom = zoom
        self.ink = ink
        self.ink_px = max(pixel, INK_CM * zoom)
        self._inner_px = INNER_LINE_CM * zoom
        self._least_px = 0.6 * pixel
        self._pixel = pixel
        self.finished_zoom = zoom / pixel
        self._x, self._y = origin

    def at(self, point: Seen) -> Point:
        """Pixel of a view point."""
        return (self._x + point[0] * self.zoom, self._y + point[1] * self.zoom)

    def disc(self, ball: Ball) -> Disc:
        """Pixel disc of a ball."""
        point, radius = ball
        return (
            self._x + point[0] * self.zoom,
            self._y + point[1] * self.zoom,
            max(self._least_px, radius * self.zoom),
        )

    # -- flat strokes ----------------------------------------------------------

    def ball(self, colour: Colour, point: Seen, radius: float, grow_px: float = 0.0) -> None:
        """A filled disc of a radius in cm."""
        x, y, size = self.disc((point, radius))
        pygame.draw.circle(self.surface, colour, (x, y), size + grow_px)

    def hoop(self, colour: Colour, point: Seen, radius: float, width_cm: float) -> None:
        """An empty disc."""
        x, y, size = self.disc((point, radius))
        width = max(int(self._pixel), round(width_cm * self.zoom))
        pygame.draw.circle(self.surface, colour, (x, y), size, width)

    def line(self, colour: Colour, start: Seen, end: Seen, width_cm: float) -> None:
        """A straight stroke, at least one px of the finished picture wide."""
        width = max(self._pixel, width_cm * self.zoom) * 0.5
        self._capsule(colour, (*self.at(start), width), (*self.at(end), width), 0.0)

    def polygon(self, colour: Colour, points: Sequence[Seen], outline_cm: float = 0.0) -> None:
        """A filled polygon; with ``outline_cm`` its edge is drawn that much wider."""
        pixels = [self.at(point) for point in points]
        pygame.draw.polygon(self.surface, colour, pixels)
        if outline_cm:
            width = max(int(self._pixel), round(outline_cm * self.zoom))
            pygame.draw.polygon(self.surface, colour, pixels, width)

    def hull_of(self, colour: Colour, points: NDArray[np.float64], grow_px: float = 0.0) -> None:
        """Fill the convex hull of view points, shape (n, 3)."""
        discs = np.zeros((len(points), 3))
        discs[:, :2] = points[:, :2] * self.zoom + (self._x, self._y)
        pygame.draw.polygon(self.surface, colour, disc_hull(discs, grow_px, 32))

    # -- parts -----------------------------------------------------------------

    def limb(self, colour: Colour, start: Ball, end: Ball, grow_px: float = 0.0) -> None:
        """A tapered capsule in one colour."""
        self._capsule(colour, self.disc(start), self.disc(end), grow_px)

    def shaded_limb(self, colour: Colour, start: Ball, end: Ball) -> None:
        """A tapered capsule in three tones: inner line, base, lit blob up and to the left."""
        a, b, surface = self.disc(start), self.disc(end), self.surface
        self._capsule(shade(colour, INNER_LINE_SHADE), a, b, self._inner_px)
        capsule(surface, shade(colour, BASE_SHADE), a, b)
        capsule(surface, colour, _lit(a), _lit(b))

    def hull(self, colour: Colour, balls: Sequence[Ball], grow_px: float = 0.0) -> None:
        """The convex hull of balls in one colour."""
        pygame.draw.polygon(self.surface, colour, disc_hull(self._discs(balls), grow_px))

    def shaded_hull(self, colour: Colour, balls: Sequence[Ball]) -> None:
        """The convex hull of balls in three tones."""
        discs = self._discs(balls)
        surface = self.surface
        inner, base = disc_hulls(discs, (self._inner_px, 0.0))
        pygame.draw.polygon(surface, shade(colour, INNER_LINE_SHADE), inner)
        pygame.draw.polygon(surface, shade(colour, BASE_SHADE), base)
        lit = discs.copy()
        lit[:, 0] += LIT_SHIFT[0] * discs[:, 2]
        lit[:, 1] += LIT_SHIFT[1] * discs[:, 2]
        lit[:, 2] *= LIT_RADIUS
        pygame.draw.polygon(surface, colour, disc_hull(lit))

    def _discs(self, balls: Sequence[Ball]) -> NDArray[np.float64]:
        return np.array([self.disc(ball) for ball in balls])

    def _capsule(self, colour: Colour, a: Disc, b: Disc, grow_px: float) -> None:
        capsule(self.surface, colour, (a[0], a[1], a[2] + grow_px), (b[0], b[1], b[2] + grow_px))


def _lit(disc: Disc) -> Disc:
    x, y, radius = disc
    return (x + LIT_SHIFT[0] * radius, y + LIT_SHIFT[1] * radius, radius * LIT_RADIUS)
