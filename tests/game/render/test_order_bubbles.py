"""Bubbles over heads: their pop, their number, their signs."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from game.render.order_bubbles import WIDTH_CM, WIDTH_MAX_PX, OrderBubbles, paint_bubble
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


@pytest.mark.parametrize(("at_s", "is_drawn"), [(0.117, False), (0.112, True)])
def test_the_last_speck_of_one_that_goes_is_not_painted(at_s: float, is_drawn: bool) -> None:
    """Of 26 px 0.117 s of the 0.12 leave 0.65, 1 px; 0.112 s leave 1.73, 2 px: a sign needs 2."""
    wide = Projection(500.0, 500.0, zoom=WIDTH_MAX_PX / WIDTH_CM, width=640, height=360)
    told = people((500.0, 500.0, 0.0), bubbles=[OrderBubble.DONE])
    bubbles = OrderBubbles(COLOURS)
    surface = pygame.Surface((wide.width, wide.height))
    bubbles.draw(surface, wide, told, told.now, 1.0)
    surface.fill((0, 0, 0))
    silent = people((500.0, 500.0, 0.0))
    bubbles.draw(surface, wide, silent, silent.now, at_s)
    assert pygame.surfarray.array3d(surface).any() == is_drawn


def test_it_shrinks_away_in_the_time_allowed() -> None:
    """Art-and-feel 12: out in 0.12 s."""
    told = people((500.0, 500.0, 0.0), bubbles=[OrderBubble.DONE])
    silent = people((500.0, 500.0, 0.0))
    bubbles = OrderBubbles(COLOURS)
    full = bubble_px(bubbles, told, 1.0)
    assert 0 < bubble_px(bubbles, silent, 0.06) < full
    assert bubble_px(bubbles, silent, 0.06) == 0


def test_one_that_comes_back_while_it_goes_pops_up_anew() -> None:
    """Cancelled and ordered again at once: the sign does not stay half gone."""
    told = people((500.0, 500.0, 0.0), bubbles=[OrderBubble.GOING])
    silent = people((500.0, 500.0, 0.0))
    bubbles = OrderBubbles(COLOURS)
    full = bubble_px(bubbles, told, 1.0)
    assert 0 < bubble_px(bubbles, silent, 0.06) < full
    assert bubble_px(bubbles, told, 1.0) == full


def test_at_most_fourteen_are_in_view_and_they_are_the_nearest_to_the_middle() -> None:
    """Art-and-feel 12 and 17 (15): at most 14 bubbles."""
    crowd = [(50.0 + 60.0 * index, 560.0, 0.0) for index in range(16)]
    one = people(crowd[8], bubbles=[OrderBubble.GOING])
    signs = [OrderBubble.GOING, OrderBubble.DONE]
    everybody = people(*crowd, bubbles=signs * 8)
    size = bubble_px(OrderBubbles(COLOURS), one, 1.0)
    assert bubble_px(OrderBubbles(COLOURS), everybody, 1.0) == 14 * size


CLUSTER = [(400.0 + 40.0 * index, 500.0, 0.0) for index in range(6)]
"""Six in a row of 2 m."""


def bubbles_drawn(peds: PedPictures) -> list[tuple[float, int]]:
    """Ground x and count of every bubble of one frame, from left to right."""
    drawn = OrderBubbles(COLOURS).in_view(VIEW, peds, peds.now, 1.0)
    return sorted((one.ground_x, one.speaks_for) for one in drawn)


def test_five_alike_within_2_m_show_one_bubble_with_their_number() -> None:
    """Art-and-feel 12: crowds merge; the bubble stands over the middle of the group."""
    five = people(*CLUSTER[:5], bubbles=[OrderBubble.GOING] * 5)
    assert bubbles_drawn(five) == [(480.0, 5)]


def test_four_alike_or_five_spread_wider_each_show_their_own() -> None:
    four = people(*CLUSTER[:4], bubbles=[OrderBubble.GOING] * 4)
    assert bubbles_drawn(four) == [(x, 1) for x, _, _ in CLUSTER[:4]]
    wide = [(400.0 + 51.0 * index, 500.0, 0.0) for index in range(5)]
    spread = people(*wide, bubbles=[OrderBubble.GOING] * 5)
    assert bubbles_drawn(spread) == [(x, 1) for x, _, _ in wide]


def test_who_says_something_else_in_a_crowd_is_heard() -> None:
    signs = [OrderBubble.GOING] * 5 + [OrderBubble.FAILED]
    assert bubbles_drawn(people(*CLUSTER, bubbles=signs)) == [(480.0, 5), (600.0, 1)]


def test_the_number_is_painted_beside_the_bubble() -> None:
    alone = people((500.0, 500.0, 0.0), bubbles=[OrderBubble.GOING])
    crowd = people(*[(500.0, 500.0, 0.0)] * 5, bubbles=[OrderBubble.GOING] * 5)
    more = people(*[(500.0, 500.0, 0.0)] * 8, bubbles=[OrderBubble.GOING] * 8)
    sizes = [bubble_px(OrderBubbles(COLOURS), peds, 1.0) for peds in (alone, crowd)]
    assert sizes[0] < sizes[1] < 3 * sizes[0]
    five, eight = (pygame.Surface((VIEW.width, VIEW.height)) for _ in range(2))
    OrderBubbles(COLOURS).draw(five, VIEW, crowd, crowd.now, 1.0)
    OrderBubbles(COLOURS).draw(eight, VIEW, more, more.now, 1.0)
    assert pygame.image.tobytes(five, "RGB") != pygame.image.tobytes(eight, "RGB")


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
