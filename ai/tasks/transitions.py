"""State transition tables: which state comes next, by condition, weight and chance (TASK-28 to 33).

A table is data: rows ``from, to, weight, require`` and fallbacks ``from, to``. How it
is read from a file stands in ``transition_files``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

from ai.ports import at_least

SHORTEST: Final = 0.8
LONGEST: Final = 1.2
"""Shares of the average time between two periodic lookups (TASK-33)."""

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
          more, if so, for where to. What is certain is not drawn.
        - Weights that sum to at least 1 always move. Staying by chance does not
          consult the fallback, which serves only if no row applies.
        """
        applies = False
        choices = 0
        total = 0.0
        chosen = NO_TRANSITION
        for row in self._rows[state]:
            if conditions & row.require == row.require:
                applies = True
                total += row.weight
                if row.weight > 0.0:
                    choices += 1
                    chosen = row.to_state
        if not applies:
            return self._fallbacks[state]
        if choices == 0 or (total < 1.0 and rng.random() > total):
            return NO_TRANSITION
        if choices == 1:
            return chosen
        left = rng.random() * total
        for row in self._rows[state]:
            if row.weight > 0.0 and conditions & row.require == row.require:
                chosen = row.to_state
                left -= row.weight
                if left < 0.0:
                    break
        return chosen


class TransitionCursor:
    """What a task remembers between two periodic checks of its table (TASK-33).

    - ``armed_s``: the ``time_in_state`` at which the timer was started, None while none runs.
    - ``due_s``: that of the next lookup, None until it is drawn.
    - ``bits``: conditions of the previous check in this state, 0 before the first.
    """

    __slots__ = ("armed_s", "bits", "due_s")

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Another state, or the same one anew: nothing is known of it."""
        self.armed_s: float | None = None
        self.due_s: float | None = None
        self.bits = 0

    def arm(self, now_s: float) -> None:
        """Start the timer."""
        self.armed_s = now_s
        self.due_s = None

    def is_due(self, now_s: float, average_s: float, rng: random.Random) -> bool:
        """Has the timer run out: the average time, a fifth shorter to a fifth longer?

        How long it runs is drawn once it could be over, so that a state that is left
        before draws nothing.
        """
        assert self.armed_s is not None
        if not at_least(now_s, self.armed_s + average_s * SHORTEST):
            return False
        if self.due_s is None:
            self.due_s = self.armed_s + average_s * rng.uniform(SHORTEST, LONGEST)
        return at_least(now_s, self.due_s)
