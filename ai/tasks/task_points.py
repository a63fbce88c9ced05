"""What a task class declares and may override (TASK-05, TASK-26), with the cheap defaults.

The state handlers ``on_enter_x(self)``, ``on_update_x(self, dt)`` and
``on_exit_x(self)`` of each state stand beside these; they have no default here
because each class has its own states.
"""

# ruff: noqa: ARG002 - the defaults ignore what overrides use

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar

from ai.tasks.detail_range import DetailRange
from ai.tasks.task_errors import TransitionTableError
from ai.tasks.task_flags import AbortPriority
from ai.tasks.task_types import TaskType

if TYPE_CHECKING:
    from ai.tasks.move_interface import MoveInterface
    from ai.tasks.task import Task
    from ai.tasks.transitions import TransitionTable


class TaskPoints:
    """Declarations and overridable points of ``Task``.

    Declared per class, never per instance:

    - ``task_type``: the class's own type; without one it can't be constructed.
    - ``PARAMS``: constructor parameters that ``copy`` reads back from attributes of
      the same names; ``None`` means instances can't be copied.
    - ``AFTER_ABORT``: a state, ``SAME_STATE`` or ``QUIT`` (TASK-52).
    - ``MAY_DELETE_ON_ABORT``: whoever aborts a root of this class may delete it (TASK-54).
    - ``ESSENTIAL``: may use the last slots of the task pool (TASK-88).
    - ``WANTS_ANIM_FLAGS``: ``apply_animation_flags`` is called (TASK-15).
    - ``STATICS``: class-level values that live across tasks, with their initial
      values (TASK-04).
    """

    __slots__ = ()

    task_type: ClassVar[IntEnum] = TaskType.NONE
    PARAMS: ClassVar[tuple[str, ...] | None] = None
    AFTER_ABORT: ClassVar[int] = 0
    MAY_DELETE_ON_ABORT: ClassVar[bool] = False
    ESSENTIAL: ClassVar[bool] = False
    WANTS_ANIM_FLAGS: ClassVar[bool] = False
    STATICS: ClassVar[dict[str, Any]] = {}

    move_interface: MoveInterface | None = None
    """What a movement task shows its controller; None on all others (TASK-77)."""

    is_move_task: ClassVar[bool] = False
    is_motion_task: ClassVar[bool] = False
    is_ragdoll_behaviour: ClassVar[bool] = False
    is_combat: ClassVar[bool] = False
    detail_range: ClassVar[DetailRange] = DetailRange.NONE
    """Nearer to the focus than this the entity keeps its full detail (TASK-76)."""
    decides_forced_aborts: ClassVar[bool] = False
    """Dying, incapacitated: an event that takes the body over does not force it (EVT-60)."""

    # -- during an update ---------------------------------------------------------------

    def pre_fsm(self, dt: float) -> int | None:
        """Run once at the start of each update, ahead even of the first enter (TASK-14)."""

    def post_fsm(self, dt: float) -> int | None:
        """Run once at the end of each update in which the task has not finished (TASK-14)."""

    def apply_animation_flags(self) -> None:
        """Run before the rounds of each update if ``WANTS_ANIM_FLAGS`` (TASK-15)."""

    def on_new_child(self, child: Task) -> None:
        """A registered child was just attached."""

    # -- abort and end ------------------------------------------------------------------

    def should_abort(self, priority: AbortPriority, event: object) -> bool:
        """Asking phase of an abort: answer, and change nothing; IMMEDIATE must be agreed to."""
        return True

    def do_abort(self, priority: AbortPriority, event: object) -> None:
        """Let go: the whole chain has agreed; runs leaf first, before the state's exit."""

    def after_abort_state(self) -> int:
        """Where to resume: a state, ``SAME_STATE`` or ``QUIT``."""
        return self.AFTER_ABORT

    def may_delete_on_abort(self) -> bool:
        """May whoever aborted this root delete it at once? Then it must still bear a resume."""
        return self.MAY_DELETE_ON_ABORT

    def clean_up(self) -> None:
        """Release all that this activation took; do not assume that exit ran (TASK-23)."""

    def on_deleted(self) -> None:
        """The task is about to be deleted."""

    # -- state transition tables (TASK-31) ------------------------------------------------

    def transition_table(self) -> TransitionTable:
        """The table to look the next state up in; asked at each lookup, so it may change."""
        raise TransitionTableError(
            f"{type(self).__qualname__}: has no transition table; define transition_table(self)"
        )

    def transition_conditions(self) -> int:
        """What is the case now, as bits of the class's ``Condition``."""
        raise TransitionTableError(
            f"{type(self).__qualname__}: define transition_conditions(self) -> int"
        )

    # -- questions from outside ---------------------------------------------------------

    def is_response_for(self, event_type: int) -> bool:
        """Does this task answer events of a type? Asked when the cause is not on record."""
        return False

    def handles_ragdoll(self, cause: object) -> bool:
        """Does the task keep running with the limp body of a ragdoll that starts now? (TASK-75)."""
        return False

    # -- phase hooks (TASK-66): no state changes, no children ---------------------------

    def process_move_signals(self) -> bool:
        """Start of task processing; True asks to be called again in the next step."""
        return False

    def process_physics(self, dt: float, step: int) -> bool:
        """In physics sub-step ``step`` of length ``dt``; True keeps the entity's body awake."""
        return False

    def process_post_movement(self) -> None:
        """Positions of this step are final."""

    def process_post_camera(self) -> None:
        """The camera has moved."""

    def process_pre_render(self) -> None:
        """The pose has been sampled."""

    def process_post_pre_render(self) -> None:
        """Inverse kinematics have run."""

    def process_after_attachments(self) -> None:
        """Carried props are attached."""
