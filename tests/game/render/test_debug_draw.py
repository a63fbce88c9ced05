"""Marks for people who look for faults: words that can be told apart."""

from __future__ import annotations

import pygame

from ai.ports import Vec3
from game.render.debug_draw import LABEL_GROUND, PygameDebugDraw
from game.render.projection import Projection

YELLOW = (240, 228, 66)


def labels(count: int) -> int:
    """How many pixels the grounds of so many labels at one place cover."""
    surface = pygame.Surface((300, 300))
    pen = PygameDebugDraw(surface, Projection(0.0, 0.0, 55.0, 0.6, 300, 300))
    for _ in range(count):
        pen.text(Vec3(0.0, 0.0), "wander WALK", YELLOW)
    return pygame.mask.from_threshold(surface, LABEL_GROUND, (1, 1, 1)).count()


def test_words_over_one_place_are_stacked_and_not_written_over_each_other() -> None:
    """Art-and-feel 17, 16: nothing overlaps; three labels show three times the ground of one."""
    assert labels(1) > 100
    assert labels(3) == 3 * labels(1)
