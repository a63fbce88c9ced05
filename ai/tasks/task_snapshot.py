"""What an entity's trees looked like after its last full update (TASK-65).

Other entities, scripts and mirrors ask the snapshot, never live tasks: it holds still
while trees change, and it keeps nobody alive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_manager import TaskManager
    from ai.tasks.task_tree import TaskTree

SEQUENCE_MASK = 255
"""Sequence numbers have 8 bits (TASK-101)."""

_NEVER = -1
"""Revision of a tree that was not looked at yet."""


class TaskEntry(NamedTuple):
    """One task: type and place, its state, and which instance it is.

    - ``depth`` is 0 for a root. Of a waiting root there is the root alone.
    - ``sequence`` counts the instances that were seen in this slot and depth, in 8 bits.
    """

    task_type: int
    slot: int
    depth: int
    state: int
    sequence: int
    uid: int


class TaskSnapshot:
    """One tuple of entries per tree: the active chain, root first, then the roots that wait.

    - A tree is looked at only if its revision is another than at the last look.
    - An entry whose task has not moved on is kept as it is.
    """

    __slots__ = ("_buffer", "_revisions", "_sequences", "trees")

    def __init__(self) -> None:
        self.trees: list[tuple[TaskEntry, ...]] = []
        self._revisions: list[int] = []
        self._buffer: list[TaskEntry] = []
        self._sequences: dict[tuple[int, int, int], tuple[int, int]] = {}

    def take(self, manager: TaskManager) -> bool:
        """Look at all trees of a manager, in index order; False if none has moved on since."""
        moved_on = False
        trees = self.trees
        revisions = self._revisions
        for index, tree in enumerate(manager.trees()):
            if index == len(trees):
                trees.append(())
                revisions.append(_NEVER)
            if tree.revision != revisions[index]:
                moved_on = True
                revisions[index] = tree.revision
                trees[index] = self._entries(index, tree, trees[index])
        return moved_on

    def has(self, tree: int, task_type: int) -> bool:
        """True if a task of a type was in a tree, active or waiting."""
        return any(entry.task_type == task_type for entry in self.trees[tree])

    def _entries(
        self, index: int, tree: TaskTree, before: tuple[TaskEntry, ...]
    ) -> tuple[TaskEntry, ...]:
        active = tree.active_root
        if active is None:
            return ()
        assert tree.active_slot is not None
        buffer = self._buffer
        buffer.clear()
        known = len(before)
        place = 0
        changed = False
        task: Task | None = active
        depth = 0
        slot = tree.active_slot
        while task is not None:
            old = before[place] if place < known else None
            if (
                old is not None
                and old.uid == task.uid
                and old.state == task.state
                and old.depth == depth
                and old.slot == slot
            ):
                buffer.append(old)
            else:
                changed = True
                buffer.append(self._entry(index, slot, depth, task))
            place += 1
            depth += 1
            task = task.child
        for slot in range(tree.active_slot + 1, len(tree.slots)):
            root = tree.slots[slot]
            if root is None:
                continue
            old = before[place] if place < known else None
            if (
                old is not None
                and old.uid == root.uid
                and old.state == root.state
                and old.depth == 0
                and old.slot == slot
            ):
                buffer.append(old)
            else:
                changed = True
                buffer.append(self._entry(index, slot, 0, root))
            place += 1
        if not changed and place == known:
            return before
        return tuple(buffer)

    def _entry(self, index: int, slot: int, depth: int, task: Task) -> TaskEntry:
        key = (index, slot, depth)
        uid, sequence = self._sequences.get(key, (0, 0))
        if uid != task.uid:
            sequence = sequence + 1 & SEQUENCE_MASK
            self._sequences[key] = (task.uid, sequence)
        return TaskEntry(int(task.task_type), slot, depth, task.state, sequence, task.uid)
