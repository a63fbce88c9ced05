"""F9: a video of the street while it is played, begun and ended by one key.

The recorder is imported at the first press. It outlives a restart and another level;
the program waits for it before it ends.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from game.ui.notices import Notices

if TYPE_CHECKING:
    from game.recording.live_recorder import LiveRecorder

FILE_NAME = "bystander.mp4"


class VideoKey:
    """At most one recording at a time, and what is told of it."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self._recorder: LiveRecorder | None = None
        self._is_stopping = False

    @property
    def is_on(self) -> bool:
        """True while pictures are taken."""
        return self._recorder is not None and not self._is_stopping

    def press(self, size: tuple[int, int], step: int) -> None:
        """Begin a recording of pictures of that size at a step of the run, or end it."""
        if self._recorder is None:
            self._begin(size, step)
        elif not self._is_stopping:
            self._is_stopping = True
            self._recorder.stop()

    def see(self, street: pygame.Surface, step: int, caption: str) -> None:
        """Take a drawn picture of the street, without interface, after a step."""
        if self._recorder is not None and not self._is_stopping:
            self._recorder.take(street, step, caption)

    def advance(self) -> None:
        """Once a frame: tell what came of a recording that is over."""
        if self._recorder is not None and self._recorder.outcome is not None:
            self._notices.say(_told(self._recorder))
            self._recorder, self._is_stopping = None, False

    def close(self) -> None:
        """The program ends: the video is made whole first."""
        if self._recorder is not None:
            self._recorder.wait()
            self.advance()

    def _begin(self, size: tuple[int, int], step: int) -> None:
        from game.recording.errors import RecordingError
        from game.recording.live_recorder import LiveRecorder
        from game.recording.names import free_name

        try:
            self._recorder = LiveRecorder(free_name(Path(FILE_NAME)), size, step)
        except RecordingError as error:
            self._notices.say(str(error))


def _told(recorder: LiveRecorder) -> str:
    from game.recording.errors import RecordingError

    outcome = recorder.outcome
    assert outcome is not None
    if isinstance(outcome, RecordingError):
        return str(outcome)
    return f"Saved {outcome.video.resolve()} ({outcome.seconds:.1f} s)"
