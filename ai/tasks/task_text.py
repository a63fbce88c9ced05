"""Trees and tasks for people: a view for inspectors, and its text (TASK-114, TASK-115).

The same text stands in faults, pool reports and failing tests. It is deterministic:
no addresses, no wall time. Nothing here changes what it looks at.

Marks of a root: ``*`` active, ``a`` aborted and waiting, ``n`` never started.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ai.tasks import task_registry
from ai.tasks.task_entity import entity_label
from ai.tasks.task_flags import DELETED, IS_ABORTED, QUIT_ON_RESUME, STATE_NONE, flag_names

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_manager import TaskManager
    from ai.tasks.task_pool import TaskPool
    from ai.tasks.task_tree import TaskTree

_NAME_WIDTH = 15
_CHILD_INDENT = 2
_QUITS = "quits"
"""``resumes`` of a task that ends instead."""


class TaskView(NamedTuple):
    """One task of a chain.

    - ``was`` is the state in which an aborted task was interrupted, ``resumes`` the one
      it will enter (``quits`` if it will end instead); both empty for others.
    - ``urgent_refused_in_step`` is -1 if the last URGENT abort was agreed to, if there
      was none, or if no history is kept.
    - ``history`` has the last state changes, oldest first, if a history is kept.
    """

    uid: int
    name: str
    state: str
    depth: int
    time_in_state_s: float
    time_running_s: float
    flags: tuple[str, ...]
    was: str
    resumes: str
    urgent_refused_in_step: int
    history: tuple[str, ...]


class SlotView(NamedTuple):
    """One slot: its mark (blank if it is empty) and its chain, root first."""

    number: int
    name: str
    mark: str
    tasks: tuple[TaskView, ...]


class TreeView(NamedTuple):
    """One tree with every slot."""

    entity: str
    name: str
    slots: tuple[SlotView, ...]


def short_name(task: Task) -> str:
    """``flee#481 RUN``, or ``flee#481 deleted``."""
    name = f"{task_registry.task_name(task.task_type)}#{task.uid}"
    if task.flags & DELETED:
        return f"{name} deleted"
    return f"{name} {_state(task, task.state)}"


def tree_views(manager: TaskManager) -> tuple[TreeView, ...]:
    """All trees of an entity in index order."""
    return tuple(_tree_view(tree) for tree in manager.trees())


def tree_text(manager: TaskManager) -> str:
    """All trees of an entity, every slot."""
    return "\n".join(view_text(view) for view in tree_views(manager))


def view_text(view: TreeView) -> str:
    """One tree: a head line, then a line for each slot and one for each task below a root."""
    lines = [f"{view.entity} {view.name}"]
    for slot in view.slots:
        head = f" [{slot.number}] {slot.name:<{_NAME_WIDTH}}{slot.mark} "
        if not slot.tasks:
            lines.append(f"{head}-")
        for task in slot.tasks:
            start = head if task.depth == 0 else " " * (len(head) + _CHILD_INDENT * task.depth)
            lines.append(start + _task_text(task))
    return "\n".join(lines)


def chain_text(root: Task) -> str:
    """A chain, one line a task, each level indented."""
    return "\n".join(" " * _CHILD_INDENT * task.depth + _task_text(task) for task in _chain(root))


def history_text(task: Task) -> str:
    """State changes of one task, oldest first, then the call stacks of the last step's."""
    lines = [f"{short_name(task)}:", *_history(task)]
    if task.history is not None:
        lines += [f"  asked by {stack}" for stack in task.history.stacks()]
    return "\n".join(lines)


def pool_report(pool: TaskPool) -> str:
    """Every live task of a pool with its place, oldest first, and the totals per class."""
    live = pool.live_tasks()
    lines = [f"{pool.used} of {pool.slots} task slots in use"]
    lines += [f"  {_place(task)}: {_task_text(_task_view(task, 0))}" for task in live]
    totals = Counter(task_registry.task_name(task.task_type) for task in live)
    lines += [
        f"  {count:5d} {name}"
        for name, count in sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    ]
    return "\n".join(lines)


def _tree_view(tree: TaskTree) -> TreeView:
    slots = []
    for index, root in enumerate(tree.slots):
        mark = _mark(tree, root)
        chain = () if root is None else _chain(root)
        slots.append(SlotView(index, tree.slot_names[index], mark, chain))
    return TreeView(entity_label(tree.entity), tree.name, tuple(slots))


def _mark(tree: TaskTree, root: Task | None) -> str:
    if root is None:
        return " "
    if root is tree.active_root:
        return "*"
    return "a" if root.flags & IS_ABORTED else "n"


def _chain(root: Task) -> tuple[TaskView, ...]:
    views: list[TaskView] = []
    task: Task | None = root
    while task is not None:
        views.append(_task_view(task, len(views)))
        task = task.child
    return tuple(views)


def _task_view(task: Task, depth: int) -> TaskView:
    was = resumes = ""
    if task.flags & IS_ABORTED:
        was = _state(task, task.prev_state)
        resumes = _QUITS if task.flags & QUIT_ON_RESUME else _state(task, task.state)
    return TaskView(
        uid=task.uid,
        name=task_registry.task_name(task.task_type),
        state=_state(task, task.state),
        depth=depth,
        time_in_state_s=task.time_in_state,
        time_running_s=task.time_running,
        flags=flag_names(task.flags),
        was=was,
        resumes=resumes,
        urgent_refused_in_step=(
            task.history.urgent_refused_in_step if task.history is not None else -1
        ),
        history=_history(task),
    )


def _task_text(view: TaskView) -> str:
    name = f"{view.name}#{view.uid}"
    if view.resumes == _QUITS:
        text = f"{name} (was {view.was}, quits)"
    elif view.was:
        text = f"{name} (was {view.was}, resumes {view.resumes})"
    elif "NOT_ENTERED" in view.flags:
        text = name
    else:
        text = f"{name} {view.state} {view.time_in_state_s:.3f}/{view.time_running_s:.3f}"
        if view.flags:
            text += f" [{' '.join(view.flags)}]"
    if view.urgent_refused_in_step >= 0:
        text += f" refused urgent in step {view.urgent_refused_in_step}"
    return text


def _state(task: Task, state: int) -> str:
    if state == STATE_NONE:
        return "-"
    return task_registry.state_name(task.task_type, state)


def _history(task: Task) -> tuple[str, ...]:
    if task.history is None:
        return ()
    return tuple(
        f"  step {step}: {_state(task, from_state)} -> {_state(task, to_state)}"
        for step, from_state, to_state in task.history.changes
    )


def _place(task: Task) -> str:
    """``ped#12 primary [2] depth 1``, or what is known of a task that is in no tree."""
    depth = 0
    above = task
    while above.parent is not None:
        above = above.parent
        depth += 1
    tree = above.tree
    if tree is None:
        return "in no tree" if above is task else f"kept by {short_name(above)}"
    slot = tree.slots.index(above) if above in tree.slots else "waiting to be set"
    return f"{entity_label(tree.entity)} {tree.name} [{slot}] depth {depth}"
