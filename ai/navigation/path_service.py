"""Queue that answers path requests a counted amount of work at a time (NAV-08 to NAV-10).

A step calls ``process`` first and submits its new requests afterwards, so that a
request is answered in a later step than it was made in, never inline.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ai.navigation.navigation_tuning import NavigationTuning
from ai.ports import STEP_S, PathFailure, PathFinder, PathSearch, Vec3

MemoryKey: TypeAlias = tuple[int, int, int]
"""Region of the start, region of the goal, version of the walk graph."""


class QueryHandle(NamedTuple):
    """The service's name for one request; never used twice."""

    number: int


class PathReply(NamedTuple):
    """Answer to one request.

    - ``row`` and ``generation`` are those it was submitted with: the generation
      tells the consumer whether the answer is still wanted (NAV-05).
    - ``points`` are the corners after the start, empty on a failure.
    """

    handle: QueryHandle
    row: int
    generation: int
    failure: PathFailure
    points: tuple[Vec3, ...]


@dataclass(slots=True)
class _Request:
    handle: QueryHandle
    row: int
    generation: int
    start: Vec3
    goal: Vec3
    expansions_max: int
    ignore_costs: bool
    search: PathSearch | None = None
    memory_key: MemoryKey = (-1, -1, -1)


class NoPathMemory:
    """Pairs of regions known to have no path between them, for a time counted in steps (NAV-10)."""

    def __init__(self, lifetime_steps: int, entries: int) -> None:
        self._lifetime_steps = lifetime_steps
        self._entries = entries
        self._known_at: dict[MemoryKey, int] = {}

    def holds(self, key: MemoryKey, step: int) -> bool:
        """True if the search between these regions failed within the lifetime."""
        known_at = self._known_at.get(key)
        return known_at is not None and step - known_at < self._lifetime_steps

    def remember(self, key: MemoryKey, step: int) -> None:
        """Keep a pair; the oldest goes when there are too many."""
        self._known_at.pop(key, None)
        self._known_at[key] = step
        if len(self._known_at) > self._entries:
            del self._known_at[next(iter(self._known_at))]


class PathService:
    """First in, first out; at most ``expansions_per_step`` expansions a step, counted, never timed.

    - Every request costs at least one expansion, so that a step's work is bounded
      also when all of them fail at once.
    - A search in progress goes on in the next step.
    """

    def __init__(self, finder: PathFinder, tuning: NavigationTuning) -> None:
        self._finder = finder
        self._tuning = tuning
        self._waiting: deque[_Request] = deque()
        self._open: dict[QueryHandle, _Request] = {}
        self._made = 0
        self._step = 0
        self._memory = NoPathMemory(round(tuning.no_path_memory / STEP_S), tuning.no_path_entries)

    def __len__(self) -> int:
        """Number of requests that wait for an answer."""
        return len(self._open)

    def submit(
        self,
        row: int,
        generation: int,
        start: Vec3,
        goal: Vec3,
        *,
        expansions_max: int,
        ignore_costs: bool = False,
    ) -> QueryHandle | None:
        """Queue a request; None if the queue is full (NAV-09).

        - ``row`` is the movement record and ``generation`` its query generation; both
          come back in the reply.
        """
        if len(self._open) >= self._tuning.queue_size:
            return None
        self._made += 1
        handle = QueryHandle(self._made)
        request = _Request(handle, row, generation, start, goal, expansions_max, ignore_costs)
        self._open[handle] = request
        self._waiting.append(request)
        return handle

    def cancel(self, handle: QueryHandle) -> bool:
        """Drop a request; False if it is unknown or already answered (NAV-04)."""
        return self._open.pop(handle, None) is not None

    def process(self) -> list[PathReply]:
        """Spend this step's expansions on what is queued; return the answers, in order.

        An answer that stands in the list can't be cancelled any more.
        """
        self._step += 1
        budget = self._tuning.expansions_per_step
        replies: list[PathReply] = []
        while self._waiting and budget > 0:
            request = self._waiting[0]
            if request.handle not in self._open:
                self._waiting.popleft()
                continue
            used, reply = self._work_on(request, budget)
            budget -= max(used, 1)
            if reply is not None:
                self._waiting.popleft()
                del self._open[request.handle]
                replies.append(reply)
        return replies

    def _work_on(self, request: _Request, budget: int) -> tuple[int, PathReply | None]:
        """Expansions used on a request, and its answer if there is one now."""
        if request.search is None:
            regions = self._finder.regions(request.start, request.goal)
            request.memory_key = (*regions, self._finder.version)
            if self._memory.holds(request.memory_key, self._step):
                return 0, _reply(request, PathFailure.NO_PATH, ())
            request.search = self._finder.begin(
                request.start,
                request.goal,
                expansions_max=request.expansions_max,
                ignore_costs=request.ignore_costs,
            )
        used = request.search.advance(budget)
        result = request.search.result
        if result is None:
            return used, None
        if result.failure == PathFailure.NO_PATH:
            self._memory.remember(request.memory_key, self._step)
        return used, _reply(request, result.failure, result.points)


def _reply(request: _Request, failure: PathFailure, points: tuple[Vec3, ...]) -> PathReply:
    return PathReply(request.handle, request.row, request.generation, failure, points)
