"""Stand-ins for what stands above or beside an order: overlays, responses, other owners."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, ClassVar

from ai.behaviours.moving import TaskGoToPoint
from ai.events.body_events import DamageEvent
from ai.events.history import EventRecord, PlacedTask
from ai.motion.movement_table import MoveOwner
from ai.peds.ped import Ped
from ai.ports import Vec3
from ai.tasks.movement import ControlMovement
from ai.tasks.task import QUIT, AbortPriority, Task
from ai.tasks.trees import PRIMARY, PrimarySlot
from tests.ai.tasks.doubles import fresh_type


class Idler(Task):
    """Stays in its slot and moves nothing.

    - ``updates_left`` counts down to its end, for ever if negative.
    - ``refuses`` is asked at each URGENT abort.
    - ``entered_at`` and ``aborted`` tell what became of it.
    """

    task_type = fresh_type("idler")
    __slots__ = ("aborted", "enters", "refuses", "updates", "updates_left")
    PARAMS: ClassVar[tuple[str, ...]] = ("updates_left", "refuses")

    class State(IntEnum):
        STAY = 0

    def __init__(self, updates_left: int = -1, refuses: Callable[[], bool] | None = None) -> None:
        super().__init__()
        self.updates_left = updates_left
        self.refuses = refuses
        self.enters = self.updates = self.aborted = 0

    def on_enter_stay(self) -> None:
        self.enters += 1

    def on_update_stay(self, dt: float) -> int | None:
        self.updates += 1
        self.updates_left -= 1
        return self.succeed() if self.updates_left == 0 else None

    def should_abort(self, priority: AbortPriority, event: object) -> bool:
        if priority is AbortPriority.URGENT and self.refuses is not None:
            return not self.refuses()
        return True

    def do_abort(self, priority: AbortPriority, event: object) -> None:
        self.aborted += 1


class Faller(Idler):
    """A physical overlay."""

    task_type = fresh_type("faller")
    __slots__ = ()


class Walker(Task):
    """A main task of its own that walks to a point, as a flee or a script would.

    - ``tag`` tells its movement from that of every other owner.
    """

    task_type = fresh_type("walker")
    __slots__ = ("goal", "mbr", "tag")
    PARAMS: ClassVar[tuple[str, ...]] = ("goal", "tag", "mbr")

    class State(IntEnum):
        WALK = 0

    def __init__(self, goal: Vec3, tag: int = 900, mbr: float = 1.0) -> None:
        super().__init__()
        self.goal = goal
        self.tag = tag
        self.mbr = mbr

    @property
    def move_owner(self) -> MoveOwner:
        return MoveOwner(int(self.task_type), None, self.tag)

    def on_enter_walk(self) -> None:
        if self.child is not None and not self.child.has_finished:
            self.keep_child()
        else:
            self.set_new_task(ControlMovement(TaskGoToPoint(self.goal, self.mbr, self.move_owner)))

    def on_update_walk(self, dt: float) -> Any:
        if self.child_finished:
            assert self.child is not None
            return self.succeed() if self.child.succeeded else self.fail(self.child.fail_reason)
        return None


class Pointless(Task):
    """A response that ends in its first update, like a flee that finds no point."""

    task_type = fresh_type("pointless")
    __slots__ = ()
    PARAMS: ClassVar[tuple[str, ...]] = ()

    class State(IntEnum):
        START = 0

    def on_enter_start(self) -> Any:
        return QUIT

    def on_update_start(self, dt: float) -> None:
        raise AssertionError("it ended in its enter")


def respond(ped: Ped, task: Task, slot: int) -> Task:
    """Put a task into a response slot of the main tree as the answer to a heavy hit would be.

    The history knows of it, so that a script command waits for its end (EVT-53).
    """
    ped.tasks.set_task(PRIMARY, task, slot)
    hit = DamageEvent(task.uid, ragdolls=True)
    placed = (PlacedTask(PRIMARY, slot, task),)
    history = ped.events.history
    record = EventRecord(hit, placed, ped.services.clock.step)
    if slot == PrimarySlot.PHYSICAL_RESPONSE:
        history.begin_physical(record)
    elif slot == PrimarySlot.EVENT_RESPONSE_TEMP:
        history.begin_temporary(record)
    else:
        history.begin_non_temporary(record)
    return task
