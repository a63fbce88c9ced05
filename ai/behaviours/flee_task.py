"""Fleeing: to a reachable point at a safe distance from a threat (EVT-84, FLEE-01 to FLEE-08)."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import ClassVar, cast

import numpy as np

from ai.behaviours.actor import Actor
from ai.behaviours.moving import TaskGoToPoint
from ai.behaviours.reaction_tasks import place_of
from ai.motion.movement_table import MoveOwner
from ai.navigation.flee_points import (
    FleeGround,
    GoalPoint,
    Point,
    ThreatPoint,
    select_flee_point,
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
        actor = self.actor
        goal = flee_goal(actor, place_of(actor, self.source, self.at), self.safe_distance_cm)
        if goal is None:
            return self.fail("NO_FLEE_POINT")
        self.legs += 1
        self.set_new_task(ControlMovement(TaskGoToPoint(goal, self.mbr, self.move_owner)))
        return None

    def on_update_run(self, _dt: float) -> Result | None:
        """At the end of a leg: safe, or another one."""
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


def flee_goal(actor: Actor, threat: Vec3, safe_distance_cm: float) -> Vec3 | None:
    """A reachable point away from a threat, or None if there is none (FLEE-01)."""
    goal = select_flee_point(
        actor.position,
        ThreatPoint(threat.x, threat.y),
        safe_distance_cm,
        FleeGround(
            actor.services.surface,
            actor.services.clearance,
            actor.services.path_finder,
            others_standing(actor),
        ),
        actor.services.flee,
    )
    return goal.position if isinstance(goal, GoalPoint) else None


def others_standing(actor: Actor) -> list[Point]:
    """Where the other peds are."""
    table = actor.services.movement.table
    slots = np.flatnonzero(table.present)
    return [
        (table.x.item(slot), table.y.item(slot)) for slot in slots.tolist() if slot != actor.slot
    ]
