"""In which ways a level is tested: with further seeds, and on images of its map (LVL-08)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from game.levels.map_transforms import Mirrored, Turned

MAX_SEEDS = 10_000


@dataclass(frozen=True, slots=True)
class Round:
    """One way to run a level.

    - ``seed_offset`` is added to the level's own seed.
    - ``image`` is a key of ``TRANSFORMS``, or None for the map as it is.
    """

    seed_offset: int = 0
    image: str | None = None

    def label(self, level: str) -> str:
        """What reports call this run of a level: ``pickup[mirrored, seed+2]``."""
        parts = [] if self.image is None else [self.image]
        if self.seed_offset:
            parts.append(f"seed+{self.seed_offset}")
        return f"{level}[{', '.join(parts)}]" if parts else level


def rounds(seeds: int = 1, *, mirror: bool = False, rotate: bool = False) -> Sequence[Round]:
    """Every seed on every map: as it is, and its images that are asked for.

    Raises ``ValueError`` for a number of seeds below 1 or over ``MAX_SEEDS``.
    """
    if not 1 <= seeds <= MAX_SEEDS:
        raise ValueError(f"seeds = {seeds}: give 1 to {MAX_SEEDS}")
    images: list[str | None] = [None]
    if mirror:
        images.append(Mirrored.name)
    if rotate:
        images.append(Turned.name)
    return [Round(offset, image) for image in images for offset in range(seeds)]
