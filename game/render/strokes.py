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
    ax, ay, ra = start
    bx, by, rb = end
    pygame.draw.circle(surface, colour, (ax, ay), ra)
    pygame.draw.circle(surface, colour, (bx, by), rb)
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
    pygame.draw.polygon(
        surface,
        colour,
        (
            (ax + across_x * ra, ay + across_y * ra),
            (bx + across_x * rb, by + across_y * rb),
            (bx - across_x * rb, by - across_y * rb),
            (ax - across_x * ra, ay - across_y * ra),
        ),
    )
