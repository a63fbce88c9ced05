"""Drawing without a window: fonts, and surfaces in the format that blits fastest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pygame

from game.render.fonts import forget_fonts


@contextmanager
def drawing_without_window() -> Iterator[None]:
    """Make ready to draw, with or without a screen, and leave no window and no trace (F11).

    SDL's dummy driver gives sprites a display format to be converted to, which makes
    drawing a quarter faster. What is initialised already is used as it is.
    """
    opens_fonts = not pygame.font.get_init()
    opens_display = not pygame.display.get_init()
    if opens_fonts:
        pygame.font.init()
    driver = os.environ.get("SDL_VIDEODRIVER")
    try:
        if opens_display:
            os.environ["SDL_VIDEODRIVER"] = "dummy"
            pygame.display.init()
            pygame.display.set_mode((1, 1), 0, 32)
        yield
    finally:
        if opens_display:
            pygame.display.quit()
            if driver is None:
                del os.environ["SDL_VIDEODRIVER"]
            else:
                os.environ["SDL_VIDEODRIVER"] = driver
        if opens_fonts:
            forget_fonts()
            pygame.font.quit()
