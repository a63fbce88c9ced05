"""What a player tells people beside going: follow, face, patrol, stand, make a gesture.

Asks are actions like order commands: plain data, queued by whoever makes them, carried out
in phase 2 of the next step in their order, and written down, so that to queue them again in
their steps repeats the run. Each becomes a script command (EVT-67).
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ai.behaviours.gestures import Gesture
from ai.behaviours.script_tasks import TaskFace, TaskFollow, TaskPatrol, TaskPlayGesture
from ai.behaviours.standing import TaskStand
from ai.events.command_records import CommandRefused
from ai.ports import EntityRef, Vec3
from ai.tasks.task_errors import TaskPoolFull

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from game.world.world import World


class AskFollow(NamedTuple):
    """Go after a ped or thing, as near as that."""

    ped: EntityRef
    source: EntityRef
    target: EntityRef
    distance_cm: float


class AskFace(NamedTuple):
    """Turn to a place, or to a ped or thing there."""

    ped: EntityRef
    source: EntityRef
    at: Vec3
    target: EntityRef | None = None


class AskPatrol(NamedTuple):
    """Walk along points, to and fro, until told otherwise."""

    ped: EntityRef
    source: EntityRef
    points: tuple[Vec3, ...]


class AskStand(NamedTuple):
    """Stand where it is for so long."""

    ped: EntityRef
    source: EntityRef
    seconds: float


class AskGesture(NamedTuple):
    """Make a gesture on the spot for so long."""

    ped: EntityRef
    source: EntityRef
    gesture: Gesture
    seconds: float


ScriptAsk: TypeAlias = AskFollow | AskFace | AskPatrol | AskStand | AskGesture
SCRIPT_ASKS = (AskFollow, AskFace, AskPatrol, AskStand, AskGesture)
_KINDS = {
    AskFollow: "follow",
    AskFace: "turn",
    AskPatrol: "walk",
    AskStand: "stand",
    AskGesture: "play clip",
}
"""Kinds of commands (EVT-70)."""


class AskLine(NamedTuple):
    """An ask that was carried out; ``refused`` says why it was not, empty if it was."""

    step: int
    sequence: int
    ask: ScriptAsk
    refused: str


class ScriptDesk:
    """Queues asks and turns each into a script command."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._queue: deque[tuple[int, ScriptAsk]] = deque()
        self._last_sequence = 0
        self.log: list[AskLine] = []

    def submit(self, ask: ScriptAsk) -> int:
        """Queue an ask for the next phase 2; returns its sequence number."""
        self._last_sequence += 1
        self._queue.append((self._last_sequence, ask))
        return self._last_sequence

    def drain(self) -> None:
        """Phase 2: carry out what is queued."""
        while self._queue:
            sequence, ask = self._queue.popleft()
            step = self._world.clock.step
            self.log.append(AskLine(step, sequence, ask, self._give(ask)))

    def _give(self, ask: ScriptAsk) -> str:
        world = self._world
        ped = world.peds.resolve(ask.ped)
        try:
            given = world.scripts.give_task(
                ped, _task(ask), source=ask.source, kind=_KINDS[type(ask)]
            )
        except TaskPoolFull:
            return "POOL_FULL"
        return given.reason.name if isinstance(given, CommandRefused) else ""


def _task(ask: ScriptAsk) -> Task:
    match ask:
        case AskFollow(target=target, distance_cm=distance_cm):
            return TaskFollow(target, distance_cm)
        case AskFace(at=at, target=target):
            return TaskFace(at, target)
        case AskPatrol(points=points):
            return TaskPatrol(points, 0.0, 0, back=True)
        case AskStand(seconds=seconds):
            return TaskStand(seconds)
        case AskGesture(gesture=gesture, seconds=seconds):
            return TaskPlayGesture(gesture, seconds)
