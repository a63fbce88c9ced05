"""The three-call adapter (TASK-92)."""

from __future__ import annotations

from typing import Any

import pytest

from ai.tasks.complex_task import ComplexTask
from ai.tasks.movement import ControlMovement
from ai.tasks.task import QUIT, Outcome, Task
from ai.tasks.trees import PRIMARY, PrimarySlot
from tests.ai.tasks.doubles import FakePed, Log, Probe, fresh_type, quit_now


class Chores(ComplexTask):
    """Runs the tasks that its makers make, one after another; control as its script says."""

    task_type = fresh_type("chores")
    __slots__ = ("control", "log", "makers", "read")

    def __init__(self, log: Log, *makers: Any, control: Any = None) -> None:
        super().__init__()
        self.log = log
        self.makers = list(makers)
        self.control = control
        self.read: list[Outcome] = []

    def _next(self) -> Task | None:
        return self.makers.pop(0)() if self.makers else None

    def create_first_child(self) -> Task | None:
        return self._next()

    def control_child(self, child: Task) -> Task | None:
        return child if self.control is None else self.control(child)

    def create_next_child(self, finished: Task) -> Task | None:
        self.read.append(finished.outcome)
        return self._next()

    def clean_up(self) -> None:
        self.log.append("chores.clean")


def lasting(name: str, log: Log, updates: int) -> Probe:
    """A probe that ends in its n-th update."""
    left = [updates]

    def update(task: Probe) -> object:
        left[0] -= 1
        return QUIT if left[0] == 0 else None

    return Probe(name, log, {"updA": update})


def test_each_child_is_created_in_the_step_its_predecessor_ends(ped: FakePed, log: Log) -> None:
    """TASK-92: three children in sequence; after the last the task ends."""
    makers = [lambda name=name: lasting(name, log, 2) for name in "XYZ"]
    task = Chores(log, *makers)
    ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    ped.step()
    assert log == ["X.enterA", "X.updA"]
    log.clear()
    ped.step()
    assert log == [
        "X.updA", "X.exitA", "X.clean", "X.deleted", "Y.enterA", "Y.updA",
    ]  # fmt: skip
    ped.step()
    assert log[-2:] == ["Z.enterA", "Z.updA"]
    ped.step()
    assert log[-3:] == ["Z.clean", "chores.clean", "Z.deleted"] or "chores.clean" in log
    assert task.outcome is Outcome.SUCCEEDED
    assert task.read == [Outcome.SUCCEEDED] * 3
    assert ped.primary.get_task(PrimarySlot.PRIMARY) is None


def test_without_a_first_child_it_ends_at_once(ped: FakePed, log: Log) -> None:
    """TASK-92: None from the first call ends the task."""
    task = Chores(log)
    ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    ped.step()
    assert task.is_deleted
    assert log == ["chores.clean"]


def test_control_may_replace_the_child_or_end(ped: FakePed, log: Log) -> None:
    """TASK-92: another child displaces it, None ends the task."""
    answers: list[Any] = [None, Probe("N", log)]

    def control(child: Task) -> Task | None:
        return answers.pop() if len(answers) == 2 else (child if answers == [None] else None)

    task = Chores(log, lambda: Probe("X", log), control=control)
    ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    ped.step()
    assert "X.clean" in log
    assert log[-2:] == ["N.enterA", "N.updA"]
    answers.append(0)
    answers.append(0)
    answers.append(0)
    ped.step()
    assert task.is_deleted
    assert "N.clean" in log


def test_it_ends_when_it_is_resumed(ped: FakePed, log: Log) -> None:
    """TASK-92: aborted then resumed it finishes at once; whoever aborts it may delete it."""
    task = Chores(log, lambda: Probe("X", log))
    assert task.may_delete_on_abort()
    ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    ped.step()
    ped.tasks.set_task(PRIMARY, Probe("R", log, {"updA": quit_now}), PrimarySlot.PHYSICAL_RESPONSE)
    log.clear()
    ped.step()
    assert task.is_deleted
    assert task.outcome is Outcome.CANCELLED
    assert not [line for line in log if line.startswith("X.enter")]


def test_movement_control_is_an_adapter_whose_child_is_elsewhere() -> None:
    """TASK-92: used by movement control, which stays in CONTROL_CHILD without a child."""
    assert issubclass(ControlMovement, ComplexTask)
    assert ControlMovement.CHILD_IS_ELSEWHERE


@pytest.mark.parametrize("name", ["CREATE_FIRST_CHILD", "CONTROL_CHILD", "CREATE_NEXT_CHILD"])
def test_its_states_are_those_of_the_rule(name: str) -> None:
    """TASK-92: three calls and QUIT."""
    assert name in ComplexTask.State.__members__
    assert len(ComplexTask.State) == 4
