"""The one quiet theme of the interface: panels, text, and the sizes they are made in.

Dark plum, no gradients, no bevels (art-and-feel section 13). Panels are made once
for a size and kept. Sizes are stated for 100 % text; ``Theme.px`` scales them.
"""

from __future__ import annotations

from functools import lru_cache

import pygame

from game.render.colours import Colour, mix
from game.render.fonts import font
from game.render.palette import InterfaceColours

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
HOVER_SHARE = 0.08
"""Hover lightens by this much."""

TEXT_SCALES = (1.0, 1.25, 1.5, 1.75, 2.0)
"""Text sizes that can be chosen, as factors."""


class Theme:
    """Colours and the chosen text size; one object that all panels of a window share.

    ``text_scale`` may change at any time: panels paint again when it has.
    """

    def __init__(self, colours: InterfaceColours, text_scale: float = 1.0) -> None:
        self.colours = colours
        self.text_scale = text_scale

    def px(self, length: float) -> int:
        """A length that goes with the text."""
        return round(length * self.text_scale)

    def lightened(self, colour: Colour) -> Colour:
        """A colour under the mouse."""
        return mix(colour, (255, 255, 255), HOVER_SHARE)


@lru_cache(maxsize=128)
def panel(
    size: tuple[int, int], colour: Colour, radius: int = RADIUS_PX, alpha: int = PANEL_ALPHA
) -> pygame.Surface:
    """A rounded, slightly translucent panel; shared, so draw on a copy."""
    factor = CORNER_SUPERSAMPLING
    large = pygame.Surface((size[0] * factor, size[1] * factor), pygame.SRCALPHA)
    large.fill((*colour, 0))
    pygame.draw.rect(large, (*colour, alpha), large.get_rect(), border_radius=radius * factor)
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
