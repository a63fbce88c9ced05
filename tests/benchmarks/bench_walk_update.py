"""Cost of the walk update (LOC-16, NAV-12): ``python -m tests.benchmarks.bench_walk_update``.

Prints a table beside a calibration (3 million integer additions in a loop, 0.20 s on
the reference machine); goals scale with it. Each row is checked to have done its
work before it is printed.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable

from ai.motion.movement_table import MoveStatus
from ai.ports import STEP_S, Vec3
from tests.ai.motion.plain_world import PlainClearance, PlainGround, box
from tests.ai.motion.walk_world import WalkWorld

CALIBRATION_GOAL_S = 0.20
PEDS = 1000
ROUNDS = 120
GRID = 40
GAP_CM = 300.0


def calibrate() -> float:
    """Seconds for 3 million integer additions."""
    start = time.perf_counter()
    total = 0
    for number in range(3_000_000):
        total += number
    assert total > 0
    return time.perf_counter() - start


def crowd(*, walking: bool) -> WalkWorld:
    """1,000 peds three metres apart on open ground; walking ones go in random directions."""
    draw = random.Random(1)
    ground = PlainGround.of(box(6000.0, 4000.0, 40_000.0, 40_000.0))
    world = WalkWorld(ground=ground, capacity=PEDS, focus=Vec3(6000.0, 4000.0))
    for number in range(PEDS):
        x, y = number % GRID * GAP_CM, number // GRID * GAP_CM
        angle = draw.uniform(-math.pi, math.pi)
        ped = world.spawn(x, y, yaw_deg=math.degrees(angle))
        if walking:
            ped.walk((x + 9000.0 * math.cos(angle), y + 9000.0 * math.sin(angle)))
    return world


def times_ms(run: Callable[[], object], rounds: int) -> list[float]:
    """Milliseconds of each of several calls."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        found.append((time.perf_counter() - start) * 1000.0)
    return found


def walking_row() -> list[float]:
    """One W4 of 1,000 walking peds, with its timers; the mix of plain steps and evaluations."""
    world = crowd(walking=True)
    world.tick(90)
    before = world.table.travelled.sum()

    def step() -> None:
        world.table.begin_step()
        world.walk.step(STEP_S)

    found = times_ms(step, ROUNDS)
    covered = world.table.travelled.sum() - before
    assert covered > 0.95 * PEDS * ROUNDS * 130.0 * STEP_S, "the crowd did not walk"
    return found


def standing_row() -> list[float]:
    """One W4 of 1,000 standing peds."""
    world = crowd(walking=False)
    return times_ms(lambda: world.walk.step(STEP_S), ROUNDS)


def fan_row() -> list[float]:
    """One refused step with a full candidate fan: a ped close before a wide wall."""
    clearance = PlainClearance(box(100.0, 0.0, 20.0, 800.0))
    world = WalkWorld(clearance=clearance)
    ped = world.spawn(0.0, 0.0)
    ped.walk((500.0, 0.0))
    world.tick(120)
    checks = world.walk.steer_checks_near

    def step() -> None:
        world.table.blocked_time[:] = 0.0
        world.table.no_progress_time[:] = 0.0
        world.walk.step(STEP_S)

    found = times_ms(step, ROUNDS)
    assert world.walk.steer_checks_near - checks == ROUNDS, "not every step ran the fan"
    assert ped.status is MoveStatus.WALKING
    return found


def main() -> None:
    """Measure and print the table."""
    factor = calibrate() / CALIBRATION_GOAL_S
    print(f"calibration: {factor * CALIBRATION_GOAL_S:.3f} s (goal figures x {factor:.2f})")
    print(f"{'W4 of one step':<34}{'median ms':>10}{'mean ms':>10}{'max ms':>10}{'goal ms':>10}")
    rows: list[tuple[str, Callable[[], list[float]], float]] = [
        ("1,000 walking, open space", walking_row, 3.0),
        ("1,000 standing", standing_row, 0.5),
        ("full fan of one ped, refused", fan_row, 0.4),
    ]
    for name, measure, goal in rows:
        found = measure()
        print(
            f"{name:<34}{statistics.median(found):>10.3f}{statistics.fmean(found):>10.3f}"
            f"{max(found):>10.3f}{goal * factor:>10.3f}"
        )


if __name__ == "__main__":
    main()
