"""Nothing leaves the closed street: F1, RAG-17."""

from __future__ import annotations

import math
import random

import pytest

from tests.game.world.small_worlds import SmallWorld, box

HALF_CM = 500.0


def yard(world: SmallWorld, thickness_cm: float) -> None:
    """A closed yard of 10 x 10 m inside, round (1000, 1000)."""
    reach = HALF_CM + thickness_cm / 2
    long = 2 * HALF_CM + 2 * thickness_cm
    for dx, dy, outline in (
        (0.0, -reach, box(long, thickness_cm)),
        (0.0, reach, box(long, thickness_cm)),
        (-reach, 0.0, box(thickness_cm, long)),
        (reach, 0.0, box(thickness_cm, long)),
    ):
        world.put("wall", 1000 + dx, 1000 + dy, outline=outline)


@pytest.mark.parametrize("thickness", [8.0, 16.0, 32.0])
@pytest.mark.parametrize("speed", [500.0, 900.0, 1500.0, 3000.0, 6000.0])
def test_no_thrown_prop_leaves_the_closed_yard(thickness: float, speed: float) -> None:
    """F1, RAG-17: a bin and others, walls of 8, 16 and 32 cm.

    At 4x speed the same steps are run, four to a frame, so that speed of play can't matter.
    """
    for seed in range(3):
        rng = random.Random(seed)
        world = SmallWorld()
        yard(world, thickness)
        for kind in ("bin", "bin", "crate", "cone", "bench", "bag", "trolley"):
            prop = world.put(
                kind, rng.uniform(650, 1350), rng.uniform(650, 1350), yaw_rad=rng.uniform(0, 6)
            )
            angle = rng.uniform(0, 2 * math.pi)
            world.throw(prop, speed * math.cos(angle), speed * math.sin(angle))
        for _ in range(90):
            world.step()
            _, state = world.physics.prop_state()
            assert (abs(state[:, :2] - 1000.0) < HALF_CM).all()


@pytest.mark.parametrize("speed", [500.0, 2000.0, 6000.0])
def test_a_fast_prop_square_on_a_thin_wall_is_stopped_at_its_face(speed: float) -> None:
    """RAG-17: without the sweep a bin at 6,000 cm/s (50 cm a sub-step) would jump 8 cm."""
    world = SmallWorld()
    world.put("wall", 1000, 500, outline=box(8, 400))
    bin_ = world.put("bin", 790, 500)
    world.throw(bin_, speed, 0)
    furthest = 0.0
    for _ in range(60):
        world.step()
        furthest = max(furthest, world.pose(bin_)[0])
    assert 996 - 26 - 2 < furthest < 996 - 26 + 2


def test_a_fast_prop_along_a_wall_keeps_its_way(world: SmallWorld) -> None:
    """RAG-17: only the part of the velocity that leads into a wall is cut."""
    world.put("wall", 1500, 500, outline=box(3000, 20))
    bin_ = world.put("bin", 300, 537)
    world.throw(bin_, 3000, -30)
    for _ in range(30):
        world.step()
    assert world.pose(bin_)[0] > 1200
    assert world.pose(bin_)[1] > 510


def test_a_fast_prop_into_a_corner_stays_in_it(world: SmallWorld) -> None:
    """RAG-17: past the first wall the rest of the way may meet another."""
    yard(world, 8.0)
    bin_ = world.put("bin", 1300, 1280)
    world.throw(bin_, 4200, 4250)
    for _ in range(60):
        world.step()
    x, y, _ = world.pose(bin_)
    assert x < 1500 - 24
    assert y < 1500 - 24


def test_a_fast_prop_under_a_high_wall_is_not_swept_against_it(world: SmallWorld) -> None:
    """RAG-09: the sweep sees only static shapes of the prop's bands."""
    world.put("wall", 1000, 500, outline=box(20, 400), heights=(100, 220))
    bin_ = world.put("bin", 500, 500)
    world.throw(bin_, 5000, 0)
    for _ in range(20):
        world.step()
    assert world.pose(bin_)[0] > 1200
