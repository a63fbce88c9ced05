"""Cost of guards: ``python -m tests.benchmarks.bench_guards``.

200 guards on their beats, then all of them after one thug, each with a full update in
every step. Printed is the processor time of phase 6 (minds) per guard and step, the best of
several stretches, beside a calibration (3 million integer additions, 0.20 s on the
reference machine); the goal scales with it. Before a row is printed every brain must have
been entered once a step.
"""

from __future__ import annotations

import gc
import math
import time
from dataclasses import replace

from ai.machines.hsm.machine import StateMachine
from ai.ports import Polygon, Vec3
from game.world import phases
from game.world.description import LevelDescription, MarkerDescription
from game.world.world import World
from tests.benchmarks.bench_machines import CALIBRATION_GOAL_S, calibrate
from tests.levels.guard_runs import guard
from tests.streets import ped_named, person, street

GUARDS = 200
GOAL_US = 60.0
SIDE_CM = 6000.0
STRETCHES, STEPS = 12, 30


def guarded_square() -> LevelDescription:
    """Guards in rows, each on a beat of its own; the thug and a victim in the middle."""
    peds, markers = [], []
    for number in range(GUARDS):
        x, y = 300.0 + number % 20 * 270.0, 300.0 + number // 20 * 540.0
        name = f"beat{number}"
        peds.append(guard(10 + number, f"guard{number}", x, y, route=name))
        points = (Vec3(x, y), Vec3(x + 180.0, y), Vec3(x + 180.0, y + 220.0))
        markers.append(MarkerDescription(1000 + number, name, points))
    peds.append(person(900, "thug", SIDE_CM / 2.0, SIDE_CM / 2.0 + 60.0, math.pi))
    peds.append(person(901, "victim", SIDE_CM / 2.0 - 80.0, SIDE_CM / 2.0 + 60.0))
    ground = street().surfaces[0]
    corners = ((0.0, 0.0), (SIDE_CM, 0.0), (SIDE_CM, SIDE_CM), (0.0, SIDE_CM))
    return replace(
        street(peds=peds, surfaces=(replace(ground, outline=Polygon(corners)),)),
        width_cm=SIDE_CM,
        height_cm=SIDE_CM,
        markers=tuple(markers),
    )


def minds_us(world: World) -> float:
    """Best microseconds of phase 6 per ped and step over the stretches."""
    best = math.inf
    minds = phases.minds
    spent = 0.0

    def timed(which: World) -> None:
        nonlocal spent
        start = time.process_time()
        minds(which)
        spent += time.process_time() - start

    phases.minds = timed
    try:
        for _ in range(STRETCHES):
            spent = 0.0
            for _ in range(STEPS):
                world.step()
            best = min(best, spent / STEPS / len(world.peds) * 1e6)
    finally:
        phases.minds = minds
    return best


def modes(world: World) -> dict[str, int]:
    """How many guards are in each mode."""
    found: dict[str, int] = {}
    for ped in world.peds.in_id_order():
        brain = ped.brain
        if brain is not None and isinstance(brain.mind, StateMachine):
            assert brain.context.step == world.clock.step - 1, "a brain was not entered"
            path = brain.mind.record.target_path
            found[path] = found.get(path, 0) + 1
    return found


def main() -> None:
    """Print the table."""
    seconds = min(calibrate() for _ in range(5))
    scale = seconds / CALIBRATION_GOAL_S
    print(f"calibration {seconds:.3f} s, goal x {scale:.2f}: {GOAL_US * scale:.0f} us a guard")
    world = World(guarded_square())
    for ped in world.peds.in_id_order():
        ped.intelligence.fix_period(1)
    for _ in range(60):
        world.step()
    gc.collect()
    gc.freeze()
    print(f"on their beats      {minds_us(world):6.1f} us   {modes(world)}")
    victim = ped_named(world, "victim")
    world.impacts.shove(ped_named(world, "thug"), victim, 9_000.0)
    for _ in range(30):
        world.step()
    print(f"after a thug        {minds_us(world):6.1f} us   {modes(world)}")
    world.close()


if __name__ == "__main__":
    main()
