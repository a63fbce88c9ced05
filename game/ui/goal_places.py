"""Where those who are sent are to stand: at free sides of a thing, or about a point.

An order to a thing names an offset in the thing's own frame (ORD-08); the middle of a
thing lies in its own shape and is never a goal. Of several peds each gets a place of
its own, so that nobody waits for another to step aside.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ai.behaviours.approach import approach_point
from ai.ports import ObjectTransform, Vec3
from game.world.outlines import bounds_of
from game.world.thing_kinds import ThingCategory
from game.world.things import Thing
from game.world.world import World

VEHICLE_GAP_CM = 110.0
"""Beside a vehicle there is room for its door: a car 180 cm wide is met at 200 cm."""

THING_GAP_CM = 60.0
"""Beside anything else: a body's radius and as much again."""

ALONG_CM = 90.0
"""From one ped to the next."""

APART_CM = 66.0
"""Places nearer than this are one: two bodies and the gap between them."""

WALKABLE_WITHIN_CM = 1.0
TOUCH_CM = 0.001
"""A place that touches a wall is free after rounding too."""

TRIES_PER_PED = 6


class _Side(NamedTuple):
    """A side of a thing in its own axes, cm: where it is met, along what, half its length."""

    middle: tuple[float, float]
    along: tuple[float, float]
    half_cm: float


def places_at(world: World, thing: Thing, near: Vec3, count: int = 1) -> tuple[Vec3, ...]:
    """Offsets of up to ``count`` free places at a thing, in its own unscaled axes.

    A vehicle's right-hand side comes first (its forward is local +y); then, and for
    other things from the start, the side nearest to ``near``. A side whose middle is
    barred comes after all others.
    """
    transform = world.things.transform(thing.ref)
    if transform is None:
        return ()
    found: list[Vec3] = []
    taken: list[Vec3] = []
    sides = _sides_in_order(thing, transform, near)
    sides.sort(key=lambda side: not is_free(world, _place_of(side.middle, transform)))
    for offset in _offsets(sides, transform):
        place = approach_point(transform, offset)
        if is_free(world, place) and _is_apart(place, taken):
            found.append(offset)
            taken.append(place)
            if len(found) == count:
                break
    return tuple(found)


def places_about(world: World, point: Vec3, count: int) -> tuple[Vec3, ...]:
    """``count`` places on the ground, the first the point itself, the others about it.

    Where there is no room for all, those left over get the point itself.
    """
    found = [point]
    for index, place in enumerate(_spiral(point)):
        if len(found) == count or index >= count * TRIES_PER_PED:
            break
        if is_free(world, place):
            found.append(place)
    return tuple(found + [point] * (count - len(found)))


def is_free(world: World, place: Vec3) -> bool:
    """True if a standing body has room there and the walkable ground reaches so far."""
    ground = world.surface.project(place.x, place.y, WALKABLE_WITHIN_CM)
    walking = world.data.locomotion
    return ground is not None and world.clearance.circle_free(
        place.x,
        place.y,
        walking.ped_radius - TOUCH_CM,
        ground.z + walking.body_low,
        ground.z + walking.ped_height,
    )


def _offsets(sides: Sequence[_Side], transform: ObjectTransform) -> Iterator[Vec3]:
    """Candidates in the order in which they are tried: along one side, then the next."""
    for side in sides:
        for shift in _shifts(side.half_cm):
            x, y = side.middle
            yield _unscaled((x + side.along[0] * shift, y + side.along[1] * shift), transform)


def _sides_in_order(thing: Thing, transform: ObjectTransform, near: Vec3) -> list[_Side]:
    is_vehicle = thing.kind.category is ThingCategory.VEHICLE
    sides = _sides(thing, VEHICLE_GAP_CM if is_vehicle else THING_GAP_CM)
    first, others = (sides[:1], sides[1:]) if is_vehicle else ([], sides)

    def away(side: _Side) -> float:
        place = _place_of(side.middle, transform)
        return math.hypot(place.x - near.x, place.y - near.y)

    return [*first, *sorted(others, key=away)]


def _place_of(offset: tuple[float, float], transform: ObjectTransform) -> Vec3:
    return approach_point(transform, _unscaled(offset, transform))


def _sides(thing: Thing, gap_cm: float) -> list[_Side]:
    x_min, y_min, x_max, y_max = bounds_of(thing.outline)
    x, y = (x_min + x_max) / 2.0, (y_min + y_max) / 2.0
    across, down = (x_max - x_min) / 2.0, (y_max - y_min) / 2.0
    return [
        _Side((x_min - gap_cm, y), (0.0, 1.0), down),
        _Side((x_max + gap_cm, y), (0.0, 1.0), down),
        _Side((x, y_min - gap_cm), (1.0, 0.0), across),
        _Side((x, y_max + gap_cm), (1.0, 0.0), across),
    ]


def _shifts(half_cm: float) -> Iterator[float]:
    """0, then to either side, as far as the side goes."""
    yield 0.0
    for index in range(1, int(half_cm / ALONG_CM) + 1):
        yield index * ALONG_CM
        yield -index * ALONG_CM


def _unscaled(offset: tuple[float, float], transform: ObjectTransform) -> Vec3:
    return Vec3(offset[0] / transform.scale.x, offset[1] / transform.scale.y, 0.0)


def _is_apart(place: Vec3, taken: list[Vec3]) -> bool:
    return all(math.hypot(place.x - one.x, place.y - one.y) >= APART_CM for one in taken)


def _spiral(point: Vec3) -> Iterator[Vec3]:
    """Rings of 6, 12, 18 ... places about a point, without end."""
    ring = 1
    while True:
        for index in range(6 * ring):
            turn = 2.0 * math.pi * index / (6 * ring)
            yield Vec3(
                point.x + ring * ALONG_CM * math.cos(turn),
                point.y + ring * ALONG_CM * math.sin(turn),
                point.z,
            )
        ring += 1
