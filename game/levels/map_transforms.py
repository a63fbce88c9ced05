"""Motions of a whole map onto itself: mirrored, and turned by a quarter (LVL-08).

Axis bugs show at once where a level comes out otherwise than its image.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from ai.ports import Polygon, Vec3
from game.world.description import (
    GroundTile,
    LevelDescription,
    PedDescription,
    ThingDescription,
)

TILE_CM = 100.0
QUARTER_RAD = math.pi / 2.0

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class AxisImage:
    """Where a coordinate goes: ``v`` on its axis becomes ``offset + sign * v`` on ``axis``.

    - ``axis`` is 0 for x and 1 for y.
    """

    axis: int
    sign: float
    offset: float


class MapTransform(ABC):
    """A motion of a map of ``width_cm`` by ``height_cm``.

    - ``name`` is what reports call the image.
    - ``coordinate`` maps one coordinate, ``heading_rad`` a direction on the map.
    - ``mirrors`` is true if left and right change places: a thing's own x axis is
      then mirrored too.
    """

    name: str
    mirrors: bool

    def __init__(self, width_cm: float, height_cm: float) -> None:
        self.width_cm = width_cm
        self.height_cm = height_cm

    @property
    @abstractmethod
    def size_cm(self) -> Point:
        """Width and height of the image."""

    @abstractmethod
    def coordinate(self, axis: int) -> AxisImage:
        """What becomes of a coordinate on axis 0 (x) or 1 (y)."""

    @abstractmethod
    def heading_rad(self, yaw_rad: float) -> float:
        """The image of a direction."""

    @abstractmethod
    def thing_pose(self, yaw_rad: float, scale: Vec3) -> tuple[float, Vec3]:
        """Yaw and scale of a thing's image."""

    def point(self, point: Point) -> Point:
        """The image of a point."""
        image = [0.0, 0.0]
        for axis in (0, 1):
            to = self.coordinate(axis)
            image[to.axis] = to.offset + to.sign * point[axis]
        return image[0], image[1]

    def place(self, place: Vec3) -> Vec3:
        """The image of a place; heights stay."""
        x, y = self.point((place.x, place.y))
        return Vec3(x, y, place.z)


class Mirrored(MapTransform):
    """Left and right change places."""

    name = "mirrored"
    mirrors = True

    @property
    def size_cm(self) -> Point:
        """Unchanged."""
        return self.width_cm, self.height_cm

    def coordinate(self, axis: int) -> AxisImage:
        """The x axis runs the other way."""
        return AxisImage(0, -1.0, self.width_cm) if axis == 0 else AxisImage(1, 1.0, 0.0)

    def heading_rad(self, yaw_rad: float) -> float:
        """East becomes west; north and south stay."""
        return math.pi - yaw_rad

    def thing_pose(self, yaw_rad: float, scale: Vec3) -> tuple[float, Vec3]:
        """The own x axis points the other way, and the thing turns the other way."""
        return -yaw_rad, Vec3(-scale.x, scale.y, scale.z)


class Turned(MapTransform):
    """Everything turned by 90 degrees clockwise, as seen with y down."""

    name = "turned"
    mirrors = False

    @property
    def size_cm(self) -> Point:
        """Width and height change places."""
        return self.height_cm, self.width_cm

    def coordinate(self, axis: int) -> AxisImage:
        """The x axis becomes y; y becomes x and runs the other way."""
        return AxisImage(1, 1.0, 0.0) if axis == 0 else AxisImage(0, -1.0, self.height_cm)

    def heading_rad(self, yaw_rad: float) -> float:
        """A quarter more."""
        return yaw_rad + QUARTER_RAD

    def thing_pose(self, yaw_rad: float, scale: Vec3) -> tuple[float, Vec3]:
        """A quarter more; the shape keeps its own axes."""
        return yaw_rad + QUARTER_RAD, scale


def transformed_description(level: LevelDescription, transform: MapTransform) -> LevelDescription:
    """The level's map and people on the image of the map."""

    def outline(polygon: Polygon) -> Polygon:
        return Polygon(tuple(transform.point(point) for point in polygon.points))

    def thing(one: ThingDescription) -> ThingDescription:
        yaw_rad, scale = transform.thing_pose(one.yaw_rad, one.scale)
        place = transform.place(one.position)
        return replace(one, position=place, yaw_rad=yaw_rad, scale=scale)

    def ped(one: PedDescription) -> PedDescription:
        yaw_rad = transform.heading_rad(one.yaw_rad)
        return replace(one, position=transform.place(one.position), yaw_rad=yaw_rad)

    def tile(one: GroundTile) -> GroundTile:
        x, y = transform.point(((one.column + 0.5) * TILE_CM, (one.row + 0.5) * TILE_CM))
        return GroundTile(math.floor(x / TILE_CM), math.floor(y / TILE_CM), one.kind)

    width_cm, height_cm = transform.size_cm
    camera_x, camera_y = transform.point((level.camera.x, level.camera.y))
    return replace(
        level,
        width_cm=width_cm,
        height_cm=height_cm,
        camera=replace(level.camera, x=camera_x, y=camera_y),
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
        ground=tuple(tile(one) for one in level.ground),
    )
