"""Seconds to whole steps: every timer of the room is an absolute step number."""

from __future__ import annotations

import math

from ai.ports import STEP_S, TIMER_EPSILON_S

STEPS_PER_SECOND = round(1.0 / STEP_S)

NEVER = 1 << 62
"""A due step that never comes."""


def steps(seconds: float) -> int:
    """``ceil(s * 60 - 1e-6)``: 0 -> 0, 0.01 -> 1, 0.1 -> 6, 4.0 -> 240 (section 1)."""
    return math.ceil(seconds * STEPS_PER_SECOND - TIMER_EPSILON_S)
