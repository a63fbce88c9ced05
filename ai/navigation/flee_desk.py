"""How much choosing of flee points a step may cost (FLEE-10).

Everybody who starts to flee asks here, in ascending ped id. What a step has left is
counted in path expansions, not in time, so that every machine chooses in the same step;
who does not get its turn asks again in the next one.
"""

from __future__ import annotations

from collections.abc import Sequence

from ai.navigation.flee_points import (
    FleeGround,
    FleeRefused,
    GoalPoint,
    Point,
    ThreatPoint,
    away_from,
    select_flee_point,
)
from ai.navigation.flee_tuning import FleeTuning
from ai.ports import Clock, Vec3


class FleeDesk:
    """Counts what selections of the present step have cost.

    A selection is carried through in one go: the one that passes the budget is the last of
    its step. ``asked`` and ``chosen`` count for those who look at a run.
    """

    def __init__(self, clock: Clock, tuning: FleeTuning) -> None:
        self._clock = clock
        self._tuning = tuning
        self._step = -1
        self._spent = 0
        self.asked = 0
        self.chosen = 0

    def away_from(self, start: Vec3, threats: Sequence[ThreatPoint]) -> Point:
        """The direction in which a selection would look first (FLEE-09)."""
        return away_from(start, threats, self._tuning)

    def select(
        self, start: Vec3, threats: Sequence[ThreatPoint], ground: FleeGround
    ) -> GoalPoint | FleeRefused | None:
        """The best point, or why there is none; None: not in this step."""
        if self._clock.step != self._step:
            self._step, self._spent = self._clock.step, 0
        self.asked += 1
        if self._spent >= self._tuning.expansions_per_step:
            return None
        self.chosen += 1
        work: list[int] = []
        goal = select_flee_point(start, threats, ground, self._tuning, work)
        self._spent += sum(work)
        return goal
