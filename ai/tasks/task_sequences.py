"""Sequences: lists of tasks that a script fills once and any number of peds perform (TASK-95).

A sequence is open (being filled by one script), closed (can be performed) or marked
(cleared while somebody performs it: freed at the last use).
"""

from __future__ import annotations

from enum import IntEnum

from ai.ports import EntityRef
from ai.tasks.limits import SEQUENCES_MAX
from ai.tasks.task import Task
from ai.tasks.task_errors import SequenceError, SequenceTableFull, TaskPoolFull
from ai.tasks.task_flags import QUIT_ON_RESUME, Outcome, Result
from ai.tasks.task_list import TaskList
from ai.tasks.task_types import TaskType


class _Sequence:
    """One list: who fills it (None once it is closed), how many perform it, is it to go?"""

    __slots__ = ("is_marked", "script", "tasks", "uses")

    def __init__(self, script: EntityRef) -> None:
        self.script: EntityRef | None = script
        self.tasks = TaskList()
        self.uses = 0
        self.is_marked = False


class TaskSequences:
    """All sequences of a game, at most 128, known by a number from 1.

    - A script has at most one open at a time.
    - Numbers are used again once a sequence is freed, the lowest first.
    """

    def __init__(self) -> None:
        self._sequences: dict[int, _Sequence] = {}
        self._open: dict[EntityRef, int] = {}

    def __len__(self) -> int:
        return len(self._sequences)

    def open(self, script: EntityRef) -> int:
        """Begin a sequence; returns its number.

        Raises ``SequenceError`` while that script has one open, ``SequenceTableFull``
        if all are in use.
        """
        if script in self._open:
            raise SequenceError(f"{script}: has sequence {self._open[script]} open; close it first")
        number = next(
            (free for free in range(1, SEQUENCES_MAX + 1) if free not in self._sequences), None
        )
        if number is None:
            raise SequenceTableFull(f"all {SEQUENCES_MAX} sequences are in use; clear one first")
        self._sequences[number] = _Sequence(script)
        self._open[script] = number
        return number

    def opened_by(self, script: EntityRef) -> int | None:
        """Number of the sequence that a script has open, or None."""
        return self._open.get(script)

    def append(self, number: int, task: Task) -> int:
        """Store a task at the end of an open sequence; returns its index.

        Raises what ``TaskList.append`` raises; ``SequenceError``, the task deleted, for
        a sequence that is not open and for a task that performs one itself.
        """
        sequence = self._sequences.get(number)
        why = ""
        if sequence is None or sequence.script is None:
            why = f"sequence {number} is not open; open one first"
        elif isinstance(task, UseSequence):
            why = "a sequence can't contain a sequence; append its tasks"
        if why or sequence is None:
            task.discard()
            raise SequenceError(f"{task!r}: {why}")
        sequence.tasks.append(task)
        return len(sequence.tasks) - 1

    def close(self, number: int) -> None:
        """The sequence is complete and can be performed.

        Raises ``SequenceError`` for one that is not open.
        """
        sequence = self._sequences.get(number)
        if sequence is None or sequence.script is None:
            raise SequenceError(f"sequence {number} is not open; open one first")
        del self._open[sequence.script]
        sequence.script = None

    def clear(self, number: int) -> None:
        """Free a sequence, open or closed; at its last use if somebody performs it.

        Raises ``SequenceError`` for an unknown one.
        """
        sequence = self._sequences.get(number)
        if sequence is None or sequence.is_marked:
            raise SequenceError(f"sequence {number} does not exist")
        if sequence.script is not None:
            del self._open[sequence.script]
            sequence.script = None
        sequence.is_marked = True
        self._free_if_unused(number)

    def clear_all(self) -> None:
        """The world ends, and whoever performed one is gone."""
        for sequence in self._sequences.values():
            sequence.tasks.clear()
        self._sequences.clear()
        self._open.clear()

    def perform(self, number: int, *, repeat: bool = False) -> UseSequence:
        """A task that performs a closed sequence once, or again and again.

        Raises ``SequenceError`` for one that is open, empty, cleared or unknown.
        """
        return UseSequence(self, number, repeat)

    # -- for whoever performs one ---------------------------------------------------

    def check_performable(self, number: int) -> None:
        """Raise ``SequenceError`` unless a task may begin to perform the sequence."""
        sequence = self._sequences.get(number)
        if sequence is None or sequence.is_marked:
            raise SequenceError(f"sequence {number} does not exist")
        if sequence.script is not None:
            raise SequenceError(f"sequence {number} is still open; close it first")
        if not len(sequence.tasks):
            raise SequenceError(f"sequence {number} is empty; open another and append tasks")

    def length(self, number: int) -> int:
        """Number of its tasks."""
        return len(self._sequences[number].tasks)

    def copy_of(self, number: int, index: int) -> Task:
        """A new task like the stored one."""
        return self._sequences[number].tasks.copy_of(index)

    def hold(self, number: int) -> None:
        """One more performs it."""
        self._sequences[number].uses += 1

    def let_go(self, number: int) -> None:
        """One less performs it."""
        self._sequences[number].uses -= 1
        self._free_if_unused(number)

    def _free_if_unused(self, number: int) -> None:
        sequence = self._sequences[number]
        if sequence.is_marked and sequence.uses == 0:
            sequence.tasks.clear()
            del self._sequences[number]


class UseSequence(Task):
    """Performs a sequence: a copy of each of its tasks, one after another.

    - ``progress`` is the index of the task that runs; an interruption keeps it.
    - A task that fails ends it: FAILED with the index and the reason.
    - Each live one, also one that waits in a command, keeps the sequence from being freed.
    """

    task_type = TaskType.USE_SEQUENCE
    __slots__ = ("progress", "repeat", "sequence", "sequences")
    PARAMS = ("sequences", "sequence", "repeat")

    class State(IntEnum):
        """One state, entered anew for each task."""

        PERFORM = 0

    def __init__(self, sequences: TaskSequences, sequence: int, repeat: bool) -> None:
        if not isinstance(sequences, TaskSequences):
            raise TypeError(f"sequences must be TaskSequences, not {sequences!r}")
        sequences.check_performable(sequence)
        super().__init__()
        self.sequences = sequences
        self.sequence = sequence
        self.repeat = repeat
        self.progress = 0
        sequences.hold(sequence)

    @property
    def move_owner(self) -> object:
        """Identity of the movement that the present task owns, None if it moves nothing."""
        return getattr(self.child, "move_owner", None)

    def on_enter_perform(self) -> None:
        """Start the present task; on a resume let it resume if it is one that does."""
        child = self.child
        if child is not None and self.is_resuming and not child.flags & QUIT_ON_RESUME:
            self.keep_child()
        else:
            self._start()

    def on_update_perform(self, _dt: float) -> Result | None:
        """Go on to the next task once the present one has ended."""
        child = self.child
        if child is None:
            self._start()
            return None
        if not self.child_finished:
            return None
        if child.outcome is not Outcome.SUCCEEDED:
            return self.fail(f"task {self.progress}: {child.fail_reason or child.outcome.name}")
        self.progress += 1
        if self.progress == self.sequences.length(self.sequence):
            if not self.repeat:
                return self.succeed()
            self.progress = 0
        self.restart_state()
        return None

    def on_deleted(self) -> None:
        """One less performs the sequence."""
        self.sequences.let_go(self.sequence)

    def _start(self) -> None:
        """A copy of the present task; with a full pool the next update tries again (TASK-89)."""
        try:
            task = self.sequences.copy_of(self.sequence, self.progress)
        except TaskPoolFull:
            return
        self.set_new_task(task)
