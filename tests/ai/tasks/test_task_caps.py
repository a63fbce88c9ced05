"""Endless loops: round caps, dead-man, passes of the root loop (TASK-38, TASK-42, TASK-43)."""

from __future__ import annotations

import pytest

from ai.faults import faults
from ai.tasks.limits import ROUND_OF_LOOP_FAULT, ROUNDS_HARD_MAX
from ai.tasks.task import QUIT, Task
from ai.tasks.task_tree import TaskTree
from tests.ai.tasks.doubles import Log, Probe, fresh_type, quit_now, run, tree_of

A, B, C = Probe.State
TOGGLE = {
    "updA": lambda task: task.set_state(B),
    "updB": lambda task: task.set_state(A),
}

pytestmark = pytest.mark.expects_faults


def placed(task: Task) -> TaskTree:
    tree = tree_of()
    tree.set_task(task, 0)
    return tree


def counts(log: Log) -> tuple[int, int, int]:
    """Enters, updates and exits of a log."""
    return tuple(sum(word in line for line in log) for word in ("enter", "upd", "exit"))  # type: ignore[return-value]


def test_the_caps_follow_from_the_history_block() -> None:
    """TASK-42: 30 soft, 9 records of (80 - 4) // 8, hard 41."""
    assert (ROUND_OF_LOOP_FAULT, ROUNDS_HARD_MAX) == (40, 41)


def test_two_states_that_follow_each_other_for_ever_are_cut_off() -> None:
    """TASK-42: 41 enters, 40 updates, 40 exits, ends in A; then 82/81/81, in B."""
    task = Probe(script=TOGGLE)
    tree = placed(task)
    run(tree)
    assert counts(task.log) == (41, 40, 40)
    assert task.state == task.entered == A
    run(tree)
    assert counts(task.log) == (82, 81, 81)
    assert task.state == task.entered == B


def instant_children(log: Log) -> Probe:
    """A parent that registers a child for ever, each of which ends at once."""

    def register(task: Probe) -> None:
        if task.child is None or task.child_finished:
            task.set_new_task(Probe("C", log, {"updA": quit_now}))

    return Probe(script={"updA": register})


def test_a_child_that_ends_at_once_is_not_replaced_for_ever() -> None:
    """TASK-42: 40 children in step 1, 41 in each later step; the last is seen in the next step."""
    log: Log = []
    tree = placed(instant_children(log))
    run(tree)
    assert log.count("C.updA") == 40
    run(tree)
    assert log.count("C.updA") == 40 + 41
    run(tree)
    assert log.count("C.updA") == 40 + 41 + 41


def test_a_child_attached_in_the_last_round_waits_for_the_next_step() -> None:
    """TASK-42: after a cut the child is not updated if the last round was a transition."""
    log: Log = []
    made: list[Probe] = []

    def enter(task: Probe) -> None:
        made.append(Probe("C", log))
        task.set_new_task(made[-1])

    task = Probe(script=TOGGLE | {"enterA": enter, "enterB": enter})
    tree = placed(task)
    run(tree)
    assert len(made) == 41
    assert task.child is made[-1]
    assert log.count("C.enterA") == 0


def test_strict_reports_a_loop_with_history_and_call_stacks() -> None:
    """TASK-42: the fault of round 40 shows the nine changes of rounds 31 to 39 and who asked."""
    task = Probe(script=TOGGLE)
    run(placed(task))
    (fault,) = faults.of_kind("round_cap")
    assert "probe#" in fault.text
    history = fault.details[1].splitlines()
    assert len([line for line in history if "->" in line]) == 9
    assert len([line for line in history if "asked by" in line and "test_task_caps" in line]) == 9


@pytest.mark.usefixtures("in_play")
def test_in_play_a_class_is_reported_once_per_run() -> None:
    """TASK-42: one fault per class and run, however many tasks loop."""
    for _ in range(3):
        run(placed(Probe(script=TOGGLE)), 2)
    assert len(faults.of_kind("round_cap")) == 1


def test_the_dead_man_stops_a_chain_that_starts_over_for_ever() -> None:
    """TASK-43: R registers C, each C ends after 30 instant D: updates 1, 33, 965, one dump."""
    updates = {"R": 0, "C": 0, "D": 0}

    class Counting(Probe):
        task_type = fresh_type("counting")
        __slots__ = ("ended",)

        def pre_fsm(self, dt: float) -> None:
            updates[self.name] += 1

    def register_c(task: Probe) -> None:
        if task.child is None or task.child_finished:
            task.set_new_task(Counting("C", script={"updA": register_d}))

    def register_d(task: Counting) -> object:
        if task.child_finished:
            task.ended = getattr(task, "ended", 0) + 1
            if task.ended == 30:
                return QUIT
        if task.child is None or task.child_finished:
            task.set_new_task(Counting("D", script={"updA": quit_now}))
        return None

    tree = placed(Counting("R", script={"updA": register_c}))
    run(tree)
    assert updates == {"R": 1, "C": 33, "D": 965}
    (fault,) = faults.of_kind("dead_man")
    assert "counting#" in fault.details[0]
    run(tree)
    assert sum(updates.values()) == 2 * 999
    assert len(faults.of_kind("dead_man")) == 2


def test_after_the_dead_man_nothing_more_is_updated_in_that_call() -> None:
    """TASK-43: a response set meanwhile waits for the next step, and there is one dump only."""

    def child() -> Probe:
        return Probe("C", script={"updA": lambda task: grow(task)})

    def grow(task: Probe) -> object:
        if task.child is None or task.child_finished:
            task.set_new_task(Probe("D", script={"updA": quit_now}))
        return QUIT if task.log.count("C.updA") > 30 else None

    def update(task: Probe) -> None:
        if task.log.count("R.updA") == 1:
            tree.set_task(response, 0)
        if task.child is None or task.child_finished:
            task.set_new_task(child())

    tree, response = tree_of(), Probe("H")
    tree.set_task(Probe("R", script={"updA": update}), 1)
    run(tree)
    assert len(faults.of_kind("dead_man")) == 1
    assert tree.active_root is response
    assert response.log == []
    run(tree)
    assert response.log == ["H.enterA", "H.updA"]


def test_roots_that_place_each_other_for_ever_are_cut_off() -> None:
    """TASK-38: a root and a response that place each other anew: 30 passes, one fault."""
    log: Log = []
    tree = tree_of(2)

    def response(task: Probe) -> object:
        tree.set_task(Probe("L", log, {"updA": root}), 1)
        return QUIT

    def root(task: Probe) -> None:
        tree.set_task(Probe("H", log, {"updA": response}), 0)

    tree.set_task(Probe("L", log, {"updA": root}), 1)
    run(tree)
    assert (log.count("L.updA"), log.count("H.updA")) == (15, 15)
    (fault,) = faults.all()
    assert fault.kind == "root_passes"
