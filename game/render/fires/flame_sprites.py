"""Flames as loops of sixteen baked pictures, by size and strength (art-and-feel section 9).

Tongues stand on a sunflower disc; each is a chain of circles that sways. Four flat layers lie
in each other, all tongues of one layer before the next, so that the whole reads as one fire.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import pygame

from game.render.canvas import View
from game.render.colours import Colour
from game.render.palette import FireColours
from game.render.sprites import KEY_COLOUR, BakeBudget, Box, Sprite, bake

FRAMES: Final = 16
RADII: Final = (14.0, 20.0, 28.0, 40.0, 56.0, 78.0, 110.0, 155.0)
"""Fires are drawn at the nearest of these radii, cm."""
STRENGTHS: Final = (0.2, 0.5, 0.8, 1.0)

_GOLDEN: Final = math.pi * (3.0 - math.sqrt(5.0))
_WIDTHS: Final = (1.0, 0.92, 0.58, 0.28, 0.05)
_LAYERS: Final = ((1.0, 1.0), (0.92, 0.80), (0.64, 0.54), (0.36, 0.30))
"""Width and height of each layer's tongues against the outermost."""
_TALL_SHARE: Final = 0.62
"""The innermost layer stands in tongues of at least this share of the highest alone."""
_SWAY: Final = 0.10
_LICKS: Final = 3


_Dot: TypeAlias = Callable[[Colour, float, float, float, float], None]
"""Paints a disc: colour, place in cm from the fire's foot, radius in cm."""


class _Tongue(NamedTuple):
    x: float
    y: float
    height: float
    phase: float


class FlameSprites:
    """Bakes and keeps loops; for a picture that is not there yet another of its loop stands in."""

    def __init__(self, colours: FireColours, bakes_per_frame: int | None) -> None:
        self._colours = colours
        self._kept: dict[tuple[int, int, int, View], Sprite] = {}
        self._budget = BakeBudget(bakes_per_frame)
        self._view: View | None = None

    def begin_frame(self, view: View) -> None:
        """Give the frame its share; forget other views."""
        self._budget.begin_frame()
        if view != self._view:
            self._view = view
            self._kept.clear()

    def sprite(self, radius_cm: float, strength: float, frame: int, view: View) -> Sprite:
        """The picture of a fire about its ground point."""
        size = nearest(RADII, radius_cm)
        power = nearest(STRENGTHS, strength)
        key = (size, power, frame % FRAMES, view)
        found = self._kept.get(key)
        if found is not None:
            return found
        stand_in = next(
            (
                self._kept[other]
                for back in range(1, FRAMES)
                if (other := (size, power, (frame - back) % FRAMES, view)) in self._kept
            ),
            None,
        )
        if stand_in is not None and not self._budget.spend():
            return stand_in
        made = paint_flames(RADII[size], STRENGTHS[power], frame % FRAMES, view, self._colours)
        self._kept[key] = made
        return made


def nearest(steps: tuple[float, ...], value: float) -> int:
    """Index of the step nearest to a value."""
    return min(range(len(steps)), key=lambda index: abs(steps[index] - value))


def tongues_of(radius_cm: float, strength: float) -> list[_Tongue]:
    """Where tongues stand and how high they reach, back ones first."""
    count = max(4, round(radius_cm / 6.5))
    tall = (0.55 + 0.45 * strength) * math.sqrt(radius_cm / 78.0)
    found = []
    for index in range(count):
        away = radius_cm * 0.92 * math.sqrt((index + 0.5) / count)
        turn = index * _GOLDEN
        height = (84.0 + 150.0 * (1.0 - away / radius_cm) ** 0.8) * tall
        height *= 0.82 + 0.36 * ((index * 0.618) % 1.0)
        found.append(
            _Tongue(away * math.cos(turn), away * math.sin(turn), height, (index * 0.618) % 1.0)
        )
    return sorted(found, key=lambda tongue: tongue.y)


def paint_flames(
    radius_cm: float, strength: float, frame: int, view: View, colours: FireColours
) -> Sprite:
    """One picture of a loop."""
    tongues = tongues_of(radius_cm, strength)
    tallest = max(tongue.height for tongue in tongues)
    width = 0.28 * radius_cm * (0.7 + 0.3 * strength)
    zoom, sin, cos = view.zoom, view.sin_pitch, view.cos_pitch
    half = (radius_cm + width + 0.3 * tallest * _SWAY) * zoom + 3.0
    box = Box.around(
        -half, -(tallest * 1.28 * cos + radius_cm * sin) * zoom, half,
        (radius_cm * sin + width) * zoom, 2.0,
    )  # fmt: skip
    turn = frame / FRAMES

    def paint(surface: pygame.Surface, anchor: tuple[float, float]) -> None:
        scale = zoom * (surface.get_width() / box.width)

        def dot(colour: Colour, x: float, y: float, z: float, size: float) -> None:
            centre = (anchor[0] + x * scale, anchor[1] + (y * sin - z * cos) * scale)
            pygame.draw.circle(surface, colour, centre, max(size * scale, 1.0))

        for colour, (wide, high) in zip(colours.layers, _LAYERS, strict=True):
            for tongue in tongues:
                if high < 0.4 and tongue.height < _TALL_SHARE * tallest:
                    continue
                _paint_tongue(dot, colour, tongue, wide * width, high, turn)
        for lick in range(_LICKS):
            phase = (turn + lick / _LICKS) % 1.0
            if phase > 0.55:
                continue
            tongue = tongues[(lick * 7 + 3) % len(tongues)]
            z = tongue.height * (0.95 + 0.5 * phase)
            sway = 0.2 * width * math.sin(math.tau * (phase + tongue.phase))
            size = 0.34 * width * (1.0 - phase / 0.55)
            dot(colours.layers[1], tongue.x + sway, tongue.y, z, size)
            dot(colours.layers[2], tongue.x + sway, tongue.y, z - 0.3 * size, 0.55 * size)

    return bake(box, 2, KEY_FREE, view, paint)


KEY_FREE: Final[Colour] = (188, 46, 34)
"""What shows at the smoothed edge: the outermost flame, never the colour of nothing."""
assert KEY_FREE != KEY_COLOUR


def _paint_tongue(
    dot: _Dot, colour: Colour, tongue: _Tongue, width: float, high: float, turn: float
) -> None:
    """A chain of circles, thin and swaying towards its tip; between them as many again."""
    breath = 1.0 + 0.14 * math.sin(math.tau * (turn + tongue.phase))
    breath += 0.07 * math.sin(math.tau * (2.0 * turn + 1.7 * tongue.phase))
    height = tongue.height * high * breath
    steps = 2 * (len(_WIDTHS) - 1)
    for step in range(steps + 1):
        up = step / steps
        low = min(int(up * (len(_WIDTHS) - 1)), len(_WIDTHS) - 2)
        part = up * (len(_WIDTHS) - 1) - low
        size = width * (_WIDTHS[low] + (_WIDTHS[low + 1] - _WIDTHS[low]) * part)
        sway = _SWAY * height * up * math.sin(math.tau * (turn - 0.7 * up + tongue.phase))
        dot(colour, tongue.x + sway, tongue.y, 0.15 * width + height * up, size)
