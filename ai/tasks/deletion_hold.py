"""Deferred deletion: while chains are walked, deleted tasks stay until the walk is over (TASK-59).

Inside a hold a deletion does at once all that others notice: ``on_deleted`` and
``clean_up`` run, references read None, the slot is empty. The object itself and its
place in the task pool wait, so that whoever walks a chain never steps on a freed
task. The outermost hold releases what waits, first in, first out.

Entities are removed and worlds restarted outside of holds only.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ai.tasks.limits import DELETION_QUEUE_MAX
from ai.tasks.task_errors import DeletionQueueOverflow, TaskError
from ai.tasks.task_registry import task_name

if TYPE_CHECKING:
    from ai.tasks.task import Task

_log = logging.getLogger(__name__)

_queue: deque[Task] = deque()
_depth = 0


@contextmanager
def deletion_hold() -> Iterator[None]:
    """Keep deleted tasks until the outermost of the nested holds ends."""
    global _depth
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if _depth == 0:
            while _queue:
                _queue.popleft().give_back()


def is_held() -> bool:
    """True inside a hold."""
    return _depth > 0


def wait_for_release(task: Task) -> None:
    """Keep a task that was deleted inside a hold.

    Raises ``DeletionQueueOverflow`` for one more than 1280, which ends the run: only
    a producer without bound deletes that many in one walk.
    """
    if len(_queue) == DELETION_QUEUE_MAX:
        totals = Counter(task_name(waiting.task_type) for waiting in _queue)
        lines = [f"  {count:5d} {name}" for name, count in sorted(totals.items())]
        text = (
            f"{task!r}: {DELETION_QUEUE_MAX} deleted tasks wait for release already; "
            "find what makes and deletes tasks without end inside a hold"
        )
        _log.critical("%s\n%s", text, "\n".join(lines))
        raise DeletionQueueOverflow(text)
    _queue.append(task)


def check_not_held(what: str) -> None:
    """Raise ``TaskError`` inside a hold, for what must not happen while chains are walked."""
    if _depth > 0:
        raise TaskError(f"{what}: not inside a deletion hold; do it after the walk")
