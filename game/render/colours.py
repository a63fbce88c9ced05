"""Arithmetic on RGB triples: shading and mixing, nothing else."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]
"""Red, green, blue, each 0 to 255."""


@lru_cache(maxsize=4096)
def shade(colour: Colour, factor: float) -> Colour:
    """``colour`` times ``factor`` (at least 0), each channel held at 255."""
    return (
        min(255, int(colour[0] * factor)),
        min(255, int(colour[1] * factor)),
        min(255, int(colour[2] * factor)),
    )


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """From ``first`` (share 0) to ``second`` (share 1)."""
    return (
        int(first[0] + (second[0] - first[0]) * share),
        int(first[1] + (second[1] - first[1]) * share),
        int(first[2] + (second[2] - first[2]) * share),
    )


def distance(first: Colour, second: Colour) -> int:
    """Summed difference of the channels: the measure of art-and-feel section 2."""
    return sum(abs(one - other) for one, other in zip(first, second, strict=True))


def brightness(colour: Colour) -> float:
    """Perceived brightness, 0 to 255 (Rec. 601 weights)."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
