"""Long steps: what time slicing hands to the trees (TASK-16, combination 22)."""

from __future__ import annotations

import pytest

from ai.ports import at_least
from tests.ai.tasks.doubles import STEP, FakePed, Probe


def waiting_steps(slice_length: int) -> tuple[int, Probe]:
    """Steps until a 1.5 s wait ends when only every n-th step is a full update."""
    ped = FakePed()
    task = Probe(
        script={"updA": lambda task: task.succeed() if at_least(task.time_running, 1.5) else None}
    )
    ped.primary.set_task(task, 3)
    saved = 0.0
    for step in range(1, 200):
        saved += STEP
        if step % slice_length == 0:
            ped.tasks.process(saved)
            saved = 0.0
        if task.has_finished:
            return step, task
    raise AssertionError("never over")


def test_a_wait_ends_within_one_slice_of_the_unsliced_run() -> None:
    """TASK-16, combination 22: accumulated ``dt`` is counted once; a timer fires once."""
    plain, _ = waiting_steps(1)
    sliced, task = waiting_steps(6)
    assert plain == 90
    assert 0 <= sliced - plain < 6
    assert task.time_running == pytest.approx(sliced * STEP, abs=1e-9)
    assert task.log.count("P.exitA") == 1


def test_sixty_steps_in_slices_of_six_are_ten_updates_of_one_second() -> None:
    """TASK-16: ``time_running`` 1.0 after 10 updates of 0.1 s."""
    ped, task = FakePed(), Probe()
    ped.primary.set_task(task, 3)
    for _ in range(10):
        ped.tasks.process(6 * STEP)
    assert task.log.count("P.updA") == 10
    assert task.time_running == pytest.approx(1.0, abs=1e-9)
