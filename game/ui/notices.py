"""Short sentences for the player: one at a time, for a few seconds."""

from __future__ import annotations

NOTICE_S = 3.5


class Notices:
    """What is told at present."""

    def __init__(self) -> None:
        self._words = ""
        self._left_s = 0.0

    @property
    def words(self) -> str:
        """The present sentence, or nothing."""
        return self._words if self._left_s > 0.0 else ""

    def say(self, words: str) -> None:
        """Tell this now, in place of whatever was told."""
        self._words, self._left_s = words, NOTICE_S

    def clear(self) -> None:
        """Nothing more to tell."""
        self._left_s = 0.0

    def advance(self, frame_s: float) -> None:
        """Go on by the time of a frame."""
        self._left_s -= frame_s
