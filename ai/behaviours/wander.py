"""Wandering: what most peds do unasked (TASK-121).

A ped walks from goal to goal on ground that costs no more than a pavement,
prefers what lies ahead, pauses at each goal and stands a while when nothing can
be reached. One path request a goal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import IntEnum, IntFlag
from typing import ClassVar, Self, cast

from ai.behaviours.actor import Actor
from ai.behaviours.mirror_scope import in_scope
from ai.behaviours.moving import TaskGoToPoint
from ai.motion.movement_table import MoveOwner
from ai.ports import Vec3, at_least
from ai.tasks.mirrorable import FieldValue, MirrorableTask
from ai.tasks.movement import ControlMovement
from ai.tasks.task_types import TaskType
from ai.tasks.transition_files import TransitionFamily
from ai.tasks.transitions import TransitionTable
from ai.tuning import TunableSet, tunable

GOALS_PER_TASK = 1 << 32
"""More than one task ever walks to, so that no two goals of a run share a tag."""


SITUATION = "on_foot"
"""The table of ``transitions/wander.toml`` that serves all wandering."""


class TaskWander(MirrorableTask):
    """Walks about for ever.

    - CHOOSE draws a goal and goes on in the same step; WALK goes there; PAUSE looks
      round at a goal; STAND waits after nothing was found or reached. Which comes
      after which is a table: ``assets/tuning/transitions/wander.toml``.
    - Interrupted while its movement record is kept (a fall), it goes on to the same
      goal and requests nothing; otherwise it chooses anew.
    """

    task_type = TaskType.WANDER
    __slots__ = ("failures", "goal", "goal_number", "wait_s")
    PARAMS = ()
    INFO_FIELDS: ClassVar[dict[str, type]] = {"goal_number": int}

    class State(IntEnum):
        """States."""

        CHOOSE = 0
        WALK = 1
        PAUSE = 2
        STAND = 3

    class Condition(IntFlag):
        """What the table may ask for.

        - ``HAS_GOAL``, ``NO_GOAL``: what CHOOSE came to.
        - ``ARRIVED``, ``UNREACHABLE``, ``GAVE_UP`` (too many unreachable ones in a row):
          what a walk came to.
        - ``GOAL_TAKEN``: somebody stands at the goal of the walk.
        - ``WAITED``: the time of PAUSE or STAND is over.
        """

        HAS_GOAL = 1
        NO_GOAL = 2
        ARRIVED = 4
        UNREACHABLE = 8
        GAVE_UP = 16
        WAITED = 32
        GOAL_TAKEN = 64

    class Tunables(TunableSet, group="Movement Tasks"):
        """``recheck_average``: time between two looks at the table while it stands."""

        recheck_average = tunable(10.0, min=0.05, max=60.0, unit="s")

    tunables: ClassVar[Tunables]

    AFTER_ABORT = State.WALK

    def __init__(self) -> None:
        super().__init__()
        self.goal: Vec3 | None = None
        self.goal_number = 0
        self.failures = 0
        self.wait_s = 0.0

    @property
    def actor(self) -> Actor:
        """The ped."""
        return cast("Actor", self.entity)

    @property
    def move_owner(self) -> MoveOwner:
        """Identity of the movement to the present goal: another one for each goal."""
        tag = self.uid * GOALS_PER_TASK + self.goal_number
        return MoveOwner(int(TaskType.WANDER), self.actor.ref, tag)

    def transition_table(self) -> TransitionTable:
        """The one way in which peds wander."""
        return self.actor.services.wander_transitions.table(SITUATION)

    def transition_conditions(self) -> int:
        """What the present state came to so far."""
        if self.state == _CHOOSE:
            return _HAS_GOAL if self.goal is not None else _NO_GOAL
        if self.state != _WALK:
            return _WAITED if at_least(self.time_in_state, self.wait_s) else 0
        if self.child is None:
            return 0
        if not self.child_finished:
            return _GOAL_TAKEN if self._goal_is_taken() else 0
        if self.child.succeeded:
            return _ARRIVED
        too_often = self.failures >= self.actor.services.wander.failures_max
        return _GAVE_UP if too_often else _UNREACHABLE

    def on_update_choose(self, _dt: float) -> None:
        """Draw a goal, ahead first, then behind; none: stand and draw again."""
        self.goal = self._draw_goal(behind_only=False) or self._draw_goal(behind_only=True)
        if self.goal is not None:
            self.goal_number += 1
        self.pick_new_state_transition()

    def on_enter_walk(self) -> None:
        """Go to the goal; on a resume go on if the record is still this walk's."""
        if self.goal is None:
            return
        actor = self.actor
        if self.is_resuming:
            kept = actor.movement.live and actor.movement.serves(self.move_owner)
            if kept and self.child is not None and not self.child.has_finished:
                self.keep_child()
            return
        mbr = actor.services.gait_speeds.walk_mbr(actor.walk_speed_cm_s)
        self.set_new_task(ControlMovement(TaskGoToPoint(self.goal, mbr, self.move_owner)))

    def on_update_walk(self, _dt: float) -> None:
        """Go on when the walk is over, however it ended."""
        if self.child is not None:
            if not self.child_finished:
                if self._goal_is_taken():
                    self._stop_short()
                return
            self.failures = 0 if self.child.succeeded else self.failures + 1
        self.pick_new_state_transition()

    def _stop_short(self) -> None:
        """Near enough: whoever has the goal keeps it."""
        self.failures = 0
        if self.pick_new_state_transition():
            self.actor.movement.cancel()

    def on_enter_pause(self) -> None:
        """Draw how long to stay."""
        self.wait_s = self.actor.rng.uniform(0.0, self.actor.services.wander.pause_max)

    def on_update_pause(self, _dt: float) -> None:
        """Stay at the goal for the time drawn."""
        if at_least(self.time_in_state, self.wait_s):
            self.pick_new_state_transition()

    def on_enter_stand(self) -> None:
        """Stay where nothing could be found, or longer where nothing could be reached."""
        tuning = self.actor.services.wander
        gave_up = self.failures >= tuning.failures_max
        self.wait_s = tuning.failure_stand if gave_up else tuning.no_goal_stand
        if gave_up:
            self.failures = 0

    def on_update_stand(self, _dt: float) -> None:
        """Then draw again, or whatever else the table finds to do meanwhile."""
        self.periodically_check_transitions(self.tunables.recheck_average)

    def on_mirror_update_choose(self, _dt: float) -> int | None:
        """Follow the owner."""
        return self.follow_owner()

    def on_mirror_update_walk(self, _dt: float) -> int | None:
        """Follow the owner; the body follows the owner's body."""
        return self.follow_owner()

    def on_mirror_update_pause(self, _dt: float) -> int | None:
        """Follow the owner."""
        return self.follow_owner()

    def on_mirror_update_stand(self, _dt: float) -> int | None:
        """Follow the owner."""
        return self.follow_owner()

    def is_in_scope(self, viewer: Vec3) -> bool:
        """Near enough to be seen walking about."""
        return in_scope(self.actor.movement.position, viewer)

    @classmethod
    def create_mirror(cls, payload: Mapping[str, FieldValue]) -> Self:
        """A wanderer that follows."""
        made = cls()
        made.goal_number = int(payload["goal_number"])
        return made

    @classmethod
    def create_local(cls, payload: Mapping[str, FieldValue]) -> Self:
        """Wander on; the goal is drawn anew."""
        return cls.create_mirror(payload)

    def _goal_is_taken(self) -> bool:
        """True if it has been held up for a while close to its goal: somebody stands there."""
        movement = self.actor.movement
        tuning = self.actor.services.wander
        held_up_s = max(movement.blocked_time, movement.no_progress_time)
        if not at_least(held_up_s, tuning.goal_taken_wait):
            return False
        here, goal = movement.position, movement.goal
        return math.hypot(goal.x - here.x, goal.y - here.y) <= tuning.goal_taken_near

    def _draw_goal(self, *, behind_only: bool) -> Vec3 | None:
        """One goal out of weighted candidates, or None if none lies on cheap ground."""
        actor = self.actor
        tuning = actor.services.wander
        rng = actor.rng
        position, yaw = actor.movement.position, actor.movement.yaw
        found: list[Vec3] = []
        weights: list[float] = []
        for _ in range(tuning.candidates):
            half_turn = math.pi / 2 if behind_only else math.pi
            off = rng.uniform(-half_turn, half_turn)
            if behind_only:
                off += math.pi
            distance = rng.uniform(tuning.goal_near, tuning.goal_far)
            goal = self._goal_near(
                position.x + math.cos(yaw + off) * distance,
                position.y + math.sin(yaw + off) * distance,
            )
            if goal is None:
                continue
            way = math.hypot(goal.x - position.x, goal.y - position.y)
            if tuning.goal_near <= way <= tuning.goal_far:
                found.append(goal)
                weights.append(self._weight(off))
        if not found:
            return None
        return rng.choices(found, weights)[0]

    def _goal_near(self, x: float, y: float) -> Vec3 | None:
        """The place near a point that a ped can walk to and stand at, None if there is none.

        It is of cheap ground, a path can end exactly there, and it has room: the surface
        knows no props, and a goal at one would never be reached.
        """
        services = self.actor.services
        tuning, locomotion = services.wander, services.locomotion
        ground = services.surface.project(x, y, tuning.project_shift)
        if ground is None:
            return None
        if services.surfaces.kind(ground.surface).cost_per_cm > tuning.surface_cost_max:
            return None
        goal = services.path_finder.path_end(Vec3(ground.x, ground.y, ground.z))
        if goal is None or not services.clearance.circle_free(
            goal.x, goal.y, tuning.goal_room, locomotion.body_low, locomotion.ped_height
        ):
            return None
        return goal

    def _weight(self, off_rad: float) -> float:
        tuning = self.actor.services.wander
        off_deg = abs(math.degrees(math.remainder(off_rad, math.tau)))
        if off_deg <= tuning.ahead_deg / 2:
            return tuning.ahead_weight
        if off_deg >= 180.0 - tuning.ahead_deg / 2:
            return tuning.behind_weight
        return tuning.side_weight


_CHOOSE = int(TaskWander.State.CHOOSE)
_WALK = int(TaskWander.State.WALK)
_HAS_GOAL = int(TaskWander.Condition.HAS_GOAL)
_NO_GOAL = int(TaskWander.Condition.NO_GOAL)
_ARRIVED = int(TaskWander.Condition.ARRIVED)
_UNREACHABLE = int(TaskWander.Condition.UNREACHABLE)
_GAVE_UP = int(TaskWander.Condition.GAVE_UP)
_WAITED = int(TaskWander.Condition.WAITED)
_GOAL_TAKEN = int(TaskWander.Condition.GOAL_TAKEN)


def wander_transitions() -> TransitionFamily:
    """The family of tables that wandering uses, still to be loaded."""
    return TransitionFamily("wander", TaskWander.State, TaskWander.Condition, (SITUATION,))
