"""Failures of task code that are recorded and survived: in aborts, deletions and containment."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from ai.faults import faults
from ai.tasks.task_entity import entity_label
from ai.tasks.task_errors import DeletionQueueOverflow
from ai.tasks.task_text import chain_text, history_text

if TYPE_CHECKING:
    from ai.tasks.task import Task


def record_failure(task: Task, where: str, error: Exception) -> None:
    """Record an exception of task code as a fault, with its traceback and the chain.

    Raises ``DeletionQueueOverflow`` again, which nothing contains (TASK-59).
    """
    if isinstance(error, DeletionQueueOverflow):
        raise error
    faults.record(
        "task_exception",
        f"{task!r}: {where} raised {type(error).__name__}: {error}",
        entity_label(task.entity),
        "".join(traceback.format_exception(error)),
        chain_text(task.root),
        history_text(task),
    )
