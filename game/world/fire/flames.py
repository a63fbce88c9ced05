"""The fires of a world in one table, and how they grow, die and heat what is near.

Arrays have one entry a fire, in the order in which they were lit. A fire's *strength* goes
from 0 to 1; its flames cover ``reach * strength ** 0.5`` cm, as the ground they stand on
grows with the heat they give.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from game.world.fire.tuning import FlameTuning, SpreadTuning

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]


class Wind(NamedTuple):
    """The way that air moves, in cm/s."""

    x: float = 0.0
    y: float = 0.0


class Flames:
    """All fires; rows are added at the end and taken out, never moved otherwise.

    - ``number`` is the fire's in the happenings; ``thing_slot`` is -1 on bare ground.
    - ``reach`` (cm) of the full fire, ``strength`` 0 to 1, ``fuel`` and ``wet`` in s.
    - ``whole_fuel`` is what there was before anything burnt.
    - ``steady``: full from the first step, burns for its time (for good, if that is infinite)
      and spreads nothing: a level's own measure.
    - ``kindled``: another fire set it alight.
    """

    COLUMNS = (
        "number", "x", "y", "reach", "strength", "fuel", "whole_fuel", "wet", "thing_slot",
        "steady", "kindled",
    )  # fmt: skip

    def __init__(self) -> None:
        self.number: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.x: Floats = np.empty(0)
        self.y: Floats = np.empty(0)
        self.reach: Floats = np.empty(0)
        self.strength: Floats = np.empty(0)
        self.fuel: Floats = np.empty(0)
        self.whole_fuel: Floats = np.empty(0)
        self.wet: Floats = np.empty(0)
        self.thing_slot: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.steady: Flags = np.empty(0, dtype=np.bool_)
        self.kindled: Flags = np.empty(0, dtype=np.bool_)

    def __len__(self) -> int:
        return len(self.number)

    def add(
        self,
        number: int,
        at: tuple[float, float],
        reach_cm: float,
        fuel_s: float,
        *,
        thing_slot: int = -1,
        steady: bool = False,
        kindled: bool = False,
        whole_fuel_s: float | None = None,
    ) -> None:
        """One more fire; ``whole_fuel_s`` where part of the fuel is burnt already."""
        strength = 1.0 if steady else 0.0
        whole = fuel_s if whole_fuel_s is None else whole_fuel_s
        row = (
            number, *at, reach_cm, strength, fuel_s, whole, 0.0, thing_slot, steady, kindled
        )  # fmt: skip
        for name, value in zip(self.COLUMNS, row, strict=True):
            column = getattr(self, name)
            setattr(self, name, np.append(column, column.dtype.type(value)))

    def keep(self, rows: Flags) -> None:
        """Take out all other rows."""
        for name in self.COLUMNS:
            setattr(self, name, getattr(self, name)[rows])

    def radius(self) -> Floats:
        """How far the flames reach now, cm, shape (n,)."""
        return self.reach * np.sqrt(self.strength)

    def burn(self, dt_s: float, tuning: FlameTuning) -> Flags:
        """Go on by ``dt_s``; returns which fires are out, shape (n,)."""
        self.strength, self.fuel, self.wet = burn_on(
            self.strength, self.fuel, self.wet, self.steady, dt_s, tuning
        )
        return (self.strength <= 0.0) & ((self.fuel <= 0.0) | (self.wet > 0.0))


def burn_on(
    strength: Floats, fuel_s: Floats, wet_s: Floats, steady: Flags, dt_s: float, tuning: FlameTuning
) -> tuple[Floats, Floats, Floats]:
    """Strength, fuel and wetness after ``dt_s``; all arrays (n,).

    Under water a fire shrinks within ``dousing_s``, whatever it has to burn. Else it grows in
    ``growth_s`` while there is fuel and dies in ``dying_s`` when there is none. Fuel goes with
    the strength; that of a steady fire with time.
    """
    is_wet = wet_s > 0.0
    rate = np.where(fuel_s > 0.0, 1.0 / tuning.growth_s, -1.0 / tuning.dying_s)
    rate = np.where(steady, np.where(fuel_s > 0.0, 1.0, -1.0) / dt_s, rate)
    rate = np.where(is_wet, -1.0 / tuning.dousing_s, rate)
    new_strength = np.clip(strength + rate * dt_s, 0.0, 1.0)
    spent = np.where(steady, 1.0, strength) * dt_s
    return new_strength, np.maximum(fuel_s - spent, 0.0), np.maximum(wet_s - dt_s, 0.0)


def heat_of(
    flames_at: Floats,
    radius: Floats,
    strength: Floats,
    targets_at: Floats,
    target_radius: Floats,
    wind: Wind,
    tuning: SpreadTuning,
    usual_radius: float,
) -> Floats:
    """Heat that targets take in a second, shape (m,), from fires (n, 2) and targets (m, 2) in cm.

    1 at the edge of a full fire of the usual size, more of a larger one; over each
    ``reach`` of gap it falls to 1/e. Wind stretches the reach down its way and shortens it
    against.
    """
    if not len(flames_at) or not len(targets_at):
        return np.zeros(len(targets_at))
    dx = targets_at[None, :, 0] - flames_at[:, None, 0]
    dy = targets_at[None, :, 1] - flames_at[:, None, 1]
    distance = np.sqrt(dx * dx + dy * dy)
    gap = np.maximum(distance - radius[:, None] - target_radius[None, :], 0.0)
    along = (dx * wind.x + dy * wind.y) / np.maximum(distance, 1e-9) / tuning.wind_full
    reach = tuning.reach * np.maximum(1.0 + tuning.wind_reach * along, 0.25)
    power = strength * radius / usual_radius
    heat: Floats = (power[:, None] * np.exp(-gap / reach)).sum(axis=0)
    return heat


def ember_lands(
    at: tuple[float, float], wind: Wind, drawn: tuple[float, float], tuning: SpreadTuning
) -> tuple[float, float]:
    """Where an ember comes down: ``drawn`` are two numbers in [0, 1), how far and how much aside.

    In still air it lands near; in a wind of ``wind_full`` up to ``ember_range`` off.
    """
    speed = math.hypot(wind.x, wind.y)
    share = min(speed / tuning.wind_full, 1.0)
    heading = math.atan2(wind.y, wind.x) + (drawn[1] - 0.5) * (math.tau - 5.0 * share)
    length = tuning.ember_range * (0.25 + 0.75 * share) * math.sqrt(drawn[0])
    return at[0] + length * math.cos(heading), at[1] + length * math.sin(heading)
