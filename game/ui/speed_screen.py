"""The slider over the speed label: from a tenth to eight times the usual speed."""

from __future__ import annotations

import pygame

from game.ui.frame_pacer import SPEEDS
from game.ui.screen import Next, Screen
from game.ui.theme import GRID_PX, PADDING_PX, SMALL_PX, Theme, line_of_text, panel
from game.ui.window_context import WindowContext

STOP_PX = 44
HEIGHT_PX = 46
KNOB_PX = 7


class SpeedScreen:
    """A screen below, and over it a track with a stop for each speed."""

    def __init__(self, below: Screen, context: WindowContext, label: pygame.Rect) -> None:
        self._below = below
        self._context = context
        theme = context.theme
        width = theme.px(STOP_PX) * len(SPEEDS) + 2 * PADDING_PX
        self.box = pygame.Rect(0, 0, width, theme.px(HEIGHT_PX))
        self.box.midbottom = (label.centerx, label.top - 2 * GRID_PX)
        self.box.clamp_ip(context.display.surface.get_rect())

    def hear(self, event: pygame.event.Event) -> Next:
        """Press or drag to a speed; anything elsewhere closes."""
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT:
                if not self.box.collidepoint(event.pos):
                    return self._below
                self._context.pacer.choose_speed(self._index_at(event.pos[0]))
            case pygame.MOUSEMOTION:
                if event.buttons[0] and self.box.collidepoint(event.pos):
                    self._context.pacer.choose_speed(self._index_at(event.pos[0]))
            case pygame.MOUSEBUTTONUP | pygame.MOUSEWHEEL:
                pass
            case pygame.KEYDOWN if event.key == pygame.K_ESCAPE:
                return self._below
            case _:
                goes_on = self._below.hear(event)
                if event.type == pygame.KEYDOWN or goes_on is not self._below:
                    return goes_on
        return self

    def stop_of(self, index: int) -> tuple[int, int]:
        """Where the stop of a speed is on the track."""
        step = self._context.theme.px(STOP_PX)
        x = self.box.left + PADDING_PX + step * index + step // 2
        return x, self.box.top + round(self.box.height * 0.34)

    def _index_at(self, x: int) -> int:
        step = self._context.theme.px(STOP_PX)
        return min(max((x - self.box.left - PADDING_PX) // step, 0), len(SPEEDS) - 1)

    def advance(self, frame_s: float) -> None:
        """What lies below goes on."""
        self._below.advance(frame_s)

    def draw(self, frame_s: float) -> None:
        """What lies below, and the slider."""
        self._below.draw(frame_s)
        self.box.clamp_ip(self._context.display.surface.get_rect())
        self._draw_slider(self._context.display.surface, self._context.theme)

    def _draw_slider(self, surface: pygame.Surface, theme: Theme) -> None:
        colours = theme.colours
        surface.blit(panel(self.box.size, colours.panel, alpha=245), self.box)
        first, last = self.stop_of(0), self.stop_of(len(SPEEDS) - 1)
        pygame.draw.line(surface, colours.dim, first, last, 2)
        for index, speed in enumerate(SPEEDS):
            chosen = speed == self._context.pacer.speed
            stop = self.stop_of(index)
            radius = theme.px(KNOB_PX) if chosen else theme.px(3)
            pygame.draw.circle(surface, colours.accent if chosen else colours.dim, stop, radius)
            tone = colours.text if chosen else colours.dim
            word = line_of_text(f"{speed:g}×", theme.px(SMALL_PX), tone, bold=chosen)
            surface.blit(word, word.get_rect(midbottom=(stop[0], self.box.bottom - GRID_PX)))
