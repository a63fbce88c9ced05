"""Out of here: to an exit of the level, together with whom one belongs to (EVT-84 ``evacuate``).

Nobody is told where to go: each weighs way, danger and queue; a group goes where its leader
goes, who waits for the slow, and turns back for who has fallen.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Annotated, ClassVar, Final, cast

from pydantic import Field

from ai.behaviours.actor import Actor
from ai.behaviours.general_claim import hold_general_claim, release_general_claim
from ai.behaviours.help_task import TaskHelpPerson
from ai.behaviours.knocked_down import is_too_hurt_to_rise
from ai.behaviours.moving import TaskGoToPoint
from ai.behaviours.reaction_tasks import TaskFacePlace
from ai.motion.movement_table import MoveOwner
from ai.navigation.exits import Exits
from ai.ports import EntityRef, Vec3, at_least
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Result, Task
from ai.tasks.task_types import TaskType
from ai.tuning import OwnForm

RUN_MBR: Final = 2.0
USUAL_PACE_CM_S: Final = 130.0
LEGS_PER_TASK: Final = 1000
PROJECT_SHIFT_CM: Final = 120.0

_Length = Annotated[float, Field(gt=0.0, le=10_000.0)]
_Time = Annotated[float, Field(gt=0.0, le=600.0)]


class EvacuationTuning(OwnForm):
    """How people leave.

    - Every ``looks_every_s`` the exit is weighed anew; another must be better by ``keep``.
    - A leader waits when a follower is ``waits_beyond`` behind, until within ``goes_within``,
      ``waits_s`` in all, and never nearer to a fire than ``not_within_fire``.
    - Who of the group lies within ``turns_back_within`` is gone back for, ``helps_s`` at most.
    """

    looks_every_s: _Time
    keep: float = Field(gt=0.0, le=1.0)
    waits_beyond: _Length
    goes_within: _Length
    waits_s: _Time
    not_within_fire: _Length
    turns_back_within: _Length
    helps_within: _Length
    helps_s: _Time


class Evacuation:
    """What those who leave share: the exits, and how near fire is; none in most levels."""

    def __init__(self, tuning: EvacuationTuning) -> None:
        self.tuning = tuning
        self.exits: Exits | None = None
        self.fires: list[tuple[float, float, float]] = []

    def fire_gap_cm(self, place: Vec3) -> float:
        """From a place to the nearest flames; infinite without any."""
        return min(
            (math.hypot(place.x - x, place.y - y) - radius for x, y, radius in self.fires),
            default=math.inf,
        )


class TaskEvacuate(Task):
    """Runs to an exit of the level, as one of its group if it has one.

    - ``exit_index`` is where it is going, -1 before it knows; ``set_out``: it is yet to start.
    - Ends FAILED ``NO_EXIT`` where no way leads to any.
    - In the exit it is done: SUCCEEDED.
    """

    task_type = TaskType.EVACUATE
    __slots__ = (
        "event_type",
        "exit_index",
        "fallen",
        "legs",
        "set_out",
        "since_look_s",
        "waited_s",
    )
    PARAMS: ClassVar[tuple[str, ...]] = ("event_type",)

    class State(IntEnum):
        """On the way, waiting for the slow, going back for the fallen."""

        GO = 0
        WAIT = 1
        HELP = 2

    def __init__(self, event_type: int) -> None:
        super().__init__()
        self.event_type = event_type
        self.exit_index = -1
        self.legs = 0
        self.since_look_s = 0.0
        self.waited_s = 0.0
        self.fallen: EntityRef | None = None
        self.set_out = True

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

    # -- on the way ----------------------------------------------------------------

    def on_enter_go(self) -> Result | None:
        """Choose an exit and run; on a resume go on."""
        if not self.set_out and self.child is not None and not self.child.has_finished:
            self.keep_child()
            return None
        self.set_out = False
        return self._run()

    def on_update_go(self, dt: float) -> Result | None:
        """There; or look about: the group, the way."""
        actor, evacuation = self.actor, self.actor.services.evacuation
        exits = evacuation.exits
        if exits is None:
            return self.fail("NO_EXIT")
        here = actor.position
        if self.exit_index >= 0 and exits.exits[self.exit_index].contains(here.x, here.y):
            return self.succeed()
        if self.child is None or self.child_finished:
            return self._run()
        self.since_look_s += dt
        if at_least(self.since_look_s, evacuation.tuning.looks_every_s):
            self.since_look_s = 0.0
            return self._look_about(exits)
        return None

    def _look_about(self, exits: Exits) -> Result | None:
        tuning = self.actor.services.evacuation.tuning
        self.fallen = self._fallen_of_group()
        if self.fallen is not None:
            self.set_state(self.State.HELP)
            return None
        if self._leads() and self._lags(tuning.waits_beyond) and self._may_wait():
            self.set_state(self.State.WAIT)
            return None
        best = self._choice(exits)
        if best is not None and best != self.exit_index:
            return self._run()
        return None

    def _choice(self, exits: Exits) -> int | None:
        """The leader's exit, else the one worth running to."""
        actor = self.actor
        leader = self._leader()
        if leader is not None:
            task = leading_task(leader)
            if task is not None and task.exit_index >= 0:
                return task.exit_index
        present = self.exit_index if self.exit_index >= 0 else None
        here = actor.position
        return exits.best(here.x, here.y, present, actor.services.evacuation.tuning.keep)

    def _run(self) -> Result | None:
        actor = self.actor
        exits = actor.services.evacuation.exits
        best = None if exits is None else self._choice(exits)
        if exits is None or best is None:
            return self.fail("NO_EXIT")
        goal = exits.exits[best].goal(actor.ped_id, actor.position)
        ground = actor.services.surface.project(goal.x, goal.y, PROJECT_SHIFT_CM)
        if ground is None:
            return self.fail("NO_EXIT")
        self.exit_index = best
        self._walk_to(Vec3(ground.x, ground.y, ground.z))
        return None

    def _walk_to(self, goal: Vec3) -> None:
        actor = self.actor
        self.legs += 1
        pace = min(1.0, actor.walk_speed_cm_s / USUAL_PACE_CM_S)
        mbr = 1.0 + (RUN_MBR - 1.0) * pace
        self.set_new_task(ControlMovement(TaskGoToPoint(goal, mbr, self.move_owner)))

    # -- waiting -------------------------------------------------------------------

    def on_enter_wait(self) -> None:
        """Stand and look back."""
        slowest = self._slowest()
        if slowest is not None and hold_general_claim(self.actor, self.uid):
            self.set_new_task(ControlMovement(TaskFacePlace(slowest.position, slowest.ref)))

    def on_update_wait(self, dt: float) -> Result | None:
        """Until they have come up, or it gets too hot."""
        self.waited_s += dt
        if not self._lags(self.actor.services.evacuation.tuning.goes_within) or (
            not self._may_wait()
        ):
            release_general_claim(self.actor, self.uid)
            self.set_out = True
            self.set_state(self.State.GO)
        return None

    def _may_wait(self) -> bool:
        evacuation = self.actor.services.evacuation
        gap = evacuation.fire_gap_cm(self.actor.position)
        return self.waited_s < evacuation.tuning.waits_s and gap > evacuation.tuning.not_within_fire

    # -- helping -------------------------------------------------------------------

    def on_enter_help(self) -> None:
        """Back to who has fallen."""
        person = self._person()
        if person is None:
            return
        if is_too_hurt_to_rise(person):
            self.set_new_task(TaskHelpPerson(self.event_type, person.ref))
            return
        here, there = self.actor.position, person.position
        apart = math.hypot(there.x - here.x, there.y - here.y)
        within = self.actor.services.evacuation.tuning.helps_within
        if apart > within:
            share = (apart - within) / apart
            self._walk_to(
                Vec3(here.x + (there.x - here.x) * share, here.y + (there.y - here.y) * share)
            )

    def on_update_help(self, _dt: float) -> Result | None:
        """Until that one is up, or it takes too long."""
        evacuation = self.actor.services.evacuation
        too_long = at_least(self.time_in_state, evacuation.tuning.helps_s)
        gap = evacuation.fire_gap_cm(self.actor.position)
        too_hot = gap < 0.5 * evacuation.tuning.not_within_fire
        if self._person() is None or too_long or too_hot:
            self.fallen = None
            self.set_out = True
            self.set_state(self.State.GO)
        return None

    def _person(self) -> Actor | None:
        """Who lies there, while it does."""
        if self.fallen is None:
            return None
        person = self.actor.events.services.world.ped(self.fallen)
        if person is None or person.is_dead or not person.is_ragdolling:
            return None
        return cast("Actor", person)

    # -- the group ------------------------------------------------------------------

    def _others(self) -> list[Actor]:
        actor = self.actor
        world = actor.events.services.world
        found = []
        for ref in world.group_of(actor.ref):
            other = None if ref == actor.ref else world.ped(ref)
            if other is not None and not other.is_dead and not other.retired:
                found.append(cast("Actor", other))
        return found

    def _leader(self) -> Actor | None:
        """Who is followed; None for who leads, or whose leader is out, or lies."""
        actor = self.actor
        world = actor.events.services.world
        group = world.group_of(actor.ref)
        if not group or group[0] == actor.ref:
            return None
        leader = world.ped(group[0])
        if leader is None or leader.is_dead or leader.retired:
            return None
        return cast("Actor", leader)

    def _leads(self) -> bool:
        group = self.actor.events.services.world.group_of(self.actor.ref)
        return bool(group) and group[0] == self.actor.ref

    def _slowest(self) -> Actor | None:
        here = self.actor.position
        return max(
            (one for one in self._others() if not one.is_ragdolling),
            key=lambda one: math.hypot(one.position.x - here.x, one.position.y - here.y),
            default=None,
        )

    def _lags(self, beyond_cm: float) -> bool:
        slowest = self._slowest()
        if slowest is None:
            return False
        here = self.actor.position
        return math.hypot(slowest.position.x - here.x, slowest.position.y - here.y) > beyond_cm

    def _fallen_of_group(self) -> EntityRef | None:
        """The nearest of its own that lies within reach and not in the flames."""
        evacuation, here = self.actor.services.evacuation, self.actor.position
        tuning = evacuation.tuning
        near = [
            (math.hypot(one.position.x - here.x, one.position.y - here.y), one.ref)
            for one in self._others()
            if one.is_ragdolling
            and evacuation.fire_gap_cm(one.position) > 0.5 * tuning.not_within_fire
        ]
        near = [one for one in near if one[0] <= tuning.turns_back_within]
        return min(near, key=lambda one: one[0])[1] if near else None

    def clean_up(self) -> None:
        """Give the claim back."""
        if self.entity is not None:
            release_general_claim(self.actor, self.uid)


def leading_task(actor: Actor) -> TaskEvacuate | None:
    """The evacuation that a ped is about, or None."""
    from ai.tasks.trees import PRIMARY

    task = actor.tasks.tree(PRIMARY).active_root
    return task if isinstance(task, TaskEvacuate) else None
