"""The shipped levels with minds that update every 6th or 15th step (LVL-32, TASK-86)."""

from __future__ import annotations

import pytest

from game import Sandbox
from tests.levels.runs import Run, play, shipped

LEVELS = [
    "pickup",
    "hold_redirect",
    "sealed_redirect",
    "cancel_while_down",
    "blocked_standup",
]


def sliced(name: str, period: int) -> Run:
    """A run in which every mind has its full updates every ``period`` steps."""

    def slice_minds(box: Sandbox) -> None:
        for ped in box.world.peds.in_id_order():
            ped.intelligence.fix_period(period)

    return play(shipped(name), before_step=slice_minds)


def results(run: Run) -> list[tuple[object, ...]]:
    """The order's statuses and counts in the order in which they came, and where it ended."""
    seen: list[tuple[object, ...]] = []
    for row in run.rows:
        counts = (
            row.order_status,
            row.session,
            row.instruction_count,
            row.failure_count,
            row.generation,
            row.movement_status,
        )
        if not seen or seen[-1] != counts:
            seen.append(counts)
    return [*seen, tuple(round(number, 3) for number in run.last.position)]


@pytest.fixture(scope="module")
def whole() -> dict[str, Run]:
    """Every level with full updates in every step."""
    return {name: sliced(name, 1) for name in LEVELS}


@pytest.mark.parametrize("period", [6, 15])
@pytest.mark.parametrize("name", LEVELS)
def test_results_and_counts_do_not_depend_on_the_slice(
    name: str, period: int, whole: dict[str, Run]
) -> None:
    """LVL-32 (first half), TASK-86: same expectations, statuses, counts and end place."""
    run = sliced(name, period)
    assert run.failures() == []
    assert run.summary.passed == run.summary.total
    assert results(run) == results(whole[name])
