"""Small pictures made of polygons, discs and lines on a grid: icons and what bubbles hold.

A glyph is data; painting it takes a size and colours for its tones. It is painted
three times as large and smoothed down (art-and-feel section 14).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import pygame

from game.render.colours import Colour
from game.render.outlines import Point
from game.render.strokes import capsule

GRID = 24.0
"""Units of a glyph's side."""

SUPERSAMPLING = 3
CUT = "cut"
"""The tone of what is taken out again: it shows what lies under the glyph."""


class Fill(NamedTuple):
    """A filled polygon."""

    tone: str
    points: tuple[Point, ...]


class Dot(NamedTuple):
    """A disc."""

    tone: str
    x: float
    y: float
    radius: float


class Line(NamedTuple):
    """A line through points, with round ends."""

    tone: str
    width: float
    points: tuple[Point, ...]


Shape: TypeAlias = Fill | Dot | Line
Glyph: TypeAlias = tuple[Shape, ...]


def points(text: str) -> tuple[Point, ...]:
    """``"12,1 17,8"`` as points: the form in which glyphs are written down."""
    return tuple(
        (float(across), float(down)) for across, down in (one.split(",") for one in text.split())
    )


def paint_glyph(
    glyph: Sequence[Shape], size_px: int, tones: Mapping[str, Colour]
) -> pygame.Surface:
    """The glyph on a transparent square of ``size_px``.

    Raises ``KeyError`` for a tone without a colour.
    """
    side = max(1, size_px) * SUPERSAMPLING
    scale = side / GRID
    large = pygame.Surface((side, side), pygame.SRCALPHA)
    # Edges take their colour from both sides when smoothed, so nothing starts out black.
    clear = (*next(iter(tones.values())), 0)
    large.fill(clear)
    for shape in glyph:
        colour = clear if shape.tone == CUT else (*tones[shape.tone], 255)
        _paint(large, shape, colour, scale)
    return pygame.transform.smoothscale(large, (max(1, size_px), max(1, size_px)))


def _paint(
    surface: pygame.Surface, shape: Shape, colour: tuple[int, int, int, int], scale: float
) -> None:
    match shape:
        case Fill():
            pygame.draw.polygon(surface, colour, [(x * scale, y * scale) for x, y in shape.points])
        case Dot():
            centre = (shape.x * scale, shape.y * scale)
            pygame.draw.circle(surface, colour, centre, shape.radius * scale)
        case Line():
            half = shape.width * scale / 2.0
            ends = [(x * scale, y * scale, half) for x, y in shape.points]
            for start, end in pairwise(ends):
                capsule(surface, colour, start, end)
