"""A crowd that leaves: exits and their fields, the crush, who is out.

Phase 3, time-sliced. The people decide by themselves (``ai/behaviours/evacuate.py``); here
stands what comes of many of them: bodies press on each other. Alarm goes on by the events of
runners and stampedes, by groups, by fires seen: no message of its own.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ai.behaviours.evacuate import Evacuation, EvacuationTuning, leading_task
from ai.navigation.exits import Exit, Exits
from ai.ports import STEP_S, Impact
from ai.tuning import OwnForm
from game.world.crowd_figures import CrowdFigures

if TYPE_CHECKING:
    from ai.peds.ped import Ped
    from game.world.world import World

EXIT_KIND: Final = "exit"
"""Class of a map's zone that leads out."""

COUNT_EVERY_STEPS: Final = 6
FIELD_EVERY_STEPS: Final = 40
Floats = NDArray[np.float64]

_Steps = Annotated[int, Field(ge=1, le=600)]
_Positive = Annotated[float, Field(gt=0.0, le=100_000.0)]


class CrushTuning(OwnForm):
    """When the press pushes somebody over.

    ``crowd`` bodies nearer than ``touch`` that close in with more than ``push_from_cm_s`` in all;
    then ``falls_per_s`` is the chance of a fall, under ``impulse`` kg cm/s.
    """

    every_steps: _Steps
    touch: _Positive
    crowd: Annotated[int, Field(ge=1, le=20)]
    push_from_cm_s: _Positive
    falls_per_s: Annotated[float, Field(ge=0.0, le=60.0)]
    impulse: _Positive


class CrowdTuning(OwnForm):
    """Form of ``evacuation.toml``."""

    leaving: EvacuationTuning
    crush: CrushTuning


class Left(NamedTuple):
    """Somebody is out."""

    step: int
    ped_id: int
    exit_name: str


class Crowd:
    """The evacuation of one world; idle in a level without exits.

    - ``log``: everybody who left, in order. ``crushed`` counts who was pushed over.
    """

    def __init__(self, world: World, tuning: CrowdTuning, rng: random.Random) -> None:
        self._world = world
        self._tuning = tuning
        self._rng = rng
        self.shared = Evacuation(tuning.leaving)
        self.log: list[Left] = []
        self.crushed = 0
        self._alarmed: dict[int, int] = {}
        self._running: list[Ped] = []
        self._dangers: tuple[object, ...] = ()
        self._stale: list[int] = []
        self._shapes_version = world.shapes.version

    def open(self) -> None:
        """Once the world stands: where its exits are, and how far it is to them."""
        exits = [
            Exit(zone.name or str(zone.object_id), zone.outline, _width(zone.outline.points))
            for zone in self._world.description.zones
            if zone.kind == EXIT_KIND
        ]
        if exits:
            walking, world = self._world.data.locomotion, self._world
            description = world.description
            self.shared.exits = Exits(
                exits,
                description.width_cm,
                description.height_cm,
                lambda x, y: (
                    world.surface.project(x, y, 45.0) is not None
                    and world.clearance.circle_free(
                        x, y, 0.5 * walking.ped_radius, walking.body_low, walking.ped_height
                    )
                ),
            )

    def figures(self) -> CrowdFigures:
        """How it stands."""
        alive = [ped for ped in self._world.peds.in_id_order() if not ped.is_dead]
        return CrowdFigures(
            len(self.log),
            len(self._alarmed),
            len(alive),
            self.crushed,
            self._world.burning.caught,
        )

    def advance(self) -> None:
        """Phase 3."""
        exits = self.shared.exits
        if exits is None:
            return
        step = self._world.clock.step
        if step % COUNT_EVERY_STEPS == 0:
            self._count(exits, step)
            flames = self._world.fires.flames
            rows = zip(flames.x.tolist(), flames.y.tolist(), flames.radius().tolist(), strict=True)
            self.shared.fires = list(rows)
        if step % FIELD_EVERY_STEPS == 0:
            self._refresh(exits)
        if not self._running:
            return
        if step % self._tuning.crush.every_steps == 0:
            self._press()

    # -- inside ---------------------------------------------------------------------

    def _count(self, exits: Exits, step: int) -> None:
        """Who is on the way to where; who has come to an exit is out."""
        heading = [0] * len(exits.exits)
        self._running = []
        for ped in self._world.peds.in_id_order():
            task = leading_task(ped)
            if task is None and ped.ped_id not in self._alarmed:
                continue
            self._alarmed.setdefault(ped.ped_id, step)
            here = ped.position
            at = next((one for one in exits.exits if one.contains(here.x, here.y)), None)
            if at is not None and not ped.is_dead and not ped.is_local_player and not ped.retired:
                if self._world.peds.request_removal(ped.ref):
                    self.log.append(Left(step, ped.ped_id, at.name))
                continue
            if task is not None and not ped.retired:
                self._running.append(ped)
                if task.exit_index >= 0:
                    heading[task.exit_index] += 1
        exits.heading = heading

    def _refresh(self, exits: Exits) -> None:
        """One exit's field in each turn, until all know of the present dangers."""
        dangers = tuple(self._world.shapes.dangers())
        if dangers != self._dangers:
            self._dangers = dangers
            self._stale = list(range(len(exits.exits)))
        if self._stale:
            exits.refresh(self._stale.pop(0), self._world.shapes.dangers())

    def _press(self) -> None:
        """Bodies that run into each other: who is pressed too hard is pushed over."""
        crush = self._tuning.crush
        standing = [ped for ped in self._running if not ped.is_ragdolling]
        if len(standing) <= crush.crowd:
            return
        slots = np.array([ped.slot for ped in standing])
        table = self._world.table
        at = np.stack((table.x[slots], table.y[slots]), axis=1)
        velocity = np.stack((table.velocity_x[slots], table.velocity_y[slots]), axis=1)
        push, touching = pressure(at, velocity, crush.touch)
        size = np.hypot(push[:, 0], push[:, 1])
        chance = crush.falls_per_s * crush.every_steps * STEP_S
        pressed = (touching >= crush.crowd) & (size >= crush.push_from_cm_s)
        for row in np.flatnonzero(pressed).tolist():
            ped = standing[row]
            if self._rng.random() >= chance * (1.5 - ped.agility):
                continue
            way = push[row] / size[row] * crush.impulse
            self._world.impacts.strike(ped, Impact((way.item(0), way.item(1))), ragdolls=True)
            self.crushed += 1


def pressure(at: Floats, velocity: Floats, touch_cm: float) -> tuple[Floats, NDArray[np.int64]]:
    """What presses on each body, and how many do; places and velocities (n, 2) in cm, cm/s.

    The push of another one is along the line between them, as large as the speed at which
    both close in; shape (n, 2), summed. The count has shape (n,).
    """
    between = at[:, None, :] - at[None, :, :]
    apart = np.sqrt((between * between).sum(axis=2))
    near = (apart < touch_cm) & (apart > 0.0)
    way = between / np.where(apart > 0.0, apart, 1.0)[:, :, None]
    closing = ((velocity[None, :, :] - velocity[:, None, :]) * way).sum(axis=2)
    push = np.where(near, np.maximum(closing, 0.0), 0.0)
    summed: Floats = (push[:, :, None] * way).sum(axis=1)
    return summed, near.sum(axis=1)


def _width(points: tuple[tuple[float, float], ...]) -> float:
    """How wide an exit is: its longer side."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return max(max(xs) - min(xs), max(ys) - min(ys))
