"""What the window plays: runs of levels, seen only as far as a window needs them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple, Protocol

from game.render.camera import ViewPoint
from game.world.world import World


class Mark(Enum):
    """How an objective stands."""

    OPEN = auto()
    REACHED = auto()
    MISSED = auto()


class Objective(NamedTuple):
    """What a level wants to come to pass, in the level's words."""

    words: str
    mark: Mark


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

    @property
    def objectives(self) -> Sequence[Objective]:
        """What the level states for players, and how it stands; may be empty."""
        ...

    def step(self) -> None:
        """Advance by one step."""
        ...


class LevelEntry(NamedTuple):
    """A level that can be chosen: its name, what people call it, what it is about."""

    name: str
    title: str
    description: str


class Sessions(Protocol):
    """Where runs come from; the one before ends when another begins."""

    def levels(self) -> Sequence[LevelEntry]:
        """The levels to choose from."""
        ...

    def restart(self) -> Session:
        """The present level from its beginning, with the same seed.

        Raises ``SessionRefused`` in one sentence; the present run goes on then.
        """
        ...

    def open(self, name: str) -> Session:
        """Another level, by name.

        Raises ``SessionRefused`` in one sentence; the present run goes on then.
        """
        ...
