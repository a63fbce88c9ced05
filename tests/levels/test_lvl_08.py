"""LVL-08: the same level, seed and inputs give the same run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.levels.runs import Run, play, shipped

LEVELS = [
    "pickup",
    "hold_redirect",
    "sealed_redirect",
    "cancel_while_down",
    "blocked_standup",
]
ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import sys
from game import Sandbox
with Sandbox.load(sys.argv[1], strict=False) as box:
    box.run()
    print(box.fingerprint)
"""


def outcome_hash(run: Run) -> int:
    """Hash over positions to 1e-6 cm, statuses and counts of every step."""
    return hash(
        tuple(
            (
                round(row.position.x, 6),
                round(row.position.y, 6),
                row.order_status,
                int(row.movement_status),
                row.instruction_count,
                row.failure_count,
                row.generation,
            )
            for row in run.rows
        )
    )


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_runs_the_same_twice_and_in_another_process(name: str) -> None:
    """LVL-08: twice in one process and once in another, strict checks on or off (TASK-02)."""
    first, second = play(shipped(name)), play(shipped(name))
    assert first.fingerprint == second.fingerprint
    assert outcome_hash(first) == outcome_hash(second)
    other = subprocess.run(
        [sys.executable, "-c", PROGRAM, name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert other.stdout.strip() == first.fingerprint


def test_the_map_is_untouched_by_a_run() -> None:
    """LVL-09: levels never write map files."""
    level = shipped("pickup")
    play(level, seconds=1.0)
    assert set(level.folder.hashes) == {"map.tmx", "level.toml"}
    assert level.folder.changed_files() == []
