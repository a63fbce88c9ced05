"""Array twins of the step checks: which of many peds surely pass them (LOC-07, LOC-19, NAV-12).

A True here means that the scalar check passes; a False only that the ped must be
looked at alone. Where the baked field can't tell, the exact shapes are asked, one
ped at a time. Arrays have shape (n,), one entry a ped; ``indices`` are the peds'
places in the ``PedGrid``.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.ped_grid import PedGrid
from ai.motion.step_checks import ped_spacing_cm
from ai.ports import Clearance, WalkSurface

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

PROBE_CIRCLES = 4
"""Circles from end to end of an ahead probe that together cover the body's way along it."""

ROOM_SLACK_CM = 1e-3
"""Added to the spacing so that rounding can't bring two batched peds too near."""


class StepChecksBatch:
    """The checks of ``StepChecks`` and ``Steering`` in their easy cases."""

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
        half_gap = tuning.ahead_probe / (PROBE_CIRCLES - 1) * 0.5
        self._probe_radius = math.sqrt(tuning.ped_radius**2 + half_gap**2)

    def ground(self, x: Floats, y: Floats, from_z: Floats) -> tuple[Floats, Floats, Floats, Flags]:
        """Points put onto the ground: x, y, z, and where a step may end there (LOC-07 a).

        Walkable patches are flat, so a point inside one needs no look at its normal.
        """
        tuning = self._tuning
        inside = self._surface.inside_mask(x, y)
        ground_x, ground_y = x.copy(), y.copy()
        ground_z = np.zeros(len(x))
        ground_z[inside] = self._surface.height_at(x[inside], y[inside])
        passes = inside.copy()
        for i in np.flatnonzero(~inside).tolist():
            point = self._surface.project(x.item(i), y.item(i), tuning.step_shift)
            if point is not None and point.normal_z >= tuning.normal_z_min:
                ground_x[i], ground_y[i], ground_z[i] = point.x, point.y, point.z
                passes[i] = True
        passes &= np.abs(ground_z - from_z) <= tuning.step_height
        return ground_x, ground_y, ground_z, passes

    def ways_free(self, x0: Floats, y0: Floats, x1: Floats, y1: Floats) -> Flags:
        """Where the body meets nothing on a straight step (LOC-07 b)."""
        dx = x1 - x0
        dy = y1 - y0
        half = 0.5 * math.sqrt(float((dx * dx + dy * dy).max(initial=0.0)))
        radius = self._tuning.ped_radius + half
        free = self._clearance.clear_mask(x0 + dx * 0.5, y0 + dy * 0.5, radius)
        return self._ask_exactly(free, x0, y0, x1, y1)

    def ahead_free(
        self, x: Floats, y: Floats, along_x: Floats, along_y: Floats, ahead: Floats
    ) -> Flags:
        """Where nothing solid is in a straight way of length ``ahead`` (LOC-05)."""
        shares = np.arange(PROBE_CIRCLES) / (PROBE_CIRCLES - 1)
        at = ahead[None, :] * shares[:, None]
        covered = self._clearance.clear_mask(
            (x[None, :] + along_x[None, :] * at).ravel(),
            (y[None, :] + along_y[None, :] * at).ravel(),
            self._probe_radius,
        )
        free: Flags = np.logical_and.reduce(covered.reshape(PROBE_CIRCLES, len(x)))
        return self._ask_exactly(free, x, y, x + along_x * ahead, y + along_y * ahead)

    def room(self, indices: Ints, reach: Floats) -> Flags:
        """Where no other ped can come within the spacing in this sub-step (NAV-12).

        ``reach`` has an entry for every ped of the grid: how far it may step.
        """
        asked, others = self._grid.pairs(indices)
        mine = indices[asked]
        dx = self._grid.x[others] - self._grid.x[mine]
        dy = self._grid.y[others] - self._grid.y[mine]
        need = reach[mine] + reach[others] + (self._spacing + ROOM_SLACK_CM)
        return self._none(len(indices), asked, dx * dx + dy * dy < need * need)

    def peds_clear(
        self, indices: Ints, along_x: Floats, along_y: Floats, speed: Floats, ahead: Floats
    ) -> Flags:
        """Where no ped comes too near while the ahead probe is covered; twin of ``Steering``'s."""
        grid = self._grid
        asked, others = grid.pairs(indices)
        mine = indices[asked]
        dx = grid.x[others] - grid.x[mine]
        dy = grid.y[others] - grid.y[mine]
        reach = self._tuning.ahead_probe + self._spacing
        closing_x = along_x[asked] * speed[asked] - grid.velocity_x[others]
        closing_y = along_y[asked] * speed[asked] - grid.velocity_y[others]
        closing = dx * closing_x + dy * closing_y
        matters = (dx * dx + dy * dy <= reach**2) & (closing > 0.0)
        asked, dx, dy, closing = asked[matters], dx[matters], dy[matters], closing[matters]
        closing_x, closing_y = closing_x[matters], closing_y[matters]
        speed_squared = closing_x * closing_x + closing_y * closing_y
        time_s = np.minimum(closing / speed_squared, (ahead / speed)[asked])
        dx = dx - closing_x * time_s
        dy = dy - closing_y * time_s
        return self._none(len(indices), asked, dx * dx + dy * dy < self._spacing**2)

    def _ask_exactly(self, free: Flags, x0: Floats, y0: Floats, x1: Floats, y1: Floats) -> Flags:
        """Let the exact shapes decide where the field could not."""
        tuning = self._tuning
        for i in np.flatnonzero(~free).tolist():
            free[i] = self._clearance.sweep_free(
                x0.item(i),
                y0.item(i),
                x1.item(i),
                y1.item(i),
                tuning.ped_radius,
                tuning.body_low,
                tuning.ped_height,
            )
        return free

    @staticmethod
    def _none(count: int, asked: Ints, bad: Flags) -> Flags:
        """Which of ``count`` peds have no bad pair."""
        good = np.ones(count, dtype=np.bool_)
        good[asked[bad]] = False
        return good
