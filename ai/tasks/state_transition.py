"""From one state to the next in one go: ``leave_state`` and ``enter_state`` of the per-step path.

Each attribute of a task that is not read twice is a twentieth of a transition. The
invariant of ``state_change`` is kept here too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.tasks.handler_table import ENTER, EXIT, do_nothing, update_unknown_state
from ai.tasks.state_change import AFTER_ENTER, AFTER_EXIT, BEFORE_ENTER, as_result
from ai.tasks.task_deletion import drop_pending
from ai.tasks.task_flags import (
    CONTINUE,
    IN_ENTER,
    IN_EXIT,
    KEEP_CHILD,
    REMOVE_CHILD,
    STATE_NONE,
    Result,
)

if TYPE_CHECKING:
    from ai.tasks.task import Task


def change_state(task: Task, flags: int) -> Result:
    """Leave the entered state and enter ``task.state``; QUIT if the task wants to end.

    Unless the child is kept a pending one is dropped in between, and the running one is
    to be removed if the new state registers none (TASK-53).
    """
    rows = task.rows
    left = task.entered
    task.prev_state = left
    task.entered = STATE_NONE
    leave = rows[left][EXIT]
    if leave is not do_nothing:
        task.flags = flags | IN_EXIT
        leave(task)
        flags = task.flags
    if task.pending is not None and not flags & KEEP_CHILD:
        task.flags = flags & AFTER_EXIT
        drop_pending(task)
        flags = task.flags
    state = task.state
    try:
        enter = rows[state][ENTER]
    except IndexError:
        task.flags = flags & AFTER_EXIT
        return update_unknown_state(task, 0.0)
    task.time_in_state = 0.0
    cursor = task.transition_cursor
    if cursor is not None:
        cursor.reset()
    task.flags = flags & BEFORE_ENTER | IN_ENTER
    result = enter(task)
    task.entered = state
    flags = task.flags & AFTER_ENTER
    if task.child is not None and not flags & KEEP_CHILD and task.pending is None:
        flags |= REMOVE_CHILD
    task.flags = flags
    return CONTINUE if result is None else as_result(task, result, "on_enter")
