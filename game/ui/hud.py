"""What lies over the street: the level's name and objectives, status, hint, captions.

Every panel is painted only when what it says has changed. All sizes go with the
text size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import pygame

from game.render.colours import Colour
from game.render.glyphs import CUT, Dot, Glyph, Line, paint_glyph, points
from game.ui.session import Mark, Objective
from game.ui.theme import (
    CAPTION_PX,
    GRID_PX,
    MARGIN_PX,
    PADDING_PX,
    SMALL_PX,
    TEXT_PX,
    TITLE_PX,
    Theme,
    line_of_text,
    panel,
    wrapped,
)

CAPTION_MAX_PX = 900
OBJECTIVES_PX = 268
MARK_PX = 14
HINT_PX = 24
CHIP_PX = 30
COLUMN_GAP_PX = 20
COLUMNS_PX = (56, 48, 44, 44)
"""Least widths of the columns of the status, so that nothing jumps as numbers run."""

PAUSE_FRAME_PX = 2

MARKS: dict[Mark, Glyph] = {
    Mark.OPEN: (Dot("dim", 12.0, 12.0, 11.0), Dot(CUT, 12.0, 12.0, 8.8)),
    Mark.REACHED: (
        Dot("good", 12.0, 12.0, 11.0),
        Line("sign", 3.4, points("6.5,12.5 10.5,16.5 17.5,8")),
    ),
    Mark.MISSED: (
        Dot("bad", 12.0, 12.0, 11.0),
        Line("sign", 3.4, points("8,8 16,16")),
        Line("sign", 3.4, points("16,8 8,16")),
    ),
}
"""A ring, a tick, a cross: shapes, not hues alone."""

_Paint: TypeAlias = Callable[[], pygame.Surface]


class Hint(NamedTuple):
    """What can be done now: the tool's name and what the mouse does with it."""

    tool: str
    words: str


NO_HINT = Hint("", "")


class Status(NamedTuple):
    """What the panels say; equal ones are not painted twice.

    - ``notice`` takes the place of the hint.
    """

    title: str
    time_of_day: str
    seed: int
    peds: int
    time_s: float
    speed: float
    frames_per_s: int
    is_paused: bool
    caption: str = ""
    notice: str = ""
    hint: Hint = NO_HINT
    objectives: tuple[Objective, ...] = ()


class Hud:
    """The panels of the window."""

    def __init__(self, theme: Theme) -> None:
        self.title_box = pygame.Rect(MARGIN_PX, MARGIN_PX, 0, 0)
        """Where name and objectives lay when last drawn, with the status if it is under them."""
        self._theme = theme
        self._painted: dict[str, tuple[object, pygame.Surface]] = {}

    def draw(self, surface: pygame.Surface, status: Status, floor_y: int, out: float = 0.0) -> None:
        """Lay the panels over the picture.

        - ``floor_y`` is where the toolbar begins.
        - ``out``, 0 to 1, is how far everything but captions has slid out.
        """
        width = surface.get_width()
        if out < 1.0:
            self._draw_top(surface, status, out)
            floor_y = self._draw_hint(surface, status, floor_y, out)
        if status.caption:
            caption = self._caption(status.caption, width)
            surface.blit(
                caption,
                ((width - caption.get_width()) // 2, floor_y - GRID_PX - caption.get_height()),
            )

    def _draw_top(self, surface: pygame.Surface, status: Status, out: float) -> None:
        title, chip = self._title(status), self._chip(status)
        up = round(out * (MARGIN_PX + title.get_height()))
        self.title_box = surface.blit(title, (MARGIN_PX, MARGIN_PX - up))
        free = surface.get_width() - title.get_width() - chip.get_width() - 3 * MARGIN_PX
        if free >= 0:
            at = (surface.get_width() - chip.get_width() - MARGIN_PX, MARGIN_PX - up)
        else:
            at = (MARGIN_PX, MARGIN_PX + GRID_PX + title.get_height() - 2 * up)
        box = surface.blit(chip, at)
        if free < 0:
            self.title_box = self.title_box.union(box)
        if status.is_paused:
            frame = surface.get_rect()
            pygame.draw.rect(surface, self._theme.colours.accent, frame, PAUSE_FRAME_PX)

    def _draw_hint(self, surface: pygame.Surface, status: Status, floor_y: int, out: float) -> int:
        """Draw the hint or the notice; returns where it begins, or would."""
        if not status.notice and status.hint == NO_HINT:
            return floor_y - GRID_PX - self._theme.px(HINT_PX)
        widest = surface.get_width() - 2 * MARGIN_PX
        card = self._notice(status.notice, widest) if status.notice else self._hint(status.hint)
        if card.get_width() > widest:
            return floor_y
        top = floor_y - GRID_PX - card.get_height()
        down = round(out * (surface.get_height() - top))
        surface.blit(card, ((surface.get_width() - card.get_width()) // 2, top + down))
        return top

    # -- the panels --------------------------------------------------------------

    def _title(self, status: Status) -> pygame.Surface:
        """The level's name; under it what it wants to come to pass."""
        colours, px = self._theme.colours, self._theme.px

        def paint() -> pygame.Surface:
            title = line_of_text(status.title, px(TITLE_PX), colours.text, bold=True)
            details = line_of_text(
                f"{status.time_of_day} · seed {status.seed}", px(SMALL_PX), colours.dim
            )
            if not status.objectives:
                return _stacked((title, details), colours.panel)
            return self._with_objectives(title, details, status.objectives)

        says = (status.title, status.time_of_day, status.seed, status.objectives)
        return self._kept("title", says, paint)

    def _with_objectives(
        self, title: pygame.Surface, details: pygame.Surface, objectives: tuple[Objective, ...]
    ) -> pygame.Surface:
        """Title and details in one line, then the objectives, each with its mark."""
        colours, px = self._theme.colours, self._theme.px
        side, size = px(MARK_PX), px(TEXT_PX)
        width = max(px(OBJECTIVES_PX), title.get_width() + details.get_width() + 3 * PADDING_PX)
        indent = PADDING_PX + side + 2 * GRID_PX
        blocks = [
            [
                line_of_text(row, size, colours.text if one.mark is Mark.OPEN else colours.dim)
                for row in wrapped(one.words, size, width - indent - PADDING_PX)
            ]
            for one in objectives
        ]
        step = blocks[0][0].get_height()
        lines = sum(len(block) for block in blocks)
        height = title.get_height() + step * lines + 2 * GRID_PX + PADDING_PX
        card = panel((width, height), colours.panel).copy()
        y = PADDING_PX // 2
        card.blit(title, (PADDING_PX, y))
        right = width - PADDING_PX - details.get_width()
        card.blit(details, (right, y + (title.get_height() - details.get_height()) // 2))
        y += title.get_height() + GRID_PX
        for one, block in zip(objectives, blocks, strict=True):
            mark = self._mark(one.mark, side)
            card.blit(mark, (PADDING_PX, y + (step - side) // 2))
            for row in block:
                card.blit(row, (indent, y))
                y += step
        return card

    def _mark(self, mark: Mark, side: int) -> pygame.Surface:
        colours = self._theme.colours
        tones = {"dim": colours.dim, "good": colours.good, "bad": colours.bad}
        return paint_glyph(MARKS[mark], side, tones | {"sign": colours.panel})

    def _chip(self, status: Status) -> pygame.Surface:
        """Peds, simulated time, speed, frames a second; the accent says that time is not normal."""
        colours, px = self._theme.colours, self._theme.px
        shown = (
            status.peds,
            int(status.time_s * 10.0),
            status.speed,
            status.frames_per_s,
            status.is_paused,
        )

        def paint() -> pygame.Surface:
            minutes, seconds = divmod(int(status.time_s * 10.0) / 10.0, 60.0)
            people = "1 ped" if status.peds == 1 else f"{status.peds} peds"
            tempo = "paused" if status.is_paused else f"{status.speed:g}×"
            usual = status.speed == 1.0 and not status.is_paused
            size = px(TEXT_PX)
            parts = [
                line_of_text(people, size, colours.text),
                line_of_text(f"{int(minutes)}:{seconds:04.1f}", size, colours.text),
                line_of_text(tempo, size, colours.dim if usual else colours.accent),
                line_of_text(f"{status.frames_per_s} fps", size, colours.dim),
            ]
            columns = [
                max(part.get_width(), px(least))
                for part, least in zip(parts, COLUMNS_PX, strict=True)
            ]
            gap, height = px(COLUMN_GAP_PX), px(CHIP_PX)
            width = sum(columns) + gap * (len(columns) - 1) + 2 * PADDING_PX
            card = panel((width, height), colours.panel).copy()
            x = PADDING_PX
            for part, column in zip(parts, columns, strict=True):
                card.blit(part, (x, (height - part.get_height()) // 2))
                x += column + gap
            return card

        return self._kept("chip", shown, paint)

    def _hint(self, hint: Hint) -> pygame.Surface:
        colours, px = self._theme.colours, self._theme.px

        def paint() -> pygame.Surface:
            size = px(TEXT_PX)
            parts = (
                line_of_text(hint.tool, size, colours.accent, bold=True),
                line_of_text(hint.words, size, colours.dim),
            )
            gap = px(10)
            width = sum(part.get_width() for part in parts) + gap + 2 * PADDING_PX
            height = max(px(HINT_PX), parts[0].get_height())
            card = panel((width, height), colours.panel, 8).copy()
            x = PADDING_PX
            for part in parts:
                card.blit(part, (x, (height - part.get_height()) // 2))
                x += part.get_width() + gap
            return card

        return self._kept("hint", hint, paint)

    def _notice(self, words: str, widest: int) -> pygame.Surface:
        colours, size = self._theme.colours, self._theme.px(TEXT_PX)

        def paint() -> pygame.Surface:
            rows = wrapped(words, size, widest - 2 * PADDING_PX)
            return _stacked(
                [line_of_text(row, size, colours.accent) for row in rows], colours.panel
            )

        return self._kept("notice", (words, widest), paint)

    def _caption(self, text: str, width: int) -> pygame.Surface:
        colours, size = self._theme.colours, self._theme.px(CAPTION_PX)
        most = min(self._theme.px(CAPTION_MAX_PX), width - 2 * MARGIN_PX) - 2 * PADDING_PX

        def paint() -> pygame.Surface:
            rows = [line_of_text(row, size, colours.text) for row in wrapped(text, size, most)]
            return _stacked(rows, colours.panel, centred=True)

        return self._kept("caption", (text, most), paint)

    def _kept(self, name: str, says: object, paint: _Paint) -> pygame.Surface:
        key = (self._theme.text_scale, says)
        kept = self._painted.get(name)
        if kept is not None and kept[0] == key:
            return kept[1]
        card = paint()
        self._painted[name] = (key, card)
        return card


def _stacked(
    rows: tuple[pygame.Surface, ...] | list[pygame.Surface],
    colour: Colour,
    *,
    centred: bool = False,
) -> pygame.Surface:
    """Lines of text on a panel, one under the other."""
    width = max(row.get_width() for row in rows) + 2 * PADDING_PX
    height = sum(row.get_height() for row in rows) + PADDING_PX
    card = panel((width, height), colour).copy()
    y = PADDING_PX // 2
    for row in rows:
        x = (width - row.get_width()) // 2 if centred else PADDING_PX
        card.blit(row, (x, y))
        y += row.get_height()
    return card
