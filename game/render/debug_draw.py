"""Drawing for people who look for faults: lines, circles, polygons and words in world cm.

Overlays are written against ``DebugDraw`` alone; pygame implements it here, and
tests record what an overlay drew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import pygame

from ai.ports import Vec3
from game.render.colours import Colour
from game.render.fonts import font
from game.render.projection import Projection

LABEL_PX = 11
LABEL_STOREYS = 8
"""So many labels are stacked over one place at the most; further ones lie over the last."""

LABEL_GROUND: Colour = (30, 27, 38)
"""Words stand on it, or the street would swallow them."""


class DebugDraw(Protocol):
    """Marks in the world; heights count, nothing hides them."""

    def line(self, start: Vec3, end: Vec3, colour: Colour, width_px: int = 1) -> None:
        """A straight line."""
        ...

    def circle(self, centre: Vec3, radius_cm: float, colour: Colour, width_px: int = 1) -> None:
        """A level circle; width 0 fills it."""
        ...

    def polygon(self, corners: Sequence[Vec3], colour: Colour, width_px: int = 1) -> None:
        """A closed polygon; width 0 fills it."""
        ...

    def text(self, at: Vec3, words: str, colour: Colour) -> None:
        """A short word, centred over a point."""
        ...


Overlay = Callable[[DebugDraw], None]
"""Something that draws itself over the scene when overlays are on."""


class PygameDebugDraw:
    """``DebugDraw`` on a surface, for one frame; words that would lie on others move up."""

    def __init__(self, surface: pygame.Surface, projection: Projection) -> None:
        self._surface = surface
        self._projection = projection
        self._labels: list[pygame.Rect] = []

    def line(self, start: Vec3, end: Vec3, colour: Colour, width_px: int = 1) -> None:
        """A straight line."""
        at = self._projection.to_screen
        pygame.draw.line(self._surface, colour, at(*start), at(*end), width_px)

    def circle(self, centre: Vec3, radius_cm: float, colour: Colour, width_px: int = 1) -> None:
        """A level circle; width 0 fills it."""
        projection = self._projection
        x, y = projection.to_screen(*centre)
        half_x = radius_cm * projection.zoom
        box = pygame.Rect(
            0, 0, max(2, round(2 * half_x)), max(2, round(2 * half_x * projection.sin_pitch))
        )
        box.center = (round(x), round(y))
        pygame.draw.ellipse(self._surface, colour, box, width_px)

    def polygon(self, corners: Sequence[Vec3], colour: Colour, width_px: int = 1) -> None:
        """A closed polygon; width 0 fills it."""
        pixels = [self._projection.to_screen(*corner) for corner in corners]
        if len(pixels) > 2:
            pygame.draw.polygon(self._surface, colour, pixels, width_px)

    def text(self, at: Vec3, words: str, colour: Colour) -> None:
        """A short word, centred over a point."""
        drawn = font(LABEL_PX).render(words, True, colour, LABEL_GROUND)
        x, y = self._projection.to_screen(*at)
        label = drawn.get_rect(midbottom=(round(x), round(y)))
        for _ in range(LABEL_STOREYS):
            hit = label.collidelist(self._labels)
            if hit < 0:
                break
            label.bottom = self._labels[hit].top
        self._labels.append(label)
        self._surface.blit(drawn, label)
