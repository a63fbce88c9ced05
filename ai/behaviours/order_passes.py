"""What orders do within a step: begin and resume for their task, the pre-pass and the post-pass.

The pre-pass (phase 6) looks after lost references and has ``order_tracking`` follow
goals that move, the post-pass (phase 13) takes what movements achieved. Post-passes
write records only; trees change in their own phase (ORD-17).
"""

from __future__ import annotations

from ai.behaviours.actor import Actor
from ai.behaviours.order_book import OrderBook, OrderEntry
from ai.behaviours.order_commands import PASSED
from ai.behaviours.order_ownership import check_ownership, movement_owner
from ai.behaviours.order_record import EndCause, OrderState, OrderStatus
from ai.behaviours.order_tracking import OrderTracking
from ai.events.command_records import CommandStatus
from ai.motion.claims import ClaimOwner
from ai.motion.execution import RequestReply
from ai.motion.movement_table import MoveStatus, SpeedMode

MAY_YET_START = frozenset(
    {CommandStatus.WAITING, CommandStatus.PERFORMING, CommandStatus.SUSPENDED}
)
"""Statuses of a command whose order may still leave PENDING; any other ends it (ORD-03)."""


class OrderPasses:
    """The steps of every live order.

    - A result of a movement is taken once, and only by the order that owns it.
    - A resume requests nothing while the movement record is still the order's.
    """

    def __init__(self, book: OrderBook) -> None:
        self._book = book
        self.tracking = OrderTracking(book)

    # -- the task's side -----------------------------------------------------------

    def begin(self, actor: Actor, order: OrderState) -> bool:
        """First enter of an order's task: take the claim, ask for the path (ORD-06).

        All or nothing: False means the claim or the goal was refused and the order
        has ended.
        """
        book = self._book
        claim = book.movement.claims.take(
            actor.slot,
            book.movement.tuning.claim.general,
            ClaimOwner.ORDER,
            order.source,
            order.session,
        )
        entry = book.entry(actor.ref)
        assert entry is not None
        assert entry.order is order
        if claim is not None:
            self.tracking.sample_now(entry)
            reply = actor.movement.request_goal(order.goal, SpeedMode.WALK, movement_owner(order))
            if reply is RequestReply.ACCEPTED:
                order.change_status(OrderStatus.TRAVELLING)
                return True
        book.close(entry, OrderStatus.CANCELLED, EndCause.SLOT_REFUSED)
        return False

    def resume(self, actor: Actor, order: OrderState) -> None:
        """An order's task is active again after something stood above it (ORD-19)."""
        owner = movement_owner(order)
        if actor.movement.owner == owner:
            return
        if order.status is OrderStatus.AWAITING_DECISION:
            assert order.last_failure is not None
            actor.movement.adopt_failed(order.goal, order.last_failure, owner)
            return
        if order.status is OrderStatus.TRAVELLING:
            entry = self._book.entry(actor.ref)
            assert entry is not None
            self.tracking.sample_now(entry)
        actor.movement.request_goal(order.goal, SpeedMode.WALK, owner)
        if order.status is OrderStatus.WAITING_FOR_SIGNAL:
            actor.movement.hold()

    # -- passes --------------------------------------------------------------------

    def pre_pass(self, actor: Actor) -> None:
        """Phase 6, ahead of the ped's mind: what an order can't do without is gone (ORD-18)."""
        book = self._book
        if not book.live:
            return
        entry = book.entry(actor.ref)
        if entry is None or not entry.order.live:
            return
        if actor.retired:
            book.give_up(entry, EndCause.PED_GONE)
        elif not book.ports.sources.is_alive(entry.order.source):
            book.give_up(entry, EndCause.SOURCE_GONE)
        elif (
            entry.order.status is OrderStatus.PENDING
            and book.scripts.command_status(entry.command) not in MAY_YET_START
        ):
            book.give_up(entry, EndCause.NOT_COMMITTED)
        elif entry.order.approach.track and entry.order.status is not OrderStatus.PENDING:
            self.tracking.step(entry)

    def post_pass(self) -> None:
        """Phase 13: take what movements achieved in this step, in ascending ped id."""
        live = self._book.live
        index = 0
        while index < len(live):
            entry = live[index]
            self._consume(entry)
            if entry.order.live:
                index += 1

    def _consume(self, entry: OrderEntry) -> None:
        """Take an arrival or a failure, each once (ORD-15, ORD-17)."""
        actor, order = entry.actor, entry.order
        if order.status is OrderStatus.PENDING or actor.movement.owner != entry.move_owner:
            return
        order.last_child_generation = actor.movement.generation
        if order.status is OrderStatus.AWAITING_DECISION:
            return
        status = actor.movement.status
        if status is not MoveStatus.ARRIVED and status is not MoveStatus.FAILED:
            return
        book = self._book
        check = check_ownership(actor, order, book.scripts, book.tuning.goal.match)
        if check is not PASSED:
            return
        if status is MoveStatus.FAILED:
            book.take_failure(entry, actor.movement.reason)
        elif order.status is OrderStatus.TRAVELLING:
            book.close(entry, OrderStatus.COMPLETED)
