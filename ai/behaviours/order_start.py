"""Starting an order: all checks, then one transaction (ORD-05, ORD-06)."""

from __future__ import annotations

from ai.behaviours.actor import Actor
from ai.behaviours.approach import approach_point
from ai.behaviours.order_book import OrderBook, OrderEntry
from ai.behaviours.order_checks import check_ped, check_permission, check_source
from ai.behaviours.order_commands import (
    PASSED,
    CheckResult,
    OrderReply,
    Refusal,
    StartOrder,
    StartOrderAt,
)
from ai.behaviours.order_record import Approach, OrderState, OrderStatus
from ai.behaviours.order_targets import OrderTargets
from ai.behaviours.order_task import OrderTask
from ai.events.command_records import CommandId, RefusalReason, SequenceEntry
from ai.events.slot_identity import SlotIdentity
from ai.ports import EntityRef
from ai.tasks.task_errors import TaskPoolFull
from ai.tasks.task_types import TaskType

COMMAND_KIND = "goto_object"
"""Kind of every order's script command (ORD-06)."""


class OrderStart:
    """Gives out sessions, increasing and never used twice.

    - A refused start has changed nothing: what was made for it is gone again.
    """

    def __init__(self, book: OrderBook, targets: OrderTargets) -> None:
        self._book = book
        self._ports = book.ports
        self._targets = targets
        self._last_session = 0

    def to_object(self, command: StartOrder) -> OrderReply:
        """Start towards the approach point of an object."""
        actor, check = self._ped_for(command.ped, command.source)
        if check is PASSED:
            check = self._targets.check(command.target, command.offset_local)
        if actor is None or check is not PASSED:
            return OrderReply.refused(check)
        check = self._permission(actor, command.source)
        if check is not PASSED:
            return OrderReply.refused(check)
        approach = self._targets.approach(command.target, command.offset_local, command.track)
        return self._begin(actor, command.source, approach, None)

    def to_place(self, command: StartOrderAt) -> OrderReply:
        """Start towards a marker that is made at a place (ORD-25)."""
        actor, check = self._ped_for(command.ped, command.source)
        if actor is None or check is not PASSED:
            return OrderReply.refused(check)
        ground, check = self._targets.ground_near(actor, command.place)
        if check is PASSED:
            check = self._permission(actor, command.source)
        if ground is None or check is not PASSED:
            return OrderReply.refused(check)
        approach = self._targets.mark(ground)
        return self._begin(actor, command.source, approach, approach.target)

    def _ped_for(
        self, ped: EntityRef, source: EntityRef | None
    ) -> tuple[Actor | None, CheckResult]:
        actor = self._ports.peds.resolve(ped)
        check = check_ped(actor)
        return actor, check if check is not PASSED else check_source(source, self._ports.sources)

    def _permission(self, actor: Actor, source: EntityRef | None) -> CheckResult:
        return check_permission(actor, self._book.order_of(actor.ref), source, self._book.scripts)

    def _begin(
        self, actor: Actor, source: EntityRef | None, approach: Approach, marker: EntityRef | None
    ) -> OrderReply:
        """Source, record, command; all go again if the last is refused."""
        sources = self._ports.sources
        own_source = sources.create("order") if source is None else None
        giver = source if own_source is None else own_source
        assert giver is not None
        session = self._last_session + 1
        order = OrderState(
            source=giver,
            session=session,
            goal=approach_point(approach.transform, approach.offset_local),
            approach=approach,
            slot=SlotIdentity.of_main(
                int(TaskType.ORDER), giver, COMMAND_KIND, session, from_script=True
            ),
        )
        order.change_status(OrderStatus.PENDING)
        given = self._give(actor, order)
        if not isinstance(given, CommandId):
            if own_source is not None:
                sources.destroy(own_source)
            if marker is not None:
                self._ports.markers.destroy_marker(marker)
            return OrderReply.refused(CheckResult(Refusal.SLOT_REFUSED, given.name))
        self._last_session = session
        self._book.add(OrderEntry(actor, order, given, own_source, marker))
        return OrderReply(True, Refusal.NONE, session, order.instruction_count)

    def _give(self, actor: Actor, order: OrderState) -> CommandId | RefusalReason:
        """Give the order's task; an order is one ped's and never part of a sequence."""
        if self._book.scripts.sequences.opened_by(order.source) is not None:
            return RefusalReason.SEQUENCE
        try:
            task = OrderTask(order)
        except TaskPoolFull:
            return RefusalReason.POOL_FULL
        given = self._book.scripts.give_task(
            actor, task, source=order.source, session=order.session, kind=COMMAND_KIND
        )
        assert not isinstance(given, SequenceEntry)
        return given if isinstance(given, CommandId) else given.reason
