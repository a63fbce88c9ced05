"""AI level of detail: how often each ped's mind has its full update (TASK-119).

Chosen for all peds at once at the head of phase 6, from where they are then. Only the
focus counts, never the camera that is drawn, so windowed and headless runs agree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ai.tasks.detail_range import NO_DEMAND

if TYPE_CHECKING:
    from ai.motion.movement_table import MovementTable
    from ai.peds.ped import Ped
    from ai.ports import Vec3
    from ai.tasks.limits_tuning import AiLodLimits


class Detail(IntEnum):
    """Level of detail of a ped's mind."""

    NEAR = 0
    MEDIUM = 1
    FAR = 2


_NEAR = int(Detail.NEAR)
_NOT_CHOSEN = len(Detail)
"""Detail of a new ped: no border holds it back, whichever it is on."""


class AiLod:
    """Detail of every ped, by pool slot.

    - A finer detail is taken at its border, a coarser one only ``coarser_past_cm`` beyond,
      so that a ped on a border keeps what it has.
    - ``_demand_cm`` is the range within which a ped must stay near: what its tasks declare
      (TASK-76), without end for the local player.
    """

    def __init__(self, table: MovementTable, capacity: int, limits: AiLodLimits) -> None:
        self._table = table
        self._detail = np.full(capacity, _NOT_CHOSEN, dtype=np.int64)
        self._demand_cm = np.full(capacity, float(NO_DEMAND))
        self._periods = (limits.near_period, limits.medium_period, limits.far_period)
        # Shape (4, 1): the borders, then where each is left behind for a coarser detail.
        borders = np.array([[limits.near_cm], [limits.medium_cm]])
        self._borders_cm = np.concatenate((borders, borders + limits.coarser_past_cm))

    def add(self, slot: int, *, is_local_player: bool) -> None:
        """A ped has come into a slot."""
        self._detail[slot] = _NOT_CHOSEN
        self._demand_cm[slot] = math.inf if is_local_player else NO_DEMAND

    def demand(self, slot: int, range_cm: int) -> None:
        """A ped's active chains declare another range; not for the local player, who stays near."""
        self._demand_cm[slot] = range_cm

    def detail(self, slot: int) -> Detail:
        """Detail of a ped for which one was chosen."""
        return Detail(self._detail.item(slot))

    def details(self, slots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Shape (n,): detail of the peds of these slots; near before one was chosen."""
        return self._detail[slots] % _NOT_CHOSEN

    def choose(self, peds: Sequence[Ped], focus: Vec3) -> None:
        """Choose every ped's detail and tell those for which it has changed.

        ``peds`` are all that are there, in ascending ped id. Per ped: the border that lies
        behind it says the finest detail it may have, the one that it has left the coarsest.
        """
        table = self._table
        slots = table.slots_in_id_order()
        dx = table.x[slots] - focus.x
        dy = table.y[slots] - focus.y
        distance = np.sqrt(dx * dx + dy * dy)
        before = self._detail.take(slots)
        near, medium, near_left, medium_left = (distance > self._borders_cm).astype(np.int64)
        detail = np.minimum(np.maximum(before, near_left + medium_left), near + medium)
        detail[distance < self._demand_cm.take(slots)] = _NEAR
        changed = (detail != before).nonzero()[0]
        self._detail[slots[changed]] = detail[changed]
        for index in changed.tolist():
            peds[index].intelligence.follow_period(self._periods[detail.item(index)])
