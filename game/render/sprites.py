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

from game.render.canvas import View
from game.render.colours import Colour

KEY_COLOUR: Colour = (255, 0, 254)
"""Stands for transparent; nothing in the palette is near it."""

CACHE_BYTES = 96 * 1024 * 1024


class Sprite(NamedTuple):
    """A surface, where its top left corner lies from the anchor (px), and the view it is for."""

    surface: pygame.Surface
    left: int
    top: int
    view: View


class Baked(NamedTuple):
    """What stands in the picture: its body, and its shadow on the half-size layer."""

    body: Sprite
    shadow: Sprite


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
    view: View,
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
    return Sprite(small if translucent else hard_cut(small), box.left, box.top, view)


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


class BakeBudget:
    """How many sprites a frame may still bake; None for as many as are missing."""

    def __init__(self, per_frame: int | None) -> None:
        self._per_frame = per_frame
        self._left = per_frame

    def begin_frame(self) -> None:
        """Give the frame its share."""
        self._left = self._per_frame

    def spend(self) -> bool:
        """Take one bake; False if none is left."""
        if self._left is None:
            return True
        if self._left <= 0:
            return False
        self._left -= 1
        return True


class SpriteCache:
    """Baked pictures by key; the least recently drawn go first when memory runs out."""

    def __init__(self, limit_bytes: int = CACHE_BYTES) -> None:
        self._limit = limit_bytes
        self._used = 0
        self._kept: OrderedDict[Hashable, Baked] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> Baked | None:
        """What is kept under a key, now the most recently drawn; None if nothing is."""
        baked = self._kept.get(key)
        if baked is not None:
            self._kept.move_to_end(key)
        return baked

    def put(self, key: Hashable, baked: Baked) -> None:
        """Keep a picture in place of what was under its key; drops old ones until it fits."""
        old = self._kept.pop(key, None)
        if old is not None:
            self._used -= _bytes(old)
        self._kept[key] = baked
        self._used += _bytes(baked)
        while self._used > self._limit and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._used -= _bytes(dropped)

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self._used = 0


def _bytes(baked: Baked) -> int:
    return sum(
        sprite.surface.get_width() * sprite.surface.get_height() * sprite.surface.get_bytesize()
        for sprite in baked
    )


def stretched(sprite: Sprite, view: View) -> Sprite:
    """A sprite of one view as it is about to look in another, while the camera zooms or tilts."""
    across = view.zoom / sprite.view.zoom
    down = across * view.sin_pitch / sprite.view.sin_pitch
    width = max(1, round(sprite.surface.get_width() * across))
    height = max(1, round(sprite.surface.get_height() * down))
    return Sprite(
        pygame.transform.scale(sprite.surface, (width, height)),
        round(sprite.left * across),
        round(sprite.top * down),
        view,
    )
