"""Hand-driven surroundings of the movement system: clock, facts, path service, one ped.

``HandDrivenPaths`` stands in for the path service: requests queue up, and a test
says when which one is answered and with what.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ai.motion.clip_library import ClipLibrary
from ai.motion.clip_tuning import ClipTuning
from ai.motion.coordination import Coordination
from ai.motion.execution import MoveExecution
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import (
    MovementSlot,
    MovementTable,
    MoveOwner,
    MoveStatus,
    PositionWriter,
    SpeedMode,
    StepOutcome,
)
from ai.motion.path_hand_off import PathHandOff
from ai.motion.retry_policy import RetryPolicy
from ai.navigation.navigation_tuning import NavigationTuning
from ai.navigation.path_service import PathReply
from ai.ports import STEP_S, PathFailure, Vec3
from ai.tuning import load_own_form

ASSETS = Path(__file__).resolve().parents[3] / "assets"
TUNING = load_own_form(ASSETS / "tuning" / "navigation.toml", NavigationTuning)
CLIPS = ClipLibrary.load(ASSETS, load_own_form(ASSETS / "tuning" / "clips.toml", ClipTuning))
OWNER = MoveOwner(task_type=7, source="source", tag=1)
GOAL = Vec3(1000.0, 0.0, 0.0)


class ManualClock:
    """Simulation time that moves when a test says so."""

    def __init__(self) -> None:
        self.step = 0
        self.dt_s = STEP_S

    @property
    def time_s(self) -> float:
        return self.step * self.dt_s


class FactList:
    """A fact sink that keeps what it was told."""

    def __init__(self) -> None:
        self.notes: list[tuple[object, ...]] = []

    def note(self, ped_id: int, fact: str, *details: object) -> None:
        self.notes.append((ped_id, fact, *details))


@dataclass
class Request:
    """What was submitted."""

    handle: int
    row: int
    generation: int
    start: Vec3
    goal: Vec3
    expansions_max: int


@dataclass
class HandDrivenPaths:
    """A path service whose answers are formed by the test.

    - ``room`` is how many requests it may hold at a time.
    - With ``straight`` on, ``process`` answers every request it holds with its goal.
    """

    room: int = 2048
    straight: bool = False
    waiting: list[Request] = field(default_factory=list)
    formed: list[PathReply] = field(default_factory=list)
    submitted: list[Request] = field(default_factory=list)
    cancelled: list[int] = field(default_factory=list)

    def submit(
        self, row: int, generation: int, start: Vec3, goal: Vec3, *, expansions_max: int
    ) -> int | None:
        if len(self.waiting) >= self.room:
            return None
        request = Request(len(self.submitted) + 1, row, generation, start, goal, expansions_max)
        self.submitted.append(request)
        self.waiting.append(request)
        return request.handle

    def cancel(self, handle: int) -> bool:
        for request in self.waiting:
            if request.handle == handle:
                self.waiting.remove(request)
                self.cancelled.append(handle)
                return True
        return False

    def process(self) -> list[PathReply]:
        if self.straight:
            for request in list(self.waiting):
                self.answer(request)
        replies = self.formed
        self.formed = []
        return replies

    def answer(
        self,
        request: Request,
        *points: Vec3,
        failure: PathFailure = PathFailure.NONE,
    ) -> PathReply:
        """Form the reply to a waiting request (its goal, unless points are given)."""
        self.waiting.remove(request)
        found = points or (request.goal,)
        reply = PathReply(
            request.handle,
            request.row,
            request.generation,
            failure,
            () if failure is not PathFailure.NONE else found,
        )
        self.formed.append(reply)
        return reply


class Street:
    """One ped (or several) with everything that changes its movement, driven by hand.

    ``tick`` runs W3 to W6 of a step with ``walk`` in place of the walk update.
    """

    def __init__(
        self, peds: int = 1, *, spare_slots: int = 0, tuning: NavigationTuning = TUNING
    ) -> None:
        self.clock = ManualClock()
        self.facts = FactList()
        self.paths = HandDrivenPaths()
        self.table = MovementTable(peds + spare_slots)
        self.system = MovementSystem(
            table=self.table,
            service=self.paths,
            clips=CLIPS,
            tuning=tuning,
            clock=self.clock,
            facts=self.facts,
        )
        self.coordination = Coordination(self.system)
        self.retry = RetryPolicy(self.system)
        self.hand_off = PathHandOff(self.system)
        for slot in range(peds):
            self.system.spawn(slot, slot + 1, Vec3(0.0, 100.0 * slot, 0.0), 0.0, CLIPS.index("run"))
        self.ped = self.general(0)

    def general(self, slot: int) -> MoveExecution:
        return self.system.execution(slot, MovementSlot.GENERAL)

    # -- phases ------------------------------------------------------------------

    def tick(self, outcome: StepOutcome = StepOutcome.NONE, *, step_cm: float = 0.0) -> None:
        """One step in which every walking, runnable ped has this outcome.

        With STEPPED it moves ``step_cm`` towards its corner.
        """
        self.table.begin_step()
        self.coordination.coordinate()
        self.walk(outcome, step_cm)
        self.hand_off.step()
        self.coordination.coordinate()
        self.clock.step += 1

    def ticks(self, count: int, outcome: StepOutcome = StepOutcome.NONE) -> None:
        for _ in range(count):
            self.tick(outcome)

    def walk(self, outcome: StepOutcome, step_cm: float) -> None:
        slots = self.table.slots_in_id_order()
        for slot in slots.tolist():
            self.act(slot, outcome, step_cm)
        self.retry.after_substep(slots, STEP_S)

    def act(self, slot: int, outcome: StepOutcome, step_cm: float) -> None:
        """One motion sub-step of a ped: the outcome asked for if it may step, else NONE."""
        row = int(self.table.active_record[slot])
        if not self.may_step(row):
            outcome = StepOutcome.NONE
        self.table.outcome[row] = int(outcome)
        if outcome is StepOutcome.STEPPED:
            self._step(slot, row, step_cm)

    def may_step(self, row: int) -> bool:
        """The gates of LOC-01 (1) to (3)."""
        table = self.table
        return bool(
            table.suspend[row] == 0
            and not table.command_hold[row]
            and np.isnan(table.stand_until[row])
            and table.status[row] == int(MoveStatus.WALKING)
            and table.path_usable[row]
        )

    def _step(self, slot: int, row: int, step_cm: float) -> None:
        table = self.table
        dx = float(table.corner_x[row] - table.x[slot])
        dy = float(table.corner_y[row] - table.y[slot])
        length = (dx * dx + dy * dy) ** 0.5
        share = step_cm / length if length else 0.0
        table.write_position(
            slot,
            float(table.x[slot]) + dx * share,
            float(table.y[slot]) + dy * share,
            0.0,
            PositionWriter.EXECUTOR,
        )
        table.travelled[row] += step_cm
        table.measured_speed[row] = step_cm / STEP_S

    # -- shortcuts ---------------------------------------------------------------

    def request(self, goal: Vec3 = GOAL, ped: MoveExecution | None = None) -> None:
        (ped or self.ped).request_goal(goal, SpeedMode.RUN, OWNER)

    def start_walking(self, goal: Vec3 = GOAL) -> None:
        """Request, submit, answer straight and install: the ped is WALKING."""
        self.paths.straight = True
        self.request(goal)
        self.tick()
        self.tick()
        assert self.ped.status is MoveStatus.WALKING
