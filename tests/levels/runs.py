"""Runs of levels for tests: every step is checked, everything that happened is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from ai.events.trace import Fact
from ai.peds.trace_rows import TraceRow
from ai.ports import STEP_S, ObjectTransform, Vec3
from game import Sandbox
from game.levels.expectations import ExpectationResult, Summary
from game.levels.judge import Outcome
from game.levels.level import Level
from game.levels.loading import load_level
from game.world.world_data import shipped_world_data

COURIER = "courier"
WALK_STEP_CM = 130.0 / 60.0
"""Budget of a walking step: desired speed x 1/60 s (LOC-15)."""


@dataclass
class Run:
    """What a run left behind.

    - ``rows[n]`` is the courier's state at the end of step n.
    - ``paths`` maps a generation to the length of the path installed for it, from
      where the courier stood.
    - ``poses`` are the named things at the end.
    """

    level: Level
    rows: list[TraceRow]
    facts: list[Fact]
    paths: dict[int, float]
    results: tuple[ExpectationResult, ...]
    summary: Summary
    fingerprint: str
    poses: dict[str, ObjectTransform] = field(default_factory=dict)

    def first(self, fact: str) -> Fact:
        """The courier's first fact of that name."""
        return next(one for one in self.facts if one.fact == fact)

    def steps_with_status(self, status: str) -> list[int]:
        """Steps that ended with the order in this status."""
        return [row.step for row in self.rows if row.order_status == status]

    @property
    def last(self) -> TraceRow:
        """The courier at the end."""
        return self.rows[-1]

    def failures(self) -> list[str]:
        """What the level expected and did not get."""
        return [
            f"{result.sentence} (last seen: {result.last_seen})"
            for result in self.results
            if result.outcome is not Outcome.PASSED
        ]


def shipped(name: str) -> Level:
    """A shipped level, read and checked."""
    return load_level(name, shipped_world_data())


def play(
    level: Level,
    *,
    seconds: float | None = None,
    before_step: Callable[[Sandbox], None] | None = None,
) -> Run:
    """Play a level and check at every step what holds in all of them.

    - The courier is inside no solid shape (LVL-01: no tick inside any shape).
    - No step is longer than the walking budget (LOC-15), but for those of a limp body.
    """
    with Sandbox(level, strict=True, trace=True) as box:
        courier = box.ped(COURIER)
        paths: dict[int, float] = {}
        for _ in range(round((level.duration_s if seconds is None else seconds) / STEP_S)):
            here = courier.position
            if before_step is not None:
                before_step(box)
            box.step()
            there = courier.position
            length = math.hypot(there.x - here.x, there.y - here.y)
            if not box.world.recovery.is_limp(courier.slot):
                assert length <= WALK_STEP_CM + 1e-9, f"step of {length} cm at {box.time_s:.3f} s"
                assert box.scene.stage.body_free(there), (
                    f"inside a shape at {there}, {box.time_s:.3f} s"
                )
            movement = courier.movement
            if movement.path_usable and movement.generation not in paths:
                paths[movement.generation] = polyline_length(here, *movement.path)
        box.expectations.finish()
        names = [thing.name for thing in box.world.things.in_id_order() if thing.name]
        poses = {name: pose for name in names if (pose := box.scene.stage.pose(name)) is not None}
        return Run(
            level=level,
            rows=box.state_trace.of(courier.ped_id),
            facts=box.facts.of(courier.ped_id),
            paths=paths,
            results=box.expectations.results(),
            summary=box.expectations.summary(),
            fingerprint=box.fingerprint,
            poses=poses,
        )


def polyline_length(*points: Vec3) -> float:
    """Length of a way through points, in cm."""
    return sum(
        math.hypot(after.x - before.x, after.y - before.y) for before, after in pairwise(points)
    )


def distance(row: TraceRow, goal: Vec3) -> float:
    """From a courier's place to a goal, in cm (3D)."""
    return math.dist(row.position, goal)


def near(place: Vec3 | None, x: float, y: float, tolerance_cm: float = 0.01) -> bool:
    """Each component within the tolerance."""
    return (
        place is not None and abs(place.x - x) <= tolerance_cm and abs(place.y - y) <= tolerance_cm
    )
