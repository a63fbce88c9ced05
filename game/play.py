"""``bystander play``: levels in a window.

The window opens first and says what is being loaded; the rooms behind it are imported
while it is there, so that something is seen within a few tenths of a second.
"""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

from ai import settings
from game.levels.library import LevelLibrary
from game.ui.display import Display, close_window, open_window
from game.ui.screenshots import check_screenshot

if TYPE_CHECKING:
    import pygame

    from game.level_sessions import LevelSessions


def play_level(
    level: str | Path,
    *,
    seed: int | None = None,
    image: str | None = None,
    at_s: float = 0.0,
    frames: int | None = None,
    screenshot: Path | None = None,
    strict: bool = False,
    debug: bool = False,
) -> None:
    """Load a level and play it until the window is closed.

    ``debug`` keeps histories of tasks and takes tuning files over that change meanwhile.
    ``image`` is a key of ``TRANSFORMS``. With ``at_s`` the run is shown, paused, from that
    time on. With ``frames`` exactly that many frames of one step each are drawn, whatever the
    clock says, and the last is saved to ``screenshot`` if given. Raises ``LevelError``
    for a level that can't be used, ``FileRefused`` for a screenshot that can't be saved,
    ``NoDisplay`` without a screen.
    """
    if screenshot is not None:
        check_screenshot(screenshot)
    folder = LevelLibrary.shipped().find(level)
    settings.debug = debug
    surface = open_window("Bystander")
    try:
        with _load(surface, folder, seed, image, strict) as sessions:
            from game.ui.window import draw_frames, play

            sessions.present.run_to(at_s)
            display = Display(surface)
            if frames is None:
                play(display, sessions, sessions.present, paused=at_s > 0.0, debug=debug)
            else:
                draw_frames(display, sessions, sessions.present, frames, screenshot)
    finally:
        close_window()


def _load(
    surface: pygame.Surface, folder: Path, seed: int | None, image: str | None, strict: bool
) -> LevelSessions:
    """Import what plays a level, and load it.

    What is made meanwhile stays; to look through it for garbage again and again would
    be a tenth of the start.
    """
    gc.disable()
    try:
        from game.ui.loading_card import show_loading

        show_loading(surface, folder.name)

        from game.level_sessions import LevelSessions

        return LevelSessions(folder, seed=seed, image=image, strict=strict)
    finally:
        gc.enable()
