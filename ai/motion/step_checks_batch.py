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
from ai.motion.step_checks import ped_spacing_cm, sight_cm
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

    def room(
        self, indices: Ints, passes: Flags, x: Floats, y: Floats, reach: Floats, partial: Flags
    ) -> Flags:
        """Which steps keep the spacing when peds go one by one in grid order (LOC-07 c, NAV-12).

        - ``passes``: steps that passed all else; ``x, y`` where they end.
        - ``reach``, for every ped of the grid: the longest step it may take, 0 if it
          stays.
        - ``partial``: steps shorter than a full one, which is judged too: they pass
          only where nobody can be met at all.

        A step is judged against the place that each ped near it has by then: the old
        one of later peds, the new one of earlier peds. A ped whose new place isn't
        known, since it is not in the batch, takes all who might meet it out too.
        """
        grid = self._grid
        batched = np.zeros(len(grid.slots), dtype=np.bool_)
        batched[indices] = passes
        asked, others = grid.touch.pairs(indices[passes])
        mine = indices[passes][asked]
        dx = grid.x[others] - grid.x[mine]
        dy = grid.y[others] - grid.y[mine]
        need = reach[mine] + reach[others] + (self._spacing + ROOM_SLACK_CM)
        may_meet = dx * dx + dy * dy < need * need
        mine, others = mine[may_meet], others[may_meet]

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
        short = np.zeros(len(grid.slots), dtype=np.bool_)
        short[indices] = partial
        refused = short[mine] | ((after < self._spacing**2) & (after <= dx * dx + dy * dy))
        batched[mine[refused]] = False
        moving = reach[others] > 0.0
        while True:
            unsure = batched[mine] & moving & ~batched[others]
            if not unsure.any():
                return batched[indices]
            batched[mine[unsure]] = False

    def peds_clear(
        self, indices: Ints, aim_x: Floats, aim_y: Floats, speed: Floats, ahead: Floats, back: Flags
    ) -> Flags:
        """Where the straight direction is clear of peds in sight; twin of ``Steering``'s."""
        clear = self._approach_clear(indices, aim_x, aim_y, speed, ahead, aside=True)
        back = clear & back
        if back.any():
            clear[back] = self._approach_clear(
                indices[back], aim_x[back], aim_y[back], speed[back], ahead[back], aside=False
            )
        return clear

    def _approach_clear(
        self, indices: Ints, aim_x: Floats, aim_y: Floats, speed: Floats, ahead: Floats, *, aside: bool
    ) -> Flags:
        grid = self._grid
        asked, others = grid.sight.pairs(indices)
        mine = indices[asked]
        dx = grid.x[others] - grid.x[mine]
        dy = grid.y[others] - grid.y[mine]
        in_sight = dx * dx + dy * dy <= sight_cm(self._tuning) ** 2
        asked, others, dx, dy = asked[in_sight], others[in_sight], dx[in_sight], dy[in_sight]
        along_x, along_y = aim_x[asked], aim_y[asked]
        velocity_x, velocity_y = grid.velocity_x[others], grid.velocity_y[others]
        if not aside:
            on_line = velocity_x * along_x + velocity_y * along_y
            velocity_x = on_line * along_x
            velocity_y = on_line * along_y
        closing_x = along_x * speed[asked] - velocity_x
        closing_y = along_y * speed[asked] - velocity_y
        closing = dx * closing_x + dy * closing_y
        nears = closing > 0.0
        asked, dx, dy, closing = asked[nears], dx[nears], dy[nears], closing[nears]
        closing_x, closing_y = closing_x[nears], closing_y[nears]
        speed_squared = closing_x * closing_x + closing_y * closing_y
        time_s = np.minimum(closing / speed_squared, (ahead / speed)[asked])
        dx = dx - closing_x * time_s
        dy = dy - closing_y * time_s
        clear = np.ones(len(indices), dtype=np.bool_)
        clear[asked[dx * dx + dy * dy < self._spacing**2]] = False
        return clear

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
