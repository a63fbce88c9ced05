"""Containment: an exception of one root ends that root and nothing else (TASK-03)."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from ai.faults import faults
from ai.tasks.state_change import clean_up_once, leave_state
from ai.tasks.task_entity import entity_label
from ai.tasks.task_failures import record_failure
from ai.tasks.task_flags import CAN_CHANGE_STATE, CLEANED, HAS_FINISHED, IN_ENTER, IN_EXIT
from ai.tasks.task_text import chain_text, history_text

if TYPE_CHECKING:
    from ai.tasks.task import Task

_IN_HANDLER = CAN_CHANGE_STATE | IN_ENTER | IN_EXIT


def end_failed_chain(root: Task, error: Exception) -> str:
    """Record the fault and end the chain, leaf to root, whatever its handlers do.

    Returns the fault's sentence. The caller takes the root out of its slot and
    deletes it.
    """
    text = f"{root!r}: {type(error).__name__}: {error}; this root was ended"
    chain = _chain(root)
    faults.record(
        "task_exception",
        text,
        entity_label(root.entity),
        "".join(traceback.format_exception(error)),
        chain_text(root),
        *(history_text(task) for task in chain),
    )
    for task in reversed(chain):
        task.flags = task.flags & ~_IN_HANDLER | HAS_FINISHED
        if task.has_entered:
            try:
                leave_state(task)
            except Exception as further:
                record_failure(task, "exit", further)
        if not task.flags & CLEANED:
            try:
                clean_up_once(task)
            except Exception as further:
                record_failure(task, "clean_up", further)
    return text


def _chain(root: Task) -> list[Task]:
    chain = [root]
    while chain[-1].child is not None:
        chain.append(chain[-1].child)
    return chain
