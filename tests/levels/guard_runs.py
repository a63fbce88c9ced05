"""A guard's beat for tests: small streets with a guard, and runs that keep what its brain did."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ai.behaviours.brains.brain_task import BrainTask
from ai.behaviours.brains.guard import GuardTask
from ai.machines.brain import Brain
from ai.machines.hsm.machine import StateMachine
from ai.peds.ped import Ped
from ai.ports import Vec3
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world.description import LevelDescription, MarkerDescription, PedDescription
from game.world.world import World
from tests.streets import ped_named, person, street

ROUTE = (Vec3(300.0, 400.0), Vec3(900.0, 400.0), Vec3(900.0, 900.0), Vec3(300.0, 900.0))
"""Waypoints 0 to 3."""


def guard(
    object_id: int = 10,
    name: str = "guard",
    x: float = 300.0,
    y: float = 400.0,
    *,
    behaviour: str = "guard",
    route: str = "beat",
) -> PedDescription:
    """A guard with a route."""
    made = person(object_id, name, x, y, 0.0, "guard")
    return replace(made, model="patrol_guard", behaviour=behaviour, route=route)


def beat(
    *others: PedDescription,
    guards: Sequence[PedDescription] | None = None,
    points: Sequence[Vec3] = ROUTE,
) -> LevelDescription:
    """An open street with a route named ``beat``."""
    peds = (*(guards or (guard(),)), *others)
    return replace(street(peds=peds), markers=(MarkerDescription(50, "beat", tuple(points)),))


class Watch:
    """A world with a guard, its brain, and the modes that it has been in."""

    def __init__(self, description: LevelDescription, name: str = "guard") -> None:
        self.world = World(description, strict=True)
        self.ped: Ped = ped_named(self.world, name)
        self.modes: list[str] = []
        self.mover_holders = 0
        self.step()

    @property
    def task(self) -> GuardTask:
        task = self.ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT)
        assert isinstance(task, GuardTask)
        return task

    @property
    def brain(self) -> Brain:
        brain = self.ped.brain
        assert brain is not None
        return brain

    @property
    def machine(self) -> StateMachine:
        assert isinstance(self.brain.mind, StateMachine)
        return self.brain.mind

    @property
    def mode(self) -> str:
        active = self.machine.record.active
        return "" if active is None else active.path

    def read(self, key: str) -> object:
        """A key of the snapshot."""
        return self.brain.board.read(key, "test")

    def step(self, count: int = 1) -> None:
        """Run, noting each new mode; the mover must never be held twice (ACT-08)."""
        for _ in range(count):
            self.world.step()
            self.brain.ledger.resources.check()
            if not self.modes or self.modes[-1] != self.mode:
                self.modes.append(self.mode)

    def until_mode(self, mode: str, limit: int = 1200) -> int:
        """Run until a mode is there; returns the steps taken."""
        for taken in range(limit + 1):
            if self.mode == mode:
                return taken
            self.step()
        raise AssertionError(f"{mode} did not come within {limit} steps; modes {self.modes}")

    def words(self) -> list[str]:
        """Everything traced that the ring still has."""
        return self.brain.trace.all_words()

    def count(self, words: str) -> int:
        """Lines that are exactly these words."""
        return self.words().count(words)

    def shove(self, by: str, other: str, impulse: float = 15_000.0) -> None:
        """One ped does another harm."""
        self.world.impacts.shove(ped_named(self.world, by), ped_named(self.world, other), impulse)

    def commands(self, kind: str) -> list[str]:
        """Submits of a kind of action."""
        return [line for line in self.words() if line.startswith("submit") and f" {kind}{{" in line]

    def order(self, state: str) -> None:
        """An order to the guard (HSM-30)."""
        self.brain.request(state)


def facing(ped: PedDescription, degrees: float) -> PedDescription:
    """The same, looking somewhere else."""
    return replace(ped, yaw_rad=math.radians(degrees))


def brain_of(world: World, name: str) -> Brain:
    """The brain of a named ped."""
    brain = ped_named(world, name).brain
    assert brain is not None
    return brain


def brain_task(ped: Ped) -> BrainTask:
    """Its default task."""
    task = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT)
    assert isinstance(task, BrainTask)
    return task
