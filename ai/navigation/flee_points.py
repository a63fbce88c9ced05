"""Where to flee to from one threat: a reachable point, or a refusal (FLEE-01 to FLEE-07).

A pure question: nothing is started, queued or counted. A threat is never a goal: they
are different types.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    """What is fled from, in cm."""

    x: float
    y: float


class GoalPoint(NamedTuple):
    """Where to go. ``score`` and ``route_cm`` say why it was chosen."""

    position: Vec3
    score: float
    route_cm: float


@dataclass(frozen=True, slots=True)
class FleeRefused:
    """No candidate passed; ``dropped`` counts them by filter. Falsy."""

    dropped: Mapping[str, int]

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


def candidates(start: Vec3, threat: ThreatPoint, safe_cm: float, tuning: FleeTuning) -> list[Point]:
    """Every point that is considered: angles outer, lengths inner (FLEE-02, FLEE-03)."""
    dx, dy = start.x - threat.x, start.y - threat.y
    distance = math.hypot(dx, dy)
    if distance < tuning.on_threat_cm:
        away = tuning.default_away
    else:
        away = (dx / distance, dy / distance)
    points = []
    for degrees in tuning.angles_deg:
        angle = math.radians(degrees)
        c, s = math.cos(angle), math.sin(angle)
        x, y = away[0] * c - away[1] * s, away[0] * s + away[1] * c
        for beyond in tuning.beyond_safe_cm:
            length = safe_cm + beyond
            points.append((start.x + x * length, start.y + y * length))
    return points


def select_flee_point(
    start: Vec3,
    threat: ThreatPoint,
    safe_cm: float,
    ground: FleeGround,
    tuning: FleeTuning,
    work: list[int] | None = None,
) -> GoalPoint | FleeRefused:
    """The best of the candidates that pass all filters (FLEE-04 to FLEE-07).

    What it costs is appended to ``work``: an expansion for each candidate that is looked at,
    and those of each path search.

    Paths are searched for in descending order of the score that a straight route would
    give, and no further than a better one is possible; the result is that of searching
    for all of them (FLEE-10).
    """
    work = [] if work is None else work
    work.append(len(tuning.angles_deg) * len(tuning.beyond_safe_cm))
    dropped: Counter[str] = Counter()
    found = _without_paths(start, threat, safe_cm, ground, tuning, dropped)
    found.sort(key=lambda one: (-one.upper, one.number))
    nearest = _nearest_pass(start, threat, tuning)
    best: GoalPoint | None = None
    best_index = -1
    for one in found:
        if best is not None and (
            one.upper < best.score or (one.upper == best.score and one.number > best_index)
        ):
            break
        goal = _with_path(start, threat, one, nearest, ground, tuning, dropped, work)
        if goal is not None and (
            best is None
            or goal.score > best.score
            or (goal.score == best.score and one.number < best_index)
        ):
            best, best_index = goal, one.number
    return FleeRefused(dict(dropped)) if best is None else best


def _without_paths(
    start: Vec3,
    threat: ThreatPoint,
    safe_cm: float,
    ground: FleeGround,
    tuning: FleeTuning,
    dropped: Counter[str],
) -> list[_Candidate]:
    """Filters 1 to 3: ground, standing room, distance."""
    found = []
    for index, (x, y) in enumerate(candidates(start, threat, safe_cm, tuning)):
        point = ground.surface.project(x, y, tuning.shift_max_cm)
        if point is None:
            dropped["surface"] += 1
            continue
        if not _has_room(point.x, point.y, ground, tuning):
            dropped["room"] += 1
            continue
        distance = math.hypot(point.x - threat.x, point.y - threat.y)
        if not distance > safe_cm + tuning.clear_of_safe_cm:
            dropped["distance"] += 1
            continue
        straight = math.hypot(point.x - start.x, point.y - start.y)
        upper = round(distance - tuning.route_weight * straight, SCORE_DIGITS)
        found.append(_Candidate(index, Vec3(point.x, point.y, point.z), upper))
    return found


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


def _with_path(
    start: Vec3,
    threat: ThreatPoint,
    candidate: _Candidate,
    nearest_cm: float,
    ground: FleeGround,
    tuning: FleeTuning,
    dropped: Counter[str],
    work: list[int],
) -> GoalPoint | None:
    """Filters 4 and 5: a complete path that does not lead past the threat; the score."""
    limit = tuning.expansions_max
    search = ground.finder.begin(start, candidate.position, expansions_max=limit, ignore_costs=True)
    spent = 0
    while search.result is None and spent < limit:
        used = search.advance(limit - spent)
        spent += used
        if used == 0:
            break
    work.append(spent)
    result = search.result
    if result is None or result.failure is not PathFailure.NONE:
        dropped["path"] += 1
        return None
    route = [(start.x, start.y), *((point.x, point.y) for point in result.points)]
    if _closest_pass(route, threat) < nearest_cm:
        dropped["danger"] += 1
        return None
    length = sum(math.dist(one, two) for one, two in pairwise(route))
    distance = math.hypot(candidate.position.x - threat.x, candidate.position.y - threat.y)
    score = round(distance - tuning.route_weight * length, SCORE_DIGITS)
    return GoalPoint(candidate.position, score, length)


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
