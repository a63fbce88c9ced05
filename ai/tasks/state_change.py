"""Entering and leaving a state: the calls that every enter is paired through.

Invariant (TASK-22): ``entered`` is set here and in ``state_transition`` alone, after an
enter that returned, and cleared there alone, before the exit runs. So each enter that
returned has exactly one exit, of the state really entered, and an enter that raised has
none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ai import settings
from ai.faults import faults
from ai.tasks.handler_table import ENTER, EXIT, update_unknown_state
from ai.tasks.helper_pools import helper_pools
from ai.tasks.task_entity import entity_label
from ai.tasks.task_flags import (
    CLEANED,
    CONTINUE,
    IN_ENTER,
    IN_EXIT,
    NOT_ENTERED,
    QUIT,
    RESTART_STATE,
    STATE_NONE,
    Result,
)

if TYPE_CHECKING:
    from ai.tasks.task import Task

BEFORE_ENTER: Final = ~(NOT_ENTERED | RESTART_STATE | IN_EXIT)
AFTER_ENTER: Final = ~IN_ENTER
AFTER_EXIT: Final = ~IN_EXIT


def enter_state(task: Task) -> Result:
    """Run the enter handler of ``task.state``; QUIT if the task wants to end."""
    try:
        enter = task.rows[task.state][ENTER]
    except IndexError:
        return update_unknown_state(task, 0.0)
    task.time_in_state = 0.0
    if task.transition_cursor is not None:
        task.transition_cursor.reset()
    task.flags = task.flags & BEFORE_ENTER | IN_ENTER
    result = enter(task)
    task.flags &= AFTER_ENTER
    task.entered = task.state
    if result is None:
        return CONTINUE
    return as_result(task, result, "on_enter")


def leave_state(task: Task) -> None:
    """Run the exit handler of the entered state; its return value is ignored."""
    left = task.entered
    task.prev_state = left
    task.entered = STATE_NONE
    task.flags |= IN_EXIT
    task.rows[left][EXIT](task)
    task.flags &= AFTER_EXIT


def clean_up_once(task: Task) -> None:
    """Run ``clean_up`` unless it has run for this activation (TASK-23).

    Lets the clip go, and finds helpers that the task should have released (TASK-93).
    """
    if task.flags & CLEANED:
        return
    task.flags |= CLEANED
    try:
        task.clean_up()
    finally:
        task.clip = None
        helper_pools().check_released(task)


def as_result(task: Task, result: object, handler: str) -> Result:
    """What a return value means; an unknown one goes on, in strict mode with a fault (TASK-07)."""
    if result is QUIT:
        return QUIT
    if result is not None and result is not CONTINUE and settings.strict:
        faults.record(
            "handler_result",
            f"{task!r}: {handler} of {type(task).__name__} returned {result!r}; "
            "return None, CONTINUE or QUIT",
            entity_label(task.entity),
        )
    return CONTINUE
