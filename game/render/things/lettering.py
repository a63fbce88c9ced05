"""Words on walls: signs in the program's bold font, laid flat on a face."""

from __future__ import annotations

import math

import pygame

from game.render.canvas import Canvas
from game.render.colours import Colour
from game.render.fonts import font
from game.render.solids import Face


def paint_lettering(
    canvas: Canvas, face: Face, text: str, u: float, v: float, height_cm: float, colour: Colour
) -> None:
    """Write ``text`` centred on (u, v) of a face, turned along it."""
    size = max(6, round(height_cm * canvas.scale))
    drawn = font(size, bold=True).render(text, True, colour)
    if drawn.get_width() > face.width * canvas.scale * 0.92:
        drawn = pygame.transform.smoothscale(
            drawn, (max(1, int(face.width * canvas.scale * 0.92)), drawn.get_height())
        )
    (ax, ay), (bx, by) = face.at(u - 50.0, v), face.at(u + 50.0, v)
    angle_deg = -math.degrees(math.atan2(by - ay, bx - ax))
    if abs(angle_deg) > 1.0:
        drawn = pygame.transform.rotozoom(drawn, angle_deg, 1.0)
    x, y = face.at(u, v)
    canvas.surface.blit(drawn, (x - drawn.get_width() / 2.0, y - drawn.get_height() / 2.0))
