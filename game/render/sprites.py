"""Ready-made little pictures: baking them smoothly, and keeping them within a budget of memory.

A sprite is painted larger than it is shown, over transparent ink, and smoothed
down. Where alpha is at least one half it is kept and the rest becomes a colour key:
such a sprite is drawn many times faster than one with alpha, and the ink edge hides
the hard cut (art-and-feel section 3).
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

import pygame

from game.render.colours import Colour

KEY_COLOUR: Colour = (255, 0, 254)
"""Stands for transparent; nothing in the palette is near it."""

CACHE_BYTES = 96 * 1024 * 1024


class Sprite(NamedTuple):
    """A surface and where its top left corner lies from the anchor, px."""

    surface: pygame.Surface
    left: int
    top: int


class Box(NamedTuple):
    """Size of a picture about an anchor, px: its left and top edge and its extent."""

    left: int
    top: int
    width: int
    height: int

    @classmethod
    def around(cls, x_min: float, y_min: float, x_max: float, y_max: float, margin: float) -> Box:
        """The smallest box of whole pixels with a margin on every side."""
        left, top = math.floor(x_min - margin), math.floor(y_min - margin)
        width = max(1, math.ceil(x_max + margin) - left)
        height = max(1, math.ceil(y_max + margin) - top)
        return cls(left, top, width, height)


def bake(
    box: Box,
    supersampling: int,
    ink: Colour,
    paint: Callable[[pygame.Surface, tuple[float, float]], None],
    *,
    translucent: bool = False,
) -> Sprite:
    """Paint a sprite at ``supersampling`` times its size and smooth it down.

    ``paint(surface, anchor)`` draws about the anchor (px of the large surface).
    ``translucent`` keeps alpha (glass); else the picture is cut hard.
    """
    large = pygame.Surface(
        (box.width * supersampling, box.height * supersampling), pygame.SRCALPHA, 32
    )
    large.fill((*ink, 0))
    paint(large, (-box.left * supersampling, -box.top * supersampling))
    small = large
    if supersampling > 1:
        small = pygame.transform.smoothscale(large, (box.width, box.height))
    return Sprite(small if translucent else hard_cut(small), box.left, box.top)


def hard_cut(picture: pygame.Surface) -> pygame.Surface:
    """A colour-keyed copy of a picture with alpha, cut at one half."""
    kept = pygame.mask.from_surface(picture, 127)
    cut = pygame.Surface(picture.get_size(), pygame.SRCALPHA, 32)
    kept.to_surface(cut, setsurface=picture, unsetcolor=(*KEY_COLOUR, 255))
    if pygame.display.get_surface() is not None:
        opaque = cut.convert()
    else:
        opaque = cut.convert(24)
    opaque.set_colorkey(KEY_COLOUR, pygame.RLEACCEL)
    return opaque


class SpriteCache:
    """Sprites by key; the least recently drawn go first when memory runs out."""

    def __init__(self, limit_bytes: int = CACHE_BYTES) -> None:
        self._limit = limit_bytes
        self._used = 0
        self._sprites: OrderedDict[Hashable, Sprite] = OrderedDict()

    def __len__(self) -> int:
        return len(self._sprites)

    def get(self, key: Hashable) -> Sprite | None:
        """The sprite of a key, now the most recently drawn; None if it isn't there."""
        sprite = self._sprites.get(key)
        if sprite is not None:
            self._sprites.move_to_end(key)
        return sprite

    def put(self, key: Hashable, sprite: Sprite) -> None:
        """Keep a sprite; drops old ones until it fits."""
        old = self._sprites.pop(key, None)
        if old is not None:
            self._used -= _bytes(old)
        self._sprites[key] = sprite
        self._used += _bytes(sprite)
        while self._used > self._limit and len(self._sprites) > 1:
            _, dropped = self._sprites.popitem(last=False)
            self._used -= _bytes(dropped)

    def clear(self) -> None:
        """Forget every sprite."""
        self._sprites.clear()
        self._used = 0


def _bytes(sprite: Sprite) -> int:
    return sprite.surface.get_width() * sprite.surface.get_height() * sprite.surface.get_bytesize()


def stretched(sprite: Sprite, across: float, down: float) -> Sprite:
    """A sprite grown by factors, for the moments in which the camera zooms."""
    width = max(1, round(sprite.surface.get_width() * across))
    height = max(1, round(sprite.surface.get_height() * down))
    return Sprite(
        pygame.transform.scale(sprite.surface, (width, height)),
        round(sprite.left * across),
        round(sprite.top * down),
    )
