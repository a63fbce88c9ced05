"""LVL-05: an order is cancelled while the body lies."""

from __future__ import annotations

import pytest

from ai.motion.recovery.phases import RecoveryPhase
from game.levels.level import Level
from game.levels.map_transforms import MapTransform, Mirrored, Turned
from game.levels.transforms import transformed
from tests.levels.runs import Run, play, shipped

HIT = 150
"""Step of the impact at 2.5 s."""


@pytest.fixture(scope="module")
def level() -> Level:
    return shipped("cancel_while_down")


@pytest.fixture(scope="module")
def run(level: Level) -> Run:
    return play(level)


def test_the_level_meets_its_own_expectations(run: Run) -> None:
    """LVL-05, LVL-09: every expectation passes, none with a warning."""
    assert run.failures() == []
    assert run.summary.passed == run.summary.total


def test_the_order_is_cancelled_in_the_step_of_the_cue(run: Run) -> None:
    """LVL-05: cancel when PHYSICS age >= 0.5 s, 30 ticks on; CANCELLED that tick."""
    cancelled = run.first("CANCELLED").step
    assert cancelled == pytest.approx(HIT + 31, abs=1)
    assert run.rows[cancelled].order_status == "CANCELLED"
    assert run.rows[cancelled].movement_status.name == "CANCELLED"
    assert run.rows[cancelled].recovery_phase is RecoveryPhase.PHYSICS


def test_the_body_gets_up_and_then_nothing_moves(run: Run) -> None:
    """LVL-05, REC-20: COMPLETE by 9 s; 120 ticks of drift 0.0, no query, no body left."""
    done = next(n for n, row in enumerate(run.rows) if row.recovery_phase is RecoveryPhase.COMPLETE)
    assert done < 9 * 60
    after = run.rows[done : done + 121]
    assert len(after) == 121
    assert len({row.position for row in after}) == 1
    assert len({row.generation for row in after[1:]}) == 1
    assert {row.recovery_phase for row in after[1:]} == {RecoveryPhase.INACTIVE}
    assert {row.recovery_session for row in run.rows} == {0, 1}


@pytest.mark.parametrize("image", [Mirrored, Turned])
def test_mirrored_and_turned_it_comes_out_the_same(level: Level, image: type[MapTransform]) -> None:
    """LVL-08: LVL-05 also passes mirrored and turned by 90 degrees (outcomes, not hashes)."""
    assert play(transformed(level, image)).failures() == []
