"""The status of an order: which changes there are, and who reads what."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ai import settings
from ai.behaviours.order_record import (
    IllegalStatusChange,
    OrderState,
    OrderStatus,
    blank_order,
)
from ai.faults import faults
from tests.ai.behaviours.courier import Courier

ROOT = Path(__file__).resolve().parents[3]

TABLE = """
                   NOT PEN TRA WAI AWA COM CAN
NOT_STARTED         .   x   .   .   .   .   .
PENDING             .   .   x   .   .   .   x
TRAVELLING          .   .   .   x   x   x   x
WAITING_FOR_SIGNAL  .   .   x   .   x   .   x
AWAITING_DECISION   .   .   x   .   .   .   x
COMPLETED           .   .   .   .   .   .   .
CANCELLED           .   .   .   .   .   .   .
"""
"""ORD-03, from (rows) to (columns)."""

CELLS = [
    (OrderStatus[line.split()[0]], to, mark == "x")
    for line in TABLE.strip().splitlines()[1:]
    for to, mark in zip(OrderStatus, line.split()[1:], strict=True)
]


def record(status: OrderStatus) -> OrderState:
    order = blank_order()
    order.status = status
    return order


def test_the_table_has_all_pairs() -> None:
    """ORD-03: 7 x 7."""
    assert len(CELLS) == 49


@pytest.mark.parametrize(("before", "after", "allowed"), CELLS)
def test_only_the_listed_changes_of_status_exist(
    before: OrderStatus, after: OrderStatus, allowed: bool
) -> None:
    """ORD-03: any other change raises in tests."""
    order = record(before)
    if allowed:
        assert order.change_status(after)
        assert order.status is after
    else:
        with pytest.raises(IllegalStatusChange, match=f"{before.name} to {after.name}"):
            order.change_status(after)
        assert order.status is before


@pytest.mark.expects_faults
@pytest.mark.parametrize(
    ("before", "after"), [(one, other) for one, other, allowed in CELLS if not allowed]
)
def test_in_play_any_other_change_is_refused(before: OrderStatus, after: OrderStatus) -> None:
    """ORD-03: refused in play: unchanged, False, one fault."""
    settings.strict = False
    order = record(before)
    assert not order.change_status(after)
    assert order.status is before
    assert [fault.kind for fault in faults.all()] == ["order_status"]


def test_cancelled_suspended_and_completed_are_three_facts() -> None:
    """ORD-03: "cannot run just now" leaves the order status alone."""
    courier = Courier()
    courier.travel()
    courier.ped.tasks_suppressed = True
    courier.step(60)
    assert courier.status is OrderStatus.TRAVELLING
    assert courier.movement.suspend


def test_cancel_query_keeps_goal() -> None:
    """ORD-01: a path is never the purpose; dropping the query leaves goal and status."""
    courier = Courier()
    assert courier.start().accepted
    courier.step()
    assert courier.movement.path_pending
    goal = courier.order.goal
    assert courier.world.movement.desk.cancel(courier.row)
    courier.step(10)
    assert courier.order.goal == courier.movement.goal == goal
    assert courier.status is OrderStatus.TRAVELLING


PHASE_READERS = {
    "ai/motion": "locomotion and clips",
    "ai/behaviours/brains/mover_runs.py": "a stopped body still has to plant its feet (ACT-22)",
    "ai/peds/trace_rows.py": "the trace row has a column for it (NAV-23)",
    "game/render": "drawing",
    "game/ui": "the inspector shows it",
    "game/levels/fields.py": "levels may look at it",
    "game/world/fingerprint.py": "the fingerprint is over all state",
    "game/world/scan_view.py": "who turns on the spot is not stuck (EVT-49)",
}


def test_only_drawing_and_locomotion_read_the_clip_phase() -> None:
    """ORD-01: whether the purpose stands is never read from which clip is playing."""
    readers = set()
    for package in ("ai", "game"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            tree = ast.parse(path.read_text(encoding="utf-8"))
            if any(_reads_phase(node) for node in ast.walk(tree)):
                readers.add(name)
    assert {
        name for name in readers if not any(name.startswith(allowed) for allowed in PHASE_READERS)
    } == set()


def _reads_phase(node: ast.AST) -> bool:
    if not isinstance(node, ast.Attribute):
        return False
    if node.attr == "clip_phase":
        return True
    return node.attr == "phase" and "clip" in ast.unparse(node.value).lower()
