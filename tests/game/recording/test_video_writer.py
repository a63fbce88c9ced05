"""Drawing and encoding at once: nothing is lost, nobody waits for ever."""

from __future__ import annotations

import threading
from pathlib import Path

import av
import pytest

from game.recording.encoder import Encoder
from game.recording.formats import FORMATS
from game.recording.part_file import PartFile
from game.recording.video_writer import QUEUE_FRAMES, VideoWriter
from tests.game.recording.videos import SIZE, look_at, moving_square


def writer_to(path: Path) -> tuple[VideoWriter, PartFile]:
    path.touch()
    file = PartFile(path)
    return VideoWriter(file, FORMATS[".mp4"], SIZE, 30), file


def test_pictures_are_copied_before_they_are_drawn_over(tmp_path: Path) -> None:
    """The same canvas is handed over again and again."""
    canvases = moving_square()
    writer, file = writer_to(tmp_path / "apart.mp4")
    for canvas in canvases:
        writer.add(canvas)
    writer.close()
    file.close()
    one = canvases[0].copy()
    writer, file = writer_to(tmp_path / "over.mp4")
    for canvas in moving_square():
        one.blit(canvas, (0, 0))
        writer.add(one)
    writer.close()
    file.close()
    assert look_at(tmp_path / "over.mp4").digest == look_at(tmp_path / "apart.mp4").digest


def test_the_encoder_works_in_another_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawing goes on while the encoder is busy with the first picture."""
    busy, go_on = threading.Event(), threading.Event()
    really_encode = Encoder.encode

    def encode(self: Encoder, picture: av.VideoFrame, times: int) -> None:
        busy.set()
        assert go_on.wait(30)
        really_encode(self, picture, times)

    monkeypatch.setattr(Encoder, "encode", encode)
    writer, file = writer_to(tmp_path / "demo.mp4")
    canvases = moving_square()
    for canvas in canvases[:QUEUE_FRAMES]:
        writer.add(canvas)
    assert busy.wait(30)
    go_on.set()
    writer.close()
    file.close()
    assert look_at(tmp_path / "demo.mp4").frames == QUEUE_FRAMES


def test_a_failure_of_the_encoder_reaches_the_caller_and_blocks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def encode(self: Encoder, picture: av.VideoFrame, times: int) -> None:
        raise ZeroDivisionError("the encoder")

    monkeypatch.setattr(Encoder, "encode", encode)
    writer, file = writer_to(tmp_path / "demo.mp4")

    def add_many() -> None:
        for canvas in 10 * moving_square():
            writer.add(canvas)

    with pytest.raises(ZeroDivisionError, match="the encoder"):
        add_many()
    with pytest.raises(ZeroDivisionError, match="the encoder"):
        writer.close()
    writer.close()
    file.close()
