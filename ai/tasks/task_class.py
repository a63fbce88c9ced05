"""Declaring a task class: what is checked and resolved once, when the class is created."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from ai.tasks import task_registry
from ai.tasks.handler_table import (
    check_handler_names,
    check_states,
    local_table,
    mirror_table,
)
from ai.tasks.phase_hooks import hook_table, overridden_hooks
from ai.tasks.task_flags import (
    NOT_ENTERED,
    QUIT,
    SAME_STATE,
    SKIP_ANIM_FLAGS,
    SKIP_POST,
    SKIP_PRE,
)
from ai.tasks.task_points import TaskPoints
from ai.tasks.task_types import TaskType

if TYPE_CHECKING:
    from ai.tasks.task import Task

_DEFAULT_HOOKS = hook_table(TaskPoints)


def declare(cls: type[Task]) -> None:
    """Check a new class, resolve its tables and register it if it names a type.

    Raises ``TypeError`` for a broken declaration (TASK-06) and ``TaskTypeError`` for
    a broken registration (TASK-90, TASK-100).
    """
    own: dict[str, Any] = dict(vars(cls))
    if "__slots__" not in own:
        raise TypeError(
            f"{cls.__qualname__}: declares no __slots__; write __slots__ = () or name its fields"
        )
    for name in ("__eq__", "__hash__"):
        if name in own:
            raise TypeError(f"{cls.__qualname__}: tasks are equal by identity alone; drop {name}")
    states: type[IntEnum] | None = getattr(cls, "State", None)
    if "State" in own and states is not None:
        check_states(cls, states)
    check_handler_names(cls, states.__members__ if states is not None else ())
    resolve(cls)
    if "STATICS" in own:
        task_registry.declare_statics(cls, own["STATICS"])
    cls.info = None
    if "task_type" in own:
        cls.info = task_registry.register(cls, tuple(states.__members__) if states else ())
    else:
        cls.task_type = TaskType.NONE


def resolve(cls: type[Task]) -> None:
    """Build the handler tables, the hook table and the first flags from the class's attributes."""
    states: type[IntEnum] | None = getattr(cls, "State", None)
    if states is not None:
        cls.local_rows = local_table(cls, states)
        cls.mirror_rows = mirror_table(cls, states)
        _check_after_abort(cls, states)
    cls.hooks = hook_table(cls)
    cls.hook_mask = overridden_hooks(cls.hooks, _DEFAULT_HOOKS, is_ragdoll=cls.is_ragdoll_behaviour)
    flags = NOT_ENTERED
    if cls.pre_fsm is TaskPoints.pre_fsm:
        flags |= SKIP_PRE
    if cls.post_fsm is TaskPoints.post_fsm:
        flags |= SKIP_POST
    if not cls.WANTS_ANIM_FLAGS:
        flags |= SKIP_ANIM_FLAGS
    cls.first_flags = flags


def tables_are_current(cls: type[Task]) -> bool:
    """Strict: True while the tables still equal the attributes of the class."""
    states: type[IntEnum] | None = getattr(cls, "State", None)
    return (
        states is not None
        and cls.local_rows == local_table(cls, states)
        and cls.mirror_rows == mirror_table(cls, states)
        and cls.hooks == hook_table(cls)
    )


def _check_after_abort(cls: type[Task], states: type[IntEnum]) -> None:
    after = cls.AFTER_ABORT
    if after is not QUIT and after != SAME_STATE and not 0 <= after < len(states):
        raise TypeError(
            f"{cls.__qualname__}: AFTER_ABORT = {after!r} must be a state, SAME_STATE or QUIT"
        )
