"""The movement table: the order of its peds."""

from __future__ import annotations

import pytest

from ai.motion.movement_table import MovementTable
from ai.ports import Vec3

ORIGIN = Vec3(0.0, 0.0, 0.0)


def test_slots_come_in_ped_id_order_whoever_comes_or_goes() -> None:
    """NAV-12: the order of every phase, also when it was asked for before the change."""
    table = MovementTable(4)
    assert table.slots_in_id_order().tolist() == []
    table.reset_slot(0, 30, ORIGIN, 0.0)
    table.reset_slot(2, 10, ORIGIN, 0.0)
    assert table.slots_in_id_order().tolist() == [2, 0]
    table.reset_slot(1, 20, ORIGIN, 0.0)
    assert table.slots_in_id_order().tolist() == [2, 1, 0]
    table.free_slot(2)
    assert table.slots_in_id_order().tolist() == [1, 0]
    table.reset_slot(2, 40, ORIGIN, 0.0)
    assert table.slots_in_id_order().tolist() == [1, 0, 2]


def test_nobody_can_spoil_the_kept_order() -> None:
    table = MovementTable(2)
    table.reset_slot(0, 7, ORIGIN, 0.0)
    with pytest.raises(ValueError, match="read-only"):
        table.slots_in_id_order()[0] = 1
