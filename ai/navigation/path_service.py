"""The path service: a queue that answers path requests within a counted budget a step (NAV-08 to NAV-10).

Each step it first works on what it has and hands out finished replies; only then
are the step's new requests taken. ``submit`` never answers inline, so the earliest
reply to a request of step n is handed out in step n + 1.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import NamedTuple

from ai.navigation.navigation_tuning import NavigationTuning
from ai.ports import STEP_S, PathFailure, PathFinder, PathSearch, Vec3


class QueryHandle(NamedTuple):
    """The service's name for a request; never reused in a run."""

    number: int


class PathReply(NamedTuple):
    """Answer to a request.

    - ``generation`` is the movement's at the time of the request: the consumer's
      proof that the answer is still wanted (NAV-04).
    - ``points`` leave out the start; empty on failure.
    """

    handle: QueryHandle | None
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
    regions: tuple[int, int] = (-1, -1)


class NoPathMemory:
    """Pairs of regions that a finished search found unconnected (NAV-10).

    - An entry holds for ``steps`` steps and one graph version.
    - At most ``entries``; the oldest goes first.
    """

    def __init__(self, entries: int, steps: int) -> None:
        self._entries = entries
        self._steps = steps
        self._until: OrderedDict[tuple[int, int, int], int] = OrderedDict()

    def remember(self, regions: tuple[int, int], version: int, step: int) -> None:
        """Note that no path joins the two regions in this version of the graph."""
        if self._entries == 0:
            return
        key = (*regions, version)
        self._until[key] = step + self._steps
        self._until.move_to_end(key)
        if len(self._until) > self._entries:
            self._until.popitem(last=False)

    def knows(self, regions: tuple[int, int], version: int, step: int) -> bool:
        """True while an entry covers the pair."""
        until = self._until.get((*regions, version))
        return until is not None and step < until


class PathService:
    """First in, first out; one search at a time, continued over steps.

    - A step spends ``expansions_per_step`` expansions; one request at least advances.
    - A request may use ``expansions_max`` of its own; running out of them is a
      partial path, and that is a failure.
    - Counted, never timed, so that runs repeat.
    """

    def __init__(self, finder: PathFinder, tuning: NavigationTuning) -> None:
        self._finder = finder
        self._tuning = tuning
        self._queue: deque[_Request] = deque()
        self._cancelled: set[QueryHandle] = set()
        self._live: set[QueryHandle] = set()
        self._memory = NoPathMemory(tuning.no_path_entries, round(tuning.no_path_memory / STEP_S))
        self._last_number = 0
        self._step = 0
        self.searches_begun = 0

    def __len__(self) -> int:
        return len(self._queue) - len(self._cancelled)

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
        """Queue a request; None if the queue is full."""
        if len(self) >= self._tuning.queue_size:
            return None
        self._last_number += 1
        handle = QueryHandle(self._last_number)
        self._queue.append(
            _Request(handle, row, generation, start, goal, expansions_max, ignore_costs)
        )
        self._live.add(handle)
        return handle

    def cancel(self, handle: QueryHandle) -> bool:
        """Drop a queued request; False if it is unknown, answered or dropped already."""
        if handle not in self._live:
            return False
        self._live.discard(handle)
        self._cancelled.add(handle)
        return True

    def process(self) -> list[PathReply]:
        """Spend this step's expansions; return the replies that are finished, in order."""
        replies: list[PathReply] = []
        budget = self._tuning.expansions_per_step
        self._step += 1
        while self._queue and budget > 0:
            request = self._queue[0]
            if request.handle in self._cancelled:
                self._cancelled.discard(request.handle)
                self._queue.popleft()
                continue
            used, reply = self._work(request, budget)
            budget -= used
            if reply is None:
                break
            self._queue.popleft()
            self._live.discard(request.handle)
            replies.append(reply)
        return replies

    def _work(self, request: _Request, budget: int) -> tuple[int, PathReply | None]:
        """Advance one request; the expansions used, and its reply once it has ended."""
        if request.search is None:
            request.regions = self._finder.regions(request.start, request.goal)
            if self._memory.knows(request.regions, self._finder.version, self._step):
                return 0, _reply(request, PathFailure.NO_PATH, ())
            self.searches_begun += 1
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
        if result.failure is PathFailure.NO_PATH:
            self._memory.remember(request.regions, self._finder.version, self._step)
        return used, _reply(request, result.failure, result.points)


def _reply(request: _Request, failure: PathFailure, points: tuple[Vec3, ...]) -> PathReply:
    return PathReply(request.handle, request.row, request.generation, failure, points)
