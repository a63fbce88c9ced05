"""The captions of a recording as WebVTT, written while it is made."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path


class CaptionFile:
    """A WebVTT file that grows by one cue each time a caption ends.

    Every cue is on the disk when its caption is over, so that a broken off recording
    has its captions too.
    """

    def __init__(self, path: Path) -> None:
        """Write the head.

        Raises ``OSError`` if the system refuses; so do the other methods.
        """
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._text = ""
        self._since_s = Fraction(0)
        self._write("WEBVTT\n")

    def show(self, text: str, time_s: Fraction) -> None:
        """From this time on a text is shown, nothing if it is empty."""
        if text == self._text:
            return
        self._end_cue(time_s)
        self._text = text
        self._since_s = time_s

    def close(self, time_s: Fraction) -> None:
        """The recording ends here; a second call does nothing."""
        if self._file.closed:
            return
        try:
            self._end_cue(time_s)
            os.fsync(self._file.fileno())
        finally:
            self._file.close()

    def _end_cue(self, time_s: Fraction) -> None:
        if self._text and time_s > self._since_s:
            times = f"{timestamp(self._since_s)} --> {timestamp(time_s)}"
            self._write(f"\n{times}\n{escaped(self._text)}\n")
        self._text = ""

    def _write(self, text: str) -> None:
        self._file.write(text)
        self._file.flush()


def timestamp(time_s: Fraction) -> str:
    """Hours, minutes, seconds and milliseconds as WebVTT writes them."""
    seconds, milliseconds = divmod(round(time_s * 1000), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}.{milliseconds:03d}"


def escaped(text: str) -> str:
    """A text as the one line of a cue: no markup, no blank line, no arrow of a timing line."""
    one_line = " ".join(text.split())
    return one_line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def with_speed(text: str, speed: Fraction) -> str:
    """The caption, and that the film doesn't run as fast as the street (LVL-10)."""
    if speed == 1:
        return text
    note = f"shown at {float(speed):g}× speed"
    return f"{text} · {note}" if text else note.capitalize()
