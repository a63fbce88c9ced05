"""Path hand-off: the path service's turn in a step (W5, NAV-08 and NAV-09).

First the service works on what it already has and its replies are delivered, then
the requests of this step are queued: a request is never answered in the step that
made it.
"""

from __future__ import annotations

import numpy as np

from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import RECORDS_PER_PED, MoveReason


class PathHandOff:
    """Moves replies to the records and requests to the service."""

    def __init__(self, system: MovementSystem) -> None:
        self._system = system
        self._table = system.table

    def step(self) -> None:
        """Deliver finished replies, then submit what records need (W5)."""
        for reply in self._system.service.process():
            self._system.accept_path(reply.row, reply)
        self._submit_needed()

    def _submit_needed(self) -> None:
        """Submit for every runnable record that needs a path, by ped id, then by record."""
        table = self._table
        if not np.count_nonzero(table.needs_path):
            return
        rows = np.flatnonzero(table.needs_path & (table.suspend == 0))
        if len(rows):
            order = np.argsort(table.ped_id[rows // RECORDS_PER_PED], kind="stable")
            for row in rows[order].tolist():
                self._submit(row)

    def _submit(self, row: int) -> None:
        """Ask for a way from where the ped is; a full queue is asked again next step (NAV-09)."""
        system = self._system
        table = self._table
        handle = system.service.submit(
            row,
            int(table.generation[row]),
            table.position(row // RECORDS_PER_PED),
            table.goals[row],
            expansions_max=system.tuning.expansions_max,
        )
        if handle is not None:
            system.desk.note(row, handle)
            table.needs_path[row] = False
            table.path_pending[row] = True
            table.path_wait_ticks[row] = 0
            return
        table.path_wait_ticks[row] += 1
        if int(table.path_wait_ticks[row]) > system.tuning.queue_full_ticks:
            system.fail(row, MoveReason.CAPACITY)
