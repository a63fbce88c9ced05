"""Children: registering, keeping, displacing; the rounds of an update (TASK-20, TASK-39)."""

from __future__ import annotations

from typing import Any

import pytest

from ai.tasks.new_task_event import NewTaskEvent
from ai.tasks.task import QUIT, AbortPriority, Task
from ai.tasks.task_errors import TaskOwnershipError, TaskPlacementError, TaskStateError
from ai.tasks.task_pool import TaskPool
from ai.tasks.task_tree import TaskTree
from tests.ai.tasks.doubles import (
    STEP,
    HookedProbe,
    Log,
    MotionProbe,
    MoveProbe,
    Probe,
    fresh_type,
    quit_now,
    run,
    tree_of,
    with_child,
)

A, B, C = Probe.State


def placed(task: Task) -> TaskTree:
    tree = tree_of()
    tree.set_task(task, 0)
    return tree


def lasting(name: str, log: Log, updates: int) -> Probe:
    """A child that quits in its n-th update."""
    return Probe(
        name,
        log,
        {"updA": lambda task: QUIT if log.count(f"{name}.updA") == updates else None},
    )


class Walker(Probe):
    """P of the table in TASK-39: A's child X lasts 2 updates, B's child Y lasts 3."""

    task_type = fresh_type("walker")
    __slots__ = ("times",)

    def __init__(self, log: Log) -> None:
        super().__init__("P", log)
        self.times: list[float] = []

    def on_enter_a(self) -> None:
        self.act("enterA")
        self.set_new_task(lasting("X", self.log, 2))

    def on_update_a(self, dt: float) -> None:
        self.act("updA")
        if self.child_finished:
            self.set_state(B)

    def on_enter_b(self) -> None:
        self.act("enterB")
        self.set_new_task(lasting("Y", self.log, 3))

    def on_update_b(self, dt: float) -> Any:
        self.act("updB")
        self.times.append(self.time_in_state)
        return QUIT if self.child_finished else None


def test_the_table_of_one_update_step_by_step(log: Log) -> None:
    """TASK-39, TASK-41, TASK-45: the worked log of four steps."""
    task = Walker(log)
    tree = placed(task)
    run(tree)
    assert log == ["P.enterA", "P.updA", "X.enterA", "X.updA"]
    log.clear()
    log.append("X.updA")
    run(tree)
    assert log[1:] == [
        *("P.updA", "X.updA", "X.exitA", "X.clean", "P.updA", "P.exitA", "P.enterB"),
        *("X.deleted", "P.updB", "Y.enterA", "Y.updA"),
    ]
    del log[:-1]
    run(tree)
    assert log[1:] == ["P.updB", "Y.updA"]
    run(tree)
    assert log[3:] == [
        *("P.updB", "Y.updA", "Y.exitA", "Y.clean", "P.updB"),
        *("P.exitB", "P.clean", "P.deleted", "Y.deleted"),
    ]
    assert task.times == [0.0, *(pytest.approx(steps * STEP) for steps in (1, 2, 2))]


# -- registration (TASK-20) -------------------------------------------------------------


def test_of_two_registrations_in_one_enter_the_second_is_attached(pool: TaskPool) -> None:
    """TASK-20: the first object's clean-up ran once, the second is attached, pool count +1 net."""
    first, second = Probe("1"), Probe("2")

    def enter(task: Probe) -> None:
        task.set_new_task(first)
        task.set_new_task(second)

    task = Probe(script={"enterA": enter})
    tree = placed(task)
    before = pool.used - 2
    run(tree)
    assert first.log == ["1.deleted", "1.clean"]
    assert task.child is second
    assert pool.used == before + 1


def test_none_drops_the_pending_child() -> None:
    """TASK-20: ``set_new_task(None)`` deletes the registered task."""
    child = Probe("C")

    def enter(task: Probe) -> None:
        task.set_new_task(child)
        task.set_new_task(None)

    task = Probe(script={"enterA": enter})
    run(placed(task))
    assert task.child is None
    assert child.is_deleted


def test_the_same_pending_child_again_changes_nothing() -> None:
    """TASK-20: registering what is registered already keeps it."""
    child = Probe("C")

    def enter(task: Probe) -> None:
        task.set_new_task(child)
        task.set_new_task(child)

    task = Probe(script={"enterA": enter})
    run(placed(task))
    assert task.child is child


def test_a_child_that_belongs_elsewhere_is_refused_and_pending_stays() -> None:
    """TASK-20, TASK-34: current, owned, deleted and finished ones raise, pending stays."""
    elsewhere = Probe("E")
    tree_of().set_task(elsewhere, 0)
    deleted = Probe("D")
    deleted.discard()
    finished = Probe("F", script={"updA": quit_now})
    run(placed(finished))
    pending = Probe("N")
    seen: list[Task | None] = []

    def update(task: Probe) -> None:
        if task.log.count("P.updA") != 2:
            return
        task.set_new_task(pending)
        for wrong in (task.child, elsewhere, deleted, finished, task, pending.parent):
            with pytest.raises(TaskOwnershipError):
                task.set_new_task(wrong)
            seen.append(task.pending)

    task = Probe(script={"enterA": with_child(lambda: Probe("C")), "updA": update})
    run(placed(task), 2)
    assert seen == [pending] * 6
    assert not elsewhere.is_deleted
    assert task.child is pending


@pytest.mark.parametrize("where", ["exitA", "do", "clean"])
def test_a_registration_in_another_hook_is_refused_and_the_task_deleted(where: str) -> None:
    """TASK-20: ``TaskStateError``; the passed task is deleted."""
    offered: list[Probe] = []

    def attempt(task: Probe, *_: object) -> None:
        child = Probe("C")
        with pytest.raises(TaskStateError):
            task.set_new_task(child)
        offered.append(child)

    task = Probe(script={where: attempt})
    tree = placed(task)
    run(tree)
    tree.clear(0)
    assert [child.is_deleted for child in offered] == [True]


def test_remove_child_ends_the_child_without_a_successor() -> None:
    """TASK-20: it is aborted and deleted in this round, a pending one is dropped."""
    child = Probe("C")
    unwanted = Probe("U")

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 2:
            task.set_new_task(unwanted)
            task.remove_child()

    task = Probe(script={"enterA": with_child(lambda: child), "updA": update})
    run(placed(task), 2)
    assert task.child is None
    assert child.log == ["C.enterA", "C.updA", "C.ask", "C.do", "C.exitA", "C.clean", "C.deleted"]
    assert unwanted.is_deleted


def test_a_movement_task_can_not_be_a_child_in_the_primary_tree() -> None:
    """TASK-71: nor a motion task; the passed task is deleted, the parent goes on."""
    offered: list[Task] = []

    def enter(task: Probe) -> None:
        for wrong in (MoveProbe(), MotionProbe()):
            with pytest.raises(TaskPlacementError):
                task.set_new_task(wrong)
            offered.append(wrong)

    task = Probe(script={"enterA": enter})
    run(placed(task))
    assert all(child.is_deleted for child in offered)
    assert task.child is None


# -- keeping a child over a transition (TASK-21) ----------------------------------------


def test_a_kept_child_lives_through_one_transition() -> None:
    """TASK-21: A to B with keep: the same child goes on and its ``time_running`` with it."""

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 3:
            task.keep_child()
            task.set_state(B)

    child = Probe("C")
    task = Probe(script={"enterA": with_child(lambda: child), "updA": update})
    tree = placed(task)
    run(tree, 4)
    assert task.state == B
    assert task.child is child
    assert child.time_running == pytest.approx(4 * STEP)
    assert child.log == ["C.enterA", *["C.updA"] * 4]


@pytest.mark.parametrize("where", ["exitA", "enterB"])
def test_exit_and_enter_may_keep_the_child_too(where: str) -> None:
    """TASK-21: legal in update, exit and enter."""
    child = Probe("C")
    task = Probe(
        script={
            "enterA": with_child(lambda: child),
            "updA": lambda task: task.set_state(B) if task.child else None,
            where: lambda task: task.keep_child(),
        }
    )
    run(placed(task), 2)
    assert task.state == B
    assert task.child is child


def test_keeping_covers_one_transition_only() -> None:
    """TASK-21: A to B to C in one step with keep asked at A: the child is gone in C."""
    child = Probe("C")

    def update_a(task: Probe) -> None:
        if task.child is not None:
            task.keep_child()
            task.set_state(B)

    task = Probe(
        script={
            "enterA": with_child(lambda: child),
            "updA": update_a,
            "updB": lambda task: task.set_state(C),
        }
    )
    run(placed(task))
    assert task.state == C
    assert task.child is None
    assert child.is_deleted


def test_without_keep_a_transition_drops_pending_and_child() -> None:
    """TASK-21: pending before enter; the child if enter registers none."""
    child, pending = Probe("C"), Probe("N")

    def update(task: Probe) -> None:
        if task.child is not None:
            task.set_new_task(pending)
            task.set_state(B)

    seen: list[bool] = []
    task = Probe(
        script={
            "enterA": with_child(lambda: child),
            "updA": update,
            "enterB": lambda task: seen.append(pending.is_deleted),
        }
    )
    run(placed(task))
    assert seen == [True]
    assert task.child is None
    assert child.is_deleted


def test_keep_saves_the_pending_child_as_well() -> None:
    """TASK-21: child and pending survive; pending then replaces the child."""
    child, pending = Probe("C"), Probe("N")

    def update(task: Probe) -> None:
        if task.child is child:
            task.set_new_task(pending)
            task.keep_child()
            task.set_state(B)

    task = Probe(script={"enterA": with_child(lambda: child), "updA": update})
    run(placed(task))
    assert task.child is pending
    assert child.is_deleted


def test_a_finished_child_is_removed_although_kept() -> None:
    """TASK-21, combination 13: keep does not keep what is over."""

    def update(task: Probe) -> None:
        if task.child_finished:
            task.keep_child()
            task.set_state(B)

    task = Probe(
        script={"enterA": with_child(lambda: Probe(script={"updA": quit_now})), "updA": update}
    )
    run(placed(task))
    assert task.state == B
    assert task.child is None
    assert not task.child_finished


def test_a_keep_without_a_transition_does_not_leak() -> None:
    """TASK-21, combination 14: neither into a later round nor into the next step."""
    child = Probe("C")

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 1:
            task.keep_child()
        elif task.log.count("P.updA") == 2:
            task.set_state(B)

    task = Probe(script={"enterA": with_child(lambda: child), "updA": update})
    run(placed(task), 2)
    assert task.child is None
    assert child.is_deleted


def test_keep_child_is_legal_in_handlers_only() -> None:
    """TASK-21: elsewhere it raises."""
    with pytest.raises(TaskStateError):
        Probe().keep_child()


# -- finished children (TASK-41) --------------------------------------------------------


def test_a_finished_child_is_seen_in_the_same_step_and_once() -> None:
    """TASK-41: the flag is true in exactly one update; a parent that ignores it keeps no child."""
    seen: list[tuple[bool, bool]] = []
    task = Probe(
        script={
            "enterA": with_child(lambda: Probe(script={"updA": quit_now})),
            "updA": lambda task: seen.append((task.child is not None, task.child_finished)),
        }
    )
    run(placed(task), 2)
    assert seen == [(True, False), (True, True), (False, False)]


# -- displacing a child (TASK-40) -------------------------------------------------------


class RagdollProbe(Probe):
    task_type = fresh_type("ragdoll_probe")
    __slots__ = ()
    is_ragdoll_behaviour = True


@pytest.mark.parametrize("successor", [Probe, RagdollProbe])
def test_a_displaced_child_is_told_what_takes_over(successor: type[Probe]) -> None:
    """TASK-40: a ragdoll child sees whether another ragdoll follows."""
    old = RagdollProbe("R")
    new = successor("N")

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 2:
            task.set_new_task(new)

    run(placed(Probe(script={"enterA": with_child(lambda: old), "updA": update})), 2)
    (notice,) = old.events
    assert isinstance(notice, NewTaskEvent)
    assert notice.new_is_ragdoll is (successor is RagdollProbe)
    assert notice.new_type is successor.task_type
    assert (notice.event_type, notice.priority) == (150, 1400)


def test_a_child_that_refuses_urgent_is_asked_once_more() -> None:
    """TASK-40: urgent refusal is followed by one immediate call with the same event."""
    events: list[object] = []

    class Stubborn(Probe):
        task_type = fresh_type("stubborn")
        __slots__ = ()

        def should_abort(self, priority: AbortPriority, event: object) -> bool:
            events.append(event)
            return super().should_abort(priority, event)

    old = Stubborn("O", refuses=(AbortPriority.URGENT,))

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 2:
            task.set_new_task(Probe("N"))

    run(placed(Probe(script={"enterA": with_child(lambda: old), "updA": update})), 2)
    assert old.asked == [AbortPriority.URGENT, AbortPriority.IMMEDIATE]
    assert events[0] is events[1]
    assert old.is_deleted


def test_a_finished_child_is_replaced_without_an_abort() -> None:
    """TASK-40: a finished child is deleted without being asked."""
    old = Probe("O", script={"updA": quit_now})

    def update(task: Probe) -> None:
        if task.child_finished:
            task.set_new_task(Probe("N"))

    run(placed(Probe(script={"enterA": with_child(lambda: old), "updA": update})))
    assert old.asked == []
    assert old.is_deleted


def test_an_own_abort_previous_child_is_called_in_its_place() -> None:
    """TASK-26, TASK-40: the point may be overridden; the kernel still ends the old child."""

    class Gentle(Probe):
        task_type = fresh_type("gentle")
        __slots__ = ()

        def abort_previous_child(self, new: Task) -> None:
            self.act("replace")

    old = Probe("O")

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 2:
            task.set_new_task(Probe("N"))

    task = Gentle(script={"enterA": with_child(lambda: old), "updA": update})
    run(placed(task), 2)
    assert task.log.count("P.replace") == 1
    assert old.log[-5:] == ["O.ask", "O.do", "O.exitA", "O.clean", "O.deleted"]
    finished = Probe("O", script={"updA": quit_now})
    heir = Gentle(script={"enterA": with_child(lambda: finished), "updA": replace_finished})
    run(placed(heir), 2)
    assert finished.is_deleted
    assert "P.replace" not in heir.log


def replace_finished(task: Probe) -> None:
    """Script entry: a new child in place of a finished one."""
    if task.child_finished:
        task.set_new_task(Probe("N"))


def test_on_new_child_runs_right_after_the_attachment() -> None:
    """TASK-26: before the child is updated."""
    log: Log = []

    class Host(HookedProbe):
        task_type = fresh_type("host")
        __slots__ = ()

        def on_new_child(self, child: Task) -> None:
            assert self.child is child
            assert child.parent is self
            self.act("new child")

    run(placed(Host("H", log, {"enterA": with_child(lambda: Probe("C", log))})))
    assert log == [
        *("H.pre", "H.enterA", "H.new child", "H.updA"),
        *("C.enterA", "C.updA", "H.post"),
    ]
