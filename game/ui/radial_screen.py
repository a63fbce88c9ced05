"""The street with a ring over it: the next click, key or stick chooses a slice.

The street goes on meanwhile; letting go of the key that opened the ring chooses too.
"""

from __future__ import annotations

from collections.abc import Callable

import pygame

from game.ui.commands import INFO, Command
from game.ui.gamepad import AXIS_MAX, BUTTONS, RUN_BUTTON
from game.ui.radial_menu import RadialMenu
from game.ui.screen import Next, Screen
from game.ui.window_context import WindowContext

STICK_MEANT = 0.5
"""The stick means a slice from this share of its way on."""


class RadialScreen:
    """A ``RadialMenu`` over another screen; ``choose`` is told the slice."""

    def __init__(
        self,
        below: Screen,
        context: WindowContext,
        menu: RadialMenu,
        choose: Callable[[int], Next],
        opened_by: Command,
    ) -> None:
        self.menu = menu
        self._below = below
        self._context = context
        self._choose = choose
        self._opened_by = opened_by
        self._stick = [0.0, 0.0]
        menu.keep_within(context.display.size)
        context.gamepad.release_all()

    def hear(self, event: pygame.event.Event) -> Next:
        """Follow the mouse or the stick; choose, or close."""
        match event.type:
            case pygame.MOUSEMOTION:
                self.menu.hovered = self.menu.slice_at(event.pos)
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT:
                self.menu.hovered = self.menu.slice_at(event.pos)
                return self._end()
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_RIGHT:
                return self._below
            case pygame.KEYDOWN if event.key == pygame.K_ESCAPE:
                return self._below
            case pygame.KEYDOWN:
                self._context.held.press(event.key)
            case pygame.KEYUP:
                return self._release_key(event.key)
            case pygame.CONTROLLERAXISMOTION:
                self._follow_stick(event)
            case pygame.CONTROLLERBUTTONDOWN if event.button == RUN_BUTTON:
                return self._end()
            case pygame.CONTROLLERBUTTONUP if BUTTONS.get(event.button) is self._opened_by:
                return self._end()
            case pygame.MOUSEBUTTONDOWN | pygame.MOUSEBUTTONUP | pygame.MOUSEWHEEL:
                pass
            case _:
                goes_on = self._below.hear(event)
                is_left = event.type == pygame.WINDOWFOCUSLOST or goes_on is not self._below
                return goes_on if is_left else self
        return self

    def advance(self, frame_s: float) -> None:
        """The street goes on."""
        self._below.advance(frame_s)

    def draw(self, frame_s: float) -> None:
        """The street, and the ring over it, in the window as large as it is now."""
        self._below.draw(frame_s)
        self.menu.keep_within(self._context.display.size)
        self.menu.draw(self._context.display.surface)

    def _release_key(self, key: int) -> Next:
        """A tap leaves the ring open; held and let go over a slice, it is chosen."""
        self._context.held.release(key)
        info = INFO.get(self._opened_by)
        if info is not None and key == info.key and self.menu.hovered is not None:
            return self._end()
        return self

    def _follow_stick(self, event: pygame.event.Event) -> None:
        if event.axis not in (pygame.CONTROLLER_AXIS_LEFTX, pygame.CONTROLLER_AXIS_LEFTY):
            return
        self._stick[event.axis == pygame.CONTROLLER_AXIS_LEFTY] = event.value / AXIS_MAX
        right, down = self._stick
        if right * right + down * down >= STICK_MEANT * STICK_MEANT:
            self.menu.hovered = self.menu.slice_towards(right, down)

    def _end(self) -> Next:
        return self._below if self.menu.hovered is None else self._choose(self.menu.hovered)
