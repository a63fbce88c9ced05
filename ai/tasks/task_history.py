"""State history of one task: what its states were, for faults and the tree view (TASK-116).

Kept in strict and debug mode only; otherwise a task has none and pays nothing.
"""

from __future__ import annotations

import sys
from collections import deque
from typing import NamedTuple

from ai.tasks.limits import HISTORY_RECORDS

_FRAMES_KEPT = 6
_NEVER = -1


class StateChange(NamedTuple):
    """One request for a state: in which step, from which state to which."""

    step: int
    from_state: int
    to_state: int


class TaskHistory:
    """The last 9 state changes, oldest first, and who asked for those of the present step.

    ``urgent_refused_in_step`` is the step in which the task last refused an URGENT
    abort, -1 if it did not or has agreed since.
    """

    __slots__ = ("_stacks", "_stacks_step", "changes", "urgent_refused_in_step")

    def __init__(self) -> None:
        self.changes: deque[StateChange] = deque(maxlen=HISTORY_RECORDS)
        self.urgent_refused_in_step = _NEVER
        self._stacks: deque[str] = deque(maxlen=HISTORY_RECORDS)
        self._stacks_step = _NEVER

    def record(self, step: int, from_state: int, to_state: int) -> None:
        """Append a change, with the call stack of whoever asked for it."""
        self.changes.append(StateChange(step, from_state, to_state))
        if step != self._stacks_step:
            self._stacks.clear()
            self._stacks_step = step
        self._stacks.append(_call_stack())

    def stacks(self) -> tuple[str, ...]:
        """Call stacks of the last step with a change, one text each, oldest first."""
        return tuple(self._stacks)

    def note_answer(self, step: int, *, agreed: bool) -> None:
        """Remember how the task answered an URGENT abort."""
        self.urgent_refused_in_step = _NEVER if agreed else step


def _call_stack() -> str:
    """Who asked the task for the change: ``function (file:line)``, innermost caller first."""
    frame = sys._getframe(3)  # noqa: SLF001 - traceback.extract_stack reads source files: 50 times slower
    calls: list[str] = []
    while frame is not None and len(calls) < _FRAMES_KEPT:
        code = frame.f_code
        file_name = code.co_filename.replace("\\", "/").rpartition("/")[2]
        calls.append(f"{code.co_name} ({file_name}:{frame.f_lineno})")
        frame = frame.f_back  # type: ignore[assignment]
    return " < ".join(calls)
