"""Deferred deletion and leaks (TASK-59, TASK-60)."""

from __future__ import annotations

import gc
import logging

import pytest

from ai.faults import faults
from ai.tasks.deletion_hold import deletion_hold, is_held
from ai.tasks.idle_tasks import DoNothing
from ai.tasks.phase_hooks import PhaseHook
from ai.tasks.task_errors import DeletionQueueOverflow, TaskError
from ai.tasks.task_pool import TaskPool
from ai.tasks.trees import PRIMARY, PrimarySlot
from tests.ai.tasks.doubles import FakePed, Log, Probe, fresh_type, with_child


class PoseProbe(Probe):
    """Runs its script entry ``render`` in the pre-render hook."""

    task_type = fresh_type("pose_probe")
    __slots__ = ()

    def process_pre_render(self) -> None:
        self.act("render")


def test_a_deletion_inside_a_hold_is_noticed_at_once_and_released_at_its_end(
    pool: TaskPool, log: Log
) -> None:
    """TASK-59: hooks have run and references read None inside; pool slots come back at the exit."""
    tasks = [Probe(name, log) for name in "XY"]
    refs = [task.ref() for task in tasks]
    before = pool.used
    with deletion_hold():
        with deletion_hold():
            for task in tasks:
                task.discard()
            assert log == ["X.deleted", "X.clean", "Y.deleted", "Y.clean"]
            assert [ref.get() for ref in refs] == [None, None]
        assert is_held()
        assert pool.used == before
        assert all(task.is_deleted for task in tasks)
    assert not is_held()
    assert pool.used == before - 2


def test_what_waits_is_released_first_in_first_out(pool: TaskPool) -> None:
    """TASK-59: in the order of deletion."""
    released: list[int] = []
    give_back = pool.give_back
    pool.give_back = lambda uid: (released.append(uid), give_back(uid))[1]  # type: ignore[method-assign]
    tasks = [Probe() for _ in range(4)]
    order = [tasks[2], tasks[0], tasks[3], tasks[1]]
    with deletion_hold():
        for task in order:
            task.discard()
        assert released == []
    assert released == [task.uid for task in order]


def test_a_hold_ends_also_when_its_body_raises(pool: TaskPool) -> None:
    """TASK-59: nothing waits for ever."""
    before = pool.used
    task = Probe()

    def delete_and_raise() -> None:
        with deletion_hold():
            task.discard()
            raise KeyError

    with pytest.raises(KeyError):
        delete_and_raise()
    assert not is_held()
    assert pool.used == before


def test_a_hook_may_delete_the_chain_that_is_being_walked(
    ped: FakePed, pool: TaskPool, log: Log
) -> None:
    """TASK-59, combination 27: the walk completes; the reference is None inside."""
    other = FakePed(13)
    victim = PoseProbe("V", log)
    other.tasks.set_task(PRIMARY, victim, PrimarySlot.PRIMARY)
    other.step()
    ref = victim.ref()
    inside: list[object] = []

    def render(task: Probe) -> None:
        other.tasks.set_task(PRIMARY, None, PrimarySlot.PRIMARY)
        inside.append((ref.get(), is_held()))

    root = PoseProbe("R", log, {"render": render, "enterA": with_child(lambda: child)})
    child = PoseProbe("C", log)
    ped.tasks.set_task(PRIMARY, root, PrimarySlot.PRIMARY)
    ped.step()
    log.clear()
    used = pool.used
    ped.tasks.run_hook(PhaseHook.PRE_RENDER)
    assert inside == [(None, True)]
    assert [line for line in log if line.endswith("render")] == ["R.render", "C.render"]
    assert pool.used == used - 1


def test_1280_may_wait_and_one_more_ends_the_run(
    pool: TaskPool, caplog: pytest.LogCaptureFixture
) -> None:
    """TASK-59: the diagnostic counts what waits, by class."""
    last = Probe()
    with caplog.at_level(logging.CRITICAL), deletion_hold():
        for _ in range(1280):
            Probe().discard()
        assert pool.used == 1281
        with pytest.raises(DeletionQueueOverflow):
            last.discard()
    assert "1280 probe" in caplog.text


def test_an_overflow_is_never_contained(ped: FakePed) -> None:
    """TASK-59, TASK-03: it means an unbounded producer, so it leaves ``process``."""

    def overflow(task: Probe) -> None:
        with deletion_hold():
            for _ in range(1281):
                Probe().discard()

    ped.tasks.set_task(PRIMARY, Probe("P", script={"updA": overflow}), PrimarySlot.PRIMARY)
    with pytest.raises(DeletionQueueOverflow):
        ped.step()
    assert not faults.of_kind("task_exception")


@pytest.mark.parametrize("where", ["clean", "deleted", "do"])
def test_an_overflow_in_an_abort_or_a_deletion_is_not_swallowed(ped: FakePed, where: str) -> None:
    """TASK-59: neither where other exceptions of task code are recorded and survived."""

    def overflow(task: Probe) -> None:
        with deletion_hold():
            for _ in range(1281):
                Probe().discard()

    ped.tasks.set_task(PRIMARY, Probe("P", script={where: overflow}), PrimarySlot.PRIMARY)
    ped.step()
    with pytest.raises(DeletionQueueOverflow):
        ped.tasks.set_task(PRIMARY, None, PrimarySlot.PRIMARY)


def test_entities_are_not_removed_inside_a_hold(ped: FakePed) -> None:
    """TASK-59: a removal waits until the walk is over."""
    with deletion_hold(), pytest.raises(TaskError, match="deletion hold"):
        ped.tasks.close()
    ped.tasks.close()


def test_a_forgotten_task_is_a_leak(pool: TaskPool) -> None:
    """TASK-60: its slot comes back, it is counted by class, strict mode has a fault."""
    before = pool.used
    DoNothing()
    Probe()
    gc.collect()
    assert pool.used == before
    assert pool.leaked == {"do_nothing": 1, "probe": 1}
    texts = [fault.text for fault in faults.of_kind("task_leaked")]
    assert len(texts) == 2
    assert texts[0].startswith("do_nothing#")
    faults.clear()


@pytest.mark.usefixtures("in_play")
def test_in_play_a_leak_is_counted_alone(pool: TaskPool) -> None:
    """TASK-60: no fault outside strict mode."""
    DoNothing()
    gc.collect()
    assert pool.leaked == {"do_nothing": 1}
    assert not faults.all()


def test_a_deleted_task_is_no_leak(pool: TaskPool) -> None:
    """TASK-60: also one whose release was put off."""
    with deletion_hold():
        DoNothing().discard()
    DoNothing().discard()
    gc.collect()
    assert not pool.leaked
    assert pool.used == 0


def test_the_pool_knows_its_high_water_mark(pool: TaskPool) -> None:
    """TASK-88: the most tasks that lived at once."""
    tasks = [Probe() for _ in range(5)]
    for task in tasks:
        task.discard()
    Probe().discard()
    assert (pool.high_water, pool.used) == (5, 0)
