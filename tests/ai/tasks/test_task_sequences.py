"""Task lists and sequences (TASK-94, TASK-95)."""

from __future__ import annotations

from typing import Any

import pytest

from ai.ports import EntityKind, EntityRef
from ai.tasks.idle_tasks import DoNothing
from ai.tasks.task import Outcome, Task
from ai.tasks.task_errors import (
    SequenceError,
    SequenceTableFull,
    TaskCopyError,
    TaskListFull,
    TaskOwnershipError,
)
from ai.tasks.task_list import TaskList
from ai.tasks.task_pool import TaskPool
from ai.tasks.task_sequences import TaskSequences, UseSequence
from ai.tasks.trees import PRIMARY, PrimarySlot
from tests.ai.tasks.doubles import FakePed, Log, Probe, fresh_type, quit_now

SCRIPT = EntityRef(EntityKind.ORDER_SOURCE, 1, 1)
OTHER = SCRIPT._replace(slot=2)


class Step(Probe):
    """A probe that ends after a number of updates and can be copied."""

    task_type = fresh_type("sequence_step")
    __slots__ = ("left", "updates")
    PARAMS = ("name", "log", "updates")

    def __init__(self, name: str, log: Log, updates: int = 1) -> None:
        super().__init__(name, log)
        self.updates = updates
        self.left = abs(updates)

    def on_update_a(self, dt: float) -> Any:
        self.act("upd")
        self.left -= 1
        if self.left:
            return None
        return self.succeed() if self.updates > 0 else self.fail("tripped")


def stored(sequences: TaskSequences, *tasks: Task, script: EntityRef = SCRIPT) -> int:
    number = sequences.open(script)
    for task in tasks:
        sequences.append(number, task)
    sequences.close(number)
    return number


def perform(ped: FakePed, sequences: TaskSequences, number: int, **options: Any) -> UseSequence:
    task = sequences.perform(number, **options)
    ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    return task


# -- lists -------------------------------------------------------------------------------------


def test_a_list_holds_sixteen_tasks(pool: TaskPool, log: Log) -> None:
    """TASK-94: the 17th is deleted and the list unchanged; ``clear`` deletes all."""
    tasks = TaskList()
    for _ in range(16):
        tasks.append(Step("s", log))
    late = Step("late", log)
    with pytest.raises(TaskListFull, match="16"):
        tasks.append(late)
    assert late.is_deleted
    assert len(tasks) == 16
    assert pool.used == 16
    tasks.clear()
    assert (len(tasks), pool.used) == (0, 0)


def test_what_can_not_be_copied_is_refused_when_it_is_stored() -> None:
    """TASK-94, TASK-25: not later, when it is to run."""
    task = Probe("P")
    with pytest.raises(TaskCopyError):
        TaskList().append(task)
    assert task.is_deleted


def test_a_stored_task_belongs_to_its_list(ped: FakePed, log: Log) -> None:
    """TASK-94, TASK-34: in one place: neither a slot nor another list takes it."""
    tasks = TaskList()
    task = Step("s", log)
    tasks.append(task)
    with pytest.raises(TaskOwnershipError):
        ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    with pytest.raises(TaskOwnershipError):
        TaskList().append(task)
    assert not task.is_deleted
    copy = tasks.copy_of(0)
    assert copy is not task
    ped.tasks.set_task(PRIMARY, copy, PrimarySlot.PRIMARY)
    tasks.clear()


# -- the table of sequences ------------------------------------------------------------------------


def test_128_sequences_are_for_the_whole_game() -> None:
    """TASK-95: 128 ids, the 129th refused; a freed number serves again."""
    sequences = TaskSequences()
    numbers = [sequences.open(SCRIPT._replace(slot=slot)) for slot in range(128)]
    assert len(set(numbers)) == 128
    with pytest.raises(SequenceTableFull, match="128"):
        sequences.open(SCRIPT._replace(slot=500))
    sequences.clear(numbers[40])
    assert sequences.open(SCRIPT._replace(slot=500)) == numbers[40]


def test_misuse_is_an_error_and_changes_nothing(pool: TaskPool, log: Log) -> None:
    """TASK-95: nested open, closing an unopened one, performing an open, empty or unknown one."""
    sequences = TaskSequences()
    number = sequences.open(SCRIPT)
    for misuse in (
        lambda: sequences.open(SCRIPT),
        lambda: sequences.close(number + 1),
        lambda: sequences.perform(number),
        lambda: sequences.perform(99),
        lambda: sequences.clear(99),
        lambda: sequences.append(99, Step("lost", log)),
    ):
        with pytest.raises(SequenceError):
            misuse()
    assert sequences.open(OTHER) == number + 1
    sequences.close(number)
    with pytest.raises(SequenceError, match="empty"):
        sequences.perform(number)
    with pytest.raises(SequenceError, match="not open"):
        sequences.append(number, Step("late", log))
    assert pool.used == 0


def test_a_sequence_contains_no_sequence(pool: TaskPool, log: Log) -> None:
    """TASK-95, EVT-69: refused when it is appended."""
    sequences = TaskSequences()
    inner = stored(sequences, Step("s", log))
    outer = sequences.open(SCRIPT)
    with pytest.raises(SequenceError, match="contain"):
        sequences.append(outer, sequences.perform(inner))
    assert pool.used == 1


# -- performing ------------------------------------------------------------------------------------


def test_entries_run_as_copies_one_after_another(ped: FakePed, log: Log) -> None:
    """TASK-95: entry i is copied when it starts; the next begins in the step it ends."""
    sequences = TaskSequences()
    task = perform(ped, sequences, stored(sequences, Step("a", log, 2), Step("b", log)))
    ped.step()
    assert (task.progress, log) == (0, ["a.enterA", "a.upd"])
    ped.step()
    assert "b.upd" in log
    assert task.is_deleted
    assert task.outcome is Outcome.SUCCEEDED


def test_two_peds_progress_independently(log: Log) -> None:
    """TASK-95: each has its own index, and the entries themselves are never run."""
    sequences = TaskSequences()
    entries = [Step(name, log, 3) for name in "ab"]
    number = stored(sequences, *entries)
    peds = [FakePed(1), FakePed(2)]
    first = perform(peds[0], sequences, number)
    peds[0].step(3)
    second = perform(peds[1], sequences, number)
    peds[1].step()
    assert (first.progress, second.progress) == (1, 0)
    assert all(entry.time_running == 0.0 and entry.left == 3 for entry in entries)


def test_repeat_begins_again_at_0(ped: FakePed, log: Log) -> None:
    """TASK-95, combination 30: each round runs fresh copies."""
    sequences = TaskSequences()
    number = stored(sequences, Step("a", log, 2), Step("b", log, 2))
    task = perform(ped, sequences, number, repeat=True)
    seen = []
    for _ in range(8):
        ped.step()
        seen.append(task.progress)
    assert seen == [0, 1, 1, 0, 0, 1, 1, 0] or seen == [0, 1, 0, 1, 0, 1, 0, 1]
    assert log.count("a.enterA") >= 2


def test_an_interruption_keeps_the_index(ped: FakePed, log: Log) -> None:
    """TASK-95: interrupted in the second entry it resumes with index 1, not 0."""
    sequences = TaskSequences()
    number = stored(sequences, Step("a", log), Step("b", log, 9), Step("c", log))
    task = perform(ped, sequences, number)
    ped.step(3)
    assert task.progress == 1
    ped.tasks.set_task(PRIMARY, Probe("R", log, {"updA": quit_now}), PrimarySlot.PHYSICAL_RESPONSE)
    log.clear()
    ped.step(2)
    assert task.progress == 1
    assert "a.enterA" not in log
    assert "b.enterA" in log


def test_a_child_that_fails_ends_it_with_its_index(ped: FakePed, log: Log) -> None:
    """TASK-95: FAILED with the index and the reason."""
    sequences = TaskSequences()
    number = stored(sequences, Step("a", log), Step("b", log, -1), Step("c", log))
    task = perform(ped, sequences, number)
    ped.step()
    assert task.outcome is Outcome.FAILED
    assert task.fail_reason == "task 1: tripped"
    assert "c.enterA" not in log


def test_cleared_while_performed_it_is_freed_at_the_last_use(
    ped: FakePed, pool: TaskPool, log: Log
) -> None:
    """TASK-95, combination 30: marked; nobody new may begin; the running one goes on to its end."""
    sequences = TaskSequences()
    base = pool.used
    number = stored(sequences, Step("a", log, 2), Step("b", log, 2))
    task = perform(ped, sequences, number)
    ped.step()
    sequences.clear(number)
    assert len(sequences) == 1
    with pytest.raises(SequenceError):
        sequences.perform(number)
    with pytest.raises(SequenceError):
        sequences.clear(number)
    ped.step(3)
    assert task.outcome is Outcome.SUCCEEDED
    assert len(sequences) == 0
    assert pool.used == base


def test_a_full_pool_only_delays_the_next_entry(log: Log) -> None:
    """TASK-95, TASK-89: it is tried again in each update."""
    pool = TaskPool(slots=80, essential_reserve=64)
    pool.activate()
    ped = FakePed()
    sequences = TaskSequences()
    task = perform(ped, sequences, stored(sequences, Step("a", log)))
    fillers: list[Task] = []
    while pool.slots - pool.used > pool.essential_reserve:
        fillers.append(Probe())
    ped.step(3)
    assert not task.has_finished
    assert log == []
    fillers.pop().discard()
    ped.step()
    assert task.outcome is Outcome.SUCCEEDED


def test_waiting_fits_into_a_sequence(ped: FakePed) -> None:
    """TASK-95: wait 0.05 s, wait 0.05 s: six steps and the one that sees the end."""
    sequences = TaskSequences()
    task = perform(ped, sequences, stored(sequences, DoNothing(0.05), DoNothing(0.05)))
    ped.step(3)
    assert task.progress == 1
    ped.step(3)
    assert task.outcome is Outcome.SUCCEEDED
