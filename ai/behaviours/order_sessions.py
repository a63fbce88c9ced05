"""The commands of a running session: hold, continue, redirect, cancel (ORD-10 to ORD-13)."""

from __future__ import annotations

from ai.behaviours.approach import approach_point
from ai.behaviours.order_book import OrderBook, OrderEntry, Pursuit
from ai.behaviours.order_checks import check_ped
from ai.behaviours.order_commands import (
    PASSED,
    CancelOrder,
    CheckResult,
    ContinueOrder,
    HoldOrder,
    OrderReply,
    RedirectOrder,
    RedirectOrderTo,
    Refusal,
)
from ai.behaviours.order_ownership import check_ownership
from ai.behaviours.order_record import Approach, EndCause, OrderStatus
from ai.behaviours.order_targets import OrderTargets
from ai.behaviours.order_tracking import OrderTracking
from ai.motion.execution import RequestReply
from ai.motion.movement_table import SpeedMode
from ai.ports import EntityRef


class OrderSessions:
    """Checks a command against session, ownership and status, in this order, and carries it out.

    - While an order is PENDING it owns no slot and no movement: only session and
      status are checked.
    - Cancel asks for session and status alone; what it takes away is only the order's own.
    """

    def __init__(self, book: OrderBook, targets: OrderTargets, tracking: OrderTracking) -> None:
        self._book = book
        self._targets = targets
        self._tracking = tracking

    def hold(self, command: HoldOrder) -> OrderReply:
        """Wait for a signal (ORD-10)."""
        entry, check = self._commandable(command.ped, command.session)
        if entry is not None and check is PASSED:
            check = _status_is(entry, OrderStatus.TRAVELLING, Refusal.NOT_TRAVELLING)
        if entry is None or check is not PASSED:
            return _refused(check, entry)
        entry.actor.movement.hold()
        entry.order.change_status(OrderStatus.WAITING_FOR_SIGNAL)
        return _counted(entry)

    def go_on(self, command: ContinueOrder) -> OrderReply:
        """The signal: go on on the kept path, which gets no free pass (ORD-11)."""
        entry, check = self._commandable(command.ped, command.session)
        if entry is not None and check is PASSED:
            check = _status_is(entry, OrderStatus.WAITING_FOR_SIGNAL, Refusal.NOT_WAITING)
        if entry is None or check is not PASSED:
            return _refused(check, entry)
        entry.actor.movement.release_hold()
        entry.order.change_status(OrderStatus.TRAVELLING)
        self._tracking.sample_now(entry)
        return _counted(entry)

    def redirect(self, command: RedirectOrder) -> OrderReply:
        """Go to another object instead (ORD-12)."""
        entry, check = self._commandable(command.ped, command.session)
        if check is PASSED:
            check = self._targets.check(command.target, command.offset_local)
        if entry is None or check is not PASSED:
            return _refused(check, entry)
        approach = self._targets.approach(command.target, command.offset_local, command.track)
        return self._lead(entry, approach, None)

    def redirect_to(self, command: RedirectOrderTo) -> OrderReply:
        """Go to another place instead (ORD-12, ORD-25)."""
        entry, check = self._commandable(command.ped, command.session)
        if entry is None or check is not PASSED:
            return _refused(check, entry)
        ground, check = self._targets.ground_near(entry.actor, command.place)
        if ground is None:
            return _refused(check, entry)
        approach = self._targets.mark(ground)
        return self._lead(entry, approach, approach.target)

    def cancel(self, command: CancelOrder) -> OrderReply:
        """Give the order up (ORD-13)."""
        check = check_ped(self._book.ports.peds.resolve(command.ped))
        if check is not PASSED:
            return _refused(check, None)
        entry = self._book.entry(command.ped)
        if entry is None:
            check = CheckResult(Refusal.NOTHING_TO_CANCEL, OrderStatus.NOT_STARTED.name)
            return _refused(check, None)
        if entry.order.session != command.session:
            return _refused(_wrong_session(command.session), entry)
        if not entry.order.live:
            check = CheckResult(Refusal.NOTHING_TO_CANCEL, entry.order.status.name)
            return _refused(check, entry)
        self._book.give_up(entry, EndCause.CANCELLED)
        return _accepted(entry)

    def _commandable(self, ped: EntityRef, session: int) -> tuple[OrderEntry | None, CheckResult]:
        """The ped's order, and whether a command of this session may act on it (ORD-07)."""
        check = check_ped(self._book.ports.peds.resolve(ped))
        if check is not PASSED:
            return None, check
        entry = self._book.entry(ped)
        if entry is None or entry.order.session != session:
            return entry, _wrong_session(session)
        order = entry.order
        if not order.live:
            return entry, CheckResult(Refusal.SESSION_ENDED, order.status.name)
        if order.status is OrderStatus.PENDING:
            return entry, PASSED
        book = self._book
        return entry, check_ownership(entry.actor, order, book.scripts, book.tuning.goal.match)

    def _lead(self, entry: OrderEntry, approach: Approach, marker: EntityRef | None) -> OrderReply:
        """Lead an order elsewhere; all checks have passed.

        A pending order takes the goal into its record alone. Any other asks for the
        path, which withdraws hold, stand and query, and has its task look at it in
        this very step.
        """
        order, actor = entry.order, entry.actor
        goal = approach_point(approach.transform, approach.offset_local)
        if order.status is not OrderStatus.PENDING:
            reply = actor.movement.request_goal(goal, SpeedMode.WALK, entry.move_owner)
            assert reply is RequestReply.ACCEPTED
            if order.status is not OrderStatus.TRAVELLING:
                order.change_status(OrderStatus.TRAVELLING)
            actor.force_full_update()
        order.goal = goal
        order.approach = approach
        entry.pursuit = Pursuit()
        self._book.replace_marker(entry, marker)
        return _counted(entry)


def _status_is(entry: OrderEntry, wanted: OrderStatus, refusal: Refusal) -> CheckResult:
    status = entry.order.status
    return PASSED if status is wanted else CheckResult(refusal, status.name)


def _wrong_session(session: int) -> CheckResult:
    return CheckResult(Refusal.WRONG_SESSION, f"session={session}")


def _counted(entry: OrderEntry) -> OrderReply:
    """Count an accepted instruction (ORD-14) and answer."""
    entry.order.instruction_count += 1
    return _accepted(entry)


def _accepted(entry: OrderEntry) -> OrderReply:
    return OrderReply(True, Refusal.NONE, entry.order.session, entry.order.instruction_count)


def _refused(check: CheckResult, entry: OrderEntry | None) -> OrderReply:
    if entry is None:
        return OrderReply.refused(check)
    return OrderReply.refused(check, entry.order.session, entry.order.instruction_count)
