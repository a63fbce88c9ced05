"""Movement tasks and the controller that keeps one wanted (TASK-77 to TASK-79).

A movement task wishes speed and heading and never moves a body. It lives in the
movement tree as long as its controller, a task of the primary tree, marks it in
each update; otherwise the tree sweeps it away (TASK-80).
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Self, cast

from ai.ports import Vec3
from ai.tasks.complex_task import ComplexTask
from ai.tasks.move_interface import MBR_STILL, MoveInterface
from ai.tasks.task import Task
from ai.tasks.task_deletion import delete_task
from ai.tasks.task_errors import TaskPlacementError, TaskPoolFull
from ai.tasks.task_flags import HAS_FINISHED, QUIT, Result
from ai.tasks.task_ownership import check_free
from ai.tasks.task_reference import TaskRef
from ai.tasks.task_types import TaskType
from ai.tasks.trees import GENERAL_MOVEMENT, MOVEMENT, PRIMARY

if TYPE_CHECKING:
    from ai.tasks.task_entity import MovingEntity


class MoveTaskBase(Task):
    """Leaf mover: writes the entity's wished speed and heading in each update.

    A subclass overrides ``process_move``, and ``update_progress`` if it has progress
    that a restored copy must go on from.
    """

    __slots__ = ("move_interface",)
    is_move_task = True

    class State(IntEnum):
        """One state."""

        RUNNING = 0

    def __init__(
        self, mbr: float = MBR_STILL, target: Vec3 | None = None, target_radius: float = 0.0
    ) -> None:
        """Wish a move blend ratio in [0, 3] towards a target; lengths in cm."""
        interface = MoveInterface(mbr, target, target_radius)
        super().__init__()
        self.move_interface: MoveInterface = interface

    def process_move(self, dt: float) -> bool:
        """Advance by ``dt`` seconds and wish a speed; True ends the task.

        Ends as SUCCEEDED unless the task called ``fail(reason)`` before.
        """
        raise NotImplementedError(f"{type(self).__qualname__}: define process_move(self, dt)")

    def update_progress(self, live: Self) -> None:
        """Take over how far ``live`` has come (route index, phase, remaining time)."""

    def copy(self) -> Self:
        """A new task with the same parameters that goes on from this one's progress."""
        fresh = super().copy()
        fresh.update_progress(self)
        return fresh

    def on_update_running(self, dt: float) -> Result | None:
        """Move on and hand the wish to the motion tree, later in the same step."""
        ended = self.process_move(dt)
        entity = cast("MovingEntity", self.entity)
        entity.motion.desired_mbr = self.move_interface.mbr
        entity.motion.desired_heading_rad = self.move_interface.heading_rad
        return QUIT if ended else None


class ControlMovement(ComplexTask):
    """Keeps a movement task in ``GENERAL`` of the movement tree until it has ended.

    - Holds a *backup* outside all trees; what runs are copies of it. If somebody else
      clears or takes the slot, a fresh copy goes on with the last known progress.
    - The outcome is read in the step after the movement ended, and becomes this
      task's own.
    - Legal in the primary tree only: two controllers would fight over the slot.
    - Unlike other adapters it resumes if its parent keeps it, or as a root (TASK-79: a
      missing copy is placed anew; NAV-15: who resumes requests nothing again): its copy was
      swept away meanwhile, one fresh copy goes on.

    Raises ``TaskCopyError`` for a movement task that can't be copied and
    ``TaskPlacementError`` for a task that is no movement task; the task is deleted.
    """

    task_type = TaskType.CONTROL_MOVEMENT
    __slots__ = ("_live", "backup")
    AFTER_ABORT = ComplexTask.State.CONTROL_CHILD
    CHILD_IS_ELSEWHERE = True

    def __init__(self, move_task: MoveTaskBase) -> None:
        check_free(move_task)
        try:
            if not move_task.is_move_task:
                raise TaskPlacementError(f"{move_task!r}: is no movement task")
            move_task.check_copyable()
            super().__init__()
        except Exception:
            move_task.discard()
            raise
        move_task.parent = self
        self.backup = move_task
        self._live: TaskRef | None = None

    def live_move_task(self) -> MoveTaskBase | None:
        """This controller's own copy, finished or not; while it lives it is in ``GENERAL``."""
        live = None if self._live is None else self._live.get()
        assert live is None or isinstance(live, MoveTaskBase)
        return live

    def copy(self) -> Self:
        """A controller of a copy of the backup."""
        return type(self)(self.backup.copy())

    def check_copyable(self) -> None:
        """The backup was checked when the controller was made."""

    def create_first_child(self) -> None:
        """Place a copy; there is no child in this tree."""
        assert self.entity is not None
        if self.root.tree is not self.entity.tasks.tree(PRIMARY):
            raise TaskPlacementError(
                f"{self!r}: a movement is controlled from the primary tree only"
            )
        self._place_copy()

    def on_update_control_child(self, _dt: float) -> Result | None:
        """Mark the movement as wanted, restore it if it is gone, end when it has ended."""
        live = self.live_move_task()
        if live is None:
            self._place_copy()
            return None
        if live.flags & HAS_FINISHED:
            if live.succeeded:
                return self.succeed()
            return self.fail(live.fail_reason or live.outcome.name)
        live.move_interface.checked = True
        self.backup.update_progress(live)
        return None

    def on_deleted(self) -> None:
        """The backup goes with its controller; a live copy is left to the sweep."""
        self.backup.parent = None
        delete_task(self.backup)

    def _place_copy(self) -> None:
        """Put a copy into the slot; when the pool is full the next update tries again (TASK-89)."""
        assert self.entity is not None
        try:
            live = self.backup.copy()
        except TaskPoolFull:
            return
        live.move_interface.owner_uid = self.uid
        self._live = live.ref()
        self.entity.tasks.set_task(MOVEMENT, live, GENERAL_MOVEMENT)
