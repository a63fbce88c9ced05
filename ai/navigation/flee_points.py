"""Points to flee to: what they are, which are considered, what speaks against one (FLEE).

A threat is never a goal: they are different types. ``flee_selection`` chooses among the
candidates; what was thought of every one comes with the answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ai.navigation.flee_tuning import FleeTuning
from ai.ports import Clearance, PathFinder, Vec3, WalkSurface

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

    def line(self) -> str:
        """For people: direction, length, and what became of it."""
        text = f"{self.angle_deg:+4.0f} deg {self.length_cm:5.0f} cm: "
        if self.score is None:
            return f"{text}dropped, {self.fate.value}"
        most = "at most " if self.fate is Fate.NOT_SEARCHED else ""
        return f"{text}{most}{self.score:.1f}, {self.fate.value}"


class GoalPoint(NamedTuple):
    """Where to go. ``score`` and ``route_cm`` say why it was chosen, ``views`` over what."""

    position: Vec3
    score: float
    route_cm: float
    views: tuple[CandidateView, ...] = ()
    route: tuple[Point, ...] = ()

    def lines(self) -> list[str]:
        """What became of every candidate, for people."""
        return [view.line() for view in self.views]

    def __str__(self) -> str:
        place = self.position
        return (
            f"({place.x:.0f}, {place.y:.0f}) scores {self.score:.1f} by {self.route_cm:.0f} cm"
            + _dropped_text(count_dropped(self.views))
        )


@dataclass(frozen=True, slots=True)
class FleeRefused:
    """No candidate passed; ``dropped`` counts them by filter. Falsy."""

    dropped: Mapping[str, int]
    views: tuple[CandidateView, ...] = field(default=(), compare=False)

    def __bool__(self) -> bool:
        return False

    def lines(self) -> list[str]:
        """What became of every candidate, for people."""
        return [view.line() for view in self.views]

    def __str__(self) -> str:
        return "nowhere to flee to" + _dropped_text(self.dropped)


FILTERS: Final = (Fate.SURFACE, Fate.ROOM, Fate.DISTANCE, Fate.PATH, Fate.DANGER)
"""What drops candidates, in order (FLEE-04)."""


def count_dropped(views: Sequence[CandidateView]) -> dict[str, int]:
    """How many candidates each filter has dropped; filters that dropped none are left out."""
    fates = [view.fate for view in views]
    return {one.value: fates.count(one) for one in FILTERS if one in fates}


def _dropped_text(dropped: Mapping[str, int]) -> str:
    text = ", ".join(f"{count} {name}" for name, count in dropped.items())
    return f"; dropped: {text}" if text else ""


class FleeGround(NamedTuple):
    """What selection looks at; ``standing``, shape (n, 2): the other peds on their feet."""

    surface: WalkSurface
    clearance: Clearance
    finder: PathFinder
    standing: Sequence[Point] | NDArray[np.float64] = ()


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
    if length < tuning.cancelled_below * sum(weights):
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
    for degrees, length in angles_and_lengths(threats, tuning):
        angle = math.radians(degrees)
        c, s = math.cos(angle), math.sin(angle)
        x, y = away[0] * c - away[1] * s, away[0] * s + away[1] * c
        points.append((start.x + x * length, start.y + y * length))
    return points


def angles_and_lengths(
    threats: Sequence[ThreatPoint], tuning: FleeTuning
) -> list[tuple[float, float]]:
    """Degrees off the base direction and cm of every candidate, in order."""
    safe_cm = max(threat.safe_cm for threat in threats)
    return [
        (degrees, safe_cm + beyond)
        for degrees in tuning.angles_deg
        for beyond in tuning.beyond_safe_cm
    ]


def has_room(x: float, y: float, ground: FleeGround, tuning: FleeTuning) -> bool:
    """Standing room: clear of what is solid, and of the peds that stand (FLEE-04, filter 2)."""
    if not ground.clearance.circle_free(
        x, y, tuning.body_radius_cm, tuning.body_low_cm, tuning.body_high_cm
    ):
        return False
    if not len(ground.standing):
        return True
    apart = np.asarray(ground.standing, dtype=np.float64) - (x, y)
    return bool((np.square(apart).sum(axis=1) >= tuning.ped_spacing_cm**2).all())


def nearest_pass(start: Vec3, threat: ThreatPoint, tuning: FleeTuning) -> float:
    """How near a route may come to the threat (filter 5)."""
    present = math.hypot(start.x - threat.x, start.y - threat.y)
    return min(present - tuning.pass_gain_cm, max(tuning.pass_min_cm, tuning.pass_share * present))


def closest_pass(route: Sequence[Point], threat: ThreatPoint) -> float:
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
