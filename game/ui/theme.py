"""The one quiet theme of the interface: panels, text, and the sizes they are made in.

Dark plum, no gradients, no bevels (art-and-feel section 13). Panels are made once
for a size and kept.
"""

from __future__ import annotations

from functools import lru_cache

import pygame

from game.render.colours import Colour
from game.render.fonts import font

PANEL_ALPHA = 226
RADIUS_PX = 10
PADDING_PX = 12
GRID_PX = 4
TEXT_PX = 13
TITLE_PX = 15
SMALL_PX = 11
CAPTION_PX = 18
MARGIN_PX = 12
CORNER_SUPERSAMPLING = 3


@lru_cache(maxsize=64)
def panel(size: tuple[int, int], colour: Colour, radius: int = RADIUS_PX) -> pygame.Surface:
    """A rounded, slightly translucent panel; shared, so draw on a copy."""
    factor = CORNER_SUPERSAMPLING
    large = pygame.Surface((size[0] * factor, size[1] * factor), pygame.SRCALPHA)
    large.fill((*colour, 0))
    pygame.draw.rect(large, (*colour, PANEL_ALPHA), large.get_rect(), border_radius=radius * factor)
    return pygame.transform.smoothscale(large, size)


def line_of_text(text: str, size: int, colour: Colour, *, bold: bool = False) -> pygame.Surface:
    """One line, smooth-edged."""
    return font(size, bold=bold).render(text, True, colour)


def wrapped(text: str, size: int, width_px: int) -> list[str]:
    """The words of a text in lines no wider than ``width_px``; a longer word stands alone."""
    lines: list[str] = []
    line = ""
    measure = font(size)
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and measure.size(longer)[0] > width_px:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines
