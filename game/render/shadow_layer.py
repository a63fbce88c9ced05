"""All shadows of a frame on one layer of half the picture's size, multiplied over the ground once.

On one layer shadows don't add up where they overlap (art-and-feel section 3).
"""

from __future__ import annotations

import pygame

from game.render.frame import Frame
from game.render.sprites import Sprite

SCALE = 0.5
"""Size of the layer against the picture; shadow sprites are baked at it."""

NO_SHADOW = (255, 255, 255)


class ShadowLayer:
    """The layer; kept from frame to frame for its memory alone."""

    def __init__(self) -> None:
        self._layer = pygame.Surface((1, 1))
        self._grown = pygame.Surface((1, 1))
        self._added: list[tuple[pygame.Surface, tuple[int, int]]] = []

    def begin(self, size: tuple[int, int]) -> None:
        """Start a frame for a picture of that size."""
        if self._grown.get_size() != size:
            self._grown = pygame.Surface(size)
            self._layer = pygame.Surface(
                (max(1, round(size[0] * SCALE)), max(1, round(size[1] * SCALE)))
            )
        self._layer.fill(NO_SHADOW)
        self._added.clear()

    def add(self, frame: Frame, shadow: Sprite, x: float, y: float) -> None:
        """Put a shadow about a point of the picture (px)."""
        sprite = frame.fitted(shadow)
        place = (round(x * SCALE) + sprite.left, round(y * SCALE) + sprite.top)
        self._added.append((sprite.surface, place))

    def lay(self, surface: pygame.Surface) -> None:
        """Multiply the ground with the shadows added since ``begin``."""
        self._layer.fblits(self._added)
        pygame.transform.smoothscale(self._layer, surface.get_size(), self._grown)
        surface.blit(self._grown, (0, 0), special_flags=pygame.BLEND_MULT)
