"""Errors that the kernel raises to its caller; refusals and faults are other things (TASK-02)."""

from __future__ import annotations


class TaskError(Exception):
    """Base of every error of the kernel."""


class TaskTypeError(TaskError, TypeError):
    """A class is declared or registered wrongly, or constructed without a registered type."""


class TaskStateError(TaskError):
    """An unknown state, or a change in a place where it is not legal (TASK-17, TASK-18)."""


class TaskOwnershipError(TaskError):
    """A task is used in two places, or after it has finished or been deleted (TASK-34)."""


class TaskPlacementError(TaskError):
    """A task is put into a tree in which its kind has no business (TASK-71)."""


class TaskCopyError(TaskError):
    """A task has to be copied and its class does not say how (TASK-25)."""


class TreeBusyError(TaskError):
    """A slot was to be changed whose task is running: that would delete it (TASK-37)."""


class TaskPoolFull(TaskError):
    """No task slot is free; what was to be done is kept and tried again (TASK-89)."""


class AbortRefused(TaskError):
    """Strict: a task refused an IMMEDIATE abort; raised after the abort was completed (TASK-50)."""


class TaskFault(TaskError):
    """Strict: raised by ``process`` once an exception was contained, with its cause (TASK-03)."""


class TransitionTableError(TaskError):
    """A task looks for its next state and its class has no transition table (TASK-31)."""


class DeletionQueueOverflow(TaskError):
    """More tasks were deleted inside a hold than may wait: ends the run, uncontained (TASK-59)."""


class TaskListFull(TaskError):
    """A task list has all the tasks it can hold (TASK-94)."""


class SequenceError(TaskError):
    """A sequence is used in a way that its present state forbids (TASK-95)."""


class SequenceTableFull(SequenceError):
    """All sequences of the game are in use (TASK-95)."""
