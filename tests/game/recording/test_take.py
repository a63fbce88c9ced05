"""A recording is whole under its name, or playable under ``.part`` (product.md section 10)."""

from __future__ import annotations

import errno
import io
import signal
from fractions import Fraction
from pathlib import Path

import pytest

from game.levels.safe_names import safe_file_stem
from game.recording import verify
from game.recording.errors import RecordingError
from game.recording.formats import FORMATS
from game.recording.names import free_name
from game.recording.take import Recording, Take
from tests.game.recording.videos import SIZE, look_at, moving_square, python

every_ending = pytest.mark.parametrize("ending", sorted(FORMATS))


def record(target: Path, *, force: bool = False, caption: str = "", frames: int = 3) -> Recording:
    """A short recording."""
    with Take(target, SIZE, 30, force=force) as take:
        take.caption(caption, Fraction(0))
        for canvas in moving_square()[:frames]:
            take.add(canvas)
        return take.finish()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# -- whole -----------------------------------------------------------------------------


def test_only_final_names_are_left_when_it_is_whole(tmp_path: Path) -> None:
    made = record(tmp_path / "demo.mp4", caption="Go")
    assert names(tmp_path) == ["demo.mp4", "demo.vtt"]
    assert (made.video.name, made.captions.name) == ("demo.mp4", "demo.vtt")
    assert made.captions.read_text(encoding="utf-8").endswith("--> 00:00:00.100\nGo\n")


def test_the_final_name_appears_only_at_the_end(tmp_path: Path) -> None:
    with Take(tmp_path / "demo.mp4", SIZE, 30) as take:
        take.add(moving_square()[0])
        assert names(tmp_path) == ["demo.mp4.part", "demo.mp4.vtt.part"]
        take.finish()


def test_a_video_that_does_not_come_out_whole_keeps_its_part_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "_decode", lambda _: (2, 0.0, 1 / 30, {SIZE}))
    with pytest.raises(RecordingError, match=r"demo\.mp4\.part.* 2 frames, not 3"):
        record(tmp_path / "demo.mp4")
    assert "demo.mp4" not in names(tmp_path)
    assert look_at(tmp_path / "demo.mp4.part").frames == 3


@every_ending
def test_a_recording_without_frames_is_a_failure_and_leaves_nothing(
    ending: str, tmp_path: Path
) -> None:
    """engineering-notes: zero frames written are a failure."""
    take = Take(tmp_path / f"demo{ending}", SIZE, 30)
    with pytest.raises(RecordingError, match="no frame"):
        take.finish()
    assert names(tmp_path) == []


# -- broken off ------------------------------------------------------------------------


@every_ending
def test_left_unfinished_it_is_playable(ending: str, tmp_path: Path) -> None:
    with Take(tmp_path / f"demo{ending}", SIZE, 30) as take:
        for canvas in moving_square()[:40]:
            take.add(canvas)
    assert names(tmp_path) == [f"demo{ending}.part", f"demo{ending}.vtt.part"]
    assert look_at(tmp_path / f"demo{ending}.part").frames == 40


KILLED = """
import os, signal, sys
from pathlib import Path
from game.recording.headless import drawing_without_window
from game.recording.take import Take
from game.recording.video_writer import QUEUE_FRAMES
from tests.game.recording.videos import SIZE, moving_square
with drawing_without_window():
    take = Take(Path(sys.argv[1]), SIZE, 30)
    for canvas in 2 * moving_square():
        take.add(canvas)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@every_ending
def test_killed_it_loses_at_most_the_last_second(ending: str, tmp_path: Path) -> None:
    """F13: a playable ``.part`` and no final file.

    120 frames were added; up to 6 wait and 1 is being encoded, and a second are 30.
    """
    result = python(KILLED, tmp_path / f"demo{ending}")
    assert result.returncode == -signal.SIGKILL, result.stderr
    assert f"demo{ending}" not in names(tmp_path)
    seen = look_at(tmp_path / f"demo{ending}.part")
    assert 120 - 7 - 30 <= seen.frames <= 120
    assert seen.sizes == {SIZE}


class FullDisk(io.FileIO):
    """A file on a disk with room for a number of bytes."""

    room = 0

    def write(self, data: bytes) -> int:  # type: ignore[override]
        end = self.tell() + len(data)
        if end > self.room:
            super().write(bytes(data)[: max(0, self.room - self.tell())])
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


@every_ending
def test_a_full_disk_ends_in_one_sentence_and_keeps_a_playable_part(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F13: cut back to what was whole; encoders that then rewrite headers spoil nothing."""
    whole = record(tmp_path / f"whole{ending}", frames=60).video
    really_open = Path.open

    def open_on_full_disk(path: Path, mode: str = "r", *more: object, **options: object) -> object:
        if path.name == f"demo{ending}.part" and mode == "r+b":
            return FullDisk(path, mode)
        return really_open(path, mode, *more, **options)  # type: ignore[call-overload]

    FullDisk.room = whole.stat().st_size * 3 // 4
    monkeypatch.setattr(Path, "open", open_on_full_disk)
    with pytest.raises(RecordingError) as found:
        record(tmp_path / f"demo{ending}", frames=60)
    part = tmp_path / f"demo{ending}.part"
    assert "No space left on device" in str(found.value)
    assert str(part) in str(found.value)
    assert not (tmp_path / f"demo{ending}").exists()
    assert 15 <= look_at(part).frames < 60


# -- names -----------------------------------------------------------------------------


def test_a_file_that_is_there_is_refused_before_any_work(tmp_path: Path) -> None:
    """F15: nothing overwritten."""
    (tmp_path / "demo.mp4").write_text("precious")
    with pytest.raises(RecordingError, match="--force"):
        record(tmp_path / "demo.mp4")
    assert names(tmp_path) == ["demo.mp4"]
    assert (tmp_path / "demo.mp4").read_text() == "precious"


def test_force_replaces_a_file_once_the_new_one_is_whole(tmp_path: Path) -> None:
    record(tmp_path / "demo.mp4", caption="Old")
    with Take(tmp_path / "demo.mp4", SIZE, 30, force=True) as take:
        take.caption("New", Fraction(0))
        for canvas in moving_square()[:5]:
            take.add(canvas)
        assert look_at(tmp_path / "demo.mp4").frames == 3
        made = take.finish()
    assert look_at(made.video).frames == 5
    assert names(tmp_path) == ["demo.mp4", "demo.vtt"]
    assert "New" in made.captions.read_text(encoding="utf-8")


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    with Take(tmp_path / "demo.mp4", SIZE, 30) as take:
        take.add(moving_square()[0])
        (tmp_path / "demo.mp4").write_text("precious")
        with pytest.raises(RecordingError, match=r"appeared meanwhile.*demo\.mp4\.part"):
            take.finish()
    assert (tmp_path / "demo.mp4").read_text() == "precious"
    assert look_at(tmp_path / "demo.mp4.part").frames == 1


def test_what_an_earlier_recording_left_is_kept(tmp_path: Path) -> None:
    (tmp_path / "demo.mp4.part").write_text("precious")
    record(tmp_path / "demo.mp4")
    assert (tmp_path / "demo.mp4.part").read_text() == "precious"
    assert "demo.mp4" in names(tmp_path)


def test_two_recordings_of_one_name_at_once_do_not_mix(tmp_path: Path) -> None:
    with Take(tmp_path / "demo.mp4", SIZE, 30) as one, Take(tmp_path / "demo.mp4", SIZE, 30) as two:
        assert one.part != two.part
        for canvas in moving_square()[:4]:
            one.add(canvas)
            two.add(canvas, 2)
        one.finish()
        with pytest.raises(RecordingError, match="meanwhile"):
            two.finish()
    assert look_at(tmp_path / "demo.mp4").frames == 4
    assert look_at(two.part).frames == 8


def test_videos_of_one_run_share_their_captions(tmp_path: Path) -> None:
    for ending in FORMATS:
        assert record(tmp_path / f"demo{ending}", caption="Go").captions.name == "demo.vtt"
    assert names(tmp_path) == ["demo.gif", "demo.mp4", "demo.vtt", "demo.webm"]


def test_captions_of_something_else_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "demo.vtt").write_text("precious")
    assert record(tmp_path / "demo.mp4", caption="Go").captions.name == "demo-2.vtt"
    assert (tmp_path / "demo.vtt").read_text() == "precious"


def test_a_missing_folder_and_a_folder_as_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="not there"):
        record(tmp_path / "no" / "demo.mp4")
    (tmp_path / "demo.mp4").mkdir()
    with pytest.raises(RecordingError, match="folder"):
        record(tmp_path / "demo.mp4")


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(RecordingError, match=r"demo\.mp4: can't be written: Permission denied"):
        record(tmp_path / "demo.mp4")


def test_a_level_of_any_name_gives_a_safe_and_free_name(tmp_path: Path) -> None:
    """F15: a level named ``Rue: "Café" 街/1``."""
    stem = safe_file_stem('Rue: "Café" 街/1')
    first = free_name(tmp_path / f"{stem}.mp4")
    assert first.parent == tmp_path
    record(first)
    second = free_name(tmp_path / f"{stem}.mp4")
    assert second == tmp_path / f"{stem}-2.mp4"
    record(second)
    assert look_at(first).frames == look_at(second).frames == 3


def test_a_path_that_looks_like_a_protocol_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert look_at(record(Path("rue:1.mp4")).video.resolve()).frames == 3
