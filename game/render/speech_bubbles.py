"""What people say, in bubbles over their heads (art-and-feel section 12).

At most four in view, the nearest to the middle of the picture; each pops up on the
viewer's clock. Bubbles keep off each other: a later one is put above.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import pygame
from numpy.typing import NDArray

from game.render.fonts import font
from game.render.palette import InterfaceColours
from game.render.picture import PedPictures, SpokenPicture
from game.render.projection import Projection

HEAD_CM: Final = 200.0
LYING_HEAD_CM: Final = 70.0
TEXT_PX: Final = 14
PAD_X, PAD_Y, TAIL, LINE = 9, 5, 8, 2
SHOWN_MAX: Final = 4
POP_S: Final = 0.18
PAINTED_MAX: Final = 64


class SpeechBubbles:
    """Draws ``Picture.speech`` and remembers how far each bubble has popped up."""

    def __init__(self, colours: InterfaceColours) -> None:
        self._colours = colours
        self._age_s: dict[SpokenPicture, float] = {}
        self._painted: dict[str, pygame.Surface] = {}

    def draw(
        self,
        surface: pygame.Surface,
        projection: Projection,
        peds: PedPictures,
        places: NDArray[np.float64],
        speech: tuple[SpokenPicture, ...],
        frame_s: float,
    ) -> None:
        """Go on by one frame and draw, those at the back of the picture first."""
        self._age_s = {line: self._age_s.get(line, 0.0) + frame_s for line in speech}
        if not speech:
            return
        rows = {ped_id: row for row, ped_id in enumerate(peds.ids.tolist())}
        shown: list[tuple[float, float, float, SpokenPicture]] = []
        for line in speech:
            row = rows.get(line.ped_id)
            if row is None:
                continue
            x, y, z, _ = places[row].tolist()
            lies = peds.poses[row].joints is not None
            px, py = projection.to_screen(x, y, z + (LYING_HEAD_CM if lies else HEAD_CM))
            if 0.0 <= px <= projection.width and 0.0 <= py <= projection.height:
                away = math.hypot(px - projection.width / 2.0, py - projection.height / 2.0)
                shown.append((away, px, py, line))
        shown.sort(key=lambda one: one[0])
        taken: list[pygame.Rect] = []
        for _, px, py, line in sorted(shown[:SHOWN_MAX], key=lambda one: -one[2]):
            self._draw_one(surface, px, py, line, taken)

    def _draw_one(
        self,
        surface: pygame.Surface,
        px: float,
        py: float,
        line: SpokenPicture,
        taken: list[pygame.Rect],
    ) -> None:
        bubble = self._bubble(line.text)
        share = min(self._age_s[line] / POP_S, 1.0)
        if share < 1.0:
            scale = 0.4 + 0.6 * math.sin(0.5 * math.pi * share) + 0.15 * math.sin(math.pi * share)
            size = (
                max(2, round(bubble.get_width() * scale)),
                max(2, round(bubble.get_height() * scale)),
            )
            bubble = pygame.transform.smoothscale(bubble, size)
        box = bubble.get_rect(midbottom=(round(px), round(py)))
        box.clamp_ip(surface.get_rect())
        for _ in range(SHOWN_MAX):
            hit = box.collidelist(taken)
            if hit < 0:
                break
            box.bottom = taken[hit].top
        taken.append(box)
        surface.blit(bubble, box)

    def _bubble(self, text: str) -> pygame.Surface:
        painted = self._painted.get(text)
        if painted is None:
            if len(self._painted) >= PAINTED_MAX:
                self._painted.clear()
            painted = self._painted[text] = paint_speech(text, self._colours)
        return painted


def paint_speech(text: str, colours: InterfaceColours) -> pygame.Surface:
    """A round bubble with words; the tip of its tail is the middle of its lower edge."""
    words = font(TEXT_PX, bold=True).render(text, True, colours.paper_ink)
    width, height = words.get_width() + 2 * PAD_X, words.get_height() + 2 * PAD_Y
    bubble = pygame.Surface((width, height + TAIL), pygame.SRCALPHA)
    bubble.fill((*colours.paper_ink, 0))
    box, middle, radius = pygame.Rect(0, 0, width, height), width // 2, height // 2
    for inset, colour in ((0, colours.paper_ink), (LINE, colours.paper)):
        inner = box.inflate(-2 * inset, -2 * inset)
        half = 6 - inset
        tail = ((middle - half, height - LINE - 1), (middle + half, height - LINE - 1))
        pygame.draw.rect(bubble, colour, inner, border_radius=radius - inset)
        pygame.draw.polygon(bubble, colour, [*tail, (middle, height + TAIL - 1 - 2 * inset)])
    bubble.blit(words, (PAD_X, PAD_Y))
    return bubble
