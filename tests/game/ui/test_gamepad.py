"""A gamepad: stick, buttons, the ring of tools, pads that come and go."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame
import pytest

from ai.tasks.move_interface import MBR_RUN, MBR_STILL, MBR_WALK
from game.ui.gamepad import Gamepad
from game.ui.menu_screen import MenuScreen
from game.ui.radial_screen import RadialScreen
from game.ui.street_window import StreetWindow
from tests.game.ui.hands_on import Player, you
from tests.streets import ped_named, person, prop, street

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


def test_a_pad_that_is_gone_before_it_is_opened_stops_nothing(player: Player) -> None:
    """A loose plug: the pad was pulled out again when its arrival is heard of."""

    def opener(device_index: int) -> FakePad:
        raise pygame.error(f"no controller {device_index}")

    player.context.gamepad = Gamepad(opener)
    player.hear(pygame.CONTROLLERDEVICEADDED, device_index=0, guid="")
    player.frame()


@pytest.mark.parametrize("key", [pygame.K_ESCAPE, pygame.K_F1])
def test_a_pad_can_be_plugged_in_whatever_is_open(player: Player, key: int) -> None:
    """Hot plug, with the menu or the help over the street."""
    opened: list[int] = []

    def opener(device_index: int) -> FakePad:
        opened.append(device_index)
        return FakePad()

    player.context.gamepad = Gamepad(opener)
    player.key(key)
    player.hear(pygame.CONTROLLERDEVICEADDED, device_index=2, guid="")
    assert opened == [2]


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


def test_a_ring_that_opens_stops_who_walks_by_the_stick(player: Player) -> None:
    """From then on the stick chooses a slice; the ped does not walk on blindly meanwhile."""
    stick(player, 1.0, 0.0)
    button(player, pygame.CONTROLLER_BUTTON_LEFTSHOULDER)
    assert isinstance(player.screen, RadialScreen)
    assert player.context.heading_rad is None


# -- the pointer ---------------------------------------------------------------------


def point(player: Player, right: float, down: float) -> None:
    for axis, value in (
        (pygame.CONTROLLER_AXIS_RIGHTX, right),
        (pygame.CONTROLLER_AXIS_RIGHTY, down),
    ):
        player.pad(pygame.CONTROLLERAXISMOTION, axis=axis, value=round(value * 32767))


def point_at(player: Player, aim: Callable[[], tuple[int, int]]) -> None:
    """Steer the pointer there, as near as the stick allows; the camera may move meanwhile."""
    for _ in range(400):
        pos, place = aim(), player.street.pointer.place or (SIZE[0] // 2, SIZE[1] // 2)
        away = pos[0] - place[0], pos[1] - place[1]
        if max(abs(away[0]), abs(away[1])) <= 3 and player.street.pointer.place is not None:
            break
        longest = max(abs(away[0]), abs(away[1]), 1)
        pull = max(0.45, min(1.0, longest / 80.0))
        point(player, away[0] / longest * pull, away[1] / longest * pull)
        player.street.advance(1.0 / 60.0)
    point(player, 0.0, 0.0)


def test_the_right_stick_brings_a_pointer_that_stays_in_the_window(player: Player) -> None:
    """900 px a second: after a second to the right of the middle of 900 it is at the edge."""
    assert player.street.pointer.place is None
    point(player, 1.0, 0.0)
    player.street.advance(0.1)
    assert player.street.pointer.place == (450 + 90, 320)
    for _ in range(10):
        player.street.advance(0.1)
    assert player.street.pointer.place == (899, 320)


def test_a_frame_that_took_long_does_not_throw_the_pointer(player: Player) -> None:
    """A tenth of a second's way at most: 90 px."""
    point(player, 1.0, 0.0)
    player.frame(5.0)
    assert player.street.pointer.place == (SIZE[0] // 2 + 90, SIZE[1] // 2)


def test_the_mouse_takes_over_from_the_pointer(player: Player) -> None:
    point(player, 1.0, 0.0)
    player.street.advance(0.1)
    player.hear(pygame.MOUSEMOTION, pos=(10, 10), rel=(1, 1), buttons=(0, 0, 0))
    assert player.street.pointer.place is None


def test_a_button_without_a_pointer_clicks_nothing(player: Player) -> None:
    button(player, pygame.CONTROLLER_BUTTON_RIGHTSTICK)
    assert player.selected == set()


def test_a_pad_alone_chooses_a_person_and_sends_them_off() -> None:
    """Product 6: a gamepad reaches the order tool: point, choose, point, send."""
    pad = Player(street(peds=(you(1500.0, 1000.0), person(4, "ann", 1300.0, 900.0))), SIZE)
    point_at(pad, lambda: pad.on("ann"))
    button(pad, pygame.CONTROLLER_BUTTON_RIGHTSTICK)
    button(pad, pygame.CONTROLLER_BUTTON_RIGHTSTICK, down=False)
    assert pad.selected == {4}
    point_at(pad, lambda: (SIZE[0] // 2, SIZE[1] // 2 + 60))
    goal = pad.street.projection().to_ground(*(pad.street.pointer.place or (0, 0)))
    button(pad, pygame.CONTROLLER_BUTTON_B)
    pad.steps(2)
    order = pad.world.order_book.order_of(ped_named(pad.world, "ann").ref)
    assert order is not None
    assert (order.goal.x, order.goal.y) == pytest.approx(goal[:2], abs=1.0)


def test_a_box_is_dragged_with_the_stick_pressed() -> None:
    pad = Player(street(peds=(you(1500.0, 1000.0), person(4, "ann", 1400.0, 900.0))), SIZE)

    def beside(px: int) -> tuple[int, int]:
        x, y = pad.on("ann")
        return x + px, y + px

    point_at(pad, lambda: beside(-60))
    button(pad, pygame.CONTROLLER_BUTTON_RIGHTSTICK)
    point_at(pad, lambda: beside(60))
    button(pad, pygame.CONTROLLER_BUTTON_RIGHTSTICK, down=False)
    assert pad.selected == {4}
    assert not pad.street.hands.is_dragging
