"""The registry of task classes: declaring ``task_type`` registers the class (TASK-100).

It answers for names, state names, sizes and class flags. It has no create-by-type
on purpose: making tasks is the business of factories with arguments of their own.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from ai.tasks.limits import INSTANCE_BYTES_LISTED, INSTANCE_BYTES_MAX, TASK_TYPE_ID_MAX
from ai.tasks.task_errors import TaskTypeError
from ai.tasks.task_types import RESERVED_TYPES, VIRTUAL_TYPES, TaskType

if TYPE_CHECKING:
    from ai.tasks.task import Task


@dataclass(frozen=True, slots=True)
class TaskClassInfo:
    """What the registry knows of one class.

    - ``name`` is the lower-case name of the type, as logs and files write it.
    - ``shallow_size`` is ``sys.getsizeof`` of a bare instance, in bytes.
    - ``hook_mask`` has the bit ``1 << PhaseHook`` of each hook that the class overrides.
    """

    task_type: IntEnum
    task_class: type[Task]
    name: str
    state_names: tuple[str, ...]
    shallow_size: int
    hook_mask: int
    is_move_task: bool
    is_motion_task: bool
    is_ragdoll_behaviour: bool
    is_combat: bool


_infos: dict[int, TaskClassInfo] = {}
_statics: list[tuple[type[Task], dict[str, Any]]] = []


def register(cls: type[Task], state_names: tuple[str, ...]) -> TaskClassInfo:
    """Enter a class under its ``task_type``; called when the class is created.

    Raises ``TaskTypeError`` for a type outside 0..65535, a type that another class
    has, a class without states, and instances over 736 bytes (TASK-90).
    """
    task_type = cls.task_type
    where = f"{cls.__module__}.{cls.__qualname__}"
    if not isinstance(task_type, IntEnum):
        raise TaskTypeError(f"{where}: task_type {task_type!r} must be a member of an IntEnum")
    if task_type in VIRTUAL_TYPES:
        raise TaskTypeError(
            f"{where}: {task_type.name} is an answer of decision data, no task; "
            "give the class a type of its own"
        )
    if not 0 <= task_type <= TASK_TYPE_ID_MAX:
        raise TaskTypeError(f"{where}: task type {int(task_type)} is not in 0..{TASK_TYPE_ID_MAX}")
    if task_type in _infos:
        other = _infos[task_type].task_class
        raise TaskTypeError(
            f"{where}: type {task_type.name} ({int(task_type)}) is taken by "
            f"{other.__module__}.{other.__qualname__}; give one of them a type of its own"
        )
    if not state_names:
        raise TaskTypeError(f"{where}: has a type but no states; declare class State(IntEnum)")
    size = sys.getsizeof(cls.__new__(cls))
    if size > INSTANCE_BYTES_MAX:
        raise TaskTypeError(
            f"{where}: an instance takes {size} bytes, at most {INSTANCE_BYTES_MAX} are allowed; "
            "move fields into an object of their own"
        )
    info = TaskClassInfo(
        task_type=task_type,
        task_class=cls,
        name=task_type.name.lower(),
        state_names=state_names,
        shallow_size=size,
        hook_mask=cls.hook_mask,
        is_move_task=cls.is_move_task,
        is_motion_task=cls.is_motion_task,
        is_ragdoll_behaviour=cls.is_ragdoll_behaviour,
        is_combat=cls.is_combat,
    )
    _infos[task_type] = info
    return info


def class_info(task_type: int) -> TaskClassInfo | None:
    """What is registered under a type, or None."""
    return _infos.get(task_type)


def class_named(name: str) -> TaskClassInfo | None:
    """What is registered under a type's lower-case name, or None."""
    return next((info for info in _infos.values() if info.name == name), None)


def registered() -> tuple[TaskClassInfo, ...]:
    """All registered classes in ascending order of their type."""
    return tuple(_infos[task_type] for task_type in sorted(_infos))


def types_without_class(types: Iterable[TaskType] = tuple(TaskType)) -> tuple[TaskType, ...]:
    """Types for which no class is registered, in ascending order.

    ``NONE`` and the virtual types apart, which have none, and those that are reserved.
    """
    exempt = {TaskType.NONE} | VIRTUAL_TYPES | RESERVED_TYPES
    return tuple(sorted(t for t in types if t not in exempt and t not in _infos))


def task_name(task_type: int) -> str:
    """Lower-case name of a type, ``type#<n>`` if it is unknown; never an exception."""
    info = _infos.get(task_type)
    if info is not None:
        return info.name
    try:
        return TaskType(task_type).name.lower()
    except ValueError:
        return f"type#{int(task_type)}"


def state_name(task_type: int, state: int) -> str:
    """Name of a state of a type, ``state#<n>`` if either is unknown; never an exception."""
    info = _infos.get(task_type)
    if info is None or not 0 <= state < len(info.state_names):
        return f"state#{int(state)}"
    return info.state_names[state]


def size_report() -> str:
    """Sizes of all classes, largest first, from 380 bytes on marked as errors (TASK-90)."""
    rows = sorted(registered(), key=lambda info: (-info.shallow_size, info.task_type))
    return "\n".join(
        f"{'ERROR' if info.shallow_size >= INSTANCE_BYTES_LISTED else '     '} "
        f"{info.shallow_size:4d} {info.name} ({info.task_class.__qualname__})"
        for info in rows
    )


def declare_statics(cls: type[Task], initial: dict[str, Any]) -> None:
    """Remember class-level values that live across tasks, and set them (TASK-04)."""
    _statics.append((cls, initial))
    _set_statics(cls, initial)


def reset_statics() -> None:
    """Put every declared class-level value back: at world creation and level restart."""
    for cls, initial in _statics:
        _set_statics(cls, initial)


def _set_statics(cls: type[Task], initial: dict[str, Any]) -> None:
    for name, value in initial.items():
        setattr(cls, name, copy.deepcopy(value))
