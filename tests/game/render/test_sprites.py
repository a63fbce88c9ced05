"""Sprites: cut hard over ink, kept by recency within a budget of bytes."""

from __future__ import annotations

import math

import pygame
import pytest

from game.render.canvas import View
from game.render.sprites import BakeBudget, Baked, Box, Sprite, SpriteCache, bake, stretched

INK = (38, 30, 46)


VIEW = View(0.6, 90.0)


def baked(width: int, height: int) -> Baked:
    """A picture of so many pixels, 4 bytes each, and no shadow to speak of."""
    body = pygame.Surface((width, height), 0, 32)
    return Baked(Sprite(body, 0, 0, VIEW), Sprite(pygame.Surface((0, 0)), 0, 0, VIEW))


def disc(surface: pygame.Surface, anchor: tuple[float, float]) -> None:
    pygame.draw.circle(surface, (200, 60, 50), anchor, 30.0)


def test_a_baked_sprite_is_smooth_inside_and_cut_at_its_edge() -> None:
    made = bake(Box(-12, -12, 24, 24), 3, INK, VIEW, disc)
    mask = pygame.mask.from_surface(made.surface)
    assert abs(mask.count() - 314) < 12  # pi 10^2: a disc of radius 30 at a third of its size
    assert list(made.surface.get_at((12, 12))[:3]) == pytest.approx([200, 60, 50], abs=2)
    assert mask.get_at((0, 0)) == 0
    assert (made.left, made.top) == (-12, -12)


def test_a_translucent_sprite_keeps_its_alpha() -> None:
    made = bake(Box(-12, -12, 24, 24), 3, INK, VIEW, disc, translucent=True)
    alphas = {made.surface.get_at((x, y))[3] for x in range(24) for y in range(24)}
    assert min(alphas) == 0
    assert max(alphas) > 250
    assert any(50 < alpha < 200 for alpha in alphas)


def test_the_least_recently_drawn_goes_first() -> None:
    """Three sprites of 400 bytes in 1,000: the second one, not drawn since, is dropped."""
    cache = SpriteCache(limit_bytes=1000)
    for key in ("first", "second"):
        cache.put(key, baked(10, 10))
    assert cache.get("first") is not None
    cache.put("third", baked(10, 10))
    assert cache.get("second") is None
    assert cache.get("first") is not None
    assert len(cache) == 2


def test_a_sprite_put_twice_counts_once() -> None:
    cache = SpriteCache(limit_bytes=1000)
    for _ in range(5):
        cache.put("one", baked(10, 10))
    cache.put("two", baked(10, 10))
    assert len(cache) == 2


def test_a_sprite_larger_than_the_budget_is_still_drawn() -> None:
    cache = SpriteCache(limit_bytes=10)
    cache.put("large", baked(10, 10))
    assert cache.get("large") is not None


def test_stretching_moves_the_anchor_along() -> None:
    """Twice as near and tilted from 90 to 48.59 degrees (sine 0.75): 2 across, 1.5 down."""
    view = View(1.2, math.degrees(math.asin(0.75)))
    grown = stretched(Sprite(pygame.Surface((10, 20)), -5, -18, VIEW), view)
    assert grown.surface.get_size() == (20, 30)
    assert (grown.left, grown.top) == (-10, -27)


def test_a_frame_has_so_many_bakes_and_no_more() -> None:
    budget = BakeBudget(2)
    assert [budget.spend() for _ in range(3)] == [True, True, False]
    budget.begin_frame()
    assert budget.spend()
    assert all(BakeBudget(None).spend() for _ in range(100))
