"""Marks over people: the ring of the selected, the tag with an order's state.

They lie over the light, so they read at night as by day.
"""

from __future__ import annotations

import numpy as np
import pygame
from numpy.typing import NDArray

from game.render.colours import Colour
from game.render.fonts import font
from game.render.palette import InterfaceColours
from game.render.picture import OrderLabel, PedPictures
from game.render.projection import Projection

RING_RADIUS_CM = 34.0
RING_WIDTH_CM = 3.4
TAG_HEIGHT_CM = 196.0
TAG_PX = 11


def paint_marks(
    surface: pygame.Surface,
    projection: Projection,
    peds: PedPictures,
    places: NDArray[np.float64],
    colours: InterfaceColours,
) -> None:
    """Rings of all selected peds, then tags, ascending in y so that near ones lie on top."""
    for row in np.flatnonzero(peds.selected).tolist():
        x, y, z = places[row, :3].tolist()
        _ring(surface, projection, x, y, z, colours.selected)
    for row in np.argsort(places[:, 1], kind="stable").tolist() if len(places) else ():
        label = peds.labels[row]
        if label is not None:
            x, y, z = places[row, :3].tolist()
            _tag(surface, projection.to_screen(x, y, z + TAG_HEIGHT_CM), label, colours)


def _ring(
    surface: pygame.Surface, projection: Projection, x: float, y: float, z: float, colour: Colour
) -> None:
    px, py = projection.to_screen(x, y, z)
    radius = RING_RADIUS_CM * projection.zoom
    box = pygame.Rect(0, 0, round(2 * radius), round(2 * radius * projection.sin_pitch))
    box.center = (round(px), round(py))
    pygame.draw.ellipse(surface, colour, box, max(2, round(RING_WIDTH_CM * projection.zoom)))


def _tag(
    surface: pygame.Surface, at: tuple[float, float], label: OrderLabel, colours: InterfaceColours
) -> None:
    """A small dark pill with a dot in the state's colour and its word; its point over the head."""
    tone: Colour = getattr(colours, label.tone, colours.info)
    words = font(TAG_PX).render(label.text, True, colours.text)
    width, height = words.get_width() + 22, 18
    pill = pygame.Surface((width, height + 5), pygame.SRCALPHA)
    pygame.draw.rect(pill, (*colours.panel, 226), (0, 0, width, height), border_radius=6)
    pygame.draw.polygon(
        pill,
        (*colours.panel, 226),
        [(width / 2 - 5, height), (width / 2 + 5, height), (width / 2, height + 5)],
    )
    pygame.draw.circle(pill, tone, (10, height // 2), 4)
    pill.blit(words, (17, (height - words.get_height()) // 2))
    surface.blit(pill, (round(at[0] - width / 2), round(at[1] - height - 5)))
