"""A finished video is decoded and compared with what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.recording.errors import RecordingError
from game.recording.formats import FORMATS
from game.recording.take import Take
from game.recording.verify import verify_video
from tests.game.recording.videos import SIZE, moving_square


@pytest.fixture(params=sorted(FORMATS))
def video(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A whole video of 60 frames."""
    with Take(tmp_path / f"demo{request.param}", SIZE, 30) as take:
        for canvas in moving_square():
            take.add(canvas)
        return take.finish().video


def test_a_whole_video_passes(video: Path) -> None:
    verify_video(video, frames=60, fps=30, size=SIZE)


def test_an_empty_file_fails(video: Path) -> None:
    """F13: never done with an empty file."""
    video.write_bytes(b"")
    with pytest.raises(RecordingError, match="decoded"):
        verify_video(video, frames=60, fps=30, size=SIZE)


def test_a_cut_file_fails(video: Path) -> None:
    data = video.read_bytes()
    video.write_bytes(data[: len(data) // 2])
    with pytest.raises(RecordingError):
        verify_video(video, frames=60, fps=30, size=SIZE)


def test_other_bytes_fail(video: Path) -> None:
    video.write_bytes(b"not a video " * 1000)
    with pytest.raises(RecordingError, match="decoded"):
        verify_video(video, frames=60, fps=30, size=SIZE)


def test_another_number_of_frames_fails(video: Path) -> None:
    with pytest.raises(RecordingError, match="60 frames, not 61"):
        verify_video(video, frames=61, fps=30, size=SIZE)


def test_another_size_fails(video: Path) -> None:
    """engineering-notes: a changed frame size is silently rescaled by others."""
    with pytest.raises(RecordingError, match="size"):
        verify_video(video, frames=60, fps=30, size=(320, 180))


def test_another_duration_fails(video: Path) -> None:
    """60 frames end at 2 s, not at 2.4 s."""
    with pytest.raises(RecordingError, match=r"end is at 2\.0\d\d s, not 2\.400 s"):
        verify_video(video, frames=60, fps=25, size=SIZE)
