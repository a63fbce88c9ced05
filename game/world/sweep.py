"""Fast props don't pass walls: the swept ray before a sub-step (RAG-17).

Physics moves a body by its velocity first and looks for contacts afterwards, so a
wall that is thinner than the way of one sub-step would be jumped. The ray cuts
the velocity back to what brings the body into light contact with the first
static shape on its way; the contact then stops or bounces it.
"""

from __future__ import annotations

import math

import numpy as np
import pymunk
from numpy.typing import NDArray

from game.world.things import VX, VY

_CONTACT_CM = 1.0
"""How deep into a wall the sweep lets a body come, so that a contact arises."""

_WALLS_MAX = 3
"""Walls looked at for one sub-step: past one wall the rest of the way may meet another."""


class PropSweep:
    """Which props are fast enough to be swept, and the sweep itself.

    Fast is what moves in a sub-step by more than its smallest half extent plus half
    the thinnest wall: slower bodies are pushed back out the way they came.

    Invariant: ``_fast_speed2`` follows from ``_half_extents`` and ``_walls`` (both half
    extents in cm by slot); ``_look_for`` holds the slots of props.
    """

    def __init__(self, space: pymunk.Space, capacity: int, sub_step_s: float) -> None:
        self._space = space
        self._sub_step_s = sub_step_s
        self._half_extents: NDArray[np.float64] = np.zeros(capacity, dtype=np.float64)
        self._fast_speed2: NDArray[np.float64] = np.full(capacity, np.inf)
        self._walls: dict[int, float] = {}
        self._look_for: dict[int, pymunk.ShapeFilter] = {}

    def add_wall(self, slot: int, half_extent_cm: float) -> None:
        """A static thing or a vehicle stands there now."""
        self._walls[slot] = half_extent_cm
        self._set_fast_speeds()

    def add_prop(self, slot: int, half_extent_cm: float, look_for: pymunk.ShapeFilter) -> None:
        """A prop, and the filter of the static shapes that it can meet."""
        self._half_extents[slot] = half_extent_cm
        self._look_for[slot] = look_for
        self._set_fast_speeds()

    def forget(self, slot: int) -> None:
        """The thing of that slot is gone."""
        self._look_for.pop(slot, None)
        if self._walls.pop(slot, None) is not None:
            self._set_fast_speeds()

    def fast_slots(self, slots: NDArray[np.int64], state: NDArray[np.float64]) -> list[int]:
        """The slots whose props are fast; arrays as of ``PropStates``."""
        speed2 = state[:, VX] * state[:, VX] + state[:, VY] * state[:, VY]
        fast: list[int] = slots[speed2 > self._fast_speed2[slots]].tolist()
        return fast

    def hold_back(self, slot: int, body: pymunk.Body) -> None:
        """Cut a prop's velocity to what takes it no further than into contact."""
        body.velocity = swept_velocity(
            self._space,
            body.position,
            body.velocity,
            float(self._half_extents[slot]),
            self._look_for[slot],
            self._sub_step_s,
        )

    def _set_fast_speeds(self) -> None:
        thinnest = min(self._walls.values(), default=math.inf)
        speeds = (self._half_extents + thinnest) / self._sub_step_s
        self._fast_speed2 = speeds * speeds


def swept_velocity(
    space: pymunk.Space,
    position: pymunk.Vec2d,
    velocity: pymunk.Vec2d,
    half_extent_cm: float,
    static_only: pymunk.ShapeFilter,
    dt_s: float,
) -> pymunk.Vec2d:
    """The velocity that takes a body no further than into contact.

    Of the velocity only the part into a wall is cut; what goes along it stays.
    A body that a third wall stops on its way stands still.
    """
    for _ in range(_WALLS_MAX):
        speed = velocity.length
        if speed == 0.0:
            return velocity
        reach = velocity * (dt_s + half_extent_cm / speed)
        hit = space.segment_query_first(position, position + reach, 0.0, static_only)
        if hit is None:
            return velocity
        into_wall = -velocity.dot(hit.normal)
        gap = (position - hit.point).dot(hit.normal) - half_extent_cm
        allowed = max(0.0, gap + _CONTACT_CM) / dt_s
        if into_wall <= allowed:
            return velocity
        velocity += hit.normal * (into_wall - allowed)
    return pymunk.Vec2d(0.0, 0.0)
