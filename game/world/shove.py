"""A shove: the player's ped pushes the nearest prop or person in front of it away (LOC-20).

What is asked for comes with the player's controls, which are input; so the same
recorded input shoves the same one in the same step. A person takes the push and, from
somebody who comes running, a share of what the body carries: the impacts decide whether
that throws anybody over.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

import shapely
import shapely.ops

from ai.motion.locomotion_tuning import LocomotionTuning
from ai.peds.ped import Ped
from ai.ports import Circle, EntityRef, Footprint, Vec3
from game.world.clearance import WorldClearance
from game.world.impacts import Impacts
from game.world.outlines import Point, bounding_radius
from game.world.physics import PhysicsWorld
from game.world.things import YAW, Thing, ThingTable

_LOOK_RADIUS_CM = 1.0
"""How thick the line is that must be free between body and prop."""

_SHORT_OF_CM = 3.0
"""The line ends this far before the prop, which is not in its own way."""


class ShoveOutcome(Enum):
    """What came of a shove."""

    SHOVED = auto()
    NOTHING_NEAR = auto()
    TOO_HEAVY = auto()


class Shove(NamedTuple):
    """A shove that was asked for; ``prop`` or ``ped`` is what it met, both None for nothing."""

    outcome: ShoveOutcome
    prop: EntityRef | None
    ped: EntityRef | None = None


class Shover:
    """Carries shoves out over things and physics."""

    def __init__(
        self,
        things: ThingTable,
        clearance: WorldClearance,
        physics: PhysicsWorld,
        tuning: LocomotionTuning,
        impacts: Impacts,
    ) -> None:
        self._impacts = impacts
        self._things = things
        self._clearance = clearance
        self._physics = physics
        self._tuning = tuning

    def shove(self, ped: Ped, people: Sequence[Ped] = (), impulse: float | None = None) -> Shove:
        """Push what is nearest in front of a ped along its facing.

        - ``impulse`` in kg cm/s; None is ``shove_impulse``.
        - ``people`` are looked at in their order, the ped itself and who lies left out.
        - Of props that are as near, the one with the lower object id is meant.
        - A prop over ``shove_prop_kg`` stays where it is.
        """
        push = self._tuning.shove_impulse if impulse is None else impulse
        found = self._in_front(ped.position, ped.yaw)
        nearer = math.inf if found is None else math.dist(found[1], ped.position[:2])
        person = self._person_in_front(ped, people, nearer)
        if person is not None:
            self._impacts.shove(ped, person, push)
            return Shove(ShoveOutcome.SHOVED, None, person.ref)
        if found is None:
            return Shove(ShoveOutcome.NOTHING_NEAR, None)
        thing, at = found
        if thing.mass_kg > self._tuning.shove_prop_kg:
            return Shove(ShoveOutcome.TOO_HEAVY, thing.ref)
        size = min(push, self._tuning.shove_speed_max * thing.mass_kg)
        along = (size * math.cos(ped.yaw), size * math.sin(ped.yaw))
        self._physics.apply_impulse(thing.ref, along, at)
        return Shove(ShoveOutcome.SHOVED, thing.ref)

    def _person_in_front(self, ped: Ped, people: Sequence[Ped], nearer_cm: float) -> Ped | None:
        """The nearest person on their feet within reach and angle, nearer than the prop."""
        tuning, here = self._tuning, ped.position
        narrowest = math.cos(math.radians(tuning.shove_angle_deg))
        best: Ped | None = None
        for other in people:
            if other is ped or other.retired or other.recovery is not None:
                continue
            way_x, way_y = other.position.x - here.x, other.position.y - here.y
            centre = math.hypot(way_x, way_y)
            distance = centre - tuning.ped_radius
            along = way_x * math.cos(ped.yaw) + way_y * math.sin(ped.yaw)
            if distance > tuning.ped_radius + tuning.shove_reach or distance >= nearer_cm:
                continue
            if along < narrowest * centre:
                continue
            if self._is_reached(here, (other.position.x, other.position.y), centre):
                best, nearer_cm = other, distance
        return best

    def _in_front(self, here: Vec3, yaw_rad: float) -> tuple[Thing, Point] | None:
        """The nearest prop within reach and angle that nothing hides, and its nearest point."""
        tuning = self._tuning
        reach = tuning.ped_radius + tuning.shove_reach
        narrowest = math.cos(math.radians(tuning.shove_angle_deg))
        best: tuple[Thing, Point] | None = None
        best_distance = math.inf
        for thing in self._things.in_id_order():
            if not thing.dynamic or thing.dying:
                continue
            x, y = self._things.state[thing.ref.slot, :YAW].tolist()
            if math.hypot(x - here.x, y - here.y) > reach + bounding_radius(thing.outline):
                continue
            at_x, at_y = _nearest_point(self._things.footprint(thing), here)
            way_x, way_y = at_x - here.x, at_y - here.y
            distance = math.hypot(way_x, way_y)
            if distance > reach or distance >= best_distance:
                continue
            if distance == 0.0:
                way_x, way_y = x - here.x, y - here.y
            along = way_x * math.cos(yaw_rad) + way_y * math.sin(yaw_rad)
            if along < narrowest * math.hypot(way_x, way_y):
                continue
            if self._is_reached(here, (at_x, at_y), distance):
                best, best_distance = (thing, (at_x, at_y)), distance
        return best

    def _is_reached(self, here: Vec3, at: Point, distance: float) -> bool:
        share = max(0.0, distance - _SHORT_OF_CM) / distance if distance > 0.0 else 0.0
        return self._clearance.sweep_free(
            here.x,
            here.y,
            here.x + (at[0] - here.x) * share,
            here.y + (at[1] - here.y) * share,
            _LOOK_RADIUS_CM,
            here.z + self._tuning.body_low,
            here.z + self._tuning.ped_height,
        )


def _nearest_point(footprint: Footprint, here: Vec3) -> Point:
    """The point of a footprint that is nearest; the place itself if it lies inside."""
    if isinstance(footprint, Circle):
        away = math.hypot(here.x - footprint.x, here.y - footprint.y)
        share = 1.0 if away <= footprint.radius else footprint.radius / away
        return (
            footprint.x + (here.x - footprint.x) * share,
            footprint.y + (here.y - footprint.y) * share,
        )
    nearest, _ = shapely.ops.nearest_points(
        shapely.Polygon(footprint.points), shapely.Point(here.x, here.y)
    )
    return nearest.x, nearest.y
