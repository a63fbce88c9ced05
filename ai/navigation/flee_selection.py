"""Choosing where to flee to: a reachable point, or a refusal (FLEE-04 to FLEE-10).

A pure question: nothing is started, queued or counted. It may be asked in portions of
path expansions: its inputs are frozen when it begins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ai.navigation.flee_points import (
    SCORE_DIGITS,
    CandidateView,
    Fate,
    FleeGround,
    FleeRefused,
    GoalPoint,
    Point,
    ThreatPoint,
    angles_and_lengths,
    candidates,
    closest_pass,
    count_dropped,
    has_room,
    nearest_pass,
)
from ai.navigation.flee_tuning import FleeTuning
from ai.ports import FoundPath, PathFailure, PathSearch, Vec3


class _Candidate(NamedTuple):
    number: int
    position: Vec3
    upper: float


class _Found(NamedTuple):
    """A candidate with a route that passes every filter."""

    candidate: _Candidate
    score: float
    length_cm: float
    points: tuple[Point, ...]


class FleeSelection:
    """One selection, and the views of its candidates as they are looked at.

    - Filters 1 to 3 run for all candidates when it is made; that counts ``filter_cost``.
    - ``advance`` then searches for paths, in descending order of the score that a straight
      route would give, and no further than a better one is possible: the ``answer`` is that
      of searching for all of them, however it was portioned (FLEE-10).

    Raises ``ValueError`` without a threat.
    """

    def __init__(
        self,
        start: Vec3,
        threats: Sequence[ThreatPoint],
        ground: FleeGround,
        tuning: FleeTuning,
    ) -> None:
        if not threats:
            raise ValueError("nothing to flee from")
        self.start = start
        self.threats = tuple(threats)
        self.answer: GoalPoint | FleeRefused | None = None
        self._ground = ground
        self._tuning = tuning
        self._safe_max_cm = max(threat.safe_cm for threat in threats)
        self._nearest_cm = [nearest_pass(start, threat, tuning) for threat in threats]
        self._views: list[CandidateView] = []
        self._waiting = self._without_paths()
        self._waiting.sort(key=lambda one: (-one.upper, one.number))
        self._next = 0
        self._search: PathSearch | None = None
        self._searched = 0
        self._best: _Found | None = None

    @property
    def filter_cost(self) -> int:
        """An expansion for each candidate that was looked at."""
        return len(self._views)

    def advance(self, expansions: int) -> int:
        """Search on, for at most so many expansions; returns how many were used."""
        used = 0
        while self.answer is None:
            if self._search is None and not self._begin_search():
                self._finish()
            elif used >= expansions:
                break
            else:
                used += self._search_on(expansions - used)
        return used

    # -- filters 1 to 3 ----------------------------------------------------------------

    def _without_paths(self) -> list[_Candidate]:
        """Ground, standing room, distance."""
        ground, tuning = self._ground, self._tuning
        found = []
        shapes = angles_and_lengths(self.threats, tuning)
        points = candidates(self.start, self.threats, tuning)
        for number, ((degrees, length), (x, y)) in enumerate(zip(shapes, points, strict=True)):
            self._views.append(CandidateView(degrees, length, x, y, Fate.SURFACE))
            point = ground.surface.project(x, y, tuning.shift_max_cm)
            if point is None:
                continue
            position = Vec3(point.x, point.y, point.z)
            self._views[number] = CandidateView(degrees, length, point.x, point.y, Fate.ROOM)
            if not has_room(point.x, point.y, ground, tuning):
                continue
            if not all(
                math.hypot(point.x - threat.x, point.y - threat.y)
                > threat.safe_cm + tuning.clear_of_safe_cm
                for threat in self.threats
            ):
                self._see(number, Fate.DISTANCE)
                continue
            straight = math.hypot(point.x - self.start.x, point.y - self.start.y)
            upper = self._score(position, straight)
            self._see(number, Fate.NOT_SEARCHED, upper)
            found.append(_Candidate(number, position, upper))
        return found

    # -- filters 4 and 5 ---------------------------------------------------------------

    def _begin_search(self) -> bool:
        """Begin to search for the next candidate; False if none can win any more."""
        if self._next >= len(self._waiting):
            return False
        one, best = self._waiting[self._next], self._best
        if best is not None and (
            one.upper < best.score
            or (one.upper == best.score and one.number > best.candidate.number)
        ):
            return False
        self._search = self._ground.finder.begin(
            self.start,
            one.position,
            expansions_max=self._tuning.expansions_max,
            ignore_costs=True,
        )
        self._searched = 0
        return True

    def _search_on(self, expansions: int) -> int:
        """Go on with the present search, and judge its candidate at the end of it."""
        search = self._search
        assert search is not None
        left = self._tuning.expansions_max - self._searched
        used = 0 if search.result is not None else search.advance(min(expansions, left))
        self._searched += used
        if search.result is not None or used == 0 or used == left:
            self._judge(self._waiting[self._next], search.result)
            self._search = None
            self._next += 1
        return used

    def _judge(self, one: _Candidate, result: FoundPath | None) -> None:
        """A complete path that leads past no threat; the score, and whether it is the best."""
        if result is None or result.failure is not PathFailure.NONE:
            self._see(one.number, Fate.PATH)
            return
        route = ((self.start.x, self.start.y), *((point.x, point.y) for point in result.points))
        for threat, nearest in zip(self.threats, self._nearest_cm, strict=True):
            if closest_pass(route, threat) < nearest:
                self._see(one.number, Fate.DANGER)
                return
        length = sum(math.dist(here, there) for here, there in pairwise(route))
        score = self._score(one.position, length)
        self._see(one.number, Fate.KEPT, score)
        best = self._best
        if (
            best is None
            or score > best.score
            or (score == best.score and one.number < best.candidate.number)
        ):
            self._best = _Found(one, score, length, route)

    def _finish(self) -> None:
        best = self._best
        if best is None:
            self.answer = FleeRefused(count_dropped(self._views), tuple(self._views))
            return
        self._see(best.candidate.number, Fate.CHOSEN, best.score)
        self.answer = GoalPoint(
            best.candidate.position, best.score, best.length_cm, tuple(self._views), best.points
        )

    # -- parts of the above --------------------------------------------------------------

    def _score(self, point: Vec3, route_cm: float) -> float:
        """FLEE-05; with several threats the one that is nearest to its bound counts (FLEE-09)."""
        spare = min(
            math.hypot(point.x - threat.x, point.y - threat.y)
            + (self._safe_max_cm - threat.safe_cm)
            for threat in self.threats
        )
        return round(spare - self._tuning.route_weight * route_cm, SCORE_DIGITS)

    def _see(self, number: int, fate: Fate, score: float | None = None) -> None:
        self._views[number] = self._views[number]._replace(fate=fate, score=score)


def select_flee_point(
    start: Vec3, threats: Sequence[ThreatPoint], ground: FleeGround, tuning: FleeTuning
) -> GoalPoint | FleeRefused:
    """The best of the candidates that pass all filters, in one go.

    Raises ``ValueError`` without a threat.
    """
    selection = FleeSelection(start, threats, ground, tuning)
    while selection.answer is None:
        selection.advance(tuning.expansions_max)
    return selection.answer
