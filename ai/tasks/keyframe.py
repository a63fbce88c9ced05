"""Keyframes: the whole state of an entity's trees between two steps, for rewind (TASK-120).

A keyframe is plain data: classes by name, links to entities and tasks as marks and
uids. It is not a copy of a task (TASK-25): a restored task is the same task again, in
the midst of its state, with its uid. What other rooms keep (movement records, random
streams, histories) is captured beside it by them.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from ai import settings
from ai.tasks import task_registry
from ai.tasks.deletion_hold import check_not_held
from ai.tasks.task import Task
from ai.tasks.task_errors import TaskError
from ai.tasks.task_history import TaskHistory
from ai.tasks.task_pool import active_pool
from ai.tasks.task_reference import TaskRef
from ai.tasks.transitions import TransitionCursor

if TYPE_CHECKING:
    from ai.tasks.task_manager import TaskManager
    from ai.tasks.task_tree import TaskTree

_NOT_STATE = frozenset(
    {
        "__weakref__", "_ref", "child", "entity", "history", "parent", "pending", "pool",
        "rows", "tree", "transition_cursor",
    }
)  # fmt: skip
"""Slots that are links or are made anew."""


class _TaskLink(NamedTuple):
    """A task that a field holds, kept as a part of its holder (a backup)."""

    frame: TaskFrame


class _RefLink(NamedTuple):
    """A reference to a task somewhere else, by uid."""

    uid: int


class _EntityLink(NamedTuple):
    """The entity that the trees belong to."""


class TaskFrame(NamedTuple):
    """One task with all below it."""

    type_name: str
    fields: dict[str, Any]
    is_mirror: bool
    cursor: tuple[float | None, float | None, int] | None
    child: TaskFrame | None
    pending: TaskFrame | None


class TreeFrame(NamedTuple):
    """One tree: its slots, and what its root loop keeps from one process to the next."""

    slots: tuple[TaskFrame | None, ...]
    process_id: int


class ManagerFrame(NamedTuple):
    """All trees of an entity, in index order."""

    trees: tuple[TreeFrame, ...]


def capture(manager: TaskManager) -> ManagerFrame:
    """Record all trees of an entity.

    Raises ``TaskError`` inside a process or a deletion hold: keyframes are taken
    between steps only.
    """
    _check_between_steps(manager)
    return ManagerFrame(
        tuple(
            TreeFrame(
                tuple(None if root is None else _frame(root) for root in tree.slots),
                tree.run.process_id,
            )
            for tree in manager.trees()
        )
    )


def restore(manager: TaskManager, frame: ManagerFrame) -> None:
    """Put all trees of an entity back to a keyframe of theirs.

    What runs now is let go of without abort or clean-up: it is as if it had never
    been. The entity's other parts are restored by their rooms. Raises ``TaskError``
    between steps only, and for a keyframe of other trees.
    """
    _check_between_steps(manager)
    trees = manager.trees()
    shapes = [len(tree.slots) for tree in trees]
    if shapes != [len(tree.slots) for tree in frame.trees]:
        raise TaskError(f"{manager!r}: the keyframe is one of other trees")
    for tree in trees:
        for root in tree.slots:
            if root is not None:
                _forget(root)
    by_uid: dict[int, Task] = {}
    for tree, kept in zip(trees, frame.trees, strict=True):
        tree.run.process_id = kept.process_id
        for slot, root_frame in enumerate(kept.slots):
            root = None if root_frame is None else _revive(root_frame, tree, by_uid)
            tree.slots[slot] = None
            if root is not None:
                root.tree = tree
            tree.put_back(root, slot)
    for task in by_uid.values():
        _link_references(task, by_uid)


def _check_between_steps(manager: TaskManager) -> None:
    check_not_held("a keyframe")
    if manager.in_process or any(tree.run.in_process or tree.mail for tree in manager.trees()):
        raise TaskError(f"{manager!r}: keyframes are taken and restored between steps only")


def _slots_of(task: Task) -> list[str]:
    names: list[str] = []
    for cls in reversed(type(task).__mro__):
        slots = vars(cls).get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    return [name for name in names if name not in _NOT_STATE]


def _frame(task: Task) -> TaskFrame:
    fields = {
        name: _packed(task, getattr(task, name)) for name in _slots_of(task) if hasattr(task, name)
    }
    cursor = task.transition_cursor
    return TaskFrame(
        task_registry.task_name(task.task_type),
        fields,
        task.rows is task.mirror_rows,
        None if cursor is None else (cursor.armed_s, cursor.due_s, cursor.bits),
        None if task.child is None else _frame(task.child),
        None if task.pending is None else _frame(task.pending),
    )


def _packed(task: Task, value: Any) -> Any:
    if isinstance(value, Task):
        if value.parent is task:
            return _TaskLink(_frame(value))
        return _RefLink(value.uid)
    if isinstance(value, TaskRef):
        held = value.get()
        return _RefLink(0 if held is None else held.uid)
    if value is task.entity and value is not None:
        return _EntityLink()
    return _kept(value)


def _kept(value: Any) -> Any:
    """Containers of one level are copied; all else is shared, as records of other rooms are."""
    return copy.copy(value) if type(value) in (list, dict, set) else value


def _revive(frame: TaskFrame, tree: TaskTree, by_uid: dict[int, Task]) -> Task:
    found = task_registry.class_named(frame.type_name)
    if found is None:
        raise TaskError(f"keyframe: there is no task of type {frame.type_name!r}")
    cls = found.task_class
    task = cls.__new__(cls)
    task.pool = active_pool()
    task._ref = None  # noqa: SLF001 - a task without constructor
    task.entity = tree.entity
    task.tree = task.parent = None
    task.rows = cls.mirror_rows if frame.is_mirror else cls.local_rows
    task.history = TaskHistory() if settings.strict or settings.debug else None
    task.transition_cursor = None
    if frame.cursor is not None:
        task.transition_cursor = TransitionCursor()
        made = task.transition_cursor
        made.armed_s, made.due_s, made.bits = frame.cursor
    for name, value in frame.fields.items():
        setattr(task, name, _unpacked(value, task, tree, by_uid))
    task.pool.take_back(task, task.uid)
    by_uid[task.uid] = task
    task.child = _revived_part(frame.child, task, tree, by_uid)
    task.pending = _revived_part(frame.pending, task, tree, by_uid)
    return task


def _revived_part(
    frame: TaskFrame | None, parent: Task, tree: TaskTree, by_uid: dict[int, Task]
) -> Task | None:
    if frame is None:
        return None
    part = _revive(frame, tree, by_uid)
    part.parent = parent
    return part


def _unpacked(value: Any, task: Task, tree: TaskTree, by_uid: dict[int, Task]) -> Any:
    if isinstance(value, _TaskLink):
        kept = _revived_part(value.frame, task, tree, by_uid)
        assert kept is not None
        kept.entity = None
        return kept
    if isinstance(value, _EntityLink):
        return task.entity
    return _kept(value)


def _link_references(task: Task, by_uid: dict[int, Task]) -> None:
    for name in _slots_of(task):
        value = getattr(task, name, None)
        if isinstance(value, _RefLink):
            found = by_uid.get(value.uid)
            setattr(task, name, None if found is None else found.ref())


def _forget(task: Task | None) -> None:
    """Give the pool slots of a chain back, with all that it keeps."""
    while task is not None:
        for name in _slots_of(task):
            kept = getattr(task, name, None)
            if isinstance(kept, Task) and kept.parent is task:
                _forget(kept)
        _forget(task.pending)
        task.invalidate_reference()
        task.give_back()
        task = task.child
