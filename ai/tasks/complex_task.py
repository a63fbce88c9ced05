"""The three-call adapter: tasks written as first child, control, next child (TASK-92).

New tasks use plain states. This serves those whose whole work is to run one child after
another.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

from ai.tasks.task import QUIT, Task


class ComplexTask(Task):
    """Runs children one after another.

    - ``create_first_child`` and ``create_next_child`` make a child; None ends the task.
    - ``control_child`` looks after the running one in each update.
    - Interrupted, it ends when it is resumed: whoever owns it makes a new one.
    - ``CHILD_IS_ELSEWHERE``: what it runs lives in another tree, so it has no child
      and stays in CONTROL_CHILD until its own handler there ends it.

    An end by itself is SUCCEEDED unless ``fail(reason)`` was called before.
    """

    __slots__ = ()
    AFTER_ABORT: ClassVar[int] = QUIT
    MAY_DELETE_ON_ABORT = True
    CHILD_IS_ELSEWHERE = False

    class State(IntEnum):
        """The calls, and the end."""

        CREATE_FIRST_CHILD = 0
        CONTROL_CHILD = 1
        CREATE_NEXT_CHILD = 2
        QUIT = 3

    def create_first_child(self) -> Task | None:
        """The first child, or None to end at once."""
        raise NotImplementedError(f"{type(self).__qualname__}: define create_first_child(self)")

    def control_child(self, child: Task) -> Task | None:
        """In each update: the same child, another to take its place, or None to end."""
        return child

    def create_next_child(self, finished: Task) -> Task | None:  # noqa: ARG002
        """A child has ended, its outcome is still readable: the next one, or None to end."""
        return None

    def on_update_create_first_child(self, _dt: float) -> int | None:
        """Make the first child; it is attached in this round."""
        self.set_new_task(self.create_first_child())
        self._control_or_quit()
        return None

    def on_update_control_child(self, _dt: float) -> int | None:
        """Look after the child, or go on to the next."""
        child = self.child
        if child is None:
            return QUIT
        if self.child_finished:
            self.set_state(self.State.CREATE_NEXT_CHILD)
            return None
        wanted = self.control_child(child)
        if wanted is None:
            return QUIT
        if wanted is not child:
            self.set_new_task(wanted)
        return None

    def on_enter_create_next_child(self) -> int | None:
        """Make the next child while the finished one is still there to be read."""
        finished = self.child
        assert finished is not None
        self.set_new_task(self.create_next_child(finished))
        return None

    def on_update_create_next_child(self, _dt: float) -> int | None:
        """In the same step: the new child is attached, or there is none."""
        self._control_or_quit()
        return None

    def on_update_quit(self, _dt: float) -> int | None:
        """Nothing is left to run."""
        return QUIT

    def _control_or_quit(self) -> None:
        runs = self.CHILD_IS_ELSEWHERE or self.pending is not None or self.child is not None
        if runs:
            self.keep_child()
        self.set_state(self.State.CONTROL_CHILD if runs else self.State.QUIT)
