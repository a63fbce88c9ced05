"""A gamepad: its sticks and buttons, and pads that are plugged in while the game runs.

SDL's controller layer names buttons by their place on the pad, whatever its make; the
events come in by themselves once it is initialised.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import pygame

from game.ui.commands import Command

DEAD_ZONE = 0.3
"""Of the stick's way: less is a stick at rest."""

AXIS_MAX = 32767.0

BUTTONS: dict[int, Command] = {
    pygame.CONTROLLER_BUTTON_X: Command.SHOVE,
    pygame.CONTROLLER_BUTTON_Y: Command.PAUSE,
    pygame.CONTROLLER_BUTTON_START: Command.MENU,
    pygame.CONTROLLER_BUTTON_BACK: Command.HELP,
    pygame.CONTROLLER_BUTTON_LEFTSHOULDER: Command.TOOL_RING,
    pygame.CONTROLLER_BUTTON_RIGHTSHOULDER: Command.TOOL_RING,
}
RUN_BUTTON = pygame.CONTROLLER_BUTTON_A


class Pad(Protocol):
    """An opened pad; it sends events until it is closed."""

    def quit(self) -> None:
        """Close it."""
        ...


def open_pad(device_index: int) -> Pad:
    """Open SDL's controller of that number."""
    from pygame._sdl2 import controller

    return controller.Controller(device_index)


def listen_for_pads() -> None:
    """Begin to hear of pads, those that are there already too."""
    from pygame._sdl2 import controller

    controller.init()


class Gamepad:
    """What the pads ask for at the moment; several act as one."""

    def __init__(self, opener: Callable[[int], Pad] = open_pad) -> None:
        self._open = opener
        self._pads: list[Pad] = []
        self._right = 0.0
        self._down = 0.0
        self._point_right = 0.0
        self._point_down = 0.0
        self._runs = False

    def hear(self, event: pygame.event.Event) -> Command | None:
        """Take an event; returns what a button asks for, None if nothing.

        A pad that can't be opened stays silent; one that was pulled out lets go of
        everything.
        """
        match event.type:
            case pygame.CONTROLLERDEVICEADDED:
                # It may be pulled out again before it is opened.
                with suppress(pygame.error):
                    self._pads.append(self._open(event.device_index))
            case pygame.CONTROLLERDEVICEREMOVED:
                self.release_all()
            case pygame.CONTROLLERAXISMOTION if event.axis == pygame.CONTROLLER_AXIS_LEFTX:
                self._right = event.value / AXIS_MAX
            case pygame.CONTROLLERAXISMOTION if event.axis == pygame.CONTROLLER_AXIS_LEFTY:
                self._down = event.value / AXIS_MAX
            case pygame.CONTROLLERAXISMOTION if event.axis == pygame.CONTROLLER_AXIS_RIGHTX:
                self._point_right = event.value / AXIS_MAX
            case pygame.CONTROLLERAXISMOTION if event.axis == pygame.CONTROLLER_AXIS_RIGHTY:
                self._point_down = event.value / AXIS_MAX
            case pygame.CONTROLLERBUTTONDOWN if event.button == RUN_BUTTON:
                self._runs = True
            case pygame.CONTROLLERBUTTONUP if event.button == RUN_BUTTON:
                self._runs = False
            case pygame.CONTROLLERBUTTONDOWN:
                return BUTTONS.get(event.button)
        return None

    def release_all(self) -> None:
        """The sticks count as at rest and every button as up."""
        self._right = self._down = 0.0
        self._point_right = self._point_down = 0.0
        self._runs = False

    def close(self) -> None:
        """Let go of every pad."""
        for pad in self._pads:
            pad.quit()
        self._pads.clear()

    @property
    def runs(self) -> bool:
        """True while the run button is down."""
        return self._runs

    @property
    def direction(self) -> tuple[float, float]:
        """The left stick: right and down, -1 to 1 each, both 0 at rest."""
        return _beyond_rest(self._right, self._down)

    @property
    def pointing(self) -> tuple[float, float]:
        """The right stick, which moves the pointer; as ``direction``."""
        return _beyond_rest(self._point_right, self._point_down)

    @property
    def heading_rad(self) -> float | None:
        """The way the left stick points, None at rest."""
        right, down = self.direction
        return math.atan2(down, right) if right or down else None


def _beyond_rest(right: float, down: float) -> tuple[float, float]:
    return (0.0, 0.0) if math.hypot(right, down) < DEAD_ZONE else (right, down)
