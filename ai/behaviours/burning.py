"""Burning people: who does, and what they do about it: run, drop, roll (EVT-38 c, EVT-84)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, ClassVar, Final, cast

from pydantic import Field, model_validator

from ai.behaviours.actor import Actor
from ai.behaviours.gestures import Gesture
from ai.behaviours.moving import TaskGoToPoint
from ai.motion.movement_table import MoveOwner
from ai.ports import EntityRef, Vec3, at_least
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Result, Task
from ai.tasks.task_types import TaskType
from ai.tuning import OwnForm

SPRINT_MBR: Final = 3.0
PROJECT_SHIFT_CM: Final = 150.0
GOALS_TRIED: Final = 4
LEGS_PER_TASK: Final = 100
"""Movement identities that one task may use, one a leg."""

_Time = Annotated[float, Field(gt=0.0, le=60.0)]


class BurningTuning(OwnForm):
    """A person who burns: flames of ``radius`` cm for ``burns_s``, unless they are put out.

    It runs about for a time between the two of ``runs_s``, some ``runs_cm`` a way, then rolls
    on the ground for ``rolls_s``. What is near catches fire from it ``spread_share`` as
    easily as from a fire.
    """

    radius: float = Field(gt=0.0, le=100.0)
    burns_s: float = Field(gt=0.0, le=600.0)
    runs_s: tuple[_Time, _Time]
    runs_cm: float = Field(gt=0.0, le=5000.0)
    rolls_s: float = Field(gt=0.0, le=60.0)
    spread_share: float = Field(ge=0.0, le=1.0)

    @model_validator(mode="after")
    def _in_order(self) -> BurningTuning:
        if self.runs_s[0] > self.runs_s[1]:
            raise ValueError("runs_s: the shorter time comes first")
        return self


@dataclass(slots=True)
class BurningPed:
    """Somebody who burns, since a step, until another at the latest."""

    ref: EntityRef
    since_step: int
    until_step: int


class Burning:
    """Who burns in a world, by pool slot, in the order in which they caught fire."""

    def __init__(self, tuning: BurningTuning) -> None:
        self.tuning = tuning
        self._by_slot: dict[int, BurningPed] = {}

    def __len__(self) -> int:
        return len(self._by_slot)

    def catch(self, ref: EntityRef, step: int) -> None:
        """This one burns from now on; who does already burns on as before."""
        if not self.burns(ref):
            until = step + round(self.tuning.burns_s * 60)
            self._by_slot[ref.slot] = BurningPed(ref, step, until)

    def put_out(self, ref: EntityRef) -> bool:
        """The flames on somebody are out; False if there were none."""
        if not self.burns(ref):
            return False
        del self._by_slot[ref.slot]
        return True

    def burns(self, ref: EntityRef) -> bool:
        """Does this one burn?"""
        found = self._by_slot.get(ref.slot)
        return found is not None and found.ref == ref

    def all(self) -> tuple[BurningPed, ...]:
        """Whoever burns, longest first."""
        return tuple(self._by_slot.values())


class TaskOnFire(Task):
    """Runs about with its arms in the air, then drops and rolls until the flames are out.

    Ends as soon as it does not burn any more: water does it too.
    """

    task_type = TaskType.ON_FIRE
    __slots__ = ("legs", "runs_s")
    PARAMS: ClassVar[tuple[str, ...]] = ()

    class State(IntEnum):
        """First the wrong thing, then the right one."""

        RUN = 0
        ROLL = 1

    def __init__(self) -> None:
        super().__init__()
        self.legs = 0
        self.runs_s = 0.0

    @property
    def gesture(self) -> Gesture:
        """Arms up, or rolling."""
        return Gesture.ROLL if self.state == self.State.ROLL else Gesture.HANDS_UP

    @property
    def move_owner(self) -> MoveOwner:
        """Identity of the present leg's movement."""
        tag = self.uid * LEGS_PER_TASK + self.legs % LEGS_PER_TASK
        return MoveOwner(int(self.task_type), cast("Actor", self.entity).ref, tag)

    def is_response_for(self, event_type: int) -> bool:
        """Of burning alone."""
        from ai.events.types import EventType

        return event_type == int(EventType.ON_FIRE)

    def on_enter_run(self) -> None:
        """Catch fire and run; on a resume go on."""
        actor = cast("Actor", self.entity)
        burning = actor.services.burning
        if self.runs_s == 0.0:
            self.runs_s = actor.rng.uniform(*burning.tuning.runs_s)
            burning.catch(actor.ref, actor.services.clock.step)
        if self.child is not None and not self.child.has_finished:
            self.keep_child()
            return
        self._run_on(actor)

    def on_update_run(self, _dt: float) -> Result | None:
        """On to another place until it occurs to it what helps."""
        actor = cast("Actor", self.entity)
        if not actor.services.burning.burns(actor.ref):
            return self.succeed()
        if at_least(self.time_running, self.runs_s):
            self.set_state(self.State.ROLL)
        elif self.child is None or self.child_finished:
            self._run_on(actor)
        return None

    def on_enter_roll(self) -> None:
        """Down."""

    def on_update_roll(self, _dt: float) -> Result | None:
        """Until it is out."""
        actor = cast("Actor", self.entity)
        burning = actor.services.burning
        if at_least(self.time_in_state, burning.tuning.rolls_s):
            burning.put_out(actor.ref)
        return None if burning.burns(actor.ref) else self.succeed()

    def _run_on(self, actor: Actor) -> None:
        """A leg to anywhere."""
        here, reach = actor.position, actor.services.burning.tuning.runs_cm
        for _ in range(GOALS_TRIED):
            heading = actor.rng.uniform(-math.pi, math.pi)
            ground = actor.services.surface.project(
                here.x + reach * math.cos(heading),
                here.y + reach * math.sin(heading),
                PROJECT_SHIFT_CM,
            )
            if ground is not None:
                self.legs += 1
                goal = Vec3(ground.x, ground.y, ground.z)
                self.set_new_task(ControlMovement(TaskGoToPoint(goal, SPRINT_MBR, self.move_owner)))
                return
