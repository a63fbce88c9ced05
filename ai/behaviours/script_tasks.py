"""What scripts order beside standing: walk, face, follow, patrol, enter, gesture (EVT-70).

Each is a whole task for PRIMARY: interrupted, it goes on by itself (EVT-72), on the way
it was on if the movement record is still its own, else on a new one.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import ClassVar, Final, cast

from ai.behaviours.actor import Actor
from ai.behaviours.general_claim import hold_general_claim, release_general_claim
from ai.behaviours.gestures import Gesture
from ai.behaviours.moving import TaskGoToPoint
from ai.behaviours.reaction_tasks import TaskFacePlace, place_of
from ai.motion.movement_table import MoveOwner
from ai.ports import EntityRef, Polygon, Vec3, at_least
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Result, Task
from ai.tasks.task_types import TaskType

GOALS_PER_TASK: Final = 1 << 32
"""More than one task ever walks to, so that no two goals of a run share a tag."""
FACED_RAD: Final = math.radians(3.0)
RESAMPLE_S: Final = 0.5
"""As tracked orders look at what they follow (ORD-20)."""
MOVED_CM: Final = 50.0
GO_ON_CM: Final = 60.0
"""Whom it follows is let go so much farther than the distance before it sets out again."""
PROJECT_SHIFT_CM: Final = 200.0
RETRY_S: Final = 1.0


class TaskFace(Task):
    """Turns towards a place, or a source while there is one; ends when it looks there."""

    task_type = TaskType.FACE
    __slots__ = ("at", "source")
    PARAMS: ClassVar[tuple[str, ...]] = ("at", "source")

    class State(IntEnum):
        """One state."""

        TURN = 0

    def __init__(self, at: Vec3, source: EntityRef | None = None) -> None:
        super().__init__()
        self.at = at
        self.source = source

    def on_enter_turn(self) -> Result | None:
        """Have a movement task wish the heading."""
        actor = cast("Actor", self.entity)
        if not hold_general_claim(actor, self.uid):
            return self.fail("CLAIM_REFUSED")
        self.set_new_task(ControlMovement(TaskFacePlace(self.at, self.source)))
        return None

    def on_update_turn(self, _dt: float) -> Result | None:
        """Is it looking there."""
        actor = cast("Actor", self.entity)
        here, place = actor.position, place_of(actor, self.source, self.at)
        wanted = math.atan2(place.y - here.y, place.x - here.x)
        off = math.remainder(wanted - actor.movement.yaw, math.tau)
        return self.succeed() if place == here or abs(off) <= FACED_RAD else None

    def clean_up(self) -> None:
        """Give the claim back."""
        if self.entity is not None:
            release_general_claim(cast("Actor", self.entity), self.uid)


class TaskPlayGesture(Task):
    """Makes a gesture for so long, on the spot; interrupted, it goes on for what is left of it.

    ``left_s`` counts down while it is made, and by the ped's own time alone.
    """

    task_type = TaskType.PLAY_GESTURE
    __slots__ = ("gesture", "left_s")
    PARAMS: ClassVar[tuple[str, ...]] = ("gesture", "left_s")

    class State(IntEnum):
        """One state."""

        PLAY = 0

    def __init__(self, gesture: Gesture, left_s: float) -> None:
        super().__init__()
        self.gesture = gesture
        self.left_s = left_s

    def on_update_play(self, dt: float) -> Result | None:
        """Until the time is over."""
        self.left_s -= dt
        return self.succeed() if at_least(-self.left_s, 0.0) else None


class ScriptedWalk(Task):
    """Base of those that walk: one goal after another, each with an identity of its own."""

    __slots__ = ("goal_number",)

    def __init__(self) -> None:
        super().__init__()
        self.goal_number = 0

    @property
    def actor(self) -> Actor:
        """The ped."""
        return cast("Actor", self.entity)

    @property
    def move_owner(self) -> MoveOwner:
        """Identity of the movement to the present goal (NAV-16)."""
        tag = self.uid * GOALS_PER_TASK + self.goal_number
        return MoveOwner(int(self.task_type), self.actor.ref, tag)

    def go_to(self, goal: Vec3, mbr: float | None = None) -> None:
        """Walk to a goal, at the ped's own pace if no other is named.

        On a resume it goes on if the way is still its own.
        """
        actor = self.actor
        has_child = self.child is not None and not self.child.has_finished
        is_own = actor.movement.live and actor.movement.serves(self.move_owner)
        if self.is_resuming and has_child and is_own:
            self.keep_child()
            return
        self.goal_number += 1
        if mbr is None:
            mbr = actor.services.gait_speeds.walk_mbr(actor.walk_speed_cm_s)
        self.set_new_task(ControlMovement(TaskGoToPoint(goal, mbr, self.move_owner)))


class TaskWalkTo(ScriptedWalk):
    """Walks to ``goal``, at ``mbr`` or, without one, at the ped's own pace.

    Ends FAILED with the movement's reason if the place can't be reached.
    """

    task_type = TaskType.WALK_TO
    __slots__ = ("goal", "mbr")
    PARAMS: ClassVar[tuple[str, ...]] = ("goal", "mbr")

    class State(IntEnum):
        """One state."""

        WALK = 0

    def __init__(self, goal: Vec3, mbr: float | None = None) -> None:
        super().__init__()
        self.goal = goal
        self.mbr = mbr

    def on_enter_walk(self) -> Result | None:
        """Set out, or go on."""
        self.go_to(self.goal, self.mbr)
        return None

    def on_update_walk(self, _dt: float) -> Result | None:
        """Arrived, or failed as the movement did."""
        child = self.child
        if child is None or not self.child_finished:
            return None
        if child.succeeded:
            return self.succeed()
        return self.fail(child.fail_reason or child.outcome.name)


class TaskFollow(ScriptedWalk):
    """Keeps within ``distance_cm`` of a ped or thing, until told otherwise.

    - Ends FAILED ``TARGET_GONE`` once that is gone.
    - A way that can't be found is asked for again a second later.
    """

    task_type = TaskType.FOLLOW
    __slots__ = ("aimed_at", "distance_cm", "since_look_s", "target")
    PARAMS: ClassVar[tuple[str, ...]] = ("target", "distance_cm")

    class State(IntEnum):
        """Near enough, or on the way."""

        STAY = 0
        FOLLOW = 1

    AFTER_ABORT = State.STAY

    def __init__(self, target: EntityRef, distance_cm: float) -> None:
        super().__init__()
        self.target = target
        self.distance_cm = distance_cm
        self.aimed_at = Vec3(0.0, 0.0)
        self.since_look_s = 0.0

    def on_update_stay(self, _dt: float) -> Result | None:
        """Set out when it is left behind."""
        place = self._place()
        if place is None:
            return self.fail("TARGET_GONE")
        gone_on = self._distance_to(place) > self.distance_cm + GO_ON_CM
        if gone_on and (self.goal_number == 0 or at_least(self.time_in_state, RETRY_S)):
            self.set_state(self.State.FOLLOW)
        return None

    def on_enter_follow(self) -> Result | None:
        """Walk up to its distance."""
        place = self._place()
        if place is None:
            return self.fail("TARGET_GONE")
        self.since_look_s = 0.0
        self.go_to(self._goal_at(place))
        return None

    def on_update_follow(self, dt: float) -> Result | None:
        """Lead the way after the target; stop when near, or when there is no way."""
        place = self._place()
        if place is None:
            return self.fail("TARGET_GONE")
        if self._distance_to(place) <= self.distance_cm or self.child_finished:
            self.actor.movement.cancel()
            self.set_state(self.State.STAY)
            return None
        self.since_look_s += dt
        if at_least(self.since_look_s, RESAMPLE_S):
            self.since_look_s = 0.0
            if math.dist(place, self.aimed_at) > MOVED_CM:
                self.actor.movement.retarget(self._goal_at(place))
        return None

    def _place(self) -> Vec3 | None:
        return self.actor.events.services.world.position_of(self.target)

    def _distance_to(self, place: Vec3) -> float:
        here = self.actor.position
        return math.hypot(place.x - here.x, place.y - here.y)

    def _goal_at(self, place: Vec3) -> Vec3:
        """Short of the target, on ground; the target's own place if there is none."""
        self.aimed_at = place
        here = self.actor.position
        away = self._distance_to(place)
        share = max(0.0, away - 0.9 * self.distance_cm) / away if away > 0.0 else 0.0
        ground = self.actor.services.surface.project(
            here.x + (place.x - here.x) * share,
            here.y + (place.y - here.y) * share,
            PROJECT_SHIFT_CM,
        )
        return place if ground is None else Vec3(ground.x, ground.y, ground.z)


class TaskPatrol(ScriptedWalk):
    """Walks along points, again and again, pausing ``pause_s`` at each.

    - ``laps``: so many rounds, 0 for as long as nobody says otherwise.
    - ``back``: to and fro along the points; else from the last to the first.
    - A point that can't be reached is left out; if none can, it ends FAILED ``NO_WAY``.
    """

    task_type = TaskType.PATROL
    __slots__ = ("back", "laps", "missed", "pause_s", "points", "visited")
    PARAMS: ClassVar[tuple[str, ...]] = ("points", "pause_s", "laps", "back")

    class State(IntEnum):
        """On the way, or at a point."""

        WALK = 0
        PAUSE = 1

    AFTER_ABORT = State.WALK

    def __init__(
        self, points: tuple[Vec3, ...], pause_s: float = 0.0, laps: int = 0, back: bool = False
    ) -> None:
        if not points:
            raise ValueError("a patrol needs at least one point")
        super().__init__()
        self.points = points
        self.pause_s = pause_s
        self.laps = laps
        self.back = back
        self.visited = 0
        self.missed = 0

    @property
    def round(self) -> tuple[Vec3, ...]:
        """The points of one lap."""
        return self.points + (self.points[-2:0:-1] if self.back else ())

    def on_enter_walk(self) -> None:
        """Go to the next point."""
        self.go_to(self.round[self.visited % len(self.round)])

    def on_update_walk(self, _dt: float) -> Result | None:
        """There, or not to be reached."""
        if self.child is None or not self.child_finished:
            return None
        self.missed = 0 if self.child.succeeded else self.missed + 1
        if self.missed >= len(self.round):
            return self.fail("NO_WAY")
        self.set_state(self.State.PAUSE)
        return None

    def on_update_pause(self, _dt: float) -> Result | None:
        """Then on to the next."""
        if not at_least(self.time_in_state, self.pause_s):
            return None
        self.visited += 1
        if self.laps and self.visited >= self.laps * len(self.round):
            return self.succeed()
        self.set_state(self.State.WALK)
        return None


class TaskEnterZone(ScriptedWalk):
    """Walks into an area, by way of ``goal``, and ends as soon as it is inside."""

    task_type = TaskType.ENTER_ZONE
    __slots__ = ("goal", "outline")
    PARAMS: ClassVar[tuple[str, ...]] = ("outline", "goal")

    class State(IntEnum):
        """One state."""

        WALK = 0

    def __init__(self, outline: Polygon, goal: Vec3) -> None:
        super().__init__()
        self.outline = outline
        self.goal = goal

    def on_enter_walk(self) -> None:
        """Go there."""
        self.go_to(self.goal)

    def on_update_walk(self, _dt: float) -> Result | None:
        """Inside, or no way there."""
        if is_inside(self.outline, self.actor.position):
            self.actor.movement.cancel()
            return self.succeed()
        if not self.child_finished or self.child is None:
            return None
        return self.fail(self.child.fail_reason or "NOT_INSIDE")


def is_inside(outline: Polygon, place: Vec3) -> bool:
    """True if a place lies in a polygon: a ray to the right crosses it an odd number of times."""
    inside = False
    before = outline.points[-1]
    for point in outline.points:
        if (point[1] > place.y) is not (before[1] > place.y):
            share = (place.y - before[1]) / (point[1] - before[1])
            if place.x < before[0] + share * (point[0] - before[0]):
                inside = not inside
        before = point
    return inside
