"""Copying a task: by its declared parameters and in no other way (TASK-25)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ai import settings
from ai.tasks.task_errors import TaskCopyError

if TYPE_CHECKING:
    from ai.tasks.task import Task

    AnyTask = TypeVar("AnyTask", bound=Task)


def copy_by_parameters(task: AnyTask) -> AnyTask:
    """Construct the class anew from what ``PARAMS`` names.

    Raises ``TaskCopyError`` without ``PARAMS``; strict also if the constructor did
    not keep a parameter.
    """
    check_parameters(task)
    values = {name: getattr(task, name) for name in task.PARAMS or ()}
    fresh = type(task)(**values)
    if settings.strict:
        for name, value in values.items():
            if getattr(fresh, name) != value:
                fresh.discard()
                raise TaskCopyError(
                    f"{task!r}: parameter {name} of the copy differs; "
                    "the constructor must keep what PARAMS names"
                )
    return fresh


def check_parameters(task: Task) -> None:
    """Raise ``TaskCopyError`` if the class declares no parameters to copy by."""
    if task.PARAMS is None:
        raise TaskCopyError(
            f"{type(task).__qualname__}: can't be copied; declare PARAMS (which may be empty)"
        )
