"""The window of a session: focus, keys, picking, frames to order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pygame
import pytest

from ai.tasks.move_interface import MBR_RUN, MBR_STILL
from game.render.scene_renderer import Quality
from game.ui.street_window import FRAME_S, StreetWindow
from game.ui.window import draw_frames
from game.world.description import CameraDescription
from game.world.world import World
from tests.streets import person, street

SIZE = (640, 360)


@dataclass
class Run:
    """A session without a level file."""

    world: World
    view: CameraDescription
    caption: str = ""
    steps: int = 0

    def step(self) -> None:
        self.world.step()
        self.steps += 1


@pytest.fixture
def run() -> Run:
    world = World(street(peds=(person(3, "ann", 1000.0, 800.0), person(4, "ben", 1200.0, 800.0))))
    return Run(world, world.description.camera)


@pytest.fixture
def window(run: Run) -> StreetWindow:
    return StreetWindow(run, pygame.Surface(SIZE), Quality())


def key(window: StreetWindow, code: int) -> None:
    window.hear(pygame.event.Event(pygame.KEYDOWN, key=code))
    window.hear(pygame.event.Event(pygame.KEYUP, key=code))


def picture(window: StreetWindow) -> bytes:
    return pygame.image.tobytes(window.surface, "RGB")


def press(window: StreetWindow, code: int) -> None:
    window.hear(pygame.event.Event(pygame.KEYDOWN, key=code))


def test_losing_the_focus_pauses_and_lets_go_of_every_key(window: StreetWindow, run: Run) -> None:
    """F8: movement has stopped at focus loss, and no key sticks when the focus is back."""
    press(window, pygame.K_w)
    press(window, pygame.K_LSHIFT)
    window.step()
    assert run.world.player_controls.mbr == MBR_RUN
    window.hear(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    assert window.pacer.is_paused
    window.hear(pygame.event.Event(pygame.WINDOWFOCUSGAINED))
    key(window, pygame.K_p)
    window.step()
    assert run.world.player_controls.heading_rad is None
    assert run.world.player_controls.mbr == MBR_STILL


def test_keys_pause_step_and_change_the_speed(window: StreetWindow) -> None:
    key(window, pygame.K_p)
    assert window.pacer.is_paused
    key(window, pygame.K_PERIOD)
    assert window.pacer.advance(FRAME_S) == 1
    key(window, pygame.K_RIGHTBRACKET)
    assert window.pacer.speed == 2.0
    key(window, pygame.K_LEFTBRACKET)
    key(window, pygame.K_LEFTBRACKET)
    assert window.pacer.speed == 0.5


@pytest.mark.parametrize(
    "event",
    [
        pygame.event.Event(pygame.QUIT),
        pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE),
    ],
)
def test_it_closes_when_asked_to(window: StreetWindow, event: pygame.event.Event) -> None:
    window.hear(event)
    assert window.is_closing


def test_a_click_selects_the_ped_under_the_mouse_and_empty_ground_nobody(
    window: StreetWindow,
) -> None:
    x, y = window.projection().to_screen(1200.0, 800.0, 90.0)
    click = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(round(x), round(y)))
    window.hear(click)
    assert window.selected == {4}
    window.hear(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(5, 5)))
    assert window.selected == set()


def test_the_camera_follows_the_players_ped_and_the_arrows_steer_it() -> None:
    player = replace(person(3, "you", 1000.0, 800.0), options={"player": True}, default_task="")
    world = World(street(peds=(player,)))
    run = Run(world, world.description.camera)
    window = StreetWindow(run, pygame.Surface(SIZE), Quality())
    press(window, pygame.K_RIGHT)
    for _ in range(150):
        window.step()
        window.look(FRAME_S)
    position = world.peds.in_id_order()[0].position
    assert position.x > 1150.0
    assert window.projection().centre_x == pytest.approx(position.x, abs=60.0)


def test_without_a_player_the_arrows_move_the_camera(window: StreetWindow) -> None:
    before = window.projection()
    press(window, pygame.K_RIGHT)
    window.look(0.1)
    after = window.projection()
    assert after.centre_x > before.centre_x
    assert after.centre_y == before.centre_y


def test_the_middle_button_drags_the_ground(window: StreetWindow) -> None:
    before = window.projection().to_ground(300.0, 200.0)
    window.hear(
        pygame.event.Event(pygame.MOUSEMOTION, buttons=(0, 1, 0), rel=(30, 10), pos=(330, 210))
    )
    assert window.projection().to_ground(330.0, 210.0) == pytest.approx(before)
    window.hear(pygame.event.Event(pygame.MOUSEBUTTONUP, button=2, pos=(330, 210)))


def test_the_wheel_zooms(window: StreetWindow) -> None:
    window.hear(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=2))
    for _ in range(60):
        window.look(FRAME_S)
    assert window.projection().zoom == pytest.approx(0.6 * 1.15**2)


def test_the_camera_never_moves_the_focus_of_the_run(window: StreetWindow, run: Run) -> None:
    """Product section 2: the drawn camera never reaches the simulation."""
    focus = run.world.focus
    press(window, pygame.K_RIGHT)
    for _ in range(20):
        window.step()
        window.look(FRAME_S)
    assert run.world.focus == focus


def test_it_draws_overlays_and_panels(window: StreetWindow) -> None:
    window.draw(FRAME_S)
    plain = picture(window)
    key(window, pygame.K_F2)
    window.draw(FRAME_S)
    assert picture(window) != plain
    key(window, pygame.K_F2)
    key(window, pygame.K_h)
    window.draw(FRAME_S)
    assert picture(window) != plain


def test_frames_to_order_run_one_step_each_and_leave_a_picture(run: Run, tmp_path: Path) -> None:
    """Product section 4: --frames N --screenshot FILE works under SDL's dummy driver."""
    surface = pygame.display.set_mode(SIZE)
    draw_frames(run, surface, 7, tmp_path / "shot.png")
    assert run.steps == 7
    assert run.world.clock.step == 7
    assert pygame.image.load(tmp_path / "shot.png").get_size() == SIZE


def test_a_screenshot_never_overwrites_another(
    window: StreetWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F15: safe file names, nothing overwritten."""
    monkeypatch.chdir(tmp_path)
    key(window, pygame.K_F12)
    key(window, pygame.K_F12)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["bystander-1.png", "bystander-2.png"]


def test_it_plays_until_it_is_closed(run: Run) -> None:
    """The loop itself, under the dummy driver: events, steps, pictures, and an end."""
    surface = pygame.display.set_mode(SIZE)
    window = StreetWindow(run, surface, Quality())
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.play()
    assert window.is_closing


def test_another_size_of_the_window_is_drawn_to(run: Run) -> None:
    surface = pygame.display.set_mode(SIZE)
    window = StreetWindow(run, surface, Quality())
    window.draw(FRAME_S)
    grown = pygame.display.set_mode((800, 450))
    window.hear(pygame.event.Event(pygame.VIDEORESIZE, size=(800, 450), w=800, h=450))
    window.draw(FRAME_S)
    assert window.surface is grown
    assert (window.projection().width, window.projection().height) == (800, 450)
