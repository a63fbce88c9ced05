"""Array twins of the timer rule of ``ai.ports``: ``more_than`` and ``at_least`` of many timers.

A float comparison that is written anew in each batch would sooner or later differ
from the scalar one by its slack; so there is one pair. Times in s, shape (n,); a
limit is one for all or one for each timer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.ports import TIMER_EPSILON_S

Floats = NDArray[np.float64]


def more_than_batch(timers_s: Floats, limits_s: Floats | float) -> NDArray[np.bool_]:
    """Batch twin of ``ai.ports.more_than``."""
    over: NDArray[np.bool_] = timers_s > limits_s + TIMER_EPSILON_S
    return over


def at_least_batch(timers_s: Floats, limits_s: Floats | float) -> NDArray[np.bool_]:
    """Batch twin of ``ai.ports.at_least``."""
    reached: NDArray[np.bool_] = timers_s >= limits_s - TIMER_EPSILON_S
    return reached
