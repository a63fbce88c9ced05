"""Sizes of the inspector's panel at a text size of 100 to 200 % (art-and-feel section 13)."""

from __future__ import annotations

from typing import NamedTuple

from game.ui.inspector.portrait import SIZE_PX
from game.ui.theme import GRID_PX, PADDING_PX, SMALL_PX, TEXT_PX, TITLE_PX

TEXT_SCALE_MIN = 1.0
TEXT_SCALE_MAX = 2.0
WIDTH_PX = 300
WIDTH_AT_MAX_PX = 420
HEIGHT_PX = 566


class MeasureSheet(NamedTuple):
    """All in px. Text grows with the scale, the panel's width less, so that the street stays."""

    width: int
    padding: int
    gap: int
    title: int
    text: int
    row: int
    small: int
    line: int
    portrait: int
    button: int

    @classmethod
    def of(cls, text_scale: float) -> MeasureSheet:
        """The sheet of a text scale, held to 1 to 2."""
        scale = min(max(text_scale, TEXT_SCALE_MIN), TEXT_SCALE_MAX)
        share = (scale - TEXT_SCALE_MIN) / (TEXT_SCALE_MAX - TEXT_SCALE_MIN)
        width = round(WIDTH_PX + (WIDTH_AT_MAX_PX - WIDTH_PX) * share)
        return cls(
            width=width,
            padding=PADDING_PX,
            gap=GRID_PX,
            title=round(TITLE_PX * scale),
            text=round(TEXT_PX * scale),
            row=round((TEXT_PX - 1) * scale),
            small=round(SMALL_PX * scale),
            line=round((TEXT_PX + GRID_PX - 1) * scale),
            portrait=round(SIZE_PX * width / WIDTH_PX),
            button=round(28 * scale),
        )

    @property
    def inner(self) -> int:
        """Width between the paddings."""
        return self.width - 2 * self.padding
