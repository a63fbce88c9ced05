"""Types, names and the registry (TASK-96, TASK-97, TASK-100)."""

from __future__ import annotations

from enum import IntEnum

import pytest

import ai.tasks.ped_trees  # noqa: F401 - registers the kernel's own classes
from ai.tasks.idle_tasks import DoNothing, MoveStandStill
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Task
from ai.tasks.task_errors import TaskTypeError
from ai.tasks.task_registry import (
    class_info,
    registered,
    state_name,
    task_name,
    types_without_class,
)
from ai.tasks.task_types import TaskType
from tests.ai.tasks.doubles import Probe, fresh_type


def test_the_first_five_types_are_fixed() -> None:
    """TASK-96: level scripts use their numbers; NONE is outside the range."""
    assert [TaskType(number).name for number in range(5)] == [
        "HANDS_UP",
        "CLIMB_LADDER",
        "EXIT_VEHICLE",
        "COMBAT_ROLL",
        "AIM_GUN_ON_FOOT",
    ]
    assert TaskType.NONE == -1


def test_type_numbers_are_dense_and_in_range() -> None:
    """TASK-96, TASK-97: from 0 without gaps; segments follow each other."""
    numbers = sorted(int(member) for member in TaskType if member is not TaskType.NONE)
    assert numbers == list(range(len(numbers)))
    assert numbers[-1] <= 65_535
    assert TaskType.DO_NOTHING < TaskType.CONTROL_MOVEMENT < TaskType.ON_FOOT


def test_the_kernels_classes_are_registered_once() -> None:
    """TASK-100: declaring ``task_type`` registers the class."""
    for task_type, cls in (
        (TaskType.DO_NOTHING, DoNothing),
        (TaskType.MOVE_STAND_STILL, MoveStandStill),
        (TaskType.CONTROL_MOVEMENT, ControlMovement),
    ):
        info = class_info(task_type)
        assert info is not None
        assert info.task_class is cls
        assert cls.info is info
    types = [info.task_type for info in registered()]
    assert types == sorted(set(types))


def test_a_type_without_a_class_is_listed() -> None:
    """TASK-100: a missing class for a type is found."""
    assert types_without_class((TaskType.DO_NOTHING, TaskType.HANDS_UP, TaskType.NONE)) == (
        TaskType.HANDS_UP,
    )


def test_names_are_always_there() -> None:
    """TASK-100: unknown types and states never raise in a log path."""
    assert task_name(TaskType.DO_NOTHING) == "do_nothing"
    assert task_name(TaskType.HANDS_UP) == "hands_up"
    assert task_name(54_321) == "type#54321"
    assert state_name(TaskType.DO_NOTHING, 0) == "WAIT"
    assert state_name(TaskType.DO_NOTHING, 7) == "state#7"
    assert state_name(54_321, 0) == "state#0"
    assert task_name(Probe.task_type) == "probe"
    assert state_name(Probe.task_type, 2) == "C"


def test_two_classes_can_not_share_a_type() -> None:
    """TASK-100, combination 35: an error when the second is made, not last-one-wins."""
    with pytest.raises(TaskTypeError, match=r"taken by tests\.ai\.tasks\.doubles\.Probe"):

        class Second(Probe):
            task_type = Probe.task_type
            __slots__ = ()

    info = class_info(Probe.task_type)
    assert info is not None
    assert info.task_class is Probe


def test_one_class_can_not_have_a_type_without_states() -> None:
    """TASK-100: a registered class is a state machine."""
    with pytest.raises(TaskTypeError, match="no states"):

        class Stateless(Task):
            task_type = fresh_type("stateless")
            __slots__ = ()


@pytest.mark.parametrize("number", [-1, 65_536])
def test_a_type_outside_the_range_is_refused(number: int) -> None:
    """TASK-96: 0 to 65535."""
    wild = next(iter(IntEnum("Wild", {"WILD": number})))
    with pytest.raises(TaskTypeError, match="65535"):

        class Wild(Probe):
            task_type = wild
            __slots__ = ()


def test_a_type_must_have_a_name() -> None:
    """TASK-96: data files use names, so a bare number is no type."""
    with pytest.raises(TaskTypeError, match="IntEnum"):

        class Nameless(Probe):
            task_type = 61_000  # type: ignore[assignment]
            __slots__ = ()
