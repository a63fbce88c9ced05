"""Script commands: the one way by which a script puts a task into a ped's main tree (EVT-67).

A command is an event in the ped's queue, persistent and never evicted, of which a
ped has at most one. The event handler turns it into a task when it outranks what
the ped responds to. This class keeps the records by which scripts ask how it stands.

Facts written: ``COMMAND_GIVEN`` (number, kind), ``COMMAND_REFUSED`` (kind, reason),
``COMMAND_COMMITTED`` (number), and ``COMMAND_ENDED`` (number, status) for an end that
is not the task's own doing.
"""

from __future__ import annotations

from collections import deque

from ai.events.command_records import (
    CommandId,
    CommandRecord,
    CommandRefused,
    CommandStatus,
    PedCommands,
    RefusalReason,
    SequenceEntry,
)
from ai.events.event_services import EventServices
from ai.events.script_events import ErrorRefusedCommand, ErrorSequence, ErrorUnknownPed
from ai.events.slot_identity import SlotIdentity
from ai.events.subject import EventPed
from ai.events.task_events import COMMAND_MODULES_ONLY, ScriptCommandEvent
from ai.ports import Clock, EntityRef, FactSink
from ai.tasks.task import Task
from ai.tasks.task_errors import SequenceError, TaskListFull, TaskPoolFull
from ai.tasks.task_sequences import TaskSequences
from ai.tasks.trees import PRIMARY, PrimarySlot

NOBODY = -1
"""Ped id under which a refusal is written down when there is no such ped."""

SEQUENCE_KIND = "sequence"
"""Kind of a command that performs a sequence (EVT-70)."""

RECORDS_OF_REMOVED_PEDS = 64
"""Records of peds that are gone which stay for queries."""


class ScriptCommands:
    """Commands of all peds.

    - The task handed to ``give_task`` belongs to the call and is released once,
      whatever the outcome; what waits and what is placed are copies (TASK-25).
    - A newer command replaces one that waits; the older record ends REPLACED.
    - A command waits, without timing out, while the ped responds to something that
      outranks it.
    - Nothing re-issues a command whose task was interrupted: it lies in PRIMARY and
      resumes by itself (EVT-72).
    - While a script has a sequence open its commands are appended to that (EVT-69).
    """

    def __init__(self, clock: Clock, facts: FactSink, events: EventServices) -> None:
        self.sequences = TaskSequences()
        self._clock = clock
        self._facts = facts
        self._events = events
        events.commands = self
        self._peds: dict[EntityRef, PedCommands] = {}
        self._of_removed: deque[CommandRecord] = deque(maxlen=RECORDS_OF_REMOVED_PEDS)
        self._last_number = 0

    # -- giving ----------------------------------------------------------------

    def give_task(
        self,
        ped: EventPed | None,
        task: Task,
        *,
        source: EntityRef,
        session: int = 0,
        kind: str,
        accept_when_dead: bool = False,
    ) -> CommandId | SequenceEntry | CommandRefused:
        """Order a task into a ped's PRIMARY slot (EVT-67).

        - ``accept_when_dead``: the task is meant for a dead ped too; else one refuses it.

        Returns the command's id, and writes COMMAND_GIVEN; the place in the sequence
        that ``source`` has open; or a falsy ``CommandRefused`` with nothing changed but
        one error event for scripts, and writes COMMAND_REFUSED. Raises
        ``TaskCopyError`` if the task can't be copied.
        """
        number = self.sequences.opened_by(source)
        if number is not None:
            return self._append(number, ped, task, kind)
        try:
            reason = self._obstacle(ped, source, accept_when_dead=accept_when_dead)
            if reason is not None:
                return self._refuse(ped, kind, reason)
            assert ped is not None
            try:
                carried = task.copy()
            except TaskPoolFull:
                return self._refuse(ped, kind, RefusalReason.POOL_FULL)
        finally:
            task.discard()
        event = ScriptCommandEvent(
            carried,
            self._last_number + 1,
            self._events.tuning.command_kind(kind),
            source=source,
            accept_when_dead=accept_when_dead,
            token=COMMAND_MODULES_ONLY,
        )
        try:
            return self._queue(ped, event, source, session, kind)
        finally:
            event.release()

    def _queue(
        self,
        ped: EventPed,
        event: ScriptCommandEvent,
        source: EntityRef,
        session: int,
        kind: str,
    ) -> CommandId | CommandRefused:
        queue = ped.events.group.queue
        older = sum(1 for one in queue.entries if isinstance(one, ScriptCommandEvent))
        if not queue.can_place(event, freed=older):
            return self._refuse(ped, kind, RefusalReason.QUEUE_FULL)
        entry = self._peds.setdefault(ped.ref, PedCommands(ped))
        self._drop_waiting(entry, CommandStatus.REPLACED)
        ped.force_full_update()
        queued = ped.events.add_event(event, force_persistent=True, make_space=True)
        if queued is None:
            return self._refuse(ped, kind, RefusalReason.QUEUE_FULL)
        self._last_number += 1
        record = CommandRecord(
            command=CommandId(self._last_number, ped.ref),
            kind=kind,
            source=source,
            session=session,
            task_type=int(event.task.task_type),
            event=queued,
            step_given=self._clock.step,
        )
        entry.waiting = record
        self._facts.note(ped.ped_id, "COMMAND_GIVEN", record.command.number, kind)
        return record.command

    @staticmethod
    def _obstacle(
        ped: EventPed | None, source: EntityRef, *, accept_when_dead: bool
    ) -> RefusalReason | None:
        if ped is None or ped.retired:
            return RefusalReason.UNKNOWN_PED
        if ped.is_mirrored:
            return RefusalReason.MIRRORED
        if ped.events.script_brain not in (None, source):
            return RefusalReason.OTHER_BRAIN
        if ped.is_dead and not accept_when_dead:
            return RefusalReason.DEAD
        return None

    def _append(
        self, number: int, ped: EventPed | None, task: Task, kind: str
    ) -> SequenceEntry | CommandRefused:
        try:
            index = self.sequences.append(number, task)
        except (TaskListFull, SequenceError):
            return self._refuse(ped, kind, RefusalReason.SEQUENCE)
        return SequenceEntry(number, index)

    # -- sequences (EVT-69) ----------------------------------------------------

    def open_sequence(self, source: EntityRef) -> int | CommandRefused:
        """From now on append what ``source`` commands; returns the sequence's number."""
        try:
            return self.sequences.open(source)
        except SequenceError:
            return self._refuse(None, SEQUENCE_KIND, RefusalReason.SEQUENCE)

    def close_sequence(self, source: EntityRef) -> int | CommandRefused:
        """The sequence that ``source`` has open is complete; returns its number."""
        number = self.sequences.opened_by(source)
        if number is None:
            return self._refuse(None, SEQUENCE_KIND, RefusalReason.SEQUENCE)
        self.sequences.close(number)
        return number

    def clear_sequence(self, number: int) -> CommandRefused | None:
        """Free a sequence, once the last ped that performs it has ended."""
        try:
            self.sequences.clear(number)
        except SequenceError:
            return self._refuse(None, SEQUENCE_KIND, RefusalReason.SEQUENCE)
        return None

    def perform_sequence(
        self,
        ped: EventPed | None,
        number: int,
        *,
        source: EntityRef,
        session: int = 0,
        repeat: bool = False,
    ) -> CommandId | SequenceEntry | CommandRefused:
        """Command a ped to perform a closed sequence; each ped has its own progress."""
        try:
            task = self.sequences.perform(number, repeat=repeat)
        except SequenceError:
            return self._refuse(ped, SEQUENCE_KIND, RefusalReason.SEQUENCE)
        except TaskPoolFull:
            return self._refuse(ped, SEQUENCE_KIND, RefusalReason.POOL_FULL)
        return self.give_task(ped, task, source=source, session=session, kind=SEQUENCE_KIND)

    def withdraw(self, command: CommandId) -> bool:
        """Take back a command that still waits; False if it does not."""
        entry = self._peds.get(command.ped)
        if entry is None or entry.waiting is None or entry.waiting.command != command:
            return False
        self._drop_waiting(entry, CommandStatus.CANCELLED)
        return True

    def forget(self, ped: EventPed) -> None:
        """A ped is being removed: its commands end CANCELLED, what waits is released."""
        entry = self._peds.pop(ped.ref, None)
        if entry is None:
            return
        self._drop_waiting(entry, CommandStatus.CANCELLED)
        if entry.placed is not None and entry.placed.settle() is None:
            self._end(entry, entry.placed, CommandStatus.CANCELLED)
        self._of_removed.extend(reversed(entry.newest_first()))

    def _refuse(self, ped: EventPed | None, kind: str, reason: RefusalReason) -> CommandRefused:
        self._facts.note(
            NOBODY if ped is None else ped.ped_id, "COMMAND_REFUSED", kind, reason.name
        )
        data = {"ped": NOBODY if ped is None else ped.ped_id, "kind": kind, "reason": reason.name}
        if reason is RefusalReason.UNKNOWN_PED:
            self._events.scripts.report(ErrorUnknownPed(data))
        elif reason is RefusalReason.SEQUENCE:
            self._events.scripts.report(ErrorSequence(data))
        else:
            self._events.scripts.report(ErrorRefusedCommand(data))
        return CommandRefused(reason)

    def _drop_waiting(self, entry: PedCommands, status: CommandStatus) -> None:
        record = self._waiting(entry)
        if record is not None:
            entry.ped.events.group.queue.remove(record.event)
            self._end_waiting(entry, record, status)

    def _waiting(self, entry: PedCommands) -> CommandRecord | None:
        """The record that waits; one whose event was flushed or refused by its slot ends."""
        record = entry.waiting
        if record is not None and record.event.get() is None:
            self._end_waiting(entry, record, CommandStatus.CANCELLED)
            return None
        return record

    def _end_waiting(
        self, entry: PedCommands, record: CommandRecord, status: CommandStatus
    ) -> None:
        entry.waiting = None
        entry.past.append(record)
        self._end(entry, record, status)

    def _end(self, entry: PedCommands, record: CommandRecord, status: CommandStatus) -> None:
        record.ended = status
        self._facts.note(entry.ped.ped_id, "COMMAND_ENDED", record.command.number, status.name)

    # -- what the handler tells (EVT-66) -----------------------------------------

    def placing(self, ped: EventPed) -> None:
        """A command is about to be placed: the one before it ends now, or has ended."""
        entry = self._peds.get(ped.ref)
        if entry is not None and entry.placed is not None:
            before = entry.placed
            if before.settle() is None:
                self._end(entry, before, CommandStatus.REPLACED)

    def performing(self, ped: EventPed, event: ScriptCommandEvent, task: Task) -> None:
        """A command's task was placed."""
        entry = self._peds[ped.ref]
        record = entry.waiting
        assert record is not None
        assert record.command.number == event.command_number
        if entry.placed is not None:
            entry.past.append(entry.placed)
        record.task, record.step_started = task, self._clock.step
        entry.waiting, entry.placed = None, record
        self._facts.note(ped.ped_id, "COMMAND_COMMITTED", record.command.number)

    # -- asking ----------------------------------------------------------------

    def waiting_source(self, ped: EventPed) -> EntityRef | None:
        """Source of the command that waits, or None if none does."""
        entry = self._peds.get(ped.ref)
        record = None if entry is None else self._waiting(entry)
        return None if record is None else record.source

    def main_identity(self, ped: EventPed) -> SlotIdentity | None:
        """The seven fields of what stands in PRIMARY (ORD-07); None if nothing does.

        A task that no command placed has no source, no script flag, no kind and
        session 0.
        """
        task = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
        if task is None:
            return None
        entry = self._peds.get(ped.ref)
        placed = None if entry is None else entry.placed
        if placed is None or placed.task is not task:
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

    def script_task_status(self, ped: EventPed, kind: str) -> CommandStatus:
        """How a ped's newest command of a kind stands (EVT-71)."""
        entry = self._peds.get(ped.ref)
        for record in () if entry is None else entry.newest_first():
            if record.kind == kind:
                return self._status(record, entry)
        return CommandStatus.UNKNOWN

    def _status(self, record: CommandRecord, entry: PedCommands | None) -> CommandStatus:
        if entry is not None and record is self._waiting(entry):
            return CommandStatus.WAITING
        ended = record.settle()
        if ended is not None:
            return ended
        assert entry is not None
        if entry.ped.tasks.tree(PRIMARY).active_root is record.task:
            return CommandStatus.PERFORMING
        return CommandStatus.SUSPENDED
