"""Roofs and fronts that step aside: things fade while they hide someone who matters."""

from __future__ import annotations

FADED_SHARE = 0.28
FADE_S = 0.25
"""Down to 28 % within 0.25 s (art-and-feel section 7)."""


class Fades:
    """How transparent each standing thing is at the moment."""

    def __init__(self) -> None:
        self._hidden: dict[int, float] = {}

    def advance(self, hiding: set[int], frame_s: float) -> dict[int, int]:
        """One frame on: things in ``hiding`` fade, the others come back.

        Returns alpha (0 to 255) by index of what is not fully opaque.
        """
        step = frame_s / FADE_S
        for index in hiding:
            self._hidden.setdefault(index, 0.0)
        for index in list(self._hidden):
            share = self._hidden[index] + (step if index in hiding else -step)
            if share <= 0.0:
                del self._hidden[index]
            else:
                self._hidden[index] = min(1.0, share)
        return {
            index: round(255 * (1.0 - (1.0 - FADED_SHARE) * share))
            for index, share in self._hidden.items()
        }

    def forget(self) -> None:
        """Everything is opaque again: the set of things has changed."""
        self._hidden.clear()
