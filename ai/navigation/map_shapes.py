"""The level's shapes as shapely geometry, kept up to date with ``LevelShapes``.

Converts each surface and obstacle once and answers which of them touch an area.
What is walkable there is the business of ``ground_faces``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import shapely

from ai.navigation.body_size import BodySize
from ai.navigation.surfaces import Surfaces
from ai.navigation.tile_layout import Bounds
from ai.ports import Circle, Danger, Footprint, LevelShapes, Obstacle, SurfacePatch

OUTER_SIDES = 12
"""Sides of a polygon round a circle; few, as each end is a corner to the search. 3.5 % too wide."""

INNER_SIDES = 16
"""Sides of a polygon inside a circle; 2 % too narrow."""


class Ground(NamedTuple):
    """A kind of ground at one height, what a triangle of the mesh lies on.

    ``cost`` of a cm counts dangers already; a flee counts ``danger`` alone.
    """

    kind: str
    height_cm: float
    cost: float
    danger: float = 1.0


@dataclass(frozen=True, slots=True)
class PatchShape:
    """A surface patch; ``ground`` is an index into ``MapShapes.grounds``, -1 where nobody walks."""

    patch: SurfacePatch
    area: shapely.Polygon
    bounds: Bounds
    ground: int


@dataclass(frozen=True, slots=True)
class ObstacleShape:
    """An obstacle that meets a body.

    - ``outer`` contains the footprint, ``inner`` lies within it (they differ for circles).
    """

    obstacle: Obstacle
    outer: shapely.Polygon
    inner: shapely.Polygon
    bounds: Bounds


class DangerShape(NamedTuple):
    """A danger and the polygon round it."""

    danger: Danger
    area: shapely.Polygon
    bounds: Bounds


def footprint_polygon(footprint: Footprint, *, outer: bool) -> shapely.Polygon:
    """A polygon round a footprint (``outer``) or inside it."""
    if not isinstance(footprint, Circle):
        return shapely.Polygon(footprint.points)
    sides = OUTER_SIDES if outer else INNER_SIDES
    half_angle = math.pi / sides
    radius = footprint.radius / math.cos(half_angle) if outer else footprint.radius
    return shapely.Polygon(
        [
            (
                footprint.x + radius * math.cos(half_angle * (2 * side + 1)),
                footprint.y + radius * math.sin(half_angle * (2 * side + 1)),
            )
            for side in range(sides)
        ]
    )


class MapShapes:
    """Surfaces and obstacles of a level, by area.

    - ``grounds`` only ever grows, so that an index into it stays good.
    - The extent is that of the surfaces at creation; ground beyond it is refused.
    - ``UnknownSurfaceKind`` is raised for a patch of a kind that ``Surfaces`` lacks.
    """

    def __init__(self, shapes: LevelShapes, surfaces: Surfaces, body: BodySize) -> None:
        self._shapes = shapes
        self._surfaces = surfaces
        self.body = body
        self.grounds: list[Ground] = []
        self._patches: list[PatchShape] = []
        self._obstacles: list[ObstacleShape] = []
        self._by_id: dict[int, ObstacleShape] = {}
        self._dangers: list[DangerShape] = []
        self._read_version = shapes.version
        self._read_patches()
        self._read_obstacles()
        self._read_dangers()
        self.extent = self._patch_extent()

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
        self._read_version = version
        self._read_patches()
        self._read_obstacles()
        self._read_dangers()
        x_min, y_min, x_max, y_max = self._patch_extent()
        low_x, low_y, high_x, high_y = self.extent
        if x_min < low_x or y_min < low_y or x_max > high_x or y_max > high_y:
            raise ValueError(
                "a surface was added outside the map's extent; build navigation anew for it"
            )

    def changed_since(self, version: int) -> Sequence[Bounds]:
        """Bounds of what changed after a version."""
        return self._shapes.changed_since(version)

    def patches_in(self, area: Bounds) -> list[PatchShape]:
        """Patches whose bounds touch an area, in map order."""
        return [shape for shape in self._patches if _touch(shape.bounds, area)]

    def obstacles_in(self, area: Bounds, *, with_props: bool) -> list[ObstacleShape]:
        """Obstacles cut out of the walkable ground (NAV-25) whose bounds touch an area.

        - Those that are not ``nav_block`` are known to clearance alone.
        - Props move and so are cut from the walk graph (``with_props``), but not from
          the surface that bodies stand on.
        """
        return [
            shape
            for shape in self._obstacles
            if _touch(shape.bounds, area)
            and shape.obstacle.nav_block
            and (with_props or not shape.obstacle.dynamic)
        ]

    def dangers_in(self, area: Bounds) -> list[DangerShape]:
        """Dangers whose bounds touch an area."""
        return [shape for shape in self._dangers if _touch(shape.bounds, area)]

    def endangered(self, ground: int, cost: float, flee_cost: float) -> int:
        """The ground that a kind of ground becomes within a danger of such costs."""
        safe = self.grounds[ground]
        made = safe._replace(cost=safe.cost * cost, danger=flee_cost)
        if made not in self.grounds:
            self.grounds.append(made)
        return self.grounds.index(made)

    def _read_dangers(self) -> None:
        known = {shape.danger: shape for shape in self._dangers}
        self._dangers = []
        for danger in self._shapes.dangers():
            shape = known.get(danger)
            if shape is None:
                area = footprint_polygon(danger.area, outer=True)
                shape = DangerShape(danger, area, area.bounds)
            self._dangers.append(shape)

    def _read_patches(self) -> None:
        patches = self._shapes.surfaces()
        if [shape.patch for shape in self._patches] == list(patches):
            return
        self._patches = []
        for patch in patches:
            area = shapely.Polygon(patch.outline.points)
            self._patches.append(PatchShape(patch, area, area.bounds, self._ground_of(patch)))

    def _patch_extent(self) -> Bounds:
        if not self._patches:
            return (0.0, 0.0, 0.0, 0.0)
        x_min, y_min, x_max, y_max = shapely.total_bounds([shape.area for shape in self._patches])
        return (float(x_min), float(y_min), float(x_max), float(y_max))

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
                outer = footprint_polygon(obstacle.footprint, outer=True)
                inner = footprint_polygon(obstacle.footprint, outer=False)
                shape = ObstacleShape(obstacle, outer, inner, outer.bounds)
            self._by_id[obstacle.object_id] = shape
            self._obstacles.append(shape)


def _touch(a: Bounds, b: Bounds) -> bool:
    return a[0] <= b[2] and a[2] >= b[0] and a[1] <= b[3] and a[3] >= b[1]
