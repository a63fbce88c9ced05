"""Which keys are down, and what they ask of the player's ped or the camera.

Losing the window's focus releases everything: the release of a key that is let go
elsewhere is never heard of (F8).
"""

from __future__ import annotations

import math
from enum import Enum, auto

import pygame


class Held(Enum):
    """What a key asks for as long as it is down."""

    UP = auto()
    DOWN = auto()
    LEFT = auto()
    RIGHT = auto()
    RUN = auto()


HELD_KEYS: dict[int, Held] = {
    pygame.K_w: Held.UP,
    pygame.K_UP: Held.UP,
    pygame.K_s: Held.DOWN,
    pygame.K_DOWN: Held.DOWN,
    pygame.K_a: Held.LEFT,
    pygame.K_LEFT: Held.LEFT,
    pygame.K_d: Held.RIGHT,
    pygame.K_RIGHT: Held.RIGHT,
    pygame.K_LSHIFT: Held.RUN,
    pygame.K_RSHIFT: Held.RUN,
}


class HeldKeys:
    """The keys that are down at the moment."""

    def __init__(self) -> None:
        self._down: set[int] = set()

    def press(self, key: int) -> None:
        """A key went down; one that asks for nothing is left out."""
        if key in HELD_KEYS:
            self._down.add(key)

    def release(self, key: int) -> None:
        """A key came up, heard of going down or not."""
        self._down.discard(key)

    def release_all(self) -> None:
        """The window lost the focus: every key counts as up."""
        self._down.clear()

    def asks(self, held: Held) -> bool:
        """True while any of its keys is down."""
        return any(HELD_KEYS[key] is held for key in self._down)

    @property
    def direction(self) -> tuple[int, int]:
        """Right and down the map, -1 to 1 each; opposite keys cancel out."""
        return (
            self.asks(Held.RIGHT) - self.asks(Held.LEFT),
            self.asks(Held.DOWN) - self.asks(Held.UP),
        )

    @property
    def heading_rad(self) -> float | None:
        """The way the direction keys point, None when they point nowhere."""
        right, down = self.direction
        return math.atan2(down, right) if right or down else None
