"""Recording while a run is played (F7, F9)."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from game.recording.errors import RecordingError
from game.recording.live_recorder import LiveRecorder
from game.recording.take import Recording, Take
from tests.game.recording.videos import look_at, picture_of

SIZE = (320, 180)


def street(size: tuple[int, int] = SIZE, colour: str = "seagreen") -> pygame.Surface:
    """What a window drew."""
    surface = pygame.Surface(size, 0, 32)
    surface.fill(colour)
    return surface


def finished(recorder: LiveRecorder) -> Recording:
    outcome = recorder.wait()
    assert isinstance(outcome, Recording), outcome
    return outcome


def test_one_second_of_steps_is_one_second_of_video(tmp_path: Path) -> None:
    """From step 100 to 160: 31 frames, the first at the start and the last at one second."""
    recorder = LiveRecorder(tmp_path / "live.mp4", SIZE, 100)
    taken = [step for step in range(100, 161) if recorder.is_due(step)]
    assert taken == list(range(100, 161))  # nothing was taken yet
    for step in range(100, 161):
        recorder.take(street(), step)
    made = finished(recorder)
    assert made.frames == look_at(made.video).frames == 31


def test_only_every_second_step_is_due(tmp_path: Path) -> None:
    recorder = LiveRecorder(tmp_path / "live.mp4", SIZE, 0)
    due = []
    for step in range(8):
        due.append(recorder.is_due(step))
        recorder.take(street(), step)
    assert due == [True, False] * 4
    finished(recorder)


def test_a_long_frame_is_filled_and_a_pause_leaves_no_trace(tmp_path: Path) -> None:
    """F7: the window is dragged, then paused; video time is time of the run."""
    recorder = LiveRecorder(tmp_path / "live.mp4", SIZE, 0)
    recorder.take(street(), 0)
    recorder.take(street(colour="navy"), 10)
    for _ in range(50):
        recorder.take(street(colour="navy"), 10)
    made = finished(recorder)
    assert made.frames == look_at(made.video).frames == 6


def test_after_a_jump_back_the_video_goes_on(tmp_path: Path) -> None:
    """A restart or a rewind: the run's steps begin anew, the video's time does not."""
    recorder = LiveRecorder(tmp_path / "live.mp4", SIZE, 600)
    for step in (600, 602, 604, 0, 2, 4):
        recorder.take(street(), step)
    assert finished(recorder).frames == 5


def test_a_resized_window_leaves_the_videos_size_alone(tmp_path: Path) -> None:
    """F9: maximised and back while recording; the picture is fitted in with dark edges."""
    recorder = LiveRecorder(tmp_path / "live.mp4", SIZE, 0)
    for number in range(10):
        recorder.take(street(((640, 180), SIZE, (100, 700))[number % 3]), 2 * number)
    made = finished(recorder)
    assert made.size == SIZE
    assert look_at(made.video).sizes == {SIZE}
    picture = picture_of(made.video, 0)
    middle, edge = picture.get_at((160, 90)), picture.get_at((160, 10))
    assert tuple(middle)[:3] == pytest.approx((46, 139, 87), abs=6)
    assert max(tuple(edge)[:3]) <= 6


def test_the_edges_of_a_fitted_picture_keep_nothing_of_the_one_before(tmp_path: Path) -> None:
    """F9: from the full size to a wide window and the edges are dark, not the old street."""
    recorder = LiveRecorder(tmp_path / "live.mp4", SIZE, 0)
    recorder.take(street(), 0)
    for step in range(2, 20, 2):
        recorder.take(street((640, 180)), step)
    made = finished(recorder)
    assert max(tuple(picture_of(made.video, 9).get_at((160, 10)))[:3]) <= 12


def test_a_window_of_odd_size_makes_an_even_video(tmp_path: Path) -> None:
    """F13: 641 x 481."""
    recorder = LiveRecorder(tmp_path / "live.mp4", (641, 481), 0)
    recorder.take(street((641, 481)), 0)
    made = finished(recorder)
    assert made.size == (642, 482)
    assert look_at(made.video).sizes == {(642, 482)}


def test_captions_are_burnt_in_and_written(tmp_path: Path) -> None:
    """A caption of steps 30 to 90 stands from 0.5 to 1.5 s."""
    recorder = LiveRecorder(tmp_path / "live.mp4", SIZE, 0)
    for step in range(121):
        recorder.take(street(), step, "Go on" if 30 <= step < 90 else "")
    made = finished(recorder)
    assert made.captions.read_text(encoding="utf-8") == (
        "WEBVTT\n\n00:00:00.500 --> 00:00:01.500\nGo on\n"
    )
    plain, captioned = picture_of(made.video, 5), picture_of(made.video, 30)
    assert plain.get_at((160, 155)).g > 120
    assert captioned.get_at((138, 155)).g < 100


def test_it_stops_without_keeping_the_window_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = LiveRecorder(tmp_path / "live.mp4", SIZE, 0)
    recorder.take(street(), 0)
    recorder.stop()
    recorder.stop()
    recorder.take(street(), 30)
    assert finished(recorder).frames == 1
    recorder.stop()
    assert finished(recorder).frames == 1


def test_a_failure_is_an_outcome_and_play_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = LiveRecorder(tmp_path / "live.mp4", SIZE, 0)
    recorder.take(street(), 0)

    def full(self: Take, canvas: pygame.Surface, times: int = 1) -> None:
        raise self.broken_off("No space left on device")

    monkeypatch.setattr(Take, "add", full)
    recorder.take(street(), 2)
    assert isinstance(recorder.outcome, RecordingError)
    recorder.take(street(), 4)
    assert "No space left" in str(recorder.wait())
    assert look_at(tmp_path / "live.mp4.part").frames == 1


def test_a_folder_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="not there"):
        LiveRecorder(tmp_path / "no" / "live.mp4", SIZE, 0)
