"""What an idle tree costs: one handler call a task and nothing allocated (TASK-27)."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from enum import IntEnum

import pytest

from ai.tasks.movement import ControlMovement, MoveTaskBase
from ai.tasks.task import Task
from ai.tasks.trees import MOTION, MOVEMENT, PRIMARY, SECONDARY
from tests.ai.tasks.doubles import STEP, FakePed, fresh_type
from tests.benchmarks import bench_state_machines

IDLE_CALLS = 10_000


class Idle(Task):
    """Does nothing, over a child if it is given one."""

    task_type = fresh_type("idle")
    __slots__ = ("make_child",)

    class State(IntEnum):
        WAIT = 0

    def __init__(self, make_child: Callable[[], Task] | None = None) -> None:
        super().__init__()
        self.make_child = make_child

    def on_enter_wait(self) -> None:
        if self.make_child is not None:
            self.set_new_task(self.make_child())

    def on_update_wait(self, dt: float) -> None: ...


class IdleMotion(Idle):
    task_type = fresh_type("idle_motion")
    __slots__ = ()
    is_motion_task = True


class IdleMove(MoveTaskBase):
    task_type = fresh_type("idle_move")
    __slots__ = ()
    PARAMS = ()

    def __init__(self) -> None:
        super().__init__(1.0)

    def process_move(self, dt: float) -> bool:
        return False


def idle_ped() -> FakePed:
    """Four trees with 9 live tasks, all settled."""
    ped = FakePed()
    ped.tasks.set_task(PRIMARY, Idle(lambda: Idle(lambda: ControlMovement(IdleMove()))), 3)
    ped.tasks.set_task(SECONDARY, Idle(Idle), 0)
    ped.tasks.set_task(MOTION, IdleMotion(lambda: IdleMotion(IdleMotion)), 0)
    ped.step(5)
    updated = [task for tree in ped.tasks.trees() for task in tree.chain()]
    assert len(updated) == 9
    return ped


@pytest.mark.usefixtures("in_play")
def test_an_idle_task_pays_for_one_handler_call() -> None:
    """TASK-27: no hook, no query, no second call: one handler call a task and process."""
    ped = idle_ped()
    called: Counter[str] = Counter()

    def profile(frame: object, event: str, argument: object) -> None:
        if event == "call":
            called[frame.f_code.co_name] += 1  # type: ignore[attr-defined]

    sys.setprofile(profile)
    try:
        ped.tasks.process(STEP)
    finally:
        sys.setprofile(None)
    assert called["on_update_wait"] == 7
    assert called["on_update_control_child"] == 1
    assert called["on_update_running"] == 1
    assert called["update_chain"] == 9
    assert not called.keys() & {"pre_fsm", "post_fsm", "apply_animation_flags", "clean_up"}
    assert called.total() < 35


@pytest.mark.usefixtures("in_play")
def test_idle_trees_allocate_nothing() -> None:
    """TASK-27: over 10,000 idle calls less than 16 blocks more, nothing tracked."""
    ped = idle_ped()
    process = ped.tasks.process
    for _ in range(100):
        process(STEP)
    gc.collect()
    gc.disable()
    try:
        tracked = gc.get_count()[0]
        blocks = sys.getallocatedblocks()
        for _ in range(IDLE_CALLS):
            process(STEP)
        grown = sys.getallocatedblocks() - blocks
        newly_tracked = gc.get_count()[0] - tracked
    finally:
        gc.enable()
    assert grown < 16
    assert newly_tracked < 10  # taking the two readings tracks a few objects itself
    assert ped.tasks.tree(MOVEMENT).active_slot == 1


def test_a_query_costs_slots_and_depth_only() -> None:
    """TASK-27: queries walk the chain once and build nothing."""
    ped = idle_ped()
    tree = ped.tasks.tree(PRIMARY)
    tree.find(-5)
    blocks = sys.getallocatedblocks()
    for _ in range(1000):
        tree.find(-5)
        tree.has(-5)
        tree.leaf()
        tree.get_task(3)
    assert sys.getallocatedblocks() - blocks < 16


@pytest.mark.usefixtures("in_play")
def test_the_benchmark_compares_machines_that_do_the_same() -> None:
    """TASK-27: ten steps of each library call what ours calls, so that times can be compared."""
    counted = {name: bench_state_machines.calls_of(name) for name in bench_state_machines.SIDES}
    assert set(counted.values()) == {(10, 20, 10, 10)}
