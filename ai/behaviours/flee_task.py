"""Fleeing: the root that answers a threat, and the run to a safe point under it (EVT-84, SAFE-13).

The record of ``safe_desk`` leads, these tasks follow it: an end that the desk decides is
the task's end in its next update.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, Final, cast

from ai.behaviours.actor import Actor
from ai.behaviours.general_claim import hold_general_claim, release_general_claim
from ai.behaviours.gesture_tasks import TaskCower
from ai.behaviours.moving import TaskStateSpeed
from ai.behaviours.reaction_tasks import TaskFacePlace
from ai.behaviours.safe_goals import drop_choice
from ai.behaviours.safe_record import EventKey, SafeResponse, SafeResult, Threat
from ai.events.types import EventType
from ai.motion.movement_table import MoveOwner, SpeedMode
from ai.navigation.flee_points import FleeRefused
from ai.ports import EntityRef, Vec3
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Result, Task
from ai.tasks.task_types import TaskType

NO_FLEE_POINT: Final = "NO_FLEE_POINT"
UNTIL_SAFE: Final = -1.0


class _Fleeing(Task):
    """What root and child know of what is fled from; identity is the root's (SAFE-13)."""

    __slots__ = ("at", "event_type", "safe_distance_cm", "source", "speed_mode", "tag")
    PARAMS: ClassVar[tuple[str, ...]] = (
        "event_type", "source", "tag", "at", "safe_distance_cm", "speed_mode",
    )  # fmt: skip

    def __init__(
        self,
        event_type: int,
        source: EntityRef | None,
        tag: int | str,
        at: Vec3,
        safe_distance_cm: float,
        speed_mode: SpeedMode,
    ) -> None:
        super().__init__()
        self.event_type = event_type
        self.source = source
        self.tag = tag
        self.at = at
        self.safe_distance_cm = safe_distance_cm
        self.speed_mode = speed_mode

    @property
    def actor(self) -> Actor:
        """The ped."""
        return cast("Actor", self.entity)

    def is_response_for(self, event_type: int) -> bool:
        """The type it was made for."""
        return event_type == self.event_type


class TaskThreatResponse(_Fleeing):
    """Answers a threat by fleeing, and cowers if cornered where that is wished (EVT-85).

    It and its child outlive a fall: a resume keeps both (SAFE-13).
    """

    task_type = TaskType.THREAT_RESPONSE
    is_combat = True
    __slots__ = ("cowers",)
    PARAMS: ClassVar[tuple[str, ...]] = (*_Fleeing.PARAMS, "cowers")

    class State(IntEnum):
        """What it does about the threat."""

        FLEE = 0
        COWER = 1

    def __init__(
        self,
        event_type: int,
        source: EntityRef | None,
        tag: int | str,
        at: Vec3,
        safe_distance_cm: float,
        speed_mode: SpeedMode,
        cowers: bool,
    ) -> None:
        super().__init__(event_type, source, tag, at, safe_distance_cm, speed_mode)
        self.cowers = cowers

    @property
    def move_owner(self) -> MoveOwner | None:
        """Identity of the movement of the flee below (NAV-16)."""
        child = self.child
        return child.move_owner if isinstance(child, TaskSmartFlee) else None

    def on_enter_flee(self) -> Result | None:
        """Begin, or go on with the same run."""
        if self.child is not None and not self.child.has_finished:
            self.keep_child()
        else:
            self.set_new_task(
                TaskSmartFlee(
                    self.event_type,
                    self.source,
                    self.tag,
                    self.at,
                    self.safe_distance_cm,
                    self.speed_mode,
                )
            )
        return None

    def on_update_flee(self, _dt: float) -> Result | None:
        """Its end is that of the run, but for who is cornered."""
        child = self.child
        if child is None or not self.child_finished:
            return None
        if child.succeeded:
            return self.succeed()
        if child.fail_reason == NO_FLEE_POINT and self.cowers:
            self.set_state(self.State.COWER)
            return None
        return self.fail(child.fail_reason)

    def on_enter_cower(self) -> Result | None:
        """Make oneself small."""
        self.set_new_task(TaskCower(self.event_type, self.at, self.source, UNTIL_SAFE))
        return None

    def on_update_cower(self, _dt: float) -> Result | None:
        """Until it feels safe."""
        return self.succeed() if self.child_finished else None


class TaskSmartFlee(_Fleeing):
    """Runs to the goal of the ped's safe response.

    - CHOOSE: the response is queued already, or the policy is asked; where many choose in one
      step it waits for its turn (FLEE-10), and faces the threat if that costs nobody a movement: a
      facing would cancel it. Refused, it fails
      ``NO_FLEE_POINT`` having touched nothing (SAFE-02).
    - RUN: keeps the gait stated while the record lives; ends as that does.
    - Deleted while the record lives, it ends it as CANCELLED (SAFE-06).
    """

    task_type = TaskType.SMART_FLEE
    __slots__ = ("_record", "_runs")

    class State(IntEnum):
        """Before and after the start."""

        CHOOSE = 0
        RUN = 1

    def __init__(
        self,
        event_type: int,
        source: EntityRef | None,
        tag: int | str,
        at: Vec3,
        safe_distance_cm: float,
        speed_mode: SpeedMode,
    ) -> None:
        super().__init__(event_type, source, tag, at, safe_distance_cm, speed_mode)
        self._record: SafeResponse | None = None
        self._runs = False

    @property
    def record(self) -> SafeResponse | None:
        """The response that it runs for."""
        return self._record

    @property
    def move_owner(self) -> MoveOwner | None:
        """Identity of its movement (NAV-16)."""
        return None if self._record is None else self._record.move_owner

    @property
    def _key(self) -> EventKey:
        return EventKey(EventType(self.event_type), self.source, self.tag)

    def after_abort_state(self) -> int:
        """Before the start it chooses anew, after it it goes on (SAFE-12)."""
        record = self._record
        started = record is not None and record.start_count > 0
        return int(self.State.RUN if started else self.State.CHOOSE)

    def on_update_choose(self, _dt: float) -> Result | None:
        """Set off, unless its turn has not come or something keeps the ped."""
        actor, desk = self.actor, self.actor.services.safe
        record = self._record or desk.queued_for(actor, self._key)
        if record is None:
            found = desk.begin_perceived(actor, self, self._key, [self._threat()], self.speed_mode)
            if isinstance(found, FleeRefused):
                return self.fail(NO_FLEE_POINT)
            record = found
        self._record = record
        if record is not None and desk.start(actor, record, self):
            release_general_claim(actor, self.uid)
            self.set_state(self.State.RUN)
            return None
        if record is not None and not record.live:
            return self._end(record)
        if self.child is None and not actor.movement.live and hold_general_claim(actor, self.uid):
            self.set_new_task(ControlMovement(TaskFacePlace(self.at, self.source)))
        return None

    def _threat(self) -> Threat:
        world = self.actor.events.services.world
        place = None if self.source is None else world.position_of(self.source)
        at = self.at if place is None else place
        return Threat(self.source, at, self.safe_distance_cm, tag=self.tag)

    def on_enter_run(self) -> Result | None:
        """Start, or go on after an interruption."""
        record = self._record
        assert record is not None
        if not record.live:
            return self._end(record)
        self.actor.services.safe.resume(self.actor, record)
        if self._runs and self.child is not None and not self.child.has_finished:
            self.keep_child()
        else:
            self._runs = True
            self.set_new_task(ControlMovement(TaskStateSpeed(self.speed_mode, record.move_owner)))
        return None

    def on_update_run(self, _dt: float) -> Result | None:
        """Follow the record; take what the movement came to."""
        record = self._record
        assert record is not None
        if not record.live:
            return self._end(record)
        if self.child is not None and not self.child_finished:
            return None
        if self.actor.services.safe.movement_over(self.actor, record):
            return self._end(record)
        if self.actor.movement.live:
            self.restart_state()
        return None

    def _end(self, record: SafeResponse) -> Result:
        if record.result is SafeResult.SUCCEEDED:
            return self.succeed()
        return self.fail(record.reason or record.result.name)

    def clean_up(self) -> None:
        """The claim for facing goes with this activation."""
        if self.entity is not None:
            release_general_claim(self.actor, self.uid)

    def on_deleted(self) -> None:
        """Whoever takes its slot takes nothing of the record's along."""
        if self.entity is None:
            return
        if self._record is None:
            drop_choice(self.actor, self._key)
        else:
            self.actor.services.safe.end(
                self.actor, self._record, SafeResult.CANCELLED, "SLOT_LOST"
            )
