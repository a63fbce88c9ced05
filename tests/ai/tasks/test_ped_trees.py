"""The ped's primary, secondary and motion trees (TASK-69 to TASK-72, TASK-83)."""

from __future__ import annotations

import logging

import pytest

from ai.tasks.idle_tasks import DoNothing, MoveStandStill
from ai.tasks.new_task_event import NewTaskEvent
from ai.tasks.task import QUIT, Task
from ai.tasks.task_errors import TaskPlacementError
from ai.tasks.task_pool import TaskPool
from ai.tasks.task_tree import SetTaskResult, TaskTree
from ai.tasks.trees import (
    MOTION,
    MOVEMENT,
    PRIMARY,
    SECONDARY,
    MotionSlot,
    MovementTreeSlot,
    PrimarySlot,
    SecondarySlot,
)
from tests.ai.tasks.doubles import (
    STEP,
    FakePed,
    Log,
    MotionProbe,
    MoveProbe,
    Probe,
    fresh_type,
    with_child,
)


def test_trees_and_slots_have_the_numbers_of_the_table(ped: FakePed) -> None:
    """TASK-69: indices, slots, event-response and default slots."""
    assert (PRIMARY, SECONDARY, MOVEMENT, MOTION) == (0, 1, 2, 3)
    assert [(slot.name, int(slot)) for slot in PrimarySlot] == [
        ("PHYSICAL_RESPONSE", 0),
        ("EVENT_RESPONSE_TEMP", 1),
        ("EVENT_RESPONSE_NONTEMP", 2),
        ("PRIMARY", 3),
        ("DEFAULT", 4),
    ]
    assert [(slot.name, int(slot)) for slot in MovementTreeSlot] == [
        ("EVENT_RESPONSE", 0),
        ("GENERAL", 1),
        ("DEFAULT", 2),
    ]
    assert [slot.name for slot in SecondarySlot] == ["PARTIAL_ANIM"]
    assert [slot.name for slot in MotionSlot] == ["DEFAULT"]
    found = []
    for tree in ped.tasks.trees():
        default = tree.default.index if tree.default is not None else None
        found.append((len(tree.slots), tree.event_response_slot, default))
    assert found == [(5, 1, 4), (1, None, None), (3, 0, 2), (1, None, None)]


def test_a_new_ped_does_nothing_and_stands_until_its_default_is_computed() -> None:
    """TASK-70: ``DoNothing(-1)`` and ``MoveStandStill`` at once; clearing installs the default."""
    made: list[Task] = []

    def default() -> Task:
        made.append(Probe("D"))
        return made[-1]

    from ai.tasks.ped_trees import MotionTaskTree, MovementTaskTree, PedTaskTree

    owner = FakePed()
    primary = PedTaskTree(owner, default)
    root = primary.get_task(PrimarySlot.DEFAULT)
    assert isinstance(root, DoNothing)
    assert root.duration_s == -1.0
    assert isinstance(MovementTaskTree(owner).get_task(MovementTreeSlot.DEFAULT), MoveStandStill)
    assert MotionTaskTree(owner).active_root is None
    assert made == []
    primary.clear(PrimarySlot.DEFAULT)
    assert primary.get_task(PrimarySlot.DEFAULT) is made[0]


def test_the_default_task_can_not_replace_itself(
    ped: FakePed, caplog: pytest.LogCaptureFixture
) -> None:
    """TASK-71, combination 12: refused, passed task cleaned up, default running, one log line."""
    results: list[SetTaskResult] = []
    passed: list[Probe] = []

    def update(task: Probe) -> None:
        passed.append(Probe("N"))
        results.append(ped.primary.set_task(passed[-1], PrimarySlot.DEFAULT))
        results.append(ped.primary.clear(PrimarySlot.DEFAULT))

    task = Probe(script={"updA": update})
    ped.primary.set_task(task, PrimarySlot.DEFAULT)
    with caplog.at_level(logging.INFO, logger="ai.tasks"):
        ped.step()
    assert results == [SetTaskResult.REFUSED_DEFAULT_BUSY] * 2
    assert passed[0].log == ["N.deleted", "N.clean"]
    assert ped.primary.active_root is task
    assert len(caplog.records) == 2


def test_the_default_task_can_not_be_replaced_while_it_lets_go(ped: FakePed) -> None:
    """TASK-71, combination 12: default ``IN_ABORT``: refused, passed task cleaned up."""
    results: list[object] = []

    def do(task: Probe) -> None:
        new = Probe("N")
        results.append(ped.primary.set_task(new, PrimarySlot.DEFAULT))
        results.append(new.is_deleted)

    ped.primary.set_task(Probe(script={"do": do}), PrimarySlot.DEFAULT)
    ped.step()
    ped.primary.set_task(Probe("R"), PrimarySlot.PHYSICAL_RESPONSE)
    assert results == [SetTaskResult.REFUSED_DEFAULT_BUSY, True]


@pytest.mark.parametrize("tree", [PRIMARY, SECONDARY, MOVEMENT, MOTION])
def test_each_tree_takes_its_own_kind_of_task_only(ped: FakePed, tree: int) -> None:
    """TASK-71: ``TaskPlacementError``, slot unchanged, passed task deleted."""
    fitting = {MOVEMENT: MoveProbe, MOTION: MotionProbe}.get(tree, Probe)
    before = list(ped.tasks.tree(tree).slots)
    for make in (Probe, MoveProbe, MotionProbe):
        if make is fitting:
            continue
        task = make()
        with pytest.raises(TaskPlacementError):
            ped.tasks.set_task(tree, task, 0)
        assert task.is_deleted
    assert ped.tasks.tree(tree).slots == before
    task = fitting()
    assert ped.tasks.set_task(tree, task, 0) is SetTaskResult.SET


def test_a_mirrored_ped_takes_no_local_tasks(ped: FakePed) -> None:
    """TASK-71: ``REFUSED_REMOTE``, passed task deleted, also for clearing; nobody is told."""
    task = Probe()
    ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    ped.is_mirrored = True
    ped.changes = 0
    new = Probe("N")
    assert ped.tasks.set_task(PRIMARY, new, 2) is SetTaskResult.REFUSED_REMOTE
    assert ped.tasks.set_task(PRIMARY, None, 3) is SetTaskResult.REFUSED_REMOTE
    assert new.log == ["N.deleted", "N.clean"]
    assert ped.primary.get_task(3) is task
    assert ped.changes == 0


def test_outgoing_roots_are_told_what_takes_over(ped: FakePed) -> None:
    """TASK-71: the aborts of a set carry a ``NewTaskEvent`` for the new task; of a clear none."""
    order, flee = Probe("O"), Probe("F")
    ped.primary.set_task(order, PrimarySlot.PRIMARY)
    ped.step()
    ped.primary.set_task(flee, PrimarySlot.EVENT_RESPONSE_NONTEMP)
    (notice,) = order.events
    assert isinstance(notice, NewTaskEvent)
    assert notice.new_type is flee.task_type
    ped.step()
    ped.primary.clear(PrimarySlot.EVENT_RESPONSE_NONTEMP)
    assert flee.events == [None]


def test_the_default_slot_is_never_seen_empty(ped: FakePed, pool: TaskPool) -> None:
    """TASK-72: cleared 1000 times: never ``None`` when read; the pool stays level."""
    used = pool.used
    for _ in range(1000):
        ped.tasks.set_task(PRIMARY, None, PrimarySlot.DEFAULT)
        assert ped.primary.get_task(PrimarySlot.DEFAULT) is not None
        ped.tasks.set_task(MOVEMENT, None, MovementTreeSlot.DEFAULT)
        assert ped.movement.get_task(MovementTreeSlot.DEFAULT) is not None
    assert pool.used == used


def test_a_default_slot_found_empty_is_filled_before_the_root_loop(ped: FakePed) -> None:
    """TASK-72: each process checks, after a flush too."""
    ped.primary.flush_immediately()
    assert ped.primary.get_task(PrimarySlot.DEFAULT) is None
    ped.step()
    default = ped.primary.get_task(PrimarySlot.DEFAULT)
    assert default is not None
    assert default.has_entered


def test_a_timed_do_nothing_ends() -> None:
    """TASK-70: a duration that is not negative ends; the rule's timer comparison."""
    tree = TaskTree(FakePed(), 1)
    task = DoNothing(3 * STEP)
    tree.set_task(task, 0)
    for _ in range(2):
        tree.process(STEP)
    assert not task.has_finished
    tree.process(STEP)
    assert task.succeeded


# -- the motion tree (TASK-83) ----------------------------------------------------------


def test_the_current_motion_task_is_looked_up_once_per_change(ped: FakePed) -> None:
    """TASK-83: 1000 reads without change do one walk; after a child swap the new leaf is read."""
    tree = ped.tasks.tree(MOTION)
    log: Log = []
    root = MotionProbe("R", log)
    ped.tasks.set_task(MOTION, root, 0)
    ped.step()
    walks: list[Task | None] = []
    kind = type(tree)

    class Counting(kind):  # type: ignore[misc, valid-type]
        __slots__ = ()

        def leaf(self) -> Task | None:
            walks.append(super().leaf())
            return walks[-1]

    tree.__class__ = Counting
    assert tree.current_motion_task_dirty  # type: ignore[attr-defined]
    for _ in range(1000):
        assert tree.current_motion_task() is root  # type: ignore[attr-defined]
    assert len(walks) == 1
    child = MotionProbe("C", log)
    root.make_child = lambda: child
    ped.step()
    assert tree.current_motion_task() is child  # type: ignore[attr-defined]
    other = MotionProbe("N", log)
    ped.tasks.set_task(MOTION, other, 0)
    assert tree.current_motion_task() is other  # type: ignore[attr-defined]
    assert len(walks) == 3


def test_a_removed_child_is_no_longer_the_current_motion_task(ped: FakePed) -> None:
    """TASK-83: deleting a task marks the cache as well."""

    class Brief(MotionProbe):
        task_type = fresh_type("brief_motion")
        __slots__ = ()

        def on_update_pose(self, dt: float) -> object:
            return QUIT if len(self.log) > 4 else super().on_update_pose(dt)

    tree = ped.tasks.tree(MOTION)
    log: Log = []
    root, child = MotionProbe("R", log), Brief("C", log)
    root.make_child = lambda: child
    ped.tasks.set_task(MOTION, root, 0)
    ped.step()
    assert tree.current_motion_task() is child  # type: ignore[attr-defined]
    ped.step(3)
    assert tree.current_motion_task() is root  # type: ignore[attr-defined]


def test_the_motion_tree_can_not_be_cleared(ped: FakePed) -> None:
    """TASK-83: its one root is replaced, never left out while the body exists."""
    root = MotionProbe()
    ped.tasks.set_task(MOTION, root, 0)
    with pytest.raises(TaskPlacementError, match="never empty"):
        ped.tasks.set_task(MOTION, None, 0)
    assert ped.tasks.tree(MOTION).active_root is root


def test_a_ped_with_responses_wakes_in_order(ped: FakePed) -> None:
    """TASK-51, combination 21: ragdoll, flee, order, default: each same uid, each entered once."""
    log: Log = []
    ends: set[str] = set()

    def make(name: str) -> Probe:
        return Probe(name, log, {"updA": lambda task: task.succeed() if name in ends else None})

    tasks = {name: make(name) for name in ("default", "order", "flee", "ragdoll")}
    for name, slot in (("default", 4), ("order", 3), ("flee", 2), ("ragdoll", 0)):
        ped.primary.set_task(tasks[name], slot)
        ped.step()
    log.clear()
    for name in ("ragdoll", "flee", "order"):
        ends.add(name)
        ped.step()
    assert [line for line in log if "enter" in line] == [
        "flee.enterA",
        "order.enterA",
        "default.enterA",
    ]
    assert ped.primary.active_root is tasks["default"]


def test_an_order_cancelled_under_a_response_does_not_come_back(ped: FakePed) -> None:
    """TASK-36, combination 16: the slot stays clear; the ped takes the next slot or its default."""
    order, limp = Probe("O"), Probe("L")
    child = Probe("C")
    order.script = {"enterA": with_child(lambda: child)}
    ped.primary.set_task(order, PrimarySlot.PRIMARY)
    ped.step()
    ref = order.ref()
    ped.primary.set_task(limp, PrimarySlot.PHYSICAL_RESPONSE)
    ped.step()
    assert ped.tasks.clear_if(PRIMARY, PrimarySlot.PRIMARY, ref)
    ped.step(3)
    assert limp.log.count("L.updA") == 4
    limp.script = {"updA": lambda task: task.succeed()}
    ped.step()
    assert isinstance(ped.primary.active_root, DoNothing)
    assert ref.get() is None
    assert order.log.count("O.enterA") == 1
