"""The legend of F2: what the overlays are called, which are on, a click to switch each.

The number at the end of a line switches it too, with Alt held.
"""

from __future__ import annotations

import pygame

from game.ui.kept_text import KeptText
from game.ui.overlays import OverlaySet
from game.ui.theme import GRID_PX, MARGIN_PX, PADDING_PX, SMALL_PX, Theme, panel


class OverlayLegend:
    """The panel over an ``OverlaySet``; it is there while overlays are shown, at ``rect``."""

    def __init__(self, overlays: OverlaySet, theme: Theme) -> None:
        self._set = overlays
        self._theme = theme
        self._texts = KeptText()
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._boxes: list[pygame.Rect] = []
        self._hover: tuple[int, int] | None = None

    def covers(self, position: tuple[int, int]) -> bool:
        """True if a place of the window lies on the legend."""
        return bool(self.rect.collidepoint(position))

    def point_at(self, position: tuple[int, int] | None) -> None:
        """The mouse is there; None if it is not over the window."""
        self._hover = position

    def press(self, position: tuple[int, int]) -> None:
        """A click: switches the line that it lies on."""
        for number, box in enumerate(self._boxes, 1):
            if box.collidepoint(position):
                self._set.switch(number)

    def draw(self, surface: pygame.Surface, title: pygame.Rect, floor_y: int) -> None:
        """Draw the legend while overlays are shown.

        It lies under the level's title and objectives, or beside them if the room down
        to ``floor_y`` is too small.
        """
        if not self._set.is_shown:
            self.rect.size = (0, 0)
            self._boxes = []
            return
        overlays = self._set.overlays
        theme, colours = self._theme, self._theme.colours
        size = theme.px(SMALL_PX)
        line = size + 3 * GRID_PX
        names = [
            self._texts.line(
                overlay.title, size, colours.text if self._set.is_on(overlay.key) else colours.dim
            )
            for overlay in overlays
        ]
        keys = [
            self._texts.line(str(number), size, colours.dim)
            for number in range(1, len(overlays) + 1)
        ]
        swatch = theme.px(10)
        width = swatch + max(name.get_width() for name in names) + keys[0].get_width()
        width += 2 * PADDING_PX + 4 * GRID_PX
        card = pygame.Rect(0, 0, width, line * len(names) + 2 * GRID_PX)
        card.topleft = (MARGIN_PX, title.bottom + MARGIN_PX)
        if card.bottom > floor_y:
            card.topleft = (title.right + MARGIN_PX, MARGIN_PX)
        self.rect = card
        surface.blit(panel(card.size, colours.panel), card)
        self._boxes = [
            pygame.Rect(card.left, card.top + GRID_PX + index * line, card.width, line)
            for index in range(len(names))
        ]
        for overlay, box, name, key in zip(overlays, self._boxes, names, keys, strict=True):
            if self._hover is not None and box.collidepoint(self._hover):
                inner = box.inflate(-2 * GRID_PX, 0)
                pygame.draw.rect(surface, colours.inset, inner, border_radius=6)
            mark = pygame.Rect(0, 0, swatch, swatch)
            mark.midleft = (box.left + PADDING_PX, box.centery)
            is_on = self._set.is_on(overlay.key)
            pygame.draw.rect(surface, overlay.colour, mark, 0 if is_on else 1, border_radius=2)
            surface.blit(name, name.get_rect(midleft=(mark.right + 2 * GRID_PX, box.centery)))
            surface.blit(key, key.get_rect(midright=(box.right - PADDING_PX, box.centery)))
