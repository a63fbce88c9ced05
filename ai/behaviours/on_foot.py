"""The motion task of a ped on foot: wished blend ratio into speed and clip profile (LOC-17)."""

from __future__ import annotations

from enum import IntEnum
from typing import cast

from ai.behaviours.actor import Actor
from ai.behaviours.player import TaskPlayerControl
from ai.tasks.task import Task
from ai.tasks.task_types import TaskType


class OnFootMotion(Task):
    """Root of the motion tree.

    - Writes ``desired_speed`` and the clip profile of the general movement record
      in phase 6; phase 11 alone moves the ped.
    - Without a movement task the blend ratio is 0 and so is the speed; the
      record's goal stays.
    """

    task_type = TaskType.ON_FOOT
    __slots__ = ()
    PARAMS = ()
    is_motion_task = True

    class State(IntEnum):
        """One state for ever."""

        MOVE = 0

    def on_update_move(self, _dt: float) -> int | None:
        """Hand the wish to the walk update."""
        actor = cast("Actor", self.entity)
        mbr = actor.motion.desired_mbr
        speeds = actor.services.gait_speeds
        movement = actor.movement
        speed_cm_s = speeds.speed_cm_s(mbr)
        if movement.desired_speed != speed_cm_s:
            movement.desired_speed = speed_cm_s
        if mbr > 0.0:
            movement.set_profile(speeds.profile(mbr))
        return None

    def create_player_control_task(self) -> Task:
        """What the local player's ped does unasked while on foot (TASK-73 row 3)."""
        return TaskPlayerControl()
