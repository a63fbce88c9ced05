"""Captions as they are burnt into pictures: the window's own, at the lower edge."""

from __future__ import annotations

import pygame

from game.render.palette import load_palette
from game.ui.hud import Hud, Status


class BurntCaption:
    """Lays a caption over a picture; needs ``pygame.font``."""

    def __init__(self) -> None:
        self._hud = Hud(load_palette().interface)
        # A hidden interface shows its captions and nothing else.
        self._hud.is_hidden = True

    def draw(self, canvas: pygame.Surface, text: str) -> None:
        """Burn a text in, nothing if it is empty."""
        if not text:
            return
        self._hud.draw(
            canvas,
            Status(
                title="",
                time_of_day="",
                seed=0,
                peds=0,
                time_s=0.0,
                speed=1.0,
                frames_per_s=0,
                is_paused=False,
                caption=text,
            ),
        )
