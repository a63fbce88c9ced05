"""Drawing without a window leaves no trace."""

from __future__ import annotations

from tests.game.recording.videos import python

PROGRAM = """
import os
os.environ.pop("SDL_VIDEODRIVER", None)
import pygame
from game.recording.headless import drawing_without_window
with drawing_without_window():
    with drawing_without_window():
        pass
    print(pygame.display.get_driver(), pygame.font.get_init())
print(pygame.display.get_init(), pygame.font.get_init(), "SDL_VIDEODRIVER" in os.environ)
"""


def test_it_opens_no_window_and_cleans_up() -> None:
    """F11: the dummy driver, whatever screen there is."""
    result = python(PROGRAM)
    assert result.stdout.split("\n")[-3:-1] == ["dummy True", "False False False"], result.stderr
