"""What a ped is responding to now (EVT-51, EVT-52)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ai.events.decision_trace import Reason
from ai.tasks.task import Task
from ai.tasks.trees import PRIMARY, PrimarySlot

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.events.subject import EventPed

_NONTEMP = PrimarySlot.EVENT_RESPONSE_NONTEMP


class PlacedTask(NamedTuple):
    """A task of a response, and where it was written to."""

    tree: int
    slot: int
    task: Task


class EventRecord(NamedTuple):
    """An answered event with the tasks written for it.

    The event was taken out of its queue and lives until the record is dropped.
    """

    event: Event
    placed: tuple[PlacedTask, ...]
    start_step: int

    def holds(self, ped: EventPed) -> bool:
        """Is any of its tasks still where it was written to?"""
        tree = ped.tasks.tree
        for one in self.placed:  # noqa: SIM110 - a generator would cost in every pass
            if tree(one.tree).slots[one.slot] is one.task:
                return True
        return False

    def task_in(self, tree: int, slot: int, ped: EventPed) -> Task | None:
        """Its task in a slot, if that is still there."""
        for one in self.placed:
            if (
                one.tree == tree
                and one.slot == slot
                and ped.tasks.tree(tree).slots[slot] is one.task
            ):
                return one.task
        return None


class EventHistory:
    """Current temporary, non-temporary and movement event; the stored one; a waited-for abort.

    - ``stored`` is the non-temporary event that a temporary or a purely physical one
      displaced; its task waits in ``NONTEMP``.
    - ``aborting`` is the task that was asked to let go and has not yet, since
      ``aborting_since``.

    Invariant: a record's event is in no queue and counts against the budget.
    """

    __slots__ = (
        "_ped",
        "aborting",
        "aborting_reported",
        "aborting_since",
        "movement",
        "non_temp",
        "stored",
        "temp",
    )

    def __init__(self, ped: EventPed) -> None:
        self._ped = ped
        self.non_temp: EventRecord | None = None
        self.temp: EventRecord | None = None
        self.stored: EventRecord | None = None
        self.movement: EventRecord | None = None
        self.aborting: Task | None = None
        self.aborting_since = 0
        self.aborting_reported = False

    @property
    def is_empty(self) -> bool:
        """Nothing is answered and nothing waited for."""
        return (
            self.non_temp is None
            and self.temp is None
            and self.stored is None
            and self.movement is None
            and self.aborting is None
        )

    @property
    def current(self) -> EventRecord | None:
        """The temporary record if there is one, else the non-temporary."""
        return self.non_temp if self.temp is None else self.temp

    def records(self) -> list[EventRecord]:
        """All records that there are."""
        return [
            one for one in (self.temp, self.non_temp, self.stored, self.movement) if one is not None
        ]

    # -- refresh ------------------------------------------------------------------------

    def refresh(self) -> None:
        """Start of a pass: drop records that are over, restore the stored one (EVT-52)."""
        ped = self._ped
        if self.temp is not None and not self.temp.holds(ped):
            self._end(self.temp)
            self.temp = None
        if self.non_temp is not None and not self.non_temp.holds(ped):
            self._end(self.non_temp)
            self.non_temp = None
        if self.movement is not None and not self.movement.holds(ped):
            self._end(self.movement)
            self.movement = None
        task = self.aborting
        if task is not None and (task.is_deleted or task.has_finished or task.is_aborted):
            self.aborting = None
        if self.stored is not None and self.temp is None and self.non_temp is None:
            self._restore()

    def _restore(self) -> None:
        record, self.stored = self.stored, None
        assert record is not None
        if record.task_in(PRIMARY, _NONTEMP, self._ped) is not None:
            self.non_temp = record
            self._note(Reason.RESTORED, record)
        else:
            self._drop(record)

    def _end(self, record: EventRecord) -> None:
        self._note(Reason.RESPONSE_ENDED, record)
        self._ped.events.response_ended(record.event)

    # -- changes of a commit ------------------------------------------------------------

    def begin_physical(self, record: EventRecord) -> None:
        """A purely physical response: what it overlays is stored (EVT-65)."""
        before = self.non_temp
        if before is not None:
            if before.task_in(PRIMARY, _NONTEMP, self._ped) is not None:
                self._store(before)
            else:
                self._drop(before)
        self.drop_temp()
        self.non_temp = record

    def begin_temporary(self, record: EventRecord) -> None:
        """A temporary response: the non-temporary one is stored."""
        self.drop_temp()
        if self.non_temp is not None:
            self._store(self.non_temp)
            self.non_temp = None
        self.temp = record

    def begin_non_temporary(self, record: EventRecord) -> None:
        """A new intent: whatever else was answered is over."""
        self.drop_temp()
        for before in (self.non_temp, self.stored):
            if before is not None:
                self._drop(before)
        self.stored = None
        self.non_temp = record

    def begin_movement(self, record: EventRecord) -> None:
        """A movement of its own."""
        self.drop_movement()
        self.movement = record

    def drop_temp(self) -> None:
        """Forget the temporary record."""
        if self.temp is not None:
            record, self.temp = self.temp, None
            self._drop(record)

    def drop_movement(self) -> None:
        """Forget the movement record."""
        if self.movement is not None:
            record, self.movement = self.movement, None
            self._drop(record)

    def drop_record(self, record: EventRecord) -> None:
        """Forget a record wherever it is kept."""
        if self.temp is record:
            self.temp = None
        elif self.non_temp is record:
            self.non_temp = None
        elif self.stored is record:
            self.stored = None
        elif self.movement is record:
            self.movement = None
        self._drop(record)

    def record_of(self, tree: int, slot: int) -> EventRecord | None:
        """The record that wrote what stands in a slot now, or None."""
        for record in self.records():
            if record.task_in(tree, slot, self._ped) is not None:
                return record
        return None

    def wait_for(self, task: Task, step: int) -> None:
        """A task was asked to let go and has not."""
        if self.aborting is not task:
            self.aborting = task
            self.aborting_since = step
            self.aborting_reported = False

    def clear(self) -> None:
        """Forget all: the ped is removed, or became mirrored."""
        for record in self.records():
            self.drop_record(record)
        self.aborting = None

    def _store(self, record: EventRecord) -> None:
        if self.stored is not None and self.stored is not record:
            self._drop(self.stored)
        self.stored = record
        self._note(Reason.STORED, record)

    def _drop(self, record: EventRecord) -> None:
        self._note(Reason.DROPPED, record)
        self._ped.events.response_ended(record.event)

    def _note(self, reason: Reason, record: EventRecord) -> None:
        self._ped.events.trace.note(reason, record.event, self._ped)
