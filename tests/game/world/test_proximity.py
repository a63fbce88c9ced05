"""The map of loose things: near is what a disc's reach covers, and all that is outside."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from game.world.proximity import ProximityMap

WIDTH_CM, HEIGHT_CM = 1010.0, 730.0
REACH_CM = 100.0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_not_near_is_further_from_every_disc_than_the_reach(seed: int) -> None:
    """LOC-19: the map errs on one side, for each of many points asked at once."""
    rng = random.Random(seed)
    proximity = ProximityMap(WIDTH_CM, HEIGHT_CM, 8, REACH_CM)
    discs = {
        slot: (
            rng.uniform(-50, WIDTH_CM + 50),
            rng.uniform(-50, HEIGHT_CM + 50),
            rng.uniform(1, 60),
        )
        for slot in range(8)
    }
    for slot, (x, y, radius) in discs.items():
        proximity.put(slot, x, y, radius)
    proximity.drop(3)
    del discs[3]
    x = np.array([rng.uniform(0.0, WIDTH_CM) for _ in range(400)])
    y = np.array([rng.uniform(0.0, HEIGHT_CM) for _ in range(400)])
    near = proximity.near(x, y)
    assert not near.all()
    for px, py, is_near in zip(x.tolist(), y.tolist(), near.tolist(), strict=True):
        gap = min(math.hypot(px - cx, py - cy) - radius for cx, cy, radius in discs.values())
        if gap <= REACH_CM:
            assert is_near
        if gap > REACH_CM * math.sqrt(2.0) + 60.0 + 2 * 50.0:
            assert not is_near


def test_every_point_outside_the_level_is_near() -> None:
    """Also far outside, and what is no place at all."""
    proximity = ProximityMap(WIDTH_CM, HEIGHT_CM, 1, REACH_CM)
    x = np.array([500.0, -0.1, 1e6, -1e12, 500.0, 500.0, 0.0, math.nan, 500.0])
    y = np.array([300.0, 300.0, 300.0, 300.0, -0.1, 1e9, 0.0, 300.0, math.inf])
    expected = [False, True, True, True, True, True, False, True, True]
    assert proximity.near(x, y).tolist() == expected


def test_a_disc_over_the_edge_leaves_the_outside_near_when_it_goes() -> None:
    proximity = ProximityMap(WIDTH_CM, HEIGHT_CM, 1, REACH_CM)
    proximity.put(0, 0.0, 0.0, 40.0)
    inside, outside = (np.array([20.0]), np.array([20.0])), (np.array([-20.0]), np.array([20.0]))
    assert proximity.near(*inside).all()
    proximity.drop(0)
    assert not proximity.near(*inside).any()
    assert proximity.near(*outside).all()
