"""The task tree: what may be done to its slots from outside and from running tasks.

Only the chain of the active slot is updated. Roots below it wait, aborted or never
started. The root loop that updates them is ``root_loop``.
"""

from __future__ import annotations

import logging
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any

from ai import settings
from ai.tasks import root_loop
from ai.tasks.containment import end_failed_chain
from ai.tasks.default_slot import DefaultSlot
from ai.tasks.own_code import give_own_code
from ai.tasks.phase_hooks import PhaseHook
from ai.tasks.slot_row import SlotRow
from ai.tasks.task_abort import abort_chain, force_abort
from ai.tasks.task_deletion import delete_task
from ai.tasks.task_errors import (
    AbortRefused,
    DeletionQueueOverflow,
    TaskError,
    TaskFault,
    TaskPlacementError,
    TreeBusyError,
)
from ai.tasks.task_flags import IN_ABORT, AbortPriority
from ai.tasks.task_ownership import check_free, delete_refused
from ai.tasks.tree_run import TreeRun

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_entity import TaskEntity
    from ai.tasks.task_reference import TaskRef

_log = logging.getLogger(__name__)


class SetTaskResult(Enum):
    """What became of a task that was to be set; after a refusal it has been deleted."""

    SET = "set"
    CLEARED = "cleared"
    UNCHANGED = "unchanged"
    DEFERRED = "deferred until the running root's update returns"
    REFUSED_DEFAULT_BUSY = "refused: the default task is running"
    REFUSED_REMOTE = "refused: another simulation owns the entity"


class TaskTree(SlotRow):
    """Priority slots with their root loop.

    - ``run``: what one ``process`` call keeps.
    - ``mail``: what was set into higher slots while a root was running, by slot.
    - ``event_response_slot``: where the event handler puts short responses.
    - ``default``: the slot that is never empty, None if the tree has none.
    - ``flush_queued``: a flush waits for ``run_queued_flush``.
    """

    __slots__ = (
        "_deferred_error",
        "default",
        "event_response_slot",
        "flush_queued",
        "mail",
        "run",
    )

    keeps_finished_root = False
    """A finished root stays in its slot for one more step (movement trees, TASK-81)."""

    def __init_subclass__(cls) -> None:
        """Each kind of tree has what runs in every step, or for every ped, to itself."""
        super().__init_subclass__()
        give_own_code(cls, "process", "prepare")
        give_own_code(cls, "_make_slots", "_make_loop", "_put", "install", "_give_entity")

    def __init__(
        self,
        entity: TaskEntity,
        slots: int | type[IntEnum] = 1,
        *,
        name: str = "tree",
        event_response_slot: int | None = None,
        default: DefaultSlot | None = None,
    ) -> None:
        self._make_slots(entity, slots, name)
        self._make_loop(event_response_slot, default)

    def _make_loop(self, event_response_slot: int | None, default: DefaultSlot | None) -> None:
        self.event_response_slot = event_response_slot
        self.default = default
        self.run = TreeRun()
        self.mail: dict[int, Task | None] = {}
        self.flush_queued = False
        self._deferred_error: TaskError | None = None

    # -- what a kind of tree decides ----------------------------------------------------

    def accepts(self, task: Task) -> bool:
        """Does this kind of task belong here? Movement and motion tasks have trees of their own."""
        return not task.is_move_task and not task.is_motion_task

    def refusal(self, slot: int) -> SetTaskResult | None:  # noqa: ARG002
        """A reason to refuse a change of a slot, or None."""
        return None

    def displacement_event(self, task: Task) -> object:  # noqa: ARG002
        """What outgoing roots are told when ``task`` is set above or in place of them."""
        return None

    def prepare(self, dt: float) -> bool:
        """Runs first in each process: sees to the default slot. False: process nothing."""
        default = self.default
        if default is not None and (self.slots[default.index] is None or default.waits_to_retry):
            default.tend(self, dt)
        return True

    # -- changes ------------------------------------------------------------------------

    def set_task(self, task: Task | None, slot: int) -> SetTaskResult:
        """Put a task into a slot, or clear it with None (TASK-36, TASK-37).

        - Roots in the slot and below are aborted and, but for the slot's own, kept.
        - The same object again, or None on an empty slot, changes nothing.
        - While the tree is processing, lower slots are written at once and higher
          ones when the running root's update has returned.

        Raises ``IndexError`` (the task is untouched), ``TaskOwnershipError`` (untouched),
        ``TaskPlacementError`` (deleted) and, for the slot being processed or a root
        that is letting go, ``TreeBusyError`` (deleted).
        """
        self.check_slot(slot)
        if task is self.slots[slot] and slot not in self.mail:
            return SetTaskResult.UNCHANGED
        refused = self.refusal(slot)
        if refused is not None:
            _log.info("%r: slot %d: %s", self, slot, refused.value)
            delete_refused(task)
            return refused
        if task is not None and self.mail.get(slot) is not task:
            self.check_placeable(task)
        if self.run.processing_slot is not None and slot < self.run.processing_slot:
            self._post(task, slot)
            return SetTaskResult.DEFERRED
        self._check_not_busy(task, slot)
        self._drop_mail(slot)
        self.write(task, slot)
        self.raise_deferred_error()
        return SetTaskResult.CLEARED if task is None else SetTaskResult.SET

    def clear(self, slot: int) -> SetTaskResult:
        """Empty a slot; a default slot is refilled at once."""
        return self.set_task(None, slot)

    def clear_if(self, slot: int, ref: TaskRef) -> bool:
        """Clear a slot only if it holds exactly that task; return whether it did (TASK-47)."""
        task = ref.get()
        if task is None or self.get_task(slot) is not task:
            return False
        return self.clear(slot) is SetTaskResult.CLEARED

    def abort_tasks(
        self, priority: AbortPriority, from_slot: int = 0, *, delete: bool = False
    ) -> bool:
        """Ask every root from a slot downwards to let go; True if all have (TASK-55).

        With ``delete`` the roots that allow it (TASK-54) are deleted once aborted, the
        default task never.
        """
        self.check_slot(from_slot)
        if self.run.processing_slot is not None and self.run.processing_slot >= from_slot:
            raise TreeBusyError(f"{self!r}: a running task can't abort its own tree")
        all_aborted = True
        for slot in range(from_slot, len(self.slots)):
            root = self.slots[slot]
            if root is None:
                continue
            if not abort_chain(root, priority, None):
                all_aborted = False
            elif delete and not self._is_default(slot) and root.may_delete_on_abort():
                self.take_out(slot)
        self.raise_deferred_error()
        return all_aborted

    def flush_immediately(self) -> None:
        """Abort and delete all roots and fill nothing: for removal and replacement alone.

        While the tree is processing the flush waits for ``run_queued_flush``.
        """
        if self.run.in_process:
            self.flush_queued = True
            return
        self.flush_queued = False
        for slot in range(len(self.slots)):
            root = self.slots[slot]
            if root is not None:
                abort_chain(root, AbortPriority.IMMEDIATE, None)
                self.take_out(slot)
        self.raise_deferred_error()

    def run_queued_flush(self) -> None:
        """Do a flush that was asked for while the tree was processing: the AI phase has ended."""
        if self.flush_queued:
            self.flush_immediately()

    process = root_loop.process

    def run_hook(self, hook: PhaseHook, *arguments: Any) -> bool:
        """Walk a phase hook down the active chain; True if any task answered True (TASK-66)."""
        if not self.known_chain_hooks() & (1 << hook):
            return False
        return root_loop.run_hook(self, hook, arguments)

    # -- for the kernel: how changes are carried out ------------------------------------

    def check_placeable(self, task: Task) -> None:
        """Raise ``TaskOwnershipError`` or ``TaskPlacementError`` if a task can't be placed here."""
        check_free(task)
        if not self.accepts(task):
            text = f"{task!r}: this kind of task does not belong into {self!r}"
            task.discard()
            raise TaskPlacementError(text)

    def write(self, task: Task | None, slot: int) -> None:
        """Replace what a slot holds: steps 3 and 4 of TASK-36."""
        if task is None:
            root = self.slots[slot]
            if root is not None:
                force_abort(root)
        else:
            self._abort_from(slot, task)
        outgoing = self.slots[slot]
        if task is not None:
            self.install(task, slot)
        else:
            self._put(None, slot)
        if outgoing is not None:
            delete_task(outgoing)
        if self.default is not None and task is None and self._is_default(slot):
            self.default.fill(self)

    def install(self, task: Task, slot: int) -> None:
        """Write a root into a slot and make it this tree's."""
        task.tree = self
        self._give_entity(task)
        self._put(task, slot)

    def put_back(self, task: Task | None, slot: int) -> None:
        """Write what a keyframe had in a slot: nothing is aborted, entered or told."""
        self._put(task, slot)

    def adopt(self, task: Task) -> None:
        """A child was attached to a chain of this tree."""
        self._give_entity(task)
        self.chain_changed()

    def _give_entity(self, task: Task) -> None:
        """A task is about to run here: it gets its entity and its handlers (TASK-103)."""
        entity = task.entity = self.entity
        task.rows = task.mirror_rows if entity.is_mirrored else task.local_rows

    def take_out(self, slot: int) -> None:
        """Empty a slot and delete what it held; the caller has seen to it that it doesn't run."""
        root = self.slots[slot]
        self._put(None, slot)
        if root is not None:
            delete_task(root)

    def contain(self, slot: int, root: Task, error: Exception) -> None:
        """End a root whose code raised (TASK-03); a default task is stood in for.

        Raises ``DeletionQueueOverflow`` again: it ends the run.
        """
        if isinstance(error, DeletionQueueOverflow):
            raise error
        self.defer_error(TaskFault(end_failed_chain(root, error)), error)
        if self.slots[slot] is root:
            self._put(None, slot)
        delete_task(root)
        if self.default is not None and self._is_default(slot):
            self.default.stand_in(self)

    def deliver_mail(self) -> None:
        """Write the higher slots that were set while a root was running, highest first."""
        while self.mail:
            slot = min(self.mail)
            self.write(self.mail.pop(slot), slot)

    # -- for the kernel: errors that wait until nothing is half done --------------------

    def defer_error(self, error: TaskError, cause: Exception | None = None) -> None:
        """Keep an error that strict mode raises once the present operation is complete."""
        if settings.strict and self._deferred_error is None:
            error.__cause__ = cause
            self._deferred_error = error

    def note_overridden_refusal(self, text: str) -> None:
        """A task of this tree refused IMMEDIATE and was aborted all the same (TASK-50)."""
        self.defer_error(AbortRefused(text))

    def raise_deferred_error(self) -> None:
        """Raise what was kept, unless the tree is still processing."""
        if self._deferred_error is not None and not self.run.in_process:
            error, self._deferred_error = self._deferred_error, None
            raise error

    # -- details ------------------------------------------------------------------------

    @property
    def misses_default(self) -> bool:
        """The default slot is empty although nothing keeps it so."""
        default = self.default
        return (
            default is not None and self.slots[default.index] is None and not default.waits_to_retry
        )

    @property
    def dead_man_struck(self) -> bool:
        """The last process ran out of its budget."""
        return self.run.budget <= 0

    def runs(self, root: Task) -> bool:
        """True while the chain of this root is being updated or walked."""
        slot = self.run.processing_slot
        return slot is not None and self.slots[slot] is root

    def _is_default(self, slot: int) -> bool:
        return self.default is not None and self.default.index == slot

    def _check_not_busy(self, task: Task | None, slot: int) -> None:
        root = self.slots[slot]
        if slot == self.run.processing_slot:
            why = "its task is running; end it with QUIT, or let its owner clear it later"
        elif root is not None and root.flags & IN_ABORT:
            why = "its task is letting go at this moment; set it afterwards"
        else:
            return
        delete_refused(task)
        raise TreeBusyError(f"{self!r}: slot {slot} can't be changed: {why}")

    def _abort_from(self, slot: int, task: Task) -> None:
        """Make every running root from a slot downwards let go."""
        event: object = None
        for root in self.slots[slot:]:
            if root is not None and root.has_entered:
                if event is None:
                    event = self.displacement_event(task)
                force_abort(root, event)

    def _post(self, task: Task | None, slot: int) -> None:
        if self.mail.get(slot) is not task:
            self._drop_mail(slot)
        if task is not None:
            task.tree = self
        self.mail[slot] = task

    def _drop_mail(self, slot: int) -> None:
        earlier = self.mail.pop(slot, None)
        if earlier is not None:
            delete_task(earlier)
