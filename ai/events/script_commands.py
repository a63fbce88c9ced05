"""Script commands: the one way by which a script puts a task into a ped's main tree (EVT-67).

A ped has at most one command that waits. It is committed in the ped's turn of
phase 6, where the event handler turns events into tasks, once nothing physical
stands above it and the active task has agreed to let go. Until the event queue
exists the command waits in this class; ``give_task``, its record and the place
of the commit stay as they are when it moves into the queue.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, Protocol

from ai.events.slot_identity import SlotIdentity
from ai.ports import EntityRef, FactSink
from ai.tasks.new_task_event import NewTaskEvent
from ai.tasks.task import AbortPriority, Outcome, Task, TaskRef
from ai.tasks.task_errors import TaskPoolFull
from ai.tasks.task_manager import TaskManager
from ai.tasks.task_tree import SetTaskResult
from ai.tasks.trees import PRIMARY, PrimarySlot

RECORDS_KEPT = 8
"""Ended records of a ped that stay for queries by id (EVT-71)."""


class CommandStatus(Enum):
    """EVT-71, worked out from the trees when asked."""

    UNKNOWN = auto()
    WAITING = auto()
    PERFORMING = auto()
    SUSPENDED = auto()
    FINISHED = auto()
    FAILED = auto()
    CANCELLED = auto()
    REPLACED = auto()


class RefusalReason(Enum):
    """Why ``give_task`` placed nothing."""

    UNKNOWN_PED = auto()
    MIRRORED = auto()
    POOL_FULL = auto()


class CommandId(NamedTuple):
    """Positive number of a command, never reused in a run; always truthy."""

    number: int


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """A refusal; falsy, so that ``if scripts.give_task(...)`` reads well."""

    reason: RefusalReason

    def __bool__(self) -> bool:
        return False


class Commanded(Protocol):
    """What a script command needs of a ped."""

    ref: EntityRef
    ped_id: int
    slot: int
    retired: bool
    is_mirrored: bool
    tasks: TaskManager

    def force_full_update(self) -> None:
        """Make the ped's next turn a full update (TASK-86)."""
        ...


@dataclass(slots=True)
class CommandRecord:
    """What is known of one command (EVT-71).

    - ``step_given`` and ``step_started`` (-1 until committed) are step numbers.
    - ``ended`` is written once, with a terminal status, and never changes.
    """

    command: CommandId
    kind: str
    source: EntityRef
    session: int
    task_type: int
    step_given: int
    step_started: int = -1
    ended: CommandStatus | None = None
    task: Task | None = None
    ref: TaskRef | None = None


@dataclass(slots=True)
class _PedCommands:
    waiting: Task | None = None
    current: CommandRecord | None = None
    placed: CommandRecord | None = None
    past: deque[CommandRecord] = field(default_factory=lambda: deque(maxlen=RECORDS_KEPT))


_END_OF_OUTCOME = {
    Outcome.SUCCEEDED: CommandStatus.FINISHED,
    Outcome.FAILED: CommandStatus.FAILED,
    Outcome.CANCELLED: CommandStatus.CANCELLED,
    Outcome.NONE: CommandStatus.CANCELLED,
}


class StepClock(Protocol):
    """The one thing needed of the clock."""

    @property
    def step(self) -> int:
        """Number of the present step."""
        ...


class ScriptCommands:
    """Commands of all peds.

    - The task handed to ``give_task`` belongs to the call and is released once,
      whatever the outcome; what waits and what is placed are copies (TASK-25).
    - A newer command replaces one that waits; the older record ends REPLACED.
    - A command never jumps over something physical: it waits, without timing out.
    """

    def __init__(self, clock: StepClock, facts: FactSink) -> None:
        self._clock = clock
        self._facts = facts
        self._peds: dict[EntityRef, _PedCommands] = {}
        self._last_number = 0

    # -- giving ----------------------------------------------------------------

    def give_task(
        self,
        ped: Commanded | None,
        task: Task,
        *,
        source: EntityRef,
        session: int = 0,
        kind: str,
        accept_when_dead: bool = False,  # noqa: ARG002 - final signature of EVT-67; nobody can be dead yet
    ) -> CommandId | CommandRefused:
        """Order a task into a ped's PRIMARY slot (EVT-67).

        Returns the command's id, or a falsy ``CommandRefused`` with nothing changed.
        Raises ``TaskCopyError`` if the task can't be copied.
        """
        try:
            if ped is None or ped.retired:
                return CommandRefused(RefusalReason.UNKNOWN_PED)
            if ped.is_mirrored:
                return CommandRefused(RefusalReason.MIRRORED)
            try:
                waiting = task.copy()
            except TaskPoolFull:
                return CommandRefused(RefusalReason.POOL_FULL)
            return self._queue(ped, waiting, source, session, kind)
        finally:
            task.discard()

    def _queue(
        self, ped: Commanded, waiting: Task, source: EntityRef, session: int, kind: str
    ) -> CommandId:
        entry = self._peds.setdefault(ped.ref, _PedCommands())
        if entry.waiting is not None:
            self._drop_waiting(ped, entry, CommandStatus.REPLACED)
        self._last_number += 1
        record = CommandRecord(
            command=CommandId(self._last_number),
            kind=kind,
            source=source,
            session=session,
            task_type=int(waiting.task_type),
            step_given=self._clock.step,
        )
        self._archive_current(entry)
        entry.waiting = waiting
        entry.current = record
        ped.force_full_update()
        self._facts.note(ped.ped_id, "COMMAND_GIVEN", record.command.number, kind)
        return record.command

    def withdraw(self, ped: Commanded, command: CommandId) -> bool:
        """Take back a command that still waits; False if it does not."""
        entry = self._peds.get(ped.ref)
        if entry is None or entry.waiting is None or entry.current is None:
            return False
        if entry.current.command != command:
            return False
        self._drop_waiting(ped, entry, CommandStatus.CANCELLED)
        return True

    def forget(self, ped: Commanded) -> None:
        """Release everything of a ped that is being removed."""
        entry = self._peds.pop(ped.ref, None)
        if entry is not None and entry.waiting is not None:
            entry.waiting.discard()

    def _drop_waiting(self, ped: Commanded, entry: _PedCommands, status: CommandStatus) -> None:
        assert entry.waiting is not None
        assert entry.current is not None
        entry.waiting.discard()
        entry.waiting = None
        entry.current.ended = status
        self._facts.note(ped.ped_id, "COMMAND_ENDED", entry.current.command.number, status.name)

    @staticmethod
    def _archive_current(entry: _PedCommands) -> None:
        if entry.current is not None and entry.current is not entry.placed:
            entry.past.append(entry.current)
        entry.current = None

    # -- committing ------------------------------------------------------------

    def commit(self, ped: Commanded) -> bool:
        """Turn the waiting command into a task, at the event handler's place in phase 6.

        Returns True if a task was placed. The command goes on waiting while
        something stands in a response slot, the active task does not let go yet
        (EVT-61), or the task pool is full (TASK-89).
        """
        entry = self._peds.get(ped.ref)
        if entry is None or entry.waiting is None or entry.current is None:
            return False
        tree = ped.tasks.tree(PRIMARY)
        active = tree.active_root
        if tree.active_slot is not None and tree.active_slot < PrimarySlot.PRIMARY:
            return False
        event = NewTaskEvent(entry.waiting.task_type, new_is_ragdoll=False)
        if active is not None and not active.make_abortable(AbortPriority.URGENT, event):
            return False
        try:
            task = entry.waiting.copy()
        except TaskPoolFull:
            return False
        ref = task.ref()
        result = ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
        if result is not SetTaskResult.SET:
            self._drop_waiting(ped, entry, CommandStatus.CANCELLED)
            return False
        entry.waiting.discard()
        entry.waiting = None
        if entry.placed is not None:
            self._settle(entry.placed, replaced=True)
            entry.past.append(entry.placed)
        entry.placed = entry.current
        entry.placed.step_started = self._clock.step
        entry.placed.task = task
        entry.placed.ref = ref
        self._facts.note(ped.ped_id, "COMMAND_COMMITTED", entry.placed.command.number)
        return True

    # -- asking ----------------------------------------------------------------

    def waiting_source(self, ped: Commanded) -> EntityRef | None:
        """Source of the command that waits, or None if none does."""
        entry = self._peds.get(ped.ref)
        if entry is None or entry.waiting is None or entry.current is None:
            return None
        return entry.current.source

    def main_identity(self, ped: Commanded) -> SlotIdentity | None:
        """The seven fields of what stands in PRIMARY (ORD-07); None if nothing does.

        A task that no command placed has no source, no script flag, no kind and
        session 0.
        """
        task = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
        if task is None:
            return None
        entry = self._peds.get(ped.ref)
        if entry is not None and entry.placed is not None and entry.placed.task is task:
            placed = entry.placed
            return SlotIdentity(
                PRIMARY,
                int(PrimarySlot.PRIMARY),
                int(task.task_type),
                placed.source,
                True,
                placed.kind,
                placed.session,
            )
        return SlotIdentity(
            PRIMARY, int(PrimarySlot.PRIMARY), int(task.task_type), None, False, "", 0
        )

    def command_status(self, ped: Commanded, command: CommandId) -> CommandStatus:
        """How a command stands, worked out from the trees (EVT-71)."""
        entry = self._peds.get(ped.ref)
        if entry is None:
            return CommandStatus.UNKNOWN
        for record in (entry.current, entry.placed, *entry.past):
            if record is not None and record.command == command:
                return self._status(ped, record)
        return CommandStatus.UNKNOWN

    def _status(self, ped: Commanded, record: CommandRecord) -> CommandStatus:
        if record.ended is not None:
            return record.ended
        if record.task is None:
            return CommandStatus.WAITING
        if record.ref is None or record.ref.get() is None or record.task.has_finished:
            return self._settle(record, replaced=False)
        tree = ped.tasks.tree(PRIMARY)
        if tree.active_root is record.task:
            return CommandStatus.PERFORMING
        return CommandStatus.SUSPENDED

    @staticmethod
    def _settle(record: CommandRecord, *, replaced: bool) -> CommandStatus:
        """Write the terminal status, once; a dead task keeps its outcome (TASK-24)."""
        if record.ended is None:
            assert record.task is not None
            ended = _END_OF_OUTCOME[record.task.outcome]
            if replaced and ended is CommandStatus.CANCELLED:
                ended = CommandStatus.REPLACED
            record.ended = ended
        return record.ended
