"""The palette of a GIF: kept while it serves, renewed when new colours come up."""

from __future__ import annotations

import pygame
import pytest

from game.recording.gif_palette import GifPalette
from game.recording.pixels import bytes_of, frame_of, new_canvas


def street(colour: tuple[int, int, int] | None = None, side: int = 8) -> pygame.Surface:
    """160 x 90 px of greys, and a square of a colour."""
    canvas = new_canvas((160, 90))
    for column in range(160):
        canvas.fill((column, column, column), (column, 0, 1, 90))
    if colour is not None:
        canvas.fill(colour, (40, 40, side, side))
    return canvas


def shown(palette: GifPalette, canvas: pygame.Surface, x: int, y: int) -> tuple[int, int, int]:
    """The colour that a viewer sees there: red, green, blue."""
    seen = bytes_of(palette.convert(frame_of(canvas)).reformat(format="bgr0"))
    blue, green, red = seen[y, x, :3].tolist()
    return red, green, blue


def test_a_palette_serves_as_long_as_the_colours_are_the_same() -> None:
    palette = GifPalette()
    for _ in range(3):
        palette.convert(frame_of(street()))
    assert palette.renewals == 1


def test_a_fire_lit_later_is_not_grey() -> None:
    """64 of 14,400 pixels are 0.44 %, over the 0.05 % that the old palette may miss."""
    palette = GifPalette()
    palette.convert(frame_of(street()))
    assert shown(palette, street((255, 120, 20)), 44, 44) == pytest.approx((255, 120, 20), abs=6)
    assert palette.renewals == 2


def test_a_speck_of_a_new_colour_does_not_shift_all_others() -> None:
    """Four of 14,400 pixels are 0.03 %."""
    palette = GifPalette()
    palette.convert(frame_of(street()))
    palette.convert(frame_of(street((255, 120, 20), side=2)))
    assert palette.renewals == 1


def test_no_pixel_is_transparent() -> None:
    """A GIF's transparent pixels would show what was there before."""
    palette = GifPalette()
    seen = bytes_of(palette.convert(frame_of(street())).reformat(format="bgra"))
    assert seen[:, :, 3].min() == 255
