"""Helping somebody up who lies hurt: go there, see to them, they rise (EVT-84 ``help_person``)."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import ClassVar, cast

from ai.behaviours.actor import Actor
from ai.behaviours.gestures import Gesture
from ai.behaviours.knocked_down import is_too_hurt_to_rise
from ai.behaviours.moving import TaskGoToPoint
from ai.behaviours.reaction_tasks import TaskShockingWatch
from ai.motion.movement_table import MoveOwner
from ai.ports import EntityRef, Vec3, at_least
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Result, Task
from ai.tasks.task_types import TaskType

PROJECT_SHIFT_CM = 60.0


class TaskHelpPerson(Task):
    """Walks up to ``person``, stands by for ``help_s`` and has them up (``InjuryTuning``).

    Ends FAILED ``NOBODY_HURT`` when that one is gone, dead, or needs no help any more, ``NO_WAY``
    when there is no way to it.
    """

    task_type = TaskType.HELP_PERSON
    __slots__ = ("event_type", "person")
    PARAMS: ClassVar[tuple[str, ...]] = ("event_type", "person")

    class State(IntEnum):
        """On the way, then beside the person."""

        GO = 0
        HELP = 1

    def __init__(self, event_type: int, person: EntityRef) -> None:
        super().__init__()
        self.event_type = event_type
        self.person = person

    @property
    def gesture(self) -> Gesture | None:
        """Kneels beside the person."""
        return Gesture.KNEEL if self.state == self.State.HELP else None

    @property
    def move_owner(self) -> MoveOwner:
        """Identity of its movement: another one for each task."""
        return MoveOwner(int(self.task_type), cast("Actor", self.entity).ref, self.uid)

    def is_response_for(self, event_type: int) -> bool:
        """The type it was made for."""
        return event_type == self.event_type

    def on_enter_go(self) -> Result | None:
        """Walk to a place beside the person; on a resume go on."""
        if self.child is not None and not self.child.has_finished:
            self.keep_child()
            return None
        actor = cast("Actor", self.entity)
        place = self._hurt_place(actor)
        if place is None:
            return self.fail("NOBODY_HURT")
        here, near = actor.position, actor.services.injury.help_from_cm
        distance = math.hypot(place.x - here.x, place.y - here.y)
        if distance <= near:
            return None
        share = (distance - near) / distance
        ground = actor.services.surface.project(
            here.x + (place.x - here.x) * share,
            here.y + (place.y - here.y) * share,
            PROJECT_SHIFT_CM,
        )
        if ground is None:
            return self.fail("NO_WAY")
        goal = Vec3(ground.x, ground.y, ground.z)
        mbr = actor.services.gait_speeds.walk_mbr(actor.walk_speed_cm_s)
        self.set_new_task(ControlMovement(TaskGoToPoint(goal, mbr, self.move_owner)))
        return None

    def on_update_go(self, _dt: float) -> Result | None:
        """There, or no way."""
        if self.child is not None and not self.child_finished:
            return None
        if self.child is not None and not self.child.succeeded:
            return self.fail("NO_WAY")
        self.set_state(self.State.HELP)
        return None

    def on_enter_help(self) -> Result | None:
        """Turn to the person."""
        place = self._hurt_place(cast("Actor", self.entity))
        if place is None:
            return self.fail("NOBODY_HURT")
        self.set_new_task(TaskShockingWatch(self.event_type, place, self.person, -1.0))
        return None

    def on_update_help(self, _dt: float) -> Result | None:
        """After a while the person can rise."""
        actor = cast("Actor", self.entity)
        injury = actor.services.injury
        if self._hurt_place(actor) is None:
            return self.fail("NOBODY_HURT")
        if not at_least(self.time_in_state, injury.help_s):
            return None
        person = cast("Actor", actor.events.services.world.ped(self.person))
        person.health.mend_to(injury.helped_to)
        person.force_full_update()
        return self.succeed()

    def _hurt_place(self, actor: Actor) -> Vec3 | None:
        """Where the person lies, None if it needs no help."""
        person = actor.events.services.world.ped(self.person)
        if person is None or not person.is_ragdolling:
            return None
        return person.position if is_too_hurt_to_rise(cast("Actor", person)) else None
