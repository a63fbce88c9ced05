"""The response container: up to three tasks and two flags that one event gave (EVT-64)."""

from __future__ import annotations

from ai import settings
from ai.events.event_errors import ResponseError
from ai.tasks.task import Task


class EventResponse:
    """Filled by one event, committed or discarded once.

    - ``main``, ``physical``, ``movement``: the parts. ``override_as_non_temp``: a temporary
      event's reaction outlasts it. ``run_on_secondary``: the main part runs beside the main
      tree's task. ``say``: a line to speak.

    Invariant: it owns the tasks it holds until they are taken or discarded.
    """

    __slots__ = ("main", "movement", "override_as_non_temp", "physical", "run_on_secondary", "say")

    def __init__(self) -> None:
        self.main: Task | None = None
        self.physical: Task | None = None
        self.movement: Task | None = None
        self.override_as_non_temp = False
        self.run_on_secondary = False
        self.say = ""

    @property
    def is_empty(self) -> bool:
        """No part."""
        return self.main is None and self.physical is None and self.movement is None

    def set_main(self, task: Task, *, on_secondary: bool = False) -> None:
        """The intent, or a side action beside it.

        Raises ``ResponseError`` for a movement or motion task, for a side action beside a
        physical part, and in strict mode for a second part; the task is released.
        """
        if task.is_move_task or task.is_motion_task:
            self._refuse(task, "the main part takes no movement or motion task")
        if on_secondary and self.physical is not None:
            self._refuse(task, "run_on_secondary can't stand beside a physical part")
        self.main = self._in_place_of(self.main, task, "main")
        self.run_on_secondary = on_secondary

    def set_physical(self, task: Task) -> None:
        """What the body undergoes; raises as ``set_main``."""
        if task.is_move_task or task.is_motion_task:
            self._refuse(task, "the physical part takes no movement or motion task")
        if self.run_on_secondary:
            self._refuse(task, "a physical part can't stand beside run_on_secondary")
        self.physical = self._in_place_of(self.physical, task, "physical")

    def set_movement(self, task: Task) -> None:
        """How it moves meanwhile; raises as ``set_main`` for all but movement tasks."""
        if not task.is_move_task:
            self._refuse(task, "the movement part takes movement tasks alone")
        self.movement = self._in_place_of(self.movement, task, "movement")

    def take_main(self) -> Task | None:
        """Hand the main part over."""
        task, self.main = self.main, None
        return task

    def take_physical(self) -> Task | None:
        """Hand the physical part over."""
        task, self.physical = self.physical, None
        return task

    def take_movement(self) -> Task | None:
        """Hand the movement part over."""
        task, self.movement = self.movement, None
        return task

    def discard(self) -> None:
        """Release what was not taken, once."""
        for task in (self.take_physical(), self.take_main(), self.take_movement()):
            if task is not None:
                task.discard()
        self.run_on_secondary = False
        self.override_as_non_temp = False

    def _in_place_of(self, earlier: Task | None, task: Task, part: str) -> Task:
        if earlier is not None:
            if settings.strict:
                self._refuse(task, f"the {part} part is set already, to {earlier!r}")
            earlier.discard()
        return task

    @staticmethod
    def _refuse(task: Task, why: str) -> None:
        text = f"{task!r}: {why}"
        task.discard()
        raise ResponseError(text)
