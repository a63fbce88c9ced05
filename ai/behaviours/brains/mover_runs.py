"""Actions that hold the mover: each is a real movement task under the ped's brain task.

The movement record's owner is (task type of the brain, ped, command id), so that a
movement of an earlier command is never taken for the present one's (ACT-27).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ai.behaviours.approach import goal_is_usable
from ai.behaviours.brains.action_run import ActionRun, Ending
from ai.behaviours.brains.pursuit import Quarry, TaskPursue
from ai.behaviours.moving import TaskGoToPoint
from ai.behaviours.safe_goals import flee_goal
from ai.machines.ledger.command import Command
from ai.machines.steps import steps
from ai.motion.movement_table import ClipPhase, MoveOwner
from ai.navigation.flee_points import FleeRefused, GoalPoint, ThreatPoint
from ai.ports import EntityRef, Vec3
from ai.tasks.move_interface import MBR_RUN, MBR_WALK
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Task

if TYPE_CHECKING:
    from ai.behaviours.brains.action_host import PedActionHost

GAITS: Final = {"walk": MBR_WALK, "fast_walk": 1.5, "run": MBR_RUN, "sprint": 3.0}
"""Words of the parameter ``gait``; none is the ped's own pace."""


class MoverRun(ActionRun):
    """What the actions with a movement child have in common.

    - ``child_ended``: the child has quit; the host reads it in P10.
    - A stop cancels the record at once; the mover is free when the feet stand.
    """

    __slots__ = ("_child_ending", "_feet_stand_step")

    def __init__(self, host: PedActionHost, command: Command) -> None:
        super().__init__(host, command)
        self._child_ending = Ending.NONE
        self._feet_stand_step = 0

    @property
    def move_owner(self) -> MoveOwner:
        """Identity of its movement (ACT-27)."""
        return MoveOwner(self.host.owner_type, self.actor.ref, self.command.id)

    def make_child(self) -> Task:
        """The task that moves the ped."""
        raise NotImplementedError

    def admitted(self, step: int) -> None:  # noqa: ARG002
        """Move from now on."""
        self.host.give_mover(self)

    def child_ended(self, child: Task) -> None:
        """The movement has ended by itself, or was taken away."""
        self._child_ending = Ending.SUCCESS if child.succeeded else Ending.FAILURE
        if child.fail_reason in ("NOT_OWNER", "CANCELLED", "CLAIM_REFUSED"):
            self._child_ending = Ending.LOST

    def after_step(self, step: int) -> Ending:  # noqa: ARG002
        """As the child ended."""
        return self._child_ending

    def stop(self, step: int) -> None:
        """Cancel the movement; the feet come to a stand."""
        super().stop(step)
        movement = self.actor.movement
        is_walking = movement.clip.phase in (ClipPhase.START, ClipPhase.LOOP, ClipPhase.STOP)
        self.cut()
        wait_s = self.actor.services.brains.data.tuning.moving.plant_s if is_walking else 0.0
        self._feet_stand_step = step + steps(wait_s)

    def has_stopped(self, step: int) -> bool:
        """The feet stand."""
        return self.stop_step >= 0 and step >= self._feet_stand_step

    def cut(self) -> None:
        """The record ends as CANCELLED, so that nothing resumes it (ACT-27)."""
        movement = self.actor.movement
        if movement.serves(self.move_owner):
            movement.cancel()
        self.host.take_mover(self)

    def pace(self, default: str = "") -> float:
        """Move blend ratio of the parameter ``gait``."""
        gait = GAITS.get(self.text("gait", default))
        if gait is not None:
            return gait
        return self.actor.services.gait_speeds.walk_mbr(self.actor.walk_speed_cm_s)


class GoToRun(MoverRun):
    """``goto``: a place on the ground, up to ``stop_cm`` short of it."""

    __slots__ = ("_goal",)

    def begin(self, step: int) -> str:  # noqa: ARG002
        """Is there a place."""
        goal = self.find_goal()
        if goal is None or not goal_is_usable(goal):
            return "no_place"
        self._goal = goal
        return ""

    def find_goal(self) -> Vec3 | None:
        """Where to go."""
        place = self.point("pos")
        stop_cm = self.number("stop_cm", 0.0)
        if place is None or stop_cm <= 0.0:
            return place
        here = self.actor.position
        distance = math.hypot(place.x - here.x, place.y - here.y)
        share = max(distance - stop_cm, 0.0) / max(distance, 1.0)
        return Vec3(
            here.x + (place.x - here.x) * share, here.y + (place.y - here.y) * share, here.z
        )

    def make_child(self) -> Task:
        """A walk to the place."""
        return ControlMovement(TaskGoToPoint(self._goal, self.pace(), self.move_owner))


class GoToWaypointRun(GoToRun):
    """``goto_waypoint``: a point of a patrol route, by its index."""

    __slots__ = ()

    def find_goal(self) -> Vec3 | None:
        """The point, or None if there is no such route."""
        route = self.actor.services.brains.routes.get(self.text("route"))
        if not route:
            return None
        return route[int(self.number("index", 0.0)) % len(route)]


class FollowRun(MoverRun):
    """``goto_entity`` ends within ``stop_cm`` of a ped or thing, ``chase`` stays with it."""

    __slots__ = ("_halts", "_quarry")

    def __init__(self, host: PedActionHost, command: Command, *, halts: bool) -> None:
        super().__init__(host, command)
        self._halts = halts
        self._quarry: Quarry | None = None

    def begin(self, step: int) -> str:  # noqa: ARG002
        """Is anybody there."""
        target = self.entity("target")
        place = None if target is None else self.host.place_of(target)
        if place is None:
            return "target_gone"
        self._quarry = Quarry(place, self.number("stop_cm", 100.0), halts=self._halts)
        return ""

    def make_child(self) -> Task:
        """A run after the quarry."""
        assert self._quarry is not None
        return ControlMovement(TaskPursue(self._quarry, self.pace("run"), self.move_owner))

    def refresh(self) -> None:
        """Tell the movement where the quarry is now, as far as the ped knows."""
        quarry = self._quarry
        if quarry is None:
            return
        target = self.command.params["target"]
        place = self.host.place_of(target) if isinstance(target, EntityRef) else None
        if place is None:
            quarry.is_gone = True
        else:
            quarry.place = place


class FleeRun(MoverRun):
    """``flee``: leg by leg to reachable points, until the source is far enough (FLEE)."""

    __slots__ = ("_goal",)

    def begin(self, step: int) -> str:  # noqa: ARG002
        """Is there a point to flee to; whoever is told so while others choose asks again."""
        goal = self._choose()
        if not isinstance(goal, GoalPoint):
            return "no_flee_point"
        self._goal = goal.position
        return ""

    def _choose(self) -> GoalPoint | FleeRefused | None:
        """A point, or why there is none; None if the step has no time left for it (FLEE-10)."""
        source = self.entity("from")
        place = None if source is None else self.host.place_of(source)
        if place is None:
            return FleeRefused({})
        return flee_goal(self.actor, [ThreatPoint(place.x, place.y, self._safe_cm)], "action")

    @property
    def _safe_cm(self) -> float:
        return self.actor.services.brains.data.tuning.moving.flee_safe_cm

    def make_child(self) -> Task:
        """A run to the point."""
        return ControlMovement(TaskGoToPoint(self._goal, MBR_RUN, self.move_owner))

    def after_step(self, step: int) -> Ending:  # noqa: ARG002
        """At the end of a leg: far enough, or another one."""
        if self._child_ending is not Ending.SUCCESS:
            return self._child_ending
        source = self.entity("from")
        place = None if source is None else self.host.place_of(source)
        here = self.actor.position
        if place is None or math.hypot(here.x - place.x, here.y - place.y) > self._safe_cm:
            return Ending.SUCCESS
        goal = self._choose()
        if goal is None:
            return Ending.NONE
        if not isinstance(goal, GoalPoint):
            return Ending.FAILURE
        self._child_ending = Ending.NONE
        self._goal = goal.position
        self.host.give_mover(self)
        return Ending.NONE
