"""From a thing to its pymunk shapes, body and ground friction."""

from __future__ import annotations

import pymunk

from ai.ports import Circle, EntityKind, Footprint
from game.world.bodies import BodyOwner, OwnedBody
from game.world.collision import ALL_BANDS, CollisionType, bands_of, prop_filter, static_filter
from game.world.outlines import convex_parts, placed
from game.world.things import Thing

GRAVITY_CM_S2 = 981.0

_BORDER_CM = 100.0
"""Half of how thick the map's border is: more than anything covers in a sub-step."""

_BORDER_FRICTION = 0.5


def static_body(space: pymunk.Space, thing: Thing, x: float, y: float, yaw: float) -> OwnedBody:
    """A static thing or a vehicle: shapes on the space's static body, at their place."""
    shapes = _shapes(space.static_body, placed(thing.outline, x, y, yaw))
    bands = bands_of(thing.z_low_cm, thing.z_high_cm)
    for shape in shapes:
        shape.filter = static_filter(bands)
        shape.collision_type = CollisionType.STATIC
        shape.friction = thing.material.friction
        shape.elasticity = thing.material.elasticity
    return OwnedBody(BodyOwner(thing.ref.kind, thing.ref.slot), None, shapes)


def border_body(space: pymunk.Space, width_cm: float, height_cm: float) -> OwnedBody:
    """What keeps bodies on the map: walls of endless height just outside of it."""
    thick = _BORDER_CM
    left, top, right, bottom = -thick, -thick, width_cm + thick, height_cm + thick
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    shapes = tuple(
        pymunk.Segment(space.static_body, start, end, thick)
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True)
    )
    for shape in shapes:
        shape.filter = static_filter(ALL_BANDS)
        shape.collision_type = CollisionType.STATIC
        shape.friction = _BORDER_FRICTION
    return OwnedBody(BodyOwner(EntityKind.MARKER, 0), None, shapes)


def prop_body(space: pymunk.Space, thing: Thing, x: float, y: float, yaw: float) -> OwnedBody:
    """A prop: a dynamic body with ground friction as RAG-08, by mass and material.

    The friction is two joints to the static body that correct no position
    (``max_bias`` 0) and whose ``max_force`` is what the ground can hold: they take
    speed and spin away, never past zero.
    """
    body = pymunk.Body(thing.mass_kg, _moment(thing.outline, thing.mass_kg))
    body.position = (x, y)
    body.angle = yaw
    shapes = _shapes(body, thing.outline)
    bands = bands_of(thing.z_low_cm, thing.z_high_cm)
    for shape in shapes:
        shape.filter = prop_filter(bands, solid=thing.solid)
        shape.collision_type = CollisionType.PROP
        shape.friction = thing.material.friction
        shape.elasticity = thing.material.elasticity
    drag = pymunk.PivotJoint(space.static_body, body, (0.0, 0.0), (0.0, 0.0))
    drag.max_bias = 0.0
    drag.max_force = thing.material.ground_mu * GRAVITY_CM_S2 * thing.mass_kg
    spin_drag = pymunk.GearJoint(space.static_body, body, 0.0, 1.0)
    spin_drag.max_bias = 0.0
    spin_drag.max_force = thing.material.spin_brake_rad_s2 * body.moment
    return OwnedBody(BodyOwner(thing.ref.kind, thing.ref.slot), body, shapes, (drag, spin_drag))


def _shapes(body: pymunk.Body, outline: Footprint) -> tuple[pymunk.Shape, ...]:
    if isinstance(outline, Circle):
        return (pymunk.Circle(body, outline.radius, (outline.x, outline.y)),)
    return tuple(pymunk.Poly(body, part) for part in convex_parts(outline))


def _moment(outline: Footprint, mass_kg: float) -> float:
    """Moment about the local origin of a sheet of even density, in kg cm2."""
    if isinstance(outline, Circle):
        return pymunk.moment_for_circle(mass_kg, 0.0, outline.radius, (outline.x, outline.y))
    parts = convex_parts(outline)
    areas = [pymunk.Poly(None, part).area for part in parts]
    total = sum(areas)
    return sum(
        pymunk.moment_for_poly(mass_kg * area / total, part)
        for part, area in zip(parts, areas, strict=True)
    )
