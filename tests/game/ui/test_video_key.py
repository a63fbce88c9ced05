"""F9 in the window: one key begins a video of the street and ends it."""

from __future__ import annotations

from pathlib import Path

import av
import pygame
import pytest

from game.ui.commands import Command
from tests.game.ui.hands_on import Player, you
from tests.streets import street

SIZE = (320, 200)


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Player:
    monkeypatch.chdir(tmp_path)
    return Player(street(peds=(you(),)), SIZE)


def frames_of(path: Path) -> list[tuple[int, int]]:
    with av.open(str(path)) as video:
        return [(frame.width, frame.height) for frame in video.decode(video=0)]


def run(player: Player, count: int) -> None:
    """Frames of one step each."""
    for _ in range(count):
        player.street.step()
        player.street.draw(1 / 60)


def finish(player: Player) -> None:
    player.context.video.close()


def test_f9_begins_and_ends_a_video_of_what_was_played(player: Player, tmp_path: Path) -> None:
    """Product 6: record video on and off; 30 frames for each second of the run."""
    player.command(Command.RECORD)
    assert player.context.video.is_on
    run(player, 60)
    player.command(Command.RECORD)
    assert not player.context.video.is_on
    finish(player)
    assert len(frames_of(tmp_path / "bystander.mp4")) == 31
    assert "bystander.mp4" in player.notice


def test_full_screen_and_pauses_leave_no_trace_in_the_video(player: Player, tmp_path: Path) -> None:
    """F9 of the field, F7: full screen on and off ten times while recording and paused."""
    player.command(Command.RECORD)
    run(player, 10)
    player.command(Command.PAUSE)
    for _ in range(20):
        player.command(Command.FULL_SCREEN)
        player.frame()
    player.command(Command.PAUSE)
    run(player, 10)
    player.command(Command.RECORD)
    finish(player)
    frames = frames_of(tmp_path / "bystander.mp4")
    assert set(frames) == {SIZE}
    assert len(frames) == 11


def test_a_restart_goes_on_in_the_same_video(player: Player, tmp_path: Path) -> None:
    player.command(Command.RECORD)
    run(player, 20)
    player.command(Command.RESTART)
    run(player, 20)
    finish(player)
    assert len(frames_of(tmp_path / "bystander.mp4")) >= 20


def test_a_second_video_has_a_name_of_its_own(player: Player, tmp_path: Path) -> None:
    """F15: nothing overwritten."""
    for _ in range(2):
        player.command(Command.RECORD)
        run(player, 4)
        finish(player)
    names = sorted(path.name for path in tmp_path.glob("*.mp4"))
    assert names == ["bystander-2.mp4", "bystander.mp4"]


def test_the_video_shows_the_street_without_the_interface(player: Player, tmp_path: Path) -> None:
    """The toolbar's place is street in the video, and a pause doesn't pale it."""
    player.command(Command.RECORD)
    run(player, 4)
    finish(player)
    bar = player.street.toolbar.place(SIZE)
    with av.open(str(tmp_path / "bystander.mp4")) as video:
        picture = next(video.decode(video=0)).to_ndarray(format="rgb24")
    shown = player.context.display.surface.get_at((bar.left + 3, bar.centery))
    recorded = picture[bar.centery, bar.left + 3].tolist()
    assert sum(recorded) > sum(shown[:3]) + 100


def test_a_folder_that_cant_be_written_to_is_told(
    player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(target: Path) -> Path:
        from game.recording.errors import RecordingError

        raise RecordingError(f"{target}: can't be written: no space left")

    monkeypatch.setattr("game.recording.take.reserve_part", refuse)
    player.command(Command.RECORD)
    assert not player.context.video.is_on
    assert "no space left" in player.notice
    player.hear(pygame.QUIT)
