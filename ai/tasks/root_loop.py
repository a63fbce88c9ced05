"""The root loop: what one ``process`` call of a tree does (TASK-38), and one walk of a hook."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from ai import settings
from ai.faults import faults
from ai.tasks.deletion_hold import deletion_hold
from ai.tasks.limits import ROOT_PASSES_MAX, UPDATES_PER_PROCESS
from ai.tasks.phase_hooks import PhaseHook, walk_chain
from ai.tasks.task_checks import check_tree
from ai.tasks.task_entity import entity_label
from ai.tasks.task_errors import TreeBusyError
from ai.tasks.task_flags import QUIT
from ai.tasks.task_pool import active_pool
from ai.tasks.task_text import chain_text

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_tree import TaskTree


def process(tree: TaskTree, dt: float) -> None:
    """Update active roots until one goes on: ``TaskTree.process``.

    A root that finishes makes room for the next one in the same step; no root is
    updated twice. Raises

    - ``ValueError`` for a negative or non-finite ``dt`` before anything runs; 0 is
      legal (TASK-04).
    - ``TreeBusyError`` from inside a process of the same tree.
    - in strict mode ``TaskFault`` for what a task raised, after its root was ended.
    """
    if not 0.0 <= dt < inf:
        raise ValueError(f"dt = {dt!r}: a step takes a finite time of at least 0 s")
    if tree.active_root is None and tree.default is None:
        return
    strict = settings.strict
    if strict:
        active_pool().check_thread()
    run = tree.run
    if run.in_process:
        raise TreeBusyError(f"{tree!r}: is processing already; a task can't process its own tree")
    process_id = run.process_id = run.process_id + 1
    run.budget = UPDATES_PER_PROCESS
    run.in_process = True
    try:
        passes = 0
        while passes or tree.default is None or tree.prepare(dt):
            root, slot = tree.active_root, tree.active_slot
            if root is None or slot is None or root.stamp == process_id:
                break
            if passes == ROOT_PASSES_MAX:
                _report_passes(tree, root)
                break
            passes += 1
            run.processing_slot = slot
            try:
                finished = root.update_chain(run, dt) is QUIT
            except Exception as error:
                run.processing_slot = None
                tree.contain(slot, root, error)
                finished = True
            run.processing_slot = None
            if tree.mail:
                tree.deliver_mail()
            if finished:
                if not _make_room(tree, root, slot):
                    break
            elif tree.active_root is root:
                break
    finally:
        run.processing_slot = None
        run.in_process = False
    if strict:
        check_tree(tree)
        tree.raise_deferred_error()


def _make_room(tree: TaskTree, root: Task, slot: int) -> bool:
    """The root of a slot is over; True if the loop goes on with another in this step.

    A fresh default task waits for the next step: one that ends in its first update
    would otherwise be made without end.
    """
    if tree.slots[slot] is root:
        if tree.keeps_finished_root:
            return tree.active_root is not root
        tree.take_out(slot)
    if tree.default is not None and slot == tree.default.index:
        tree.default.tend(tree, 0.0)
        return tree.active_slot != slot
    return True


def _report_passes(tree: TaskTree, root: Task) -> None:
    faults.record(
        "root_passes",
        f"{tree!r}: {ROOT_PASSES_MAX} roots followed each other in one process call; "
        "tasks that end in their first update place each other for ever",
        entity_label(tree.entity),
        chain_text(root),
    )


def run_hook(tree: TaskTree, hook: PhaseHook, arguments: tuple[Any, ...]) -> bool:
    """Walk one hook down the active chain, which is busy meanwhile."""
    root, slot = tree.active_root, tree.active_slot
    assert root is not None
    assert slot is not None
    run = tree.run
    if run.in_process:
        raise TreeBusyError(f"{tree!r}: is processing; a task can't run a hook of its own tree")
    run.processing_slot = slot
    run.in_process = True
    answer = False
    try:
        with deletion_hold():
            answer = walk_chain(root, hook, arguments)
    except Exception as error:
        run.processing_slot = None
        tree.contain(slot, root, error)
    finally:
        run.processing_slot = None
        run.in_process = False
    tree.deliver_mail()
    tree.raise_deferred_error()
    return answer
