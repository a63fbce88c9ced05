"""The default slot of a tree: filled when empty, stood in for when its task fails.

TASK-72 and, for the failing, TASK-03.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from ai.faults import faults
from ai.ports import at_least
from ai.tasks.limits import DEFAULT_RETRY_S
from ai.tasks.task_entity import entity_label
from ai.tasks.task_errors import DeletionQueueOverflow, TaskFault, TaskPoolFull

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_tree import TaskTree

_log = logging.getLogger(__name__)


class DefaultSlot:
    """Which slot is never empty, and what goes into it.

    - ``make_task`` makes the computed default.
    - ``make_stand_in`` makes what replaces a default that raised, until the computed
      one is tried again after ``DEFAULT_RETRY_S``. Without one the slot stays empty
      that long.
    - ``waits_to_retry``: the default has failed and is not tried again yet.
    """

    __slots__ = (
        "_failed_for_s",
        "_make_stand_in",
        "_make_task",
        "_stand_in",
        "index",
        "waits_to_retry",
    )

    def __init__(
        self,
        index: int,
        make_task: Callable[[], Task],
        make_stand_in: Callable[[], Task] | None,
    ) -> None:
        self.index = index
        self._make_task = make_task
        self._make_stand_in = make_stand_in
        self.waits_to_retry = False
        self._failed_for_s = 0.0
        self._stand_in: Task | None = None

    def fill(self, tree: TaskTree) -> None:
        """Put the computed default into the empty slot; the stand-in if making it raises."""
        try:
            task = self._make_task()
            tree.check_placeable(task)
        except TaskPoolFull as full:
            _log.warning("%r: no default task for now: %s", tree, full)
            self.stand_in(tree)
        except DeletionQueueOverflow:
            raise
        except Exception as error:
            text = f"{tree!r}: the default task can't be made: {type(error).__name__}: {error}"
            faults.record("default_task", text, entity_label(tree.entity))
            tree.defer_error(TaskFault(text), error)
            self.stand_in(tree)
        else:
            self.waits_to_retry = False
            self._stand_in = None
            tree.install(task, self.index)

    def stand_in(self, tree: TaskTree) -> None:
        """Put the stand-in into the empty slot: the default has failed."""
        self.waits_to_retry = True
        self._failed_for_s = 0.0
        self._stand_in = None
        if self._make_stand_in is not None:
            try:
                self._stand_in = self._make_stand_in()
            except TaskPoolFull as full:
                _log.error("%r: nothing stands in for the default task: %s", tree, full)
                return
            tree.install(self._stand_in, self.index)

    def tend(self, tree: TaskTree, dt: float) -> None:
        """Fill the slot if it is empty; count towards trying a failed default again."""
        root = tree.slots[self.index]
        if self.waits_to_retry and root is self._stand_in:
            self._failed_for_s += dt
            if not at_least(self._failed_for_s, DEFAULT_RETRY_S):
                return
            if root is not None:
                tree.write(None, self.index)
                return
        if root is None:
            self.fill(tree)
