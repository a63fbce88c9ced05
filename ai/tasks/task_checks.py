"""Strict checks (TASK-02): they find broken rules early and never change a run that has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.faults import faults
from ai.tasks import task_registry
from ai.tasks.task_class import tables_are_current
from ai.tasks.task_entity import entity_label
from ai.tasks.task_errors import TaskFault, TaskTypeError
from ai.tasks.task_flags import HAS_FINISHED, IS_ABORTED, STATE_NONE
from ai.tasks.task_text import chain_text

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_tree import TaskTree


def check_new_task(task: Task) -> None:
    """Raise ``TaskTypeError`` if the class drifted from its declaration."""
    cls = type(task)
    info = task_registry.class_info(cls.task_type)
    if info is None or info.task_class is not cls:
        raise TaskTypeError(
            f"{cls.__qualname__}: task_type {cls.task_type!r} is not the type it registered"
        )
    if hasattr(task, "__dict__"):
        raise TaskTypeError(
            f"{cls.__qualname__}: instances have a __dict__; give every base class __slots__"
        )
    if not tables_are_current(cls):
        raise TaskTypeError(
            f"{cls.__qualname__}: a handler was replaced on the class; call rebuild_rows()"
        )


def check_tree(tree: TaskTree) -> None:
    """Check the invariants of TASK-46 after a ``process``.

    Raises ``TaskFault`` with all that is wrong, and records it as a fault.
    """
    broken = list(_broken_invariants(tree))
    if not broken:
        return
    text = f"{tree!r}: {'; '.join(broken)}"
    chains = tuple(chain_text(root) for root in tree.slots if root is not None)
    faults.record("tree_invariant", text, entity_label(tree.entity), *chains)
    raise TaskFault(text)


def _broken_invariants(tree: TaskTree) -> list[str]:
    broken: list[str] = []
    for slot, root in enumerate(tree.slots):
        if root is None:
            continue
        if root.tree is not tree:
            broken.append(f"{root!r} does not know its tree")
        if root.flags & HAS_FINISHED and not tree.keeps_finished_root:
            broken.append(f"{root!r} is over and still in slot {slot}")
        below_active = tree.active_slot is not None and slot > tree.active_slot
        if below_active and root.entered != STATE_NONE:
            broken.append(f"{root!r} runs below the active slot")
        broken += _broken_chain(tree, root)
    if tree.misses_default:
        broken.append("the default slot is empty")
    return broken


def _broken_chain(tree: TaskTree, root: Task) -> list[str]:
    broken: list[str] = []
    task: Task | None = root
    while task is not None:
        if task.child is not None and task.child.parent is not task:
            broken.append(f"{task.child!r} does not know its parent {task!r}")
        if task.pending is not None:
            broken.append(f"{task!r} still has a pending child")
        updated = task.stamp == tree.run.process_id and not tree.dead_man_struck
        over = task.flags & (HAS_FINISHED | IS_ABORTED)
        if updated and not over and task.entered != task.state:
            broken.append(f"{task!r} was updated without being in its state")
        task = task.child
    return broken
