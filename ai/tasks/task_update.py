"""The heart of the kernel: one update of one task (TASK-39). The order is binding.

A task is updated in *rounds* until it is settled, that is until a round has
changed nothing. Then its child is updated in the same way. A child that quits
gives its parent another round at once, so a chain may go "child finished, parent
changes state, the new state's child runs" within one step.

An idle task without hooks pays for one handler call and a few tests: nothing in
its way allocates (TASK-27).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai import settings
from ai.faults import faults
from ai.tasks.handler_table import UPDATE, update_unknown_state
from ai.tasks.limits import ROUND_OF_LOOP_FAULT, ROUNDS_HARD_MAX, UPDATES_PER_PROCESS
from ai.tasks.state_change import (
    as_result,
    clean_up_once,
    enter_state,
    leave_state,
)
from ai.tasks.task_abort import force_abort
from ai.tasks.task_deletion import delete_task, drop_pending
from ai.tasks.task_entity import entity_label
from ai.tasks.task_flags import (
    CAN_CHANGE_STATE,
    CHILD_FINISHED,
    CHILD_STEP_DUE,
    CLEANED,
    CONTINUE,
    ENTRY_DUE,
    HANDLER_RETURNED,
    HAS_FINISHED,
    IS_ABORTED,
    KEEP_CHILD,
    QUIT,
    QUIT_ON_RESUME,
    REMOVE_CHILD,
    RESTART_ON_RESUME,
    RESTART_STATE,
    RESUMING,
    ROUND_DUE,
    SKIP_ALL,
    SKIP_ANIM_FLAGS,
    SKIP_POST,
    SKIP_PRE,
    STATE_CHANGE_DUE,
    Outcome,
    Result,
)
from ai.tasks.task_text import chain_text, history_text

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.tree_run import TreeRun


def update_chain(task: Task, run: TreeRun, dt: float) -> Result:
    """Update a task and, once it is settled, its child; QUIT if it finished.

    ``flags`` follows ``task.flags`` wherever nothing else can have changed it.
    """
    budget = run.budget = run.budget - 1
    if budget <= 0:
        return _strike_dead_man(task, budget)
    task.stamp = run.process_id
    flags = task.flags
    rounds = 1
    if flags == SKIP_ALL:
        task.time_running += dt
        task.time_in_state += dt
    else:
        if _open_update(task, dt) is QUIT:
            return _finish(task)
        if task.flags & ENTRY_DUE:
            if _first_enter(task) is QUIT:
                return _finish(task)
            rounds = 2
        flags = task.flags
    while True:
        try:
            handler = task.rows[task.state][UPDATE]
        except IndexError:
            handler = update_unknown_state
        task.flags = flags | CAN_CHANGE_STATE
        result = handler(task, dt)
        flags = task.flags & HANDLER_RETURNED
        task.flags = flags
        if result is not None and as_result(task, result, "on_update") is QUIT:
            return _finish(task)
        settled = True
        if flags != SKIP_ALL and flags & ROUND_DUE:
            if flags & STATE_CHANGE_DUE:
                settled = False
                if task.change_state(flags) is QUIT:
                    return _finish(task)
                flags = task.flags
            if flags & CHILD_STEP_DUE:
                _settle_child(task)
                flags = task.flags
        if settled:
            child = task.child
            if child is None or child.update_chain(run, dt) is CONTINUE:
                break
            flags = task.flags = task.flags | CHILD_FINISHED | REMOVE_CHILD
        rounds += 1
        if rounds >= ROUND_OF_LOOP_FAULT and _must_leave(task, rounds):
            break
    if flags == SKIP_ALL or flags & SKIP_POST:
        return CONTINUE
    return _finish(task) if as_result(task, task.post_fsm(dt), "post_fsm") is QUIT else CONTINUE


def _open_update(task: Task, dt: float) -> Result:
    """Everything ahead of the rounds, for a task that is not idle or has hooks."""
    if task.flags & (HAS_FINISHED | QUIT_ON_RESUME):
        return QUIT
    task.flags &= ~CLEANED
    if not task.flags & SKIP_PRE and as_result(task, task.pre_fsm(dt), "pre_fsm") is QUIT:
        return QUIT
    task.time_running += dt
    if not task.flags & SKIP_ANIM_FLAGS:
        task.apply_animation_flags()
    task.flags &= ~(KEEP_CHILD | RESTART_STATE)
    task.time_in_state += dt
    return CONTINUE


def _first_enter(task: Task) -> Result:
    """The entry round: the first enter of an activation, fresh or resumed (TASK-51, TASK-53)."""
    drop_pending(task)
    resumed = task.flags & RESTART_ON_RESUME
    if resumed:
        task.flags = task.flags & ~(RESTART_ON_RESUME | IS_ABORTED) | RESUMING
        task.outcome = Outcome.NONE
    result = enter_state(task)
    task.flags &= ~RESUMING
    if resumed and task.pending is None and not task.flags & KEEP_CHILD:
        task.flags |= REMOVE_CHILD  # a child from before the abort never resumes by accident
    if result is CONTINUE and task.flags & CHILD_STEP_DUE:
        _settle_child(task)
    return result


def _settle_child(task: Task) -> None:
    """The child step: attach the pending child in place of the old one, or remove the old one."""
    tree = task.root.tree
    assert tree is not None
    old, new = task.child, task.pending
    if new is not None:
        if old is not None:
            if old.has_entered:
                task.abort_previous_child(new)
            _remove_child(task, old)
        task.pending = None
        task.child = new
        tree.adopt(new)
        task.on_new_child(new)
    elif old is not None and task.flags & REMOVE_CHILD:
        _remove_child(task, old)
        tree.chain_changed()
    task.flags &= ~CHILD_STEP_DUE


def _remove_child(task: Task, child: Task) -> None:
    force_abort(child)
    task.child = None
    delete_task(child)


def _finish(task: Task) -> Result:
    """End handling (TASK-44): the same from whatever point of the update."""
    if task.flags & HAS_FINISHED:
        return QUIT
    task.flags = task.flags & ~QUIT_ON_RESUME | HAS_FINISHED
    if task.outcome is Outcome.NONE:
        task.outcome = Outcome.SUCCEEDED
    if task.has_entered:
        leave_state(task)
    drop_pending(task)
    if task.child is not None:
        force_abort(task.child)
    clean_up_once(task)
    return QUIT


def _strike_dead_man(task: Task, budget: int) -> Result:
    """The budget is gone: dump the tree once and let the stack unwind without work (TASK-43)."""
    if budget == 0:
        faults.record(
            "dead_man",
            f"{task.root.tree!r}: {UPDATES_PER_PROCESS} task updates in one process call; "
            f"something under {task.root!r} starts over without end",
            entity_label(task.entity),
            chain_text(task.root),
        )
    return CONTINUE


def _must_leave(task: Task, rounds: int) -> bool:
    """A suspected endless loop (TASK-42): True if there must be no further round.

    Reported in strict mode each time, in play once per class and run.
    """
    if rounds == ROUND_OF_LOOP_FAULT and (settings.strict or task.pool.first_report_of(type(task))):
        faults.record(
            "round_cap",
            f"{task!r}: {ROUND_OF_LOOP_FAULT} rounds in one update; "
            "two states or a child that ends at once follow each other for ever",
            entity_label(task.entity),
            chain_text(task.root),
            history_text(task),
        )
    return rounds > ROUNDS_HARD_MAX
