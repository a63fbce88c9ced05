"""What the kernel needs of whoever owns task trees.

``ai/peds`` has the ped, ``game/world`` the vehicles and objects.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ai.tasks.task_manager import TaskManager


class TaskEntity(Protocol):
    """Owner of task trees.

    - ``is_mirrored`` is true while another simulation owns the entity: its tasks run
      their mirror handlers, and its trees refuse local tasks (TASK-71, TASK-103).
    """

    @property
    def label(self) -> str:
        """Name in dumps and faults: ``ped#12``."""
        ...

    @property
    def tasks(self) -> TaskManager:
        """Its trees."""
        ...

    @property
    def rng(self) -> random.Random:
        """The entity's stream ``task``, the only random numbers of its tasks (TASK-04)."""
        ...

    @property
    def is_mirrored(self) -> bool:
        """True while another simulation owns the entity."""
        ...


class MotionWishes(Protocol):
    """Where the movement tree writes and the motion tree reads, later in the same step (TASK-78).

    - ``desired_mbr`` is a move blend ratio in [0, 3].
    - ``desired_heading_rad`` is None while the heading follows the path.
    """

    desired_mbr: float
    desired_heading_rad: float | None


class MovingEntity(TaskEntity, Protocol):
    """An entity that has a movement tree."""

    @property
    def motion(self) -> MotionWishes:
        """Wished speed and heading."""
        ...


def entity_label(entity: TaskEntity | None) -> str:
    """``ped#12``, or an empty text for a task that is in no tree."""
    return "" if entity is None else entity.label
