"""How much choosing of flee points a step may cost (FLEE-10).

Everybody who starts to flee asks here, in ascending ped id. What a step has left is
counted in path expansions, not in time, so that every machine chooses in the same step;
who does not come to an end asks again in the next one, and its search goes on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from ai.navigation.flee_points import (
    FleeGround,
    FleeRefused,
    GoalPoint,
    Point,
    ThreatPoint,
    away_from,
)
from ai.navigation.flee_selection import FleeSelection
from ai.navigation.flee_tuning import FleeTuning
from ai.ports import Clock, Vec3


@dataclass(slots=True)
class _Job:
    """A selection that has not come to its end; ``asked_step``: when its ped last asked."""

    selection: FleeSelection
    asked_step: int
    has_restarted: bool


class FleeDesk:
    """Counts what selections of the present step have cost, and keeps those that go on.

    - A selection works on what it was asked with first. It begins again, once, if the ped has
      moved away from where it was then.
    - ``asked`` and ``chosen`` count for those who look at a run; ``spent`` is what the step
      that was asked in last has cost so far.
    """

    def __init__(self, clock: Clock, tuning: FleeTuning) -> None:
        self._clock = clock
        self._tuning = tuning
        self._candidates = len(tuning.angles_deg) * len(tuning.beyond_safe_cm)
        self._step = -1
        self._jobs: dict[Hashable, _Job] = {}
        self.spent = 0
        self.asked = 0
        self.chosen = 0

    def away_from(self, start: Vec3, threats: Sequence[ThreatPoint]) -> Point:
        """The direction in which a selection would look first (FLEE-09)."""
        return away_from(start, threats, self._tuning)

    def select(
        self,
        who: Hashable,
        start: Vec3,
        threats: Sequence[ThreatPoint],
        ground: Callable[[], FleeGround],
    ) -> GoalPoint | FleeRefused | None:
        """The best point, or why there is none; None: not in this step.

        ``who`` names the ped and what it chooses for, from step to step. ``ground`` is asked
        for when a selection begins.
        """
        step, tuning = self._clock.step, self._tuning
        if step != self._step:
            self._step, self.spent = step, 0
        self.asked += 1
        job = self._job_of(who, step)
        if job is None or self._has_moved(job, start):
            if self.spent and self.spent + self._candidates > tuning.expansions_per_step:
                return None
            selection = FleeSelection(start, threats, ground(), tuning)
            self.spent += selection.filter_cost
            job = _Job(selection, step, has_restarted=job is not None)
            self._jobs[who] = job
        job.asked_step = step
        self.spent += job.selection.advance(max(tuning.expansions_per_step - self.spent, 0))
        answer = job.selection.answer
        if answer is not None:
            del self._jobs[who]
            self.chosen += 1
        return answer

    def drop(self, who: Hashable) -> None:
        """Nobody waits for this selection any more."""
        self._jobs.pop(who, None)

    def _job_of(self, who: Hashable, step: int) -> _Job | None:
        """The selection under way; one that nobody has asked about for long was given up."""
        job = self._jobs.get(who)
        if job is not None and step - job.asked_step > self._tuning.forgotten_steps:
            self.drop(who)
            return None
        return job

    def _has_moved(self, job: _Job, start: Vec3) -> bool:
        began = job.selection.start
        moved = math.hypot(start.x - began.x, start.y - began.y)
        return not job.has_restarted and moved > self._tuning.restart_move_cm
