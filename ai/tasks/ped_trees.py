"""The trees of a ped that have rules of their own: primary, movement and motion (TASK-69).

The secondary tree is a plain ``TaskTree``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ai.tasks.default_slot import DefaultSlot
from ai.tasks.idle_tasks import DoNothing, MoveStandStill
from ai.tasks.new_task_event import NewTaskEvent, displacement_notice
from ai.tasks.task import Task
from ai.tasks.task_abort import abort_chain, force_abort
from ai.tasks.task_errors import TaskPlacementError, TreeBusyError
from ai.tasks.task_flags import HAS_FINISHED, IN_ABORT, AbortPriority
from ai.tasks.task_ownership import delete_refused
from ai.tasks.task_tree import SetTaskResult, TaskTree
from ai.tasks.trees import (
    GENERAL_MOVEMENT,
    MOTION,
    MOVEMENT,
    PRIMARY,
    TREE_NAMES,
    MotionSlot,
    MovementTreeSlot,
    PrimarySlot,
)

if TYPE_CHECKING:
    from ai.tasks.task_entity import TaskEntity

_DEFAULT: Final = int(PrimarySlot.DEFAULT)
_RESPONSE: Final = int(PrimarySlot.EVENT_RESPONSE_TEMP)
_MOVE_DEFAULT: Final = int(MovementTreeSlot.DEFAULT)
_MOVE_RESPONSE: Final = int(MovementTreeSlot.EVENT_RESPONSE)


class PedTaskTree(TaskTree):
    """Intent: responses, orders and the default task (TASK-71, TASK-72).

    Starts with a do-nothing task in the default slot; clearing it installs the
    computed default.
    """

    __slots__ = ()

    def __init__(
        self,
        entity: TaskEntity,
        default_task: Callable[[], Task],
        *,
        first: Callable[[], Task] = DoNothing,
    ) -> None:
        super().__init__(
            entity,
            PrimarySlot,
            name=TREE_NAMES[PRIMARY],
            event_response_slot=_RESPONSE,
            default=DefaultSlot(_DEFAULT, default_task, first),
        )
        self.install(first(), _DEFAULT)

    def can_set_task(self) -> bool:
        """False while another simulation owns the ped: its tasks are mirrored, not set."""
        return not self.entity.is_mirrored

    def refusal(self, slot: int) -> SetTaskResult | None:
        """Refuse all changes on a mirrored ped, and those of a default task that is at work."""
        if not self.can_set_task():
            return SetTaskResult.REFUSED_REMOTE
        if slot == _DEFAULT:
            root = self.slots[slot]
            if self.run.processing_slot == slot or (root is not None and root.flags & IN_ABORT):
                return SetTaskResult.REFUSED_DEFAULT_BUSY
        return None

    def displacement_event(self, task: Task) -> NewTaskEvent:
        """Outgoing roots are told what takes over."""
        return displacement_notice(task)


class MovementTaskTree(TaskTree):
    """Wished speed and heading (TASK-77 to TASK-82).

    - A finished movement stays in its slot for one step, so that its controller,
      earlier in the next step, can read the outcome.
    - A movement that nobody marked since the last sweep is an orphan and ends.
    """

    __slots__ = ()
    keeps_finished_root = True

    def __init__(
        self, entity: TaskEntity, default_task: Callable[[], Task] = MoveStandStill
    ) -> None:
        super().__init__(
            entity,
            MovementTreeSlot,
            name=TREE_NAMES[MOVEMENT],
            event_response_slot=_MOVE_RESPONSE,
            default=DefaultSlot(_MOVE_DEFAULT, default_task, MoveStandStill),
        )
        self.install(default_task(), _MOVE_DEFAULT)

    @property
    def misses_default(self) -> bool:
        """Never while mirrored: nothing processes the tree then (TASK-82)."""
        return not self.entity.is_mirrored and super().misses_default

    def accepts(self, task: Task) -> bool:
        """Movement tasks alone."""
        return task.is_move_task

    def prepare(self, dt: float) -> bool:
        """Sweep first; a mirrored ped's movement is not processed at all (TASK-82)."""
        if self.entity.is_mirrored:
            return False
        self._sweep()
        return super().prepare(dt)

    def write(self, task: Task | None, slot: int) -> None:
        """Setting ``GENERAL`` also ends what responds in ``EVENT_RESPONSE`` (TASK-82)."""
        if slot == GENERAL_MOVEMENT:
            if self.run.processing_slot == _MOVE_RESPONSE:
                delete_refused(task)
                raise TreeBusyError(
                    f"{self!r}: a response in the movement tree can't set the general slot, "
                    "that would end it; let the controller do it"
                )
            self._end_response()
        super().write(task, slot)

    def _sweep(self) -> None:
        """Delete what is over or not wanted any more, then take the marks back (TASK-80)."""
        general = self.slots[GENERAL_MOVEMENT]
        for slot, root in enumerate(self.slots):
            if root is None:
                continue
            interface = root.move_interface
            assert interface is not None
            if root.flags & HAS_FINISHED:
                self.take_out(slot)
            elif interface.checked or slot != GENERAL_MOVEMENT:
                interface.checked = False
            else:
                abort_chain(root, AbortPriority.IMMEDIATE, None)
                self.take_out(slot)
        if general is not None and self.slots[GENERAL_MOVEMENT] is None:
            self._end_response()

    def _end_response(self) -> None:
        root = self.slots[_MOVE_RESPONSE]
        if root is not None:
            force_abort(root)
            self.take_out(_MOVE_RESPONSE)


class MotionTaskTree(TaskTree):
    """Pose: one root, which is replaced but never cleared while the body exists (TASK-83).

    Empty until the entity places its first motion task, once its body exists.
    """

    __slots__ = ("_current_motion_task", "current_motion_task_dirty")

    def __init__(self, entity: TaskEntity) -> None:
        self.current_motion_task_dirty = True
        self._current_motion_task: Task | None = None
        super().__init__(entity, MotionSlot, name=TREE_NAMES[MOTION])

    def accepts(self, task: Task) -> bool:
        """Motion tasks alone."""
        return task.is_motion_task

    def set_task(self, task: Task | None, slot: int) -> SetTaskResult:
        """As every tree, but it can't be emptied.

        Raises ``TaskPlacementError`` for None.
        """
        if task is None:
            raise TaskPlacementError(
                f"{self!r}: is never empty; set the motion task that takes over"
            )
        return super().set_task(task, slot)

    def chain_changed(self) -> None:
        """The next read of the current motion task walks the chain again."""
        self.current_motion_task_dirty = True
        super().chain_changed()

    def current_motion_task(self) -> Task | None:
        """Leaf of the chain: what poses the body now. One walk after a change, else a read."""
        if self.current_motion_task_dirty:
            self._current_motion_task = self.leaf()
            self.current_motion_task_dirty = False
        return self._current_motion_task
