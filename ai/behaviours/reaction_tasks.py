"""Reactions to what shocks: watching from where one stands, hurrying away (EVT-84, EVT-85)."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import ClassVar, Final, cast

from ai.behaviours.actor import Actor
from ai.behaviours.general_claim import hold_general_claim, release_general_claim
from ai.behaviours.moving import TaskGoToPoint
from ai.motion.movement_table import MoveOwner
from ai.ports import EntityRef, Vec3, at_least
from ai.tasks.move_interface import MBR_STILL
from ai.tasks.movement import ControlMovement, MoveTaskBase
from ai.tasks.task import Result, Task
from ai.tasks.task_types import TaskType

GOALS_TRIED: Final = 5
"""Directions that are tried, straight away first, then ever more to the sides."""
GOAL_SPREAD_RAD: Final = math.radians(35.0)
PROJECT_SHIFT_CM: Final = 200.0


def place_of(actor: Actor, source: EntityRef | None, at: Vec3) -> Vec3:
    """Where the source is while it exists, else where it happened (EVT-85)."""
    if source is None:
        return at
    place = actor.events.services.world.position_of(source)
    return at if place is None else place


class TaskFacePlace(MoveTaskBase):
    """Turns on the spot towards a source, or a place; never ends by itself."""

    task_type = TaskType.FACE_PLACE
    __slots__ = ("at", "source")
    PARAMS: ClassVar[tuple[str, ...]] = ("at", "source")

    def __init__(self, at: Vec3, source: EntityRef | None = None) -> None:
        super().__init__()
        self.at = at
        self.source = source

    def process_move(self, dt: float) -> bool:  # noqa: ARG002
        """Wish the heading at speed 0: a facing (LOC-17)."""
        actor = cast("Actor", self.entity)
        place = place_of(actor, self.source, self.at)
        here = actor.position
        if place != here:
            actor.movement.wish(math.atan2(place.y - here.y, place.x - here.x))
        self.move_interface.mbr = MBR_STILL
        return False

    def clean_up(self) -> None:
        """No wish outlives its task; a backup copy never had one."""
        if self.entity is not None:
            cast("Actor", self.entity).movement.drop_wish()


class TaskShockingWatch(Task):
    """Stands where it is and looks for ``duration_s`` seconds, for ever if negative.

    - Turns towards the source while it exists, else the place, unless the general movement
      serves somebody who will go on with it: a facing would cancel that.
    - ``event_type`` is what it answers, asked when its cause is not on record (EVT-57).
    """

    task_type = TaskType.SHOCKING_WATCH
    __slots__ = ("at", "duration_s", "event_type", "source")
    PARAMS: ClassVar[tuple[str, ...]] = ("event_type", "at", "source", "duration_s")

    class State(IntEnum):
        """One state."""

        WATCH = 0

    def __init__(
        self, event_type: int, at: Vec3, source: EntityRef | None, duration_s: float
    ) -> None:
        super().__init__()
        self.event_type = event_type
        self.at = at
        self.source = source
        self.duration_s = duration_s

    def is_response_for(self, event_type: int) -> bool:
        """The type it was made for."""
        return event_type == self.event_type

    def on_enter_watch(self) -> Result | None:
        """Turn, if nobody's movement is in the way."""
        actor = cast("Actor", self.entity)
        if not actor.movement.live and hold_general_claim(actor, self.uid):
            self.set_new_task(ControlMovement(TaskFacePlace(self.at, self.source)))
        return None

    def on_update_watch(self, _dt: float) -> Result | None:
        """End when the time is over."""
        if self.duration_s >= 0.0 and at_least(self.time_running, self.duration_s):
            return self.succeed()
        return None

    def clean_up(self) -> None:
        """Give the claim back."""
        if self.entity is not None:
            release_general_claim(cast("Actor", self.entity), self.uid)


class TaskShockingGotoLook(Task):
    """Goes to see: up to ``stop_distance_cm`` of a source or place, then looks for ``duration_s``.

    - Nearer than that already, or without a way there, it looks from where it stands.
    """

    task_type = TaskType.SHOCKING_GOTO_LOOK
    __slots__ = ("at", "duration_s", "event_type", "source", "stop_distance_cm")
    PARAMS: ClassVar[tuple[str, ...]] = (
        "event_type",
        "at",
        "source",
        "stop_distance_cm",
        "duration_s",
    )

    class State(IntEnum):
        """On the way, then looking."""

        APPROACH = 0
        LOOK = 1

    def __init__(
        self,
        event_type: int,
        at: Vec3,
        source: EntityRef | None,
        stop_distance_cm: float,
        duration_s: float,
    ) -> None:
        super().__init__()
        self.event_type = event_type
        self.at = at
        self.source = source
        self.stop_distance_cm = stop_distance_cm
        self.duration_s = duration_s

    @property
    def move_owner(self) -> MoveOwner:
        """Identity of its movement: another one for each task."""
        return MoveOwner(int(self.task_type), cast("Actor", self.entity).ref, self.uid)

    def is_response_for(self, event_type: int) -> bool:
        """The type it was made for."""
        return event_type == self.event_type

    def on_enter_approach(self) -> None:
        """Walk to the near end of the straight line; on a resume go on."""
        if self.child is not None and not self.child.has_finished:
            self.keep_child()
            return
        actor = cast("Actor", self.entity)
        here, place = actor.position, place_of(actor, self.source, self.at)
        distance = math.hypot(place.x - here.x, place.y - here.y)
        if distance <= self.stop_distance_cm:
            return
        share = (distance - self.stop_distance_cm) / distance
        ground = actor.services.surface.project(
            here.x + (place.x - here.x) * share,
            here.y + (place.y - here.y) * share,
            PROJECT_SHIFT_CM,
        )
        if ground is not None:
            goal = Vec3(ground.x, ground.y, ground.z)
            mbr = actor.services.gait_speeds.walk_mbr(actor.walk_speed_cm_s)
            self.set_new_task(ControlMovement(TaskGoToPoint(goal, mbr, self.move_owner)))

    def on_update_approach(self, _dt: float) -> None:
        """There, or as near as it gets."""
        if self.child is None or self.child_finished:
            self.set_state(self.State.LOOK)

    def on_enter_look(self) -> None:
        """Stand and face it."""
        actor = cast("Actor", self.entity)
        place = place_of(actor, self.source, self.at)
        self.set_new_task(TaskShockingWatch(self.event_type, place, self.source, self.duration_s))

    def on_update_look(self, _dt: float) -> Result | None:
        """End with the looking."""
        return self.succeed() if self.child_finished else None


class TaskShockingHurryAway(Task):
    """Walks on faster, ``distance_cm`` away from a source or place.

    - A ped on its way somewhere keeps its destination if that way leads away.
    - ``mbr`` is the stated move blend ratio.
    - Ends FAILED ``NO_WAY`` if no ground lies away from it.
    """

    task_type = TaskType.SHOCKING_HURRY_AWAY
    __slots__ = ("at", "distance_cm", "event_type", "mbr", "source")
    PARAMS: ClassVar[tuple[str, ...]] = ("event_type", "at", "source", "distance_cm", "mbr")

    class State(IntEnum):
        """One state."""

        HURRY = 0

    def __init__(
        self,
        event_type: int,
        at: Vec3,
        source: EntityRef | None,
        distance_cm: float,
        mbr: float,
    ) -> None:
        super().__init__()
        self.event_type = event_type
        self.at = at
        self.source = source
        self.distance_cm = distance_cm
        self.mbr = mbr

    @property
    def move_owner(self) -> MoveOwner:
        """Identity of its movement: another one for each task."""
        return MoveOwner(int(self.task_type), cast("Actor", self.entity).ref, self.uid)

    def is_response_for(self, event_type: int) -> bool:
        """The type it was made for."""
        return event_type == self.event_type

    def on_enter_hurry(self) -> Result | None:
        """Choose a goal away from it and go; on a resume go on if that still serves."""
        actor = cast("Actor", self.entity)
        if self.child is not None and not self.child.has_finished:
            self.keep_child()
            return None
        goal = self._goal(actor)
        if goal is None:
            return self.fail("NO_WAY")
        self.set_new_task(ControlMovement(TaskGoToPoint(goal, self.mbr, self.move_owner)))
        return None

    def on_update_hurry(self, _dt: float) -> Result | None:
        """End as the walk ends."""
        if not self.child_finished:
            return None
        assert self.child is not None
        return self.succeed() if self.child.succeeded else self.fail(self.child.fail_reason)

    def _goal(self, actor: Actor) -> Vec3 | None:
        """The present one, straight away, else to the sides; the first with ground to walk on."""
        here = actor.position
        place = place_of(actor, self.source, self.at)
        if leads_away(actor, place):
            return actor.movement.goal
        away = math.atan2(here.y - place.y, here.x - place.x)
        for tried in range(GOALS_TRIED):
            side = (tried + 1) // 2 * GOAL_SPREAD_RAD * (1.0 if tried % 2 else -1.0)
            ground = actor.services.surface.project(
                here.x + math.cos(away + side) * self.distance_cm,
                here.y + math.sin(away + side) * self.distance_cm,
                PROJECT_SHIFT_CM,
            )
            if ground is not None:
                return Vec3(ground.x, ground.y, ground.z)
        return None


def leads_away(actor: Actor, place: Vec3) -> bool:
    """Does the way that the ped is on not bring it nearer to a place? (EVT-85)."""
    movement = actor.movement
    if not movement.live or not movement.path_usable or movement.corner >= len(movement.path):
        return False
    here, corner = actor.position, movement.path[movement.corner]
    ahead = (corner.x - here.x) * (place.x - here.x) + (corner.y - here.y) * (place.y - here.y)
    return ahead <= 0.0
