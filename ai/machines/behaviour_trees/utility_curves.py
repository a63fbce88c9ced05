"""Scores of a utility selector: considerations, curves, compensation (BT-19)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from ai.machines.blackboard.board import Blackboard

Curve: TypeAlias = Callable[[float], float]


def constant(y: float) -> Curve:
    """The same for every input."""
    return lambda _: y


def boolean(on: float, off: float) -> Curve:
    """``on`` for a true key, ``off`` for a false one."""
    return lambda x: on if x else off


def linear(x0: float, y0: float, x1: float, y1: float) -> Curve:
    """The straight line through two points, going on beyond them."""
    slope = (y1 - y0) / (x1 - x0)
    return lambda x: y0 + (x - x0) * slope


def power(exponent: float, scale: float) -> Curve:
    """``(x / scale) ** exponent`` for x clamped to 0 .. scale."""
    return lambda x: (min(max(x / scale, 0.0), 1.0)) ** exponent


def logistic(mid: float, steepness: float) -> Curve:
    """``1 / (1 + e ** -(steepness * (x - mid)))``."""

    def curve(x: float) -> float:
        exponent = -steepness * (x - mid)
        return 0.0 if exponent > 700.0 else 1.0 / (1.0 + math.exp(exponent))

    return curve


def points(pairs: Sequence[tuple[float, float]]) -> Curve:
    """Piecewise linear through points of rising x, flat outside."""

    def curve(x: float) -> float:
        if x <= pairs[0][0]:
            return pairs[0][1]
        for (x0, y0), (x1, y1) in pairwise(pairs):
            if x <= x1:
                return y0 + (x - x0) * (y1 - y0) / (x1 - x0)
        return pairs[-1][1]

    return curve


@dataclass(frozen=True, slots=True)
class Consideration:
    """One factor of an option; ``slot`` is -1 for one that reads no key."""

    slot: int
    curve: Curve = field(compare=False)


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its weight and factors."""

    weight: float
    considerations: tuple[Consideration, ...]

    def score(self, board: Blackboard) -> float:
        """``weight * c`` with ``c = p + (1 - p) * (1 - 1/n) * p``; NaN if a curve gives NaN."""
        count = len(self.considerations)
        if not count:
            return self.weight
        product = 1.0
        for consideration in self.considerations:
            value = board.values[consideration.slot] if consideration.slot >= 0 else 0.0
            number = float(value) if isinstance(value, int | float) else math.nan
            factor = consideration.curve(number)
            if math.isnan(factor):
                return math.nan
            product *= min(max(factor, 0.0), 1.0)
        return self.weight * compensated(product, count)


def compensated(product: float, count: int) -> float:
    """Keeps many factors from crushing a score: 0.7 of 2 -> 0.805, 0.04 of 2 -> 0.0592."""
    return product + (1.0 - product) * (1.0 - 1.0 / count) * product
