"""Bubbles over heads that tell how an order stands (art-and-feel section 12).

Round ones are orders: arrow, bars, tick, cross. A cloud is a thought: no way found.
They pop up and shrink away on the viewer's clock. Where many who stand together have
the same to say, one bubble says it for all of them, with their number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pygame
from numpy.typing import NDArray

from game.render.colours import Colour
from game.render.fonts import font
from game.render.glyphs import Fill, Glyph, Line, paint_glyph, points
from game.render.palette import InterfaceColours
from game.render.picture import OrderBubble, PedPictures
from game.render.projection import Projection

HEAD_CM = 192.0
WIDTH_CM = 43.0
WIDTH_MIN_PX, WIDTH_MAX_PX = 20, 26
"""A bubble follows the zoom between these and is never unreadably small."""

SHOWN_MAX = 14
"""Of more bubbles only those nearest the middle of the picture are drawn."""

ALIKE_MIN = 5
ALIKE_WITHIN_CM = 200.0
"""So many alike round one of them show one bubble with their number (art-and-feel section 12)."""

POP_S, OUT_S = 0.18, 0.12
POP_PEAK, POP_PEAK_AT = 1.15, 0.65

_WIDTH, _HEIGHT, _TAIL, _LINE = 34.0, 28.0, 9.0, 2.2
"""Units of a bubble: its body, the tail below it, its outline."""

_COUNT_PX = 13
"""Height of the number's type: a fifth below that of the smallest bubble, still readable."""

_SUPERSAMPLING = 3
_GLYPH_SHARE = 0.62

GLYPHS: dict[OrderBubble, Glyph] = {
    OrderBubble.GOING: (Fill("good", points("3,9.5 12,9.5 12,4 21.5,12 12,20 12,14.5 3,14.5")),),
    OrderBubble.HELD: (
        Fill("bad", points("5,3.5 10,3.5 10,20.5 5,20.5")),
        Fill("bad", points("14,3.5 19,3.5 19,20.5 14,20.5")),
    ),
    OrderBubble.DONE: (Line("good", 4.2, points("4,12.5 9.5,18.5 20.5,5.5")),),
    OrderBubble.FAILED: (
        Line("bad", 4.2, points("5,5 19,19")),
        Line("bad", 4.2, points("19,5 5,19")),
    ),
    OrderBubble.NO_WAY: (
        Line("info", 3.0, points("3,20 3.2,19.8")),
        Line("info", 3.0, points("7.5,16.5 7.7,16.3")),
        Line("info", 3.0, points("12,13 12.2,12.8")),
        Line("bad", 3.2, points("14.5,3.5 21.5,10.5")),
        Line("bad", 3.2, points("21.5,3.5 14.5,10.5")),
    ),
}
"""Green and red differ in shape as well: no hue stands alone."""

CLOUDS = frozenset({OrderBubble.NO_WAY})


@dataclass(slots=True)
class _Shown:
    bubble: OrderBubble
    age_s: float = 0.0
    leaving_s: float | None = None

    @property
    def scale(self) -> float:
        """Size as a share of the full one, 0 when it is gone."""
        if self.leaving_s is not None:
            return max(0.0, 1.0 - self.leaving_s / OUT_S)
        share = self.age_s / POP_S
        if share >= 1.0:
            return 1.0
        if share < POP_PEAK_AT:
            return POP_PEAK * math.sin(0.5 * math.pi * share / POP_PEAK_AT)
        return POP_PEAK + (1.0 - POP_PEAK) * (share - POP_PEAK_AT) / (1.0 - POP_PEAK_AT)


class InView(NamedTuple):
    """A bubble for ``speaks_for`` peds: its tail's tip on screen, its place on the ground."""

    x: float
    y: float
    ground_x: float
    ground_y: float
    shown: _Shown
    speaks_for: int = 1


class OrderBubbles:
    """Draws the bubbles of ``PedPictures.bubbles`` and remembers how far each has popped up."""

    def __init__(self, colours: InterfaceColours) -> None:
        self._colours = colours
        self._shown: dict[int, _Shown] = {}
        self._painted: dict[tuple[OrderBubble, int], pygame.Surface] = {}
        self._numbers: dict[int, pygame.Surface] = {}

    def draw(
        self,
        surface: pygame.Surface,
        projection: Projection,
        peds: PedPictures,
        places: NDArray[np.float64],
        frame_s: float,
    ) -> None:
        """Go on by one frame and draw, far ones first so that near ones lie on top."""
        full = min(WIDTH_MAX_PX, max(WIDTH_MIN_PX, WIDTH_CM * projection.zoom))
        for one in self.in_view(projection, peds, places, frame_s):
            width = round(full * one.shown.scale)
            if width >= 2:
                drawn = self._bubble(one.shown.bubble, width)
                left, top = round(one.x - width / 2), round(one.y - drawn.get_height())
                surface.blit(drawn, (left, top))
                if one.speaks_for > 1:
                    number = self._number(one.speaks_for)
                    middle = (left + width, top + number.get_height() // 4)
                    surface.blit(number, number.get_rect(center=middle))

    def _follow(self, peds: PedPictures, frame_s: float) -> None:
        wanted = {
            ped_id: bubble
            for ped_id, bubble in zip(peds.ids.tolist(), peds.bubbles, strict=True)
            if bubble is not None
        }
        for ped_id, bubble in wanted.items():
            shown = self._shown.get(ped_id)
            if shown is None or shown.bubble is not bubble or shown.leaving_s is not None:
                self._shown[ped_id] = shown = _Shown(bubble)
            shown.age_s += frame_s
        for ped_id, shown in list(self._shown.items()):
            if ped_id in wanted:
                continue
            shown.leaving_s = (shown.leaving_s or 0.0) + frame_s
            if shown.leaving_s >= OUT_S:
                del self._shown[ped_id]

    def in_view(
        self,
        projection: Projection,
        peds: PedPictures,
        places: NDArray[np.float64],
        frame_s: float,
    ) -> list[InView]:
        """Go on by one frame; the bubbles to be drawn now, ascending in the ground's y.

        At most ``SHOWN_MAX``: those nearest to the middle of the picture.
        """
        self._follow(peds, frame_s)
        middle_x, middle_y = projection.width / 2.0, projection.height / 2.0
        in_view: list[InView] = []
        for row, ped_id in enumerate(peds.ids.tolist()):
            shown = self._shown.get(ped_id)
            if shown is None:
                continue
            ground_x, ground_y, ground_z = places[row, :3].tolist()
            x, y = projection.to_screen(ground_x, ground_y, ground_z + HEAD_CM)
            if 0.0 <= x <= projection.width and 0.0 <= y <= projection.height:
                in_view.append(InView(x, y, ground_x, ground_y, shown))
        merged = list(merge_alike(in_view))
        merged.sort(key=lambda one: math.hypot(one.x - middle_x, one.y - middle_y))
        return sorted(merged[:SHOWN_MAX], key=lambda one: one.ground_y)

    def _number(self, count: int) -> pygame.Surface:
        painted = self._numbers.get(count)
        if painted is None:
            painted = self._numbers[count] = paint_number(count, self._colours)
        return painted

    def _bubble(self, bubble: OrderBubble, width: int) -> pygame.Surface:
        key = (bubble, width)
        painted = self._painted.get(key)
        if painted is None:
            painted = self._painted[key] = paint_bubble(bubble, width, self._colours)
        return painted


def merge_alike(bubbles: Sequence[InView]) -> Iterator[InView]:
    """The bubbles with those of crowds merged, each group where its middle is.

    - A group is everybody not yet in one who says the same within ``ALIKE_WITHIN_CM`` of
      its first; those are taken in the order given, so that a picture repeats exactly.
    - A group of fewer than ``ALIKE_MIN`` stays as it is.
    """
    grouped = [False] * len(bubbles)
    for index, first in enumerate(bubbles):
        if grouped[index]:
            continue
        group = [
            place
            for place in range(index, len(bubbles))
            if not grouped[place]
            and bubbles[place].shown.bubble is first.shown.bubble
            and math.hypot(
                bubbles[place].ground_x - first.ground_x, bubbles[place].ground_y - first.ground_y
            )
            <= ALIKE_WITHIN_CM
        ]
        if len(group) < ALIKE_MIN:
            yield first
            continue
        members = [bubbles[place] for place in group]
        for place in group:
            grouped[place] = True
        count = len(members)
        yield InView(
            sum(one.x for one in members) / count,
            sum(one.y for one in members) / count,
            sum(one.ground_x for one in members) / count,
            sum(one.ground_y for one in members) / count,
            max((one.shown for one in members), key=lambda shown: shown.scale),
            count,
        )


def paint_number(count: int, colours: InterfaceColours) -> pygame.Surface:
    """How many a merged bubble speaks for, on a small pill of the interface's ink."""
    digits = font(_COUNT_PX, bold=True).render(str(count), True, colours.paper)
    width, height = digits.get_width() + 8, digits.get_height()
    pill = pygame.Surface((max(width, height), height), pygame.SRCALPHA)
    pygame.draw.rect(pill, colours.paper_ink, pill.get_rect(), border_radius=height // 2)
    pill.blit(digits, digits.get_rect(center=pill.get_rect().center))
    return pill


def paint_bubble(bubble: OrderBubble, width: int, colours: InterfaceColours) -> pygame.Surface:
    """One bubble, ``width`` px wide; the tip of its tail is the middle of its lower edge."""
    scale = width * _SUPERSAMPLING / _WIDTH
    height = _HEIGHT + _TAIL
    large = pygame.Surface((width * _SUPERSAMPLING, round(height * scale)), pygame.SRCALPHA)
    large.fill((*colours.paper_ink, 0))
    outline = _cloud if bubble in CLOUDS else _round
    outline(large, colours.paper_ink, scale, 0.0)
    outline(large, colours.paper, scale, _LINE)
    small = pygame.transform.smoothscale(large, (width, max(1, round(width * height / _WIDTH))))
    glyph_px = max(1, round(width * _HEIGHT / _WIDTH * _GLYPH_SHARE))
    tones = {"good": colours.paper_good, "bad": colours.paper_bad, "info": colours.paper_info}
    glyph = paint_glyph(GLYPHS[bubble], glyph_px, tones)
    middle = width * _HEIGHT / _WIDTH / 2.0
    small.blit(glyph, (round((width - glyph_px) / 2.0), round(middle - glyph_px / 2.0)))
    return small


def _round(surface: pygame.Surface, colour: Colour, scale: float, inset: float) -> None:
    """A rounded box with a pointed tail."""
    box = pygame.Rect(
        round(inset * scale),
        round(inset * scale),
        round((_WIDTH - 2.0 * inset) * scale),
        round((_HEIGHT - 2.0 * inset) * scale),
    )
    pygame.draw.rect(surface, colour, box, border_radius=round((9.0 - inset) * scale))
    half = 5.0 - inset
    tip = _HEIGHT + _TAIL - 2.2 * inset
    top = _HEIGHT - inset - 0.5
    pygame.draw.polygon(
        surface,
        colour,
        [
            ((_WIDTH / 2.0 - half) * scale, top * scale),
            ((_WIDTH / 2.0 + half) * scale, top * scale),
            (_WIDTH / 2.0 * scale, tip * scale),
        ],
    )


def _cloud(surface: pygame.Surface, colour: Colour, scale: float, inset: float) -> None:
    """Puffs round an oval, and two small ones below as its tail."""
    across, down, puff = _WIDTH / 2.0 - 7.0, _HEIGHT / 2.0 - 6.5, 7.0 - inset
    middle_x, middle_y = _WIDTH / 2.0, _HEIGHT / 2.0
    for index in range(9):
        turn = 2.0 * math.pi * index / 9.0
        centre = (
            (middle_x + across * math.cos(turn)) * scale,
            (middle_y + down * math.sin(turn)) * scale,
        )
        pygame.draw.circle(surface, colour, centre, puff * scale)
    body = pygame.Rect(0, 0, round(2.0 * across * scale), round(2.0 * down * scale))
    body.center = (round(middle_x * scale), round(middle_y * scale))
    pygame.draw.ellipse(surface, colour, body)
    for y, radius in ((_HEIGHT + 2.5, 3.6), (_HEIGHT + 7.0, 2.4)):
        pygame.draw.circle(
            surface, colour, (middle_x * scale, y * scale), max(0.5, radius - 0.7 * inset) * scale
        )
