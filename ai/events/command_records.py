"""What is known of script commands: who gave what to whom, and what became of it (EVT-71)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from ai.events.base import EventRef
from ai.events.subject import EventPed
from ai.ports import EntityRef
from ai.tasks.task import Outcome, Task

RECORDS_KEPT = 8
"""Ended records of a ped that stay for queries (EVT-71)."""


class CommandStatus(Enum):
    """How a command stands; the last four are terminal (EVT-71)."""

    UNKNOWN = auto()
    """Never given, or so long ago that its record is gone."""
    WAITING = auto()
    PERFORMING = auto()
    """Its task is in its slot and is the tree's active one."""
    SUSPENDED = auto()
    """Its task is in its slot, under an active higher slot."""
    FINISHED = auto()
    FAILED = auto()
    CANCELLED = auto()
    """Taken back, cleared, refused by the slot, or the ped was removed."""
    REPLACED = auto()
    """A newer command took its place, while it waited or ran."""


class RefusalReason(Enum):
    """Why a command was not taken."""

    UNKNOWN_PED = auto()
    OTHER_BRAIN = auto()
    """A script brain owns the ped, and the command is not its own (EVT-68)."""
    QUEUE_FULL = auto()
    """Nothing in the ped's queue gives way to it."""
    MIRRORED = auto()
    DEAD = auto()
    """And the command was not meant for a dead ped."""
    POOL_FULL = auto()
    SEQUENCE = auto()
    """A sequence is used in a way that its state forbids (EVT-69)."""


class CommandId(NamedTuple):
    """Name of a command: a positive number that no other command of a run has, and its ped."""

    number: int
    ped: EntityRef


class SequenceEntry(NamedTuple):
    """Where a command went that was given while its script had a sequence open (EVT-67)."""

    sequence: int
    place: int


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """A refusal; falsy, so that ``if scripts.give_task(...)`` reads well."""

    reason: RefusalReason

    def __bool__(self) -> bool:
        return False


@dataclass(slots=True)
class CommandRecord:
    """One command.

    - ``event`` is the queued command while it waits.
    - ``task`` is the one that was placed, None before. It is held beyond its deletion: a
      dead task keeps its outcome (TASK-24), so the end can be read off it whenever
      somebody asks.
    - ``step_given`` and ``step_started`` (-1 until committed) are step numbers.
    - ``ended`` is written once, with a terminal status, and never changes.
    """

    command: CommandId
    kind: str
    source: EntityRef
    session: int
    task_type: int
    event: EventRef
    step_given: int
    step_started: int = -1
    task: Task | None = None
    ended: CommandStatus | None = None

    def settle(self) -> CommandStatus | None:
        """Write the end of a placed task that is over; None while it is not."""
        task = self.task
        if self.ended is None and task is not None and (task.is_deleted or task.has_finished):
            self.ended = END_OF_OUTCOME[task.outcome]
        return self.ended


END_OF_OUTCOME = {
    Outcome.SUCCEEDED: CommandStatus.FINISHED,
    Outcome.FAILED: CommandStatus.FAILED,
    Outcome.CANCELLED: CommandStatus.CANCELLED,
    Outcome.NONE: CommandStatus.CANCELLED,
}
"""What the end of a command's task means for the command."""


@dataclass(slots=True)
class PedCommands:
    """A ped's commands.

    - ``waiting`` is given and not committed; ``placed`` is the one committed last,
      over or not; ``past`` holds the ended ones before it, the oldest falling out.
    """

    ped: EventPed
    waiting: CommandRecord | None = None
    placed: CommandRecord | None = None
    past: deque[CommandRecord] = field(default_factory=lambda: deque(maxlen=RECORDS_KEPT))

    def newest_first(self) -> list[CommandRecord]:
        """Every record that is kept."""
        records = [one for one in (self.waiting, self.placed, *self.past) if one is not None]
        records.sort(key=_number_of, reverse=True)
        return records


def _number_of(record: CommandRecord) -> int:
    return record.command.number
