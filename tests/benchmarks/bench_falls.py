"""How falls come to rest, over many seeds: ``python -m tests.benchmarks.bench_falls [seeds]``.

Printed are counts and figures of the simulation, not of the machine: seconds from the hit
until the body may leave (REC-07), the widest gap of a joint at its peak and at rest, limbs that
still turn at rest, bodies beyond the walls of a closed room, and the furthest that a drawn
joint moved at a hand-over beyond what its own speed explains.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import pymunk

from ai.motion.recovery.phases import LIMP, RecoveryPhase
from ai.peds.ped import Ped
from ai.ports import STEP_S, Impact, Vec3
from game.render.picture_of_world import ClipPoses, WorldPicture
from game.world.world import World
from tests.streets import barrier, pavement, person, street

SEEDS = 200
ROOM_BLASTS = 500
HEAP = 100
SHOVE_GOAL_S, BLAST_GOAL_S = 3.0, 5.0
GAP_PEAK_GOAL_CM, GAP_REST_GOAL_CM = 4.0, 1.0
JUMP_GOAL_CM = 2.0
GIVE_UP_STEPS = 900
WIDE_CM = 4000.0
MIDDLE = (2000.0, 2000.0)


@dataclass
class Falls:
    """Figures of many falls of one kind."""

    to_rest_s: list[float] = field(default_factory=list)
    gap_peak_cm: float = 0.0
    gap_rest_cm: float = 0.0
    spin_rest: float = 0.0
    jump_cm: float = 0.0

    def row(self, name: str, goal_s: float) -> str:
        """One line of the table."""
        times = np.sort(self.to_rest_s)
        late = int((times > goal_s).sum())
        return (
            f"{name:<22} {len(times):4d} falls  median {np.median(times):4.2f} s  95 % "
            f"{np.quantile(times, 0.95):4.2f}  most {times[-1]:4.2f} (goal {goal_s:.0f}, {late} "
            f"over)  gap {self.gap_peak_cm:5.2f} peak {self.gap_rest_cm:4.2f} rest  spin at rest "
            f"{self.spin_rest:4.2f} rad/s  jump {self.jump_cm:4.2f} cm"
        )


def one_ped(rng: random.Random) -> tuple[World, Ped]:
    """Somebody on open ground, facing anywhere."""
    yaw = rng.uniform(-math.pi, math.pi)
    level = street(peds=(person(10, "a", *MIDDLE, yaw),), surfaces=(pavement(WIDE_CM, WIDE_CM),))
    world = World(replace(level, width_cm=WIDE_CM, height_cm=WIDE_CM))
    for _ in range(3):
        world.step()
    return world, world.peds.in_id_order()[0]


class Eyes:
    """Where the joints of one ped are drawn, step by step, in the world."""

    def __init__(self, world: World) -> None:
        self._picture = WorldPicture(world)
        self._source = ClipPoses(world.data.clips)
        self._bones = [
            row for row, name in enumerate(self._source.joints) if name not in ("face", "crown")
        ]
        self.shown: list[np.ndarray] = []

    def look(self) -> None:
        """After a step."""
        self._picture.after_step()
        peds = self._picture.picture.peds
        joints = self._source.poses([peds.poses[0]])[0][self._bones]
        x, y, z, yaw = peds.now[0].tolist()
        cosine, sine = math.cos(yaw), math.sin(yaw)
        self.shown.append(
            np.stack(
                (
                    x + joints[:, 0] * cosine - joints[:, 1] * sine,
                    y + joints[:, 0] * sine + joints[:, 1] * cosine,
                    z + joints[:, 2],
                ),
                axis=1,
            )
        )

    def jump_cm(self, step: int) -> float:
        """How much further a joint moved in a step than just before or just after it."""
        places = np.array(self.shown[step - 2 : step + 2])
        moved = np.sqrt(((places[1:] - places[:-1]) ** 2).sum(axis=2))
        return float((moved[1] - np.maximum(moved[0], moved[2])).max())


def watch(world: World, ped: Ped, falls: Falls) -> None:
    """Follow a fall until the body may leave, then on to its rise."""
    eyes = Eyes(world)
    age, taken_at, rising_at = 0, -1, -1
    rest_gap = spin = 0.0
    for step in range(GIVE_UP_STEPS):
        world.step()
        eyes.look()
        phase = world.recovery.phase(ped.slot)
        limp = world.physics.ragdolls.limp_ped(ped.slot)
        if phase in LIMP and limp is not None:
            age += 1
            if taken_at < 0:
                taken_at = step
            falls.gap_peak_cm = max(falls.gap_peak_cm, limp.pivot_error_cm())
            record = world.recovery.record(ped.slot)
            if record is not None and record.stable_time >= 0.3:
                rest_gap = limp.pivot_error_cm()
                spin = max(abs(body.angular_velocity) for body in limp.bodies)
        elif phase is RecoveryPhase.BLENDING and rising_at < 0:
            rising_at = step
            falls.to_rest_s.append(age * STEP_S)
            falls.gap_rest_cm = max(falls.gap_rest_cm, rest_gap)
            falls.spin_rest = max(falls.spin_rest, spin)
        if 0 <= rising_at < step - 3:
            break
    else:
        falls.to_rest_s.append(GIVE_UP_STEPS * STEP_S)
        return
    falls.jump_cm = max(falls.jump_cm, eyes.jump_cm(rising_at))
    if taken_at >= 2:
        falls.jump_cm = max(falls.jump_cm, eyes.jump_cm(taken_at))


def shoves(seeds: int) -> Falls:
    """Pushes that just throw, up to what a runner's shove carries."""
    falls = Falls()
    for seed in range(seeds):
        rng = random.Random(f"shove {seed}")
        world, ped = one_ped(rng)
        angle, size = rng.uniform(-math.pi, math.pi), rng.uniform(13500.0, 29000.0)
        for _ in range(2):
            world.step()
        world.impacts.strike(ped, Impact((size * math.cos(angle), size * math.sin(angle))))
        watch(world, ped, falls)
        world.close()
    return falls


def blasts(seeds: int) -> Falls:
    """The strongest blast that a tool can give, close by."""
    falls = Falls()
    for seed in range(seeds):
        rng = random.Random(f"blast {seed}")
        world, ped = one_ped(rng)
        angle, away = rng.uniform(-math.pi, math.pi), rng.uniform(5.0, 250.0)
        ped.health.immortal = True
        at = Vec3(MIDDLE[0] + away * math.cos(angle), MIDDLE[1] + away * math.sin(angle))
        world.blasts.explode(at, strength=2.0)
        ped.health.mend_to(1.0)  # who is badly hurt stays down by itself
        watch(world, ped, falls)
        world.close()
    return falls


def escapes(count: int) -> tuple[int, float]:
    """Bodies beyond the walls of a closed room, and the fastest limb, over so many blasts."""
    walls = tuple(
        replace(barrier(50 + number, *sides), z_high_cm=400.0)
        for number, sides in enumerate(
            (
                (700.0, 800.0, 20.0, 640.0),
                (1300.0, 800.0, 20.0, 640.0),
                (1000.0, 500.0, 620.0, 20.0),
                (1000.0, 1100.0, 620.0, 20.0),
            )
        )
    )
    rng = random.Random("room")
    peds = tuple(person(10 + n, f"p{n}", 820.0 + 90.0 * n, 800.0) for n in range(5))
    world = World(street(peds=peds, obstacles=walls))
    for ped in world.peds.in_id_order():
        ped.health.immortal = True
    world.step()
    outside, fastest = 0, 0.0
    for _ in range(count):
        at = Vec3(rng.uniform(720.0, 1280.0), rng.uniform(520.0, 1080.0))
        world.blasts.explode(at, strength=rng.uniform(0.5, 2.0))
        for ped in world.peds.in_id_order():
            ped.health.mend_to(1.0)
        for _ in range(24):
            world.step()
            for body in limp_bodies(world):
                fastest = max(fastest, body.velocity.length)
                x, y = body.position
                outside += not (700.0 < x < 1300.0 and 500.0 < y < 1100.0)
    world.close()
    return outside, fastest


def limp_bodies(world: World) -> Iterator[pymunk.Body]:
    """All bodies of all who are limp."""
    for ped in world.peds.in_id_order():
        limp = world.physics.ragdolls.limp_ped(ped.slot)
        if limp is not None:
            yield from limp.bodies


def heap(count: int) -> tuple[float, float]:
    """So many limp peds on one heap, thrown at its middle: seconds to rest, widest gap then."""
    from tests.game.world.limp import PLACE, step, throw
    from tests.game.world.small_worlds import SmallWorld

    rng = random.Random("heap")
    world = SmallWorld()
    limps = []
    for slot in range(count):
        angle, away = rng.uniform(-math.pi, math.pi), 120.0 * math.sqrt(rng.random())
        place = PLACE[0] + away * math.cos(angle), PLACE[1] + away * math.sin(angle)
        limps.append(throw(world, 20000.0, angle + math.pi, place=place, slot=slot))
    for tick in range(600):
        step(world)
        speeds = [body.velocity.length for limp in limps for body in limp.bodies]
        if not all(map(math.isfinite, speeds)):
            return math.nan, math.nan
        if max(speeds) < 35.0:
            return tick * STEP_S, max(limp.pivot_error_cm() for limp in limps)
    return math.inf, max(limp.pivot_error_cm() for limp in limps)


def main() -> None:
    """Print the table."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    print(shoves(seeds).row("shove", SHOVE_GOAL_S))
    print(blasts(seeds).row("strongest blast", BLAST_GOAL_S))
    outside, fastest = escapes(ROOM_BLASTS * seeds // SEEDS)
    print(f"closed room: {outside} bodies outside; fastest limb {fastest:.0f} cm/s (cap 900)")
    rest_s, gap = heap(HEAP)
    print(f"heap of {HEAP}: at rest after {rest_s:.2f} s, gap {gap:.2f} cm")
    goals = f"{GAP_PEAK_GOAL_CM:.0f} / {GAP_REST_GOAL_CM:.0f} cm, jump {JUMP_GOAL_CM:.0f} cm"
    print(f"goals of gaps {goals}")


if __name__ == "__main__":
    main()
