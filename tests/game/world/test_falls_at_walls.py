"""Joints of bodies thrown against a wall (RAG-08, RAG-12): they gape 4 cm at the most."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pymunk
import pytest

from ai.ports import Impact
from game.world.world import World
from tests.streets import barrier, ped_named, person, street

GAP_PEAK_CM = 4.0
WALL_X = 1400.0


def widest_gap_cm(seed: int) -> float:
    """The widest that a joint of somebody gapes who is thrown against a wall, fallen or flying."""
    rng = random.Random(f"wall {seed}")
    wall = replace(barrier(50, WALL_X, 800.0, 20.0, 640.0), z_high_cm=400.0)
    x = WALL_X - 10.0 - rng.uniform(32.0, 200.0)
    world = World(
        street(peds=(person(10, "a", x, 800.0, rng.uniform(-3.1, 3.1)),), obstacles=(wall,))
    )
    for _ in range(3):
        world.step()
    ped = ped_named(world, "a")
    ped.health.immortal = True
    angle, size = rng.uniform(-0.5, 0.5), rng.uniform(13_500.0, 45_000.0)
    up = rng.choice((0.0, 15_000.0))
    world.impacts.strike(ped, Impact((size * math.cos(angle), size * math.sin(angle)), up))
    widest = 0.0
    for _ in range(90):
        world.step()
        limp = world.physics.ragdolls.limp_ped(ped.slot)
        if limp is not None:
            widest = max(widest, limp.pivot_error_cm())
    world.close()
    assert widest > 0.0
    return widest


@pytest.mark.parametrize("seed", [3, 5, 12, 15, 19, 29])
def test_joints_hold_at_a_wall(seed: int) -> None:
    """RAG-12: the worst of thirty seeds; spin taken away about the middle gives seed 5 8.7 cm."""
    assert widest_gap_cm(seed) <= GAP_PEAK_CM


def test_the_spin_cap_leaves_the_joint_alone() -> None:
    """RAG-08: a shin spins 30 rad/s about its knee: at the cap of 12 the knee is as fast as before.

    At the knee v + spin x arm is kept; the arm is 22.5 cm, so the middle loses 18 x 22.5 cm/s.
    """
    world = World(street(peds=(person(10, "a", 800.0, 800.0),)))
    world.step()
    ped = ped_named(world, "a")
    world.impacts.strike(ped, Impact((20_000.0, 0.0)))
    while world.physics.ragdolls.limp_ped(ped.slot) is None:
        world.step()
    for _ in range(40):
        world.step()
    limp = world.physics.ragdolls.limp_ped(ped.slot)
    assert limp is not None
    shin = limp.bodies[-1]
    knee = pymunk.Vec2d(22.5, 0.0)
    shin.velocity, shin.angular_velocity = pymunk.Vec2d(10.0, 0.0), 30.0
    before, middle = shin.velocity_at_local_point(knee), shin.velocity
    limp.clamp(shin)
    assert shin.angular_velocity == 12.0
    assert (shin.velocity_at_local_point(knee) - before).length == pytest.approx(0.0, abs=1e-9)
    assert (shin.velocity - middle).length == pytest.approx(18.0 * 22.5)
    world.close()
