"""From an input to the pixels: every answer is on the screen within two drawn frames."""

from __future__ import annotations

from collections.abc import Callable

import pygame
import pytest

from game.ui.commands import Command
from tests.game.ui.hands_on import Player, you
from tests.streets import person, prop, street

SIZE = (900, 640)
FRAMES = 2

Act = Callable[[Player], object]


def nothing(_: Player) -> None:
    """No input at all."""


def pixels_after(act: Act) -> bytes:
    """The picture two frames after an input to a street that has been played for a while."""
    player = Player(
        street(
            peds=(you(), person(4, "ann", 1100.0, 900.0)),
            props=(prop(20, "crate", 1070.0, 800.0, 20.0, 40.0),),
        ),
        SIZE,
    )
    for _ in range(30):
        player.frame()
    act(player)
    for _ in range(FRAMES):
        player.frame()
    return pygame.image.tobytes(player.context.display.surface, "RGB")


@pytest.fixture(scope="module")
def pixels_without() -> bytes:
    return pixels_after(nothing)


def test_without_input_two_runs_look_alike(pixels_without: bytes) -> None:
    """Or a difference below would prove nothing."""
    assert pixels_after(nothing) == pixels_without


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda player: player.press(pygame.K_s), id="walk"),
        pytest.param(lambda player: player.press(pygame.K_RIGHT), id="arrow"),
        pytest.param(lambda player: player.key(pygame.K_SPACE), id="shove"),
        pytest.param(lambda player: player.click(player.on("ann")), id="select"),
        pytest.param(lambda player: player.command(Command.PAUSE), id="pause"),
        pytest.param(lambda player: player.command(Command.FASTER), id="faster"),
        pytest.param(lambda player: player.command(Command.OVERLAYS), id="overlays"),
        pytest.param(lambda player: player.command(Command.FRAME_TIMES), id="frame times"),
        pytest.param(lambda player: player.hear(pygame.MOUSEWHEEL, y=1, x=0), id="zoom"),
    ],
)
def test_an_input_shows_within_two_frames(act: Act, pixels_without: bytes) -> None:
    """LOC-18, art-and-feel 16: the answer to a key or a click is felt within 2 frames."""
    assert pixels_after(act) != pixels_without


def test_an_order_shows_within_two_frames_of_its_click() -> None:
    """ORD-25: the ped that was sent is marked, or has its bubble, at once."""

    def select(player: Player) -> None:
        player.click(player.on("ann"))

    def send(player: Player) -> None:
        select(player)
        player.right_click(player.at(1300.0, 900.0))

    assert pixels_after(send) != pixels_after(select)
