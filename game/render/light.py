"""The light of the day over the finished scene, and the pools of lamps in it.

A small map (a quarter of the picture's size) is filled with the light of the time of
day, pools are added, and the map is smoothed up and multiplied over the scene. By
day, when no lamp is on, one flat multiply does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pygame

from game.render.colours import Colour, mix, shade

MAP_SCALE = 0.25
FALLOFF = 1.7
"""Pools fall off as (1 - d) ** 1.7 (art-and-feel section 8)."""

RADIUS_STEP_PX = 2


class Pool(NamedTuple):
    """A light in the picture: px of its middle, px radius, what it adds, height over width.

    ``always``: it shines whether or not lamps are on (fire).
    """

    x: float
    y: float
    radius: float
    colour: Colour
    squash: float = 1.0
    always: bool = False


@lru_cache(maxsize=256)
def pool_surface(radius_px: int, colour: Colour, squash_percent: int) -> pygame.Surface:
    """A soft disc of light on black, for adding."""
    half_x, half_y = radius_px, max(1, radius_px * squash_percent // 100)
    across = (np.arange(2 * half_x) - half_x + 0.5) / half_x
    down = (np.arange(2 * half_y) - half_y + 0.5) / half_y
    distance = np.sqrt(across[:, None] ** 2 + down[None, :] ** 2)
    strength = np.clip(1.0 - distance, 0.0, 1.0) ** FALLOFF
    return pygame.surfarray.make_surface(
        (strength[:, :, None] * np.array(colour)[None, None, :]).astype(np.uint8)
    )


class LightMap:
    """Lays light over pictures; its surfaces are kept from frame to frame."""

    def __init__(self) -> None:
        self._map = pygame.Surface((1, 1))
        self._grown = pygame.Surface((1, 1))

    def lay(
        self, surface: pygame.Surface, ambient: Colour, pools: Sequence[Pool], strength: float
    ) -> None:
        """Multiply the scene with ambient light and pools of that strength (0 = lamps off)."""
        if not pools:
            surface.fill(ambient, special_flags=pygame.BLEND_MULT)
            return
        size = surface.get_size()
        if self._grown.get_size() != size:
            self._grown = pygame.Surface(size)
            self._map = pygame.Surface(
                (max(1, round(size[0] * MAP_SCALE)), max(1, round(size[1] * MAP_SCALE)))
            )
        self._map.fill(ambient)
        for pool in pools:
            radius = max(
                RADIUS_STEP_PX,
                round(pool.radius * MAP_SCALE / RADIUS_STEP_PX) * RADIUS_STEP_PX,
            )
            glow = pool_surface(
                radius,
                shade(pool.colour, 1.0 if pool.always else strength),
                round(pool.squash * 20) * 5,
            )
            x = pool.x * MAP_SCALE - glow.get_width() / 2.0
            y = pool.y * MAP_SCALE - glow.get_height() / 2.0
            self._map.blit(glow, (round(x), round(y)), special_flags=pygame.BLEND_ADD)
        pygame.transform.smoothscale(self._map, size, self._grown)
        surface.blit(self._grown, (0, 0), special_flags=pygame.BLEND_MULT)


def shadow_tone(full: Colour, strength: float) -> Colour | None:
    """What the ground is multiplied with in a shadow; None where the sun throws none."""
    return mix((255, 255, 255), full, strength) if strength > 0.0 else None


def contact_tone(sun: Colour | None) -> Colour:
    """What it is multiplied with right under a foot or a thing: 0.82, on top of the shadow."""
    return shade(sun or (255, 255, 255), 0.82)
