"""Fleeing: to a reachable point at a safe distance from a threat (EVT-84, FLEE-01 to FLEE-08)."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ai.behaviours.actor import Actor
from ai.behaviours.moving import TaskGoToPoint
from ai.behaviours.reaction_tasks import place_of
from ai.motion.movement_table import MoveOwner
from ai.navigation.flee_points import (
    FleeGround,
    FleeRefused,
    GoalPoint,
    ThreatPoint,
)
from ai.ports import EntityRef, Vec3
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Result, Task
from ai.tasks.task_types import TaskType

LEGS_PER_TASK = 1000
"""Movement identities that one task may use, one a leg."""


class TaskSmartFlee(Task):
    """Runs from a source, or a place, until it is ``safe_distance_cm`` away.

    - Each leg goes to a point that was found reachable; a source that followed meanwhile is
      fled from again.
    - Where many choose in one step it may have to wait for its turn (FLEE-10); it stands then.
    - Interrupted by what overlays it, it goes on with the same leg.
    - Ends FAILED ``NO_FLEE_POINT`` if there is none, or with the movement's own reason: a
      route that was closed since (FLEE-08).
    """

    task_type = TaskType.SMART_FLEE
    __slots__ = ("at", "event_type", "legs", "mbr", "safe_distance_cm", "source")
    PARAMS: ClassVar[tuple[str, ...]] = ("event_type", "at", "source", "safe_distance_cm", "mbr")

    class State(IntEnum):
        """One state, entered anew for each leg."""

        RUN = 0

    def __init__(
        self,
        event_type: int,
        at: Vec3,
        source: EntityRef | None,
        safe_distance_cm: float,
        mbr: float,
    ) -> None:
        super().__init__()
        self.event_type = event_type
        self.at = at
        self.source = source
        self.safe_distance_cm = safe_distance_cm
        self.mbr = mbr
        self.legs = 0

    @property
    def actor(self) -> Actor:
        """The ped."""
        return cast("Actor", self.entity)

    @property
    def move_owner(self) -> MoveOwner:
        """Identity of the present leg's movement."""
        tag = self.uid * LEGS_PER_TASK + self.legs % LEGS_PER_TASK
        return MoveOwner(int(self.task_type), self.actor.ref, tag)

    def is_response_for(self, event_type: int) -> bool:
        """The type it was made for."""
        return event_type == self.event_type

    def on_enter_run(self) -> Result | None:
        """Choose a point and go there; on a resume go on."""
        if self.child is not None and not self.child.has_finished:
            self.keep_child()
            return None
        return self._choose()

    def _choose(self) -> Result | None:
        """A point to go to, if the step has anything left for choosing; else it stands."""
        actor = self.actor
        goal = flee_goal(actor, place_of(actor, self.source, self.at), self.safe_distance_cm)
        if goal is None:
            return None
        if not isinstance(goal, GoalPoint):
            return self.fail("NO_FLEE_POINT")
        self.legs += 1
        self.set_new_task(ControlMovement(TaskGoToPoint(goal.position, self.mbr, self.move_owner)))
        return None

    def on_update_run(self, _dt: float) -> Result | None:
        """Without a leg yet, choose one; at the end of one: safe, or another."""
        if self.child is None:
            return self._choose()
        if not self.child_finished:
            return None
        child = self.child
        assert child is not None
        if not child.succeeded:
            return self.fail(child.fail_reason)
        if self.distance_cm() > self.safe_distance_cm:
            return self.succeed()
        self.restart_state()
        return None

    def distance_cm(self) -> float:
        """To what it flees from, as that is now."""
        place = place_of(self.actor, self.source, self.at)
        here = self.actor.position
        return math.hypot(here.x - place.x, here.y - place.y)


def flee_goal(
    actor: Actor, threat: Vec3, safe_distance_cm: float
) -> GoalPoint | FleeRefused | None:
    """A reachable point away from a threat, or why there is none (FLEE-01).

    None if the step has nothing left for choosing (FLEE-10): ask again in the next one.
    """
    return actor.services.flee.select(
        actor.position,
        ThreatPoint(threat.x, threat.y),
        safe_distance_cm,
        FleeGround(
            actor.services.surface,
            actor.services.clearance,
            actor.services.path_finder,
            others_standing(actor),
        ),
    )


def others_standing(actor: Actor) -> NDArray[np.float64]:
    """Where the other peds are, shape (n, 2)."""
    table = actor.services.movement.table
    slots = table.slots_in_id_order()
    others = slots[slots != actor.slot]
    return np.stack((table.x[others], table.y[others]), axis=1)
