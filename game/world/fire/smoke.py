"""Smoke as a density over the level: made by fires, carried by the wind, in the way of sight."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from game.world.fire.flames import Floats, Wind
from game.world.fire.tuning import SmokeTuning

Ints: TypeAlias = NDArray[np.int64]

SAMPLES_MAX = 64
"""Places at which a line of sight looks into the smoke."""

THIN = 1e-4
"""Less than this is clear air again."""


class Smoke:
    """Density by cell, shape (rows, columns), 1 being what a full usual fire fills one with.

    ``is_clear`` while there is none anywhere.
    """

    def __init__(self, width_cm: float, height_cm: float, tuning: SmokeTuning) -> None:
        self._tuning = tuning
        columns = max(1, math.ceil(width_cm / tuning.cell))
        rows = max(1, math.ceil(height_cm / tuning.cell))
        self.density: Floats = np.zeros((rows, columns))
        self.is_clear = True

    def advance(self, at: Floats, strength: Floats, wind: Wind, dt_s: float) -> None:
        """Make, carry, spread and thin it; fires (n, 2) in cm of ``strength`` (n,)."""
        if self.is_clear and not len(at):
            return
        tuning, density = self._tuning, self.density
        if len(at):
            rows, columns = self._cells(at)
            np.add.at(density, (rows, columns), tuning.made_per_s * dt_s * strength)
        self.density = drifted(density, wind, dt_s, tuning)
        self.density[self.density < THIN] = 0.0
        self.is_clear = not self.density.any()

    def hides(self, here: tuple[float, float], there: tuple[float, float]) -> bool:
        """Is there too much smoke on the line to see through?"""
        if self.is_clear:
            return False
        length = math.dist(here, there)
        count = min(SAMPLES_MAX, max(1, math.ceil(2.0 * length / self._tuning.cell)))
        share = (np.arange(count) + 0.5) / count
        line = np.stack(
            (here[0] + (there[0] - here[0]) * share, here[1] + (there[1] - here[1]) * share),
            axis=1,
        )
        seen_through = float(self.density[self._cells(line)].sum()) * length / count
        return seen_through > self._tuning.hides_at

    def _cells(self, at: Floats) -> tuple[Ints, Ints]:
        cell = self._tuning.cell
        rows = np.clip((at[:, 1] // cell).astype(np.int64), 0, self.density.shape[0] - 1)
        columns = np.clip((at[:, 0] // cell).astype(np.int64), 0, self.density.shape[1] - 1)
        return rows, columns


def drifted(density: Floats, wind: Wind, dt_s: float, tuning: SmokeTuning) -> Floats:
    """Density (rows, columns) after ``dt_s``: upwind steps, spreading, thinning; edges let it go.

    Stable while the wind passes less than a cell in ``dt_s``; a faster one is held to that.
    """
    share_x = max(-1.0, min(1.0, wind.x * dt_s / tuning.cell))
    share_y = max(-1.0, min(1.0, wind.y * dt_s / tuning.cell))
    now = density
    if share_x:
        now = now + abs(share_x) * (_moved(now, 1, share_x > 0.0) - now)
    if share_y:
        now = now + abs(share_y) * (_moved(now, 0, share_y > 0.0) - now)
    spread = tuning.spreads_cm2_s * dt_s / tuning.cell**2
    around = sum(_moved(now, axis, up) for axis in (0, 1) for up in (False, True))
    now = now + spread * (around - 4.0 * now)
    thinned: Floats = now * math.exp(-dt_s / tuning.lasts_s)
    return thinned


def _moved(density: Floats, axis: int, up: bool) -> Floats:
    """Each cell's neighbour on one side, clear air beyond the edge."""
    moved = np.zeros_like(density)
    to: list[slice] = [slice(None), slice(None)]
    source: list[slice] = [slice(None), slice(None)]
    to[axis], source[axis] = (
        (slice(1, None), slice(None, -1)) if up else (slice(None, -1), slice(1, None))
    )
    moved[tuple(to)] = density[tuple(source)]
    return moved
