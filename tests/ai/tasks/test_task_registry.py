"""Types, names and the registry (TASK-96, TASK-97, TASK-100)."""

from __future__ import annotations

import importlib
import pkgutil
from enum import IntEnum
from pathlib import Path

import pytest

import ai
import ai.tasks.ped_trees
from ai.tasks.idle_tasks import DoNothing, MoveStandStill
from ai.tasks.movement import ControlMovement
from ai.tasks.script_task_ids import check_script_task_ids
from ai.tasks.task import Task
from ai.tasks.task_errors import TaskTypeError
from ai.tasks.task_registry import (
    class_info,
    registered,
    state_name,
    task_name,
    types_without_class,
)
from ai.tasks.task_types import (
    TaskType,
    is_combat_type,
    is_ragdoll_type,
    is_vehicle_ai_type,
)
from game import resources
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
    missing = next(iter(IntEnum("Missing", {"MISSING": 59_999})))
    types = (TaskType.DO_NOTHING, TaskType.CLIMB_LADDER, TaskType.NONE, missing)
    assert types_without_class(types) == (missing,)  # type: ignore[arg-type]


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


@pytest.mark.parametrize("task_type", list(TaskType))
def test_a_type_is_ragdoll_exactly_within_its_range(task_type: TaskType) -> None:
    """TASK-98: RAGDOLL_RELAX to RAGDOLL_LAST, and every class of the registry agrees."""
    inside = TaskType.RAGDOLL_RELAX <= task_type <= TaskType.RAGDOLL_LAST
    assert is_ragdoll_type(task_type) is inside
    info = class_info(task_type)
    assert info is None or info.is_ragdoll_behaviour is inside


def test_fights_are_a_fixed_set() -> None:
    """TASK-98: these five and no other; every class of the registry agrees."""
    fights = {task_type.name for task_type in TaskType if is_combat_type(task_type)}
    assert fights == {"COMBAT", "THREAT_RESPONSE", "COMBAT_MOUNTED", "MELEE", "VEHICLE_COMBAT"}
    for info in registered():
        if isinstance(info.task_type, TaskType):
            assert info.is_combat is is_combat_type(info.task_type)


def test_vehicle_ai_goes_up_to_the_debug_types() -> None:
    """TASK-98, TASK-97: from VEHICLE_FIRST; debug-only types come last of all."""
    assert is_vehicle_ai_type(TaskType.VEHICLE_FIRST)
    assert not is_vehicle_ai_type(TaskType.DEBUG_FIRST)
    assert not is_vehicle_ai_type(TaskType.VEHICLE_COMBAT)
    assert not is_vehicle_ai_type(TaskType.EXIT_VEHICLE)
    assert max(TaskType) == TaskType.DEBUG_FIRST


def test_a_virtual_type_has_no_class() -> None:
    """TASK-99: registering DEFER_TO_SCENARIO is refused, and so is constructing it."""
    with pytest.raises(TaskTypeError, match="DEFER_TO_SCENARIO"):

        class Deferring(Probe):
            task_type = TaskType.DEFER_TO_SCENARIO
            __slots__ = ()

    assert class_info(TaskType.DEFER_TO_SCENARIO) is None

    class Typeless(Probe):
        __slots__ = ()

    Typeless.task_type = TaskType.DEFER_TO_SCENARIO
    with pytest.raises(TaskTypeError):
        Typeless()


def test_every_type_that_is_no_mark_has_a_class() -> None:
    """TASK-100: importing ``ai`` registers every non-virtual type exactly once."""
    for module in pkgutil.walk_packages(ai.__path__, "ai."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    assert types_without_class() == ()


def test_the_script_ids_equal_their_file() -> None:
    """TASK-96: the shipped file agrees with the enum."""
    check_script_task_ids(resources.tuning())


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("combat_roll = 3", "combat_roll = 4", "key 'task.combat_roll' = 4: must be 3"),
        ("hands_up", "hand_up", "key 'task.hands_up' = None"),
        ("hands_up = 0\n", "", "task"),
        ("[task]", "[tasks]", "key 'task' is missing"),
    ],
)
def test_other_script_ids_keep_the_program_from_starting(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    """TASK-96: ``ImportError`` naming file, key and value."""
    text = (resources.tuning() / "script_task_ids.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "script_task_ids.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ImportError, match=r"script_task_ids\.toml") as refused:
        check_script_task_ids(tmp_path)
    assert told in str(refused.value)


def test_the_ids_are_checked_when_the_program_is_imported() -> None:
    """TASK-96: importing what builds worlds compares them."""
    module = importlib.import_module("game.world.world_data")
    assert module.check_script_task_ids is check_script_task_ids
