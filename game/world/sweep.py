"""Fast props don't pass walls: the swept ray before a sub-step (RAG-17).

Physics moves a body by its velocity first and looks for contacts afterwards, so a
wall that is thinner than the way of one sub-step would be jumped. The ray cuts
the velocity back to what brings the body into light contact with the first
static shape on its way; the contact then stops or bounces it.
"""

from __future__ import annotations

import pymunk

_CONTACT_CM = 1.0
"""How deep into a wall the sweep lets a body come, so that a contact arises."""

_WALLS_MAX = 3
"""Walls looked at for one sub-step: past one wall the rest of the way may meet another."""


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
