"""The player's ped: recorded input becomes a steering wish (LOC-18, TASK-73 row 3).

Input is data of the simulation: it is set in phase 1, live or recorded, and read
here, so that the same recorded input gives the same run.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import cast

from ai.behaviours.actor import Actor
from ai.behaviours.general_claim import hold_general_claim, release_general_claim
from ai.tasks.move_interface import MBR_STILL
from ai.tasks.movement import ControlMovement, MoveTaskBase
from ai.tasks.task import Task
from ai.tasks.task_types import TaskType


@dataclass(slots=True)
class PlayerControls:
    """What the player asks of their ped in this step.

    - ``heading_rad`` is where to go, None to stand.
    - ``mbr`` is the move blend ratio while ``heading_rad`` is set.
    - ``shove`` asks for one shove; the world carries it out in phase 1 and takes it back.
    """

    heading_rad: float | None = None
    mbr: float = MBR_STILL
    shove: bool = False


class TaskSteer(MoveTaskBase):
    """Turns the controls into a wish of the general movement record; never ends by itself."""

    task_type = TaskType.STEER
    __slots__ = ()
    PARAMS = ()

    def process_move(self, dt: float) -> bool:  # noqa: ARG002
        """State heading and speed as they are now."""
        actor = cast("Actor", self.entity)
        controls = actor.services.player_controls
        if controls.heading_rad is None:
            actor.movement.drop_wish()
            self.move_interface.mbr = MBR_STILL
        else:
            actor.movement.wish(
                controls.heading_rad,
                slides=True,
                turn_time_limit_s=actor.services.locomotion.player_turn,
            )
            self.move_interface.mbr = controls.mbr
        return False

    def clean_up(self) -> None:
        """No wish outlives its task; a backup copy never had one."""
        if self.entity is not None:
            cast("Actor", self.entity).movement.drop_wish()


class TaskPlayerControl(Task):
    """The local player's default task: keeps the steering movement alive.

    - Holds the general claim while it runs, so that it yields to every higher one
      and to a body that is down like any other movement.
    """

    task_type = TaskType.PLAYER_CONTROL
    __slots__ = ()
    PARAMS = ()

    class State(IntEnum):
        """One state for ever."""

        STEER = 0

    def on_enter_steer(self) -> int | None:
        """Take the claim and steer."""
        if not hold_general_claim(cast("Actor", self.entity), self.uid):
            return self.fail("CLAIM_REFUSED")
        self.set_new_task(ControlMovement(TaskSteer()))
        return None

    def on_update_steer(self, _dt: float) -> int | None:
        """The movement ended (its slot was taken): steer afresh."""
        if self.child is None or self.child_finished:
            self.restart_state()
        return None

    def clean_up(self) -> None:
        """Give the claim back; a task that was never placed has none."""
        if self.entity is not None:
            release_general_claim(cast("Actor", self.entity), self.uid)
