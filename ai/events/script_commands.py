"""Script commands: the one way by which a script puts a task into a ped's main tree (EVT-67).

A ped has at most one command that waits. It is committed in the ped's turn of
phase 6, where the event handler turns events into tasks, once nothing stands in a
response slot above it and the active task has agreed to let go. Until the event
queue exists the command waits in this class; ``give_task``, its record and the
place of the commit stay as they are when it moves into the queue.

Facts written: ``COMMAND_GIVEN`` (number, kind), ``COMMAND_REFUSED`` (kind, reason),
``COMMAND_COMMITTED`` (number), and ``COMMAND_ENDED`` (number, status) for an end that
is not the task's own doing.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from ai.events.command_records import (
    Commanded,
    CommandId,
    CommandRecord,
    CommandRefused,
    CommandStatus,
    PedCommands,
    RefusalReason,
)
from ai.events.slot_identity import SlotIdentity
from ai.ports import EntityRef, FactSink
from ai.tasks.new_task_event import displacement_notice
from ai.tasks.task import AbortPriority, Task
from ai.tasks.task_errors import TaskPoolFull
from ai.tasks.task_tree import SetTaskResult
from ai.tasks.trees import PRIMARY, PrimarySlot

NOBODY = -1
"""Ped id under which a refusal is written down when there is no such ped."""

RECORDS_OF_REMOVED_PEDS = 64
"""Records of peds that are gone which stay for queries."""


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
    - A command never jumps over a response: it waits, without timing out.
    - Nothing re-issues a command whose task was interrupted: it lies in PRIMARY and
      resumes by itself (EVT-72).
    """

    def __init__(self, clock: StepClock, facts: FactSink) -> None:
        self._clock = clock
        self._facts = facts
        self._peds: dict[EntityRef, PedCommands] = {}
        self._of_removed: deque[CommandRecord] = deque(maxlen=RECORDS_OF_REMOVED_PEDS)
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
        accept_when_dead: bool = False,
    ) -> CommandId | CommandRefused:
        """Order a task into a ped's PRIMARY slot (EVT-67).

        - ``accept_when_dead``: the task is meant for a dead ped too; else one refuses it.

        Returns the command's id, and writes COMMAND_GIVEN; or a falsy
        ``CommandRefused`` with nothing changed, and writes COMMAND_REFUSED.
        Raises ``TaskCopyError`` if the task can't be copied.
        """
        try:
            if ped is None or ped.retired:
                return self._refuse(ped, kind, RefusalReason.UNKNOWN_PED)
            if ped.is_mirrored:
                return self._refuse(ped, kind, RefusalReason.MIRRORED)
            if ped.is_dead and not accept_when_dead:
                return self._refuse(ped, kind, RefusalReason.DEAD)
            try:
                waiting = task.copy()
            except TaskPoolFull:
                return self._refuse(ped, kind, RefusalReason.POOL_FULL)
        finally:
            task.discard()
        self._last_number += 1
        record = CommandRecord(
            command=CommandId(self._last_number, ped.ref),
            kind=kind,
            source=source,
            session=session,
            task=waiting,
            ref=waiting.ref(),
            step_given=self._clock.step,
        )
        entry = self._peds.setdefault(ped.ref, PedCommands(ped))
        self._drop_waiting(entry, CommandStatus.REPLACED)
        entry.waiting = record
        ped.force_full_update()
        self._facts.note(ped.ped_id, "COMMAND_GIVEN", record.command.number, kind)
        return record.command

    def withdraw(self, command: CommandId) -> bool:
        """Take back a command that still waits; False if it does not."""
        entry = self._peds.get(command.ped)
        if entry is None or entry.waiting is None or entry.waiting.command != command:
            return False
        self._drop_waiting(entry, CommandStatus.CANCELLED)
        return True

    def forget(self, ped: Commanded) -> None:
        """A ped is being removed: its commands end CANCELLED, what waits is released."""
        entry = self._peds.pop(ped.ref, None)
        if entry is None:
            return
        self._drop_waiting(entry, CommandStatus.CANCELLED)
        if entry.placed is not None and entry.placed.settle() is None:
            self._end(entry, entry.placed, CommandStatus.CANCELLED)
        self._of_removed.extend(reversed(entry.newest_first()))

    def _refuse(self, ped: Commanded | None, kind: str, reason: RefusalReason) -> CommandRefused:
        self._facts.note(
            NOBODY if ped is None else ped.ped_id, "COMMAND_REFUSED", kind, reason.name
        )
        return CommandRefused(reason)

    def _drop_waiting(self, entry: PedCommands, status: CommandStatus) -> None:
        record = entry.waiting
        if record is not None:
            entry.waiting = None
            entry.past.append(record)
            record.task.discard()
            self._end(entry, record, status)

    def _end(self, entry: PedCommands, record: CommandRecord, status: CommandStatus) -> None:
        record.ended = status
        self._facts.note(entry.ped.ped_id, "COMMAND_ENDED", record.command.number, status.name)

    # -- committing ------------------------------------------------------------

    def commit(self, ped: Commanded) -> bool:
        """Turn the waiting command into a task, at the event handler's place in phase 6.

        Returns True if a task was placed. The command goes on waiting while
        something stands in a response slot, the task pool is full (TASK-89), or the
        active task does not let go yet (EVT-61); nothing is disturbed until the task
        to place exists. A slot that refuses the write ends it CANCELLED (EVT-66).
        """
        entry = self._peds.get(ped.ref)
        if entry is None or entry.waiting is None:
            return False
        tree = ped.tasks.tree(PRIMARY)
        if tree.active_slot is not None and tree.active_slot < PrimarySlot.PRIMARY:
            return False
        try:
            task = entry.waiting.task.copy()
        except TaskPoolFull:
            return False
        active = tree.active_root
        if active is not None and not active.make_abortable(
            AbortPriority.URGENT, displacement_notice(task)
        ):
            task.discard()
            return False
        before = entry.placed
        replaces = before is not None and before.settle() is None
        ref = task.ref()
        if ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY) is not SetTaskResult.SET:
            self._drop_waiting(entry, CommandStatus.CANCELLED)
            return False
        if before is not None:
            entry.past.append(before)
            if replaces:
                self._end(entry, before, CommandStatus.REPLACED)
        record = entry.waiting
        record.task.discard()
        record.task, record.ref, record.step_started = task, ref, self._clock.step
        entry.waiting, entry.placed = None, record
        self._facts.note(ped.ped_id, "COMMAND_COMMITTED", record.command.number)
        return True

    # -- asking ----------------------------------------------------------------

    def waiting_source(self, ped: Commanded) -> EntityRef | None:
        """Source of the command that waits, or None if none does."""
        entry = self._peds.get(ped.ref)
        return None if entry is None or entry.waiting is None else entry.waiting.source

    def main_identity(self, ped: Commanded) -> SlotIdentity | None:
        """The seven fields of what stands in PRIMARY (ORD-07); None if nothing does.

        A task that no command placed has no source, no script flag, no kind and
        session 0.
        """
        task = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
        if task is None:
            return None
        entry = self._peds.get(ped.ref)
        placed = None if entry is None else entry.placed
        if placed is None or placed.ref.get() is not task:
            return SlotIdentity.of_main(int(task.task_type))
        return SlotIdentity.of_main(
            placed.task_type, placed.source, placed.kind, placed.session, from_script=True
        )

    def command_status(self, command: CommandId) -> CommandStatus:
        """How a command stands, worked out from the trees (EVT-71)."""
        entry = self._peds.get(command.ped)
        records = self._of_removed if entry is None else entry.newest_first()
        for record in records:
            if record.command == command:
                return self._status(record, entry)
        return CommandStatus.UNKNOWN

    def script_task_status(self, ped: Commanded, kind: str) -> CommandStatus:
        """How a ped's newest command of a kind stands (EVT-71)."""
        entry = self._peds.get(ped.ref)
        for record in () if entry is None else entry.newest_first():
            if record.kind == kind:
                return self._status(record, entry)
        return CommandStatus.UNKNOWN

    @staticmethod
    def _status(record: CommandRecord, entry: PedCommands | None) -> CommandStatus:
        if entry is not None and record is entry.waiting:
            return CommandStatus.WAITING
        ended = record.settle()
        if ended is not None:
            return ended
        assert entry is not None
        if entry.ped.tasks.tree(PRIMARY).active_root is record.task:
            return CommandStatus.PERFORMING
        return CommandStatus.SUSPENDED
