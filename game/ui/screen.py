"""Screens: what a window shows and who hears its events at the moment.

Each event is given to the present screen, which answers with the screen that goes on:
itself, another one, or None to close the window. What lies under a menu is the menu's
to draw.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

import pygame


class Screen(Protocol):
    """One screen of the window."""

    def hear(self, event: pygame.event.Event) -> Next:
        """Take one event; returns the screen that goes on."""
        ...

    def advance(self, frame_s: float) -> None:
        """Go on by the time of a frame."""
        ...

    def draw(self, frame_s: float) -> None:
        """Draw one frame onto the window's surface."""
        ...


Next: TypeAlias = "Screen | None"
