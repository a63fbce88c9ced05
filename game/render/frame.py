"""What is the same for everything in one drawn frame, and what a frame is put together from."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import NamedTuple

import pygame

from game.render.canvas import View
from game.render.colours import Colour
from game.render.projection import Projection
from game.render.sprites import Sprite, stretched

OPAQUE = 255


class Tones(NamedTuple):
    """What shadows multiply the ground with: the sun's (None at night) and contact with it."""

    sun: Colour | None
    contact: Colour


class Frame(NamedTuple):
    """What one frame is drawn by.

    - ``view`` is the projection's own zoom and pitch, ``settled`` the one that sprites
      are baked for: while the camera zooms or tilts they differ.
    - ``tones`` are those of the shadows.
    """

    projection: Projection
    view: View
    settled: View
    tones: Tones

    def fitted(self, sprite: Sprite) -> Sprite:
        """The sprite as this frame sees it, stretched if it was baked for another view."""
        return sprite if sprite.view == self.view else stretched(sprite, self.view)

    def shows(self, sprite: Sprite, x: float, y: float) -> bool:
        """Whether any of a sprite lies in the picture."""
        left, top = x + sprite.left, y + sprite.top
        width, height = sprite.surface.get_size()
        return -width < left < self.projection.width and -height < top < self.projection.height


class Item(NamedTuple):
    """A sprite about a point of the picture (px), with its key among all that rises."""

    key: float
    sprite: Sprite
    x: float
    y: float
    alpha: int = OPAQUE


def blit_items(surface: pygame.Surface, items: Sequence[Item]) -> None:
    """Put items into the picture, the smallest key first."""
    ordered = sorted(items, key=lambda item: item.key)
    faded = [item for item in ordered if item.alpha < OPAQUE]
    for item in faded:
        item.sprite.surface.set_alpha(item.alpha)
    surface.fblits(
        [
            (
                item.sprite.surface,
                (floor(item.x) + item.sprite.left, floor(item.y) + item.sprite.top),
            )
            for item in ordered
        ]
    )
    for item in faded:
        item.sprite.surface.set_alpha(None)
