"""Simulation time: a step counter, never the wall (product.md section 2)."""

from __future__ import annotations

from ai.ports import STEP_S


class StepClock:
    """Fills ``ai.ports.Clock``.

    Time is ``step * dt_s``, a product and not a sum, so that it carries no
    rounding from one step to the next.
    """

    def __init__(self, dt_s: float = STEP_S) -> None:
        if not 0.0 < dt_s <= 1.0:
            raise ValueError(f"dt_s must lie in (0, 1], not {dt_s}")
        self._step = 0
        self._dt_s = dt_s

    @property
    def step(self) -> int:
        """Number of the step being simulated, from 0."""
        return self._step

    @property
    def dt_s(self) -> float:
        """Length of a step in seconds."""
        return self._dt_s

    @property
    def time_s(self) -> float:
        """Simulated time at the start of this step."""
        return self._step * self._dt_s

    def advance(self) -> None:
        """Go to the next step (the last act of a step, product.md section 11)."""
        self._step += 1
