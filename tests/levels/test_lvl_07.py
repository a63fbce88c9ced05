"""LVL-07: six wanderers about a crossing, for 2988 steps."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from game import Sandbox
from game.levels.judge import Outcome
from tests.levels.runs import WALK_STEP_CM, shipped

STEPS = 2988
"""49.80 s."""

SPACING_CM = 63.0


@pytest.fixture(scope="module")
def ran() -> tuple[Sandbox, dict[str, float], float, float]:
    """The run; ground covered by each, the longest step and the least spacing of any step."""
    with Sandbox(shipped("city_six"), strict=True) as box:
        peds = box.world.peds.in_id_order()
        walked = dict.fromkeys((ped.name for ped in peds), 0.0)
        longest, nearest = 0.0, math.inf
        for _ in range(STEPS):
            before = [ped.position for ped in peds]
            box.step()
            for ped, here in zip(peds, before, strict=True):
                step = math.hypot(ped.position.x - here.x, ped.position.y - here.y)
                walked[ped.name] += step
                longest = max(longest, step)
                assert box.scene.stage.body_free(ped.position)
            for one, other in combinations(peds, 2):
                nearest = min(nearest, math.dist(one.position, other.position))
        box.expectations.finish()
    return box, walked, longest, nearest


def test_six_wander_for_2988_steps(
    ran: tuple[Sandbox, dict[str, float], float, float],
) -> None:
    """LVL-07, LVL-09: length 49.80 s; every expectation of the level passes."""
    box, walked, _, _ = ran
    assert len(walked) == 6
    assert box.world.clock.step == STEPS
    assert box.level.duration_s == pytest.approx(STEPS / 60.0)
    results = box.expectations.results()
    assert [one.sentence for one in results if one.outcome is not Outcome.PASSED] == []


def test_no_step_is_longer_than_walking_allows(
    ran: tuple[Sandbox, dict[str, float], float, float],
) -> None:
    """LVL-07, LOC-15: max normal step 2.1667 cm per tick (130 cm/s)."""
    assert 2.0 < ran[2] <= WALK_STEP_CM + 1e-9


def test_nobody_comes_nearer_than_two_bodies_and_a_gap(
    ran: tuple[Sandbox, dict[str, float], float, float],
) -> None:
    """LVL-07, LOC-07: min centre spacing 63.0 cm on every tick."""
    assert ran[3] >= SPACING_CM - 1e-9


def test_everybody_gets_about_and_reaches_a_goal(
    ran: tuple[Sandbox, dict[str, float], float, float],
) -> None:
    """LVL-07: each ped travels at least 1500 cm and reaches at least one goal."""
    box, walked, _, _ = ran
    assert min(walked.values()) >= 1500.0
    for ped in box.world.peds.in_id_order():
        assert box.facts.of(ped.ped_id, "ARRIVED"), ped.name


def test_steering_is_checked_near_and_far(
    ran: tuple[Sandbox, dict[str, float], float, float],
) -> None:
    """LVL-07, LOC-04: checks near and far of the focus are both counted, both > 0."""
    update = ran[0].world.walk_update
    assert update.steer_checks_near > 0
    assert update.steer_checks_far > 0
