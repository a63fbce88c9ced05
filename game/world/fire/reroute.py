"""Who is on a way that leads through flames looks for another as soon as the mesh knows of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ai.motion.execution import ReplanKind
from game.world.fire.flames import Flags, Floats

if TYPE_CHECKING:
    from game.world.world import World


class Reroute:
    """Asks anew for ways that a new walk mesh has made dear; whoever stands inside goes on."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._seen = world.walk_graph.version

    def look(self) -> int:
        """Phase 12: after the mesh; returns how many ways were withdrawn."""
        world = self._world
        if world.walk_graph.version == self._seen:
            return 0
        self._seen = world.walk_graph.version
        dangers = world.fires.dangers.flames
        if not dangers:
            return 0
        rows, starts, ends = self._ways()
        if not len(rows):
            return 0
        discs = np.array(dangers)
        crosses = crossed(starts, ends, discs).any(axis=1)
        withdrawn = 0
        table = world.table
        for row in np.unique(rows[crosses]).tolist():
            first = starts[np.flatnonzero(rows == row)[0]]
            inside = np.hypot(discs[:, 0] - first[0], discs[:, 1] - first[1]) <= discs[:, 2]
            if not inside.any() and not table.path_pending.item(row):
                withdrawn += world.movement.replan(row, ReplanKind.RESUME)
        return withdrawn

    def _ways(self) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Every straight piece still ahead of anybody: record (n,), start and end (n, 2)."""
        table = self._world.table
        slots = table.slots_in_id_order()
        records = table.active_record[slots]
        rows: list[int] = []
        starts: list[tuple[float, float]] = []
        ends: list[tuple[float, float]] = []
        for slot, row in zip(slots.tolist(), records.tolist(), strict=True):
            if not table.is_live(row) or not table.path_usable.item(row):
                continue
            at = (table.x.item(slot), table.y.item(slot))
            for corner in table.paths[row][table.corner.item(row) :]:
                rows.append(row)
                starts.append(at)
                at = (corner.x, corner.y)
                ends.append(at)
        return (
            np.array(rows, dtype=np.int64),
            np.array(starts, dtype=np.float64).reshape(-1, 2),
            np.array(ends, dtype=np.float64).reshape(-1, 2),
        )


def crossed(starts: Floats, ends: Floats, discs: Floats) -> Flags:
    """Which straight pieces (n, 2) pass through which discs (m, 3: x, y, radius), shape (n, m)."""
    along = ends - starts
    length = np.maximum((along * along).sum(axis=1), 1e-12)
    to = discs[None, :, :2] - starts[:, None, :]
    share = np.clip((to * along[:, None, :]).sum(axis=2) / length[:, None], 0.0, 1.0)
    nearest = starts[:, None, :] + share[:, :, None] * along[:, None, :]
    away = discs[None, :, :2] - nearest
    inside: Flags = (away * away).sum(axis=2) < (discs[:, 2] ** 2)[None, :]
    return inside
