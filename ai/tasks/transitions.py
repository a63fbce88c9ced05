"""State transition tables: which state comes next, by condition, weight and chance (TASK-28 to 33).

A table is data: rows ``from, to, weight, require`` and fallbacks ``from, to``. How it
is read from a file stands in ``transition_files``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

NO_TRANSITION: Final = -1
"""Stay: nothing applies, or chance says so."""


class TransitionRow(NamedTuple):
    """One way from a state.

    - It applies if every bit of ``require`` is among the conditions; further
      conditions do not matter (TASK-29).
    - ``weight`` is finite and not negative; 0 is never chosen.
    """

    from_state: int
    to_state: int
    weight: float
    require: int


class Fallback(NamedTuple):
    """Where to go if no row of a state applies."""

    from_state: int
    to_state: int


class TransitionTable:
    """The ways between the states of one task class; never changes."""

    __slots__ = ("_fallbacks", "_rows")

    def __init__(
        self, states: int, rows: Sequence[TransitionRow], fallbacks: Sequence[Fallback] = ()
    ) -> None:
        """Sort rows by the state they leave, file order kept; ``states`` is how many there are."""
        self._rows = tuple(
            tuple(row for row in rows if row.from_state == state) for state in range(states)
        )
        self._fallbacks = tuple(
            next((to for origin, to in fallbacks if origin == state), NO_TRANSITION)
            for state in range(states)
        )

    def find(self, state: int, conditions: int, rng: random.Random) -> int:
        """The next state, or ``NO_TRANSITION`` (TASK-30).

        - Draws nothing unless a row applies; then once for whether to move, and once
          more, if so, for where to.
        - Weights that sum to at least 1 always move. Staying by chance does not
          consult the fallback, which serves only if no row applies.
        """
        applies = False
        total = 0.0
        for row in self._rows[state]:
            if conditions & row.require == row.require:
                applies = True
                total += row.weight
        if not applies:
            return self._fallbacks[state]
        if rng.random() > total or total == 0.0:
            return NO_TRANSITION
        left = rng.random() * total
        chosen = NO_TRANSITION
        for row in self._rows[state]:
            if row.weight > 0.0 and conditions & row.require == row.require:
                chosen = row.to_state
                left -= row.weight
                if left < 0.0:
                    break
        return chosen


class TransitionCursor:
    """What a task remembers between two periodic checks of its table (TASK-33).

    - ``due_s``: the ``time_in_state`` of the next lookup, None while no timer runs.
    - ``bits``: conditions of the previous check in this state, 0 before the first.
    """

    __slots__ = ("bits", "due_s")

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Another state, or the same one anew: nothing is known of it."""
        self.due_s: float | None = None
        self.bits = 0

    def arm(self, now_s: float, average_s: float, rng: random.Random) -> None:
        """Start the timer: the average time, a fifth shorter to a fifth longer."""
        self.due_s = now_s + average_s * rng.uniform(0.8, 1.2)
