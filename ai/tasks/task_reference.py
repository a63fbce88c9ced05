"""References to tasks for whoever is neither the tree nor the owning parent (TASK-58)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ai.tasks.task import Task


class TaskRef:
    """Holds a task until it is deleted.

    Code outside the tree and the owning parent keeps one of these from one step to
    the next, never a bare task. A task has one, made when first asked for.
    """

    __slots__ = ("_task",)

    def __init__(self, task: Task) -> None:
        self._task: Task | None = task

    def get(self) -> Task | None:
        """The task, or None once it is deleted."""
        return self._task

    def invalidate(self) -> None:
        """Called by the deletion alone."""
        self._task = None
