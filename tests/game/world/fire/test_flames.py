"""How one fire grows, dies, is doused and heats: worked out by hand, batch against scalar."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.world.fire.flames import Flames, Wind, burn_on, ember_lands, heat_of
from game.world.world_data import shipped_world_data

TUNING = shipped_world_data().fire
FLAME, SPREAD = TUNING.flame, TUNING.spread
STEP_S = 1.0 / 60.0


def burnt_alone(
    strength: float, fuel_s: float, wet_s: float, steady: bool, dt_s: float
) -> tuple[float, float, float]:
    """One fire, without arrays: what the batch must equal."""
    if wet_s > 0.0:
        rate = -1.0 / FLAME.dousing_s
    elif steady:
        rate = math.copysign(1.0 / dt_s, fuel_s - 1e-300)
    else:
        rate = 1.0 / FLAME.growth_s if fuel_s > 0.0 else -1.0 / FLAME.dying_s
    spent = dt_s if steady else strength * dt_s
    return (
        min(max(strength + rate * dt_s, 0.0), 1.0),
        max(fuel_s - spent, 0.0),
        max(wet_s - dt_s, 0.0),
    )


@given(
    st.lists(
        st.tuples(
            st.floats(0.0, 1.0),
            st.one_of(st.just(0.0), st.floats(1e-3, 100.0)),
            st.one_of(st.just(0.0), st.floats(1e-3, 5.0)),
            st.booleans(),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_the_batch_is_each_fire_alone(fires: list[tuple[float, float, float, bool]]) -> None:
    """One step of many fires at once, bit for bit."""
    columns = [np.array(column) for column in zip(*fires, strict=True)]
    together = burn_on(*columns, STEP_S, FLAME)
    for row, fire in enumerate(fires):
        assert tuple(part[row] for part in together) == burnt_alone(*fire, STEP_S)


def lit(fuel_s: float, *, steady: bool = False) -> Flames:
    flames = Flames()
    flames.add(7, (100.0, 200.0), 80.0, fuel_s, steady=steady)
    return flames


def burn(flames: Flames, seconds: float) -> bool:
    """Is it out after so long?"""
    out = np.zeros(len(flames), dtype=np.bool_)
    for _ in range(round(seconds * 60)):
        out = flames.burn(STEP_S, FLAME)
    return bool(out.any())


def test_a_fire_grows_in_four_seconds_and_its_ground_with_its_strength() -> None:
    """growth_s = 4: half strength after 2 s, whose flames cover 80 x sqrt(1/2) cm."""
    flames = lit(100.0)
    burn(flames, 2.0)
    assert flames.strength[0] == pytest.approx(0.5)
    assert flames.radius()[0] == pytest.approx(80.0 * math.sqrt(0.5))
    burn(flames, 2.0)
    assert flames.strength[0] == pytest.approx(1.0)
    assert flames.fuel[0] == pytest.approx(100.0 - 2.0, abs=0.02), "the mean strength was a half"


def test_without_fuel_it_dies_in_three_seconds() -> None:
    """dying_s = 3."""
    flames = lit(0.0)
    flames.strength[0] = 1.0
    assert not burn(flames, 2.9)
    assert burn(flames, 0.2)


def test_water_ends_it_in_less_than_a_second_though_there_is_fuel() -> None:
    """dousing_s = 0.8 within water_s = 2.5."""
    flames = lit(100.0)
    flames.strength[0] = 1.0
    flames.wet[0] = FLAME.water_s
    assert not burn(flames, 0.7)
    assert burn(flames, 0.2)


def test_a_steady_fire_is_full_at_once_and_ends_with_its_time() -> None:
    """burns_s = 2: full in every step of it."""
    flames = lit(2.0, steady=True)
    assert flames.radius()[0] == 80.0
    assert not burn(flames, 1.95)
    assert flames.strength[0] == 1.0
    assert burn(flames, 0.1)


def heat(gap_cm: float, wind: Wind, *, strength: float = 1.0) -> float:
    """What a disc of 30 cm takes so far east of the edge of a fire of the usual size."""
    at = np.array([[60.0 + gap_cm + 30.0, 0.0]])
    fire = np.zeros((1, 2))
    return heat_of(
        fire, np.array([60.0]), np.array([strength]), at, np.array([30.0]), wind, SPREAD, 60.0
    ).item()


def test_heat_falls_to_a_third_over_its_reach() -> None:
    """Reach = 70: 1 at the edge, 1/e after 70 cm; half as much from half a fire."""
    still = Wind()
    assert heat(0.0, still) == 1.0
    assert heat(70.0, still) == pytest.approx(math.exp(-1.0))
    assert heat(70.0, still, strength=0.5) == pytest.approx(0.5 * math.exp(-1.0))


def test_wind_stretches_the_reach_down_its_way_alone() -> None:
    """Full wind, wind_reach 1.2: 70 x 2.2 = 154 cm down, 70 x 0.25 up it, 70 across."""
    assert heat(154.0, Wind(300.0, 0.0)) == pytest.approx(math.exp(-1.0))
    assert heat(17.5, Wind(-300.0, 0.0)) == pytest.approx(math.exp(-1.0))
    assert heat(70.0, Wind(0.0, 300.0)) == pytest.approx(math.exp(-1.0))


@given(st.floats(0.0, 0.999), st.floats(0.0, 0.999))
def test_embers_fly_down_a_full_wind(far: float, aside: float) -> None:
    """Within 420 cm, and never against a wind of 300 cm/s."""
    x, y = ember_lands((0.0, 0.0), Wind(300.0, 0.0), (far, aside), SPREAD)
    assert math.hypot(x, y) <= SPREAD.ember_range
    assert x >= 0.0
