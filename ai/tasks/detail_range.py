"""How near the focus may be before an entity may be simplified under a task (TASK-76)."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ai.tasks.task import Task


class DetailRange(IntEnum):
    """What a task class declares, in cm; ``NONE`` makes no demand."""

    NONE = -1
    NEAR = 1500
    MID = 2500
    FAR = 3500


NO_DEMAND: Final = int(DetailRange.NONE)
"""As a plain int, for the per-step path."""


def chain_detail_range(root: Task | None) -> int:
    """Largest range in cm that a task of a chain declares."""
    largest = NO_DEMAND
    while root is not None:
        if root.detail_range > largest:
            largest = int(root.detail_range)
        root = root.child
    return largest
