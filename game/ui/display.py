"""Opening pygame's window: display and font only, and a clear word when there is no screen."""

from __future__ import annotations

import os
import sys

# One pixel of the window is one of the screen, also where Windows scales the desktop.
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")

import pygame

from game.render.fonts import forget_fonts
from game.ui.errors import NoDisplay

WINDOW_SIZE = (1280, 720)
WINDOWLESS_DRIVERS = ("offscreen", "dummy")
NO_DISPLAY = (
    "there is no screen to open a window on; "
    "'bystander run LEVEL' and 'bystander record LEVEL -o FILE' work without one"
)


def open_window(title: str, size: tuple[int, int] = WINDOW_SIZE) -> pygame.Surface:
    """Initialise display and font and open a resizable window.

    Raises ``NoDisplay`` if SDL found no screen and ``SDL_VIDEODRIVER`` did not ask for
    a driver without one (F11).
    """
    if not _screen_is_possible():
        raise NoDisplay(NO_DISPLAY)
    try:
        pygame.display.init()
    except pygame.error as error:
        raise NoDisplay(NO_DISPLAY) from error
    driver = pygame.display.get_driver()
    if driver in WINDOWLESS_DRIVERS and os.environ.get("SDL_VIDEODRIVER") != driver:
        pygame.display.quit()
        raise NoDisplay(NO_DISPLAY)
    pygame.font.init()
    surface = pygame.display.set_mode(size, pygame.RESIZABLE)
    pygame.display.set_caption(title)
    return surface


def _screen_is_possible() -> bool:
    """False where asking SDL would only make its libraries write to standard error."""
    if os.environ.get("SDL_VIDEODRIVER") or not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def close_window() -> None:
    """Give the window and the fonts back."""
    forget_fonts()
    pygame.font.quit()
    pygame.display.quit()
