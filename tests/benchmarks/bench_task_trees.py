"""Cost of idle task trees (TASK-27): ``python -m tests.benchmarks.bench_task_trees``.

Prints a table beside a calibration (3 million integer additions in a loop, 0.20 s on
the reference machine); the goal scales with it. Rows are timed in interleaved
rounds of processor time, the best round counts, and each row is checked to have done
its work.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from enum import IntEnum

from ai.tasks.movement import ControlMovement, MoveTaskBase
from ai.tasks.task import Task
from ai.tasks.task_pool import TaskPool
from ai.tasks.trees import MOTION, PRIMARY, SECONDARY, PrimarySlot
from tests.ai.tasks.doubles import STEP, FakePed, fresh_type

CALIBRATION_GOAL_S = 0.20
IDLE_GOAL_US = 20.0
SPAWNED = 1000
SPAWN_GOAL_MS = 60.0
SPAWN_ROUNDS = 5
ROUNDS = 200
CALLS = 200

updates = 0
"""Handler calls of all idle tasks so far."""


class Idle(Task):
    """Counts its updates, over a child if it is given one."""

    task_type = fresh_type("bench_idle")
    __slots__ = ("make_child",)

    class State(IntEnum):
        WAIT = 0

    def __init__(self, make_child: Callable[[], Task] | None = None) -> None:
        super().__init__()
        self.make_child = make_child

    def on_enter_wait(self) -> None:
        if self.make_child is not None:
            self.set_new_task(self.make_child())

    def on_update_wait(self, dt: float) -> None:
        global updates
        updates += 1


class IdleMotion(Idle):
    task_type = fresh_type("bench_idle_motion")
    __slots__ = ()
    is_motion_task = True


class IdleMove(MoveTaskBase):
    task_type = fresh_type("bench_idle_move")
    __slots__ = ()
    PARAMS = ()

    def __init__(self) -> None:
        super().__init__(1.0)

    def process_move(self, dt: float) -> bool:
        global updates
        updates += 1
        return False


def ped_with_nine_tasks() -> FakePed:
    """Four trees with 9 live tasks, 8 of which count their updates (the controller does not)."""
    ped = FakePed()
    control = lambda: ControlMovement(IdleMove())  # noqa: E731
    ped.tasks.set_task(PRIMARY, Idle(lambda: Idle(control)), PrimarySlot.PRIMARY)
    ped.tasks.set_task(SECONDARY, Idle(Idle), 0)
    ped.tasks.set_task(MOTION, IdleMotion(lambda: IdleMotion(IdleMotion)), 0)
    ped.step(3)
    assert sum(len(list(tree.chain())) for tree in ped.tasks.trees()) == 9
    return ped


def calibrate() -> float:
    """Seconds for 3 million integer additions."""
    start = time.process_time()
    total = 0
    for number in range(3_000_000):
        total += number
    assert total > 0
    return time.process_time() - start


def best_us(rows: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Microseconds per call of each row, the best of interleaved rounds."""
    best = dict.fromkeys(rows, float("inf"))
    for _ in range(ROUNDS):
        for name, run in rows.items():
            start = time.process_time()
            for _ in range(CALLS):
                run()
            best[name] = min(best[name], (time.process_time() - start) / CALLS * 1e6)
    return best


def spawn_ms() -> float:
    """Milliseconds for the task trees of 1,000 new peds, each with its computed default."""
    TaskPool().activate()
    gc.collect()
    start = time.process_time()
    peds = [FakePed(number) for number in range(SPAWNED)]
    spent = (time.process_time() - start) * 1e3
    for ped in peds:
        ped.tasks.close()
    return spent


def main() -> None:
    """Time all rows and print the table."""
    TaskPool().activate()
    full, standing = ped_with_nine_tasks(), FakePed()
    standing.step(3)
    handlers = [task for tree in full.tasks.trees() for task in tree.chain()]
    handlers = [task for task in handlers if not isinstance(task, ControlMovement)]

    def bare_handlers() -> None:
        for task in handlers:
            task.rows[0][1](task, STEP)

    rows: dict[str, Callable[[], object]] = {
        "the 8 handlers alone": bare_handlers,
        "ped, 4 trees, 9 tasks": lambda: full.tasks.process(STEP),
        "ped that does nothing": lambda: standing.tasks.process(STEP),
    }
    calibration = min(calibrate() for _ in range(5))
    times = best_us(rows)
    before = updates
    bare_handlers()
    assert updates - before == 8
    full.tasks.process(STEP)
    assert updates - before == 2 * 8
    spawned_ms = min(spawn_ms() for _ in range(SPAWN_ROUNDS))
    goal = IDLE_GOAL_US * calibration / CALIBRATION_GOAL_S
    print(f"calibration {calibration:.3f} s (reference {CALIBRATION_GOAL_S:.2f} s)")
    for name, microseconds in times.items():
        print(f"{name:24s} {microseconds:8.2f} us")
    spawn_goal = SPAWN_GOAL_MS * calibration / CALIBRATION_GOAL_S
    print(
        f"{SPAWNED} peds spawned {spawned_ms:8.2f} ms, goal {SPAWN_GOAL_MS:.0f} ms, "
        f"scaled {spawn_goal:.2f} ms"
    )
    print(f"goal for 9 tasks: {IDLE_GOAL_US:.0f} us, scaled {goal:.2f} us")


if __name__ == "__main__":
    main()
