"""Paints a reading onto a panel: header, sentence, foldable sections, buttons.

Header and buttons stay; the sections between them scroll. A panel is painted anew only
when something on it has changed.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum, auto
from typing import NamedTuple

import pygame

from game.ui.inspector.changes import Gliding, Glow
from game.ui.inspector.layout import Line, SectionLayout
from game.ui.inspector.measure_sheet import MeasureSheet
from game.ui.inspector.reading import Reading
from game.ui.kept_text import KeptText
from game.ui.theme import RADIUS_PX, Theme, panel

GLOW_ALPHA = 110
BAR_PX = 6
INSET_RADIUS_PX = 8
SENTENCE_LINES_MIN = 2
PRESS_SHIFT_PX = 1


class Action(Enum):
    """What a button of the panel asks for."""

    FOLLOW = auto()
    OVERLAY = auto()
    COPY = auto()


LABELS = {Action.FOLLOW: "Follow", Action.OVERLAY: "Overlay", Action.COPY: "Copy"}


class PanelState(NamedTuple):
    """What of the viewer's doing the panel shows.

    - ``size`` in px; ``closed`` sections; ``scroll`` in px from the top of the sections.
    - ``hover`` is where the mouse is from the panel's corner, None outside; ``pressed``
      is the button that was pressed a moment ago.
    - ``switched_on`` are the buttons that stand for something that is on.
    """

    size: tuple[int, int]
    closed: frozenset[str]
    scroll: int
    hover: tuple[int, int] | None
    pressed: Action | None
    switched_on: frozenset[Action]


class PaintedPanel(NamedTuple):
    """A finished panel, and in px from its corner what can be clicked on it.

    ``portrait`` is where the live head goes: it changes more often than the rest.
    """

    picture: pygame.Surface
    portrait: pygame.Rect
    folds: tuple[tuple[pygame.Rect, str], ...]
    buttons: tuple[tuple[pygame.Rect, Action], ...]
    scroll_max: int


class InspectorPainter:
    """Paints readings in one size of text; make a new one for another."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._colours = theme.colours
        self._texts = KeptText()
        self.sheet = MeasureSheet.of(theme.text_scale)
        self._layout = SectionLayout(theme.colours, self._texts, self.sheet)
        self._lines: list[Line] = []
        self._lines_of: object = None

    def paint(
        self,
        reading: Reading,
        state: PanelState,
        glow: Glow,
        bars: Gliding,
    ) -> PaintedPanel:
        """The panel of a reading."""
        sheet, colours = self.sheet, self._colours
        width, height = state.size
        picture = panel(state.size, colours.panel).copy()
        frame = pygame.Rect(sheet.padding, sheet.padding, sheet.portrait, sheet.portrait)
        top = self._header(picture, reading, frame, bars)
        top = self._sentence(picture, reading.sentence, top)
        buttons_top = height - sheet.padding - sheet.button
        buttons = self._buttons(picture, state, buttons_top)
        view = pygame.Rect(0, top, width, max(0, buttons_top - sheet.padding // 2 - top))
        lines = self._lines_for(reading, state.closed)
        content = lines[-1].top + lines[-1].height if lines else 0
        scroll_max = max(0, content - view.height)
        folds = self._sections(picture, lines, view, min(state.scroll, scroll_max), state, glow)
        if scroll_max:
            self._scroll_bar(picture, view, content, min(state.scroll, scroll_max))
        return PaintedPanel(picture, frame, folds, buttons, scroll_max)

    # -- what stays ------------------------------------------------------------

    def _header(
        self, picture: pygame.Surface, reading: Reading, frame: pygame.Rect, bars: Gliding
    ) -> int:
        """Name, mood and traits beside the portrait; returns where the next part begins."""
        sheet, colours, texts = self.sheet, self._colours, self._texts
        left = frame.right + sheet.padding
        room = sheet.width - sheet.padding - left
        name = texts.line(
            texts.shortened(reading.name, sheet.title, room, bold=True),
            sheet.title,
            colours.text,
            bold=True,
        )
        top = sheet.padding - 2
        picture.blit(name, (left, top))
        top += name.get_height()
        subtitle = texts.line(
            texts.shortened(reading.subtitle, sheet.small, room), sheet.small, colours.dim
        )
        picture.blit(subtitle, (left, top))
        top += subtitle.get_height() + sheet.gap
        bottom = self._traits(picture, reading, bars, left, top, room)
        return max(frame.bottom, bottom) + sheet.padding

    def _traits(
        self,
        picture: pygame.Surface,
        reading: Reading,
        bars: Gliding,
        left: int,
        top: int,
        room: int,
    ) -> int:
        """Bars in two columns, or one under the other where large text leaves no room."""
        sheet, colours = self.sheet, self._colours
        names = [self._texts.line(trait.name, sheet.small, colours.dim) for trait in reading.traits]
        widest = max((name.get_width() for name in names), default=0)
        columns = 2 if room // 2 >= widest + 3 * sheet.padding else 1
        column = room // columns
        for index, (trait, name) in enumerate(zip(reading.traits, names, strict=True)):
            x = left + index % columns * column
            y = top + index // columns * (name.get_height() + 1)
            picture.blit(name, (x, y))
            trough = pygame.Rect(
                x + widest + 6,
                y + (name.get_height() - BAR_PX) // 2 + 1,
                column - widest - 6 - (sheet.gap * 2 if index % columns < columns - 1 else 0),
                BAR_PX,
            )
            pygame.draw.rect(picture, colours.inset, trough, border_radius=BAR_PX // 2)
            filled = trough.copy()
            filled.width = max(BAR_PX, round(trough.width * bars.value(trait.name)))
            pygame.draw.rect(picture, colours.info, filled, border_radius=BAR_PX // 2)
        rows = -(-len(names) // columns)
        return top + rows * (names[0].get_height() + 1) if names else top

    def _sentence(self, picture: pygame.Surface, sentence: str, top: int) -> int:
        """The sentence on an inset of at least two lines, so that nothing below it jumps."""
        sheet, colours = self.sheet, self._colours
        inner = sheet.inner - 2 * sheet.padding
        words = self._texts.wrapped(sentence, sheet.text, inner)
        line = self._texts.line(" ", sheet.text, colours.text).get_height() - 2
        box = pygame.Rect(
            sheet.padding,
            top,
            sheet.inner,
            max(SENTENCE_LINES_MIN, len(words)) * line + 3 * sheet.gap,
        )
        picture.blit(panel(box.size, colours.inset, INSET_RADIUS_PX), box)
        y = box.top + (box.height - len(words) * line) // 2 - 1
        for row in words:
            picture.blit(
                self._texts.line(row, sheet.text, colours.text), (box.left + sheet.padding, y)
            )
            y += line
        return box.bottom + sheet.gap

    def _buttons(
        self, picture: pygame.Surface, state: PanelState, top: int
    ) -> tuple[tuple[pygame.Rect, Action], ...]:
        sheet, colours = self.sheet, self._colours
        gap = sheet.gap + 2
        each = (sheet.inner - gap * (len(LABELS) - 1)) // len(LABELS)
        found = []
        for index, (action, words) in enumerate(LABELS.items()):
            box = pygame.Rect(sheet.padding + index * (each + gap), top, each, sheet.button)
            is_on = action in state.switched_on
            ground = colours.accent if is_on else colours.inset
            if state.hover is not None and box.collidepoint(state.hover):
                ground = self._theme.lightened(ground)
            shown = box.move(0, PRESS_SHIFT_PX if action is state.pressed else 0)
            pygame.draw.rect(picture, ground, shown, border_radius=INSET_RADIUS_PX)
            tone = colours.panel if is_on else colours.text
            label = self._texts.line(words, sheet.row, tone, bold=is_on)
            picture.blit(label, label.get_rect(center=shown.center))
            found.append((box, action))
        return tuple(found)

    # -- what scrolls ----------------------------------------------------------

    def _lines_for(self, reading: Reading, closed: Collection[str]) -> list[Line]:
        wanted = (reading.sections, closed)
        if wanted != self._lines_of:
            self._lines = self._layout.lines(reading.sections, closed)
            self._lines_of = wanted
        return self._lines

    def _sections(
        self,
        picture: pygame.Surface,
        lines: list[Line],
        view: pygame.Rect,
        scroll: int,
        state: PanelState,
        glow: Glow,
    ) -> tuple[tuple[pygame.Rect, str], ...]:
        """Blit the lines in view; returns where the titles lie."""
        sheet, colours = self.sheet, self._colours
        folds: list[tuple[pygame.Rect, str]] = []
        picture.set_clip(view)
        for line in lines:
            top = view.top + line.top - scroll
            if top + line.height <= view.top:
                continue
            if top >= view.bottom:
                break
            box = pygame.Rect(sheet.padding // 2, top, sheet.width - sheet.padding, line.height)
            if line.folds:
                seen = box.clip(view)
                folds.append((seen, line.folds))
                if state.hover is not None and seen.collidepoint(state.hover):
                    pygame.draw.rect(picture, colours.inset, box, border_radius=6)
            strength = glow.strength(line.row)
            if strength > 0.0:
                lit = pygame.Surface(box.size, pygame.SRCALPHA)
                pygame.draw.rect(
                    lit,
                    (*colours.accent, round(GLOW_ALPHA * strength)),
                    lit.get_rect(),
                    border_radius=4,
                )
                picture.blit(lit, box)
            for piece in line.pieces:
                picture.blit(piece.picture, (piece.left, top + piece.top))
        picture.set_clip(None)
        return tuple(folds)

    def _scroll_bar(
        self, picture: pygame.Surface, view: pygame.Rect, content: int, scroll: int
    ) -> None:
        height = max(12, view.height * view.height // content)
        top = view.top + (view.height - height) * scroll // max(1, content - view.height)
        bar = pygame.Rect(self.sheet.width - 6, top, 3, height)
        pygame.draw.rect(picture, self._colours.dim, bar, border_radius=RADIUS_PX)
