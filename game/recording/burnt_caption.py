"""Captions as they are burnt into pictures, in the look of the interface (art-and-feel 13)."""

from __future__ import annotations

import pygame

from game.render.palette import load_palette
from game.ui.theme import (
    CAPTION_PX,
    MARGIN_PX,
    PADDING_PX,
    TEXT_PX,
    line_of_text,
    panel,
    wrapped,
)

CAPTION_MAX_PX = 900
FRAMED_HEIGHT_PX = 720
"""The height of picture for which the sizes are stated."""


class BurntCaption:
    """Lays a caption over the lower edge of pictures; needs ``pygame.font``.

    It takes the same share of a picture of any height, as far as it stays legible.
    """

    def __init__(self) -> None:
        self._colours = load_palette().interface
        self._painted: tuple[tuple[str, tuple[int, int]], pygame.Surface] | None = None

    def draw(self, canvas: pygame.Surface, text: str) -> None:
        """Burn a text in, nothing if it is empty."""
        if not text.strip():
            return
        key = (text, canvas.get_size())
        if self._painted is None or self._painted[0] != key:
            self._painted = (key, self._paint(*key))
        card = self._painted[1]
        width, height = canvas.get_size()
        left = (width - card.get_width()) // 2
        canvas.blit(card, (left, height - MARGIN_PX - card.get_height()))

    def _paint(self, text: str, size: tuple[int, int]) -> pygame.Surface:
        grown = size[1] / FRAMED_HEIGHT_PX
        letters_px = max(TEXT_PX, round(CAPTION_PX * grown))
        widest = min(round(CAPTION_MAX_PX * max(1.0, grown)), size[0] - 2 * MARGIN_PX)
        rows = [
            line_of_text(row, letters_px, self._colours.text)
            for row in wrapped(text, letters_px, widest - 2 * PADDING_PX)
        ]
        width = max(row.get_width() for row in rows) + 2 * PADDING_PX
        height = sum(row.get_height() for row in rows) + PADDING_PX
        card = panel((width, height), self._colours.panel).copy()
        top = PADDING_PX // 2
        for row in rows:
            card.blit(row, ((width - row.get_width()) // 2, top))
            top += row.get_height()
        return card
