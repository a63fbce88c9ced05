"""The failures that a user can cause: each ends in one sentence and exit status 2."""

from __future__ import annotations


def user_errors() -> tuple[type[Exception], ...]:
    """Their classes; imported when a failure is at hand, not before."""
    from ai.motion.clips import ClipRefused
    from ai.tuning import TuningError
    from game.levels.errors import LevelError
    from game.recording.errors import RecordingError
    from game.resources import ResourcesMissing
    from game.ui.errors import NoDisplay
    from game.whole_file import FileRefused

    return (
        ClipRefused,
        FileRefused,
        LevelError,
        NoDisplay,
        RecordingError,
        ResourcesMissing,
        TuningError,
    )
