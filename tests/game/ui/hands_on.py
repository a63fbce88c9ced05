"""A player at a window, for tests that read like a script: events in, the world's state out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pygame

from ai.behaviours.order_record import OrderState
from ai.ports import Vec3
from game.render.scene_renderer import Quality
from game.ui.commands import INFO, Command
from game.ui.display import Display
from game.ui.errors import SessionRefused
from game.ui.preferences import PreferenceFile
from game.ui.screen import Next, Screen
from game.ui.session import LevelEntry, Objective
from game.ui.street_window import FRAME_S, StreetWindow
from game.ui.window_context import WindowContext
from game.world.description import CameraDescription, LevelDescription, PedDescription
from game.world.world import World
from tests.streets import ped_named, person, thing

SIZE = (1280, 720)
STREET_CENTRE = Vec3(1000.0, 800.0)


class Run:
    """A session without a level file."""

    def __init__(self, description: LevelDescription) -> None:
        self.world = World(description)
        self.view: CameraDescription = description.camera
        self.caption = ""
        self.objectives: list[Objective] = []
        self.steps = 0

    def step(self) -> None:
        self.world.step()
        self.steps += 1


class Runs:
    """``Sessions`` over streets; the level ``broken`` is refused."""

    def __init__(self, description: LevelDescription) -> None:
        self.description = description
        self.begun: list[str] = []

    def levels(self) -> Sequence[LevelEntry]:
        return [
            LevelEntry("street", "Street", "The street of the test."),
            LevelEntry("other", "Other street", "Another one."),
            LevelEntry("broken", "Broken street", "It can't be played."),
        ]

    def restart(self) -> Run:
        self.begun.append("restart")
        return Run(self.description)

    def open(self, name: str) -> Run:
        if name == "broken":
            raise SessionRefused("broken/level.toml: key 'seed' is missing")
        self.begun.append(name)
        return Run(replace(self.description, name=name, title=name.title()))


def you(x: float = 1000.0, y: float = 800.0, yaw_rad: float = 0.0) -> PedDescription:
    """The player's ped."""
    return replace(person(3, "you", x, y, yaw_rad), options={"player": True}, default_task="")


class Player:
    """Mouse, keyboard and eyes at one window."""

    def __init__(
        self,
        description: LevelDescription,
        size: tuple[int, int] = SIZE,
        preferences: Path | None = None,
    ) -> None:
        self.runs = Runs(description)
        self.run = Run(description)
        self.context = WindowContext(
            Display(pygame.display.set_mode(size, pygame.RESIZABLE)),
            self.runs,
            Quality(),
            PreferenceFile(preferences),
        )
        self.screen: Next = StreetWindow(self.run, self.context)
        self.mouse = (0, 0)

    # -- what is there -------------------------------------------------------------

    @property
    def street(self) -> StreetWindow:
        assert isinstance(self.screen, StreetWindow), self.screen
        return self.screen

    @property
    def world(self) -> World:
        return self.run.world

    @property
    def selected(self) -> set[int]:
        return self.street.selected

    @property
    def notice(self) -> str:
        return self.context.notices.words

    def order(self, name: str) -> OrderState:
        return ped_named(self.world, name).order

    def at(self, x: float, y: float, z: float = 0.0) -> tuple[int, int]:
        """Where a place is seen."""
        across, down = self.street.projection().to_screen(x, y, z)
        return round(across), round(down)

    def on(self, name: str) -> tuple[int, int]:
        """Where a ped's chest or a thing's middle is seen."""
        ped = self.world.peds.by_name(name)
        if ped is not None:
            return self.at(ped.position.x, ped.position.y, 90.0)
        x, y = self.world.things.state[thing(self.world, name).slot, :2].tolist()
        return self.at(x, y)

    # -- what is done --------------------------------------------------------------

    def hear(self, kind: int, **details: object) -> None:
        assert self.screen is not None
        self.screen = self.screen.hear(pygame.event.Event(kind, **details))

    def press(self, key: int, **details: object) -> None:
        self.hear(pygame.KEYDOWN, **{"key": key, "mod": 0, "unicode": "", **details})

    def release(self, key: int) -> None:
        self.hear(pygame.KEYUP, key=key, mod=0, unicode="")

    def key(self, key: int, **details: object) -> None:
        self.press(key, **details)
        if self.screen is not None:
            self.release(key)

    def command(self, command: Command) -> None:
        """By its key."""
        self.key(INFO[command].key)

    def move(self, pos: tuple[int, int], *, held: int = 0) -> None:
        buttons = tuple(int(held == button) for button in (1, 2, 3))
        rel = (pos[0] - self.mouse[0], pos[1] - self.mouse[1])
        self.mouse = pos
        self.hear(pygame.MOUSEMOTION, pos=pos, rel=rel, buttons=buttons)

    def click(self, pos: tuple[int, int], button: int = pygame.BUTTON_LEFT) -> None:
        self.move(pos)
        self.hear(pygame.MOUSEBUTTONDOWN, pos=pos, button=button)
        if self.screen is not None:
            self.hear(pygame.MOUSEBUTTONUP, pos=pos, button=button)

    def right_click(self, pos: tuple[int, int]) -> None:
        self.click(pos, pygame.BUTTON_RIGHT)

    def drag(self, start: tuple[int, int], end: tuple[int, int], *, drops: bool = True) -> None:
        self.move(start)
        self.hear(pygame.MOUSEBUTTONDOWN, pos=start, button=pygame.BUTTON_LEFT)
        self.move(end, held=1)
        if drops:
            self.hear(pygame.MOUSEBUTTONUP, pos=end, button=pygame.BUTTON_LEFT)

    def pad(self, kind: int, **details: object) -> None:
        self.hear(kind, instance_id=0, **details)

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.street.step()

    def frame(self, frame_s: float = FRAME_S) -> None:
        """One turn of the loop, as long as that."""
        screen = self.screen
        assert screen is not None
        screen.advance(frame_s)
        screen.draw(frame_s)

    def until(self, predicate: Callable[[], bool], limit: int = 3000) -> None:
        for _ in range(limit):
            if predicate():
                return
            self.street.step()
        raise AssertionError(f"did not come to hold within {limit} steps")


def over(screen: Next) -> Screen:
    """A screen that is there."""
    assert screen is not None
    return screen
