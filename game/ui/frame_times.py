"""How long each phase of a step and the drawing took, frame by frame (F3).

Reads the machine's clock and nothing else: what it measures never reaches the
simulation. While it is switched off nothing listens and nothing is measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from game.world.world import PhaseListener, World

FRAMES_KEPT = 240
PHASES = 17
DRAWING = PHASES + 1
"""Number of the part that is no phase: pictures, panels and what else a window does."""

PARTS = DRAWING + 1
NS_PER_MS = 1e6


class FrameTimes:
    """A ring of the last frames, one row each (fills ``PhaseListener``).

    - Column ``n`` of a row is the time in phase ``n`` in ms, all steps of the frame
      together; column ``DRAWING`` is the rest of the frame until ``frame_ends``.
    - Time is given to the part that began last; between a frame's end and the next
      phase or drawing no part runs: waiting for the screen counts for nothing.
    - Whoever listened to the world before goes on hearing every phase.
    """

    def __init__(self, world: World, clock_ns: Callable[[], int] = time.perf_counter_ns) -> None:
        self.names: list[str] = ["", *[f"phase {number}" for number in range(1, DRAWING)]]
        self.names.append("drawing")
        self.frames = 0
        self._world = world
        self._clock_ns = clock_ns
        self._rows: NDArray[np.float64] = np.zeros((FRAMES_KEPT, PARTS))
        self._spent_ns = [0] * PARTS
        self._part = 0
        self._since_ns = 0
        self._listened_before: PhaseListener | None = None
        self.is_on = False

    def toggle(self) -> None:
        """Begin to listen from an empty ring, or stop."""
        self.is_on = not self.is_on
        if self.is_on:
            self._listened_before = self._world.phase_listener
            self._world.phase_listener = self
            self.frames = 0
            self._rows.fill(0.0)
            self._spent_ns = [0] * PARTS
            self._part = 0
        elif self._world.phase_listener is self:
            self._world.phase_listener = self._listened_before

    # -- what is told ----------------------------------------------------------

    def phase_begins(self, number: int, name: str) -> None:
        """A phase of the step begins; the part before it has ended."""
        self._enter(number)
        self.names[number] = name
        if self._listened_before is not None:
            self._listened_before.phase_begins(number, name)

    def drawing_begins(self) -> None:
        """The steps of the frame are over, or there were none."""
        if self.is_on and self._part != DRAWING:
            self._enter(DRAWING)

    def frame_ends(self) -> None:
        """Everything of the frame is done: its row is complete."""
        if not self.is_on:
            return
        self._enter(0)
        row = self._rows[self.frames % FRAMES_KEPT]
        row[:] = self._spent_ns
        row /= NS_PER_MS
        row[0] = 0.0
        self._spent_ns = [0] * PARTS
        self.frames += 1

    def _enter(self, part: int) -> None:
        now_ns = self._clock_ns()
        if self._part:
            self._spent_ns[self._part] += now_ns - self._since_ns
        self._part = part
        self._since_ns = now_ns

    # -- what can be read ------------------------------------------------------

    @property
    def kept(self) -> int:
        """Frames in the ring."""
        return min(self.frames, FRAMES_KEPT)

    def rows(self) -> NDArray[np.float64]:
        """The kept frames, oldest first, shape (kept, ``PARTS``), ms."""
        if self.frames <= FRAMES_KEPT:
            return self._rows[: self.frames]
        return np.roll(self._rows, -(self.frames % FRAMES_KEPT), axis=0)

    def last(self) -> NDArray[np.float64]:
        """The newest frame, shape (``PARTS``,), ms.

        Raises ``IndexError`` before the first.
        """
        if not self.frames:
            raise IndexError("no frame has been measured yet")
        newest: NDArray[np.float64] = self._rows[(self.frames - 1) % FRAMES_KEPT]
        return newest

    def averages(self) -> NDArray[np.float64]:
        """Mean over the kept frames, shape (``PARTS``,), ms; zeros before the first."""
        if not self.frames:
            return np.zeros(PARTS)
        mean: NDArray[np.float64] = self._rows[: self.kept].mean(axis=0)
        return mean
