"""Deleting tasks: the end of a chain, root to leaf (TASK-57).

Who deletes has taken the chain out of its place and aborted it first if it ran.
What task code raises here is recorded; a deletion always completes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai import settings
from ai.faults import faults
from ai.tasks.deletion_hold import is_held, wait_for_release
from ai.tasks.state_change import clean_up_once
from ai.tasks.task_failures import record_failure
from ai.tasks.task_flags import CLEANED, DELETED

if TYPE_CHECKING:
    from ai.tasks.task import Task


def delete_task(root: Task) -> None:
    """Delete a chain: clean-ups that are due, references to None, pool slots back, links cut.

    Deleting a deleted task has no effect but a fault. Inside a ``deletion_hold`` the
    pool slots come back when the hold ends.
    """
    if root.flags & DELETED:
        faults.record("deleted_twice", f"{root!r}: was deleted before; find its second owner")
        return
    if settings.strict:
        root.pool.check_thread()
    task: Task | None = root
    while task is not None:
        child = task.child
        if task.pending is not None:
            drop_pending(task)
        try:
            task.on_deleted()
        except Exception as error:
            record_failure(task, "on_deleted", error)
        if not task.flags & CLEANED:
            try:
                clean_up_once(task)
            except Exception as error:
                record_failure(task, "clean_up", error)
        task.flags |= DELETED
        task.invalidate_reference()
        if is_held():
            wait_for_release(task)
        else:
            task.give_back()
        task.parent = None
        task.child = None
        task.tree = None
        task.entity = None
        task = child


def drop_pending(task: Task) -> None:
    """Delete the pending child, if there is one."""
    pending = task.pending
    if pending is not None:
        task.pending = None
        delete_task(pending)
