"""One take: a video and its captions being made, kept as ``.part`` until they are whole."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import av
import pygame

from game.recording.captions_vtt import CaptionFile
from game.recording.errors import RecordingError, reason
from game.recording.formats import format_of
from game.recording.names import check_target, free_name, promote, reserve_part
from game.recording.part_file import PartFile
from game.recording.verify import verify_video
from game.recording.video_writer import VideoWriter


class Recording(NamedTuple):
    """A recording that is whole: what it is called and what is in it."""

    video: Path
    captions: Path
    frames: int
    fps: int
    size: tuple[int, int]

    @property
    def seconds(self) -> float:
        """How long the video is."""
        return self.frames / self.fps


class Take:
    """Writes the pictures and captions of one recording.

    - ``finish`` makes it whole: final names appear then and only then, the video's last.
    - Left without ``finish``, or broken off, it keeps what it has as ``.part`` files,
      playable; without a single frame it keeps nothing.
    - Usable as a context manager. The methods raise ``RecordingError``.
    """

    def __init__(
        self, target: Path, size: tuple[int, int], fps: int, *, force: bool = False
    ) -> None:
        form = format_of(target)
        if fps > form.fps_max:
            raise RecordingError(
                f"{target}: a {form.name} shows at most {form.fps_max} frames a second, not {fps}"
            )
        check_target(target, force=force)
        self._target = target
        self._captions_target = target.with_suffix(".vtt")
        self._force = force
        self._fps = fps
        self._size = size
        self._ended = False
        with ExitStack() as undo:
            self.part = reserve_part(target)
            undo.callback(self.part.unlink)
            self._captions_part = reserve_part(target.with_name(f"{target.name}.vtt"))
            undo.callback(self._captions_part.unlink)
            try:
                self._captions = CaptionFile(self._captions_part)
                self._file = PartFile(self.part)
            except OSError as error:
                raise RecordingError(f"{target}: can't be written: {reason(error)}") from error
            self._writer = VideoWriter(self._file, form, size, fps)
            undo.pop_all()

    # -- while it is made --------------------------------------------------------

    @property
    def frames(self) -> int:
        """How many frames the video has so far."""
        return self._writer.frames

    def add(self, canvas: pygame.Surface, times: int = 1) -> None:
        """Show a canvas of ``pixels.new_canvas``, as large as the video, for some frames."""
        try:
            self._writer.add(canvas, times)
        except (OSError, av.FFmpegError) as error:
            raise self.broken_off(reason(error)) from error

    def caption(self, text: str, time_s: Fraction) -> None:
        """From this time of the video on a caption is shown, none if it is empty."""
        try:
            self._captions.show(text, time_s)
        except OSError as error:
            raise self.broken_off(reason(error)) from error

    # -- its end -----------------------------------------------------------------

    def finish(self) -> Recording:
        """Write the rest, decode the whole video to check it, and give the final names."""
        try:
            self._close_files()
        except (OSError, av.FFmpegError) as error:
            raise self.broken_off(reason(error)) from error
        if self.frames == 0:
            self.abandon()
            raise RecordingError(f"{self._target}: no frame was recorded, so there is no video")
        verify_video(self.part, frames=self.frames, fps=self._fps, size=self._size)
        self._ended = True
        captions = self._promote_captions()
        promote(self.part, self._target, force=self._force)
        return Recording(self._target, captions, self.frames, self._fps, self._size)

    def abandon(self) -> None:
        """Leave it unfinished: what was recorded stays as ``.part``; again does nothing."""
        if self._ended:
            return
        self._ended = True
        # What goes wrong now was told already, or matters less than why this is abandoned.
        with suppress(OSError, av.FFmpegError):
            self._close_files()
        if self.frames == 0:
            self.part.unlink(missing_ok=True)
            self._captions_part.unlink(missing_ok=True)

    def broken_off(self, why: str) -> RecordingError:
        """Abandon it; the error that says why, and what is kept."""
        self.abandon()
        kept = f"what was recorded until then is kept as {self.part}"
        return RecordingError(
            f"the recording broke off: {why}; {kept if self.frames else 'nothing is kept'}"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.abandon()

    # -- inside ------------------------------------------------------------------

    def _close_files(self) -> None:
        try:
            self._writer.close()
        finally:
            try:
                self._file.close()
            finally:
                self._captions.close(Fraction(self.frames, self._fps))

    def _promote_captions(self) -> Path:
        """Several videos of one run share a caption file; another's is never overwritten."""
        target = self._captions_target
        if not self._force and target.exists():
            if target.is_file() and target.read_bytes() == self._captions_part.read_bytes():
                self._captions_part.unlink()
                return target
            target = free_name(target)
        promote(self._captions_part, target, force=self._force)
        return target
