"""Thick strokes on a surface, in pixels: pygame's own have ragged ends."""

from __future__ import annotations

import math
from typing import TypeAlias

import pygame

from game.render.colours import Colour
from game.render.outlines import Disc, Point

Paint: TypeAlias = Colour | tuple[int, int, int, int]
"""A colour, or one with an alpha for surfaces that have one."""


def capsule(surface: pygame.Surface, colour: Paint, start: Disc, end: Disc) -> None:
    """A tapered bar with round ends: two discs and the quad between."""
    pygame.draw.circle(surface, colour, start[:2], start[2])
    pygame.draw.circle(surface, colour, end[:2], end[2])
    _quad(surface, colour, start, end)


def stroke(
    surface: pygame.Surface, colour: Colour, start: Point, end: Point, width_px: float
) -> None:
    """A straight line with flat ends; one px wide if ``width_px`` is under 1.5."""
    if width_px < 1.5:
        pygame.draw.line(surface, colour, start, end, 1)
        return
    half = width_px * 0.5
    _quad(surface, colour, (*start, half), (*end, half))


def _quad(surface: pygame.Surface, colour: Paint, start: Disc, end: Disc) -> None:
    ax, ay, ra = start
    bx, by, rb = end
    length = math.hypot(bx - ax, by - ay)
    if length <= 0.5:
        return
    across_x, across_y = (ay - by) / length, (bx - ax) / length
    first_x, first_y = across_x * ra, across_y * ra
    last_x, last_y = across_x * rb, across_y * rb
    pygame.draw.polygon(
        surface,
        colour,
        (
            (ax + first_x, ay + first_y),
            (bx + last_x, by + last_y),
            (bx - last_x, by - last_y),
            (ax - first_x, ay - first_y),
        ),
    )
