"""Standing peds in physics: kinematic circles that push light props aside (LOC-20, RAG-09).

Locomotion has moved the peds already; a circle is put where its ped was and given
the velocity of the step that was really taken, so that after physics it is where
the ped is. A circle is in the space only while a light prop or a thrown body is near:
setting a body costs microseconds, and most of a crowd has nothing to push.
"""

from __future__ import annotations

import numpy as np
import pymunk
from numpy.typing import NDArray

from ai.ports import STEP_S, EntityKind
from game.world.bodies import BodyOwner, BodyRegistry, OwnedBody
from game.world.collision import CollisionType, standing_filter
from game.world.proximity import ProximityMap
from game.world.ragdoll.ragdolls import ThrownDiscs
from game.world.things import VX, VY, X, Y

_STEP_SPEED_MAX_CM_S = 900.0
"""What moved faster was put there (spawned, stood up elsewhere), and pushes nothing on its way."""

_PUSH_GAIN_MAX = 2.0
"""A push makes nothing faster than this many times the ped; a pinched prop would fly off."""

_NOWHERE: NDArray[np.intp] = np.empty(0, dtype=np.intp)


class StandingCircles:
    """At most one circle per ped slot.

    - ``pushes`` holds the bodies that circles touched in the last sub-step, each with
      the speed that it may have afterwards; physics holds them to it and clears it.
    - ``_settled`` marks slots whose circle stands where its ped stands, at rest.
    - ``_pushable`` maps the light props, ``_prop_radii`` holds their bounding radii by
      thing slot, 0 for what is not pushed; ``_light_props`` counts them.
    """

    def __init__(
        self,
        registry: BodyRegistry,
        *,
        width_cm: float,
        height_cm: float,
        thing_capacity: int,
        ped_capacity: int,
        radius_cm: float,
    ) -> None:
        self._registry = registry
        self._radius_cm = radius_cm
        reach_cm = radius_cm + _STEP_SPEED_MAX_CM_S * STEP_S
        self._pushable = ProximityMap(width_cm, height_cm, thing_capacity, reach_cm)
        self._prop_radii: NDArray[np.float64] = np.zeros(thing_capacity, dtype=np.float64)
        self._light_props = 0
        self._circles: dict[int, OwnedBody] = {}
        self.pushes: list[tuple[pymunk.Body, float]] = []
        self._last_id: NDArray[np.int64] = np.full(ped_capacity, -1, dtype=np.int64)
        self._last_x: NDArray[np.float64] = np.zeros(ped_capacity, dtype=np.float64)
        self._last_y: NDArray[np.float64] = np.zeros(ped_capacity, dtype=np.float64)
        self._settled: NDArray[np.bool_] = np.zeros(ped_capacity, dtype=np.bool_)
        self._wanted: NDArray[np.bool_] = np.zeros(ped_capacity, dtype=np.bool_)

    # -- what is pushed --------------------------------------------------------

    def add_prop(self, slot: int, bounding_radius_cm: float) -> None:
        """A light prop that standing peds push; ``props_moved`` says where it is."""
        self._light_props += 1
        self._prop_radii[slot] = bounding_radius_cm

    def forget_prop(self, slot: int) -> None:
        """The prop of that slot is gone."""
        self._light_props -= bool(self._prop_radii[slot] > 0.0)
        self._prop_radii[slot] = 0.0
        self._pushable.drop(slot)

    def props_moved(self, slots: NDArray[np.int64], state: NDArray[np.float64]) -> None:
        """Props stand or move elsewhere now; arrays as of ``PropStates``, heavy ones too."""
        radii = self._prop_radii[slots]
        light = radii > 0.0
        if light.any():
            rows = state[light]
            way = np.hypot(rows[:, VX], rows[:, VY]) * STEP_S
            self._pushable.move(slots[light], rows[:, X], rows[:, Y], radii[light] + way)

    # -- the step --------------------------------------------------------------

    def place(
        self,
        slots: NDArray[np.int64],
        ped_ids: NDArray[np.int64],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        thrown: ThrownDiscs,
    ) -> None:
        """Set the circles of all standing peds; arrays of shape (n,), n peds.

        Peds that are not named have no circle. A slot under another ped id than in
        the last step starts at rest.
        """
        near = self._near_something(x, y, thrown)
        if self._circles:
            self._drop_all_but(slots[near])
        if len(near):
            self._put(slots[near], ped_ids[near], x[near], y[near])
        self._last_id.fill(-1)
        self._last_id[slots] = ped_ids
        self._last_x[slots] = x
        self._last_y[slots] = y

    def _near_something(
        self, x: NDArray[np.float64], y: NDArray[np.float64], thrown: ThrownDiscs
    ) -> NDArray[np.intp]:
        """Indices of the places where there may be something to push or to be struck by."""
        if not self._light_props and not len(thrown.x):
            return _NOWHERE
        near = self._pushable.near(x, y)
        if len(thrown.x):
            dx, dy = x[:, None] - thrown.x, y[:, None] - thrown.y
            reach = thrown.radius + self._radius_cm
            near = near | (dx * dx + dy * dy < reach * reach).any(axis=1)
        return np.flatnonzero(near)

    def _put(
        self,
        slots: NDArray[np.int64],
        ped_ids: NDArray[np.int64],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
    ) -> None:
        """Set the circles of these peds, but for those that rest where they were put."""
        vx = (x - self._last_x[slots]) / STEP_S
        vy = (y - self._last_y[slots]) / STEP_S
        walked = (self._last_id[slots] == ped_ids) & (
            vx * vx + vy * vy <= _STEP_SPEED_MAX_CM_S * _STEP_SPEED_MAX_CM_S
        )
        start_x = np.where(walked, self._last_x[slots], x)
        start_y = np.where(walked, self._last_y[slots], y)
        rests = walked & (vx == 0.0) & (vy == 0.0)
        for index in np.flatnonzero(~(rests & self._settled[slots])).tolist():
            slot = int(slots[index])
            body = self._body(slot)
            body.position = (float(start_x[index]), float(start_y[index]))
            body.velocity = (float(vx[index]), float(vy[index])) if walked[index] else (0.0, 0.0)
            self._settled[slot] = rests[index]

    def before_push(self, arbiter: pymunk.Arbiter) -> None:
        """Called for a circle (first) and a prop before their contact is solved."""
        circle, prop = arbiter.bodies
        limit = max(_PUSH_GAIN_MAX * circle.velocity.length, prop.velocity.length)
        self.pushes.append((prop, limit))

    def clear(self) -> None:
        """Take every circle out of the space."""
        for owned in self._circles.values():
            self._registry.remove(owned)
        self._circles.clear()
        self._settled.fill(False)

    def _body(self, slot: int) -> pymunk.Body:
        owned = self._circles.get(slot)
        if owned is None:
            body = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
            circle = pymunk.Circle(body, self._radius_cm)
            circle.filter = standing_filter()
            circle.collision_type = CollisionType.STANDING
            owned = OwnedBody(BodyOwner(EntityKind.PED, slot), body, (circle,))
            self._registry.add(owned)
            self._circles[slot] = owned
        assert owned.body is not None
        return owned.body

    def _drop_all_but(self, slots: NDArray[np.int64]) -> None:
        self._wanted.fill(False)
        self._wanted[slots] = True
        for slot in [slot for slot in self._circles if not self._wanted[slot]]:
            self._registry.remove(self._circles.pop(slot))
            self._settled[slot] = False
