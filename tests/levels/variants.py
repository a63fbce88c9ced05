"""Variants of a loaded level, made by the test and never by a second map (LVL-34).

Mirrored and turned levels show axis bugs at once (engineering notes). What a
level expects is the same there but for the fields that name places of the map.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from ai.ports import Polygon, Vec3
from game.levels.level import Level
from game.world.description import (
    GroundTile,
    LevelDescription,
    PedDescription,
    ThingDescription,
)

MAP_FIELDS = frozenset({"order.goal_x", "order.goal_y", "position.x", "position.y", "yaw_deg"})
"""Fields whose values are places or headings on the map."""

Point = tuple[float, float]
Shaped = TypeVar("Shaped")


@dataclass(frozen=True)
class Transform:
    """A motion of the whole map onto a map of its own.

    - ``point`` maps a place, ``facing`` a heading of a ped.
    - ``pose`` maps a thing's yaw and scale: a mirrored thing has a negative scale
      along x and turns the other way, so that its local axes are mirrored too.
    """

    name: str
    point: Callable[[Point], Point]
    facing: Callable[[float], float]
    pose: Callable[[float, Vec3], tuple[float, Vec3]]
    cell: Callable[[int, int], tuple[int, int]]
    size: Point

    def place(self, place: Vec3) -> Vec3:
        """A place of the original map on the transformed one."""
        x, y = self.point((place.x, place.y))
        return Vec3(x, y, place.z)


def mirrored(level: Level) -> Transform:
    """Left and right change places."""
    width, height = level.description.width_cm, level.description.height_cm
    columns = round(width / 100.0)
    return Transform(
        "mirrored",
        point=lambda p: (width - p[0], p[1]),
        facing=lambda yaw: math.pi - yaw,
        pose=lambda yaw, scale: (-yaw, Vec3(-scale.x, scale.y, scale.z)),
        cell=lambda column, row: (columns - 1 - column, row),
        size=(width, height),
    )


def turned(level: Level) -> Transform:
    """Everything turned by 90 degrees clockwise."""
    width, height = level.description.width_cm, level.description.height_cm
    rows = round(height / 100.0)
    quarter = math.pi / 2.0
    return Transform(
        "turned",
        point=lambda p: (height - p[1], p[0]),
        facing=lambda yaw: yaw + quarter,
        pose=lambda yaw, scale: (yaw + quarter, scale),
        cell=lambda column, row: (rows - 1 - row, column),
        size=(height, width),
    )


def transformed(level: Level, transform: Transform) -> Level:
    """The level on the transformed map, without the expectations that name places."""
    expectations = tuple(
        expectation
        for expectation in level.script.expectations
        if expectation.field not in MAP_FIELDS
    )
    script = replace(level.script, expectations=expectations)
    return replace(level, description=_described(level.description, transform), script=script)


def _described(level: LevelDescription, transform: Transform) -> LevelDescription:
    def outline(polygon: Polygon) -> Polygon:
        return Polygon(tuple(transform.point(point) for point in polygon.points))

    def thing(one: ThingDescription) -> ThingDescription:
        yaw, scale = transform.pose(one.yaw_rad, one.scale)
        return replace(one, position=transform.place(one.position), yaw_rad=yaw, scale=scale)

    def ped(one: PedDescription) -> PedDescription:
        return replace(
            one,
            position=transform.place(one.position),
            yaw_rad=transform.facing(one.yaw_rad),
        )

    camera = transform.point((level.camera.x, level.camera.y))
    return replace(
        level,
        width_cm=transform.size[0],
        height_cm=transform.size[1],
        camera=replace(level.camera, x=camera[0], y=camera[1]),
        surfaces=tuple(replace(one, outline=outline(one.outline)) for one in level.surfaces),
        zones=tuple(replace(one, outline=outline(one.outline)) for one in level.zones),
        obstacles=tuple(thing(one) for one in level.obstacles),
        props=tuple(thing(one) for one in level.props),
        vehicles=tuple(thing(one) for one in level.vehicles),
        peds=tuple(ped(one) for one in level.peds),
        markers=tuple(
            replace(one, points=tuple(transform.place(point) for point in one.points))
            for one in level.markers
        ),
        ground=tuple(
            GroundTile(*transform.cell(tile.column, tile.row), tile.kind) for tile in level.ground
        ),
    )


def with_thing(level: Level, name: str, **changes: object) -> Level:
    """The level with one named thing changed."""

    def changed(things: tuple[ThingDescription, ...]) -> tuple[ThingDescription, ...]:
        return tuple(
            replace(one, **changes) if one.name == name else one  # type: ignore[arg-type]
            for one in things
        )

    description = level.description
    return replace(
        level,
        description=replace(
            description,
            obstacles=changed(description.obstacles),
            props=changed(description.props),
            vehicles=changed(description.vehicles),
        ),
    )


def with_obstacles(level: Level, *added: ThingDescription) -> Level:
    """The level with more obstacles."""
    description = level.description
    return replace(
        level, description=replace(description, obstacles=(*description.obstacles, *added))
    )


def without_expectations(level: Level) -> Level:
    """The level with its cues alone, for a variant that comes out otherwise."""
    return replace(level, script=replace(level.script, expectations=()))
