"""Where to flee to from threats: a reachable point, or a refusal (FLEE-01 to FLEE-09).

A pure question: nothing is started, queued or counted. A threat is never a goal: they
are different types. What was thought of every candidate comes with the answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ai.navigation.flee_tuning import FleeTuning
from ai.ports import Clearance, PathFailure, PathFinder, Vec3, WalkSurface

SCORE_DIGITS: Final = 6
"""Scores are compared in steps of 1e-6 cm, so that mirrored routes tie everywhere (FLEE-06)."""

Point: TypeAlias = tuple[float, float]


class ThreatPoint(NamedTuple):
    """What is fled from, and how far one wants to be from it, in cm."""

    x: float
    y: float
    safe_cm: float


class Fate(Enum):
    """What became of a candidate: the filter that dropped it, or how far it came (FLEE-04)."""

    SURFACE = "surface"
    ROOM = "room"
    DISTANCE = "distance"
    PATH = "path"
    DANGER = "danger"
    KEPT = "kept"
    """It passed all filters, and another one has the better score."""
    NOT_SEARCHED = "not searched"
    """It can't be better than the best one, whatever its path (FLEE-10)."""
    CHOSEN = "chosen"


class CandidateView(NamedTuple):
    """One candidate for those who look on.

    - ``x``, ``y``: where it was thought of, or, past the first filter, where the ground is.
    - ``score``: with its path if that is known, else what a straight one would give; None if
      it was dropped before.
    """

    angle_deg: float
    length_cm: float
    x: float
    y: float
    fate: Fate
    score: float | None = None


class GoalPoint(NamedTuple):
    """Where to go. ``score`` and ``route_cm`` say why it was chosen, ``views`` over what."""

    position: Vec3
    score: float
    route_cm: float
    views: tuple[CandidateView, ...] = ()
    route: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class FleeRefused:
    """No candidate passed; ``dropped`` counts them by filter. Falsy."""

    dropped: Mapping[str, int]
    views: tuple[CandidateView, ...] = field(default=(), compare=False)

    def __bool__(self) -> bool:
        return False


class FleeGround(NamedTuple):
    """What selection looks at; ``standing``, shape (n, 2): the other peds on their feet."""

    surface: WalkSurface
    clearance: Clearance
    finder: PathFinder
    standing: Sequence[Point] | NDArray[np.float64] = ()


class _Candidate(NamedTuple):
    number: int
    position: Vec3
    upper: float


class _Route(NamedTuple):
    score: float
    length_cm: float
    points: tuple[Point, ...]


def away_from(start: Vec3, threats: Sequence[ThreatPoint], tuning: FleeTuning) -> Point:
    """The base direction, a unit vector (FLEE-02, FLEE-09).

    Of several threats the near ones count more; if they cancel out, across the nearest one.
    """
    units = [_unit_away(start, threat, tuning) for threat in threats]
    if len(units) == 1:
        return units[0]
    distances = [math.hypot(start.x - one.x, start.y - one.y) for one in threats]
    weights = [1.0 / max(distance, tuning.weight_from_cm) for distance in distances]
    x = sum(weight * unit[0] for weight, unit in zip(weights, units, strict=True))
    y = sum(weight * unit[1] for weight, unit in zip(weights, units, strict=True))
    length = math.hypot(x, y)
    if length < tuning.cancelled_below:
        nearest = units[distances.index(min(distances))]
        return (-nearest[1], nearest[0])
    return (x / length, y / length)


def _unit_away(start: Vec3, threat: ThreatPoint, tuning: FleeTuning) -> Point:
    dx, dy = start.x - threat.x, start.y - threat.y
    distance = math.hypot(dx, dy)
    if distance < tuning.on_threat_cm:
        return tuning.default_away
    return (dx / distance, dy / distance)


def candidates(start: Vec3, threats: Sequence[ThreatPoint], tuning: FleeTuning) -> list[Point]:
    """Every point that is considered: angles outer, lengths inner (FLEE-02, FLEE-03)."""
    away = away_from(start, threats, tuning)
    points = []
    for degrees, length in _angles_and_lengths(threats, tuning):
        angle = math.radians(degrees)
        c, s = math.cos(angle), math.sin(angle)
        x, y = away[0] * c - away[1] * s, away[0] * s + away[1] * c
        points.append((start.x + x * length, start.y + y * length))
    return points


def _angles_and_lengths(
    threats: Sequence[ThreatPoint], tuning: FleeTuning
) -> list[tuple[float, float]]:
    safe_cm = max(threat.safe_cm for threat in threats)
    return [
        (degrees, safe_cm + beyond)
        for degrees in tuning.angles_deg
        for beyond in tuning.beyond_safe_cm
    ]


def select_flee_point(
    start: Vec3,
    threats: Sequence[ThreatPoint],
    ground: FleeGround,
    tuning: FleeTuning,
    work: list[int] | None = None,
) -> GoalPoint | FleeRefused:
    """The best of the candidates that pass all filters (FLEE-04 to FLEE-07, FLEE-09).

    What it costs is appended to ``work``: an expansion for each candidate that is looked at,
    and those of each path search. Raises ``ValueError`` without a threat.

    Paths are searched for in descending order of the score that a straight route would
    give, and no further than a better one is possible; the result is that of searching
    for all of them (FLEE-10).
    """
    if not threats:
        raise ValueError("nothing to flee from")
    selection = _Selection(start, threats, ground, tuning, [] if work is None else work)
    return selection.answer()


class _Selection:
    """One selection, and the views of its candidates as they are looked at."""

    def __init__(
        self,
        start: Vec3,
        threats: Sequence[ThreatPoint],
        ground: FleeGround,
        tuning: FleeTuning,
        work: list[int],
    ) -> None:
        self.start = start
        self.threats = threats
        self.ground = ground
        self.tuning = tuning
        self.work = work
        self.safe_max_cm = max(threat.safe_cm for threat in threats)
        self.views: list[CandidateView] = []

    def answer(self) -> GoalPoint | FleeRefused:
        found = self._without_paths()
        self.work.append(len(self.views))
        found.sort(key=lambda one: (-one.upper, one.number))
        nearest = [_nearest_pass(self.start, threat, self.tuning) for threat in self.threats]
        best: _Route | None = None
        chosen: _Candidate | None = None
        for one in found:
            if (
                best is not None
                and chosen is not None
                and (
                    one.upper < best.score
                    or (one.upper == best.score and one.number > chosen.number)
                )
            ):
                break
            route = self._with_path(one, nearest)
            if route is not None and (
                best is None
                or chosen is None
                or route.score > best.score
                or (route.score == best.score and one.number < chosen.number)
            ):
                best, chosen = route, one
        if best is None or chosen is None:
            dropped = Counter(view.fate.value for view in self.views)
            return FleeRefused(dict(dropped), tuple(self.views))
        self._see(chosen.number, Fate.CHOSEN, best.score)
        return GoalPoint(
            chosen.position, best.score, best.length_cm, tuple(self.views), best.points
        )

    def _without_paths(self) -> list[_Candidate]:
        """Filters 1 to 3: ground, standing room, distance."""
        ground, tuning = self.ground, self.tuning
        found = []
        shapes = _angles_and_lengths(self.threats, tuning)
        points = candidates(self.start, self.threats, tuning)
        for number, ((degrees, length), (x, y)) in enumerate(zip(shapes, points, strict=True)):
            self.views.append(CandidateView(degrees, length, x, y, Fate.SURFACE))
            point = ground.surface.project(x, y, tuning.shift_max_cm)
            if point is None:
                continue
            position = Vec3(point.x, point.y, point.z)
            self.views[number] = CandidateView(degrees, length, point.x, point.y, Fate.ROOM)
            if not _has_room(point.x, point.y, ground, tuning):
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

    def _with_path(self, candidate: _Candidate, nearest_cm: Sequence[float]) -> _Route | None:
        """Filters 4 and 5: a complete path that leads past no threat; the score."""
        limit = self.tuning.expansions_max
        search = self.ground.finder.begin(
            self.start, candidate.position, expansions_max=limit, ignore_costs=True
        )
        spent = 0
        while search.result is None and spent < limit:
            used = search.advance(limit - spent)
            spent += used
            if used == 0:
                break
        self.work.append(spent)
        result = search.result
        if result is None or result.failure is not PathFailure.NONE:
            self._see(candidate.number, Fate.PATH)
            return None
        start = self.start
        route = ((start.x, start.y), *((point.x, point.y) for point in result.points))
        for threat, nearest in zip(self.threats, nearest_cm, strict=True):
            if _closest_pass(route, threat) < nearest:
                self._see(candidate.number, Fate.DANGER)
                return None
        length = sum(math.dist(one, two) for one, two in pairwise(route))
        score = self._score(candidate.position, length)
        self._see(candidate.number, Fate.KEPT, score)
        return _Route(score, length, route)

    def _score(self, point: Vec3, route_cm: float) -> float:
        """FLEE-05; with several threats the one that is nearest to its bound counts (FLEE-09)."""
        spare = min(
            math.hypot(point.x - threat.x, point.y - threat.y) + (self.safe_max_cm - threat.safe_cm)
            for threat in self.threats
        )
        return round(spare - self.tuning.route_weight * route_cm, SCORE_DIGITS)

    def _see(self, number: int, fate: Fate, score: float | None = None) -> None:
        self.views[number] = self.views[number]._replace(fate=fate, score=score)


def _has_room(x: float, y: float, ground: FleeGround, tuning: FleeTuning) -> bool:
    if not ground.clearance.circle_free(
        x, y, tuning.body_radius_cm, tuning.body_low_cm, tuning.body_high_cm
    ):
        return False
    if not len(ground.standing):
        return True
    apart = np.asarray(ground.standing, dtype=np.float64) - (x, y)
    return bool((np.square(apart).sum(axis=1) >= tuning.ped_spacing_cm**2).all())


def _nearest_pass(start: Vec3, threat: ThreatPoint, tuning: FleeTuning) -> float:
    """How near a route may come to the threat (filter 5)."""
    present = math.hypot(start.x - threat.x, start.y - threat.y)
    return min(present - tuning.pass_gain_cm, max(tuning.pass_min_cm, tuning.pass_share * present))


def _closest_pass(route: Sequence[Point], threat: ThreatPoint) -> float:
    """Least distance between a polyline and the threat."""
    closest = math.inf
    for (ax, ay), (bx, by) in pairwise(route):
        dx, dy = bx - ax, by - ay
        squared = dx * dx + dy * dy
        along = 0.0
        if squared > 0.0:
            along = ((threat.x - ax) * dx + (threat.y - ay) * dy) / squared
            along = min(max(along, 0.0), 1.0)
        closest = min(closest, math.hypot(ax + along * dx - threat.x, ay + along * dy - threat.y))
    return closest
