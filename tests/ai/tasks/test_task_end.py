"""Pairing, clean-up, end handling and deletion (TASK-22, 23, 44, 57, 58)."""

from __future__ import annotations

import gc
import sys
import threading
from typing import Any

import pytest

from ai.faults import faults
from ai.tasks.task import QUIT, AbortPriority, Outcome
from ai.tasks.task_deletion import delete_task
from ai.tasks.task_errors import TaskError, TaskFault, TaskOwnershipError
from ai.tasks.task_pool import TaskPool
from tests.ai.tasks.doubles import (
    STEP,
    FakePed,
    Log,
    MoveProbe,
    Probe,
    quit_now,
    run,
    tree_of,
    with_child,
)

A, B, C = Probe.State


def test_a_request_followed_by_quit_exits_the_entered_state() -> None:
    """TASK-22, combination 2: ``set_state(B)`` then ``return QUIT`` exits A and never touches B."""

    def update(task: Probe) -> object:
        task.set_state(B)
        return QUIT

    task = Probe(script={"updA": update})
    tree = tree_of()
    tree.set_task(task, 0)
    run(tree)
    assert task.log == ["P.enterA", "P.updA", "P.exitA", "P.clean", "P.deleted"]


def test_an_enter_that_quits_has_one_exit_and_one_clean_up() -> None:
    """TASK-22, combination 4: an enter that returned counts, also one returning ``QUIT``."""
    task = Probe(script={"enterA": quit_now})
    tree = tree_of()
    tree.set_task(task, 0)
    run(tree)
    assert task.log == ["P.enterA", "P.exitA", "P.clean", "P.deleted"]


@pytest.mark.expects_faults
def test_an_enter_that_raises_has_no_exit_and_one_clean_up(pool: TaskPool) -> None:
    """TASK-22, combination 3: it counts as not entered; nothing stays reserved."""

    def enter(task: Probe) -> None:
        task.set_new_task(Probe("C"))
        raise RuntimeError("half way")

    task = Probe(script={"enterA": enter})
    tree = tree_of()
    before = pool.used
    tree.set_task(task, 0)
    with pytest.raises(TaskFault):
        run(tree)
    assert task.log == ["P.enterA", "P.clean", "P.deleted"]
    assert pool.used == before - 1
    assert len(faults) == 1


@pytest.mark.parametrize(
    ("ends", "clean_ups"),
    [
        (("finish",), 1),
        (("abort", "delete"), 1),
        (("abort", "resume", "finish"), 2),
        (("abort", "resume", "abort", "delete"), 2),
        (("delete",), 1),
    ],
)
def test_clean_up_runs_once_per_activation(ends: tuple[str, ...], clean_ups: int) -> None:
    """TASK-23, combination 5: no double release, whatever follows what."""
    finishes: list[bool] = []
    task = Probe(script={"updA": lambda task: QUIT if finishes else None})
    tree = tree_of()
    tree.set_task(task, 1)
    run(tree)
    for end in ends:
        if end == "finish":
            finishes.append(True)
            run(tree)
        elif end == "abort":
            tree.set_task(Probe("H"), 0)
        elif end == "resume":
            tree.clear(0)
            run(tree)
        else:
            tree.clear(1)
    assert task.is_deleted
    assert task.log.count("P.clean") == clean_ups
    assert task.log.count("P.enterA") == task.log.count("P.exitA")


def test_a_task_that_was_never_updated_is_cleaned_up_once() -> None:
    """TASK-23: never updated, then deleted: one call."""
    task = Probe()
    task.discard()
    assert task.log == ["P.deleted", "P.clean"]


def test_a_clip_is_let_go_with_every_clean_up() -> None:
    """TASK-11: the helper is there in ``clean_up`` and gone after it."""
    seen: list[object] = []

    def clean(task: Probe) -> None:
        seen.append(task.clip)

    task = Probe(script={"clean": clean})
    tree = tree_of()
    tree.set_task(task, 1)
    run(tree)
    task.clip = "clip"
    tree.set_task(Probe("H"), 0)
    assert seen == ["clip"]
    assert task.clip is None


def test_a_root_that_quits_ends_its_chain_in_order(log: Log) -> None:
    """TASK-44: aborts leaf first, then clean-ups, then deletes root first (root, mid, leaf)."""
    low = Probe("L", log)
    mid = Probe("M", log, {"enterA": with_child(lambda: low)})

    def update(task: Probe) -> object:
        return QUIT if log.count("R.updA") == 2 else None

    tree = tree_of()
    tree.set_task(Probe("R", log, {"enterA": with_child(lambda: mid), "updA": update}), 0)
    run(tree)
    log.clear()
    log.append("R.updA")
    run(tree)
    assert log[1:] == [
        "R.updA",
        "R.exitA",
        *("M.ask", "L.ask", "L.do", "L.exitA", "L.clean", "M.do", "M.exitA", "M.clean"),
        "R.clean",
        *("R.deleted", "M.deleted", "L.deleted"),
    ]


def test_a_finished_task_keeps_its_child_until_it_is_deleted() -> None:
    """TASK-44: parent and results are there for the one update that reads them."""
    grandchild = Probe("G")
    child = Probe("C", script={"enterA": with_child(lambda: grandchild)})
    seen: list[object] = []

    def end_child(task: Probe) -> object:
        return QUIT if task.log.count("C.updA") == 2 else None

    child.script = {**child.script, "updA": end_child}

    def update(task: Probe) -> None:
        if task.child_finished:
            seen.append(task.child)
            assert task.child is not None
            seen.append(task.child.child)

    tree = tree_of()
    tree.set_task(Probe(script={"enterA": with_child(lambda: child), "updA": update}), 0)
    run(tree, 2)
    assert seen == [child, grandchild]


def test_end_handling_drops_the_pending_child() -> None:
    """TASK-44: a child registered in the update that quits is deleted."""
    pending = Probe("N")

    def update(task: Probe) -> object:
        task.set_new_task(pending)
        return QUIT

    tree = tree_of()
    tree.set_task(Probe(script={"updA": update}), 0)
    run(tree)
    assert pending.is_deleted


# -- deletion (TASK-57, TASK-58) --------------------------------------------------------


def test_a_deleted_task_has_no_links_and_no_slot(pool: TaskPool) -> None:
    """TASK-57: pool slot given back, parent, child, entity cut."""
    child = Probe("C")
    task = Probe(script={"enterA": with_child(lambda: child)})
    tree = tree_of()
    tree.set_task(task, 0)
    run(tree)
    used = pool.used
    tree.clear(0)
    assert pool.used == used - 2
    assert task.child is task.entity is task.tree is child.parent is child.entity is None


@pytest.mark.expects_faults
def test_deleting_twice_is_a_fault_without_effect(pool: TaskPool) -> None:
    """TASK-57: no second clean-up, no second slot given back."""
    task = Probe()
    delete_task(task)
    used = pool.used
    delete_task(task)
    assert pool.used == used
    assert task.log == ["P.deleted", "P.clean"]
    assert [fault.kind for fault in faults.all()] == ["deleted_twice"]


def test_a_deleted_task_is_refused_everywhere() -> None:
    """TASK-57: any tree call raises ``TaskOwnershipError``."""
    task = Probe()
    task.discard()
    with pytest.raises(TaskOwnershipError, match="deleted"):
        tree_of().set_task(task, 0)
    with pytest.raises(TaskOwnershipError, match="deleted"):
        task.discard()


def test_a_placed_task_can_not_be_discarded() -> None:
    """TASK-34: its tree ends it."""
    task = Probe()
    tree_of().set_task(task, 0)
    with pytest.raises(TaskOwnershipError, match="elsewhere"):
        task.discard()


@pytest.mark.expects_faults
@pytest.mark.parametrize("where", ["deleted", "clean"])
def test_a_deletion_completes_whatever_task_code_raises(where: str, pool: TaskPool) -> None:
    """TASK-57: the exception is recorded."""

    def fail(task: Probe) -> None:
        raise RuntimeError("broken")

    task = Probe(script={where: fail})
    task.discard()
    assert task.is_deleted
    assert pool.used == 0
    assert [fault.kind for fault in faults.all()] == ["task_exception"]


def test_a_reference_reads_none_once_the_task_is_deleted() -> None:
    """TASK-58: one object per task, made on first use."""
    task = Probe()
    ref = task.ref()
    assert task.ref() is ref
    assert ref.get() is task
    task.discard()
    assert ref.get() is None
    assert task.ref() is ref
    late = Probe()
    late.discard()
    assert late.ref().get() is None


def test_trees_are_deleted_on_their_own_thread_only() -> None:
    """TASK-02, TASK-04: strict: process and delete check the thread."""
    ped, task = FakePed(), Probe()
    raised: list[type[BaseException]] = []

    def other_thread() -> None:
        for action in (lambda: ped.step(), task.discard):
            try:
                action()
            except TaskError as error:
                raised.append(type(error))

    thread = threading.Thread(target=other_thread)
    thread.start()
    thread.join()
    assert raised == [TaskError, TaskError]


@pytest.mark.usefixtures("in_play")
def test_reference_counting_alone_frees_peds(pool: TaskPool) -> None:
    """TASK-57: ``gc.disable()``, 1000 peds spawned and removed: counts are back at the start."""

    def spawn_and_remove(count: int) -> None:
        for number in range(count):
            ped = FakePed(number)
            ped.primary.set_task(Probe(script={"enterA": with_child(Probe)}), 3)
            ped.tasks.set_task(2, MoveProbe(), 1)
            ped.step(2)
            ped.primary.abort_tasks(AbortPriority.URGENT)
            ped.tasks.close()

    gc.collect()
    gc.disable()
    try:
        spawn_and_remove(2500)  # fills the interpreter's free lists
        before: Any = (pool.used, sys.getallocatedblocks())
        spawn_and_remove(1000)
        after: Any = (pool.used, sys.getallocatedblocks())
    finally:
        gc.enable()
    assert after[0] == before[0] == 0
    assert after[1] < before[1] * 1.01


def test_the_outcome_of_a_cleared_task_is_cancelled() -> None:
    """TASK-24: cleared while running: aborted first."""
    task = Probe()
    tree = tree_of()
    tree.set_task(task, 0)
    run(tree)
    tree.clear(0)
    assert task.outcome is Outcome.CANCELLED
    assert task.time_running == pytest.approx(STEP)
