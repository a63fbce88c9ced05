"""The one error of this room: a recording that can't be made, said in one sentence."""

from __future__ import annotations


class RecordingError(Exception):
    """A recording that is refused, broke off or didn't come out whole.

    The text is one sentence that names the file or option at fault and how to mend it,
    or what is kept of the recording.
    """


def reason(error: Exception) -> str:
    """What is wrong in the system's own words, without its numbers."""
    words = error.strerror if isinstance(error, OSError) else None
    return (words or str(error)).rstrip(".")
