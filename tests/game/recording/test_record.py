"""A level into a video, as a library and as a command (LVL-10, F11, F13)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from game.record import record_level
from game.recording.errors import RecordingError
from game.recording.formats import FORMATS
from game.recording.take import Take
from game.sandbox import Sandbox
from tests.game.recording.videos import ROOT, look_at, picture_of, python


def bystander(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the program as a user does, on a machine without a screen."""
    without_screen = {
        key: value
        for key, value in os.environ.items()
        if key not in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
    }
    return subprocess.run(
        [sys.executable, "-m", "game", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env=without_screen | {"PYTHONPATH": str(ROOT), "COLUMNS": "200"},
    )


def record(target: Path, **options: object) -> Path:
    """Two seconds of ``pickup`` in a small picture."""
    wished = {"size": "320x180", "seconds": 2.0} | options
    return record_level("pickup", target, **wished).video  # type: ignore[arg-type]


def brightness(picture: pygame.Surface, area: tuple[int, int, int, int]) -> float:
    red, green, blue, _ = pygame.transform.average_color(picture, pygame.Rect(area))
    return (red + green + blue) / 3.0


# -- what is in it -----------------------------------------------------------------------


@pytest.mark.parametrize("ending", sorted(FORMATS))
def test_two_seconds_are_sixty_frames_of_the_size_asked_for(ending: str, tmp_path: Path) -> None:
    """LVL-10: 30 frames a second by default."""
    seen = look_at(record(tmp_path / f"demo{ending}"))
    assert (seen.frames, seen.sizes) == (60, {(320, 180)})
    assert seen.times_s[-1] == pytest.approx(59 / 30, abs=0.0051)


def test_the_same_level_gives_the_same_pictures(tmp_path: Path) -> None:
    """Decoded frames are equal, pixel for pixel; another seed's need not be."""
    digests = {look_at(record(tmp_path / f"{name}.mp4")).digest for name in ("one", "two")}
    assert len(digests) == 1


def test_captions_stand_beside_it_at_the_times_of_the_level(tmp_path: Path) -> None:
    """``pickup`` shows its caption from 0.5 to 4.0 s; the film ends at 4.5 s."""
    record(tmp_path / "demo.mp4", seconds=4.5)
    assert (tmp_path / "demo.vtt").read_text(encoding="utf-8") == (
        "WEBVTT\n\n00:00:00.500 --> 00:00:04.000\nOrder: go to the side of the car\n"
    )


def test_captions_are_burnt_in_within_a_frame_of_their_time(tmp_path: Path) -> None:
    """LVL-10: the dark panel at the lower edge is there from the frame after 0.5 s on."""
    video = record(tmp_path / "demo.mp4")
    panel = (60, 145, 200, 20)
    before, after = (brightness(picture_of(video, frame), panel) for frame in (15, 16))
    assert after < before - 20.0


def test_another_speed_is_asked_for_and_said(tmp_path: Path) -> None:
    """LVL-10: two seconds at twice the speed are one second, and a caption says so."""
    video = record(tmp_path / "demo.mp4", speed=2.0)
    assert look_at(video).frames == 30
    assert (tmp_path / "demo.vtt").read_text(encoding="utf-8") == (
        "WEBVTT\n"
        "\n00:00:00.000 --> 00:00:00.250\nShown at 2× speed\n"
        "\n00:00:00.250 --> 00:00:01.000\nOrder: go to the side of the car · shown at 2× speed\n"
    )


def test_a_rate_that_meets_no_steps_records_too(tmp_path: Path) -> None:
    assert look_at(record(tmp_path / "demo.mp4", fps=24, seconds=1.0)).frames == 24


def test_overlays_are_shown_when_asked_for(tmp_path: Path) -> None:
    plain = look_at(record(tmp_path / "plain.mp4", seconds=0.5))
    shown = look_at(record(tmp_path / "shown.mp4", seconds=0.5, overlay=True))
    assert plain.digest != shown.digest


def test_recording_does_not_change_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The film's last frame shows 59/30 s: 118 steps, and their fingerprint."""
    fingerprints = []
    really_close = Sandbox.close

    def close(self: Sandbox) -> None:
        fingerprints.append((self.world.clock.step, self.fingerprint))
        really_close(self)

    monkeypatch.setattr(Sandbox, "close", close)
    record(tmp_path / "demo.mp4")
    with Sandbox.load("pickup") as box:
        box.step(118)
    assert fingerprints[0] == fingerprints[1]
    assert fingerprints[0][0] == 118


# -- the command -------------------------------------------------------------------------


def test_the_command_records_without_a_screen_and_says_what_it_made(tmp_path: Path) -> None:
    """F11, F13: 641 x 481 becomes even and that is said; results alone on standard output."""
    result = bystander(
        "record", "pickup", "-o", "demo.mp4", "--size", "641x481", "--seconds", "0.5", cwd=tmp_path
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout == "demo.mp4: 0.50 s, 15 frames of 642x482; captions in demo.vtt\n"
    assert "641x481" in result.stderr
    assert "642x482" in result.stderr
    assert "15/15" in result.stderr  # the progress bar
    assert look_at(tmp_path / "demo.mp4").sizes == {(642, 482)}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("pickup", "-o", "demo.avi"), ("demo.avi", "MP4", "WebM", "GIF")),
        (("pickup", "-o", "no/demo.mp4"), ("no/demo.mp4", "folder")),
        (("pickup", "-o", "demo.mp4", "--size", "big"), ("--size big",)),
        (("pickup", "-o", "demo.mp4", "--speed", "0"), ("--speed 0",)),
        (("pikcup", "-o", "demo.mp4"), ("pikcup", "pickup")),
        (("pickup", "-o", "taken.mp4"), ("taken.mp4", "--force")),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_status_2(
    arguments: tuple[str, ...], words: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "taken.mp4").write_text("precious")
    result = bystander("record", *arguments, cwd=tmp_path)
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr
    for word in words:
        assert word in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["taken.mp4"]
    assert (tmp_path / "taken.mp4").read_text() == "precious"


KILLED_AFTER_100_FRAMES = """
import os, signal, sys
from pathlib import Path
from game.level_sessions import LevelSession
from game.recording.headless import drawing_without_window
from game.recording.plan import plan_film
from game.recording.recorder import film_session
from game.recording.take import Take
from game.sandbox import Sandbox
take = Take(Path(sys.argv[1]), (320, 180), 30)
def after_frame():
    if take.frames == 100:
        os.kill(os.getpid(), signal.SIGKILL)
with Sandbox.load("pickup") as box, drawing_without_window():
    film_session(LevelSession(box), plan_film(13.0, size=(320, 180)), take, after_frame)
"""


def test_killed_while_recording_it_leaves_what_it_had(tmp_path: Path) -> None:
    """F13: of 100 frames at most 7 were not yet encoded and 30 not yet written."""
    result = python(KILLED_AFTER_100_FRAMES, tmp_path / "demo.mp4")
    assert result.returncode == -signal.SIGKILL, result.stderr
    assert not (tmp_path / "demo.mp4").exists()
    assert look_at(tmp_path / "demo.mp4.part").frames >= 63


def test_stopped_by_the_keyboard_it_keeps_what_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_add = Take.add

    def add(self: Take, canvas: pygame.Surface, times: int = 1) -> None:
        if self.frames == 20:
            raise KeyboardInterrupt
        really_add(self, canvas, times)

    monkeypatch.setattr(Take, "add", add)
    with pytest.raises(RecordingError, match=r"stopped.*demo\.mp4\.part"):
        record(tmp_path / "demo.mp4")
    assert look_at(tmp_path / "demo.mp4.part").frames == 20


def test_the_command_has_help(tmp_path: Path) -> None:
    result = bystander("record", "--help", cwd=tmp_path)
    assert result.returncode == 0
    for option in ("--output", "--size", "--fps", "--speed", "--overlay", "--force"):
        assert option in result.stdout
