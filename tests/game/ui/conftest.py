"""A display and fonts for every test here, under SDL's dummy driver."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from game.render.fonts import forget_fonts


@pytest.fixture(scope="package", autouse=True)
def screen() -> Iterator[pygame.Surface]:
    """The dummy driver's window, as the program opens it: sprites are converted to its format."""
    pygame.display.init()
    pygame.font.init()
    yield pygame.display.set_mode((64, 64), pygame.RESIZABLE)
    forget_fonts()
    pygame.font.quit()
    pygame.display.quit()
