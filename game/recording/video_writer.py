"""Drawing and encoding at the same time: a thread that encodes what the caller has drawn."""

from __future__ import annotations

import queue
import threading

import av
import pygame

from game.recording.encoder import Encoder
from game.recording.formats import VideoFormat
from game.recording.part_file import PartFile
from game.recording.pixels import frame_of

QUEUE_FRAMES = 6
"""Pictures that may wait: enough to even out both sides, 22 MB at 1280 x 720."""


class VideoWriter:
    """Encodes pictures into a file in a thread of its own.

    - ``add`` copies the picture and comes back at once, unless the encoder is
      ``QUEUE_FRAMES`` behind: then it waits.
    - Whatever the encoder met is raised in the caller, by the next ``add`` or ``close``.
    - ``close`` must be called, whatever happened.
    """

    def __init__(self, file: PartFile, form: VideoFormat, size: tuple[int, int], fps: int) -> None:
        self.frames = 0
        self._encoder = Encoder(file, form, size, fps)
        self._waiting: queue.Queue[tuple[av.VideoFrame, int] | None] = queue.Queue(QUEUE_FRAMES)
        self._failure: Exception | None = None
        self._thread: threading.Thread | None = threading.Thread(
            target=self._encode_all, name="video encoder", daemon=True
        )
        self._thread.start()

    def add(self, canvas: pygame.Surface, times: int = 1) -> None:
        """Show a canvas of ``pixels.new_canvas`` for a number of frames."""
        self._raise_failure()
        self._waiting.put((frame_of(canvas), times))
        self.frames += times

    def close(self) -> None:
        """Wait until everything is encoded and written; a second call does nothing."""
        if self._thread is None:
            return
        self._waiting.put(None)
        self._thread.join()
        self._thread = None
        self._raise_failure()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _encode_all(self) -> None:
        """Run in the thread; goes on taking pictures after a failure, so that nobody waits."""
        while (item := self._waiting.get()) is not None:
            if self._failure is None:
                try:
                    self._encoder.encode(*item)
                except Exception as error:
                    self._failure = error
        try:
            self._encoder.finish()
        except Exception as error:
            self._failure = self._failure or error
