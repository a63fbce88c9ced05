"""One ped in one motion sub-step, as the scalar path of the walk update sees it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from ai.ports import Vec3


class Aim(NamedTuple):
    """Where a ped is headed: at a corner of its path, or along a wish (LOC-18).

    - ``x, y``: unit vector of the direction, ``heading`` the same in rad.
    - ``distance``: cm to the corner, inf for a wish.
    - ``corner_x, corner_y``: the corner itself; meaningless for a wish.
    """

    x: float
    y: float
    heading: float
    distance: float
    corner_x: float = 0.0
    corner_y: float = 0.0

    def from_point(self, x: float, y: float) -> Aim:
        """The same corner as seen from elsewhere; a wish is the same everywhere."""
        if math.isinf(self.distance):
            return self
        return aim_at(x, y, self.corner_x, self.corner_y)


def aim_at(x: float, y: float, corner_x: float, corner_y: float) -> Aim:
    """Aim from a point at a corner; straight along x if they coincide."""
    dx = corner_x - x
    dy = corner_y - y
    distance = math.sqrt(dx * dx + dy * dy)
    if distance == 0.0:
        return Aim(1.0, 0.0, 0.0, 0.0, corner_x, corner_y)
    return Aim(dx / distance, dy / distance, math.atan2(dy, dx), distance, corner_x, corner_y)


def aim_along(heading: float) -> Aim:
    """Aim of a steering wish (LOC-18)."""
    return Aim(math.cos(heading), math.sin(heading), heading, math.inf)


class CheckedStep(NamedTuple):
    """A step that passed the commit checks (LOC-07): where it ends and its XY length in cm."""

    x: float
    y: float
    z: float
    length: float


@dataclass(slots=True)
class Walker:
    """A ped at the start of its motion sub-step. Lengths in cm, speeds in cm/s, angles in rad.

    ``index`` is the ped's place in the ``PedGrid`` of the sub-step, ``budget`` the
    longest step allowed: desired speed times ``dt_s`` (LOC-15).
    """

    index: int
    slot: int
    row: int
    position: Vec3
    yaw: float
    speed: float
    dt_s: float
    budget: float
