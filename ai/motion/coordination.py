"""Coordination: may a movement write its ped's position (NAV-14 to NAV-16, NAV-20).

It runs twice a step, before the walk update (W3) and after the path service (W6),
over all records at once; Python loops only over records that have just become
suspended or runnable. Between two runs in which no claim and no reason has changed
there is nothing to do but to look at the timed stands.

Where a reason to stand comes from:

- HIGHER_MOVE is read off the claim table: an ordinary claim above the record's own
  priority. The recovery's claim acts through BODY instead.
- BODY, SUPPRESSED and VEHICLE concern all records of a ped, NOT_OWNER and
  FOREIGN_MAIN its general record; they are stated through ``set_reason`` by who
  sees body, ped and trees.

The position is the ped's alone and never copied, so a suspended or resumed record
reads where the ped really is by construction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import RECORDS_PER_PED, MovementSlot, SuspendReason
from ai.ports import TIMER_EPSILON_S

PED_REASONS = SuspendReason.BODY | SuspendReason.SUPPRESSED | SuspendReason.VEHICLE
"""Reasons that stop every record of a ped."""

TASK_REASONS = SuspendReason.NOT_OWNER | SuspendReason.FOREIGN_MAIN
"""Reasons that stop the general record, whose owner is a task of the main tree."""

_TASK_BITS = int(TASK_REASONS)
_STATED_BITS = int(PED_REASONS | TASK_REASONS)


class Coordination:
    """Keeps ``suspend``, ``stand_until`` (its expiry) and ``active_record`` of the table.

    Invariant: ``suspend`` and ``active_record`` are what the claims and reasons of the last run
    come to, as of ``_claim_changes_seen``; ``_reasons_changed`` marks a reason stated or
    withdrawn since. A slot changes hands with neither claim nor reason, which is what
    its blank records say.
    """

    def __init__(self, system: MovementSystem) -> None:
        self._system = system
        self._table = system.table
        applicable = np.full(RECORDS_PER_PED, int(PED_REASONS), dtype=np.int64)
        applicable[int(MovementSlot.GENERAL)] |= int(TASK_REASONS)
        self._applicable = applicable
        self._own_priority = np.array(
            [system.claims.record_priority(record) for record in MovementSlot], dtype=np.int64
        )
        self._claim_changes_seen = -1
        self._reasons_changed = False
        self._first_rows = np.arange(self._table.capacity, dtype=np.int64) * RECORDS_PER_PED

    def set_reason(self, slot: int, reason: SuspendReason, on: bool) -> None:
        """State or withdraw one reason; it takes effect in the next ``coordinate``.

        Raises ``ValueError`` for HIGHER_MOVE, which only a claim can be.
        """
        bits = int(reason)
        if bits & ~_STATED_BITS:
            raise ValueError(
                f"{reason!r} can't be stated; take or release a claim to change HIGHER_MOVE"
            )
        self._change_reasons(slot, bits, bits if on else 0)

    def set_task_reasons(self, slot: int, bits: int) -> None:
        """State which of ``TASK_REASONS`` hold and withdraw the others."""
        self._change_reasons(slot, _TASK_BITS, bits)

    def _change_reasons(self, slot: int, which: int, bits: int) -> None:
        before = self._table.outside_reasons.item(slot)
        after = before & ~which | bits
        if after != before:
            self._table.outside_reasons[slot] = after
            self._reasons_changed = True

    def coordinate(self) -> None:
        """Bring stands, bits and the active record of every ped up to date (W3, W6)."""
        self._expire_stands()
        claims = self._system.claims
        if claims.changes != self._claim_changes_seen or self._reasons_changed:
            self._claim_changes_seen = claims.changes
            self._reasons_changed = False
            self._bring_up_to_date()

    def _bring_up_to_date(self) -> None:
        table = self._table
        wanted = self._wanted_bits()
        changed = np.flatnonzero((wanted != 0) != (table.suspend != 0))
        table.suspend[:] = wanted
        if len(changed):
            self._apply(self._in_ped_order(changed))
        np.add(self._first_rows, self._system.claims.moving_record, out=table.active_record)

    def _wanted_bits(self) -> NDArray[np.int64]:
        """Shape (rows,): the suspension bits that hold now."""
        outside = self._table.outside_reasons[:, None] & self._applicable[None, :]
        higher = self._system.claims.ordinary_priority[:, None] > self._own_priority[None, :]
        bits: NDArray[np.int64] = outside | (higher * int(SuspendReason.HIGHER_MOVE))
        return bits.reshape(-1)

    def _apply(self, rows: NDArray[np.int64]) -> None:
        suspended = self._table.suspend
        for row in rows.tolist():
            if suspended[row]:
                self._system.suspend(row)
            else:
                self._system.resume(row)

    def _in_ped_order(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows by ascending ped id, the order of every phase (NAV-12)."""
        return rows[np.argsort(self._table.ped_id[rows // RECORDS_PER_PED], kind="stable")]

    def _expire_stands(self) -> None:
        """Clear what is due and nothing else (NAV-20); "at least" of the timer rule."""
        stand_until = self._table.stand_until
        due = stand_until <= self._system.clock.time_s + TIMER_EPSILON_S
        if np.count_nonzero(due):
            stand_until[due] = np.nan
