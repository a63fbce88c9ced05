"""Who has a task: one place at most; who refuses a task that was handed over deletes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.tasks.task_deletion import delete_task
from ai.tasks.task_errors import TaskOwnershipError
from ai.tasks.task_flags import DELETED, HAS_FINISHED, STORED

if TYPE_CHECKING:
    from ai.tasks.task import Task


def check_free(task: Task) -> None:
    """Raise ``TaskOwnershipError`` unless the task may be put somewhere (TASK-34)."""
    if task.flags & DELETED:
        raise TaskOwnershipError(f"{task!r}: it was deleted; make a new task")
    if task.flags & HAS_FINISHED:
        raise TaskOwnershipError(f"{task!r}: it is over; make a new task")
    if task.tree is not None or task.parent is not None or task.flags & STORED:
        raise TaskOwnershipError(f"{task!r}: it is in use elsewhere; place its copy()")


def delete_refused(task: Task | None) -> None:
    """Delete a task that was handed over and is refused, unless it belongs to somebody."""
    if task is None or task.flags & (DELETED | STORED):
        return
    if task.tree is None and task.parent is None:
        delete_task(task)
