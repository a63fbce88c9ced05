"""Cost of limp peds: ``python -m tests.benchmarks.bench_ragdolls``.

Twenty peds are thrown on open ground. Printed are processor milliseconds a step of
physics with its bookkeeping against the same bodies and joints stepped by pymunk alone,
and microseconds a ped and step of the recovery's own work (RAG-13, REC-24), beside a
calibration (3 million integer additions in a loop, 0.20 s on the reference machine);
goals scale with it.
"""

from __future__ import annotations

import math
import time

import numpy as np

from ai.ports import STEP_S
from game.run_report import CALIBRATION_ADDITIONS
from game.world.physics import SUB_STEP_S, SUB_STEPS
from game.world.world import World
from tests.streets import person, street

PEDS = 20
STEPS = 75
ROUNDS = 5
CALIBRATION_GOAL_S = 0.20
PHYSICS_GOAL_MS = 3.0
BOOKKEEPING_GOAL_US = 40.0


def calibration_s() -> float:
    """Processor seconds of the additions."""
    begun = time.process_time()
    total = 0
    for number in range(CALIBRATION_ADDITIONS):
        total += number
    return time.process_time() - begun


def thrown() -> World:
    """Twenty peds, 150 cm apart, hit in the same step."""
    peds = [
        person(10 + n, f"p{n}", 400.0 + 250.0 * (n % 5), 300.0 + 300.0 * (n // 5))
        for n in range(PEDS)
    ]
    world = World(street(peds=peds))
    world.step()
    for number, ped in enumerate(world.peds.in_id_order()):
        angle = 0.7 * number
        world.knock_downs.request(ped, (20000.0 * math.cos(angle), 20000.0 * math.sin(angle)))
    world.step()
    return world


def physics_s() -> float:
    """Seconds of all physics phases of a fall."""
    world = thrown()
    spent = 0.0
    for _ in range(STEPS):
        begun = time.process_time()
        world.step_physics()
        spent += time.process_time() - begun
    return spent


def bare_s() -> float:
    """Seconds of pymunk alone for the same bodies, whose plan lengths have grown."""
    world = thrown()
    for _ in range(30):
        world.step_physics()
    space = world.physics._space
    begun = time.process_time()
    for _ in range(STEPS * SUB_STEPS):
        space.step(SUB_STEP_S)
    return time.process_time() - begun


def bookkeeping_s() -> float:
    """Seconds of the recovery's phase while everybody lies."""
    world = thrown()
    spent = 0.0
    for _ in range(STEPS):
        world.step_physics()
        world.table.begin_step()
        begun = time.process_time()
        world.recovery.update(STEP_S)
        spent += time.process_time() - begun
    return spent


def main() -> None:
    """Print the table."""
    scale = min(calibration_s() for _ in range(3)) / CALIBRATION_GOAL_S
    physics = np.min([physics_s() for _ in range(ROUNDS)]) / STEPS * 1e3
    bare = np.min([bare_s() for _ in range(ROUNDS)]) / STEPS * 1e3
    books = np.min([bookkeeping_s() for _ in range(ROUNDS)]) / STEPS / PEDS * 1e6
    print(f"calibration {scale * CALIBRATION_GOAL_S:.3f} s; goals are scaled by {scale:.2f}")
    print(f"{PEDS} limp peds, physics phase {physics:6.2f} ms  goal {PHYSICS_GOAL_MS * scale:.2f}")
    print(f"the same in bare pymunk     {bare:6.2f} ms")
    print(f"recovery, a ped and step    {books:6.1f} us  goal {BOOKKEEPING_GOAL_US * scale:.1f}")


if __name__ == "__main__":
    main()
