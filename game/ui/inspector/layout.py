"""Lays a reading's sections out as lines: what stands where, before anything is blitted.

Coordinates are px from the left edge of the panel and the top of the scrolled part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import pygame

from game.render.colours import Colour
from game.render.palette import InterfaceColours
from game.ui.inspector.measure_sheet import MeasureSheet
from game.ui.inspector.reading import Row, Section, SlotMark, Tone
from game.ui.kept_text import KeptText

SECTION_GAP_PX = 4
BRANCH_PX = 10
"""How far a branch of a tree is set in."""

TAIL_GAP_PX = 6
LABEL_CHAR_SHARE = 0.56
"""Mean width of a letter as a share of the text size."""

SUMMARY_AT = 4.4
"""Where a closed section's summary begins, in text sizes from the title."""


class Piece(NamedTuple):
    """A picture and where it lies from the line's top left corner."""

    picture: pygame.Surface
    left: int
    top: int


class Line(NamedTuple):
    """One line of the body.

    - ``row`` is (section key, row key) of the row it belongs to, None for a title.
    - ``folds`` is the key of the section that a click on it folds, or empty.
    """

    top: int
    height: int
    pieces: tuple[Piece, ...]
    row: tuple[str, str] | None = None
    folds: str = ""


class SectionLayout:
    """Turns sections into lines with one set of colours, sizes and kept texts."""

    def __init__(self, colours: InterfaceColours, texts: KeptText, sheet: MeasureSheet) -> None:
        self._colours = colours
        self._texts = texts
        self._sheet = sheet
        self._tones: dict[Tone, Colour] = {
            Tone.TEXT: colours.text,
            Tone.DIM: colours.dim,
            Tone.ACCENT: colours.accent,
            Tone.GOOD: colours.good,
            Tone.BAD: colours.bad,
            Tone.INFO: colours.info,
        }
        self._drawn: dict[object, pygame.Surface] = {}

    def lines(self, sections: tuple[Section, ...], closed: Collection[str]) -> list[Line]:
        """All lines from the top; ``closed`` names the sections of which only a title is shown."""
        lines: list[Line] = []
        top = 0
        for section in sections:
            is_closed = section.key in closed
            lines.append(self._title(section, top, is_closed))
            top += lines[-1].height
            if not is_closed:
                for row in section.rows:
                    for line in self._row(section, row, top):
                        lines.append(line)
                        top += line.height
                top += SECTION_GAP_PX
        return lines

    # -- a title ---------------------------------------------------------------

    def _title(self, section: Section, top: int, is_closed: bool) -> Line:
        sheet, colours = self._sheet, self._colours
        height = sheet.line + sheet.gap
        title = self._texts.line(section.title, sheet.small, colours.accent, bold=True)
        pieces = [Piece(title, sheet.padding, (height - title.get_height()) // 2)]
        arrow = self._kept(("arrow", is_closed), lambda: _arrow(sheet.small, colours, is_closed))
        arrow_left = sheet.width - sheet.padding - arrow.get_width()
        pieces.append(Piece(arrow, arrow_left, (height - arrow.get_height()) // 2))
        if is_closed:
            left = sheet.padding + round(SUMMARY_AT * sheet.small)
            room = arrow_left - left - sheet.gap
            words = self._texts.shortened(section.summary, sheet.row, room)
            summary = self._texts.line(words, sheet.row, colours.text)
            pieces.append(Piece(summary, left, (height - summary.get_height()) // 2))
        return Line(top, height, tuple(pieces), folds=section.key)

    # -- a row -----------------------------------------------------------------

    def _row(self, section: Section, row: Row, top: int) -> list[Line]:
        sheet, texts = self._sheet, self._texts
        colour = self._tones[row.tone]
        left = sheet.padding + max(0, row.depth - 1) * BRANCH_PX
        first: list[Piece] = []
        if row.depth:
            elbow = self._kept("elbow", lambda: _elbow(sheet.line, self._colours))
            first.append(Piece(elbow, left + sheet.gap, 0))
            left += BRANCH_PX + sheet.gap
        if section.label_chars:
            label = texts.line(row.label, sheet.row, self._colours.dim)
            first.append(self._placed(label, left))
            left += round(section.label_chars * LABEL_CHAR_SHARE * sheet.row)
        right = sheet.width - sheet.padding
        if row.slots:
            marks = self._kept(row.slots, lambda: _marks(row.slots, sheet.small, self._colours))
            right -= marks.get_width()
            first.append(self._placed(marks, right))
            right -= sheet.gap
        rest: list[list[Piece]] = [
            [self._placed(texts.line(words, sheet.row, colour), left)]
            for words in texts.wrapped(row.text, sheet.row, right - left)
        ] or [[]]
        self._add_tail(row, rest, left, right)
        rest[0] = first + rest[0]
        owner = (section.key, row.key)
        return [
            Line(top + index * sheet.line, sheet.line, tuple(pieces), owner)
            for index, pieces in enumerate(rest)
        ]

    def _add_tail(self, row: Row, rest: list[list[Piece]], left: int, right: int) -> None:
        """Put what runs behind the text; under it where there is no room."""
        if not row.tail:
            return
        colours, sheet = self._colours, self._sheet
        tone = self._colours.dim if row.text else colours.text
        size = sheet.small if row.text else sheet.row
        words = self._texts.shortened(row.tail, size, right - left)
        tail = self._texts.line(words, size, tone)
        last = rest[-1]
        start = left
        if last:
            start = last[-1].left + last[-1].picture.get_width() + TAIL_GAP_PX
            if start + tail.get_width() > right:
                rest.append([self._placed(tail, left)])
                return
        last.append(self._placed(tail, start))

    def _placed(self, picture: pygame.Surface, left: int) -> Piece:
        """A picture in the middle of a line's height."""
        return Piece(picture, left, (self._sheet.line - picture.get_height()) // 2)

    def _kept(self, key: object, paint: Callable[[], pygame.Surface]) -> pygame.Surface:
        picture = self._drawn.get(key)
        if picture is None:
            picture = self._drawn[key] = paint()
        return picture


def _arrow(size: int, colours: InterfaceColours, is_closed: bool) -> pygame.Surface:
    """A small triangle: to the right while closed, down while open."""
    side = max(6, round(size * 0.7))
    picture = pygame.Surface((side, side), pygame.SRCALPHA)
    half = side / 2
    if is_closed:
        corners = [(side * 0.25, 0.0), (side * 0.75, half), (side * 0.25, side - 1.0)]
    else:
        corners = [(0.0, side * 0.25), (side - 1.0, side * 0.25), (half, side * 0.75)]
    pygame.draw.polygon(picture, colours.dim, corners)
    return picture


def _elbow(height: int, colours: InterfaceColours) -> pygame.Surface:
    """The branch of a tree: down, then to the right."""
    picture = pygame.Surface((BRANCH_PX - 3, height), pygame.SRCALPHA)
    line = (*colours.dim, 150)
    middle = height // 2
    pygame.draw.line(picture, line, (1, 0), (1, middle))
    pygame.draw.line(picture, line, (1, middle), (BRANCH_PX - 5, middle))
    return picture


def _marks(slots: tuple[SlotMark, ...], size: int, colours: InterfaceColours) -> pygame.Surface:
    """One little box a slot: filled while active, open while aborted, a bar while it waits."""
    side = max(6, round(size * 0.7))
    step = side + 4
    picture = pygame.Surface((step * len(slots) - 4, side), pygame.SRCALPHA)
    for index, slot in enumerate(slots):
        box = pygame.Rect(index * step, 0, side, side)
        match slot:
            case SlotMark.ACTIVE:
                pygame.draw.rect(picture, colours.accent, box, border_radius=2)
            case SlotMark.ABORTED:
                pygame.draw.rect(picture, colours.info, box, 2, border_radius=2)
            case SlotMark.WAITING:
                bar = pygame.Rect(box.left, box.centery - 1, side, 3)
                pygame.draw.rect(picture, colours.dim, bar)
            case SlotMark.EMPTY:
                pygame.draw.circle(picture, (*colours.dim, 130), box.center, 1.5)
    return picture
