"""Hats: rings of circles about the head's up axis, hulled (art-and-feel section 5)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from game.render.colours import Colour, mix, shade
from game.render.figures.brush import Brush
from game.render.figures.looks import Hat
from game.render.figures.skeleton import Axes
from game.render.figures.vectors import Seen, moved
from game.render.outlines import unit_circle

_CIRCLE = np.array(unit_circle(20))

_PEAK = np.array(((7.0, 7.0, 10.0), (7.0, 16.5, 6.5), (7.0, 16.5, -6.5), (7.0, 7.0, -10.0)))
"""Corners of a cap's peak: up, ahead, left in cm."""

_PEAK_SEEN_MIN = -0.02
"""Seen further from behind than this the crown hides the peak of a cap."""

Points = NDArray[np.float64]
"""View points, shape (n, 3)."""


def paint_hat(brush: Brush, head: Seen, axes: Axes, hat: Hat, size: float) -> None:
    """Paint a hat on a head; ``size`` is the head's scale."""
    _HatPainter(brush, head, axes, hat.colour, size).paint(hat.kind)


class _HatPainter:
    def __init__(self, brush: Brush, head: Seen, axes: Axes, colour: Colour, size: float) -> None:
        self._brush = brush
        self._head = head
        self._axes = axes
        self._colour = colour
        self._size = size

    def paint(self, kind: str) -> None:
        match kind:
            case "cap":
                self._cap()
            case "brim":
                self._brim()
            case "helmet":
                self._shell(((2.0, 14.5), (10.0, 12.0), (15.0, 7.0)))
                self._fill(mix(self._colour, (255, 255, 255), 0.35), self._ring(15.0, 5.0))
            case "beanie":
                self._shell(((4.0, 13.6), (11.0, 11.0), (15.0, 5.0)))
                self._band(shade(self._colour, 0.78))
                bobble = moved(self._head, (self._axes.up, 17.5 * self._size))
                self._brush.ball(
                    self._brush.ink, bobble, 3.4 * self._size, self._brush.ink_px * 0.7
                )
                self._brush.ball(mix(self._colour, (255, 255, 255), 0.5), bobble, 3.4 * self._size)

    def _ring(self, up: float, radius: float, ahead: float = 0.0) -> Points:
        size, axes = self._size, self._axes
        centre = moved(self._head, (axes.up, up * size), (axes.forward, ahead * size))
        flat: Points = _CIRCLE @ np.array((axes.forward, axes.left)) * (radius * size)
        return flat + centre

    def _fill(self, colour: Colour, points: Points) -> None:
        self._brush.hull_of(colour, points)

    def _inked(self, colour: Colour, points: Points) -> None:
        self._brush.hull_of(self._brush.ink, points, self._brush.ink_px)
        self._brush.hull_of(colour, points)

    def _shell(self, rings: tuple[tuple[float, float], ...]) -> None:
        self._inked(self._colour, np.concatenate([self._ring(*ring) for ring in rings]))

    def _band(self, colour: Colour) -> None:
        """The turned-up edge of a beanie."""
        self._fill(colour, np.concatenate((self._ring(4.0, 13.6), self._ring(7.0, 13.0))))

    def _cap(self) -> None:
        size, axes = self._size, self._axes
        crown = np.concatenate((self._ring(5.0, 13.2, -2.0), self._ring(13.0, 9.5, -2.0)))
        peak = _PEAK @ np.array((axes.up, axes.forward, axes.left)) * size + self._head
        if _PEAK_SEEN_MIN < axes.forward[2] <= 0.0:
            self._inked(shade(self._colour, 0.8), peak)
        self._inked(self._colour, crown)
        self._fill(shade(self._colour, 1.18), self._ring(13.0, 8.5, -2.0))
        if axes.forward[2] > 0.0:
            self._inked(shade(self._colour, 0.8), peak)

    def _brim(self) -> None:
        self._inked(shade(self._colour, 0.86), self._ring(6.0, 20.0))
        self._inked(self._colour, np.concatenate((self._ring(7.0, 12.0), self._ring(16.0, 10.0))))
        self._fill(shade(self._colour, 1.16), self._ring(16.0, 8.5))
