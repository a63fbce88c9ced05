"""Names, tree view and history (TASK-114 to TASK-116)."""

from __future__ import annotations

import pytest

from ai import settings
from ai.tasks.task import QUIT, SAME_STATE, AbortPriority, Task
from ai.tasks.task_pool import active_pool
from ai.tasks.task_text import TaskView, history_text, tree_text, tree_views
from ai.tasks.trees import MOTION, MOVEMENT, PRIMARY, SECONDARY
from tests.ai.tasks.doubles import (
    FakePed,
    MotionProbe,
    MoveProbe,
    Probe,
    fresh_type,
    run,
    tree_of,
    with_child,
)

A, B, C = Probe.State


def test_a_task_is_named_by_type_uid_and_state() -> None:
    """TASK-114: also after its deletion."""
    task = Probe()
    assert repr(task) == f"probe#{task.uid} A"
    task.discard()
    assert repr(task) == f"probe#{task.uid} deleted"


class Flee(Probe):
    task_type = fresh_type("flee")
    __slots__ = ()


class FollowOrder(Probe):
    task_type = fresh_type("follow_order")
    __slots__ = ()


def busy_ped() -> tuple[FakePed, list[Task]]:
    """Flee with a child in 2, an aborted order in 3, a default that never started."""
    ped = FakePed()
    order = FollowOrder("O", script={"updA": lambda task: task.set_state(B)})
    order.script = {**order.script, "after_abort": lambda task: C}
    ped.primary.set_task(order, 3)
    ped.step()
    child = Probe("C")
    flee = Flee("F", script={"enterA": with_child(lambda: child)})
    ped.primary.set_task(flee, 2)
    ped.step(4)
    return ped, [flee, child, order, *filter(None, ped.primary.slots[4:])]


def test_the_dump_shows_every_slot() -> None:
    """TASK-115: active, aborted with both states, never started, empty; times and indents."""
    ped, (flee, child, order, default) = busy_ped()
    assert tree_text(ped.tasks).splitlines() == [
        "ped#12 primary",
        " [0] physical         -",
        " [1] event_temp       -",
        f" [2] event_nontemp  * flee#{flee.uid} A 0.050/0.067",
        f"                        probe#{child.uid} A 0.050/0.067",
        f" [3] primary        a follow_order#{order.uid} (was B, resumes C)",
        f" [4] default        n do_nothing#{default.uid}",
        "ped#12 secondary",
        " [0] partial_anim     -",
        "ped#12 movement",
        " [0] event            -",
        " [1] general          -",
        " [2] default        * move_stand_still#2 RUNNING 0.067/0.083",
        "ped#12 motion",
        " [0] default          -",
    ]


def test_the_dump_names_flags_refusals_and_what_ends_on_resume() -> None:
    """TASK-115: flags, refusal of the last urgent abort, resume state."""
    ped = FakePed()
    task = Probe(refuses=(AbortPriority.URGENT,), script={"after_abort": lambda task: QUIT})
    ped.tasks.set_task(SECONDARY, task, 0)
    ped.step()
    active_pool().activate(step=41)
    assert not task.make_abortable(AbortPriority.URGENT)
    assert f"* probe#{task.uid} A 0.000/0.017 refused urgent in step 41" in tree_text(ped.tasks)
    task.make_abortable(AbortPriority.IMMEDIATE)
    assert f"* probe#{task.uid} (was A, quits)" in tree_text(ped.tasks)
    done = MoveProbe(duration=1)
    ped.tasks.set_task(MOVEMENT, done, 1)
    ped.step()
    assert f"move_probe#{done.uid} RUNNING 0.000/0.017 [HAS_FINISHED CLEANED]" in tree_text(
        ped.tasks
    )


def test_the_view_has_the_same_as_fields() -> None:
    """TASK-115: an inspector reads the structured form."""
    ped, (flee, child, _, _) = busy_ped()
    ped.tasks.set_task(MOTION, MotionProbe(), 0)
    views = tree_views(ped.tasks)
    assert [view.name for view in views] == ["primary", "secondary", "movement", "motion"]
    primary = views[PRIMARY]
    assert [(slot.number, slot.name, slot.mark) for slot in primary.slots] == [
        (0, "physical", " "),
        (1, "event_temp", " "),
        (2, "event_nontemp", "*"),
        (3, "primary", "a"),
        (4, "default", "n"),
    ]
    first, second = primary.slots[2].tasks
    assert first == TaskView(
        uid=flee.uid,
        name="flee",
        state="A",
        depth=0,
        time_in_state_s=flee.time_in_state,
        time_running_s=flee.time_running,
        flags=(),
        was="",
        resumes="",
        urgent_refused_in_step=-1,
        history=(),
    )
    assert (second.uid, second.depth) == (child.uid, 1)
    (waiting,) = primary.slots[3].tasks
    assert (waiting.was, waiting.resumes) == ("B", "C")
    assert waiting.history == ("  step 0: A -> B", "  step 0: B -> C")


def test_looking_changes_nothing() -> None:
    """TASK-115: the same text twice, and no address in it."""
    ped, _ = busy_ped()
    text = tree_text(ped.tasks)
    assert text == tree_text(ped.tasks)
    assert "0x" not in text


def test_the_history_keeps_the_last_nine_changes() -> None:
    """TASK-116: (step, from, to), oldest first; call stacks of the present step only."""
    tree = tree_of()
    task = Probe(
        script={
            "updA": lambda task: None if moved(task) else task.set_state(B),
            "updB": lambda task: None if moved(task) else task.set_state(A),
        }
    )
    step = 0

    def moved(task: Probe) -> bool:
        assert task.history is not None
        return any(change.step == step for change in task.history.changes)

    tree.set_task(task, 0)
    for step in range(1, 12):
        active_pool().activate(step)
        run(tree)
    assert task.history is not None
    assert [tuple(change) for change in task.history.changes] == [
        (number, *((A, B) if number % 2 else (B, A))) for number in range(3, 12)
    ]
    lines = history_text(task).splitlines()
    assert lines[:2] == [f"probe#{task.uid} B:", "  step 3: A -> B"]
    assert len(lines) == 1 + 9 + 1
    assert lines[-1].startswith("  asked by <lambda> (test_task_text.py:")


def test_an_abort_is_in_the_history_too() -> None:
    """TASK-116: it changes the state."""
    task = Probe(
        script={"updA": lambda task: task.set_state(B), "after_abort": lambda task: SAME_STATE}
    )
    tree = tree_of()
    tree.set_task(task, 0)
    run(tree)
    task.make_abortable(AbortPriority.URGENT)
    assert task.history is not None
    assert [tuple(change) for change in task.history.changes] == [(0, A, B), (0, B, B)]


@pytest.mark.usefixtures("in_play")
def test_without_strict_and_debug_no_history_is_kept() -> None:
    """TASK-116: off: ``history is None``; the dump goes without."""
    task = Probe()
    assert task.history is None
    assert history_text(task) == f"probe#{task.uid} A:"
    settings.debug = True
    try:
        assert Probe().history is not None
    finally:
        settings.debug = False
