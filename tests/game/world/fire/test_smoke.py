"""Smoke: made, carried, thinned, and in the way of sight."""

from __future__ import annotations

import numpy as np
import pytest

from game.world.fire.flames import Wind
from game.world.fire.smoke import Smoke, drifted
from game.world.world_data import shipped_world_data

TUNING = shipped_world_data().fire.smoke


def smoke() -> Smoke:
    return Smoke(3000.0, 1500.0, TUNING)


def test_wind_carries_it_a_cell_at_most_in_a_step() -> None:
    """150 cm cells, 750 cm/s for 0.1 s: half of it is in the next cell, before it thins."""
    density = np.zeros((3, 5))
    density[1, 2] = 1.0
    still = TUNING.model_copy(update={"spreads_cm2_s": 0.0, "lasts_s": 1e9})
    moved = drifted(density, Wind(750.0, 0.0), 0.1, still)
    assert moved[1, 2] == pytest.approx(0.5)
    assert moved[1, 3] == pytest.approx(0.5)
    gale = drifted(density, Wind(0.0, -1e6), 0.1, still)
    assert gale[0, 2] == pytest.approx(1.0)


def test_it_thins_to_a_third_in_its_time() -> None:
    """lasts_s: exp(-1) of it, spread over the neighbours."""
    density = np.zeros((41, 41))
    density[20, 20] = 1.0
    for _ in range(round(TUNING.lasts_s * 10)):
        density = drifted(density, Wind(), 0.1, TUNING)
    assert density.sum() == pytest.approx(np.exp(-1.0), rel=1e-6)


def test_it_is_in_the_way_from_so_much_on() -> None:
    """hides_at: density 2 over a cell of 150 cm is 300, 2.3 is 345; 320 is between."""
    air = smoke()
    assert not air.hides((0.0, 75.0), (1500.0, 75.0))
    air.is_clear = False
    air.density[0, 4] = 2.0
    assert not air.hides((0.0, 75.0), (1500.0, 75.0))
    air.density[0, 4] = 2.3
    assert air.hides((0.0, 75.0), (1500.0, 75.0))
    assert air.hides((1500.0, 75.0), (0.0, 75.0)), "the same from the other side"
    assert not air.hides((0.0, 75.0), (500.0, 75.0)), "it hangs behind what is looked at"
    assert not air.hides((0.0, 400.0), (1500.0, 400.0)), "and not over there"


def test_the_air_is_clear_again_when_the_fire_is_long_out() -> None:
    air = smoke()
    air.advance(np.array([[700.0, 700.0]]), np.array([1.0]), Wind(), 0.1)
    assert not air.is_clear
    for _ in range(1000):
        air.advance(np.zeros((0, 2)), np.zeros(0), Wind(100.0, 0.0), 0.1)
    assert air.is_clear
