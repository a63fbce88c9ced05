"""A world without physics for tests of motion: exact ground, obstacles, focus and paths.

- ``PlainGround`` and ``PlainClearance`` fill the ports ``WalkSurface`` and
  ``Clearance`` with shapely, exactly, over polygons given in cm.
- ``FocusAt`` is a ``WorldView`` with a fixed focus.
- ``StraightPaths`` is a path service that answers in the next step with a straight
  line, or with the points a test has laid down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Point
from shapely import Polygon as Shape
from shapely.affinity import rotate
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from ai.navigation.path_service import PathReply
from ai.ports import GroundPoint, PathFailure, Vec3

BODY_RADIUS = 30.0
TOUCH_CM = 1e-9
"""Touching is free: distances this much short of the radius count as touching."""
FIELD_MARGIN_CM = 4.0
"""The mask is as cautious as a baked field of 25 cm cells (LOC-19)."""


def box(x: float, y: float, width: float, height: float, turned_deg: float = 0.0) -> Shape:
    """A rectangle about its centre."""
    shape = shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    return rotate(shape, turned_deg, origin="centroid") if turned_deg else shape


def disc(x: float, y: float, radius: float) -> BaseGeometry:
    """A disc as a polygon of 256 sides: its edge lies within 0.01 cm of the circle up to r 60."""
    return Point(x, y).buffer(radius, quad_segs=64)


@dataclass(frozen=True)
class Solid:
    """An obstacle from ``low`` to ``high`` cm above ground."""

    shape: BaseGeometry
    low: float = 0.0
    high: float = 300.0


class PlainClearance:
    """Clearance against a list of solids that a test may change at any time."""

    def __init__(self, *shapes: BaseGeometry | Solid) -> None:
        self.solids: list[Solid] = []
        self.sweeps = 0
        for shape in shapes:
            self.add(shape)

    def add(self, shape: BaseGeometry | Solid) -> Solid:
        solid = shape if isinstance(shape, Solid) else Solid(shape)
        self.solids.append(solid)
        return solid

    def remove(self, solid: Solid) -> None:
        self.solids.remove(solid)

    def circle_free(
        self, x: float, y: float, radius_cm: float, low_cm: float, high_cm: float
    ) -> bool:
        return self._free(Point(x, y), radius_cm, low_cm, high_cm)

    def sweep_free(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        radius_cm: float,
        low_cm: float,
        high_cm: float,
    ) -> bool:
        self.sweeps += 1
        if not self.solids:
            return True
        way = Point(x0, y0) if (x0, y0) == (x1, y1) else LineString([(x0, y0), (x1, y1)])
        return self._free(way, radius_cm, low_cm, high_cm)

    def clear_mask(
        self, x: NDArray[np.float64], y: NDArray[np.float64], radius_cm: float
    ) -> NDArray[np.bool_]:
        clear = np.ones(len(x), dtype=np.bool_)
        points = shapely.points(x, y) if self.solids else None
        for solid in self.solids:
            clear &= shapely.distance(points, solid.shape) >= radius_cm + FIELD_MARGIN_CM
        return clear

    def _free(self, way: BaseGeometry, radius: float, low: float, high: float) -> bool:
        return not any(
            solid.low <= high
            and solid.high >= low
            and shapely.distance(way, solid.shape) < radius - TOUCH_CM
            for solid in self.solids
        )


@dataclass
class PlainGround:
    """Walkable ground of one or more patches, shrunk by the body radius.

    - ``patches`` are (outline, height in cm) pairs; where they overlap the later wins.
    - ``road`` is ground that costs 3 a cm; all other costs 1.
    - ``shift`` adds to every projected point, for tests of what projection may do.
    """

    patches: Sequence[tuple[Shape, float]]
    normal_z: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)
    road: BaseGeometry = field(default_factory=Shape)
    walkable: BaseGeometry = field(init=False)

    def __post_init__(self) -> None:
        union = shapely.union_all([outline for outline, _ in self.patches])
        self.walkable = union.buffer(-BODY_RADIUS, join_style="mitre")
        self._inside = self.walkable.buffer(-1e-6, join_style="mitre")
        shapely.prepare([self.walkable, self._inside, self.road])
        for outline, _ in self.patches:
            shapely.prepare(outline)

    @classmethod
    def of(cls, *outlines: Shape) -> PlainGround:
        """Level ground at height 0."""
        return cls([(outline, 0.0) for outline in outlines])

    def project(self, x: float, y: float, max_shift_cm: float) -> GroundPoint | None:
        point = Point(x, y)
        if shapely.intersects(self.walkable, point):
            px, py = x, y
        else:
            nearest = nearest_points(self.walkable, point)[0]
            px, py = nearest.x, nearest.y
        px, py = px + self.shift[0], py + self.shift[1]
        moved = ((px - x) ** 2 + (py - y) ** 2) ** 0.5
        if moved > max_shift_cm:
            return None
        height = float(self._heights(np.array([px]), np.array([py]))[0])
        cost = float(self._costs(np.array([px]), np.array([py]))[0])
        kind = "pavement" if cost == 1.0 else "road"
        return GroundPoint(px, py, height, self.normal_z, moved, kind, cost)

    def ground_inside(
        self, x: NDArray[np.float64], y: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        inside = shapely.contains_xy(self._inside, x, y)
        costs = np.where(inside, self._costs(x, y), np.nan)
        if self.shift != (0.0, 0.0) or self.normal_z != 1.0:
            return np.full(len(x), np.nan), costs
        return np.where(inside, self._heights(x, y), np.nan), costs

    def _heights(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        height = np.full(len(x), self.patches[0][1])
        for outline, patch_height in self.patches[1:]:
            height[shapely.intersects_xy(outline, x, y)] = patch_height
        return height

    def _costs(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(shapely.intersects_xy(self.road, x, y), 3.0, 1.0)


@dataclass
class FocusAt:
    """A world view whose focus stays where it is put."""

    focus: Vec3 = Vec3(0.0, 0.0, 0.0)


@dataclass
class _Asked:
    handle: int
    row: int
    generation: int
    goal: Vec3


class StraightPaths:
    """Answers each request in the next ``process``: straight to the goal, or as laid down.

    ``lay(row, points)`` sets what that record is answered with from then on; an empty
    path is answered as NO_PATH.
    """

    def __init__(self) -> None:
        self._asked: list[_Asked] = []
        self._laid: dict[int, tuple[Vec3, ...]] = {}
        self._handles = 0

    def lay(self, row: int, *points: Vec3) -> None:
        self._laid[row] = points

    def submit(
        self, row: int, generation: int, start: Vec3, goal: Vec3, *, expansions_max: int
    ) -> int:
        self._handles += 1
        self._asked.append(_Asked(self._handles, row, generation, goal))
        return self._handles

    def cancel(self, handle: int) -> bool:
        before = len(self._asked)
        self._asked = [asked for asked in self._asked if asked.handle != handle]
        return len(self._asked) < before

    def process(self) -> list[PathReply]:
        replies = []
        for asked in self._asked:
            points = self._laid.get(asked.row, (asked.goal,))
            failure = PathFailure.NONE if points else PathFailure.NO_PATH
            replies.append(PathReply(asked.handle, asked.row, asked.generation, failure, points))
        self._asked = []
        return replies
