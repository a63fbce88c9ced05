"""The one error of this room: a recording that can't be made, said in one sentence."""

from __future__ import annotations

from pathlib import Path


class RecordingError(Exception):
    """A recording that is refused, broke off or didn't come out whole.

    The text is one sentence that names the file or option at fault and how to mend it,
    or what is kept of the recording.
    """


def broke_off(part: Path, error: OSError) -> RecordingError:
    """For a file that can't be written any further, such as on a full disk (F13)."""
    return RecordingError(
        f"the recording broke off: {reason(error)}; what was recorded until then is kept as {part}"
    )


def reason(error: OSError) -> str:
    """What the system says is wrong, without its numbers."""
    return (error.strerror or str(error)).rstrip(".")
