"""State changes, timers, hooks and outcomes of one task (TASK-13 to TASK-19, TASK-24)."""

from __future__ import annotations

from typing import Any

import pytest

from ai.ports import at_least
from ai.tasks.task import QUIT, Outcome, Task
from ai.tasks.task_errors import TaskStateError
from ai.tasks.task_flags import SKIP_POST, SKIP_PRE, STATE_NONE
from ai.tasks.task_tree import TaskTree
from tests.ai.tasks.doubles import STEP, HookedProbe, Probe, fresh_type, run, tree_of

A, B, C = Probe.State


def placed(task: Task) -> TaskTree:
    tree = tree_of()
    tree.set_task(task, 0)
    return tree


def go(*states: int) -> Any:
    """Script entry: ask for these states, once."""
    left = list(states)

    def update(task: Probe) -> None:
        while left:
            task.set_state(left.pop(0))

    return update


# -- set_state (TASK-17, TASK-18) -------------------------------------------------------


def test_the_last_of_several_requests_wins() -> None:
    """TASK-17: ``set_state(B); set_state(C)`` from A: exit A, enter C, ``prev_state == A``."""
    task = Probe(script={"updA": go(B, C)})
    run(placed(task))
    assert task.log == ["P.enterA", "P.updA", "P.exitA", "P.enterC", "P.updC"]
    assert task.prev_state == A


def test_naming_the_entered_state_withdraws_the_request() -> None:
    """TASK-17, combination 1: ``set_state(B); set_state(A)``: nothing exits or enters, timer 0."""
    seen: list[float] = []

    def update(task: Probe) -> None:
        if len(task.log) == 3:
            task.set_state(B)
            task.set_state(A)
            seen.append(task.time_in_state)

    task = Probe(script={"updA": update})
    tree = placed(task)
    run(tree, 3)
    assert task.log == ["P.enterA", "P.updA", "P.updA", "P.updA"]
    assert seen == [0.0]
    assert task.time_in_state == pytest.approx(STEP)


def test_a_state_change_costs_no_time() -> None:
    """TASK-17: exit and enter follow in the same update."""
    task = Probe(script={"updA": go(B), "updB": go(C)})
    run(placed(task))
    assert task.log == [
        *("P.enterA", "P.updA", "P.exitA", "P.enterB"),
        *("P.updB", "P.exitB", "P.enterC", "P.updC"),
    ]


@pytest.mark.parametrize("where", ["enterA", "exitA", "do", "clean", "ask"])
def test_a_state_change_outside_update_is_refused(where: str) -> None:
    """TASK-18: enter, exit, abort and clean-up can't change the state; it stays unchanged."""
    refused: list[int] = []

    def attempt(task: Probe, *_: object) -> None:
        state = task.state
        with pytest.raises(TaskStateError, match="own update handler"):
            task.set_state(B)
        with pytest.raises(TaskStateError, match="own update handler"):
            task.restart_state()
        assert task.state == state
        refused.append(state)

    task = Probe(script={where: attempt})
    tree = placed(task)
    run(tree)
    tree.clear(0)
    assert refused


def test_hooks_can_not_change_the_state() -> None:
    """TASK-14, TASK-18: neither pre nor post may change state or register a child."""
    refused: list[str] = []

    def attempt(task: Probe, *_: object) -> None:
        with pytest.raises(TaskStateError):
            task.set_state(B)
        with pytest.raises(TaskStateError):
            task.set_new_task(Probe())
        refused.append(task.log[-1])

    run(placed(HookedProbe(script={"pre": attempt, "post": attempt})))
    assert refused == ["P.pre", "P.post"]


def test_a_child_can_not_change_its_parents_state_nor_the_parent_its_childs() -> None:
    """TASK-18: only the task's own update handler may."""
    refused: list[str] = []

    def update_child(task: Probe) -> None:
        assert task.parent is not None
        with pytest.raises(TaskStateError):
            task.parent.set_state(B)
        refused.append("parent")

    def update_parent(task: Probe) -> None:
        if task.child is not None:
            with pytest.raises(TaskStateError):
                task.child.set_state(B)
            refused.append("child")

    child = Probe("C", script={"updA": update_child})
    parent = Probe(script={"enterA": lambda task: task.set_new_task(child), "updA": update_parent})
    run(placed(parent))
    assert refused == ["child", "parent"]


def test_a_restart_is_one_exit_and_one_enter() -> None:
    """TASK-19: one ``restart_state()`` gives exactly one pair, not a loop."""

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 1:
            task.restart_state()

    task = Probe(script={"updA": update})
    tree = placed(task)
    run(tree, 2)
    assert task.log == ["P.enterA", "P.updA", "P.exitA", "P.enterA", "P.updA", "P.updA"]
    assert task.prev_state == A


# -- timers (TASK-16) -------------------------------------------------------------------


def test_timers_count_from_the_enter() -> None:
    """TASK-16: updates see 0.0, 1/60, 2/60; running 0.166667 after 10."""
    seen: list[float] = []
    task = Probe(script={"updA": lambda task: seen.append(task.time_in_state)})
    tree = placed(task)
    run(tree, 10)
    assert seen[:3] == [0.0, pytest.approx(1 / 60), pytest.approx(2 / 60)]
    assert task.time_running == pytest.approx(0.166667, abs=1e-6)
    assert task.time_running == pytest.approx(10 / 60, abs=1e-9)


def test_each_enter_sees_a_state_timer_of_zero() -> None:
    """TASK-16: set to 0 right before every enter: first, transition, restart, resume."""
    seen: list[float] = []

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 3:
            task.restart_state()
        elif task.log.count("P.updA") == 6:
            task.set_state(B)

    note = lambda task: seen.append(task.time_in_state)  # noqa: E731
    task = Probe(script={"updA": update, "enterA": note, "enterB": note})
    tree = placed(task)
    run(tree, 8)
    tree.set_task(Probe("Q", script={"updA": lambda task: QUIT}), 0)
    assert seen == [0.0, 0.0, 0.0]
    lower = Probe("R", script={"enterA": note})
    tree.set_task(lower, 1)
    run(tree, 3)
    higher = Probe("S", script={"updA": lambda task: QUIT})
    tree.set_task(higher, 0)
    run(tree)
    assert seen == [0.0] * 5


def test_running_time_spans_an_abort_but_does_not_grow_in_it() -> None:
    """TASK-16: ``time_running`` is never reset; ``time_in_state`` is, by the abort."""
    task = Probe()
    tree = tree_of()
    tree.set_task(task, 1)
    run(tree, 3)
    tree.set_task(Probe("H"), 0)
    assert task.time_in_state == 0.0
    run(tree, 5)
    assert task.time_running == pytest.approx(3 * STEP)
    tree.clear(0)
    run(tree)
    assert task.time_running == pytest.approx(4 * STEP)


def test_a_step_without_time_leaves_the_timers() -> None:
    """TASK-04: ``dt == 0`` is legal."""
    task = Probe()
    tree = placed(task)
    run(tree, 2)
    tree.process(0.0)
    assert task.log.count("P.updA") == 3
    assert task.time_running == pytest.approx(2 * STEP)


def test_comparisons_with_a_limit_follow_the_timer_rule() -> None:
    """TASK-16: 1.3 s of 1/60 steps are reached in the 79th update, which sees 78 steps."""
    seen: list[int] = []

    def update(task: Probe) -> None:
        if at_least(task.time_in_state, 1.3) and not seen:
            seen.append(task.log.count("P.updA"))

    tree = placed(Probe(script={"updA": update}))
    run(tree, 100)
    assert seen == [79]


# -- pre, post and animation flags (TASK-14, TASK-15) -----------------------------------


def test_pre_and_post_hooks_stand_around_the_rounds() -> None:
    """TASK-14: pre ahead of the very first enter, post after the child; once per update."""
    child = Probe("C")
    task = HookedProbe(script={"enterA": lambda task: task.set_new_task(child)})
    child.log = task.log
    tree = placed(task)
    run(tree, 2)
    assert task.log == [
        *("P.pre", "P.enterA", "P.updA", "C.enterA", "C.updA", "P.post"),
        *("P.pre", "P.updA", "C.updA", "P.post"),
    ]


def test_a_hook_that_skips_itself_is_called_once() -> None:
    """TASK-14: setting ``SKIP_PRE`` at its first call: once in 60 updates."""

    def skip(task: Probe) -> None:
        task.flags |= SKIP_PRE

    task = HookedProbe(script={"pre": skip})
    run(placed(task), 60)
    assert task.log.count("P.pre") == 1
    assert task.log.count("P.post") == 60


def test_a_cleared_skip_flag_brings_the_hook_back() -> None:
    """TASK-14: skipping lasts until the task clears the flag."""

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 3:
            task.flags &= ~SKIP_POST

    def skip(task: Probe) -> None:
        task.flags |= SKIP_POST

    task = HookedProbe(script={"post": skip, "updA": update})
    run(placed(task), 5)
    assert task.log.count("P.post") == 2


def test_quitting_from_the_first_pre_hook_runs_no_exit_and_one_clean_up() -> None:
    """TASK-14: the hook copes with ``entered == STATE_NONE``."""
    seen: list[int] = []

    def pre(task: Probe) -> object:
        seen.append(task.entered)
        return QUIT

    task = HookedProbe(script={"pre": pre})
    run(placed(task))
    assert seen == [STATE_NONE]
    assert task.log == ["P.pre", "P.clean", "P.deleted"]
    assert task.outcome is Outcome.SUCCEEDED


def test_the_pre_hook_runs_ahead_of_a_resumes_enter() -> None:
    """TASK-14: on a resume nothing is entered yet either; a QUIT gives one clean-up, no exit."""
    quits: list[bool] = []
    task = HookedProbe(script={"pre": lambda task: QUIT if quits else None})
    tree = tree_of()
    tree.set_task(task, 1)
    run(tree)
    tree.set_task(Probe("H"), 0)
    task.log.clear()
    quits.append(True)
    tree.clear(0)
    run(tree)
    assert task.log == ["P.pre", "P.clean", "P.deleted"]


def test_post_does_not_run_when_the_task_finished_earlier() -> None:
    """TASK-14: and a QUIT from post finishes with exit and clean-up."""
    early = HookedProbe("E", script={"updA": lambda task: QUIT})
    run(placed(early))
    assert "E.post" not in early.log
    late = HookedProbe("L", script={"post": lambda task: QUIT})
    run(placed(late))
    assert late.log == ["L.pre", "L.enterA", "L.updA", "L.post", "L.exitA", "L.clean", "L.deleted"]


def test_animation_flags_run_after_the_running_timer_and_before_the_rounds() -> None:
    """TASK-15, TASK-16: after ``time_running``, before ``time_in_state``, only where wanted."""

    class Posed(HookedProbe):
        task_type = fresh_type("posed")
        __slots__ = ("seen",)
        WANTS_ANIM_FLAGS = True

        def apply_animation_flags(self) -> None:
            self.act("flags")
            self.seen = (self.time_in_state, self.time_running)

    task = Posed()
    tree = placed(task)
    run(tree)
    assert task.log == ["P.pre", "P.flags", "P.enterA", "P.updA", "P.post"]
    assert task.seen == (0.0, pytest.approx(STEP))
    run(tree)
    assert task.seen == (0.0, pytest.approx(2 * STEP))


# -- outcomes (TASK-24) -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "outcome", "reason"),
    [
        (lambda task: QUIT, Outcome.SUCCEEDED, ""),
        (lambda task: task.succeed(), Outcome.SUCCEEDED, ""),
        (lambda task: task.fail("unreachable"), Outcome.FAILED, "unreachable"),
    ],
)
def test_a_task_ends_with_the_outcome_it_returns(end: Any, outcome: Outcome, reason: str) -> None:
    """TASK-24: bare QUIT means SUCCEEDED; the outcome stays readable on the dead task."""
    task = Probe(script={"updA": end})
    tree = placed(task)
    assert task.outcome is Outcome.NONE
    run(tree)
    assert (task.outcome, task.fail_reason) == (outcome, reason)


def test_a_failing_child_is_counted_once() -> None:
    """TASK-24, combination 26: "unreachable" is read once; the counter is 1 after 120 steps."""
    failures: list[str] = []

    def update(task: Probe) -> None:
        if task.child_finished:
            assert task.child is not None
            failures.append(task.child.fail_reason)

    task = Probe(
        script={
            "enterA": lambda task: task.set_new_task(
                Probe("C", script={"updA": lambda child: child.fail("unreachable")})
            ),
            "updA": update,
        }
    )
    run(placed(task), 120)
    assert failures == ["unreachable"]


def test_an_abort_cancels_and_a_resume_opens_the_outcome_again() -> None:
    """TASK-24: a success that arrives after a cancel is ignored."""
    task = Probe()
    tree = tree_of()
    tree.set_task(task, 1)
    run(tree)
    tree.set_task(Probe("H"), 0)
    assert task.outcome is Outcome.CANCELLED
    task.succeed()
    assert task.outcome is Outcome.CANCELLED
    tree.clear(0)
    run(tree)
    assert task.outcome is Outcome.NONE


def test_an_outcome_never_changes_after_the_end() -> None:
    """TASK-24: neither ``fail`` nor another abort rewrites it."""
    task = Probe(script={"updA": lambda task: task.succeed()})
    run(placed(task))
    task.fail("late")
    assert (task.outcome, task.fail_reason) == (Outcome.SUCCEEDED, "")
