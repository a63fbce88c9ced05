"""What lies over the street: the level's name, the status line, captions, key hints.

Every panel is painted only when what it says has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import pygame

from game.render.palette import InterfaceColours
from game.ui.theme import (
    CAPTION_PX,
    MARGIN_PX,
    PADDING_PX,
    SMALL_PX,
    TEXT_PX,
    TITLE_PX,
    line_of_text,
    panel,
    wrapped,
)

CAPTION_MAX_PX = 900
HINTS = (
    ("P", "pause"),
    (".", "step"),
    ("[ ]", "speed"),
    ("wheel", "zoom"),
    ("middle drag", "look around"),
    ("Home", "back"),
    ("F2", "overlays"),
    ("F12", "screenshot"),
    ("H", "hide"),
)


_Paint: TypeAlias = Callable[[], pygame.Surface]


class Status(NamedTuple):
    """What the panels say; equal ones are not painted twice."""

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


class Hud:
    """The panels of the window."""

    def __init__(self, colours: InterfaceColours) -> None:
        self.is_hidden = False
        self._colours = colours
        self._painted: dict[str, tuple[object, pygame.Surface]] = {}

    def draw(self, surface: pygame.Surface, status: Status) -> None:
        """Lay the panels over the picture; hidden, only captions stay."""
        width, height = surface.get_size()
        bottom = height - MARGIN_PX
        if not self.is_hidden:
            surface.blit(self._title(status), (MARGIN_PX, MARGIN_PX))
            chip = self._chip(status)
            surface.blit(chip, (width - chip.get_width() - MARGIN_PX, MARGIN_PX))
            hints = self._hints()
            if hints.get_width() <= width - 2 * MARGIN_PX:
                bottom -= hints.get_height()
                surface.blit(hints, ((width - hints.get_width()) // 2, bottom))
                bottom -= MARGIN_PX
        if status.caption:
            caption = self._caption(status.caption, width)
            surface.blit(
                caption, ((width - caption.get_width()) // 2, bottom - caption.get_height())
            )
        if status.is_paused and not self.is_hidden:
            pygame.draw.rect(surface, self._colours.accent, surface.get_rect(), 2)

    def _title(self, status: Status) -> pygame.Surface:
        colours = self._colours
        notice = status.notice

        def paint() -> pygame.Surface:
            title = line_of_text(status.title, TITLE_PX, colours.text, bold=True)
            details = line_of_text(
                f"{status.time_of_day} · seed {status.seed}", SMALL_PX, colours.dim
            )
            note = line_of_text(notice, SMALL_PX, colours.accent) if notice else None
            width = max(title.get_width(), details.get_width(), note.get_width() if note else 0)
            rows = [row for row in (title, details, note) if row is not None]
            height = sum(row.get_height() for row in rows)
            card = panel((width + 2 * PADDING_PX, height + PADDING_PX + 4), colours.panel).copy()
            y = PADDING_PX // 2 + 2
            for row in rows:
                card.blit(row, (PADDING_PX, y))
                y += row.get_height()
            return card

        return self._kept("title", (status.title, status.time_of_day, status.seed, notice), paint)

    def _chip(self, status: Status) -> pygame.Surface:
        """Peds, simulated time, speed, frames a second; the accent says that time is not normal."""
        colours = self._colours
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
            tempo = "paused" if status.is_paused else f"{status.speed:g}x"
            usual = status.speed == 1.0 and not status.is_paused
            parts = [
                line_of_text(people, TEXT_PX, colours.text),
                line_of_text(f"{int(minutes)}:{seconds:04.1f}", TEXT_PX, colours.text),
                line_of_text(tempo, TEXT_PX, colours.dim if usual else colours.accent),
                line_of_text(f"{status.frames_per_s} fps", TEXT_PX, colours.dim),
            ]
            gap = 20
            columns = [
                max(part.get_width(), least)
                for part, least in zip(parts, (56, 48, 44, 44), strict=True)
            ]
            card = panel((sum(columns) + gap * 3 + 2 * PADDING_PX, 30), colours.panel).copy()
            x = PADDING_PX
            for part, column in zip(parts, columns, strict=True):
                card.blit(part, (x, (30 - part.get_height()) // 2))
                x += column + gap
            return card

        return self._kept("chip", shown, paint)

    def _hints(self) -> pygame.Surface:
        colours = self._colours

        def paint() -> pygame.Surface:
            parts: list[pygame.Surface] = []
            for key, does in HINTS:
                parts.append(line_of_text(key, SMALL_PX, colours.accent, bold=True))
                parts.append(line_of_text(does, SMALL_PX, colours.dim))
            gaps = [6 if index % 2 == 0 else 16 for index in range(len(parts))]
            gaps[-1] = 0
            width = sum(part.get_width() for part in parts) + sum(gaps)
            card = panel((width + 2 * PADDING_PX, 24), colours.panel, 8).copy()
            x = PADDING_PX
            for part, gap in zip(parts, gaps, strict=True):
                card.blit(part, (x, (24 - part.get_height()) // 2))
                x += part.get_width() + gap
            return card

        return self._kept("hints", None, paint)

    def _caption(self, text: str, width: int) -> pygame.Surface:
        colours = self._colours
        most = min(CAPTION_MAX_PX, width - 2 * MARGIN_PX) - 2 * PADDING_PX

        def paint() -> pygame.Surface:
            rows = [
                line_of_text(row, CAPTION_PX, colours.text)
                for row in wrapped(text, CAPTION_PX, most)
            ]
            wide = max(row.get_width() for row in rows)
            high = sum(row.get_height() for row in rows)
            card = panel((wide + 2 * PADDING_PX, high + PADDING_PX), colours.panel).copy()
            y = PADDING_PX // 2
            for row in rows:
                card.blit(row, ((card.get_width() - row.get_width()) // 2, y))
                y += row.get_height()
            return card

        return self._kept("caption", (text, most), paint)

    def _kept(self, name: str, says: object, paint: _Paint) -> pygame.Surface:
        kept = self._painted.get(name)
        if kept is not None and kept[0] == says:
            return kept[1]
        card = paint()
        self._painted[name] = (says, card)
        return card
