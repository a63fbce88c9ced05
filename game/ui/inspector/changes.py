"""What moves on the panel by itself: changed lines that glow, bars that glide to their values.

Runs on the viewer's clock, frame by frame, and knows nothing of pixels.
"""

from __future__ import annotations

import math

from game.ui.inspector.reading import Reading

GLOW_S = 0.4
GLIDE_S = 0.08
SETTLED = 0.004
"""A bar this near to its value is there."""

_RowKey = tuple[str, str]


class Glow:
    """Which rows have just changed (art-and-feel section 13).

    A row glows when its text changes, or when it comes up in a section that was there
    before; another ped starts without any glow.
    """

    def __init__(self) -> None:
        self._ped_id: int | None = None
        self._texts: dict[_RowKey, str] = {}
        self._left_s: dict[_RowKey, float] = {}

    def see(self, reading: Reading) -> None:
        """Compare a new reading with the last one."""
        texts = {
            (section.key, row.key): row.text for section in reading.sections for row in section.rows
        }
        if reading.ped_id == self._ped_id:
            for key, text in texts.items():
                if self._texts.get(key) != text:
                    self._left_s[key] = GLOW_S
        else:
            self._left_s.clear()
        self._ped_id = reading.ped_id
        self._texts = texts

    def advance(self, frame_s: float) -> None:
        """Fade by the time of a frame."""
        for key in list(self._left_s):
            self._left_s[key] -= frame_s
            if self._left_s[key] <= 0.0:
                del self._left_s[key]

    @property
    def is_running(self) -> bool:
        """True while any row glows."""
        return bool(self._left_s)

    def strength(self, key: _RowKey | None) -> float:
        """How much a row glows: 1 at its change, 0 after ``GLOW_S``."""
        return 0.0 if key is None else self._left_s.get(key, 0.0) / GLOW_S


class Gliding:
    """Values that glide to where they should be; the first time they are there at once."""

    def __init__(self) -> None:
        self._shown: dict[str, float] = {}
        self._goals: dict[str, float] = {}

    @property
    def is_running(self) -> bool:
        """True while any value is on its way."""
        return self._shown != self._goals

    def aim(self, goals: dict[str, float]) -> None:
        """Where the values should be; those not named are forgotten."""
        self._shown = {name: self._shown.get(name, goal) for name, goal in goals.items()}
        self._goals = dict(goals)

    def advance(self, frame_s: float) -> None:
        """Go on by the time of a frame."""
        share = 1.0 - math.exp(-frame_s / GLIDE_S)
        for name, goal in self._goals.items():
            away = goal - self._shown[name]
            self._shown[name] = goal if abs(away) <= SETTLED else self._shown[name] + away * share

    def value(self, name: str) -> float:
        """Where a value is now.

        Raises ``KeyError`` for one that was never aimed.
        """
        return self._shown[name]
