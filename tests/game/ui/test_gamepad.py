"""A gamepad: stick, buttons, the ring of tools, pads that come and go."""

from __future__ import annotations

import math

import pygame
import pytest

from ai.tasks.move_interface import MBR_RUN, MBR_STILL, MBR_WALK
from game.ui.gamepad import Gamepad
from game.ui.menu_screen import MenuScreen
from game.ui.radial_screen import RadialScreen
from game.ui.street_window import StreetWindow
from tests.game.ui.hands_on import Player, you
from tests.streets import prop, street

SIZE = (900, 640)


class FakePad:
    def __init__(self) -> None:
        self.is_closed = False

    def quit(self) -> None:
        self.is_closed = True


@pytest.fixture
def player() -> Player:
    return Player(
        street(peds=(you(),), props=(prop(20, "crate", 1070.0, 800.0, 20.0, 40.0),)), SIZE
    )


def stick(player: Player, right: float, down: float) -> None:
    for axis, value in (
        (pygame.CONTROLLER_AXIS_LEFTX, right),
        (pygame.CONTROLLER_AXIS_LEFTY, down),
    ):
        player.pad(pygame.CONTROLLERAXISMOTION, axis=axis, value=round(value * 32767))


def button(player: Player, number: int, *, down: bool = True) -> None:
    kind = pygame.CONTROLLERBUTTONDOWN if down else pygame.CONTROLLERBUTTONUP
    player.pad(kind, button=number)


def test_the_stick_walks_and_a_runs(player: Player) -> None:
    controls = player.world.player_controls
    stick(player, 0.0, 1.0)
    player.steps(1)
    assert controls.heading_rad == pytest.approx(math.pi / 2.0)
    assert controls.mbr == MBR_WALK
    button(player, pygame.CONTROLLER_BUTTON_A)
    player.steps(1)
    assert controls.mbr == MBR_RUN
    button(player, pygame.CONTROLLER_BUTTON_A, down=False)
    stick(player, 0.0, 0.0)
    player.steps(1)
    assert controls.heading_rad is None
    assert controls.mbr == MBR_STILL


def test_a_stick_that_hardly_moves_is_at_rest(player: Player) -> None:
    stick(player, 0.2, 0.1)
    player.steps(1)
    assert player.world.player_controls.heading_rad is None


def test_keys_go_before_the_stick(player: Player) -> None:
    stick(player, 0.0, 1.0)
    player.press(pygame.K_d)
    assert player.context.heading_rad == 0.0


def test_x_shoves_and_y_pauses(player: Player) -> None:
    button(player, pygame.CONTROLLER_BUTTON_X)
    player.steps(1)
    assert player.world.last_shove is not None
    button(player, pygame.CONTROLLER_BUTTON_Y)
    assert player.context.pacer.is_paused


def test_start_opens_the_menu_and_closes_it(player: Player) -> None:
    button(player, pygame.CONTROLLER_BUTTON_START)
    assert isinstance(player.screen, MenuScreen)
    button(player, pygame.CONTROLLER_BUTTON_START)
    assert isinstance(player.screen, StreetWindow)


@pytest.mark.parametrize(
    "bumper", [pygame.CONTROLLER_BUTTON_LEFTSHOULDER, pygame.CONTROLLER_BUTTON_RIGHTSHOULDER]
)
def test_a_bumper_opens_the_ring_of_tools_and_letting_go_chooses(
    player: Player, bumper: int
) -> None:
    """Art-and-feel 13: gamepad, same ring of tools on a bumper."""
    button(player, bumper)
    ring = player.screen
    assert isinstance(ring, RadialScreen)
    words = [one.word for one in ring.menu.slices]
    assert "Shove" in words
    assert "Pause" in words
    x, y = ring.menu.middle_of(words.index("Pause"))
    centre = ring.menu.centre
    reach = math.dist((x, y), centre)
    stick(player, (x - centre[0]) / reach, (y - centre[1]) / reach)
    button(player, bumper, down=False)
    assert isinstance(player.screen, StreetWindow)
    assert player.context.pacer.is_paused
    player.steps(1)
    assert player.world.player_controls.heading_rad is None


def test_pads_are_opened_when_plugged_in_and_closed_at_the_end() -> None:
    """Hot plug."""
    opened: list[tuple[int, FakePad]] = []

    def opener(device_index: int) -> FakePad:
        opened.append((device_index, FakePad()))
        return opened[-1][1]

    gamepad = Gamepad(opener)
    gamepad.hear(pygame.event.Event(pygame.CONTROLLERDEVICEADDED, device_index=1, guid=""))
    assert [index for index, _ in opened] == [1]
    gamepad.close()
    assert opened[0][1].is_closed


def test_a_pad_that_is_pulled_out_lets_go_of_everything(player: Player) -> None:
    stick(player, 1.0, 0.0)
    button(player, pygame.CONTROLLER_BUTTON_A)
    player.hear(pygame.CONTROLLERDEVICEREMOVED, instance_id=0)
    assert player.context.heading_rad is None
    assert not player.context.gamepad.runs


def test_losing_the_focus_lets_go_of_the_stick_too(player: Player) -> None:
    stick(player, 1.0, 0.0)
    player.hear(pygame.WINDOWFOCUSLOST)
    assert player.context.heading_rad is None
