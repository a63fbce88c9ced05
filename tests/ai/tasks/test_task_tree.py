"""Slots of a tree: setting, clearing, the root loop, queries (TASK-34 to 38, 46, 47)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ai.faults import faults
from ai.tasks.task import QUIT, Task
from ai.tasks.task_errors import TaskFault, TaskOwnershipError, TreeBusyError
from ai.tasks.task_flags import HAS_FINISHED
from ai.tasks.task_pool import TaskPool
from ai.tasks.task_tree import SetTaskResult, TaskTree
from tests.ai.tasks.doubles import (
    STEP,
    FakePed,
    Log,
    Probe,
    fresh_type,
    quit_now,
    run,
    tree_of,
    with_child,
)

A, B, C = Probe.State


# -- slots (TASK-34, TASK-35) -----------------------------------------------------------


@pytest.mark.parametrize("slots", [0, 6])
def test_a_tree_has_one_to_five_slots(slots: int) -> None:
    """TASK-34: 0 or more than 5 slots raise ``ValueError``."""
    with pytest.raises(ValueError, match="1 to 5"):
        tree_of(slots)
    assert len(tree_of(5).slots) == 5


@pytest.mark.parametrize("slot", [-1, 3])
def test_a_slot_out_of_range_names_tree_and_entity(slot: int) -> None:
    """TASK-34: ``IndexError``; the task is untouched."""
    task = Probe()
    with pytest.raises(IndexError, match=r"ped#12 side.*slot"):
        tree_of(3, "side").set_task(task, slot)
    assert not task.is_deleted
    assert task.log == []


def test_a_task_is_in_one_place_only() -> None:
    """TASK-34: a task in a slot, or owned as a child, is refused elsewhere and untouched."""
    child = Probe("C")
    task = Probe(script={"enterA": with_child(lambda: child)})
    tree, other = tree_of(), tree_of()
    tree.set_task(task, 2)
    run(tree)
    for owned in (task, child):
        with pytest.raises(TaskOwnershipError, match="in use elsewhere"):
            other.set_task(owned, 0)
        with pytest.raises(TaskOwnershipError, match="in use elsewhere"):
            tree.set_task(owned, 3)
        assert not owned.is_deleted


def test_only_the_active_chain_is_updated() -> None:
    """TASK-35: roots in slots 1 and 3: 60 steps, the lower one's ``time_running`` unchanged."""
    low, high = Probe("L"), Probe("H")
    tree = tree_of()
    tree.set_task(low, 3)
    run(tree)
    tree.set_task(high, 1)
    running = low.time_running
    run(tree, 60)
    assert low.time_running == running
    assert tree.active_slot == 1
    assert tree.active_root is high
    tree.clear(1)
    assert tree.active_slot == 3
    tree.clear(3)
    assert tree.active_slot is None
    run(tree)


# -- setting and clearing (TASK-36) -----------------------------------------------------


def stacked() -> tuple[TaskTree, Probe, Probe, Probe]:
    """Wander in 4, order in 3, flee in 1, set in this order; all started but flee."""
    tree = tree_of()
    wander, order, flee = Probe("W"), Probe("O"), Probe("F")
    tree.set_task(wander, 4)
    run(tree)
    tree.set_task(order, 3)
    run(tree)
    tree.set_task(flee, 1)
    return tree, wander, order, flee


def test_setting_a_task_aborts_what_is_below_and_keeps_it() -> None:
    """TASK-36: both lower roots are aborted, uids unchanged."""
    tree, wander, order, flee = stacked()
    assert wander.is_aborted
    assert order.is_aborted
    assert tree.slots == [None, flee, None, order, wander]


def test_setting_the_same_object_again_changes_nothing() -> None:
    """TASK-36, combination 8: it is not aborted and stays in its state."""
    tree, _, _, flee = stacked()
    run(tree, 2)
    log = list(flee.log)
    assert tree.set_task(flee, 1) is SetTaskResult.UNCHANGED
    assert flee.log == log
    assert flee.has_entered


def test_clearing_an_empty_slot_does_not_disturb_the_task_below() -> None:
    """TASK-36, combination 9: clear slot 0 while it is empty."""
    tree, _, _, flee = stacked()
    run(tree)
    log = list(flee.log)
    assert tree.clear(0) is SetTaskResult.UNCHANGED
    run(tree)
    assert flee.log == [*log, "F.updA"]


def test_clearing_aborts_the_slots_own_chain_only() -> None:
    """TASK-36: with None only the slot's own chain is aborted, then deleted."""
    tree, wander, order, flee = stacked()
    run(tree)
    assert tree.clear(3) is SetTaskResult.CLEARED
    assert order.is_deleted
    assert not flee.is_aborted
    assert wander.log.count("W.do") == 1


def test_the_outgoing_task_of_the_slot_is_deleted() -> None:
    """TASK-36: aborted, then deleted; the new one has the entity."""
    tree, _, order, _ = stacked()
    new = Probe("N")
    assert tree.set_task(new, 3) is SetTaskResult.SET
    assert order.is_deleted
    assert order.log.count("O.clean") == 1
    assert new.entity is tree.entity


def test_a_refused_urgent_abort_is_followed_by_an_immediate_one() -> None:
    """TASK-36, TASK-48: urgent first, immediate only after the refusal."""
    from ai.tasks.task import AbortPriority

    tree = tree_of()
    willing, stubborn = Probe("W"), Probe("S", refuses=(AbortPriority.URGENT,))
    tree.set_task(willing, 3)
    run(tree)
    tree.set_task(stubborn, 2)
    run(tree)
    tree.set_task(Probe("N"), 0)
    assert willing.asked == [AbortPriority.URGENT]
    assert stubborn.asked == [AbortPriority.URGENT, AbortPriority.IMMEDIATE]


def test_a_task_written_below_the_active_slot_starts_when_its_slot_comes_up() -> None:
    """TASK-36, combination 17: higher set twice meanwhile: it starts fresh at state 0."""
    resumed: list[bool] = []
    low = Probe("L", script={"enterA": lambda task: resumed.append(task.is_resuming)})
    tree = tree_of()
    tree.set_task(Probe("H"), 1)
    run(tree)
    tree.set_task(low, 3)
    run(tree)
    tree.set_task(Probe("H2"), 1)
    tree.set_task(Probe("H3"), 0)
    run(tree)
    assert low.log == []
    tree.clear(0)
    tree.clear(1)
    run(tree)
    assert resumed == [False]
    assert low.log == ["L.enterA", "L.updA"]


# -- changes while processing (TASK-37) -------------------------------------------------


def test_the_slot_being_processed_can_not_be_changed() -> None:
    """TASK-37, combination 10: ``TreeBusyError``; the passed task is deleted, the task runs on."""
    tree = tree_of()
    passed: list[Probe] = []

    def update(task: Probe) -> None:
        new = Probe("N")
        with pytest.raises(TreeBusyError, match="is running"):
            tree.set_task(new, 2)
        with pytest.raises(TreeBusyError):
            tree.clear(2)
        assert tree.set_task(task, 2) is SetTaskResult.UNCHANGED
        passed.append(new)

    task = Probe(script={"updA": update})
    tree.set_task(task, 2)
    run(tree)
    assert passed[0].is_deleted
    assert task.log == ["P.enterA", "P.updA"]


def test_a_higher_slot_set_from_a_running_task_is_entered_in_the_same_step() -> None:
    """TASK-37: the own update completes, it is aborted, the response is entered."""
    tree, log = tree_of(), Log()
    results: list[SetTaskResult] = []
    child = Probe("C", log)

    def update(task: Probe) -> None:
        if log.count("P.updA") == 2:
            results.append(tree.set_task(Probe("R", log), 0))

    task = Probe("P", log, {"enterA": with_child(lambda: child), "updA": update})
    tree.set_task(task, 3)
    run(tree)
    log.clear()
    log.append("P.updA")
    run(tree)
    assert results == [SetTaskResult.DEFERRED]
    assert log[1:] == [
        *("P.updA", "C.updA", "P.ask", "C.ask"),
        *("C.do", "C.exitA", "C.clean", "P.do", "P.exitA", "P.clean"),
        *("R.enterA", "R.updA"),
    ]


def test_a_later_entry_replaces_an_earlier_one_in_the_mailbox() -> None:
    """TASK-37: one entry per slot; the earlier task is deleted; the same one again stays."""
    tree = tree_of()
    first, second, third = Probe("1"), Probe("2"), Probe("3")

    def update(task: Probe) -> None:
        if task.log.count("P.updA") > 1:
            return
        for new in (first, second, second):
            assert tree.set_task(new, 0) is SetTaskResult.DEFERRED
        assert tree.set_task(third, 1) is SetTaskResult.DEFERRED
        assert tree.clear(1) is SetTaskResult.DEFERRED

    tree.set_task(Probe(script={"updA": update}), 3)
    run(tree)
    assert first.is_deleted
    assert third.is_deleted
    assert tree.active_root is second
    assert tree.get_task(1) is None


def test_a_set_during_the_delivery_goes_before_what_is_still_in_the_mailbox() -> None:
    """TASK-37: a slot set later, while the mailbox is being emptied, drops its earlier entry."""
    tree = tree_of()
    mailed, later = Probe("M"), Probe("L")

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 1:
            tree.set_task(Probe("H"), 0)
            tree.set_task(mailed, 1)

    def do(task: Probe) -> None:
        assert tree.set_task(later, 1) is SetTaskResult.SET

    tree.set_task(Probe(script={"updA": update, "do": do}), 3)
    run(tree)
    assert mailed.is_deleted
    assert tree.get_task(1) is later


def test_clearing_an_empty_higher_slot_from_a_running_task_changes_nothing() -> None:
    """TASK-36, TASK-37: UNCHANGED, and no mailbox entry."""
    tree = tree_of()
    results: list[SetTaskResult] = []
    tree.set_task(Probe(script={"updA": lambda task: results.append(tree.clear(0))}), 3)
    run(tree)
    assert results == [SetTaskResult.UNCHANGED]


def test_a_lower_slot_is_written_at_once() -> None:
    """TASK-37: the old root there is aborted and deleted within the call."""
    tree = tree_of()
    old, new = Probe("O"), Probe("N")
    tree.set_task(old, 4)
    run(tree)
    seen: list[object] = []

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 1:
            seen.append(tree.set_task(new, 4))
            seen.append(tree.get_task(4))
            seen.append(old.is_deleted)

    tree.set_task(Probe(script={"updA": update}), 2)
    run(tree)
    assert seen == [SetTaskResult.SET, new, True]


def test_a_root_that_is_letting_go_can_not_be_replaced_from_inside() -> None:
    """TASK-37: a set on the slot from its task's ``do_abort`` is refused, the outer set holds."""
    tree = tree_of()

    def do(task: Probe) -> None:
        with pytest.raises(TreeBusyError, match="letting go"):
            tree.set_task(Probe("X"), 2)

    tree.set_task(Probe(script={"do": do}), 2)
    run(tree)
    new = Probe("N")
    assert tree.set_task(new, 2) is SetTaskResult.SET
    assert tree.slots == [None, None, new, None, None]


# -- the root loop (TASK-38) ------------------------------------------------------------


def test_a_finished_root_makes_room_in_the_same_step(log: Log) -> None:
    """TASK-38: flee finishes in step n: the order resumes (enter and update) in step n."""
    tree = tree_of()
    tree.set_task(Probe("O", log), 3)
    run(tree)
    ends: list[bool] = []
    tree.set_task(Probe("F", log, {"updA": lambda task: QUIT if ends else None}), 1)
    run(tree)
    log.clear()
    ends.append(True)
    run(tree)
    assert log == ["F.updA", "F.exitA", "F.clean", "F.deleted", "O.enterA", "O.updA"]


def test_a_default_that_ends_at_once_is_updated_once_a_step(log: Log) -> None:
    """TASK-38, combination 12: refilled at once; the fresh default starts in the next step."""
    ped = FakePed(default=lambda: Probe("D", log, {"updA": quit_now}))
    ped.step()
    assert log.count("D.updA") == 1
    assert ped.primary.get_task(4) is not None
    ped.step(3)
    assert log.count("D.updA") == 4


def test_a_default_that_ends_makes_room_for_a_response_it_set(log: Log) -> None:
    """TASK-37, TASK-38: the response is entered in the same step, the default is refilled."""
    ped: FakePed

    def update(task: Probe) -> object:
        ped.primary.set_task(Probe("R", log), 0)
        return QUIT

    ped = FakePed(default=lambda: Probe("D", log, {"updA": update}))
    ped.step()
    assert log[-2:] == ["R.enterA", "R.updA"]
    assert ped.primary.get_task(4) is not None


def test_a_task_that_resumes_in_the_step_of_its_abort_waits_for_the_next() -> None:
    """TASK-38, combination 11: the response quits at once; the other is not updated twice."""
    tree = tree_of()

    def update(task: Probe) -> None:
        if task.log.count("P.updA") == 2:
            tree.set_task(Probe("R", script={"updA": quit_now}), 0)

    task = Probe(script={"updA": update})
    tree.set_task(task, 3)
    run(tree, 2)
    assert task.log.count("P.updA") == 2
    assert task.is_aborted
    assert task.time_running == pytest.approx(2 * STEP)
    run(tree)
    assert task.log[-2:] == ["P.enterA", "P.updA"]
    assert task.time_running == pytest.approx(3 * STEP)


@pytest.mark.parametrize("dt", [-STEP, math.inf, math.nan])
def test_a_step_of_impossible_length_is_refused_before_anything_runs(dt: float) -> None:
    """TASK-04: negative or non-finite ``dt`` raises ``ValueError``."""
    ped, task = FakePed(), Probe()
    ped.primary.set_task(task, 3)
    with pytest.raises(ValueError, match="dt"):
        ped.tasks.process(dt)
    with pytest.raises(ValueError, match="dt"):
        ped.primary.process(dt)
    assert task.log == []


# -- invariants (TASK-46) ---------------------------------------------------------------


def break_finished(tree: TaskTree) -> None:
    assert tree.active_root is not None
    tree.active_root.flags |= HAS_FINISHED


def break_parent(tree: TaskTree) -> None:
    assert tree.active_root is not None
    assert tree.active_root.child is not None
    tree.active_root.child.parent = None


def break_pending(tree: TaskTree) -> None:
    assert tree.active_root is not None
    tree.active_root.pending = Probe("N")


def break_tree(tree: TaskTree) -> None:
    assert tree.active_root is not None
    tree.active_root.tree = None


def break_entered(tree: TaskTree) -> None:
    assert tree.active_root is not None
    tree.active_root.entered = B


def break_waiting(tree: TaskTree) -> None:
    waiting = tree.slots[4]
    assert waiting is not None
    waiting.entered = A


@pytest.mark.expects_faults
@pytest.mark.parametrize(
    "damage",
    [break_finished, break_parent, break_pending, break_tree, break_entered, break_waiting],
)
def test_a_broken_invariant_is_found_after_process(damage: Any) -> None:
    """TASK-46: strict checks every invariant; a break is a fault and raises ``TaskFault``."""
    tree = tree_of()
    damaged: list[bool] = []

    def damage_post(task: Task, dt: float) -> None:
        if damaged:
            damage(tree)

    class Damaging(Probe):
        task_type = fresh_type("damaging")
        __slots__ = ()
        post_fsm = damage_post

    tree.set_task(Probe("W"), 4)
    run(tree)
    tree.set_task(Damaging(script={"enterA": with_child(lambda: Probe("C"))}), 2)
    run(tree)
    damaged.append(True)
    with pytest.raises(TaskFault):
        run(tree)
    assert faults.all()[-1].kind == "tree_invariant"


# -- queries (TASK-47) ------------------------------------------------------------------


def test_queries_answer_for_the_active_chain_and_for_slots() -> None:
    """TASK-47: get, active root, leaf, chain, find, find in slot, has."""

    class Inner(Probe):
        task_type = fresh_type("inner")
        __slots__ = ()

    low_child, child = Inner("LC"), Probe("C")
    low = Probe("L", script={"enterA": with_child(lambda: low_child)})
    root = Probe("R", script={"enterA": with_child(lambda: child)})
    tree = tree_of()
    assert tree.leaf() is None
    assert list(tree.chain()) == []
    tree.set_task(low, 3)
    run(tree)
    tree.set_task(root, 1)
    run(tree)
    assert tree.get_task(1) is tree.active_root is root
    assert tree.leaf() is child
    assert list(tree.chain()) == [root, child]
    assert tree.find(Probe.task_type) is root
    assert tree.find(Inner.task_type) is None
    assert tree.find_in_slot(Inner.task_type, 3) is low_child
    assert not tree.has(Inner.task_type)
    assert tree.has(Probe.task_type)


def test_a_reference_clears_no_slot_but_its_own() -> None:
    """TASK-47: the task lives, in another slot: what is in this one is untouched."""
    tree = tree_of(5)
    mine, foreign = Probe("mine"), Probe("foreign")
    tree.set_task(foreign, 3)
    tree.set_task(mine, 2)
    assert not tree.clear_if(3, mine.ref())
    assert tree.get_task(3) is foreign
    assert tree.clear_if(2, mine.ref())


def test_only_the_task_meant_is_cleared(pool: TaskPool) -> None:
    """TASK-47, combination 20: A's owner can't clear B with A's reference."""
    tree = tree_of()
    first, second = Probe("1"), Probe("2")
    tree.set_task(first, 3)
    ref = first.ref()
    run(tree)
    tree.set_task(second, 3)
    assert not tree.clear_if(3, ref)
    assert tree.get_task(3) is second
    assert tree.clear_if(3, second.ref())
    assert second.is_deleted
    assert pool.used == 0 + FAKE_PED_TASKS


def test_the_first_task_that_handles_a_ragdoll_is_found() -> None:
    """TASK-75: the active chain is asked, root first; nobody: None."""

    class Limp(Probe):
        task_type = fresh_type("limp")
        __slots__ = ()

        def handles_ragdoll(self, cause: object) -> bool:
            return cause == "scripted"

    limp = Limp("L")
    tree = tree_of()
    tree.set_task(Probe(script={"enterA": with_child(lambda: limp)}), 2)
    run(tree)
    assert tree.ragdoll_handler("scripted") is limp
    assert tree.ragdoll_handler("impact") is None


FAKE_PED_TASKS = 2
"""Defaults of the ped that owns a plain test tree: do nothing, stand still."""
