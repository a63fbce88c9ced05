"""What the window plays: one run of a level, seen only as far as a window needs it."""

from __future__ import annotations

from typing import Protocol

from game.world.world import World


class ViewPoint(Protocol):
    """Where the level wants to be looked at from; a fact of the run."""

    @property
    def x(self) -> float:
        """Ground point in the middle of the picture, cm."""
        ...

    @property
    def y(self) -> float:
        """Ground point in the middle of the picture, cm."""
        ...

    @property
    def zoom_px_per_cm(self) -> float:
        """How near."""
        ...

    @property
    def pitch_deg(self) -> float:
        """How steep."""
        ...


class Session(Protocol):
    """One run of a level."""

    @property
    def world(self) -> World:
        """The world of this run."""
        ...

    @property
    def view(self) -> ViewPoint:
        """The level's own camera."""
        ...

    @property
    def caption(self) -> str:
        """The caption of the present step, or nothing."""
        ...

    def step(self) -> None:
        """Advance by one step."""
        ...
