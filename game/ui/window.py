"""Opening a window on a session: to play it, or to draw a number of frames of it."""

from __future__ import annotations

from pathlib import Path

import pygame

from game.render.scene_renderer import Quality
from game.ui.display import close_window, open_window
from game.ui.session import Session
from game.ui.street_window import FRAME_S, StreetWindow

STILLS = Quality(bakes_per_frame=None)
"""For pictures that are kept: everything is baked, whatever it takes."""


def play_session(
    session: Session, *, frames: int | None = None, screenshot: Path | None = None
) -> None:
    """Open a window on a run and play it until the window is closed.

    With ``frames`` exactly that many frames of one step each are drawn, whatever the
    clock says, and the last is saved to ``screenshot`` if given. Raises ``NoDisplay``.
    """
    description = session.world.description
    surface = open_window(description.title or description.name)
    try:
        if frames is None:
            StreetWindow(session, surface, Quality()).play()
        else:
            draw_frames(session, surface, frames, screenshot)
    finally:
        close_window()


def draw_frames(
    session: Session, surface: pygame.Surface, frames: int, screenshot: Path | None
) -> None:
    """Draw a number of frames, one step each, and save the last."""
    window = StreetWindow(session, surface, STILLS)
    for _ in range(frames):
        pygame.event.pump()
        window.step()
        window.look(FRAME_S)
        window.draw(FRAME_S)
        pygame.display.flip()
    if screenshot is not None:
        window.save(screenshot)
