"""Seconds of a level as step numbers (product.md section 2: a step is 1/60 s).

Step ``n`` begins at ``n / 60`` s; what it leaves behind is the state at
``(n + 1) / 60`` s. Comparisons follow the timer rule, so that 0.5 s is step 30.
"""

from __future__ import annotations

import math

from ai.ports import STEP_S, TIMER_EPSILON_S

_STEPS_PER_S = 1.0 / STEP_S


def first_step_at(seconds: float) -> int:
    """First step that begins at this time or later; cues at this time act in it."""
    return max(0, math.ceil((seconds - TIMER_EPSILON_S) * _STEPS_PER_S))


def steps_within(seconds: float) -> int:
    """Whole steps that end within so many seconds."""
    return math.floor((seconds + TIMER_EPSILON_S) * _STEPS_PER_S)


def end_of_step_s(step: int) -> float:
    """Time of the state that a step leaves behind."""
    return (step + 1) * STEP_S
