"""What the window shows while a level is loaded: the program's name, and the level's."""

from __future__ import annotations

import pygame

from game.render.palette import load_palette
from game.ui.theme import CAPTION_PX, GRID_PX, TEXT_PX, line_of_text


def show_loading(surface: pygame.Surface, level: str) -> None:
    """Paint the card and put it on the screen at once."""
    colours = load_palette().interface
    surface.fill(colours.panel)
    name = line_of_text("Bystander", 2 * CAPTION_PX, colours.text, bold=True)
    what = line_of_text(level.replace("_", " "), TEXT_PX, colours.dim)
    middle = surface.get_rect()
    at = name.get_rect(midbottom=middle.center)
    surface.blit(name, at)
    surface.blit(what, what.get_rect(midtop=(middle.centerx, at.bottom + GRID_PX)))
    pygame.event.pump()
    pygame.display.flip()
