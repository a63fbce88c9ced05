"""Keyframes of trees (TASK-120)."""

from __future__ import annotations

import json
from enum import IntEnum

import pytest

from ai.faults import faults
from ai.tasks.keyframe import capture, restore
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Task
from ai.tasks.task_errors import TaskError
from ai.tasks.task_pool import TaskPool
from ai.tasks.task_text import tree_text
from ai.tasks.trees import PRIMARY, SECONDARY, PrimarySlot
from tests.ai.tasks.doubles import FakePed, Log, MoveProbe, Probe, fresh_type


class SharedLog(list[str]):
    """A log that belongs to the test: keyframes copy the plain lists of a task alone."""


HEARD: Log = SharedLog()


class Rover(Task):
    """Goes a way, waits a drawn time, and again; writes down what it does."""

    task_type = fresh_type("rover")
    __slots__ = ("visits", "wait_s", "way")

    class State(IntEnum):
        GO = 0
        WAIT = 1

    AFTER_ABORT = State.GO

    def __init__(self) -> None:
        super().__init__()
        self.visits: list[float] = []
        self.wait_s = 0.0
        self.way = 0

    def on_enter_go(self) -> None:
        assert self.entity is not None
        self.way = self.entity.rng.randrange(5, 20)
        self.set_new_task(ControlMovement(MoveProbe("M", HEARD, 1.0, self.way)))

    def on_update_go(self, dt: float) -> None:
        if self.child_finished:
            HEARD.append(f"arrived after {self.time_in_state:.4f}")
            self.set_state(self.State.WAIT)

    def on_enter_wait(self) -> None:
        assert self.entity is not None
        self.wait_s = self.entity.rng.uniform(0.1, 0.5)
        self.visits.append(self.wait_s)

    def on_update_wait(self, dt: float) -> None:
        if self.time_in_state >= self.wait_s:
            HEARD.append(f"waited {self.time_in_state:.4f} of {self.time_running:.4f}")
            self.set_state(self.State.GO)


@pytest.fixture(autouse=True)
def silent() -> None:
    HEARD.clear()


def roving() -> FakePed:
    ped = FakePed()
    ped.tasks.set_task(PRIMARY, Rover(), PrimarySlot.PRIMARY)
    ped.step(37)
    return ped


def go_on(ped: FakePed, steps: int = 200) -> Log:
    HEARD.clear()
    ped.step(steps)
    return [*HEARD, tree_text(ped.tasks)]


@pytest.mark.parametrize("before", [0, 1, 7, 25, 60])
def test_going_on_from_a_keyframe_is_the_uninterrupted_run(before: int) -> None:
    """TASK-120: in the midst of a walk or a wait; timers, flags, uids and backups as they were."""
    ped = roving()
    ped.step(before)
    frame, stream = capture(ped.tasks), ped.rng.getstate()
    text = tree_text(ped.tasks)
    uninterrupted = go_on(ped)
    restore(ped.tasks, frame)
    ped.rng.setstate(stream)
    assert tree_text(ped.tasks) == text
    assert plain(go_on(ped)) == plain(uninterrupted)


def plain(lines: Log) -> Log:
    """Without the uids of tasks made afterwards, which are never reused."""
    import re

    return [re.sub(r"#[0-9]+", "#", line) for line in lines]


def test_a_keyframe_serves_again_and_again() -> None:
    """TASK-120: restoring or going on changes nothing in it."""
    ped = roving()
    frame, stream = capture(ped.tasks), ped.rng.getstate()
    runs = []
    for _ in range(3):
        restore(ped.tasks, frame)
        ped.rng.setstate(stream)
        runs.append(plain(go_on(ped, 120)))
    assert runs[0] == runs[1] == runs[2]


def test_waiting_and_never_started_roots_come_back(log: Log) -> None:
    """TASK-120: every slot; an aborted one resumes, a fresh one starts at state 0."""
    ped = roving()
    ped.tasks.set_task(PRIMARY, Probe("R", log), PrimarySlot.PHYSICAL_RESPONSE)
    ped.tasks.set_task(SECONDARY, Probe("S", log), 0)
    ped.step()
    frame = capture(ped.tasks)
    ped.tasks.set_task(PRIMARY, None, PrimarySlot.PHYSICAL_RESPONSE)
    ped.tasks.set_task(PRIMARY, None, PrimarySlot.PRIMARY)
    ped.step(5)
    restore(ped.tasks, frame)
    rover = ped.primary.get_task(PrimarySlot.PRIMARY)
    assert isinstance(rover, Rover)
    assert rover.is_aborted
    assert isinstance(ped.primary.active_root, Probe)
    ped.tasks.set_task(PRIMARY, None, PrimarySlot.PHYSICAL_RESPONSE)
    ped.step()
    assert not rover.is_aborted
    assert rover.has_entered


def test_the_pool_counts_what_is_restored(pool: TaskPool) -> None:
    """TASK-120, TASK-88: uids as captured; nothing is held twice, nothing leaks."""
    ped = roving()
    frame = capture(ped.tasks)
    used = pool.used
    uids = [task.uid for tree in ped.tasks.trees() for task in tree.chain()]
    ped.step(100)
    restore(ped.tasks, frame)
    assert pool.used == used
    assert [task.uid for tree in ped.tasks.trees() for task in tree.chain()] == uids
    ped.step(100)
    ped.tasks.close()
    assert pool.used == 0
    assert not pool.leaked
    assert not faults.all()


def test_keyframes_are_taken_between_steps_only(log: Log) -> None:
    """TASK-120: neither from inside a task."""
    ped = FakePed()
    raised: list[str] = []

    def capture_now(task: Probe) -> None:
        try:
            capture(ped.tasks)
        except TaskError as error:
            raised.append(str(error))

    ped.tasks.set_task(PRIMARY, Probe("P", log, {"updA": capture_now}), PrimarySlot.PRIMARY)
    ped.step()
    assert len(raised) == 1
    assert "between steps" in raised[0]


def test_a_keyframe_of_other_trees_is_refused() -> None:
    """TASK-120."""
    frame = capture(roving().tasks)
    with pytest.raises(TaskError, match="other trees"):
        restore(FakePed().tasks, frame._replace(trees=frame.trees[:2]))


def test_a_keyframe_names_classes_and_links_by_name_and_number() -> None:
    """TASK-120: no task or entity is in it."""
    frame = capture(roving().tasks)
    text = json.dumps(frame, default=lambda value: type(value).__name__)
    assert "rover" in text
    assert "FakePed" not in text
    assert "Rover" not in text
