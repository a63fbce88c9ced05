"""Opening a window, with and without a screen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
