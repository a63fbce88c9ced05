"""The task: one behaviour instance, a state machine with at most one child.

The module is the face of the kernel for authors of tasks: what a handler may
return or be asked about is imported from here too.

What may be overridden stands in ``task_points``; looking a next state up in
``transition_lookup``; how a class is declared in
``task_class``; the update that drives a task in ``task_update``; the abort
protocol in ``task_abort``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from ai import settings
from ai.tasks import task_class
from ai.tasks.handler_table import HandlerTable
from ai.tasks.new_task_event import displacement_notice
from ai.tasks.own_code import give_own_code
from ai.tasks.phase_hooks import HookTable
from ai.tasks.state_transition import change_state
from ai.tasks.task_abort import abort_chain, force_abort
from ai.tasks.task_checks import check_new_task
from ai.tasks.task_copy import check_parameters, copy_by_parameters
from ai.tasks.task_deletion import delete_task, drop_pending
from ai.tasks.task_errors import (
    TaskPlacementError,
    TaskStateError,
    TaskTypeError,
)
from ai.tasks.task_flags import (
    CAN_CHANGE_STATE,
    CHILD_FINISHED,
    CHILD_REGISTERED,
    CONTINUE,
    DELETED,
    HAS_FINISHED,
    IN_ABORT,
    IN_ENTER,
    IN_EXIT,
    IS_ABORTED,
    KEEP_CHILD,
    NOT_ENTERED,
    QUIT,
    REMOVE_CHILD,
    RESTART_STATE,
    RESUMING,
    SAME_STATE,
    STATE_NONE,
    AbortPriority,
    Outcome,
    Result,
)
from ai.tasks.task_history import TaskHistory
from ai.tasks.task_ownership import check_free, delete_refused
from ai.tasks.task_pool import TaskPool, active_pool
from ai.tasks.task_reference import TaskRef
from ai.tasks.task_registry import TaskClassInfo
from ai.tasks.task_text import short_name
from ai.tasks.task_update import update_chain
from ai.tasks.transition_lookup import TransitionLookup
from ai.tasks.transitions import NO_TRANSITION

if TYPE_CHECKING:
    from ai.tasks.task_entity import TaskEntity
    from ai.tasks.task_tree import TaskTree

__all__ = [
    "CONTINUE",
    "NO_TRANSITION",
    "QUIT",
    "SAME_STATE",
    "AbortPriority",
    "Outcome",
    "Result",
    "Task",
    "TaskRef",
]

_ENTERED = ~NOT_ENTERED


class Task(TransitionLookup):
    """Base of every task.

    Fields, all of them written by the kernel alone:

    - ``uid``: unique per run, never reused. ``entity``: owner of the tree, set when
      the task is placed or attached; None before.
    - ``parent``, ``child``, ``pending``: the owner; the running sub-task; the one
      registered and not yet attached. ``tree``: the tree, on a root only.
    - ``state``: id of the present state, compare it with ``==``. ``entered``: the
      state whose enter has run and whose exit has not, else ``STATE_NONE``.
      ``prev_state``: the state really left last.
    - ``time_in_state``, ``time_running``: seconds (TASK-16).
    - ``outcome``, ``fail_reason``: stay readable after the end.
    - ``clip``: the animation-clip helper once the task uses it; let go with each clean-up.
    - ``stamp``: process id of the tree at the last update. ``rows``: the handler table
      in force. ``transition_cursor``: made by the first periodic check of a table.

    A task is in at most one place: one slot, or one parent's child or pending.
    """

    __slots__ = (
        "__weakref__",
        "_ref",
        "child",
        "clip",
        "entered",
        "entity",
        "fail_reason",
        "flags",
        "history",
        "outcome",
        "parent",
        "pending",
        "pool",
        "prev_state",
        "rows",
        "stamp",
        "state",
        "time_in_state",
        "time_running",
        "tree",
        "uid",
    )

    info: ClassVar[TaskClassInfo | None] = None
    local_rows: ClassVar[HandlerTable] = ()
    mirror_rows: ClassVar[HandlerTable] = ()
    hooks: ClassVar[HookTable] = ()
    hook_mask: ClassVar[int] = 0
    first_flags: ClassVar[int] = NOT_ENTERED

    def __init_subclass__(cls) -> None:
        """Resolve and register the class once (TASK-06); it gets its own per-step code."""
        super().__init_subclass__()
        task_class.declare(cls)
        give_own_code(cls, "_begin", "update_chain", "change_state", "set_state")

    def __init__(self) -> None:
        """Take a slot of the active pool.

        Raises ``TaskTypeError`` if the class has no registered type, ``TaskPoolFull``
        if there is no slot. A subclass checks its arguments before it calls this.
        """
        self._begin()

    def _begin(self) -> None:
        """What ``__init__`` does, in code of the class's own."""
        cls = type(self)
        if cls.info is None:
            raise TaskTypeError(
                f"{cls.__qualname__}: has no task_type of its own; declare one of TaskType"
            )
        self.pool: TaskPool = active_pool()
        self.uid: int = self.pool.take(self)
        self._ref: TaskRef | None = None
        self.entity: TaskEntity | None = None
        self.tree: TaskTree | None = None
        self.parent: Task | None = None
        self.child: Task | None = None
        self.pending: Task | None = None
        self.rows: HandlerTable = cls.local_rows
        self.state: int = 0
        self.prev_state: int = STATE_NONE
        self.entered: int = STATE_NONE
        self.flags: int = cls.first_flags
        self.time_in_state: float = 0.0
        self.time_running: float = 0.0
        self.outcome: Outcome = Outcome.NONE
        self.fail_reason: str = ""
        self.stamp: int = 0
        self.clip: Any = None
        self.history: TaskHistory | None = None
        self.transition_cursor = None
        if settings.strict or settings.debug:
            self.history = TaskHistory()
        if settings.strict:
            check_new_task(self)

    @classmethod
    def rebuild_rows(cls) -> None:
        """Take over methods replaced on the class after its creation (live editing)."""
        task_class.resolve(cls)

    # -- what a task may read of itself and of its child --------------------------------

    @property
    def child_finished(self) -> bool:
        """True in the one update that sees the finished child (TASK-41)."""
        return bool(self.flags & CHILD_FINISHED)

    @property
    def succeeded(self) -> bool:
        """The task is over and reached what it was for."""
        return self.outcome is Outcome.SUCCEEDED

    @property
    def has_entered(self) -> bool:
        """A state's enter has run and its exit has not."""
        return self.entered != STATE_NONE

    @property
    def has_finished(self) -> bool:
        """Over; only deletion follows."""
        return bool(self.flags & HAS_FINISHED)

    @property
    def is_aborted(self) -> bool:
        """Waiting to be resumed."""
        return bool(self.flags & IS_ABORTED)

    @property
    def is_resuming(self) -> bool:
        """Inside enter: this is a resume, not a first entry."""
        return bool(self.flags & RESUMING)

    @property
    def in_abort(self) -> bool:
        """An abort is in progress, asking included."""
        return bool(self.flags & IN_ABORT)

    @property
    def is_deleted(self) -> bool:
        """Any further use is an error."""
        return bool(self.flags & DELETED)

    @property
    def root(self) -> Task:
        """The first of the line; the task itself if it has no parent."""
        task = self
        while task.parent is not None:
            task = task.parent
        return task

    # -- what a task may do in its handlers ---------------------------------------------

    def set_state(self, state: int) -> None:
        """Ask for another state; legal in the task's own update handler (TASK-17, TASK-18).

        The exit and enter follow in the same update. The last of several calls wins;
        naming the entered state withdraws the request and restarts ``time_in_state``.
        Raises ``TaskStateError``, the state unchanged.
        """
        flags = self.flags
        if not flags & CAN_CHANGE_STATE:
            raise TaskStateError(
                f"{self!r}: set_state is legal only in the task's own update handler; "
                "decide in the state's first update, it runs in the same step"
            )
        if type(state) is not int:
            if not isinstance(state, int):
                raise self._no_state(state)
            state = int(state)
        if state < 0 or state >= len(self.rows) - 1:
            raise self._no_state(state)
        if self.history is not None:
            self.history.record(self.pool.step, self.state, state)
        self.state = state
        tree = self.root.tree
        if tree is not None:
            tree.revision += 1
        self.time_in_state = 0.0
        if self.transition_cursor is not None:
            self.transition_cursor.reset()
        self.flags = flags & _ENTERED if state == self.entered else flags | NOT_ENTERED

    def _no_state(self, state: object) -> TaskStateError:
        return TaskStateError(
            f"{self!r}: {state!r} is no state of {type(self).__name__}; use its State members"
        )

    def restart_state(self) -> None:
        """Leave and enter the present state anew in this round; legal where ``set_state`` is."""
        if not self.flags & CAN_CHANGE_STATE:
            raise TaskStateError(
                f"{self!r}: restart_state is legal only in the task's own update handler"
            )
        self.flags |= RESTART_STATE

    def set_new_task(self, child: Task | None) -> None:
        """Register the next child, attached in this round; None drops a registered one (TASK-20).

        Legal in enter and update handlers. Raises

        - ``TaskStateError`` elsewhere; the passed task is deleted.
        - ``TaskOwnershipError`` for a task that is elsewhere, over or deleted.
        - ``TaskPlacementError`` for a kind that the parent's tree does not take; the
          passed task is deleted.
        """
        if not self.flags & (CAN_CHANGE_STATE | IN_ENTER):
            delete_refused(child)
            raise TaskStateError(
                f"{self!r}: register a child only in the task's own enter and update handlers"
            )
        if child is not None and child is not self.pending:
            check_free(child)
            if (child.is_move_task, child.is_motion_task) != (
                self.is_move_task,
                self.is_motion_task,
            ):
                text = f"{child!r} can't be a child of {self!r}: they belong to different trees"
                child.discard()
                raise TaskPlacementError(text)
        if self.pending is not None and child is not self.pending:
            drop_pending(self)
        if child is not None:
            child.parent = self
            self.flags |= CHILD_REGISTERED
        self.pending = child

    def remove_child(self) -> None:
        """End the child in this round without a successor; legal where ``set_new_task`` is."""
        self.set_new_task(None)
        self.flags |= REMOVE_CHILD

    def keep_child(self) -> None:
        """Let child and pending survive this round's transition or resume (TASK-21)."""
        if not self.flags & (CAN_CHANGE_STATE | IN_ENTER | IN_EXIT):
            raise TaskStateError(
                f"{self!r}: keep_child is legal only in the task's own enter, update, exit"
            )
        self.flags |= KEEP_CHILD

    def succeed(self) -> Result:
        """``return self.succeed()`` ends the task with SUCCEEDED."""
        if not self.flags & (HAS_FINISHED | IS_ABORTED):
            self.outcome = Outcome.SUCCEEDED
        return QUIT

    def fail(self, reason: str) -> Result:
        """``return self.fail("unreachable")`` ends the task with FAILED and a reason."""
        if not self.flags & (HAS_FINISHED | IS_ABORTED):
            self.outcome = Outcome.FAILED
            self.fail_reason = reason
        return QUIT

    def abort_previous_child(self, new: Task) -> None:
        """The child is displaced by ``new``: ask it to let go, then make it (TASK-40)."""
        if self.child is not None:
            force_abort(self.child, displacement_notice(new))

    def start_in(self, state: int) -> None:
        """Enter ``state`` first instead of state 0: for a task that was not placed yet.

        Raises ``TaskStateError`` for a state that does not exist or a task in use.
        """
        if self.tree is not None or self.has_entered or not 0 <= state < len(self.rows) - 1:
            raise TaskStateError(f"{self!r}: can't start in state {state!r}")
        self.state = int(state)

    # -- for the tree that runs the task --------------------------------------------------

    update_chain = update_chain
    change_state = change_state

    # -- for whoever owns the task ------------------------------------------------------

    def make_abortable(self, priority: AbortPriority, event: object = None) -> bool:
        """Ask this task and its chain to let go; True once it has (TASK-49).

        - A refusal of URGENT anywhere leaves the chain exactly as it was.
        - A refusal of IMMEDIATE is overridden; strict raises ``AbortRefused`` after
          completion.
        - Always False from inside: for the root whose chain is being updated or walked,
          and for a task that is in one of its handlers (TASK-37).
        """
        tree = self.root.tree
        if tree is None:
            return abort_chain(self, priority, event)
        if tree.runs(self):
            return False
        done = abort_chain(self, priority, event)
        tree.raise_deferred_error()
        return done

    def ref(self) -> TaskRef:
        """What others keep from one step to the next instead of the task (TASK-58)."""
        if self._ref is None:
            self._ref = TaskRef(self)
            if self.flags & DELETED:
                self._ref.invalidate()
        return self._ref

    def discard(self) -> None:
        """Delete a task that is in no place.

        Raises ``TaskOwnershipError`` if it is in one: its tree or parent ends it then.
        """
        check_free(self)
        delete_task(self)

    def give_back(self) -> None:
        """Return the pool slot; called by the deletion alone."""
        self.pool.give_back(self.uid)

    def invalidate_reference(self) -> None:
        """Make all references read None; called by the deletion alone."""
        if self._ref is not None:
            self._ref.invalidate()

    # -- copying (TASK-25) --------------------------------------------------------------

    def copy(self) -> Self:
        """A new task with the same parameters: state 0, no child, no timers, its own uid.

        Raises ``TaskCopyError`` if the class declares no ``PARAMS``.
        """
        return copy_by_parameters(self)

    def check_copyable(self) -> None:
        """Raise ``TaskCopyError`` if ``copy`` could not work: asked where a task is stored."""
        check_parameters(self)

    def __copy__(self) -> NoReturn:
        raise TypeError(f"{self!r}: use task.copy()")

    def __deepcopy__(self, memo: object) -> NoReturn:
        raise TypeError(f"{self!r}: use task.copy()")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"{self!r}: tasks can't be pickled")

    def __repr__(self) -> str:
        return short_name(self)
