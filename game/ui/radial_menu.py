"""A ring of slices about a point: short lists that are chosen by direction alone.

The ring knows which slice is meant and how it looks; what a slice does is told by
whoever opened it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import pygame

from game.render.glyphs import paint_glyph
from game.ui.icons import ACCENT, CREAM, ICONS
from game.ui.theme import PANEL_ALPHA, SMALL_PX, Theme, line_of_text

RADIUS_PX = 72
HOLE_PX = 20
"""Nothing is meant in the middle."""

REACH = 1.7
"""A slice is meant out to this many radii: aiming needs no care."""

GAP_DEG = 3.0
MIDDLE, MIDDLE_OF_MANY = 0.64, 0.78
"""Where icon and word stand, as a share of the radius: further out where slices are narrow."""

MANY = 7
ICON_PX = 20
SUPERSAMPLING = 2
ARC_STEPS = 24


class Slice(NamedTuple):
    """One choice: icon and word; what is not ``possible`` now is shown dimmed."""

    icon: str
    word: str
    possible: bool = True


class RadialMenu:
    """Slices clockwise, the first on top."""

    def __init__(
        self,
        theme: Theme,
        centre: tuple[int, int],
        slices: Sequence[Slice],
        radius_px: int = RADIUS_PX,
    ) -> None:
        self._theme = theme
        self._radius_px = radius_px
        self.centre = centre
        self.slices = tuple(slices)
        self.hovered: int | None = None
        self._painted: tuple[object, pygame.Surface] | None = None

    @property
    def radius(self) -> int:
        """Outer radius in px."""
        return self._theme.px(self._radius_px)

    @property
    def _reach(self) -> float:
        share = MIDDLE if len(self.slices) < MANY else MIDDLE_OF_MANY
        return share * self.radius

    def slice_at(self, pos: tuple[int, int]) -> int | None:
        """The slice that a point of the window means."""
        dx, dy = pos[0] - self.centre[0], pos[1] - self.centre[1]
        away = math.hypot(dx, dy)
        if not self._theme.px(HOLE_PX) <= away <= REACH * self.radius:
            return None
        return self.slice_towards(dx, dy)

    def slice_towards(self, dx: float, dy: float) -> int:
        """The slice in a direction of the window."""
        turn = math.atan2(dx, -dy) % (2.0 * math.pi)
        share = 2.0 * math.pi / len(self.slices)
        return int((turn + share / 2.0) // share) % len(self.slices)

    def middle_of(self, index: int) -> tuple[int, int]:
        """A point in the middle of a slice."""
        turn = self._turn(index)
        reach = self._reach
        return (
            round(self.centre[0] + reach * math.sin(turn)),
            round(self.centre[1] - reach * math.cos(turn)),
        )

    def keep_within(self, size: tuple[int, int]) -> None:
        """Move the ring so that all of it is in the window."""
        room = self.radius + 4
        self.centre = (
            min(max(self.centre[0], room), max(room, size[0] - room)),
            min(max(self.centre[1], room), max(room, size[1] - room)),
        )

    def draw(self, surface: pygame.Surface) -> None:
        """Lay the ring over the picture."""
        says = (self._theme.text_scale, self.hovered)
        if self._painted is None or self._painted[0] != says:
            self._painted = (says, self._paint())
        ring = self._painted[1]
        surface.blit(ring, ring.get_rect(center=self.centre))

    # -- painting ----------------------------------------------------------------

    def _turn(self, index: int) -> float:
        """Direction of a slice's middle, clockwise from the top."""
        return 2.0 * math.pi * index / len(self.slices)

    def _paint(self) -> pygame.Surface:
        side = 2 * self.radius + 4
        large = pygame.Surface((side * SUPERSAMPLING, side * SUPERSAMPLING), pygame.SRCALPHA)
        large.fill((*self._theme.colours.panel, 0))
        for index in range(len(self.slices)):
            self._paint_wedge(large, index)
        ring = pygame.transform.smoothscale(large, (side, side))
        for index, one in enumerate(self.slices):
            self._paint_words(ring, index, one)
        return ring

    def _paint_wedge(self, surface: pygame.Surface, index: int) -> None:
        colours = self._theme.colours
        ground = colours.panel
        if index == self.hovered:
            ground = colours.accent if self.slices[index].possible else colours.inset
        middle = surface.get_width() / 2.0
        outer = self.radius * SUPERSAMPLING
        inner = self._theme.px(HOLE_PX) * SUPERSAMPLING
        half = math.pi / len(self.slices) - math.radians(GAP_DEG) / 2.0
        turns = [
            self._turn(index) - half + 2.0 * half * step / ARC_STEPS
            for step in range(ARC_STEPS + 1)
        ]
        rim = [(middle + outer * math.sin(t), middle - outer * math.cos(t)) for t in turns]
        hole = [(middle + inner * math.sin(t), middle - inner * math.cos(t)) for t in turns[::-1]]
        alpha = 255 if index == self.hovered else PANEL_ALPHA
        pygame.draw.polygon(surface, (*ground, alpha), rim + hole)

    def _paint_words(self, ring: pygame.Surface, index: int, one: Slice) -> None:
        colours, px = self._theme.colours, self._theme.px
        is_lit = index == self.hovered and one.possible
        tone = colours.panel if is_lit else colours.text if one.possible else colours.dim
        accent = colours.panel if is_lit else colours.accent if one.possible else colours.dim
        icon = paint_glyph(ICONS[one.icon], px(ICON_PX), {CREAM: tone, ACCENT: accent})
        word = line_of_text(one.word, px(SMALL_PX), tone, bold=is_lit)
        turn, reach = self._turn(index), self._reach
        x = ring.get_width() / 2.0 + reach * math.sin(turn)
        y = ring.get_height() / 2.0 - reach * math.cos(turn)
        height = icon.get_height() + word.get_height()
        ring.blit(icon, (round(x - icon.get_width() / 2.0), round(y - height / 2.0)))
        ring.blit(
            word,
            (round(x - word.get_width() / 2.0), round(y - height / 2.0 + icon.get_height())),
        )
