"""A street whose facts a test sets, looked at by the real scanners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ai.events.base import Event
from ai.events.relations import Relations
from ai.events.scanners.all_scanners import make_scanners
from ai.events.scanners.facts import Armed, Floats, Ints, Lying, MovingVehicle, Obstacle, PedRows
from ai.events.scanners.happenings import Happenings
from ai.events.scanners.tuning import ScannerTuning
from ai.events.types import EventType
from ai.ports import EntityRef, Vec3
from ai.tuning import load_own_form
from tests.ai.events.event_doubles import ASSETS, Person, Street


@cache
def shipped_scanners() -> ScannerTuning:
    return load_own_form(ASSETS / "tuning" / "scanners.toml", ScannerTuning)


class Scene(Street):
    """Peds with velocities, and everything that scanners ask a world for.

    ``scan`` looks once with everybody due, whatever the step; ``run`` goes through steps.
    """

    def __init__(self, **how: Any) -> None:
        super().__init__(**how)
        self.tuning = shipped_scanners()
        self.relations = Relations(self.tuning.relation)
        self.happenings = Happenings(self.services)
        self.scanners = make_scanners(
            self.services, self, self.happenings, self.relations, self.tuning
        )
        self.velocities: dict[int, tuple[float, float]] = {}
        self.yaws: dict[int, float] = {}
        self.details: dict[int, int] = {}
        self.wishes: dict[int, float] = {}
        self.flags: dict[str, set[int]] = {
            name: set() for name in ("excused", "is_held", "on_path", "is_down", "is_player")
        }
        self.paths: dict[int, Sequence[Vec3]] = {}
        self.vehicles: list[MovingVehicle] = []
        self.things: list[Obstacle] = []
        self.bodies: list[Lying] = []
        self.weapons: list[Armed] = []
        self.walls_to: dict[int, int] = {}
        self.feet: dict[int, float] = {}

    def walker(self, x: float, y: float, vx: float = 0.0, vy: float = 0.0, **traits: Any) -> Person:
        person = self.person(x, y, **traits)
        self.velocities[person.ped_id] = (vx, vy)
        if vx or vy:
            self.yaws[person.ped_id] = math.atan2(vy, vx)
        return person

    # ScanWorld

    def rows(self) -> PedRows:
        people = self.peds()
        ids = [one.ped_id for one in people]
        velocity = np.array([self.velocities.get(one, (0.0, 0.0)) for one in ids]).reshape(-1, 2)

        def flag(name: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
            return np.array([one in self.flags[name] for one in ids], dtype=np.bool_)

        return PedRows(
            peds=people,
            ids=np.array(ids, dtype=np.int64),
            x=np.array([one.position.x for one in people]),
            y=np.array([one.position.y for one in people]),
            yaw=np.array([self.yaws.get(one, 0.0) for one in ids]),
            vx=velocity[:, 0],
            vy=velocity[:, 1],
            speed=np.hypot(velocity[:, 0], velocity[:, 1]),
            detail=np.array([self.details.get(one, 0) for one in ids], dtype=np.int64),
            wanted_speed=np.array([self.wishes.get(one, 0.0) for one in ids]),
            excused=flag("excused"),
            is_held=flag("is_held"),
            on_path=flag("on_path"),
            is_down=flag("is_down"),
            is_player=flag("is_player"),
        )

    def walls_between(self, one: Vec3, other: Vec3) -> int:
        for person in self.people:
            if person.position[:2] == one[:2]:
                return self.walls_to.get(person.ped_id, 0)
        return 0

    def path_ahead(self, row: int) -> Sequence[Vec3]:
        return self.paths.get(self.peds()[row].ped_id, ())

    def things_near(self, at: Vec3, reach_cm: float) -> Sequence[Obstacle]:
        return self.things

    def moving_vehicles(self) -> Sequence[MovingVehicle]:
        return self.vehicles

    def lying(self) -> Sequence[Lying]:
        return self.bodies

    def armed(self) -> Sequence[Armed]:
        return self.weapons

    def heights(self, rows: Ints) -> Floats:
        people = self.peds()
        return np.array([self.feet.get(people[row].ped_id, 0.0) for row in rows.tolist()])

    def group_of(self, ped: EntityRef) -> Sequence[EntityRef]:
        return self.relations.group_of(ped)

    # for tests

    def look(self) -> None:
        """One step of the street in which nobody acts: facts become events, peds look."""
        self.happenings.update()
        self.scanners.scan(self.clock.step)
        self.happenings.clear_step()
        self.clock.advance()

    def run(self, steps: int) -> None:
        """Steps of moving and looking; queues are emptied by nobody."""
        for _ in range(steps):
            for person in self.people:
                vx, vy = self.velocities.get(person.ped_id, (0.0, 0.0))
                here = person.position
                person.position = Vec3(here.x + vx / 60.0, here.y + vy / 60.0)
            for index, one in enumerate(self.vehicles):
                at = Vec3(one.at.x + one.velocity[0] / 60.0, one.at.y + one.velocity[1] / 60.0)
                self.vehicles[index] = one._replace(at=at)
            self.look()

    def global_types(self) -> list[EventType]:
        return [one.event_type for one in self.services.global_events.group.queue.entries]


def heard_of(person: Person, event_type: EventType) -> list[Event]:
    """What is queued of a type."""
    return [one for one in person.queued() if one.event_type == event_type]


def only(scene: Scene, *names: str) -> Scene:
    """Switch every other scanner off."""
    for name in scene.scanners.names:
        if name not in names:
            scene.scanners.switch_off(name)
    return scene
