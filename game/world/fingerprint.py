"""The fingerprint of a run: one hash over all ped and prop states of every step.

Two runs are compared by it (product.md section 2): equal inputs must give an
equal digest, and any bit of difference in any step gives another one.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.motion.movement_table import RECORDS_PER_PED, MovementTable


def ped_state(table: MovementTable) -> tuple[NDArray[Any], ...]:
    """What a fingerprint takes from the peds: place, heading and state, in ped-id order.

    Of a ped's records the active one stands for all, as it is the one that moves it. Which
    pool slot a ped has is no part of it.
    """
    slots = table.slots_in_id_order()
    rows = table.active_record[slots]
    return (
        table.ped_id[slots],
        table.x[slots],
        table.y[slots],
        table.z[slots],
        table.yaw[slots],
        rows - slots * RECORDS_PER_PED,
        table.status[rows],
        table.reason[rows],
        table.generation[rows],
        table.suspend[rows],
        table.command_hold[rows],
        table.clip_phase[rows],
        table.clip_time[rows],
        table.cycle_time[rows],
    )


class RunFingerprint:
    """A running blake2b hash, fed once a step."""

    def __init__(self) -> None:
        self._hash = blake2b(digest_size=16)

    def add_step(self, step: int, *arrays: NDArray[Any]) -> None:
        """Take in one step: its number and the bytes of each array.

        Each array's length goes in before it, so that two neighbouring arrays can
        never be read as another division of the same bytes.
        """
        header = np.array([step, *[array.size for array in arrays]], dtype=np.int64)
        self._hash.update(b"".join([header.tobytes(), *[array.tobytes() for array in arrays]]))

    def hexdigest(self) -> str:
        """The fingerprint so far; more steps may follow."""
        return self._hash.hexdigest()
