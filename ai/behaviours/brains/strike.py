"""``strike``: a blow with the baton, a real impact on who stands before the ped (ACT-22)."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import cast

from ai.behaviours.brains.action_run import ActionRun, Ending
from ai.behaviours.brains.mover_runs import MoverRun
from ai.behaviours.reaction_tasks import TaskFacePlace
from ai.machines.steps import steps
from ai.ports import EntityRef
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Task
from ai.tasks.task_types import TaskType
from ai.tasks.trees import SECONDARY, SecondarySlot

_SLOT = SecondarySlot.PARTIAL_ANIM


class TaskStrikeArm(Task):
    """Holds the hands while a blow is drawn back and dealt; it moves nothing.

    ``raised_step``, ``swung_step``: when that began, -1 before; drawing reads them.
    """

    task_type = TaskType.STRIKE_ARM
    __slots__ = ("raised_step", "swung_step")
    PARAMS = ()
    MAY_DELETE_ON_ABORT = True

    class State(IntEnum):
        """One state."""

        HOLD = 0

    def __init__(self) -> None:
        super().__init__()
        self.raised_step = -1
        self.swung_step = -1

    def on_update_hold(self, _dt: float) -> int | None:
        """Whoever placed it takes it out."""
        return None


class StrikeRun(MoverRun):
    """Staged: feet planted and baton drawn back first, then the swing.

    - The feet are the mover: a facing towards the target. The arm is the secondary tree's
      task; if somebody takes that slot the blow is lost.
    - From the admission to the contact it can't be interrupted.
    - The contact hits the target if it stands within reach before the ped.
    """

    __slots__ = ("_arm", "_begun_step", "_contact_step", "_down_step", "_end_step", "_has_hit")

    def begin(self, step: int) -> str:
        """Plant the feet, draw back."""
        self._has_hit = False
        self._contact_step = self._end_step = -1
        self._begun_step = step
        if self._target() is None:
            return "target_gone"
        arm = TaskStrikeArm()
        arm.raised_step = step
        self._arm = arm.ref()
        self.actor.tasks.set_task(SECONDARY, arm, _SLOT)
        self.host.give_mover(self)
        return ""

    def _target(self) -> EntityRef | None:
        return self.entity("target")

    def make_child(self) -> Task:
        """Stand and face the target."""
        target = self._target()
        place = None if target is None else self.host.place_of(target)
        return ControlMovement(TaskFacePlace(place or self.actor.position, target))

    def ready(self, step: int) -> bool:
        """Drawn back."""
        strike = self.actor.services.brains.data.tuning.strike
        return step >= self._begun_step + steps(strike.raise_s)

    def refusal(self) -> str:
        """Has the target left, or has somebody taken the hands."""
        if self._target() is None:
            return "target_gone"
        return "" if self._holds_arm() else "hands_taken"

    def _holds_arm(self) -> bool:
        arm = self._arm.get()
        return arm is not None and self.actor.tasks.tree(SECONDARY).slots[_SLOT] is arm

    def admitted(self, step: int) -> None:
        """Swing."""
        strike = self.actor.services.brains.data.tuning.strike
        self._contact_step = step + steps(strike.swing_s)
        self._end_step = self._contact_step + steps(strike.recover_s)
        arm = self._arm.get()
        if arm is not None:
            cast("TaskStrikeArm", arm).swung_step = step

    def after_step(self, step: int) -> Ending:
        """The contact in its step, the end in its own."""
        if not self._holds_arm():
            self.cut()
            return Ending.LOST
        if step >= self._contact_step and not self._has_hit:
            self._has_hit = True
            target = self._target()
            if target is None:
                self.cut()
                return Ending.FAILURE
            if self._reaches(target):
                services = self.actor.services.brains
                services.blows.strike(self.actor.ref, target, services.data.tuning.strike.impulse)
        if step >= self._end_step:
            self.cut()
            return Ending.SUCCESS
        return Ending.NONE

    def _reaches(self, target: EntityRef) -> bool:
        place = self.host.place_of(target)
        if place is None:
            return False
        strike = self.actor.services.brains.data.tuning.strike
        here, yaw = self.actor.position, self.actor.movement.yaw
        away_x, away_y = place.x - here.x, place.y - here.y
        off = math.remainder(math.atan2(away_y, away_x) - yaw, math.tau)
        return math.hypot(away_x, away_y) <= strike.reach_cm and abs(off) <= math.radians(
            strike.angle_deg
        )

    def stop(self, step: int) -> None:
        """Lower the baton; a blow on its way is dealt first unless it must end at once."""
        ActionRun.stop(self, step)
        strike = self.actor.services.brains.data.tuning.strike
        self._down_step = max(step, self._contact_step) + steps(strike.lower_s)

    def has_stopped(self, step: int) -> bool:
        """The baton is down."""
        if self.stop_step < 0 or step < self._down_step:
            return False
        self.cut()
        return True

    @property
    def interruptible(self) -> bool:
        """Not from the admission to the contact."""
        return self._contact_step < 0 or self._has_hit

    def cut(self) -> None:
        """Arm down, feet free."""
        arm = self._arm.get()
        if arm is not None and self._holds_arm():
            self.actor.tasks.set_task(SECONDARY, None, _SLOT)
        self.host.take_mover(self)
