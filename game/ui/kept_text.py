"""Rendered lines of text that are kept, for panels that say the same things again and again."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import NamedTuple

import pygame

from game.render.colours import Colour
from game.render.fonts import font
from game.ui.theme import line_of_text

LINES_KEPT = 800
WRAPS_KEPT = 400
ELLIPSIS = "…"

_UNBROKEN = re.compile(r"\d[\d.]* (?:m|s|cm)\b\S*|\S+")
"""A word, or a number with its unit: neither is broken over two lines."""


class _Style(NamedTuple):
    text: str
    size: int
    colour: Colour
    bold: bool


class KeptText:
    """Renders, wraps and shortens text; the least recently used is forgotten first."""

    def __init__(self) -> None:
        self._lines: OrderedDict[_Style, pygame.Surface] = OrderedDict()
        self._wraps: OrderedDict[tuple[str, int, int], tuple[str, ...]] = OrderedDict()

    def line(self, text: str, size: int, colour: Colour, *, bold: bool = False) -> pygame.Surface:
        """One line; shared, not to be drawn on."""
        style = _Style(text, size, colour, bold)
        line = self._lines.get(style)
        if line is None:
            line = self._lines[style] = line_of_text(text, size, colour, bold=bold)
            if len(self._lines) > LINES_KEPT:
                self._lines.popitem(last=False)
        else:
            self._lines.move_to_end(style)
        return line

    def wrapped(self, text: str, size: int, width_px: int) -> tuple[str, ...]:
        """The text in lines no wider than ``width_px``; a word that is too long is shortened."""
        key = (text, size, width_px)
        lines = self._wraps.get(key)
        if lines is None:
            lines = self._wraps[key] = tuple(
                self.shortened(line, size, width_px) for line in _broken(text, size, width_px)
            )
            if len(self._wraps) > WRAPS_KEPT:
                self._wraps.popitem(last=False)
        return lines

    def shortened(self, text: str, size: int, width_px: int, *, bold: bool = False) -> str:
        """The text, or as much of its beginning as fits before an ellipsis."""
        measure = font(size, bold=bold)
        if measure.size(text)[0] <= width_px:
            return text
        fits, too_long = 0, len(text)
        while fits + 1 < too_long:
            middle = (fits + too_long) // 2
            if measure.size(text[:middle].rstrip() + ELLIPSIS)[0] <= width_px:
                fits = middle
            else:
                too_long = middle
        return text[:fits].rstrip() + ELLIPSIS


def _broken(text: str, size: int, width_px: int) -> list[str]:
    lines: list[str] = []
    measure = font(size)
    for word in _UNBROKEN.findall(text):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure.size(longer)[0] <= width_px:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
