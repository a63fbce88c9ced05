"""Lists of tasks that are stored to be run later, as copies (TASK-94)."""

from __future__ import annotations

from ai.tasks.limits import TASKS_PER_LIST_MAX
from ai.tasks.task import Task
from ai.tasks.task_deletion import delete_task
from ai.tasks.task_errors import TaskListFull
from ai.tasks.task_flags import STORED
from ai.tasks.task_ownership import check_free


class TaskList:
    """Up to 16 tasks in order.

    - What is stored never runs: ``copy_of`` makes what does.
    - A stored task belongs to its list and can't be placed anywhere else.
    """

    __slots__ = ("_tasks",)

    def __init__(self) -> None:
        self._tasks: list[Task] = []

    def __len__(self) -> int:
        return len(self._tasks)

    def append(self, task: Task) -> None:
        """Store a task at the end.

        Raises ``TaskOwnershipError`` for a task in use, which is left alone; and, the
        passed task deleted and the list unchanged, ``TaskListFull`` for the 17th and
        ``TaskCopyError`` for one that can't be copied.
        """
        check_free(task)
        try:
            if len(self._tasks) == TASKS_PER_LIST_MAX:
                raise TaskListFull(
                    f"{task!r}: a list holds {TASKS_PER_LIST_MAX} tasks; begin another list"
                )
            task.check_copyable()
        except Exception:
            task.discard()
            raise
        task.flags |= STORED
        self._tasks.append(task)

    def copy_of(self, index: int) -> Task:
        """A new task like the stored one, ready to be placed."""
        return self._tasks[index].copy()

    def clear(self) -> None:
        """Delete all."""
        for task in self._tasks:
            task.flags &= ~STORED
            delete_task(task)
        self._tasks.clear()
