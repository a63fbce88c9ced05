"""LVL-03: a flight is broken by a fall, and goes on to the same point."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest

from ai.motion.movement_table import ClipPhase, MoveStatus, SpeedMode
from ai.motion.recovery.phases import RecoveryPhase
from ai.ports import Vec3
from ai.tasks.trees import PRIMARY, PrimarySlot
from game import Sandbox
from game.levels.judge import Outcome
from game.levels.level import Level
from game.levels.map_transforms import MapTransform, Mirrored, Turned
from game.levels.transforms import transformed
from tests.levels.runs import COURIER, shipped

RUN_STEP_CM = 330.0 / 60.0
"""Budget of a running step (LOC-15)."""


@dataclass(frozen=True)
class Seen:
    """The courier after a step."""

    step: int
    position: Vec3
    state: str
    start_count: int
    goal: Vec3
    generation: int
    root: int
    child: int
    phase: RecoveryPhase
    clip: ClipPhase
    profile: str
    status: MoveStatus
    mode: SpeedMode
    is_limp: bool


@pytest.fixture(scope="module")
def level() -> Level:
    return shipped("resume_flee")


@pytest.fixture(scope="module")
def seen(level: Level) -> list[Seen]:
    """Every step from the start of the response on."""
    return watch(level)


def watch(level: Level) -> list[Seen]:
    found: list[Seen] = []
    with Sandbox(level, strict=True) as box:
        courier = box.ped(COURIER)
        for _ in range(round(level.duration_s * 60)):
            box.step()
            record = courier.safe_response
            if record is None or not record.start_count:
                continue
            root = courier.tasks.tree(PRIMARY).slots[PrimarySlot.EVENT_RESPONSE_NONTEMP]
            child = None if root is None else root.child
            recovery = courier.recovery
            movement = courier.movement
            profile = box.world.table.profile.item(movement.row)
            found.append(
                Seen(
                    box.world.clock.step,
                    courier.position,
                    record.state.name,
                    record.start_count,
                    record.goal,
                    movement.generation,
                    0 if root is None else root.uid,
                    0 if child is None else child.uid,
                    RecoveryPhase.INACTIVE if recovery is None else recovery.phase,
                    ClipPhase(movement.clip.phase),
                    box.world.data.clips.profiles[profile].name,
                    movement.status,
                    movement.speed_mode,
                    box.world.recovery.is_limp(courier.slot),
                )
            )
        box.expectations.finish()
        assert [one.sentence for one in box.expectations.results()
                if one.outcome is not Outcome.PASSED] == []  # fmt: skip
        assert courier.safe_response is not None
        assert courier.safe_response.replaced_goal == pytest.approx(courier.movement.goal), (
            "it was recorded; the errand itself goes there again"
        )
        assert [event.event_type.name for event in courier.events.group.queue.entries] == []
    return found


def active(seen: list[Seen]) -> list[Seen]:
    return [one for one in seen if one.state == "ACTIVE"]


def test_it_runs_1200_cm_along_the_street(seen: list[Seen]) -> None:
    """LVL-03, FLEE-05: goal = (x at selection + 1200, 500); profile run; steps up to 5.5 cm."""
    first = active(seen)[0]
    assert first.goal == pytest.approx((first.position.x + 1200.0, 500.0, 0.0), abs=0.01)
    assert {one.mode for one in active(seen)} == {SpeedMode.RUN}
    upright = [
        (one, other)
        for one, other in pairwise(seen)
        if not one.is_limp and not other.is_limp and one.phase is RecoveryPhase.INACTIVE
    ]
    assert all(
        abs(complex(after.position.x - before.position.x, after.position.y - before.position.y))
        <= RUN_STEP_CM + 1e-9
        for before, after in upright
    )


def test_it_falls_out_of_the_loop_of_a_run(seen: list[Seen]) -> None:
    """LVL-03: PHYSICS entered from phase LOOP of the run profile; one recovery, COMPLETE."""
    fall = next(n for n, one in enumerate(seen) if one.phase is RecoveryPhase.PHYSICS)
    assert (seen[fall - 1].clip, seen[fall - 1].profile) == (ClipPhase.LOOP, "run")
    phases = [one.phase for one in seen]
    assert RecoveryPhase.COMPLETE in phases
    rises = sum(
        1
        for before, after in pairwise(phases)
        if before is RecoveryPhase.INACTIVE and after is not RecoveryPhase.INACTIVE
    )
    assert rises == 1


def test_purpose_and_goal_outlive_the_fall(seen: list[Seen]) -> None:
    """LVL-03, SAFE-12, SAFE-13: the same task objects, start_count 1, one goal, generation + 2."""
    while_active = active(seen)
    assert len({(one.root, one.child) for one in while_active}) == 1
    assert {one.start_count for one in seen} == {1}
    assert len({one.goal for one in seen}) == 1
    assert while_active[-1].generation == while_active[0].generation + 2


def test_it_ends_at_the_goal_in_time(seen: list[Seen]) -> None:
    """LVL-03: SUCCEEDED, 1350 +- 15 cm from the fire, by 18 s."""
    first, last = active(seen)[0], active(seen)[-1]
    assert last.step < 18 * 60
    fire = first.position.x - 150.0
    assert last.position.x - fire == pytest.approx(1350.0, abs=15.0)


@pytest.mark.parametrize("image", [Mirrored, Turned])
def test_mirrored_and_turned_it_comes_out_the_same(level: Level, image: type[MapTransform]) -> None:
    """LVL-08: LVL-03 also passes mirrored and turned by 90 degrees (outcomes, not hashes)."""
    with Sandbox(transformed(level, image), strict=True) as box:
        box.run()
        box.expectations.finish()
        assert [one.sentence for one in box.expectations.results()
                if one.outcome is not Outcome.PASSED] == []  # fmt: skip
