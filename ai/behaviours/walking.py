"""Walking to a place: what a script puts into a sequence, or orders by itself."""

from __future__ import annotations

from typing import ClassVar, cast

from ai.behaviours.actor import Actor
from ai.behaviours.moving import TaskGoToPoint
from ai.motion.movement_table import MoveOwner
from ai.ports import Vec3
from ai.tasks.complex_task import ComplexTask
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Task
from ai.tasks.task_types import TaskType


class TaskWalkTo(ComplexTask):
    """Walks to ``goal``, at ``mbr`` or, without one, at the ped's own pace.

    Ends FAILED with the movement's reason if the place can't be reached.
    """

    task_type = TaskType.WALK_TO
    __slots__ = ("goal", "mbr")
    PARAMS: ClassVar[tuple[str, ...]] = ("goal", "mbr")

    def __init__(self, goal: Vec3, mbr: float | None = None) -> None:
        super().__init__()
        self.goal = goal
        self.mbr = mbr

    @property
    def move_owner(self) -> MoveOwner:
        """Identity of the movement: this task's own (NAV-16)."""
        return MoveOwner(int(TaskType.WALK_TO), cast("Actor", self.entity).ref, self.uid)

    def create_first_child(self) -> Task:
        """The one movement."""
        actor = cast("Actor", self.entity)
        mbr = self.mbr
        if mbr is None:
            mbr = actor.services.gait_speeds.walk_mbr(actor.walk_speed_cm_s)
        return ControlMovement(TaskGoToPoint(self.goal, mbr, self.move_owner))

    def create_next_child(self, finished: Task) -> None:
        """Arrived, or failed as the movement did."""
        if not finished.succeeded:
            self.fail(finished.fail_reason or finished.outcome.name)
