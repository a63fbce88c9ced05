"""Panels that slide in and out within 120 ms (art-and-feel section 13)."""

from __future__ import annotations

SLIDE_S = 0.12


class Slide:
    """How far something is out of the picture: 0 shown, 1 hidden."""

    def __init__(self) -> None:
        self.is_hidden = False
        self._out = 0.0

    def toggle(self) -> None:
        """Start to slide the other way."""
        self.is_hidden = not self.is_hidden

    def advance(self, frame_s: float) -> float:
        """Go on by a frame; the share that is out, eased at both ends."""
        way = frame_s / SLIDE_S
        self._out = min(1.0, self._out + way) if self.is_hidden else max(0.0, self._out - way)
        return self._out * self._out * (3.0 - 2.0 * self._out)
