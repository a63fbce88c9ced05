"""Which operation changes which field: ORD-23, one case per cell of its table.

Every field is given a value of its own before an operation, so that "unchanged"
and "cleared" are told apart; the table below is the rule's, row by row.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from ai.behaviours.order_commands import (
    CancelOrder,
    ContinueOrder,
    HoldOrder,
    RedirectOrder,
)
from ai.behaviours.order_record import OrderState
from ai.motion.execution import ReplanKind
from ai.motion.movement_table import (
    RECORDS_PER_PED,
    ClipPhase,
    MovementSlot,
    MoveReason,
    SuspendReason,
)
from ai.navigation.path_service import PathReply
from ai.peds.ped import Ped
from ai.ports import PathFailure, Vec3
from game.world.world import World
from tests.streets import CAR_OFFSET, courier_street, ped_named, perform, start, steps, thing, until

OPERATIONS = (
    "start", "hold", "continue", "redirect", "cancel", "first suspend", "resume", "replan",
    "stand", "stand expiry", "accept path", "arrived", "failed",
)  # fmt: skip

MATRIX = {
    "session":           "new = = = = = = = = = = = =",
    "instruction_count": "1 +1 +1 +1 = = = = = = = = =",
    "failure_count":     "0 = = = = = = = = = = = +1",
    "order.goal":        "set = = set = = = = = = = = =",
    "movement.goal":     "set = = set = = = = = = = = =",
    "generation":        "+1 = = +1 +1 +1 +1 +1 = = = = =",
    "host handle":       "none = = none none none none none = = none none none",
    "needs_path":        "T = = T F * T T = = = = F",
    "path_pending":      "F = = F F F F F = = F = F",
    "path":              "0 = = 0 0 unusable 0 0 = = set = =",
    "command_hold":      "F T F F F = = = = = = = =",
    "stand_until":       "0 = = 0 = = = = set 0 = = =",
    "suspend":           "= = = = = set clear = = = = = =",
    "blocked_times":     "0 = = 0 0 0 0 0 = = 0 = =",
    "retry_count":       "0 = = 0 0 = = +1 = = = = =",
    "speed":             "0 0 = 0 0 0 0 0 0 = = 0 0",
    "clip":              "reset tail = reset tail = reset tail tail = = = tail",
    "reeval_steer":      "T T = T = = T T T = T = =",
    "position":          "= = = = = = = = = = = = =",
}  # fmt: skip

GOAL_A = Vec3(1000.0, 600.0)
GOAL_B = Vec3(900.0, 1100.0)


class Case:
    """A courier on the way to car A, its record dirtied, and the operations of the table."""

    def __init__(self) -> None:
        self.world = World(courier_street(), strict=True)
        self.ped: Ped = ped_named(self.world)
        self.row = self.ped.slot * RECORDS_PER_PED + int(MovementSlot.GENERAL)

    @property
    def order(self) -> OrderState:
        order = self.world.order_book.order_of(self.ped.ref)
        assert order is not None
        return order

    def walk(self) -> None:
        """An order under way, in the walk loop."""
        assert start(self.world).accepted
        until(self.world, lambda: self.ped.movement.clip.phase is ClipPhase.LOOP)

    def dirty(self, *, pending: bool = False, hold: bool = False) -> None:
        """Give every field of the record a value that no operation leaves by chance."""
        table = self.world.table
        table.blocked_time[self.row] = 0.25
        table.no_progress_time[self.row] = 0.5
        table.retry_count[self.row] = 2
        table.measured_speed[self.row] = 77.0
        table.stand_until[self.row] = 1000.0
        table.reeval_steer[self.row] = False
        table.command_hold[self.row] = hold
        if pending:
            handle = self.world.movement.service.submit(
                self.row, self.ped.movement.generation, self.ped.position, GOAL_A, expansions_max=10
            )
            assert handle is not None
            self.world.movement.desk.note(self.row, handle)
            table.path_pending[self.row] = True

    def snapshot(self) -> dict[str, Any]:
        movement, table = self.ped.movement, self.world.table
        order = self.world.order_book.order_of(self.ped.ref)
        return {
            "session": 0 if order is None else order.session,
            "instruction_count": 0 if order is None else order.instruction_count,
            "failure_count": 0 if order is None else order.failure_count,
            "order.goal": None if order is None else order.goal,
            "movement.goal": movement.goal,
            "generation": movement.generation,
            "host handle": self.world.movement.desk.handle(self.row),
            "needs_path": movement.needs_path,
            "path_pending": movement.path_pending,
            "path": (movement.path, movement.corner, movement.path_usable),
            "command_hold": movement.command_hold,
            "stand_until": movement.stand_until,
            "suspend": movement.suspend,
            "blocked_times": (movement.blocked_time, movement.no_progress_time),
            "retry_count": movement.retry_count,
            "speed": float(table.measured_speed[self.row]),
            "clip": movement.clip,
            "reeval_steer": movement.reeval_steer,
            "position": (movement.position, movement.yaw),
        }

    def consume(self) -> None:
        """The order post-pass of phase 13."""
        self.world.order_passes.post_pass()


def run_start(case: Case) -> tuple[dict[str, Any], dict[str, Any]]:
    case.walk()
    assert perform(case.world, CancelOrder(case.ped.ref, 1)).accepted
    steps(case.world, 90)
    case.dirty(hold=True)
    assert start(case.world).accepted
    before = case.snapshot()
    before["session"] = 1
    case.world.order_passes.pre_pass(case.ped)
    case.ped.intelligence.process(case.world.clock.step, 1 / 60)
    return before, case.snapshot()


def plain(
    operation: Callable[[Case], object], *, pending: bool = False, hold: bool = False
) -> Callable[[Case], tuple[dict[str, Any], dict[str, Any]]]:
    """An operation on a dirtied record of a walking courier."""

    def run(case: Case) -> tuple[dict[str, Any], dict[str, Any]]:
        case.walk()
        case.dirty(pending=pending)
        if hold:
            assert perform(case.world, HoldOrder(case.ped.ref, 1)).accepted
            case.dirty(pending=pending, hold=True)
        before = case.snapshot()
        operation(case)
        return before, case.snapshot()

    return run


def hold(case: Case) -> None:
    assert perform(case.world, HoldOrder(case.ped.ref, 1)).accepted


def go_on(case: Case) -> None:
    assert perform(case.world, ContinueOrder(case.ped.ref, 1)).accepted


def redirect(case: Case) -> None:
    target = thing(case.world, "car_b")
    assert perform(case.world, RedirectOrder(case.ped.ref, 1, target, CAR_OFFSET)).accepted


def cancel(case: Case) -> None:
    assert perform(case.world, CancelOrder(case.ped.ref, 1)).accepted


def suspend(case: Case) -> None:
    case.ped.tasks_suppressed = True
    case.world.coordination.coordinate()


def run_resume(case: Case) -> tuple[dict[str, Any], dict[str, Any]]:
    case.walk()
    suspend(case)
    case.dirty(hold=True)
    before = case.snapshot()
    case.ped.tasks_suppressed = False
    case.world.coordination.coordinate()
    return before, case.snapshot()


def replan(case: Case) -> None:
    case.ped.movement.replan(ReplanKind.RETRY)


def stand(case: Case) -> None:
    case.ped.movement.stand(2.0)


def run_stand_expiry(case: Case) -> tuple[dict[str, Any], dict[str, Any]]:
    case.walk()
    case.dirty(hold=True)
    case.world.table.stand_until[case.row] = case.world.clock.time_s
    before = case.snapshot()
    case.world.coordination.coordinate()
    return before, case.snapshot()


def accept(case: Case) -> None:
    case.ped.movement.accept_path(
        PathReply(
            handle=case.world.movement.desk.handle(case.row),
            row=case.row,
            generation=case.ped.movement.generation,
            failure=PathFailure.NONE,
            points=(Vec3(500.0, 500.0), GOAL_A),
        )
    )


def arrive(case: Case) -> None:
    case.world.movement.arrive(case.row)
    case.consume()


def fail(case: Case) -> None:
    case.ped.movement.fail(MoveReason.BLOCKED)
    case.consume()


RUNS: dict[str, Callable[[Case], tuple[dict[str, Any], dict[str, Any]]]] = {
    "start": run_start,
    "hold": plain(hold, pending=True),
    "continue": plain(go_on, pending=True, hold=True),
    "redirect": plain(redirect, pending=True, hold=True),
    "cancel": plain(cancel, pending=True, hold=True),
    "first suspend": plain(suspend, pending=True),
    "resume": run_resume,
    "replan": plain(replan, pending=True),
    "stand": plain(stand, pending=True),
    "stand expiry": run_stand_expiry,
    "accept path": plain(accept, pending=True),
    "arrived": plain(arrive),
    "failed": plain(fail, pending=True),
}


def held(field: str, code: str, before: Any, after: Any, operation: str) -> bool:
    """Does the change from ``before`` to ``after`` do what the cell says?"""
    match code:
        case "=":
            return bool(after == before)
        case "+1":
            return bool(after == before + 1)
        case "new":
            return bool(after > before)
        case "1":
            return bool(after == 1)
        case "T":
            return after is True
        case "F":
            return after is False
        case "none":
            return after is None
        case "*":
            return after is True
        case "unusable":
            return bool(after[0] == before[0] and not after[2])
        case "reset":
            return bool(after.phase is ClipPhase.IDLE and after.clip_time == 0.0)
        case "tail":
            return after.phase is ClipPhase.STOP_TAIL
        case "clear":
            return bool(after == SuspendReason.NONE)
    if field == "suspend":
        return bool(after == SuspendReason.SUPPRESSED)
    if field == "path":
        return (
            bool(after == ((), 0, False))
            if code == "0"
            else bool(after[2] and after[0][-1] == GOAL_A)
        )
    if field in ("order.goal", "movement.goal"):
        goal = GOAL_B if operation == "redirect" else GOAL_A
        return math.dist(after, goal) < 0.01
    if field == "blocked_times":
        return bool(after == (0.0, 0.0))
    if field == "stand_until":
        return after is None if code == "0" else is_soon(after)
    return bool(after == 0)


def is_soon(deadline_s: Any) -> bool:
    """A new deadline took the place of the dirty one at 1000 s."""
    return deadline_s is not None and deadline_s < 1000.0


CELLS = [
    (operation, field, code)
    for field, row in MATRIX.items()
    for operation, code in zip(OPERATIONS, row.split(), strict=True)
]


def test_the_matrix_has_all_cells() -> None:
    """ORD-23: 13 operations by 19 fields."""
    assert len(CELLS) == 13 * 19


@pytest.fixture(scope="module")
def changes() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Every operation once: the record before and after."""
    return {name: run(Case()) for name, run in RUNS.items()}


@pytest.mark.parametrize(("operation", "field", "code"), CELLS)
def test_an_operation_changes_a_field_as_the_matrix_says(
    changes: dict[str, tuple[dict[str, Any], dict[str, Any]]],
    operation: str,
    field: str,
    code: str,
) -> None:
    """ORD-23, ORD-10, ORD-11, ORD-12, ORD-13, NAV-03, NAV-14, NAV-15, NAV-20: one cell."""
    before, after = changes[operation]
    assert held(field, code, before[field], after[field], operation), (
        f"{operation}: {field} {before[field]!r} -> {after[field]!r}, the table says {code!r}"
    )
    if operation == "failed":
        assert after["session"] == 1
