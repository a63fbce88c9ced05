"""The bounds that every fall keeps (RAG-12): calm in time, never through a wall, never torn."""

from __future__ import annotations

import math
import random

import pytest

from ai.motion.recovery.tuning import SettleTuning
from ai.ports import BodyState
from tests.game.world.limp import PLACE, states, throw, wall
from tests.game.world.small_worlds import SmallWorld, knockdown

THROWS = 300
MAY_LEAVE_S = 3.0
PIVOT_ERROR_CM = 20.0
STEP = 1.0 / 60.0

ALLEY_HALF_CM = 31.0
"""The 62 cm alley of RAG-12; the walls are 20 cm thick."""

PRESSED_CM = 30.0


def settled(state: BodyState, settle: SettleTuning) -> bool:
    """REC-06 and REC-07, worked out here from the state alone; all ground carries."""
    vx, vy = state.pelvis_velocity
    pelvis = math.sqrt(vx * vx + vy * vy + state.vz * state.vz)
    vx, vy = state.chest_velocity
    chest = math.sqrt(vx * vx + vy * vy + state.vz * state.vz)
    return (
        state.pose.z == 0.0
        and state.vz == 0.0
        and max(pelvis, 0.5 * chest) <= settle.speed
        and abs(state.pelvis_spin) <= math.radians(settle.spin_deg_s)
    )


@pytest.mark.parametrize(
    ("setting", "low_y", "high_y"),
    [
        ("open", -math.inf, math.inf),
        ("alley", PLACE[1] - ALLEY_HALF_CM, PLACE[1] + ALLEY_HALF_CM),
        ("one wall", PLACE[1] - PRESSED_CM, math.inf),
    ],
)
def test_every_throw_comes_to_rest_in_time_and_in_bounds(
    setting: str, low_y: float, high_y: float
) -> None:
    """RAG-12, RAG-05, F5: 300 throws; up within 3 s, no centre beyond a wall, no joint torn."""
    rng = random.Random(f"throws {setting}")
    world = SmallWorld()
    settle = knockdown().settle
    for number, edge in enumerate((low_y - 10.0, high_y + 10.0)):
        if math.isfinite(edge):
            wall(world, 1 + number, PLACE[0], edge, 2600.0, 20.0)
    slowest, widest = 0.0, 0.0
    for number in range(THROWS):
        limp = throw(
            world,
            rng.uniform(0.0, 45000.0),
            rng.uniform(-math.pi, math.pi),
            up=rng.uniform(0.0, 30000.0),
            speed=rng.uniform(0.0, 330.0),
            yaw_rad=rng.uniform(-math.pi, math.pi),
        )
        stable, age = 0.0, 0.0
        for state in states(world, round(MAY_LEAVE_S / STEP)):
            age += STEP
            stable = stable + STEP if settled(state, settle) else 0.0
            widest = max(widest, limp.pivot_error_cm())
            for body in limp.bodies:
                assert low_y < body.position.y < high_y, f"throw {number} passed a wall"
                assert body.velocity.length <= 900.0 + 1e-6
                assert abs(body.angular_velocity) <= 12.0 + 1e-9
            if age >= 1.3 - 1e-6 and stable >= 0.35 - 1e-6:
                break
        else:
            pytest.fail(f"throw {number} may not leave after {MAY_LEAVE_S} s")
        slowest = max(slowest, age)
        assert world.physics.ragdolls.release(0)
    assert slowest <= MAY_LEAVE_S
    assert widest <= PIVOT_ERROR_CM
    assert world.physics.counts()[0] == 0
