"""What the interface can be told to do: one table for keys, toolbar, help and gamepad.

A command is a name for an intention; the screen that hears it carries it out. What
acts on the street itself (orders, steering, shoves) goes on from there as input of the
simulation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

import pygame


class Command(Enum):
    """One thing that a key or button asks for."""

    FIRE = auto()
    IMPACT = auto()
    ORDER = auto()
    GRAB = auto()
    DOUSE = auto()
    ORDER_MENU = auto()
    TOOL_RING = auto()
    SHOVE = auto()
    RESTART = auto()
    SLOWER = auto()
    PAUSE = auto()
    STEP = auto()
    FASTER = auto()
    INSPECTOR = auto()
    OVERLAYS = auto()
    FRAME_TIMES = auto()
    RECORD = auto()
    SCREENSHOT = auto()
    HELP = auto()
    MENU = auto()
    HIDE = auto()
    FULL_SCREEN = auto()
    HOME = auto()
    STEEPER = auto()
    FLATTER = auto()


class Group(Enum):
    """Where the toolbar shows a command; those of ``KEYS`` have no button."""

    TOOLS = auto()
    TIME = auto()
    VIEW = auto()
    KEYS = auto()


@dataclass(frozen=True, slots=True)
class CommandInfo:
    """How a command is reached and what is said of it.

    - ``key`` is pygame's, ``key_name`` what people read.
    - ``icon`` is a key of ``icons.ICONS``, empty without a button.
    - ``tip`` completes the tooltip: one clause, no full stop.
    """

    command: Command
    name: str
    key: int
    key_name: str
    tip: str
    group: Group = Group.KEYS
    icon: str = ""


COMMANDS: tuple[CommandInfo, ...] = (
    CommandInfo(
        Command.FIRE,
        "Fire",
        pygame.K_1,
        "1",
        "light a fire with a click, a line of fire with a drag, a big one with Shift",
        Group.TOOLS,
        "fire",
    ),
    CommandInfo(
        Command.IMPACT,
        "Impact",
        pygame.K_2,
        "2",
        "press on somebody or something and drag, on the ground for a blast",
        Group.TOOLS,
        "impact",
    ),
    CommandInfo(
        Command.ORDER,
        "Order",
        pygame.K_3,
        "3",
        "click or box people, right click where they are to go",
        Group.TOOLS,
        "order",
    ),
    CommandInfo(
        Command.GRAB,
        "Grab",
        pygame.K_5,
        "5",
        "drag people and loose things by a spring, let go to throw them",
        Group.TOOLS,
        "grab",
    ),
    CommandInfo(
        Command.DOUSE,
        "Douse",
        pygame.K_6,
        "6",
        "pour water on fires and on who burns, along a line with a drag, wider with Shift",
        Group.TOOLS,
        "douse",
    ),
    CommandInfo(
        Command.SHOVE,
        "Shove",
        pygame.K_SPACE,
        "Space",
        "push away what stands before you",
        Group.TOOLS,
        "shove",
    ),
    CommandInfo(
        Command.RESTART,
        "Restart",
        pygame.K_F8,
        "F8",
        "the level from its beginning, with the same seed",
        Group.TIME,
        "restart",
    ),
    CommandInfo(
        Command.SLOWER,
        "Slower",
        pygame.K_LEFTBRACKET,
        "[",
        "down to a tenth of the speed",
        Group.TIME,
        "slower",
    ),
    CommandInfo(Command.PAUSE, "Pause", pygame.K_p, "P", "halt, or go on", Group.TIME, "pause"),
    CommandInfo(
        Command.STEP,
        "Step",
        pygame.K_PERIOD,
        ".",
        "halt and run one sixtieth of a second",
        Group.TIME,
        "step",
    ),
    CommandInfo(
        Command.FASTER,
        "Faster",
        pygame.K_RIGHTBRACKET,
        "]",
        "up to eight times the speed",
        Group.TIME,
        "faster",
    ),
    CommandInfo(
        Command.INSPECTOR,
        "Inspector",
        pygame.K_TAB,
        "Tab",
        "what the selected one is doing, and why",
        Group.VIEW,
        "inspect",
    ),
    CommandInfo(
        Command.OVERLAYS,
        "Overlays",
        pygame.K_F2,
        "F2",
        "walkable ground, ways, claims",
        Group.VIEW,
        "overlay",
    ),
    CommandInfo(
        Command.FRAME_TIMES,
        "Frame times",
        pygame.K_F3,
        "F3",
        "what each phase of a step and the drawing cost",
        Group.VIEW,
        "graph",
    ),
    CommandInfo(
        Command.RECORD,
        "Record",
        pygame.K_F9,
        "F9",
        "a video of the street; again to end it",
        Group.VIEW,
        "record",
    ),
    CommandInfo(
        Command.SCREENSHOT,
        "Screenshot",
        pygame.K_F12,
        "F12",
        "a picture of the window as a file",
        Group.VIEW,
        "photo",
    ),
    CommandInfo(
        Command.HELP, "Help", pygame.K_F1, "F1", "every key, where it acts", Group.VIEW, "help"
    ),
    CommandInfo(
        Command.MENU, "Menu", pygame.K_ESCAPE, "Esc", "levels, settings, quit", Group.VIEW, "menu"
    ),
    CommandInfo(
        Command.ORDER_MENU, "Order menu", pygame.K_o, "O", "hold, continue, redirect, cancel"
    ),
    CommandInfo(Command.HIDE, "Hide", pygame.K_h, "H", "hide every panel"),
    CommandInfo(Command.FULL_SCREEN, "Full screen", pygame.K_F11, "F11", "or Alt+Enter"),
    CommandInfo(Command.HOME, "Back home", pygame.K_HOME, "Home", "follow again"),
    CommandInfo(Command.STEEPER, "Steeper", pygame.K_PAGEUP, "Page Up", "look more from above"),
    CommandInfo(
        Command.FLATTER, "Flatter", pygame.K_PAGEDOWN, "Page Down", "look more from the side"
    ),
)

INFO: dict[Command, CommandInfo] = {info.command: info for info in COMMANDS}
_BY_KEY: dict[int, Command] = {info.key: info.command for info in COMMANDS}
_BY_CHARACTER: dict[str, Command] = {
    info.key_name: info.command for info in COMMANDS if info.key_name in "[]."
}
"""Keyboards have these on different keys; what counts is the character."""


def command_of(event: pygame.event.Event) -> Command | None:
    """What a key press asks for, None if nothing.

    A character counts whatever is held with it (on many keyboards ``[`` needs AltGr);
    other keys with Alt are the window system's, but for Alt+Enter.
    """
    by_character = _BY_CHARACTER.get(getattr(event, "unicode", ""))
    if by_character is not None:
        return by_character
    has_alt = bool(getattr(event, "mod", 0) & pygame.KMOD_ALT)
    if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
        return Command.FULL_SCREEN if has_alt else None
    return None if has_alt else _BY_KEY.get(event.key)
