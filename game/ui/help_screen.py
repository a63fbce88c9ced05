"""F1: the scene dims, and every key is written where it acts.

Buttons get their key and name over them; what has no button stands in cards by the
device that does it. Any key or click goes back.
"""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from game.ui.commands import INFO, Command
from game.ui.screen import Next, Screen
from game.ui.theme import (
    GRID_PX,
    MARGIN_PX,
    PADDING_PX,
    SMALL_PX,
    TEXT_PX,
    TITLE_PX,
    line_of_text,
    panel,
)
from game.ui.toolbar import Toolbar
from game.ui.window_context import WindowContext

DIM_ALPHA = 150

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
            ("X", "shove"),
            ("Y", "pause"),
            ("LB, RB", "ring of tools"),
            ("Start", "menu"),
        ),
    ),
)


class HelpScreen:
    """Every key over a dimmed screen."""

    def __init__(self, below: Screen, context: WindowContext, toolbar: Toolbar) -> None:
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
        self._below.draw(frame_s)
        surface = self._context.display.surface
        dim = pygame.Surface(surface.get_size())
        dim.fill(self._context.theme.colours.panel)
        dim.set_alpha(DIM_ALPHA)
        surface.blit(dim, (0, 0))
        bar = self._toolbar.place(surface.get_size())
        top = self._draw_buttons(surface, bar)
        self._draw_cards(surface, top)

    def _draw_buttons(self, surface: pygame.Surface, bar: pygame.Rect) -> int:
        """Key and name of each button, in two storeys joined to it; returns where they begin."""
        theme = self._context.theme
        colours, size = theme.colours, theme.px(SMALL_PX)
        line_px = theme.px(SMALL_PX) + GRID_PX
        top = bar.top
        for index, (command, box) in enumerate(self._toolbar.boxes):
            surface.blit(panel(box.size, colours.accent, alpha=70), box)
            info = INFO[command]
            key = line_of_text(info.key_name, size, colours.accent, bold=True)
            name = line_of_text(info.name, size, colours.text)
            storey = index % 2
            y = bar.top - MARGIN_PX - 2 * line_px - storey * (2 * line_px + MARGIN_PX)
            width = max(key.get_width(), name.get_width()) + 2 * GRID_PX
            card = pygame.Rect(0, 0, width, 2 * line_px + GRID_PX)
            card.midtop = (box.centerx, y - GRID_PX)
            pygame.draw.line(surface, colours.dim, card.midbottom, box.midtop)
            surface.blit(panel(card.size, colours.inset, 6, 245), card)
            surface.blit(key, key.get_rect(midtop=(box.centerx, y)))
            surface.blit(name, name.get_rect(midtop=(box.centerx, y + line_px)))
            top = min(top, card.top)
        return top

    def _draw_cards(self, surface: pygame.Surface, bottom: int) -> None:
        """Cards in rows, centred between the panels above and the buttons' keys."""
        theme = self._context.theme
        cards = [self._card(title, rows) for title, rows in CARDS]
        rows: list[list[pygame.Surface]] = [[]]
        room = surface.get_width() - 2 * MARGIN_PX
        for card in cards:
            used = sum(one.get_width() + MARGIN_PX for one in rows[-1])
            if rows[-1] and used + card.get_width() > room:
                rows.append([])
            rows[-1].append(card)
        heights = [max(card.get_height() for card in row) for row in rows]
        total = sum(heights) + MARGIN_PX * (len(rows) - 1)
        free = bottom - total
        y = max(MARGIN_PX, free // 2 if free < theme.px(200) else (free + theme.px(60)) // 2)
        for row, height in zip(rows, heights, strict=True):
            width = sum(card.get_width() + MARGIN_PX for card in row) - MARGIN_PX
            x = (surface.get_width() - width) // 2
            for card in row:
                surface.blit(card, (x, y))
                x += card.get_width() + MARGIN_PX
            y += height + MARGIN_PX

    def _card(self, title: str, rows: Sequence[_Row]) -> pygame.Surface:
        theme = self._context.theme
        colours, size = theme.colours, theme.px(TEXT_PX)
        head = line_of_text(title, theme.px(TITLE_PX), colours.text, bold=True)
        lines = [
            (
                line_of_text(key, size, colours.accent, bold=True),
                line_of_text(does, size, colours.text),
            )
            for key, does in rows
        ]
        keys = max(key.get_width() for key, _ in lines)
        words = max(does.get_width() for _, does in lines)
        gap = theme.px(10)
        step = lines[0][0].get_height()
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
