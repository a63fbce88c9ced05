"""The handler table of a task class: its state machine resolved once, at class creation.

A table is a tuple indexed by state id of ``(enter, update, exit)`` plain functions,
so that a tick is ``task.rows[state][UPDATE](task, dt)`` and nothing else (TASK-06).
Its last entry serves ``STATE_NONE`` (-1), which is why it has one entry more than
the class has states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ai.faults import faults
from ai.tasks.limits import STATES_PER_CLASS_MAX
from ai.tasks.task_entity import entity_label
from ai.tasks.task_flags import CONTINUE, QUIT, STATE_NONE, Result

if TYPE_CHECKING:
    from ai.tasks.task import Task

Enter: TypeAlias = "Callable[[Task], object]"
Update: TypeAlias = "Callable[[Task, float], object]"
Exit: TypeAlias = "Callable[[Task], object]"
Row: TypeAlias = tuple[Enter, Update, Exit]
HandlerTable: TypeAlias = tuple[Row, ...]

ENTER: Final = 0
UPDATE: Final = 1
EXIT: Final = 2

FINISH: Final = "FINISH"
"""Name of the state that may do without an update handler: it quits (TASK-09)."""

LOCAL_PREFIXES: Final = ("on_enter_", "on_update_", "on_exit_")
MIRROR_PREFIXES: Final = ("on_mirror_enter_", "on_mirror_update_", "on_mirror_exit_")


def do_nothing(_task: Task) -> None:
    """Every missing enter and exit handler."""


def _go_on(_task: Task, _dt: float) -> Result:
    """Every missing mirror update handler (TASK-104)."""
    return CONTINUE


def _quit(_task: Task, _dt: float) -> Result:
    """Update of a ``FINISH`` state that has none of its own."""
    return QUIT


def update_unknown_state(task: Task, _dt: float) -> Result:
    """Update of a task whose state is none of its class's (TASK-08).

    ``STATE_NONE`` goes on: a mirror that has no record yet. Anything else is a
    state written behind the kernel's back: one fault, and the task ends.
    """
    if task.state == STATE_NONE:
        return CONTINUE
    faults.record(
        "unknown_state",
        f"{task!r}: state {task.state} does not exist; set states through set_state alone",
        entity_label(task.entity),
    )
    return QUIT


_NO_STATE_ROW: Final[Row] = (do_nothing, update_unknown_state, do_nothing)


def local_table(cls: type[Task], states: type[IntEnum]) -> HandlerTable:
    """Handlers of local control.

    Raises ``TypeError`` for a state without an update handler.
    """
    rows: list[Row] = []
    for state in states:
        enter, update, leave = _handlers(cls, LOCAL_PREFIXES, state)
        if update is None:
            if state.name != FINISH:
                raise TypeError(
                    f"{cls.__qualname__}: state {state.name} has no handler; "
                    f"define on_update_{state.name.lower()}(self, dt)"
                )
            update = _quit
        rows.append((enter or do_nothing, update, leave or do_nothing))
    rows.append(_NO_STATE_ROW)
    return tuple(rows)


def mirror_table(cls: type[Task], states: type[IntEnum]) -> HandlerTable:
    """Handlers under a mirrored ped, where any may be missing (TASK-103, TASK-104)."""
    rows: list[Row] = []
    for state in states:
        enter, update, leave = _handlers(cls, MIRROR_PREFIXES, state)
        rows.append((enter or do_nothing, update or _go_on, leave or do_nothing))
    rows.append(_NO_STATE_ROW)
    return tuple(rows)


def _handlers(cls: type[Task], prefixes: Iterable[str], state: IntEnum) -> tuple[Any, ...]:
    """Enter, update and exit of one state through the class's MRO; None where missing."""
    return tuple(getattr(cls, prefix + state.name.lower(), None) for prefix in prefixes)


def check_states(cls: type[Task], states: type[IntEnum]) -> None:
    """Raise ``TypeError`` unless ids are 0..n-1 without gaps or aliases and n <= 255 (TASK-06)."""
    if len(states.__members__) > STATES_PER_CLASS_MAX:
        raise TypeError(
            f"{cls.__qualname__}: {len(states.__members__)} states; "
            f"at most {STATES_PER_CLASS_MAX} are allowed, split the task"
        )
    ids = [int(member) for member in states.__members__.values()]
    if ids != list(range(len(ids))):
        raise TypeError(
            f"{cls.__qualname__}: state ids are {ids}; number the states 0, 1, 2 ... "
            "in order, without gaps or aliases"
        )


def check_handler_names(cls: type[Task], states: Iterable[str]) -> None:
    """Raise ``TypeError`` for a handler of a state that does not exist.

    Only names defined in the class body itself are looked at (TASK-10).
    """
    known = {name.lower() for name in states}
    for name in vars(cls):
        for prefix in (*LOCAL_PREFIXES, *MIRROR_PREFIXES):
            if name.startswith(prefix) and name.removeprefix(prefix) not in known:
                raise TypeError(
                    f"{cls.__qualname__}.{name}: there is no state "
                    f"{name.removeprefix(prefix).upper()}; states are "
                    f"{', '.join(sorted(known)).upper() or 'none'}"
                )
