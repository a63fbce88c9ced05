"""F1: the scene dims, and every key is written where it acts.

Buttons get their key on them and their name above; what has no button stands in cards
by what it is for. Any key or click goes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pygame

from game.ui.commands import INFO, Command
from game.ui.screen import Next
from game.ui.theme import (
    GRID_PX,
    MARGIN_PX,
    PADDING_PX,
    SMALL_PX,
    TEXT_PX,
    TEXT_SCALES,
    TITLE_PX,
    line_of_text,
    panel,
)
from game.ui.toolbar import Toolbar
from game.ui.window_context import WindowContext

if TYPE_CHECKING:
    from game.ui.street_window import StreetWindow

DIM_ALPHA = 150
NAMES_UNTIL = 1.5
"""From this text size on names would lie over each other; keys stay, and so do tooltips."""

NAME_STOREYS = 3

_Row = tuple[str, str]


def _keys(*commands: Command) -> tuple[_Row, ...]:
    return tuple((INFO[one].key_name, INFO[one].name.lower()) for one in commands)


CARDS: tuple[tuple[str, tuple[_Row, ...]], ...] = (
    (
        "You",
        (
            ("WASD, arrows", "walk"),
            ("Shift", "run"),
            ("Space", "shove what stands before you"),
        ),
    ),
    (
        "Orders",
        (
            ("click", "choose a person"),
            ("drag", "choose all in a box"),
            ("Ctrl+click", "one more, or one less"),
            ("right click", "go there: ground, car, thing"),
            ("O, or right click on them", "hold, continue, redirect, cancel"),
        ),
    ),
    (
        "Looking",
        (
            ("wheel", "zoom to the mouse"),
            ("middle drag", "look around"),
            ("Home", "follow again"),
            ("Page Up, Page Down", "steeper, flatter"),
            ("Alt+1, 2, 3 ...", "one overlay on or off"),
        ),
    ),
    (
        "Window",
        (
            ("F11, Alt+Enter", "full screen"),
            *_keys(Command.HIDE),
        ),
    ),
    (
        "Gamepad",
        (
            ("left stick", "walk"),
            ("A", "run"),
            ("right stick", "point"),
            ("press it", "choose a person, or a box"),
            ("B", "go there, or orders"),
            ("X", "shove"),
            ("Y", "pause"),
            ("LB, RB", "ring of tools"),
            ("Start", "menu"),
        ),
    ),
)


class HelpScreen:
    """Every key over a dimmed street."""

    def __init__(self, below: StreetWindow, context: WindowContext, toolbar: Toolbar) -> None:
        self._below = below
        self._context = context
        self._toolbar = toolbar

    def hear(self, event: pygame.event.Event) -> Next:
        """Any key, button or click goes back; the window system's events go on below."""
        match event.type:
            case pygame.KEYDOWN | pygame.MOUSEBUTTONDOWN | pygame.CONTROLLERBUTTONDOWN:
                return self._below
            case pygame.MOUSEMOTION | pygame.MOUSEBUTTONUP | pygame.MOUSEWHEEL:
                return self
            case _:
                goes_on = self._below.hear(event)
                return self if goes_on is self._below else goes_on

    def advance(self, frame_s: float) -> None:
        """Time stands still while one reads."""

    def draw(self, frame_s: float) -> None:
        """What lies below, dimmed, and the keys."""
        self._below.draw_bare(frame_s)
        surface = self._context.display.surface
        dim = pygame.Surface(surface.get_size())
        dim.fill(self._context.theme.colours.panel)
        dim.set_alpha(DIM_ALPHA)
        surface.blit(dim, (0, 0))
        bar = self._toolbar.place(surface.get_size())
        top = bar.top
        if self._context.theme.text_scale < NAMES_UNTIL:
            top = self._draw_names(surface, bar)
        self._draw_keys(surface)
        self._draw_cards(surface, top)

    # -- on the toolbar --------------------------------------------------------------

    def _draw_keys(self, surface: pygame.Surface) -> None:
        """The key of each button, on the button."""
        theme = self._context.theme
        for command, box in self._toolbar.boxes:
            key = line_of_text(
                INFO[command].key_name, theme.px(SMALL_PX), theme.colours.accent, bold=True
            )
            pill = key.get_rect().inflate(2 * GRID_PX, 0)
            pill.center = (box.centerx, box.bottom - GRID_PX)
            surface.blit(panel(pill.size, theme.colours.panel, 6, 245), pill)
            surface.blit(key, key.get_rect(center=pill.center))

    def _draw_names(self, surface: pygame.Surface, bar: pygame.Rect) -> int:
        """The name of each button in two storeys, joined to it; returns where they begin."""
        theme = self._context.theme
        colours = theme.colours
        top = bar.top
        for index, (command, box) in enumerate(self._toolbar.boxes):
            name = line_of_text(INFO[command].name, theme.px(SMALL_PX), colours.text)
            card = name.get_rect().inflate(2 * GRID_PX, GRID_PX)
            storey = index % NAME_STOREYS
            card.midbottom = (
                box.centerx,
                bar.top - MARGIN_PX - storey * (card.height + GRID_PX),
            )
            pygame.draw.line(surface, colours.dim, card.midbottom, box.midtop)
            surface.blit(panel(card.size, colours.inset, 6, 245), card)
            surface.blit(name, name.get_rect(center=card.center))
            top = min(top, card.top)
        return top

    # -- the cards ---------------------------------------------------------------------

    def _draw_cards(self, surface: pygame.Surface, bottom: int) -> None:
        """All cards in rows over the toolbar, with text as large as there is room for."""
        room = (surface.get_width() - 2 * MARGIN_PX, bottom - 2 * MARGIN_PX)
        for scale in reversed(TEXT_SCALES):
            rows = self._rows(min(scale, self._context.theme.text_scale), room[0])
            heights = [max(card.get_height() for card in row) for row in rows]
            total = sum(heights) + MARGIN_PX * (len(rows) - 1)
            if total <= room[1]:
                break
        y = max(MARGIN_PX, (bottom - total) // 2)
        for row, height in zip(rows, heights, strict=True):
            width = sum(card.get_width() + MARGIN_PX for card in row) - MARGIN_PX
            x = (surface.get_width() - width) // 2
            for card in row:
                surface.blit(card, (x, y))
                x += card.get_width() + MARGIN_PX
            y += height + MARGIN_PX

    def _rows(self, scale: float, room_px: int) -> list[list[pygame.Surface]]:
        rows: list[list[pygame.Surface]] = [[]]
        for title, lines in CARDS:
            card = self._card(title, lines, scale)
            used = sum(one.get_width() + MARGIN_PX for one in rows[-1])
            if rows[-1] and used + card.get_width() > room_px:
                rows.append([])
            rows[-1].append(card)
        return rows

    def _card(self, title: str, rows: Sequence[_Row], scale: float) -> pygame.Surface:
        colours, size = self._context.theme.colours, round(TEXT_PX * scale)
        head = line_of_text(title, round(TITLE_PX * scale), colours.text, bold=True)
        lines = [
            (
                line_of_text(key, size, colours.accent, bold=True),
                line_of_text(does, size, colours.text),
            )
            for key, does in rows
        ]
        keys = max(key.get_width() for key, _ in lines)
        words = max(does.get_width() for _, does in lines)
        step, gap = lines[0][0].get_height(), PADDING_PX
        width = max(keys + gap + words, head.get_width()) + 2 * PADDING_PX
        height = head.get_height() + GRID_PX + step * len(lines) + 2 * PADDING_PX
        card = panel((width, height), colours.panel, alpha=245).copy()
        card.blit(head, (PADDING_PX, PADDING_PX))
        y = PADDING_PX + head.get_height() + GRID_PX
        for key, does in lines:
            card.blit(key, (PADDING_PX + keys - key.get_width(), y))
            card.blit(does, (PADDING_PX + keys + gap, y))
            y += step
        return card
