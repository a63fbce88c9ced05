"""From a script's task in words to the task of a ped (EVT-67, EVT-69)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import shapely

from ai.behaviours.gestures import Gesture
from ai.behaviours.script_tasks import (
    TaskEnterZone,
    TaskFace,
    TaskFollow,
    TaskPatrol,
    TaskPlayGesture,
    TaskWalkTo,
)
from ai.behaviours.standing import TaskStand
from ai.events.command_records import CommandId, CommandRefused, CommandStatus
from ai.peds.ped import Ped
from ai.ports import EntityRef, Polygon, Vec3
from ai.tasks.task import Task
from ai.tasks.task_errors import TaskPoolFull
from game.levels.script_forms import ScriptTask
from game.world.world import World

FOLLOW_CM = 150.0
"""How close one who is told no distance follows."""

INSIDE_CM = 40.0
"""Someone who enters an area goes so far in, where it is wide enough."""

GESTURE_S = 2.0
"""How long a gesture is made of which no time is said."""

KINDS = {"play": "play clip", "face": "turn", "enter_zone": "walk", "patrol": "walk"}
"""Kinds of commands (EVT-70) that are called otherwise than their tasks."""


class ScriptGiver:
    """Gives peds what a script says; ``target`` finds things and markers by name.

    A sequence is cleared when a later command finds it taken up: one that waits is
    copied once more.
    """

    def __init__(self, world: World, target: Callable[[str], EntityRef | None]) -> None:
        self._world = world
        self._target = target
        self._given: list[tuple[int, CommandId]] = []

    def give(
        self,
        ped: Ped,
        tasks: Sequence[ScriptTask],
        source: EntityRef,
        *,
        sequence: bool,
        repeat: bool,
    ) -> str | None:
        """Command one task, or a sequence of them; returns why not, or None."""
        self._clear_what_was_taken_up()
        try:
            if sequence:
                return self._give_sequence(ped, tasks, source, repeat=repeat)
            made = self._make(ped, tasks[0])
            if isinstance(made, str):
                return made
            kind = KINDS.get(tasks[0].kind, tasks[0].kind)
            given = self._world.scripts.give_task(ped, made, source=source, kind=kind)
        except TaskPoolFull:
            return "POOL_FULL"
        return given.reason.name if isinstance(given, CommandRefused) else None

    def _give_sequence(
        self, ped: Ped, tasks: Sequence[ScriptTask], source: EntityRef, *, repeat: bool
    ) -> str | None:
        scripts = self._world.scripts
        number = scripts.open_sequence(source)
        if isinstance(number, CommandRefused):
            return number.reason.name
        fault = self._append(ped, tasks, source)
        scripts.close_sequence(source)
        if fault is None:
            given = scripts.perform_sequence(ped, number, source=source, repeat=repeat)
            if isinstance(given, CommandId):
                self._given.append((number, given))
                return None
            fault = given.reason.name if isinstance(given, CommandRefused) else "SEQUENCE"
        scripts.clear_sequence(number)
        return fault

    def _clear_what_was_taken_up(self) -> None:
        scripts = self._world.scripts
        for number, command in list(self._given):
            if scripts.command_status(command) is not CommandStatus.WAITING:
                self._given.remove((number, command))
                scripts.clear_sequence(number)

    def _append(self, ped: Ped, tasks: Sequence[ScriptTask], source: EntityRef) -> str | None:
        for task in tasks:
            made = self._make(ped, task)
            if isinstance(made, str):
                return made
            given = self._world.scripts.give_task(ped, made, source=source, kind=task.kind)
            if isinstance(given, CommandRefused):
                return given.reason.name
        return None

    def _make(self, ped: Ped, task: ScriptTask) -> Task | str:
        """The task, or why there is none."""
        match task.kind:
            case "stand":
                return TaskStand(-1.0 if task.seconds is None else task.seconds)
            case "patrol":
                return self._patrol(task)
            case "enter_zone":
                return self._enter(ped, task)
            case "play":
                assert task.gesture is not None
                return TaskPlayGesture(Gesture[task.gesture.upper()], task.seconds or GESTURE_S)
        ref = self._whom(task)
        if task.kind == "follow":
            if ref is None:
                return _gone(task)
            return TaskFollow(ref, FOLLOW_CM if task.distance_cm is None else task.distance_cm)
        if task.point is not None:
            place: Vec3 | None = Vec3(*task.point)
        else:
            place = None if ref is None else self._world.events.world.position_of(ref)
        if place is None:
            return _gone(task)
        return TaskWalkTo(place) if task.kind == "walk" else TaskFace(place, ref)

    def _whom(self, task: ScriptTask) -> EntityRef | None:
        if task.who is not None:
            ped = self._world.peds.by_name(task.who)
            return None if ped is None else ped.ref
        return None if task.object is None else self._target(task.object)

    def _patrol(self, task: ScriptTask) -> Task:
        points = next(
            marker.points for marker in self._world.description.markers if marker.name == task.route
        )
        return TaskPatrol(points, task.pause_s or 0.0, task.laps or 0, back=bool(task.back))

    def _enter(self, ped: Ped, task: ScriptTask) -> Task:
        outline = next(
            zone.outline for zone in self._world.description.zones if zone.name == task.zone
        )
        return TaskEnterZone(outline, _way_in(outline, ped.position))


def _way_in(outline: Polygon, here: Vec3) -> Vec3:
    """The nearest place inside, away from the edge where there is room."""
    area = shapely.Polygon(outline.points)
    core = area.buffer(-INSIDE_CM)
    nearest = shapely.shortest_line(area if core.is_empty else core, shapely.Point(here.x, here.y))
    x, y = shapely.get_coordinates(nearest)[0].tolist()
    return Vec3(x, y)


def _gone(task: ScriptTask) -> str:
    return f"'{task.who or task.object}' is not there"
