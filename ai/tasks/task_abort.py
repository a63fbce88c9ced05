"""The abort protocol: how a chain is asked to let go, and lets go resumable (TASK-48 to TASK-56).

Asking goes root to leaf before anything is done, doing goes leaf to root. A refusal
anywhere leaves the whole chain exactly as it was. Nothing is deleted here: an
aborted task keeps its place and enters its after-abort state when it becomes
active again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.faults import faults
from ai.tasks.state_change import clean_up_once, leave_state
from ai.tasks.task_deletion import drop_pending
from ai.tasks.task_entity import entity_label
from ai.tasks.task_failures import record_failure
from ai.tasks.task_flags import (
    CAN_CHANGE_STATE,
    CHILD_STEP_DUE,
    HAS_FINISHED,
    IN_ABORT,
    IN_ENTER,
    IN_EXIT,
    IS_ABORTED,
    QUIT,
    QUIT_ON_RESUME,
    RESTART_ON_RESUME,
    RESTART_STATE,
    SAME_STATE,
    STATE_NONE,
    AbortPriority,
    Outcome,
)

if TYPE_CHECKING:
    from ai.tasks.task import Task

_BUSY = IN_ABORT | CAN_CHANGE_STATE | IN_ENTER | IN_EXIT
_OVER = HAS_FINISHED | IS_ABORTED
_CLEARED_BY_ABORT = CHILD_STEP_DUE | RESTART_STATE | IN_ABORT | IN_EXIT


def abort_chain(task: Task, priority: AbortPriority, event: object) -> bool:
    """Ask a task and its chain; True once all have let go.

    - A finished or aborted task has nothing to let go of; one that was never entered
      stays fresh and will start at state 0.
    - A task that is being aborted already, or that is in one of its handlers, refuses
      whatever the priority: nothing is aborted from inside itself (TASK-37, TASK-56).
    """
    flags = task.flags
    if flags & _OVER:
        return True
    if flags & _BUSY:
        return False
    if task.entered == STATE_NONE:
        drop_pending(task)
        return True
    if task.rows is task.mirror_rows:
        _abort_mirror(task)
        return True
    task.flags = flags | IN_ABORT
    if not _agrees(task, priority, event) or (
        task.child is not None and not abort_chain(task.child, priority, event)
    ):
        task.flags &= ~IN_ABORT
        return False
    _let_go(task, priority, event)
    return True


def _abort_mirror(task: Task) -> None:
    """A mirror is not asked and never resumes (TASK-105): child first, then its mirror exit."""
    task.flags |= IN_ABORT
    if task.child is not None:
        abort_chain(task.child, AbortPriority.IMMEDIATE, None)
    _leave_and_clean_up(task)
    task.outcome = Outcome.CANCELLED
    task.flags = task.flags & ~_CLEARED_BY_ABORT | IS_ABORTED | QUIT_ON_RESUME


def force_abort(task: Task, event: object = None) -> None:
    """Ask URGENT first and IMMEDIATE after a refusal, for whoever must proceed now (TASK-48)."""
    if not abort_chain(task, AbortPriority.URGENT, event):
        abort_chain(task, AbortPriority.IMMEDIATE, event)


def _agrees(task: Task, priority: AbortPriority, event: object) -> bool:
    """The task's answer; an exception counts as yes, refusing IMMEDIATE is overridden (TASK-50)."""
    try:
        agreed = bool(task.should_abort(priority, event))
    except Exception as error:
        record_failure(task, "should_abort", error)
        agreed = True
    if priority is AbortPriority.URGENT:
        if task.history is not None:
            task.history.note_answer(task.pool.step, agreed=agreed)
        return agreed
    if not agreed:
        _override_refusal(task)
    return True


def _override_refusal(task: Task) -> None:
    text = f"{task!r}: {type(task).__name__}.should_abort refused IMMEDIATE; it must agree to it"
    faults.record("abort_refused", text, entity_label(task.entity))
    tree = task.root.tree
    if tree is not None:
        tree.note_overridden_refusal(text)


def _let_go(task: Task, priority: AbortPriority, event: object) -> None:
    try:
        task.do_abort(priority, event)
    except Exception as error:
        record_failure(task, "do_abort", error)
    _leave_and_clean_up(task)
    resume_state, resume_flags = _resumption(task)
    if task.history is not None:
        task.history.record(task.pool.step, task.prev_state, resume_state)
    task.state = resume_state
    tree = task.root.tree
    if tree is not None:
        tree.revision += 1
    task.time_in_state = 0.0
    task.outcome = Outcome.CANCELLED
    task.flags = task.flags & ~_CLEARED_BY_ABORT | IS_ABORTED | RESTART_ON_RESUME | resume_flags


def _leave_and_clean_up(task: Task) -> None:
    try:
        leave_state(task)
    except Exception as error:
        record_failure(task, "exit", error)
    drop_pending(task)
    try:
        clean_up_once(task)
    except Exception as error:
        record_failure(task, "clean_up", error)


def _resumption(task: Task) -> tuple[int, int]:
    """State in which the task will resume, and ``QUIT_ON_RESUME`` if it will end instead."""
    try:
        after = task.after_abort_state()
    except Exception as error:
        record_failure(task, "after_abort_state", error)
        return 0, 0
    if after is QUIT:
        return task.prev_state, QUIT_ON_RESUME
    if after == SAME_STATE:
        return task.prev_state, 0
    if 0 <= after < len(task.rows) - 1:
        return int(after), 0
    faults.record(
        "unknown_state",
        f"{task!r}: after_abort_state gave {after!r}, which is no state; resumes in state 0",
        entity_label(task.entity),
    )
    return 0, 0
