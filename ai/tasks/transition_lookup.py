"""How a task uses its transition table (TASK-31, TASK-33): the lookups of ``Task``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ai.tasks.task_points import TaskPoints
from ai.tasks.transitions import NO_TRANSITION, TransitionCursor

if TYPE_CHECKING:
    from ai.tasks.task_entity import TaskEntity


class TransitionLookup(TaskPoints):
    """Finds the next state in the table that ``transition_table`` names."""

    __slots__ = ("transition_cursor",)

    transition_cursor: TransitionCursor | None

    if TYPE_CHECKING:
        entity: TaskEntity | None
        state: int
        time_in_state: float

        def set_state(self, state: int) -> None:
            """``Task.set_state``."""

    def find_new_state_transition(self) -> int:
        """Look the next state up in the table; changes nothing but the random stream (TASK-31).

        Returns a state or ``NO_TRANSITION``. Raises ``TransitionTableError`` if the
        class has no table.
        """
        entity = self.entity
        assert entity is not None
        return self.transition_table().find(self.state, self.transition_conditions(), entity.rng)

    def pick_new_state_transition(self) -> bool:
        """Look the next state up and ask for it; returns whether there was one (TASK-31)."""
        state = self.find_new_state_transition()
        if state == NO_TRANSITION:
            return False
        self.set_state(state)
        return True

    def periodically_check_transitions(self, average_s: float) -> bool:
        """Look the next state up now and then, and at once if a condition changed (TASK-33).

        - For update handlers. The time between lookups is ``average_s``, a fifth
          shorter to a fifth longer.
        - The first call in a state looks up at once if any condition holds, else it
          only starts the timer.

        Returns whether another state was asked for. Raises ``ValueError`` unless
        ``average_s`` is positive and finite.
        """
        if not 0.0 < average_s < math.inf:
            raise ValueError(f"{self!r}: average time {average_s!r} s must be above 0 and finite")
        entity = self.entity
        assert entity is not None
        cursor = self.transition_cursor
        if cursor is None:
            cursor = self.transition_cursor = TransitionCursor()
        conditions = self.transition_conditions()
        if conditions == cursor.bits:
            if cursor.armed_s is None:
                cursor.arm(self.time_in_state)
                return False
            if not cursor.is_due(self.time_in_state, average_s, entity.rng):
                return False
        cursor.bits = conditions
        cursor.arm(self.time_in_state)
        return self.pick_new_state_transition()
