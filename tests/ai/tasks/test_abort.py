"""The abort protocol and the resume that follows it (TASK-48 to TASK-56)."""

from __future__ import annotations

import sys
from enum import IntEnum
from typing import Any

import pytest

from ai.faults import faults
from ai.tasks.task import QUIT, SAME_STATE, AbortPriority, Outcome, Task
from ai.tasks.task_errors import AbortRefused, TreeBusyError
from ai.tasks.task_flags import STATE_NONE
from ai.tasks.task_tree import TaskTree
from tests.ai.tasks.doubles import (
    STEP,
    FakePed,
    HookedProbe,
    Log,
    Probe,
    fresh_type,
    quit_now,
    run,
    tree_of,
    with_child,
)

A, B, C = Probe.State
URGENT, IMMEDIATE = AbortPriority


def chain_of_three(log: Log, **leaf: Any) -> tuple[TaskTree, Probe]:
    """R over M over L in slot 1, all entered; the log is empty."""
    tree = tree_of()
    low = Probe("L", log, **leaf)
    mid = Probe("M", log, {"enterA": with_child(lambda: low)})
    root = Probe("R", log, {"enterA": with_child(lambda: mid)})
    tree.set_task(root, 1)
    run(tree)
    log.clear()
    return tree, root


def interrupted(task: Task, steps: int = 1) -> TaskTree:
    """A tree in which the task was aborted in slot 1 by one in slot 0."""
    tree = tree_of()
    tree.set_task(task, 1)
    run(tree, steps)
    tree.set_task(Probe("H"), 0)
    run(tree)
    return tree


def resume(tree: TaskTree) -> None:
    tree.clear(0)
    run(tree)


# -- asking and doing (TASK-49, TASK-50) ------------------------------------------------


def test_a_refusal_at_the_leaf_leaves_the_chain_as_it_was(log: Log) -> None:
    """TASK-49, combination 6: asks root, mid, leaf; nothing else runs, the next step is normal."""
    tree, root = chain_of_three(log, refuses=(URGENT,))
    before = [(task.flags, task.state, task.entered, task.time_in_state) for task in tree.chain()]
    assert not root.make_abortable(URGENT)
    assert log == ["R.ask", "M.ask", "L.ask"]
    after = [(task.flags, task.state, task.entered, task.time_in_state) for task in tree.chain()]
    assert after == before
    log.clear()
    run(tree)
    assert log == ["R.updA", "M.updA", "L.updA"]


def test_an_immediate_abort_asks_down_and_lets_go_up(log: Log) -> None:
    """TASK-49: ask root, mid, leaf; do, exit, clean leaf, then mid, then root."""
    _, root = chain_of_three(log, refuses=(URGENT,))
    assert root.make_abortable(IMMEDIATE)
    assert log == [
        *("R.ask", "M.ask", "L.ask"),
        *("L.do", "L.exitA", "L.clean"),
        *("M.do", "M.exitA", "M.clean"),
        *("R.do", "R.exitA", "R.clean"),
    ]


def test_an_aborted_task_is_ready_to_resume() -> None:
    """TASK-49 step 6: state, timers, outcome and flags after an abort."""
    task = Probe(script={"updA": lambda task: task.set_state(B), "after_abort": lambda task: C})
    interrupted(task, 3)
    assert (task.prev_state, task.state, task.entered) == (B, C, STATE_NONE)
    assert task.time_in_state == 0.0
    assert task.outcome is Outcome.CANCELLED
    assert task.is_aborted
    assert not task.in_abort


def test_the_event_reaches_every_task_of_the_chain(log: Log) -> None:
    """TASK-49: the same arguments all the way down."""
    tree, root = chain_of_three(log)
    root.make_abortable(URGENT, "fire")
    assert [task.events for task in tree.chain()] == [["fire"]] * 3  # type: ignore[attr-defined]


def test_an_aborted_or_finished_task_has_nothing_to_let_go_of(log: Log) -> None:
    """TASK-49 step 1: True, and nothing happens."""
    _, root = chain_of_three(log)
    assert root.make_abortable(URGENT)
    log.clear()
    assert root.make_abortable(IMMEDIATE)
    assert log == []
    finished = Probe("F", log, {"updA": quit_now})
    tree = tree_of()
    tree.set_task(finished, 0)
    run(tree)
    log.clear()
    assert finished.make_abortable(URGENT)
    assert log == []


def test_a_task_that_never_entered_stays_fresh(log: Log) -> None:
    """TASK-49 step 2: nobody is asked; it will start at state 0, not as resumed."""
    seen: list[bool] = []
    task = Probe("N", log, {"enterA": lambda task: seen.append(task.is_resuming)})
    tree = tree_of()
    tree.set_task(task, 1)
    assert task.make_abortable(IMMEDIATE)
    assert log == []
    assert not task.is_aborted
    run(tree)
    assert seen == [False]


def test_a_re_entered_abort_is_refused() -> None:
    """TASK-56: ``make_abortable`` on a task that is being aborted returns False."""
    answers: list[bool] = []

    def do(task: Probe) -> None:
        answers.append(task.make_abortable(IMMEDIATE))

    task = Probe(script={"do": do})
    interrupted(task)
    assert answers == [False]
    assert task.is_aborted


def test_no_handler_is_aborted_from_inside_itself() -> None:
    """TASK-37: neither the running task nor its chain lets go; nothing has changed."""
    answers: list[bool] = []

    def attempt(task: Probe) -> None:
        if not answers:
            answers.append(task.make_abortable(IMMEDIATE))
            answers.append(task.root.make_abortable(IMMEDIATE))

    child = Probe("C", script={"updA": attempt})
    root = Probe("R", script={"enterA": with_child(lambda: child)})
    tree = tree_of()
    tree.set_task(root, 1)
    run(tree, 2)
    assert answers == [False, False]
    assert root.log == ["R.enterA", "R.updA", "R.updA"]
    assert child.log == ["C.enterA", "C.updA", "C.updA"]


def test_a_parent_may_abort_its_child_and_the_child_not_its_parent() -> None:
    """TASK-26, TASK-37: what ``abort_previous_child`` needs is open, the way up is not."""
    answers: list[bool] = []

    def attempt(task: Probe) -> None:
        assert task.parent is not None
        if not answers:
            answers.append(task.parent.make_abortable(IMMEDIATE))

    def update(task: Probe) -> None:
        if task.log.count("M.updA") == 2:
            assert task.child is not None
            answers.append(task.child.make_abortable(URGENT))

    low = Probe("L", script={"updA": attempt})
    mid = Probe("M", script={"enterA": with_child(lambda: low), "updA": update})
    tree = tree_of()
    tree.set_task(Probe("R", script={"enterA": with_child(lambda: mid)}), 1)
    run(tree)
    assert answers == [False]
    assert mid.log == ["M.enterA", "M.updA", "M.ask"]
    run(tree)
    assert answers == [False, True]
    assert low.log[-5:] == ["L.do", "L.exitA", "L.clean", "L.enterA", "L.updA"]


@pytest.mark.expects_faults
def test_refusing_immediate_is_overridden_and_raised_in_strict_mode(log: Log) -> None:
    """TASK-50: the abort completes, a fault names the class, ``AbortRefused`` comes afterwards."""
    tree, root = chain_of_three(log, refuses=(URGENT, IMMEDIATE))
    with pytest.raises(AbortRefused, match=r"Probe\.should_abort"):
        root.make_abortable(IMMEDIATE)
    assert [task.is_aborted for task in tree.chain()] == [True] * 3
    assert [fault.kind for fault in faults.all()] == ["abort_refused"]


@pytest.mark.expects_faults
def test_a_replacement_over_a_refusing_task_is_complete_when_strict_raises() -> None:
    """TASK-50: the slot holds the new task although ``set_task`` raised."""
    tree = tree_of()
    old, new = Probe("O", refuses=(URGENT, IMMEDIATE)), Probe("N")
    tree.set_task(old, 0)
    run(tree)
    with pytest.raises(AbortRefused):
        tree.set_task(new, 0)
    assert tree.get_task(0) is new
    assert old.is_deleted
    run(tree)
    assert new.has_entered


@pytest.mark.expects_faults
@pytest.mark.usefixtures("in_play")
def test_refusing_immediate_is_only_a_fault_in_play(log: Log) -> None:
    """TASK-50: the abort completes and returns True."""
    _, root = chain_of_three(log, refuses=(URGENT, IMMEDIATE))
    assert root.make_abortable(IMMEDIATE)
    assert root.is_aborted
    assert len(faults) == 1


@pytest.mark.expects_faults
@pytest.mark.parametrize("where", ["ask", "do", "exitA", "clean"])
def test_an_exception_in_an_abort_does_not_stop_it(where: str, log: Log) -> None:
    """TASK-50: in ``should_abort`` it counts as yes; in any case the abort completes."""

    def fail(task: Probe) -> None:
        raise RuntimeError("broken")

    _, root = chain_of_three(log, script={where: fail})
    assert root.make_abortable(URGENT)
    assert log[-3:] == ["R.do", "R.exitA", "R.clean"]
    assert root.is_aborted
    (fault,) = faults.all()
    assert fault.kind == "task_exception"
    assert "broken" in fault.text


@pytest.mark.expects_faults
def test_an_after_abort_state_that_does_not_exist_is_a_fault() -> None:
    """TASK-52: the task resumes in state 0 instead."""
    task = Probe(script={"after_abort": lambda task: 42})
    tree = interrupted(task)
    assert [fault.kind for fault in faults.all()] == ["unknown_state"]
    resume(tree)
    assert task.state == A


def test_a_side_effect_free_answer_changes_nothing() -> None:
    """TASK-50, combination 7: asked urgent three steps running is as if never asked."""

    def trace(asked: bool) -> list[str]:
        log: Log = []
        tree, root = chain_of_three(log, refuses=(URGENT,))
        for _ in range(3):
            if asked:
                root.make_abortable(URGENT)
            run(tree)
        return [line for line in log if not line.endswith("ask")]

    assert trace(asked=True) == trace(asked=False)


# -- resuming (TASK-51 to TASK-53) ------------------------------------------------------


def test_an_aborted_root_stays_and_resumes() -> None:
    """TASK-51: it enters the after-abort state; ``prev_state`` names the interrupted one."""
    seen: list[tuple[bool, int]] = []
    task = Probe(
        script={
            "updA": lambda task: task.set_state(B),
            "enterC": lambda task: seen.append((task.is_resuming, task.prev_state)),
            "after_abort": lambda task: C,
        }
    )
    tree = interrupted(task)
    uid = task.uid
    assert tree.get_task(1) is task
    resume(tree)
    assert task.uid == uid
    assert seen == [(True, B)]
    assert not task.is_resuming
    assert task.log[-2:] == ["P.enterC", "P.updC"]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (lambda task: C, ["P.enterC", "P.updC"]),
        (lambda task: SAME_STATE, ["P.enterB", "P.updB"]),
        (lambda task: QUIT, ["P.deleted"]),
    ],
)
def test_the_three_kinds_of_after_abort_state(after: Any, expected: list[str]) -> None:
    """TASK-52: a state, the same state, or the end without any user code but the deletion."""
    task = Probe(script={"updA": lambda task: task.set_state(B), "after_abort": after})
    tree = interrupted(task)
    task.log.clear()
    resume(tree)
    assert task.log == expected


def test_quit_on_resume_ends_without_pre_hook_or_enter() -> None:
    """TASK-52, TASK-39 step 2: outcome CANCELLED, no second clean-up."""
    task = HookedProbe(script={"after_abort": lambda task: QUIT})
    tree = interrupted(task)
    task.log.clear()
    resume(tree)
    assert task.log == ["P.deleted"]
    assert task.outcome is Outcome.CANCELLED
    assert tree.get_task(1) is None


def old_child_after_resume(on_resume: Any) -> tuple[Log, Probe]:
    log: Log = []

    def enter(task: Probe) -> None:
        if task.is_resuming:
            on_resume(task)
        else:
            task.set_new_task(Probe("old", log))

    root = Probe("root", log, {"enterA": enter})
    tree = interrupted(root)
    log.clear()
    resume(tree)
    return log, root


def test_a_resume_that_registers_a_child_deletes_the_old_one() -> None:
    """TASK-53: without a second abort: root.enter, old.deleted, root.update, new.enter."""
    log, _ = old_child_after_resume(lambda task: task.set_new_task(Probe("new", task.log)))
    assert log == ["root.enterA", "old.deleted", "root.updA", "new.enterA", "new.updA"]


def test_a_resume_that_keeps_the_child_resumes_it() -> None:
    """TASK-53: root.enter, root.update, old.enter (resuming)."""
    log, root = old_child_after_resume(lambda task: task.keep_child())
    assert log == ["root.enterA", "root.updA", "old.enterA", "old.updA"]
    assert root.child is not None
    assert not root.child.is_aborted


def test_a_resume_without_either_removes_the_child() -> None:
    """TASK-53, combination 15: the stale child never resumes by accident."""
    log, root = old_child_after_resume(lambda task: None)
    assert log == ["root.enterA", "old.deleted", "root.updA"]
    assert root.child is None


def test_every_class_resumes_from_every_state() -> None:
    """TASK-52: abort and resume in each reachable state; enters and exits stay paired."""
    for state in Probe.State:
        task = Probe(
            script={
                "updA": lambda task, state=state: task.set_state(state),
                "after_abort": lambda task: SAME_STATE,
            }
        )
        tree = interrupted(task)
        resume(tree)
        assert task.has_entered
        letter = state.name
        assert task.log.count(f"P.enter{letter}") == 2
        assert task.log.count(f"P.exit{letter}") == 1


# -- deleting on abort, bulk abort, flushing (TASK-54, TASK-55) -------------------------


def test_a_root_that_allows_it_is_deleted_by_its_aborter(ped: FakePed) -> None:
    """TASK-54: slot empty, one clean-up; in the default slot it is kept."""
    may = {"may_delete": lambda task: True}
    root, default = Probe("R", script=may), Probe("D", script=may)
    ped.primary.set_task(default, 4)
    ped.primary.set_task(root, 2)
    ped.step()
    assert ped.primary.abort_tasks(URGENT, delete=True)
    assert ped.primary.get_task(2) is None
    assert root.log.count("R.clean") == 1
    assert root.is_deleted
    assert ped.primary.get_task(4) is default


def test_a_root_that_does_not_allow_it_is_kept() -> None:
    """TASK-54: it waits in its slot, aborted."""
    tree = tree_of()
    task = Probe()
    tree.set_task(task, 0)
    run(tree)
    tree.abort_tasks(URGENT, delete=True)
    assert tree.get_task(0) is task
    assert task.is_aborted


def test_a_bulk_abort_asks_downwards_and_says_whether_all_agreed() -> None:
    """TASK-55: from the given slot on; True always for IMMEDIATE."""
    tree = tree_of()
    stubborn = Probe("S", refuses=(URGENT,))
    tree.set_task(stubborn, 2)
    run(tree)
    assert not tree.abort_tasks(URGENT)
    assert tree.abort_tasks(URGENT, from_slot=3)
    assert not stubborn.is_aborted
    assert tree.abort_tasks(IMMEDIATE)
    assert stubborn.is_aborted


def test_a_running_task_can_not_abort_its_own_tree() -> None:
    """TASK-37, TASK-55: it would let go of itself from inside its handler."""
    tree = tree_of()

    def update(task: Probe) -> None:
        with pytest.raises(TreeBusyError):
            tree.abort_tasks(IMMEDIATE)
        tree.abort_tasks(IMMEDIATE, from_slot=3)

    task = Probe(script={"updA": update})
    tree.set_task(task, 2)
    run(tree)
    assert task.has_entered


def test_a_flush_ends_all_roots_and_fills_nothing(ped: FakePed) -> None:
    """TASK-55: all roots are aborted immediate and deleted, the default slot stays empty."""
    tasks = [Probe(str(slot), refuses=(URGENT,)) for slot in range(4)]
    for slot in (3, 2, 1, 0):
        ped.primary.set_task(tasks[slot], slot)
        ped.step()
    ped.primary.flush_immediately()
    assert ped.primary.slots == [None] * 5
    assert all(task.is_deleted for task in tasks)
    assert [task.log.count(f"{task.name}.clean") for task in tasks] == [1] * 4


def test_a_flush_from_a_running_task_waits_for_the_end_of_the_phase(ped: FakePed) -> None:
    """TASK-37: queued until the AI phase ends."""
    task = Probe(script={"updA": lambda task: ped.primary.flush_immediately()})
    ped.primary.set_task(task, 3)
    ped.step()
    assert task.has_entered
    ped.tasks.run_queued_flushes()
    assert task.is_deleted
    assert ped.primary.slots == [None] * 5
    ped.tasks.run_queued_flushes()


@pytest.mark.usefixtures("in_play")
def test_an_abort_allocates_nothing_that_stays() -> None:
    """TASK-56: abort and resume of a chain a thousand times leave the block count where it was."""

    class Silent(Task):
        task_type = fresh_type("silent")
        __slots__ = ("below",)

        class State(IntEnum):
            A = 0

        def __init__(self, below: int) -> None:
            super().__init__()
            self.below = below

        def on_enter_a(self) -> None:
            if self.is_resuming:
                self.keep_child()
            elif self.below:
                self.set_new_task(Silent(self.below - 1))

        def on_update_a(self, dt: float) -> None: ...

    tree = tree_of()
    root = Silent(3)
    tree.set_task(root, 0)
    run(tree)

    def again(times: int) -> None:
        for _ in range(times):
            root.make_abortable(URGENT)
            tree.process(STEP)

    again(10)
    before = sys.getallocatedblocks()
    again(1000)
    assert sys.getallocatedblocks() - before < 16
