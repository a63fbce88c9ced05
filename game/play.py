"""``bystander play``: a level in a window."""

from __future__ import annotations

from pathlib import Path

from game.levels.showing import LevelCamera
from game.sandbox import Sandbox
from game.ui.window import play_session
from game.world.world import World


class LevelSession:
    """A sandbox as the window sees it."""

    def __init__(self, box: Sandbox) -> None:
        self._box = box

    @property
    def world(self) -> World:
        """The world of this run."""
        return self._box.world

    @property
    def view(self) -> LevelCamera:
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
    """Load a level and play it until the window is closed.

    Raises ``LevelError`` for a level that can't be used, ``NoDisplay`` without a screen.
    """
    with Sandbox.load(level, seed=seed, strict=strict) as box:
        play_session(LevelSession(box), frames=frames, screenshot=screenshot)
