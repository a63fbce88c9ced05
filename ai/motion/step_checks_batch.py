"""Array twins of the step checks: which of many peds surely pass them (LOC-07, LOC-19, NAV-12).

A True here means that the scalar check passes; a False only that the ped must be
looked at alone. Where the baked field can't tell, the exact shapes are asked, one
ped at a time. Arrays have shape (n,), one entry a ped; ``indices`` are the peds'
places in the ``PedGrid``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.ped_grid import FEW, PedGrid
from ai.motion.step_checks import ped_spacing_cm
from ai.ports import Clearance, WalkSurface

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

COVER_CM = 15.0
"""Longest part of a way that one circle covers: shorter parts cost more look-ups in the
field, longer ones wider circles, which are more seldom surely clear (LOC-19)."""

ROOM_SLACK_CM = 1e-3
"""Added to the spacing so that rounding can't bring two batched peds too near."""


class GroundColumns(NamedTuple):
    """Points on the ground, columns of shape (n,).

    - ``passes``: where a step may end, as far as the ground is concerned.
    - ``cheap``: where the ground is surely such that one makes way onto it.
    """

    x: Floats
    y: Floats
    z: Floats
    passes: Flags
    cheap: Flags


class StepChecksBatch:
    """The checks of ``StepChecks`` for many peds."""

    def __init__(
        self,
        grid: PedGrid,
        surface: WalkSurface,
        clearance: Clearance,
        tuning: LocomotionTuning,
    ) -> None:
        self._grid = grid
        self._surface = surface
        self._clearance = clearance
        self._tuning = tuning
        self._spacing = ped_spacing_cm(tuning)

    def ground(self, x: Floats, y: Floats, from_z: Floats) -> GroundColumns:
        """Points put onto the ground, and where a step may end there (LOC-07 a).

        Walkable patches are flat, so a point inside one needs no look at its normal.
        """
        tuning = self._tuning
        ground_x, ground_y = x.copy(), y.copy()
        ground_z, cost = self._surface.ground_inside(x, y)
        unknown = np.isnan(ground_z)
        passes = ~unknown
        for i in unknown.nonzero()[0].tolist():
            point = self._surface.project(x.item(i), y.item(i), tuning.step_shift)
            if point is not None and point.normal_z >= tuning.normal_z_min:
                ground_x[i], ground_y[i], ground_z[i] = point.x, point.y, point.z
                passes[i] = True
        passes &= np.abs(ground_z - from_z) <= tuning.step_height
        return GroundColumns(ground_x, ground_y, ground_z, passes, cost <= tuning.aside_cost_max)

    def ways_free(self, x0: Floats, y0: Floats, x1: Floats, y1: Floats) -> Flags:
        """Where the body meets nothing solid on a straight way (LOC-07 b).

        A way is cut into parts; the circle of the body's radius and half a part about
        each part's middle covers the body's way along it.
        """
        if len(x0) <= FEW:
            ways = zip(x0.tolist(), y0.tolist(), x1.tolist(), y1.tolist(), strict=True)
            return np.array([self._way_free(*way) for way in ways], dtype=np.bool_)
        tuning = self._tuning
        dx = x1 - x0
        dy = y1 - y0
        longest = math.sqrt(float((dx * dx + dy * dy).max(initial=0.0)))
        parts = max(1, math.ceil(longest / COVER_CM))
        radius = tuning.ped_radius + 0.5 * longest / parts
        share = (np.arange(parts) + 0.5)[:, None] / parts
        clear = self._clearance.clear_mask(
            (x0 + dx * share).ravel(), (y0 + dy * share).ravel(), radius
        )
        free: Flags = np.logical_and.reduce(clear.reshape(parts, len(x0)))
        for i in (~free).nonzero()[0].tolist():
            free[i] = self._way_free(x0.item(i), y0.item(i), x1.item(i), y1.item(i))
        return free

    def _way_free(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        tuning = self._tuning
        return self._clearance.sweep_free(
            x0, y0, x1, y1, tuning.ped_radius, tuning.body_low, tuning.ped_height
        )

    def room(
        self, indices: Ints, passes: Flags, x: Floats, y: Floats, reach: Floats, alone: Flags
    ) -> Flags:
        """Which steps keep the spacing when peds go one by one in grid order (LOC-07 c, NAV-12).

        - ``passes``: steps that passed all else; ``x, y`` where they end.
        - ``reach``, for every ped of the grid: the longest step it may take, 0 if it
          stays.
        - ``alone``: steps whose choice hangs on more than where they end: they pass only
          where nobody can be met at all.

        A step is judged against the place that each ped near it has by then: the old
        one of later peds, the new one of earlier peds. A ped whose new place isn't
        known, since it is not in the batch, takes all who might meet it out too.
        """
        grid = self._grid
        one, other = grid.touch.all_pairs()
        dx = grid.x[other] - grid.x[one]
        dy = grid.y[other] - grid.y[one]
        need = reach[one] + reach[other] + (self._spacing + ROOM_SLACK_CM)
        may_meet = dx * dx + dy * dy < need * need
        if not may_meet.any():
            return passes
        one, other = one[may_meet], other[may_meet]
        mine, others = np.concatenate((one, other)), np.concatenate((other, one))

        batched = np.zeros(len(grid.slots), dtype=np.bool_)
        batched[indices] = passes
        new_x, new_y = grid.x.copy(), grid.y.copy()
        new_x[indices[passes]], new_y[indices[passes]] = x[passes], y[passes]
        earlier = others < mine
        other_x = np.where(earlier, new_x[others], grid.x[others])
        other_y = np.where(earlier, new_y[others], grid.y[others])
        dx = other_x - new_x[mine]
        dy = other_y - new_y[mine]
        after = dx * dx + dy * dy
        dx = other_x - grid.x[mine]
        dy = other_y - grid.y[mine]
        alone_there = np.zeros(len(grid.slots), dtype=np.bool_)
        alone_there[indices] = alone
        refused = alone_there[mine] | ((after < self._spacing**2) & (after <= dx * dx + dy * dy))
        batched[mine[refused]] = False
        moving = reach[others] > 0.0
        while True:
            unsure = batched[mine] & moving & ~batched[others]
            if not unsure.any():
                return batched[indices]
            batched[mine[unsure]] = False
