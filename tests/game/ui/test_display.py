"""Opening a window with and without a screen; its size and full screen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from game.ui.display import Display
from tests.game.ui.hands_on import Player, you
from tests.streets import street

ROOT = Path(__file__).resolve().parents[3]
SCREENS = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY", "PYGAME_HIDE_SUPPORT_PROMPT")
PROGRAM = """
import sys
from game.ui.display import close_window, open_window
from game.ui.errors import NoDisplay
try:
    surface = open_window("test")
except NoDisplay as error:
    print(error)
    sys.exit(2)
import pygame
print(surface.get_size(), pygame.mixer.get_init())
close_window()
"""


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {key: value for key, value in os.environ.items() if key not in SCREENS}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a screen of their own")
def test_without_a_screen_it_says_what_works_without_one() -> None:
    """F11: one sentence that names run and record, status 2."""
    result = run()
    assert result.returncode == 2
    (line,) = result.stdout.splitlines()
    assert "no screen" in line
    assert "run" in line
    assert "record" in line


@pytest.mark.parametrize("driver", ["dummy", "offscreen"])
def test_a_driver_that_was_asked_for_is_no_failure(driver: str) -> None:
    """F11: also the greeting of pygame stays away, and no sound is opened (F10)."""
    result = run(SDL_VIDEODRIVER=driver)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == ["(1280, 720) None"]


# -- full screen -----------------------------------------------------------------------


@pytest.fixture
def no_window_yet() -> None:
    """SDL's dummy driver keeps the frame of the first window that a process has had."""
    pygame.display.quit()
    pygame.display.init()


@pytest.mark.usefixtures("no_window_yet")
@pytest.mark.parametrize("paused", [False, True])
def test_full_screen_on_and_off_ten_times_keeps_size_and_frame(paused: bool) -> None:
    """F9: frame and resizability return, no exception, by F11 and by Alt+Enter."""
    player = Player(street(peds=(you(),)), (900, 640))
    if paused:
        player.key(pygame.K_p)
    for turn in range(20):
        if turn % 2:
            player.key(pygame.K_F11)
        else:
            player.key(pygame.K_RETURN, mod=pygame.KMOD_LALT)
        for event in pygame.event.get():
            player.hear(event.type, **event.dict)
        player.frame()
    surface = pygame.display.get_surface()
    assert surface is player.context.display.surface
    assert surface.get_size() == (900, 640)
    assert surface.get_flags() & pygame.RESIZABLE
    assert player.context.pacer.is_paused is paused


def test_the_windows_own_size_is_remembered_under_full_screen() -> None:
    """F9: it was resized before; the screen's size is never taken for the window's."""
    display = Display(pygame.display.set_mode((640, 360), pygame.RESIZABLE))
    pygame.display.set_mode((800, 450), pygame.RESIZABLE)
    display.resized()
    assert display.toggle_full_screen()
    display.resized()
    assert display.size != (800, 450)
    assert display.toggle_full_screen()
    assert display.size == (800, 450)


def test_a_screen_that_refuses_leaves_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    display = Display(pygame.display.set_mode((640, 360), pygame.RESIZABLE))
    really = pygame.display.set_mode

    def refusing(size: tuple[int, int], flags: int = 0) -> pygame.Surface:
        if flags & pygame.FULLSCREEN:
            raise pygame.error("no such mode")
        return really(size, flags)

    monkeypatch.setattr(pygame.display, "set_mode", refusing)
    assert not display.toggle_full_screen()
    assert not display.is_full_screen
    assert display.size == (640, 360)


def test_enter_without_alt_is_no_full_screen() -> None:
    player = Player(street(peds=(you(),)), (900, 640))
    player.key(pygame.K_RETURN)
    assert not player.context.display.is_full_screen
