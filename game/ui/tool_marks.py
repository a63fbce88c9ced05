"""What tools draw over the street: arrows, rings on the ground, springs."""

from __future__ import annotations

import math

import pygame

from game.render.colours import Colour
from game.render.projection import Projection

_Place = tuple[int, int]


def arrow(surface: pygame.Surface, start: _Place, end: _Place, width: int, colour: Colour) -> None:
    """From where it was pressed to the mouse, the thicker the stronger."""
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    size = 8 + 2 * width
    neck = (end[0] - size * math.cos(angle), end[1] - size * math.sin(angle))
    pygame.draw.line(surface, colour, start, neck, width)
    sides = [
        (end[0] - size * math.cos(angle + turn), end[1] - size * math.sin(angle + turn))
        for turn in (-0.45, 0.45)
    ]
    pygame.draw.polygon(surface, colour, [end, *sides])
    pygame.draw.circle(surface, colour, start, 3 + width // 2)


def ground_ring(
    surface: pygame.Surface,
    projection: Projection,
    centre: _Place,
    radius_cm: float,
    colour: Colour,
) -> None:
    """How far something reaches on the ground about a point of the window."""
    x, y = projection.to_ground(*centre)
    points = [
        projection.to_screen(
            x + radius_cm * math.cos(step * math.tau / 48),
            y + radius_cm * math.sin(step * math.tau / 48),
            0.0,
        )
        for step in range(48)
    ]
    pygame.draw.aalines(surface, colour, True, points)


def spring(
    surface: pygame.Surface,
    start: tuple[float, float],
    end: _Place,
    colour: Colour,
) -> None:
    """A zigzag that stretches."""
    length = math.dist(start, end)
    if length < 2.0:
        pygame.draw.circle(surface, colour, start, 4)
        return
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    turns = 9
    points = [start]
    for step in range(1, turns):
        share = step / turns
        side = 5.0 if step % 2 else -5.0
        points.append(
            (
                start[0] + along[0] * length * share - along[1] * side,
                start[1] + along[1] * length * share + along[0] * side,
            )
        )
    pygame.draw.lines(surface, colour, False, [*points, end], 2)
    pygame.draw.circle(surface, colour, start, 4)
