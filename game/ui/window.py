"""Playing a level in a window: what ``bystander play`` does."""

from __future__ import annotations

from pathlib import Path

import pygame

from game.render.scene_renderer import Quality
from game.sandbox import Sandbox
from game.ui.display import close_window, open_window
from game.ui.session import Session, ViewPoint
from game.ui.street_window import FRAME_S, StreetWindow
from game.world.world import World

TITLE = "Bystander"
STILLS = Quality(bakes_per_frame=None)
"""For pictures that are kept: everything is baked, whatever it takes."""


class LevelSession:
    """A sandbox as the window sees it (fills ``Session``)."""

    def __init__(self, box: Sandbox) -> None:
        self._box = box

    @property
    def world(self) -> World:
        """The world of this run."""
        return self._box.world

    @property
    def view(self) -> ViewPoint:
        """The level's own camera."""
        return self._box.scene.stage.camera

    @property
    def caption(self) -> str:
        """The caption of the present step, or nothing."""
        return self._box.scene.stage.captions.at(self._box.world.clock.step)

    def step(self) -> None:
        """Advance by one step."""
        self._box.step()


def play_level(
    level: str | Path,
    *,
    seed: int | None = None,
    frames: int | None = None,
    screenshot: Path | None = None,
    strict: bool = False,
) -> None:
    """Open a level in a window and play it until the window is closed.

    With ``frames`` exactly that many frames of one step each are drawn, whatever the
    clock says, and the last is saved to ``screenshot`` if given. Raises ``NoDisplay``
    without a screen, ``LevelError`` for a level that can't be used.
    """
    surface = open_window(TITLE)
    try:
        with Sandbox.load(level, seed=seed, strict=strict) as box:
            title = box.world.description.title or box.world.description.name
            pygame.display.set_caption(f"{title} - {TITLE}")
            session = LevelSession(box)
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
        window.draw(1.0, FRAME_S)
        pygame.display.flip()
    if screenshot is not None:
        window.save(screenshot)
