"""Reactions on the spot that the body shows: ducking, cowering, filming, calling (EVT-84)."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, Final, cast

from ai.behaviours.actor import Actor
from ai.behaviours.gestures import Gesture
from ai.behaviours.reaction_tasks import TaskShockingHurryAway, TaskShockingWatch
from ai.ports import EntityRef, Vec3, at_least
from ai.tasks.task import Result, Task
from ai.tasks.task_types import TaskType

SAFE_BELOW_FEAR: Final = 0.5
"""Who is no longer scared feels safe (the figure of flag 19, EVT-77)."""


class TaskShockingReact(TaskShockingWatch):
    """A short startle, towards what startled."""

    task_type = TaskType.SHOCKING_REACT
    __slots__ = ()
    gesture: ClassVar[Gesture] = Gesture.STARTLE


class TaskFilmWithPhone(TaskShockingWatch):
    """Films it: faces it and holds a phone up for ``duration_s``."""

    task_type = TaskType.FILM_WITH_PHONE
    __slots__ = ()
    gesture: ClassVar[Gesture] = Gesture.FILM


class TaskReportByPhone(TaskShockingWatch):
    """Calls for help, the eyes on it."""

    task_type = TaskType.REPORT_BY_PHONE
    __slots__ = ()
    gesture: ClassVar[Gesture] = Gesture.PHONE


class TaskHandsUp(TaskShockingWatch):
    """Faces who threatens, hands in the air."""

    task_type = TaskType.HANDS_UP
    __slots__ = ()
    gesture: ClassVar[Gesture] = Gesture.HANDS_UP


class TaskDuckAndCover(Task):
    """Crouches on the spot for ``duration_s``; a negative one lasts until it feels safe."""

    task_type = TaskType.DUCK_AND_COVER
    __slots__ = ("at", "duration_s", "event_type", "source")
    PARAMS: ClassVar[tuple[str, ...]] = ("event_type", "at", "source", "duration_s")
    gesture: ClassVar[Gesture] = Gesture.DUCK

    class State(IntEnum):
        """One state."""

        CROUCH = 0

    def __init__(
        self, event_type: int, at: Vec3, source: EntityRef | None, duration_s: float
    ) -> None:
        super().__init__()
        self.event_type = event_type
        self.at = at
        self.source = source
        self.duration_s = duration_s

    def is_response_for(self, event_type: int) -> bool:
        """The type it was made for."""
        return event_type == self.event_type

    def on_update_crouch(self, _dt: float) -> Result | None:
        """End when the time is over, or nothing frightens any more."""
        if self.duration_s < 0.0:
            fear = cast("Actor", self.entity).fear
            return self.succeed() if fear < SAFE_BELOW_FEAR else None
        return self.succeed() if at_least(self.time_running, self.duration_s) else None


class TaskCower(TaskDuckAndCover):
    """Crouches with the arms over the head."""

    task_type = TaskType.COWER
    __slots__ = ()
    gesture: ClassVar[Gesture] = Gesture.COWER


class TaskShockingBackAway(TaskShockingHurryAway):
    """Goes a short way off, without haste."""

    task_type = TaskType.SHOCKING_BACK_AWAY
    __slots__ = ()


class TaskLookAtEvent(Task):
    """Turns the head for ``duration_s``, beside whatever the ped does."""

    task_type = TaskType.LOOK_AT_EVENT
    __slots__ = ("at", "duration_s")
    PARAMS: ClassVar[tuple[str, ...]] = ("at", "duration_s")
    gesture: ClassVar[Gesture] = Gesture.LOOK

    class State(IntEnum):
        """One state."""

        LOOK = 0

    def __init__(self, at: Vec3, duration_s: float) -> None:
        super().__init__()
        self.at = at
        self.duration_s = duration_s

    def on_update_look(self, _dt: float) -> Result | None:
        """End when the time is over."""
        return self.succeed() if at_least(self.time_running, self.duration_s) else None
