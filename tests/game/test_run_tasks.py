"""What a headless run says of its tasks (TASK-60, TASK-88)."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from game.cli import app
from game.run_report import run_level


def test_a_run_reports_its_tasks_and_leaks_none() -> None:
    """TASK-60, TASK-88: tasks alive, the pool's high-water mark, zero leaked at the end."""
    result = run_level("block", seconds=2.0)
    assert result.tasks.alive > 100
    assert result.tasks.high_water >= result.tasks.alive
    assert result.tasks.leaked == 0


def test_the_json_of_a_run_has_the_figures() -> None:
    """TASK-88: ``bystander run LEVEL --json``."""
    printed = CliRunner().invoke(app, ["run", "pickup", "--seconds", "1", "--json"])
    tasks = json.loads(printed.stdout)["tasks"]
    assert tasks.keys() == {"alive", "high_water", "leaked"}
    assert tasks["leaked"] == 0
