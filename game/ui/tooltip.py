"""The card beside a button: its name, its key, and what it is good for."""

from __future__ import annotations

import pygame

from game.ui.commands import CommandInfo
from game.ui.theme import GRID_PX, PADDING_PX, TEXT_PX, Theme, line_of_text, panel


def paint_tooltip(
    surface: pygame.Surface, theme: Theme, info: CommandInfo, box: pygame.Rect, above_y: int
) -> None:
    """Over the button's middle, its lower edge above ``above_y``, within the window."""
    colours, size = theme.colours, theme.px(TEXT_PX)
    parts = (
        line_of_text(info.name, size, colours.text, bold=True),
        line_of_text(info.key_name, size, colours.accent, bold=True),
        line_of_text(info.tip, size, colours.dim),
    )
    gap = theme.px(10)
    width = sum(part.get_width() for part in parts) + 2 * gap + 2 * PADDING_PX
    height = parts[0].get_height() + 2 * GRID_PX
    card = panel((width, height), colours.inset, alpha=245).copy()
    x = PADDING_PX
    for part in parts:
        card.blit(part, (x, GRID_PX))
        x += part.get_width() + gap
    at = card.get_rect(midbottom=(box.centerx, above_y - GRID_PX))
    surface.blit(card, at.clamp(surface.get_rect()))
