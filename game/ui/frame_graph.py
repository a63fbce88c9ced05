"""F3: the last frames as stacked columns, by phase, with what each costs on average.

A new frame shifts the picture by one column; it is painted anew only when its scale or
the order of its bands changes.
"""

from __future__ import annotations

import numpy as np
import pygame
from numpy.typing import NDArray

from game.render.colours import Colour
from game.render.palette import Palette
from game.ui.frame_times import DRAWING, FRAMES_KEPT, FrameTimes
from game.ui.kept_text import KeptText
from game.ui.theme import GRID_PX, MARGIN_PX, PADDING_PX, SMALL_PX, Theme, panel

GRAPH_PX = 96
"""Height of the columns."""

TOP_PHASES = 5
"""Phases with a band of their own; the others share one."""

LEGEND_EVERY_FRAMES = 30
SCALES_MS = (10.0, 20.0, 40.0, 80.0, 160.0, 320.0)
"""What the full height may stand for: the least that holds nearly every frame."""

HELD_SHARE = 0.98
"""Share of the frames that must fit under the top of the graph."""

BUDGET_MS = 1000.0 / 60.0
REST = "other phases"


class Bands:
    """Which phases have a band of their own, each in a place that it keeps while it has one."""

    def __init__(self) -> None:
        self.phases: list[int] = list(range(1, TOP_PHASES + 1))

    def choose(self, averages_ms: NDArray[np.float64]) -> bool:
        """Take the dearest phases; those that were in already keep their places.

        True if any band is another one now. ``averages_ms`` has shape (``PARTS``,).
        """
        phases = averages_ms[1:DRAWING]
        dearest = (np.argsort(-phases, kind="stable")[:TOP_PHASES] + 1).tolist()
        free = [number for number in dearest if number not in self.phases]
        chosen = [number if number in dearest else free.pop(0) for number in self.phases]
        chosen += free
        changed = chosen != self.phases
        self.phases = chosen
        return changed

    def split(self, row_ms: NDArray[np.float64]) -> list[float]:
        """A frame's times by band from below: drawing, the chosen phases, all others."""
        chosen = [float(row_ms[number]) for number in self.phases]
        rest = float(row_ms[1:DRAWING].sum()) - sum(chosen)
        return [float(row_ms[DRAWING]), *chosen, max(0.0, rest)]


def scale_of(rows_ms: NDArray[np.float64]) -> float:
    """What the full height should stand for, in ms, so that nearly all frames fit."""
    if not len(rows_ms):
        return SCALES_MS[0]
    needed = float(np.quantile(rows_ms.sum(axis=1), HELD_SHARE))
    return next((scale for scale in SCALES_MS if needed <= scale), SCALES_MS[-1])


class FrameGraph:
    """The panel over ``FrameTimes``, at the left-hand edge."""

    def __init__(self, times: FrameTimes, theme: Theme, palette: Palette) -> None:
        overlay = palette.overlay.colours
        self._times = times
        self._theme = theme
        self._colours: tuple[Colour, ...] = (*overlay[: TOP_PHASES + 1], theme.colours.dim)
        self._bands = Bands()
        self._texts = KeptText()
        self._scale_ms = SCALES_MS[0]
        self._graph = pygame.Surface((FRAMES_KEPT, GRAPH_PX))
        self._graph.fill(theme.colours.inset)
        self._drawn = 0
        self._legend: pygame.Surface | None = None
        self._legend_of: tuple[int, float] | None = None

    def draw(self, surface: pygame.Surface, floor_y: int, beside: pygame.Rect) -> None:
        """Draw the panel above ``floor_y`` and clear of ``beside``, if times are measured."""
        times = self._times
        if not times.is_on:
            return
        if times.frames < self._drawn:
            self._begin_anew()
        self._take_new_frames()
        legend = self._legend_for(times.frames // LEGEND_EVERY_FRAMES)
        width = legend.get_width()
        height = GRAPH_PX + GRID_PX + legend.get_height()
        card = pygame.Rect(0, 0, width + 2 * PADDING_PX, height + 2 * PADDING_PX)
        card.bottomleft = (MARGIN_PX, floor_y - MARGIN_PX)
        if card.colliderect(beside):
            card.left = beside.right + MARGIN_PX
        surface.blit(panel(card.size, self._theme.colours.panel), card)
        graph = pygame.Rect(card.left + PADDING_PX, card.top + PADDING_PX, width, GRAPH_PX)
        columns = self._graph
        if width != FRAMES_KEPT:
            columns = pygame.transform.scale(columns, graph.size)
        surface.blit(columns, graph)
        self._budget_line(surface, graph)
        surface.blit(legend, (graph.left, graph.bottom + GRID_PX))

    # -- the columns -----------------------------------------------------------

    def _begin_anew(self) -> None:
        self._drawn = 0
        self._graph.fill(self._theme.colours.inset)
        self._legend_of = None

    def _take_new_frames(self) -> None:
        times = self._times
        new = times.frames - self._drawn
        if not new:
            return
        due = times.frames % LEGEND_EVERY_FRAMES == 0 or not self._drawn
        if (due and self._settle()) or new > 1:
            rows = times.rows()
            self._graph.fill(self._theme.colours.inset)
            for column, row in enumerate(rows, FRAMES_KEPT - len(rows)):
                self._column(column, row)
        else:
            self._graph.scroll(-1, 0)
            self._graph.fill(
                self._theme.colours.inset, pygame.Rect(FRAMES_KEPT - 1, 0, 1, GRAPH_PX)
            )
            self._column(FRAMES_KEPT - 1, times.last())
        self._drawn = times.frames

    def _settle(self) -> bool:
        """Choose bands and scale for the frames there are; True if either changed."""
        changed = self._bands.choose(self._times.averages())
        scale_ms = scale_of(self._times.rows())
        changed |= scale_ms != self._scale_ms
        self._scale_ms = scale_ms
        return changed

    def _column(self, x: int, row_ms: NDArray[np.float64]) -> None:
        """One frame: bands from below, each at least as high as it rounds to."""
        total_ms = 0.0
        below = GRAPH_PX
        for colour, share_ms in zip(self._colours, self._bands.split(row_ms), strict=True):
            total_ms += share_ms
            top = max(0, GRAPH_PX - round(total_ms / self._scale_ms * GRAPH_PX))
            if top < below:
                self._graph.fill(colour, pygame.Rect(x, top, 1, below - top))
                below = top

    def _budget_line(self, surface: pygame.Surface, graph: pygame.Rect) -> None:
        """Where a frame of a sixtieth of a second ends, and what the full height stands for."""
        colours = self._theme.colours
        y = graph.bottom - round(BUDGET_MS / self._scale_ms * GRAPH_PX)
        if y >= graph.top:
            for x in range(graph.left, graph.right - 3, 6):
                surface.fill(colours.text, pygame.Rect(x, y, 3, 1))
        words = f"{self._scale_ms:.0f} ms"
        surface.blit(
            self._texts.line(words, self._theme.px(SMALL_PX), colours.text),
            (graph.left + 3, graph.top),
        )

    # -- the legend ------------------------------------------------------------

    def _legend_for(self, turn: int) -> pygame.Surface:
        """What the bands are and cost; renewed twice a second, or it could not be read."""
        wanted = (turn, self._theme.text_scale)
        if self._legend is None or wanted != self._legend_of:
            self._legend = self._paint_legend()
            self._legend_of = wanted
        return self._legend

    def _paint_legend(self) -> pygame.Surface:
        times, theme = self._times, self._theme
        rows = times.rows()
        totals = rows.sum(axis=1) if len(rows) else np.zeros(1)
        names = [times.names[DRAWING], *(times.names[number] for number in self._bands.phases)]
        costs_ms = self._bands.split(times.averages())
        entries = list(zip(self._colours, [*names, REST], costs_ms, strict=True))
        size = theme.px(SMALL_PX)
        line = size + 5
        width = theme.px(FRAMES_KEPT)
        picture = pygame.Surface((width, line * (len(entries) + 1)), pygame.SRCALPHA)
        colours = theme.colours
        head = f"{totals.mean():.1f} ms a frame, worst {totals.max():.1f}"
        picture.blit(self._texts.line(head, size, colours.text, bold=True), (0, 0))
        for index, (colour, name, cost_ms) in enumerate(reversed(entries), 1):
            y = index * line
            swatch = pygame.Rect(0, y + (line - 8) // 2, 8, 8)
            pygame.draw.rect(picture, colour, swatch, border_radius=2)
            words = self._texts.line(name.replace("_", " "), size, colours.text)
            picture.blit(words, (14, y))
            cost = self._texts.line(f"{cost_ms:.2f} ms", size, colours.dim)
            picture.blit(cost, (width - cost.get_width(), y))
        return picture
