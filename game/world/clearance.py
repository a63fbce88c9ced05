"""Is a body volume, or a swept circle, free: fills ``ai.ports.Clearance``.

Exact queries test the shapes of static things, vehicles and solid props (15 kg
and more, LOC-20) whose height interval overlaps the asked one. The mask for many
points goes by a baked distance field over what stands still, and by a coarse map
of what moves; it may say no where the exact test says yes, never the other way
round (LOC-19).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from game.world.exact_shapes import TOUCH_CM
from game.world.obstacle_grid import GridObstacle, ObstacleGrid
from game.world.outlines import Bounds
from game.world.proximity import ProximityMap
from game.world.things import VX, YAW, Thing, ThingTable, X, Y

_MASK_REACH_CM = 100.0
"""``clear_mask`` answers for radii up to this; beyond, every point is asked exactly."""


class ClearField(Protocol):
    """The baked distance field over ``LevelShapes`` (``ai.navigation``)."""

    def clear_mask(
        self, x: NDArray[np.float64], y: NDArray[np.float64], radius_cm: float
    ) -> NDArray[np.bool_]:
        """Shape (n,): True where a circle is surely free of every obstacle of the shapes."""
        ...


class WorldClearance:
    """Exact and coarse clearance over the things of the world.

    ``_loose`` holds what the field does not know of: every solid prop, and vehicles
    while they are under way.
    """

    def __init__(
        self, things: ThingTable, field: ClearField, *, width_cm: float, height_cm: float
    ) -> None:
        self._things = things
        self._field = field
        self._grid = ObstacleGrid()
        self._obstacles: list[GridObstacle | None] = [None] * things.capacity
        self._loose = ProximityMap(width_cm, height_cm, things.capacity, _MASK_REACH_CM)
        self._radii: NDArray[np.float64] = np.zeros(things.capacity, dtype=np.float64)
        self._is_loose: NDArray[np.bool_] = np.zeros(things.capacity, dtype=np.bool_)
        things.observe(self)

    # -- queries ---------------------------------------------------------------

    def circle_free(
        self, x: float, y: float, radius_cm: float, low_cm: float, high_cm: float
    ) -> bool:
        """True if a standing cylinder meets nothing (touching is free).

        Heights overlap strictly: what ends where the cylinder begins is not met.
        """
        _check_radius(radius_cm)
        bounds = (x - radius_cm, y - radius_cm, x + radius_cm, y + radius_cm)
        for obstacle in self._grid.candidates(bounds):
            if (
                obstacle.z_low < high_cm
                and obstacle.z_high > low_cm
                and self._may_meet(obstacle, bounds)
                and obstacle.meets_disc(x, y, radius_cm)
            ):
                return False
        return True

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
        """True if a circle moved along the segment meets nothing (touching is free)."""
        _check_radius(radius_cm)
        bounds = (
            (x0 if x0 < x1 else x1) - radius_cm,
            (y0 if y0 < y1 else y1) - radius_cm,
            (x1 if x0 < x1 else x0) + radius_cm,
            (y1 if y0 < y1 else y0) + radius_cm,
        )
        for obstacle in self._grid.candidates(bounds):
            if (
                obstacle.z_low < high_cm
                and obstacle.z_high > low_cm
                and self._may_meet(obstacle, bounds)
                and obstacle.meets_sweep(x0, y0, x1, y1, radius_cm)
            ):
                return False
        return True

    def count_on_way(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        radius_cm: float,
        low_cm: float,
        high_cm: float,
        most: int,
    ) -> int:
        """How many things a circle moved along the segment meets, counted up to ``most``."""
        _check_radius(radius_cm)
        bounds = (
            min(x0, x1) - radius_cm,
            min(y0, y1) - radius_cm,
            max(x0, x1) + radius_cm,
            max(y0, y1) + radius_cm,
        )
        count = 0
        for obstacle in self._grid.candidates(bounds):
            if (
                obstacle.z_low < high_cm
                and obstacle.z_high > low_cm
                and self._may_meet(obstacle, bounds)
                and obstacle.meets_sweep(x0, y0, x1, y1, radius_cm)
            ):
                count += 1
                if count >= most:
                    break
        return count

    def clear_mask(
        self, x: NDArray[np.float64], y: NDArray[np.float64], radius_cm: float
    ) -> NDArray[np.bool_]:
        """Shape (n,): True where a circle is surely free (LOC-19); False means ask exactly."""
        if radius_cm > _MASK_REACH_CM:
            return np.zeros(len(x), dtype=np.bool_)
        return self._field.clear_mask(x, y, radius_cm) & ~self._loose.near(x, y)

    def _may_meet(self, obstacle: GridObstacle, bounds: Bounds) -> bool:
        """Bounds overlap; brings the obstacle's shape up to date first."""
        if obstacle.stale:
            obstacle.place(*self._things.state[obstacle.slot, :VX].tolist())
        x_min, y_min, x_max, y_max = obstacle.bounds
        return x_min < bounds[2] and x_max > bounds[0] and y_min < bounds[3] and y_max > bounds[1]

    # -- following the things --------------------------------------------------

    def thing_added(self, thing: Thing) -> None:
        """Take a solid thing up; what is not solid refuses no step."""
        if not thing.solid:
            return
        slot = thing.ref.slot
        obstacle = GridObstacle(slot, thing.z_low_cm, thing.z_high_cm, thing.outline)
        self._obstacles[slot] = obstacle
        self._radii[slot] = obstacle.radius
        self._grid.add(obstacle, self._bounds(thing, obstacle))
        self._set_loose(thing, obstacle)

    def thing_removed(self, thing: Thing) -> None:
        """Forget a thing."""
        slot = thing.ref.slot
        obstacle = self._obstacles[slot]
        if obstacle is not None:
            self._grid.remove(obstacle)
            self._loose.drop(slot)
            self._is_loose[slot] = False
            self._obstacles[slot] = None

    def thing_placed(self, thing: Thing) -> None:
        """Follow a thing to where it was put."""
        obstacle = self._obstacles[thing.ref.slot]
        if obstacle is not None:
            obstacle.stale = True
            self._grid.move(obstacle, self._bounds(thing, obstacle))
            self._set_loose(thing, obstacle)

    def props_moved(self, slots: NDArray[np.int64]) -> None:
        """Follow the props that physics has moved."""
        if not len(slots):
            return
        solid = slots[self._is_loose[slots]]
        if not len(solid):
            return
        rows = self._things.state[solid]
        self._loose.move(solid, rows[:, X], rows[:, Y], self._radii[solid])
        for slot, x, y in zip(
            solid.tolist(), rows[:, X].tolist(), rows[:, Y].tolist(), strict=True
        ):
            obstacle = self._obstacles[slot]
            assert obstacle is not None
            obstacle.stale = True
            self._grid.move(obstacle, _disc_bounds(x, y, obstacle.radius))

    def _bounds(self, thing: Thing, obstacle: GridObstacle) -> Bounds:
        x, y, yaw = self._things.state[obstacle.slot, :VX].tolist()
        if thing.dynamic:
            return _disc_bounds(x, y, obstacle.radius)
        obstacle.place(x, y, yaw)
        return obstacle.bounds

    def _set_loose(self, thing: Thing, obstacle: GridObstacle) -> None:
        slot = obstacle.slot
        loose = thing.dynamic or self._things.in_motion(thing)
        self._is_loose[slot] = loose
        if loose:
            x, y = self._things.state[slot, :YAW].tolist()
            self._loose.put(slot, x, y, obstacle.radius)
        else:
            self._loose.drop(slot)


def _disc_bounds(x: float, y: float, radius: float) -> Bounds:
    return x - radius, y - radius, x + radius, y + radius


def _check_radius(radius_cm: float) -> None:
    if not radius_cm > TOUCH_CM:
        raise ValueError(f"a clearance query needs a radius over 0, not {radius_cm}")
