"""Pygame's window: opening it, its size, full screen; a clear word when there is no screen.

At start only display and font are initialised (product.md section 4).
"""

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


class Display:
    """The surface of the window, and what the window is: a size, or the full screen.

    The windowed size is remembered while the screen is full; every way back gives a
    frame that can be resized again (F9).
    """

    def __init__(self, surface: pygame.Surface) -> None:
        self.surface = surface
        self.is_full_screen = False
        self._windowed_size = surface.get_size()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.surface.get_size()

    def toggle_full_screen(self) -> bool:
        """Fill the screen, or go back to the window; False if the screen refuses."""
        try:
            if self.is_full_screen:
                self.surface = pygame.display.set_mode(self._windowed_size, pygame.RESIZABLE)
            else:
                self.surface = pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        except pygame.error:
            self.surface = pygame.display.set_mode(self._windowed_size, pygame.RESIZABLE)
            self.is_full_screen = False
            return False
        self.is_full_screen = not self.is_full_screen
        return True

    def resized(self) -> None:
        """The window system has given the window another size."""
        self.surface = pygame.display.get_surface() or self.surface
        if not self.is_full_screen:
            self._windowed_size = self.surface.get_size()


def close_window() -> None:
    """Give the window and the fonts back."""
    forget_fonts()
    pygame.font.quit()
    pygame.display.quit()
