"""The numbers of task types that level scripts use, checked against their data file (TASK-96)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydantic import Field

from ai.tasks.task_types import TaskType
from ai.tuning import OwnForm, TuningError, load_own_form

FIXED_TYPES: Final = (
    TaskType.HANDS_UP,
    TaskType.CLIMB_LADDER,
    TaskType.EXIT_VEHICLE,
    TaskType.COMBAT_ROLL,
    TaskType.AIM_GUN_ON_FOOT,
)


class _ScriptTaskIds(OwnForm):
    task: dict[str, int] = Field(min_length=len(FIXED_TYPES), max_length=len(FIXED_TYPES))


def check_script_task_ids(tuning_folder: Path) -> None:
    """Compare ``script_task_ids.toml`` with the enum.

    Raises ``ImportError`` unless both have the same five names and numbers: a program
    that runs level scripts with other numbers than they were written with must not start.
    """
    path = tuning_folder / "script_task_ids.toml"
    try:
        stated = load_own_form(path, _ScriptTaskIds).task
    except TuningError as error:
        raise ImportError(str(error)) from error
    for task_type in FIXED_TYPES:
        name = task_type.name.lower()
        if stated.get(name) != task_type:
            raise ImportError(
                f"{path}: key 'task.{name}' = {stated.get(name)!r}: must be {int(task_type)}, "
                "the number that level scripts use"
            )
