"""LVL-06: a beam hangs over a lying body."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ai.motion.recovery.phases import RecoveryPhase
from game import Sandbox
from game.levels.cue_forms import PropRemoveCue
from game.levels.level import Level
from game.levels.map_transforms import MapTransform, Mirrored, Turned
from game.levels.transforms import transformed
from tests.levels.runs import Run, play, shipped

WAITING = RecoveryPhase.WAITING_FOR_SPACE


@pytest.fixture(scope="module")
def level() -> Level:
    return shipped("blocked_standup")


@pytest.fixture(scope="module")
def run(level: Level) -> Run:
    return play(level)


def test_the_level_meets_its_own_expectations(run: Run) -> None:
    """LVL-06, LVL-09: every expectation passes, none with a warning."""
    assert run.failures() == []
    assert run.summary.passed == run.summary.total


def test_it_waits_as_long_as_the_beam_hangs(run: Run) -> None:
    """LVL-06: WAITING_FOR_SPACE 120 +-1 ticks, drift <= 1 cm; then BLENDING, COMPLETE."""
    waiting = [row for row in run.rows if row.recovery_phase is WAITING]
    assert len(waiting) == pytest.approx(120, abs=1)
    first = waiting[0].position
    assert all(math.dist(row.position, first) <= 1.0 for row in waiting)
    phases = [row.recovery_phase for row in run.rows]
    order = [phase for n, phase in enumerate(phases) if n == 0 or phases[n - 1] is not phase]
    assert [phase.name for phase in order] == [
        "INACTIVE",
        "PHYSICS",
        "WAITING_FOR_SPACE",
        "BLENDING",
        "COMPLETE",
        "INACTIVE",
    ]


def test_it_goes_on_to_the_kept_goal(run: Run) -> None:
    """LVL-06, REC-19: one session and instruction, no failure, generation + 2, COMPLETED."""
    assert run.last.order_status == "COMPLETED"
    assert (run.last.session, run.last.instruction_count, run.last.failure_count) == (1, 1, 0)
    assert run.last.generation == run.rows[100].generation + 2
    assert run.last.movement_goal == run.rows[100].movement_goal


def test_without_removal_it_waits_for_ever(level: Level) -> None:
    """LVL-06: variant without removal: still waiting after 20 s."""
    cues = tuple(cue for cue in level.script.cues if not isinstance(cue, PropRemoveCue))
    stays = replace(level, script=replace(level.script, cues=cues, expectations=()))
    with Sandbox(stays, strict=True) as box:
        for _ in range(1500):
            box.step()
        record = box.ped("courier").recovery
        assert record is not None
        assert record.phase is WAITING
        assert record.stable_time > 15.0


@pytest.mark.parametrize("image", [Mirrored, Turned])
def test_mirrored_and_turned_it_comes_out_the_same(level: Level, image: type[MapTransform]) -> None:
    """LVL-08: LVL-06 also passes mirrored and turned by 90 degrees (outcomes, not hashes)."""
    assert play(transformed(level, image)).failures() == []
