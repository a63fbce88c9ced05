"""The level's shapes as shapely geometry, kept up to date with ``LevelShapes``.

Converts each surface and obstacle once and answers which of them touch an area.
What is walkable there is the business of ``ground_faces``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from ai.navigation.body_size import BodySize
from ai.navigation.surfaces import Surfaces
from ai.navigation.tile_layout import Bounds
from ai.ports import Circle, Footprint, LevelShapes, Obstacle, SurfacePatch

CIRCLE_SIDES = 16
"""Sides of the polygons that stand for circles; 16 is at most 2 % of the radius off."""


class Ground(NamedTuple):
    """A kind of ground at one height, what a triangle of the mesh lies on."""

    kind: str
    height_cm: float
    cost: float


@dataclass(frozen=True, slots=True)
class PatchShape:
    """A surface patch; ``ground`` is its index in ``MapShapes.grounds``, -1 if nobody walks on it."""

    patch: SurfacePatch
    area: shapely.Polygon
    ground: int


@dataclass(frozen=True, slots=True)
class ObstacleShape:
    """An obstacle that meets a body.

    - ``outer`` contains the footprint, ``inner`` lies within it (they differ for circles).
    """

    obstacle: Obstacle
    outer: shapely.Polygon
    inner: shapely.Polygon


def footprint_polygon(footprint: Footprint, *, outer: bool) -> shapely.Polygon:
    """A polygon round a footprint (``outer``) or inside it."""
    if not isinstance(footprint, Circle):
        return shapely.Polygon(footprint.points)
    half_angle = math.pi / CIRCLE_SIDES
    radius = footprint.radius / math.cos(half_angle) if outer else footprint.radius
    return shapely.Polygon(
        [
            (
                footprint.x + radius * math.cos(half_angle * (2 * side + 1)),
                footprint.y + radius * math.sin(half_angle * (2 * side + 1)),
            )
            for side in range(CIRCLE_SIDES)
        ]
    )


class MapShapes:
    """Surfaces and obstacles of a level, by area.

    - ``grounds`` only ever grows, so that an index into it stays good.
    - The extent is that of the surfaces at creation; ground beyond it is refused.
    """

    def __init__(self, shapes: LevelShapes, surfaces: Surfaces, body: BodySize) -> None:
        self._shapes = shapes
        self._surfaces = surfaces
        self.body = body
        self.grounds: list[Ground] = []
        self._patches: list[PatchShape] = []
        self._obstacles: list[ObstacleShape] = []
        self._patch_bounds: NDArray[np.float64] = np.empty((0, 4))
        self._obstacle_bounds: NDArray[np.float64] = np.empty((0, 4))
        self._by_id: dict[int, ObstacleShape] = {}
        self._read_version = -1
        self.extent: Bounds = (0.0, 0.0, 0.0, 0.0)
        self._read_patches(())
        if self._patches:
            lowest = self._patch_bounds.min(axis=0)
            highest = self._patch_bounds.max(axis=0)
            self.extent = (
                float(lowest[0]),
                float(lowest[1]),
                float(highest[2]),
                float(highest[3]),
            )
        self.refresh()

    @property
    def version(self) -> int:
        """Version of the level's shapes that was read last."""
        return self._read_version

    def refresh(self) -> None:
        """Read the level's shapes again if they have changed.

        Raises ``ValueError`` if ground lies outside the extent.
        """
        version = self._shapes.version
        if version == self._read_version:
            return
        self._read_patches([shape.patch for shape in self._patches])
        self._read_obstacles()
        self._read_version = version

    def changed_since(self, version: int) -> Sequence[Bounds]:
        """Bounds of what changed after a version."""
        return self._shapes.changed_since(version)

    def patches_in(self, area: Bounds) -> list[PatchShape]:
        """Patches whose bounds touch an area, in map order."""
        return [self._patches[index] for index in _touching(self._patch_bounds, area)]

    def obstacles_in(self, area: Bounds, *, with_props: bool) -> list[ObstacleShape]:
        """Obstacles cut out of the walkable ground (NAV-25) whose bounds touch an area.

        - Those that are not ``nav_block`` are known to clearance alone.
        - Props move and so are cut from the walk graph (``with_props``), but not from
          the surface that bodies stand on.
        """
        return [
            shape
            for index in _touching(self._obstacle_bounds, area)
            for shape in (self._obstacles[index],)
            if shape.obstacle.nav_block and (with_props or not shape.obstacle.dynamic)
        ]

    def static_obstacles(self) -> list[Obstacle]:
        """Everything that never moves and meets a body, whether it is cut out or not."""
        return [shape.obstacle for shape in self._obstacles if not shape.obstacle.dynamic]

    def _read_patches(self, known: Sequence[SurfacePatch]) -> None:
        patches = self._shapes.surfaces()
        if len(patches) == len(known) and all(a == b for a, b in zip(patches, known, strict=True)):
            return
        self._patches = [
            PatchShape(patch, shapely.Polygon(patch.outline.points), self._ground_of(patch))
            for patch in patches
        ]
        self._patch_bounds = _bounds_of([shape.area for shape in self._patches])
        if known and len(self._patches):
            x_min, y_min, x_max, y_max = self.extent
            lowest, highest = self._patch_bounds.min(axis=0), self._patch_bounds.max(axis=0)
            if lowest[0] < x_min or lowest[1] < y_min or highest[2] > x_max or highest[3] > y_max:
                raise ValueError(
                    "a surface was added outside the map's extent; build navigation anew for it"
                )

    def _ground_of(self, patch: SurfacePatch) -> int:
        kind = self._surfaces.kind(patch.kind)
        if not kind.walkable:
            return -1
        ground = Ground(patch.kind, float(patch.height_cm), kind.cost_per_cm)
        if ground not in self.grounds:
            self.grounds.append(ground)
        return self.grounds.index(ground)

    def _read_obstacles(self) -> None:
        known = self._by_id
        self._by_id = {}
        self._obstacles = []
        for obstacle in self._shapes.obstacles():
            if not self.body.meets(obstacle.z_low_cm, obstacle.z_high_cm):
                continue
            shape = known.get(obstacle.object_id)
            if shape is None or shape.obstacle != obstacle:
                shape = ObstacleShape(
                    obstacle,
                    footprint_polygon(obstacle.footprint, outer=True),
                    footprint_polygon(obstacle.footprint, outer=False),
                )
            self._by_id[obstacle.object_id] = shape
            self._obstacles.append(shape)
        self._obstacle_bounds = _bounds_of([shape.outer for shape in self._obstacles])


def _bounds_of(areas: Sequence[shapely.Polygon]) -> NDArray[np.float64]:
    bounds: NDArray[np.float64] = np.asarray(shapely.bounds(areas), dtype=np.float64)
    return bounds.reshape(-1, 4)


def _touching(bounds: NDArray[np.float64], area: Bounds) -> NDArray[np.int64]:
    x_min, y_min, x_max, y_max = area
    return np.flatnonzero(
        (bounds[:, 0] <= x_max)
        & (bounds[:, 2] >= x_min)
        & (bounds[:, 1] <= y_max)
        & (bounds[:, 3] >= y_min)
    )
