"""Vehicles under way: straight to a place at a steady speed, halting for who stands in the way.

Nobody steers here and nobody sits inside: a level says where a vehicle goes
(LVL-34), as it says where people start.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from ai.ports import EntityRef, Vec3
from game.world.obstacle_grid import GridObstacle
from game.world.thing_kinds import ThingCategory
from game.world.things import AT_REST, Thing, ThingTable


class Bystanders(Protocol):
    """Whoever a vehicle must not run into."""

    def in_id_order(self) -> Iterable[HasPosition]:
        """All of them."""
        ...


class HasPosition(Protocol):
    """Somebody with a place."""

    @property
    def position(self) -> Vec3:
        """Where the body is, in cm."""
        ...


@dataclass(slots=True)
class _Move:
    ref: EntityRef
    goal: Vec3
    speed_cm_s: float
    body: GridObstacle
    rolling: bool = False


class VehicleMoves:
    """The moves of a world, each vehicle's latest.

    - ``advance`` is a part of phase 3.
    - A vehicle keeps its heading. It halts at once, and goes on as soon as its next
      place is free of everybody by ``gap_cm``.
    """

    def __init__(self, things: ThingTable, bystanders: Bystanders, gap_cm: float) -> None:
        self._things = things
        self._bystanders = bystanders
        self._gap_cm = gap_cm
        self._moves: dict[int, _Move] = {}

    def start(self, ref: EntityRef, goal: Vec3, speed_cm_s: float) -> bool:
        """Send a vehicle to a place; False for what is no vehicle, or gone."""
        thing = self._things.get(ref)
        if thing is None or thing.kind.category is not ThingCategory.VEHICLE:
            return False
        self._moves[thing.object_id] = _Move(
            ref,
            goal,
            speed_cm_s,
            GridObstacle(ref.slot, thing.z_low_cm, thing.z_high_cm, thing.outline),
        )
        return True

    def advance(self, dt_s: float) -> None:
        """Move every vehicle by one step, in ascending object id."""
        if not self._moves:
            return
        for object_id in sorted(self._moves):
            move = self._moves[object_id]
            thing = self._things.get(move.ref)
            if thing is None or thing.dying or self._has_arrived(thing, move, dt_s):
                del self._moves[object_id]

    def _has_arrived(self, thing: Thing, move: _Move, dt_s: float) -> bool:
        pose = self._things.transform(thing.ref)
        assert pose is not None
        here = pose.position
        dx, dy = move.goal.x - here.x, move.goal.y - here.y
        left, reach = math.hypot(dx, dy), move.speed_cm_s * dt_s
        last = left <= reach
        share = 1.0 if last else reach / left
        there = Vec3(here.x + dx * share, here.y + dy * share, here.z)
        if self._somebody_at(move, there, pose.yaw_rad):
            self._halt(thing, move, here, pose.yaw_rad)
            return False
        velocity = AT_REST
        if not last:
            velocity = Vec3(dx / left * move.speed_cm_s, dy / left * move.speed_cm_s)
        self._things.place(thing.ref, there, pose.yaw_rad, velocity)
        move.rolling = not last
        return last

    def _halt(self, thing: Thing, move: _Move, here: Vec3, yaw_rad: float) -> None:
        """Stand; placed once, as a thing that comes to rest is put into the walk graph again."""
        if move.rolling:
            self._things.place(thing.ref, here, yaw_rad)
            move.rolling = False

    def _somebody_at(self, move: _Move, place: Vec3, yaw_rad: float) -> bool:
        """True if the vehicle would come too near to anybody there."""
        move.body.place(place.x, place.y, yaw_rad)
        for somebody in self._bystanders.in_id_order():
            x, y, _ = somebody.position
            if move.body.meets_disc(x, y, self._gap_cm):
                return True
        return False
