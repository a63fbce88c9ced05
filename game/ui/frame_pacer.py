"""How many simulation steps a drawn frame runs: real time in, whole steps out, never a spiral.

Invariants (product.md section 2, F7):

- The length of a step never changes; slow and fast motion vary the steps per second.
- A frame runs at most five steps, or as many as its speed needs at 60 frames a
  second if that is more; time beyond that is dropped, not owed.
- A pause owes nothing either: going on is as if no time had passed.
"""

from __future__ import annotations

import math

from ai.ports import STEP_S

STEPS_PER_FRAME_MAX = 5
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Slow and fast motion, as ``[`` and ``]`` go through them."""

ROUNDING = 1e-9
"""Of a step: a frame of exactly one step's length runs one, whatever its last bit."""


class FramePacer:
    """Turns the lengths of drawn frames into steps; knows nothing of windows or clocks."""

    def __init__(self) -> None:
        self.is_paused = False
        self._speed_index = SPEEDS.index(1.0)
        self._owed_steps = 0.0
        self._single_steps = 0

    @property
    def speed(self) -> float:
        """Simulated seconds per second."""
        return SPEEDS[self._speed_index]

    @property
    def alpha(self) -> float:
        """How far drawing is between the last two steps, 0 to 1."""
        return min(1.0, max(0.0, self._owed_steps))

    def faster(self) -> None:
        """One speed up, if there is one."""
        self.choose_speed(self._speed_index + 1)

    def slower(self) -> None:
        """One speed down, if there is one."""
        self.choose_speed(self._speed_index - 1)

    def choose_speed(self, index: int) -> None:
        """One of ``SPEEDS`` by its place, held to those there are."""
        self._speed_index = min(max(index, 0), len(SPEEDS) - 1)

    def toggle_pause(self) -> None:
        """Halt, or go on."""
        self.is_paused = not self.is_paused
        self._single_steps = 0

    def pause(self) -> None:
        """Halt; nothing happens if halted already."""
        if not self.is_paused:
            self.toggle_pause()

    def go_on(self) -> None:
        """Go on; nothing happens if nothing was halted."""
        if self.is_paused:
            self.toggle_pause()

    def single_step(self) -> None:
        """Halt, and run exactly one step in the next frame."""
        self.pause()
        self._single_steps += 1

    def advance(self, frame_s: float) -> int:
        """How many steps this frame runs; ``frame_s`` is the time since the last frame."""
        if self.is_paused:
            steps, self._single_steps = self._single_steps, 0
            return min(steps, STEPS_PER_FRAME_MAX)
        self._owed_steps += max(0.0, frame_s) * self.speed / STEP_S
        steps = int(self._owed_steps + ROUNDING)
        most = max(STEPS_PER_FRAME_MAX, math.ceil(self.speed))
        if steps > most:
            steps = most
            self._owed_steps = 0.0
        else:
            self._owed_steps = max(0.0, self._owed_steps - steps)
        return steps
