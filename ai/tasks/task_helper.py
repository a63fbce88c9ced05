"""Helper state machines: driven by hand by a host task, never in a tree (TASK-93)."""

from __future__ import annotations

import sys
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from ai.faults import faults
from ai.tasks.handler_table import (
    ENTER,
    EXIT,
    UPDATE,
    HandlerTable,
    check_handler_names,
    check_states,
    local_table,
)
from ai.tasks.helper_pools import HelperKind, helper_pools
from ai.tasks.limits import HELPER_BYTES_MAX, ROUND_OF_LOOP_FAULT, ROUNDS_HARD_MAX
from ai.tasks.task_entity import entity_label
from ai.tasks.task_errors import TaskStateError, TaskTypeError
from ai.tasks.task_flags import CONTINUE, QUIT, STATE_NONE, Result

if TYPE_CHECKING:
    from ai.tasks.task import Task


class TaskHelper:
    """A part of a task with states of its own: a search, a conversation.

    - Declared as a task is: ``State``, ``on_enter_x``, ``on_update_x``, ``on_exit_x``,
      ``__slots__``; at most 192 bytes.
    - ``acquire`` makes one for a host, or None if the pool of its ``kind`` is empty;
      the host then goes on without.
    - The host calls ``update`` in its own updates and ``release`` in its ``clean_up``;
      what a host leaves behind is a leak.
    """

    __slots__ = (
        "_can_change_state",
        "_is_over",
        "_is_released",
        "entered",
        "host",
        "prev_state",
        "state",
        "time_in_state",
        "time_running",
    )

    kind: ClassVar[HelperKind | None] = None
    rows: ClassVar[HandlerTable] = ()

    def __init_subclass__(cls) -> None:
        """Resolve the handlers once, as a task class does (TASK-06)."""
        super().__init_subclass__()
        if "__slots__" not in vars(cls):
            raise TypeError(f"{cls.__qualname__}: declares no __slots__; write __slots__ = ()")
        states: type[IntEnum] | None = getattr(cls, "State", None)
        if states is None:
            return
        as_task = cast("type[Task]", cls)
        check_states(as_task, states)
        check_handler_names(as_task, states.__members__)
        cls.rows = local_table(as_task, states)
        size = sys.getsizeof(cls.__new__(cls))
        if size > HELPER_BYTES_MAX:
            raise TaskTypeError(
                f"{cls.__qualname__}: an instance takes {size} bytes, at most "
                f"{HELPER_BYTES_MAX} are allowed; move fields into an object of their own"
            )

    def __init__(self, host: Task) -> None:
        self.host = host
        self.time_running = 0.0
        self.time_in_state = 0.0
        self.state = 0
        self.entered = STATE_NONE
        self.prev_state = STATE_NONE
        self._can_change_state = False
        self._is_over = False
        self._is_released = False

    @classmethod
    def acquire(cls, host: Task, *arguments: Any) -> Self | None:
        """One for a host, or None if there is no place left in the pool of its kind."""
        if not helper_pools().take(cls.kind):
            return None
        made = cls(host, *arguments)
        helper_pools().note_held(host, made)
        return made

    def update(self, dt: float) -> Result:
        """Run the state machine, as a task's is run; QUIT once it is over.

        After QUIT a further update is a fault and has no effect.
        """
        if self._is_over or self._is_released:
            faults.record(
                "helper_over",
                f"{self!r}: was updated after its end; reset() it or stop updating it",
                entity_label(self.host.entity),
            )
            return QUIT
        self.time_running += dt
        self.time_in_state += dt
        rows = self.rows
        for round_number in range(1, ROUNDS_HARD_MAX + 1):
            if self.entered == STATE_NONE:
                result = self._enter()
            else:
                self._can_change_state = True
                result = rows[self.state][UPDATE](cast("Task", self), dt)
                self._can_change_state = False
                if result is not QUIT:
                    if self.state == self.entered:
                        break
                    self._leave()
                    result = self._enter()
            if result is QUIT:
                self._leave()
                self._is_over = True
                return QUIT
            if round_number + 1 == ROUND_OF_LOOP_FAULT:
                faults.record(
                    "round_cap",
                    f"{self!r}: {ROUND_OF_LOOP_FAULT} rounds in one update; "
                    "two states follow each other for ever",
                    entity_label(self.host.entity),
                )
        return CONTINUE

    def set_state(self, state: int) -> None:
        """Ask for another state; exit and enter follow in the same update.

        Raises ``TaskStateError`` outside the helper's own update handler or for a
        state that does not exist.
        """
        if not self._can_change_state or not 0 <= state < len(self.rows) - 1:
            raise TaskStateError(
                f"{self!r}: set_state({state!r}) is legal only in the own update handler, "
                "for a member of State"
            )
        self.state = int(state)
        self.time_in_state = 0.0

    def reset(self) -> None:
        """Leave the present state and begin again with state 0 at the next update."""
        self._leave()
        self.state = 0
        self.prev_state = STATE_NONE
        self.time_in_state = 0.0
        self._is_over = False

    def release(self) -> None:
        """The host has no more use for it; a second call does nothing."""
        if not self._is_released:
            self._leave()
            self._is_released = True
            helper_pools().give_back(self.kind)
            helper_pools().note_released(self.host, self)

    def _enter(self) -> object:
        self.time_in_state = 0.0
        result = self.rows[self.state][ENTER](cast("Task", self))
        self.entered = self.state
        return result

    def _leave(self) -> None:
        if self.entered != STATE_NONE:
            left, self.entered = self.entered, STATE_NONE
            self.prev_state = left
            self.rows[left][EXIT](cast("Task", self))

    def __repr__(self) -> str:
        states: type[IntEnum] | None = getattr(type(self), "State", None)
        name = "-" if states is None else states(self.state).name
        return f"{type(self).__name__} {name} of {self.host!r}"
