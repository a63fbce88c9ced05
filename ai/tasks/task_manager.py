"""The task manager: the trees of one entity, updated in index order (TASK-61 to TASK-64)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ai.tasks.deletion_hold import check_not_held
from ai.tasks.detail_range import NO_DEMAND
from ai.tasks.limits import TREES_PER_MANAGER
from ai.tasks.phase_hooks import HOOK_TREES, PhaseHook
from ai.tasks.task_entity import entity_label
from ai.tasks.task_errors import TaskError, TaskPlacementError, TreeBusyError
from ai.tasks.task_tree import SetTaskResult, TaskTree

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_entity import TaskEntity
    from ai.tasks.task_reference import TaskRef

__all__ = ("PhaseHook", "TaskManager")

_WROTE = (SetTaskResult.SET, SetTaskResult.CLEARED, SetTaskResult.DEFERRED)


class TaskManager:
    """Up to four trees at fixed indices.

    - ``on_task_changed`` is called whenever a slot was written or will be: a ped makes
      its next turn a full update then. Refusals and unchanged slots call nothing.
    - A tree is *owned* (ends with the manager) or *external* (updated here, never
      ended here).
    - After ``close`` every call raises ``TaskError``.
    """

    __slots__ = (
        "_closed",
        "_entity",
        "_external",
        "_in_process",
        "_label",
        "_num_physics_steps",
        "_on_task_changed",
        "_order",
        "_trees",
    )

    def __init__(
        self, entity: TaskEntity, on_task_changed: Callable[[], None] | None = None
    ) -> None:
        self._entity: TaskEntity | None = entity
        self._label = ""
        self._on_task_changed = on_task_changed
        self._trees: list[TaskTree | None] = [None] * TREES_PER_MANAGER
        self._order: tuple[TaskTree, ...] = ()
        self._external = 0
        self._in_process = False
        self._num_physics_steps = 0
        self._closed = False

    # -- trees --------------------------------------------------------------------------

    def add_tree(
        self, index: int, tree: TaskTree, *, owned: bool = True, replace: bool = False
    ) -> None:
        """Put a tree at an index; its updates come in index order.

        Raises ``IndexError`` outside 0..3, ``TaskPlacementError`` if the index is taken
        and ``replace`` is not given. A replaced tree is flushed first if it was owned.
        """
        self._check_idle()
        _check_index(index)
        old = self._trees[index]
        if old is not None:
            if not replace:
                raise TaskPlacementError(
                    f"{self!r}: index {index} is taken by {old!r}; say replace=True to replace it"
                )
            if not self._external & 1 << index:
                old.flush_immediately()
            # Whoever has looked at the old tree must look at the new one.
            tree.revision = max(tree.revision, old.revision) + 1
        self._external &= ~(1 << index)
        if not owned:
            self._external |= 1 << index
        self._trees[index] = tree
        self._order = tuple(filter(None, self._trees))

    def tree(self, index: int) -> TaskTree:
        """The tree at an index.

        Raises ``IndexError`` outside 0..3, ``TaskError`` if there is none.
        """
        if self._closed or not 0 <= index < TREES_PER_MANAGER:
            self._check_open()
            _check_index(index)
        tree = self._trees[index]
        if tree is None:
            raise TaskError(f"{self!r}: has no tree {index}")
        return tree

    def trees(self) -> tuple[TaskTree, ...]:
        """All trees in index order."""
        self._check_open()
        return self._order

    @property
    def in_process(self) -> bool:
        """The trees are being updated."""
        return self._in_process

    # -- changes ------------------------------------------------------------------------

    def set_task(self, tree: int, task: Task | None, slot: int) -> SetTaskResult:
        """``TaskTree.set_task`` of a tree; tells the entity if anything was or will be written."""
        result = self.tree(tree).set_task(task, slot)
        if result in _WROTE and self._on_task_changed is not None:
            self._on_task_changed()
        return result

    def clear_if(self, tree: int, slot: int, ref: TaskRef) -> bool:
        """``TaskTree.clear_if`` of a tree; tells the entity if the slot was cleared."""
        cleared = self.tree(tree).clear_if(slot, ref)
        if cleared and self._on_task_changed is not None:
            self._on_task_changed()
        return cleared

    def detail_range(self) -> int:
        """Largest range in cm that a task of the active chains declares (TASK-76)."""
        largest = NO_DEMAND
        for tree in self._order:
            declared = tree.known_chain_detail()
            if declared > largest:
                largest = declared
        return largest

    # -- the step -----------------------------------------------------------------------

    def process(self, dt: float) -> None:
        """Update all trees in index order, one pass.

        Raises ``ValueError`` for a negative or non-finite ``dt`` before anything runs.
        """
        if self._closed:
            self._check_open()
        self._in_process = True
        try:
            for tree in self._order:
                tree.process(dt)
        finally:
            self._in_process = False

    def run_hook(self, hook: PhaseHook, tree: int | None = None) -> bool:
        """Walk a phase hook without arguments over its trees, or over one (TASK-66).

        Returns whether any task answered True (``MOVE_SIGNALS``: call me again).
        """
        self._check_open()
        bit = 1 << hook
        answer = False
        for index in HOOK_TREES[hook] if tree is None else (tree,):
            walked = self._trees[index]
            if walked is not None and walked.chain_hooks & bit:
                answer = walked.run_hook(hook) or answer
        return answer

    def process_physics(
        self, dt: float, step: int, steps: int = 1, *, ragdoll_only: bool = False
    ) -> bool:
        """Walk the physics hook over all trees in sub-step ``step`` of ``steps`` (TASK-67).

        With ``ragdoll_only`` only ragdoll behaviours are called. Returns whether any
        task answered True, which keeps the entity's body awake; all are asked.
        """
        self._check_open()
        hook = PhaseHook.RAGDOLL_PHYSICS if ragdoll_only else PhaseHook.PHYSICS
        bit = 1 << hook
        awake = False
        self._num_physics_steps = steps
        try:
            for tree in self._order:
                if tree.chain_hooks & bit:
                    awake = tree.run_hook(hook, dt, step) or awake
        finally:
            self._num_physics_steps = 0
        return awake

    @property
    def num_physics_steps(self) -> int:
        """Sub-steps of this frame.

        Raises ``TaskError`` outside the physics hook.
        """
        if not self._num_physics_steps:
            raise TaskError(f"{self!r}: num_physics_steps is for the physics hook alone")
        return self._num_physics_steps

    def run_queued_flushes(self) -> None:
        """The AI phase has ended: do the flushes that were put off (TASK-37)."""
        self._check_idle()
        for tree in self._order:
            if tree.flush_queued:
                tree.run_queued_flush()

    def close(self) -> None:
        """Abort and delete all tasks; the trees that are owned end with the manager (TASK-64).

        Nothing here refers to the entity afterwards, so that counting references alone
        frees it. Raises ``TreeBusyError`` while processing: removals wait until the AI phase has
        ended (TASK-87); ``TaskError`` inside a deletion hold.
        """
        self._check_idle()
        check_not_held(f"closing {self!r}")
        for tree in self._order:
            tree.flush_immediately()
        self._trees = [None] * TREES_PER_MANAGER
        self._order = ()
        self._on_task_changed = None
        self._label = repr(self)
        self._entity = None
        self._closed = True

    # -- details ------------------------------------------------------------------------

    def __repr__(self) -> str:
        return self._label or f"tasks of {entity_label(self._entity)}"

    def _check_open(self) -> None:
        if self._closed:
            raise TaskError(f"{self!r}: was closed when its entity was removed")

    def _check_idle(self) -> None:
        if self._closed:
            self._check_open()
        if self._in_process:
            raise TreeBusyError(f"{self!r}: its trees are processing; do this after the AI phase")


def _check_index(index: int) -> None:
    if not 0 <= index < TREES_PER_MANAGER:
        raise IndexError(f"tree index {index}: a manager has trees 0..{TREES_PER_MANAGER - 1}")
