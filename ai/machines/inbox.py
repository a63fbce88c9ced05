"""Waiting items of one ped, in one total order; nothing is answered inline (ACT-02)."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

from ai.machines.blackboard.keys import Value
from ai.machines.counters import Counters, Seq
from ai.machines.errors import WrongThreadError


class ItemKind(IntEnum):
    """What an item changes."""

    WRITE = 0
    TARGET = 1
    REPLY = 2


class Item(NamedTuple):
    """A stamped item; ``subject`` is a slot, a path or a reply, ``value`` what goes with it."""

    seq: Seq
    kind: ItemKind
    subject: Any
    value: Any


class Inbox:
    """The queue of one ped; seq is given out at posting, so the queue is always sorted.

    Posting from another thread raises ``WrongThreadError``: worker results go through
    ``WorkerResults``, which releases them at a step known beforehand.
    """

    __slots__ = ("_counters", "_thread", "items", "taken_seq")

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._thread = threading.get_ident()
        self.items: deque[Item] = deque()
        self.taken_seq: Seq = 0
        """Seq of the last item taken in; who waits for its own write compares with it."""

    def post(self, kind: ItemKind, subject: object, value: object = None) -> Seq:
        """Stamp an item and queue it for the next boundary."""
        if threading.get_ident() != self._thread:
            raise WrongThreadError(
                "items come from the simulation's thread only; use WorkerResults.post_from_worker"
            )
        self._counters.seq = seq = self._counters.seq + 1
        self.items.append(Item(seq, kind, subject, value))
        return seq


@dataclass(frozen=True, slots=True)
class WorkerWrite:
    """A worker's result as a blackboard write, checked when it is released."""

    key: str
    value: Value


@dataclass(frozen=True, slots=True)
class WorkerTarget:
    """A worker's result as a target request."""

    path: str


class WorkerResults:
    """Results of worker threads, released at a step fixed when they were asked for (ACT-02).

    The boundary of the due step waits for a result that is late, so arrival time never
    changes a run. Only ``post_from_worker`` may be called from another thread.
    """

    __slots__ = ("_due", "_last_id", "_ready", "_results")

    def __init__(self) -> None:
        self._ready = threading.Condition()
        self._due: dict[int, int] = {}
        self._results: dict[int, WorkerWrite | WorkerTarget] = {}
        self._last_id = 0

    def expect(self, due_step: int) -> int:
        """Announce a result; returns the request id to give to the worker."""
        self._last_id += 1
        self._due[self._last_id] = due_step
        return self._last_id

    def post_from_worker(
        self, request_id: int, due_step: int, payload: WorkerWrite | WorkerTarget
    ) -> None:
        """Hand a result in; raises ``ValueError`` for an id or step that was not announced."""
        with self._ready:
            if self._due.get(request_id) != due_step:
                raise ValueError(
                    f"request {request_id} was not announced for step {due_step}; "
                    "call expect() before the worker starts and pass its step on"
                )
            self._results[request_id] = payload
            self._ready.notify_all()

    def take_due(self, step: int) -> list[WorkerWrite | WorkerTarget]:
        """Results due by ``step`` in ascending request id; waits for what is missing."""
        if not self._due:
            return []
        wanted = sorted(number for number, due in self._due.items() if due <= step)
        with self._ready:
            self._ready.wait_for(lambda: all(number in self._results for number in wanted))
            for number in wanted:
                del self._due[number]
            return [self._results.pop(number) for number in wanted]
