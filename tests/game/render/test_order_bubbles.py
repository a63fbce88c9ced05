"""Bubbles over heads: their pop, their number, their signs."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from game.render.order_bubbles import OrderBubbles, paint_bubble
from game.render.palette import load_palette
from game.render.picture import OrderBubble, PedPictures
from game.render.projection import Projection
from tests.game.render.doubles import people

VIEW = Projection(500.0, 500.0, width=640, height=360)
COLOURS = load_palette().interface


def bubble_px(bubbles: OrderBubbles, peds: PedPictures, frame_s: float) -> int:
    """Painted pixels of one frame."""
    surface = pygame.Surface((VIEW.width, VIEW.height))
    bubbles.draw(surface, VIEW, peds, peds.now, frame_s)
    return int(pygame.surfarray.array3d(surface).any(axis=2).sum())


def test_a_bubble_pops_up_over_its_full_size_and_settles() -> None:
    """Art-and-feel 12: 0 to 1.15 to 1 in 0.18 s."""
    peds = people((500.0, 500.0, 0.0), bubbles=[OrderBubble.GOING])
    bubbles = OrderBubbles(COLOURS)
    sizes = [bubble_px(bubbles, peds, frame_s) for frame_s in (0.0, 0.06, 0.06, 0.06, 1.0)]
    assert sizes[0] == 0
    assert 0 < sizes[1] < sizes[3]
    assert sizes[2] > 1.1 * sizes[4]
    assert sizes[3] == sizes[4]


def test_it_shrinks_away_in_the_time_allowed() -> None:
    """Art-and-feel 12: out in 0.12 s."""
    told = people((500.0, 500.0, 0.0), bubbles=[OrderBubble.DONE])
    silent = people((500.0, 500.0, 0.0))
    bubbles = OrderBubbles(COLOURS)
    full = bubble_px(bubbles, told, 1.0)
    assert 0 < bubble_px(bubbles, silent, 0.06) < full
    assert bubble_px(bubbles, silent, 0.06) == 0


def test_at_most_fourteen_are_in_view_and_they_are_the_nearest_to_the_middle() -> None:
    """Art-and-feel 12 and 17 (15): at most 14 bubbles."""
    crowd = [(50.0 + 60.0 * index, 560.0, 0.0) for index in range(16)]
    one = people(crowd[8], bubbles=[OrderBubble.GOING])
    everybody = people(*crowd, bubbles=[OrderBubble.GOING] * 16)
    size = bubble_px(OrderBubbles(COLOURS), one, 1.0)
    assert bubble_px(OrderBubbles(COLOURS), everybody, 1.0) == 14 * size


@pytest.mark.parametrize("zoom", [0.25, 0.6, 1.8])
def test_a_bubble_is_never_smaller_than_can_be_read(zoom: float) -> None:
    """Art-and-feel 12: 20 to 26 px on screen, never below 18."""
    view = Projection(500.0, 400.0, zoom=zoom, width=640, height=360)
    peds = people((500.0, 500.0, 0.0), bubbles=[OrderBubble.HELD])
    surface = pygame.Surface((640, 360))
    OrderBubbles(COLOURS).draw(surface, view, peds, peds.now, 1.0)
    columns = np.flatnonzero(pygame.surfarray.array3d(surface).any(axis=(1, 2)))
    assert 18 <= len(columns) <= 26


def test_every_sign_has_a_shape_of_its_own() -> None:
    """Product 7, art-and-feel 2: never hue alone."""
    signs = set()
    for bubble in OrderBubble:
        grey = pygame.transform.grayscale(paint_bubble(bubble, 26, COLOURS))
        signs.add(pygame.image.tobytes(grey, "RGBA"))
    assert len(signs) == len(OrderBubble)
