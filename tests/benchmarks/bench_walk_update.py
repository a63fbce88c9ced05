"""Cost of the walk update (LOC-16, NAV-12): ``python -m tests.benchmarks.bench_walk_update``.

Runs W4 over the world's own ground and clearance. Prints a table beside a calibration
(3 million integer additions in a loop, 0.20 s on the reference machine); goals scale
with it. Each row is checked to have done its work before it is printed.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

from ai.motion.movement_table import MoveStatus
from ai.ports import STEP_S, Polygon, Vec3
from game.world.clearance import WorldClearance
from game.world.description import (
    CameraDescription,
    LevelDescription,
    SurfaceDescription,
    ThingDescription,
)
from game.world.ground import Ground, things_of
from game.world.world_data import shipped_world_data
from tests.ai.motion.walk_world import WalkWorld

CALIBRATION_GOAL_S = 0.20
PEDS = 1000
ROUNDS = 120
COLUMNS = 40
GAP_CM = 300.0
SIDE_CM = 30_000.0


def calibrate() -> float:
    """Seconds for 3 million integer additions."""
    start = time.perf_counter()
    total = 0
    for number in range(3_000_000):
        total += number
    assert total > 0
    return time.perf_counter() - start


def open_world(*obstacles: ThingDescription, capacity: int = 1) -> WalkWorld:
    """A pavement of 300 m by 300 m with obstacles, the way a level builds it."""
    data = shipped_world_data()
    corners = ((0.0, 0.0), (SIDE_CM, 0.0), (SIDE_CM, SIDE_CM), (0.0, SIDE_CM))
    description = LevelDescription(
        name="bench",
        title="Bench",
        width_cm=SIDE_CM,
        height_cm=SIDE_CM,
        seed=1,
        camera=CameraDescription(0.0, 0.0),
        surfaces=(SurfaceDescription(1, "pavement", Polygon(corners)),),
        obstacles=obstacles,
    )
    things = things_of(description, data)
    ground = Ground(description, things, data)
    clearance = WorldClearance(things, ground.distance_field, width_cm=SIDE_CM, height_cm=SIDE_CM)
    middle = Vec3(SIDE_CM / 2, SIDE_CM / 2)
    return WalkWorld(ground=ground.surface, clearance=clearance, capacity=capacity, focus=middle)


def crowd(*, walking: bool) -> WalkWorld:
    """1,000 peds three metres apart on open ground; walking ones go in random directions."""
    draw = random.Random(1)
    world = open_world(capacity=PEDS)
    for number in range(PEDS):
        x = SIDE_CM / 2 + (number % COLUMNS - COLUMNS / 2) * GAP_CM
        y = SIDE_CM / 2 + (number // COLUMNS - PEDS / COLUMNS / 2) * GAP_CM
        angle = draw.uniform(-math.pi, math.pi)
        ped = world.spawn(x, y, yaw_deg=math.degrees(angle))
        if walking:
            ped.walk((x + 8000.0 * math.cos(angle), y + 8000.0 * math.sin(angle)))
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
    """One refused step with a full candidate fan: a ped close before a wide plank."""
    plank = shipped_world_data().things.describe(7, "barricade", Vec3(15_100.0, 15_000.0), 0.0)
    outline = Polygon(((-10.0, -400.0), (10.0, -400.0), (10.0, 400.0), (-10.0, 400.0)))
    world = open_world(replace(plank, outline=outline, nav_block=False))
    ped = world.spawn(15_000.0, 15_000.0)
    ped.walk((15_500.0, 15_000.0))
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
