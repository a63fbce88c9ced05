"""Rings that open on the ground where something was just done: the press is seen at once."""

from __future__ import annotations

from ai.ports import Vec3
from game.render.picture import Aim

PING_S = 0.4
GROWTH = 1.6


class Pings:
    """Those that are still opening, on the viewer's clock."""

    def __init__(self) -> None:
        self._open: list[tuple[Vec3, float]] = []

    def open_at(self, places: tuple[Vec3, ...]) -> None:
        """Begin one at each place."""
        self._open += [(place, 0.0) for place in places]

    def advance(self, frame_s: float) -> None:
        """Go on by the time of a frame."""
        self._open = [
            (place, age_s + frame_s) for place, age_s in self._open if age_s + frame_s < PING_S
        ]

    def aims(self) -> tuple[Aim, ...]:
        """How they look now: wider and fainter with time."""
        return tuple(
            Aim(place, 1.0 + GROWTH * age_s / PING_S, 1.0 - age_s / PING_S)
            for place, age_s in self._open
        )
