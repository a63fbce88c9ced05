"""Snapshots of an entity's trees (TASK-65)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ai.ports import STEP_S
from ai.tasks.task_flags import AbortPriority
from ai.tasks.task_snapshot import TaskSnapshot
from ai.tasks.task_tree import TaskTree
from ai.tasks.trees import MOVEMENT, PRIMARY, SECONDARY, PrimarySlot
from tests.ai.tasks.doubles import FakePed, Probe, with_child


@pytest.fixture
def snapshot() -> TaskSnapshot:
    return TaskSnapshot()


def test_it_has_the_active_chain_and_the_roots_that_wait(
    ped: FakePed, snapshot: TaskSnapshot
) -> None:
    """TASK-65: per tree a tuple of (type, slot, depth, state, sequence, uid)."""
    root = Probe("R", script={"enterA": with_child(lambda: child)})
    child = Probe("C", script={"updA": lambda task: task.set_state(1)})
    waiting = Probe("W")
    ped.tasks.set_task(PRIMARY, waiting, PrimarySlot.PRIMARY)
    ped.tasks.set_task(PRIMARY, root, PrimarySlot.EVENT_RESPONSE_NONTEMP)
    ped.step()
    snapshot.take(ped.tasks)
    default = ped.primary.get_task(PrimarySlot.DEFAULT)
    assert default is not None
    number = int(Probe.task_type)
    assert snapshot.trees[PRIMARY] == (
        (number, 2, 0, 0, 1, root.uid),
        (number, 2, 1, 1, 1, child.uid),
        (number, 3, 0, 0, 1, waiting.uid),
        (int(default.task_type), 4, 0, 0, 1, default.uid),
    )
    assert snapshot.trees[SECONDARY] == ()
    assert len(snapshot.trees[MOVEMENT]) == 1
    assert snapshot.has(PRIMARY, number)
    assert not snapshot.has(SECONDARY, number)


def test_it_holds_still_between_two_takes(ped: FakePed, snapshot: TaskSnapshot) -> None:
    """TASK-65: between full updates it keeps its last contents, whatever the trees do."""
    ped.tasks.set_task(PRIMARY, Probe("R"), PrimarySlot.PRIMARY)
    ped.step()
    snapshot.take(ped.tasks)
    before = snapshot.trees[PRIMARY]
    ped.tasks.set_task(PRIMARY, None, PrimarySlot.PRIMARY)
    ped.step()
    assert snapshot.trees[PRIMARY] is before
    snapshot.take(ped.tasks)
    assert len(snapshot.trees[PRIMARY]) == len(before) - 1


def test_an_idle_tree_keeps_its_entries(ped: FakePed, snapshot: TaskSnapshot) -> None:
    """TASK-65: buffers are reused; nothing is made anew for a chain that did not move on."""
    ped.tasks.set_task(
        PRIMARY, Probe("R", script={"enterA": with_child(Probe)}), PrimarySlot.PRIMARY
    )
    ped.step()
    snapshot.take(ped.tasks)
    before = list(snapshot.trees)
    ped.step(3)
    snapshot.take(ped.tasks)
    assert all(now is then for now, then in zip(snapshot.trees, before, strict=True))


def test_only_what_changed_is_made_anew(ped: FakePed, snapshot: TaskSnapshot) -> None:
    """TASK-65: the root's state changes, the waiting root's entry stays the same object."""
    ped.tasks.set_task(PRIMARY, Probe("W"), PrimarySlot.PRIMARY)
    root = Probe("R", script={"updA": lambda task: task.set_state(2)})
    ped.tasks.set_task(PRIMARY, root, PrimarySlot.PHYSICAL_RESPONSE)
    snapshot.take(ped.tasks)
    before = snapshot.trees[PRIMARY]
    ped.step()
    snapshot.take(ped.tasks)
    after = snapshot.trees[PRIMARY]
    assert [entry.state for entry in after] == [2, 0, 0]
    assert after[1] is before[1]


def test_instances_of_a_place_are_numbered_in_eight_bits(
    ped: FakePed, snapshot: TaskSnapshot
) -> None:
    """TASK-65, TASK-101: each new instance of a slot and depth counts, and 255 wraps to 0."""
    seen = []
    for _ in range(258):
        ped.tasks.set_task(PRIMARY, Probe("R"), PrimarySlot.PRIMARY)
        ped.step()
        snapshot.take(ped.tasks)
        seen.append(snapshot.trees[PRIMARY][0].sequence)
    assert seen == [number & 255 for number in range(1, 259)]


def entries(snapshot: TaskSnapshot) -> list[list[tuple[int, ...]]]:
    """All entries without their sequence numbers, which only an old snapshot knows."""
    return [[(*entry[:4], entry.uid) for entry in tree] for tree in snapshot.trees]


def test_a_look_that_is_spared_would_have_shown_nothing(
    ped: FakePed, snapshot: TaskSnapshot
) -> None:
    """TASK-65: whatever happened, an old snapshot shows what a new one does.

    A child comes, a state changes, a root is displaced, comes back, is cleared, and another
    tree takes the place of one.
    """
    child = with_child(lambda: Probe("C", script={"updA": change_in_third}))
    root = Probe("R", script={"enterA": child, "updA": change_in_third})
    other = Probe("O")
    actions: list[Callable[[], object]] = [
        lambda: ped.tasks.set_task(PRIMARY, root, PrimarySlot.PRIMARY),
        ped.step,
        ped.step,
        ped.step,
        lambda: ped.tasks.set_task(PRIMARY, other, PrimarySlot.PHYSICAL_RESPONSE),
        ped.step,
        lambda: ped.tasks.set_task(PRIMARY, None, PrimarySlot.PHYSICAL_RESPONSE),
        ped.step,
        lambda: ped.primary.abort_tasks(AbortPriority.IMMEDIATE, PrimarySlot.PRIMARY),
        lambda: ped.tasks.set_task(PRIMARY, None, PrimarySlot.PRIMARY),
        lambda: ped.tasks.add_tree(SECONDARY, TaskTree(ped, 2), replace=True),
        lambda: ped.tasks.set_task(SECONDARY, Probe("S"), 1),
        lambda: ped.tasks.add_tree(SECONDARY, TaskTree(ped, 2), replace=True),
    ]
    for number, action in enumerate(actions):
        action()
        snapshot.take(ped.tasks)
        fresh = TaskSnapshot()
        fresh.take(ped.tasks)
        assert entries(snapshot) == entries(fresh), f"action {number}"
        assert not snapshot.take(ped.tasks), "nothing has moved on since"


def change_in_third(task: Probe) -> None:
    if task.time_running > 2.5 * STEP_S:
        task.set_state(1)
