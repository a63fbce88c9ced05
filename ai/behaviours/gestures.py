"""What a body says beside its clips: gestures that tasks make, for whoever draws (EVT-84).

A task shows a gesture by the class attribute ``gesture``; nothing of the simulation
depends on it.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from ai.tasks.trees import PRIMARY, SECONDARY

if TYPE_CHECKING:
    from ai.ports import Vec3
    from ai.tasks.task_manager import TaskManager


class Gesture(Enum):
    """How the body is held while a task goes on."""

    STARTLE = auto()
    DUCK = auto()
    COWER = auto()
    HANDS_UP = auto()
    FILM = auto()
    PHONE = auto()
    LOOK = auto()
    WAVE = auto()
    KNEEL = auto()
    ON_GUARD = auto()
    ROLL = auto()


class Shown(NamedTuple):
    """A gesture, for how long it has been made, and the place that it is about, if any."""

    gesture: Gesture
    age_s: float
    at: Vec3 | None


def gesture_of(tasks: TaskManager) -> Shown | None:
    """What a ped's active tasks show: the main one, else one on the side."""
    for tree in (PRIMARY, SECONDARY):
        task = tasks.tree(tree).active_root
        gesture = getattr(task, "gesture", None)
        if task is not None and gesture is not None:
            return Shown(gesture, task.time_running, getattr(task, "at", None))
    return None
