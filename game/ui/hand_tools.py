"""What the left button of the mouse is for, and what a tool in the hand must do.

A tool hears press, drag and release on the street and turns them into actions for the next
step; it draws what it is about to do. No tool touches the world.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Protocol

import pygame

from game.ui.hud import Hint
from game.ui.theme import Theme

_Place = tuple[int, int]


class Tool(Enum):
    """What the left button of the mouse is for."""

    ORDER = auto()
    IMPACT = auto()
    GRAB = auto()
    FIRE = auto()
    DOUSE = auto()


class HandTool(Protocol):
    """A tool in the hand."""

    @property
    def hint(self) -> Hint:
        """What it can do now."""
        ...

    def hover(self, pos: _Place | None) -> None:
        """The mouse is here, whether or not the button is down; None off the street."""
        ...

    def press(self, pos: _Place) -> None:
        """The button goes down on the street."""
        ...

    def drag(self, pos: _Place) -> None:
        """The mouse moves with the button down."""
        ...

    def release(self, pos: _Place) -> None:
        """The button comes up."""
        ...

    def let_go(self) -> None:
        """The mouse or the focus has left the window, or another tool is taken."""
        ...

    @property
    def is_busy(self) -> bool:
        """True from the press to the release."""
        ...

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        """What it is about to do."""
        ...
