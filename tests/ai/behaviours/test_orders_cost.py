"""An order with nothing to do costs nothing that stays (ORD-24)."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from tests.ai.behaviours.courier import Courier, bring_to

ORDER_CODE = str(Path(__file__).resolve().parents[3] / "ai" / "behaviours" / "order_*.py")


@pytest.mark.parametrize("status", ["pending", "held", "awaiting", "travelling"])
def test_idle_passes_allocate_nothing(status: str) -> None:
    """ORD-24: over 600 idle steps no block is attributed to the order code."""
    courier = Courier()
    if status == "travelling":
        courier.travel()
        courier.ped.tasks_suppressed = True
        courier.step(2)
    else:
        bring_to(courier, status)
    passes = courier.world.order_passes
    ped = courier.ped
    for _ in range(10):
        passes.pre_pass(ped)
        passes.post_pass()
    tracemalloc.start()
    try:
        before = tracemalloc.take_snapshot()
        for _ in range(600):
            passes.pre_pass(ped)
            passes.post_pass()
        after = tracemalloc.take_snapshot()
    finally:
        tracemalloc.stop()
    wanted = [tracemalloc.Filter(True, ORDER_CODE)]
    grown = after.filter_traces(wanted).compare_to(before.filter_traces(wanted), "lineno")
    assert [(str(stat), stat.count_diff) for stat in grown if stat.count_diff > 0] == []
