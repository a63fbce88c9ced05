"""The order desk: the only entry for order commands.

Commands wait in a queue until phase 2 of the step and are carried out in the
order in which they came (ORD-22).
"""

from __future__ import annotations

from collections import deque

from ai.behaviours.approach import approach_point
from ai.behaviours.order_book import OrderBook, OrderEntry
from ai.behaviours.order_checks import (
    CheckResult,
    check_ped,
    check_permission,
    check_source,
    check_target,
)
from ai.behaviours.order_commands import (
    CancelOrder,
    ContinueOrder,
    HoldOrder,
    OrderCommand,
    OrderLogLine,
    OrderReply,
    RedirectOrder,
    RedirectOrderTo,
    Refusal,
    StartOrder,
    StartOrderAt,
)
from ai.behaviours.order_ownership import (
    OWNED,
    check_ownership,
    movement_owner,
)
from ai.behaviours.order_record import Approach, EndCause, OrderState, OrderStatus
from ai.behaviours.order_task import OrderTask
from ai.events.script_commands import CommandId
from ai.events.slot_identity import SlotIdentity
from ai.motion.execution import RequestReply
from ai.motion.movement_table import SpeedMode
from ai.ports import (
    EntityRef,
    Vec3,
)
from ai.tasks.task_types import TaskType
from ai.tasks.trees import PRIMARY, PrimarySlot

COMMAND_KIND = "goto_object"
"""Kind of every order's script command (ORD-06)."""

_COMMANDABLE = {
    "hold": (frozenset({OrderStatus.TRAVELLING}), Refusal.NOT_TRAVELLING),
    "continue": (frozenset({OrderStatus.WAITING_FOR_SIGNAL}), Refusal.NOT_WAITING),
    "redirect": (
        frozenset(
            {
                OrderStatus.TRAVELLING,
                OrderStatus.WAITING_FOR_SIGNAL,
                OrderStatus.AWAITING_DECISION,
            }
        ),
        Refusal.NOT_STARTED,
    ),
}


class OrderDesk:
    """Takes, checks and carries out commands; the records are the book's.

    - A refused command changes nothing and says which check and which value.
    - A command names ped and session; an old session never acts on a new one.
    """

    def __init__(self, book: OrderBook) -> None:
        self._book = book
        self._ports = book.ports
        self._scripts = book.scripts
        self._tuning = book.tuning
        self._queue: deque[tuple[int, OrderCommand]] = deque()
        self._last_sequence = 0
        self._last_session = 0
        self.log: list[OrderLogLine] = []

    # -- the queue -------------------------------------------------------------

    def submit(self, command: OrderCommand) -> int:
        """Queue a command for the next phase 2; returns its sequence number."""
        self._last_sequence += 1
        self._queue.append((self._last_sequence, command))
        return self._last_sequence

    def drain(self) -> None:
        """Phase 2: carry out queued commands, at most ``commands.per_tick`` of them (ORD-22)."""
        for _ in range(min(len(self._queue), self._tuning.commands.per_tick)):
            sequence, command = self._queue.popleft()
            reply = self.perform(command)
            self._write_log(sequence, command, reply)

    def perform(self, command: OrderCommand) -> OrderReply:
        """Carry out one command now; only between phases 1 and 6 may this be called."""
        match command:
            case StartOrder():
                return self._start(
                    command.ped, command.target, command.offset_local, command.source
                )
            case StartOrderAt():
                return self._start_at(command)
            case HoldOrder():
                return self._hold(command)
            case ContinueOrder():
                return self._continue(command)
            case RedirectOrder():
                return self._redirect(
                    command.ped, command.session, command.target, command.offset_local
                )
            case RedirectOrderTo():
                return self._redirect_to(command)
            case CancelOrder():
                return self._cancel(command)

    def _write_log(self, sequence: int, command: OrderCommand, reply: OrderReply) -> None:
        entry = self._book.entry(command.ped)
        order = None if entry is None else entry.order
        actor = self._ports.peds.resolve(command.ped)
        self.log.append(
            OrderLogLine(
                step=self._ports.clock.step,
                sequence=sequence,
                command=command,
                reply=reply,
                ped_id=-1 if actor is None else actor.ped_id,
                source=None if order is None else order.source,
                status=None if order is None else order.status,
                failure_count=0 if order is None else order.failure_count,
                generation=0 if actor is None or actor.retired else actor.movement.generation,
            )
        )

    # -- start -----------------------------------------------------------------

    def _start_at(self, command: StartOrderAt) -> OrderReply:
        check = check_ped(self._ports.peds.resolve(command.ped))
        if check.refusal is not Refusal.NONE:
            return _refused(check)
        marker = self._marker_on_ground(command.place)
        if marker is None:
            return OrderReply(False, Refusal.NO_GROUND, detail=f"place={tuple(command.place)}")
        reply = self._start(command.ped, marker, Vec3(0.0, 0.0, 0.0), command.source)
        if reply.accepted:
            self._own_marker(command.ped, marker)
        else:
            self._ports.markers.destroy_marker(marker)
        return reply

    def _start(
        self, ped: EntityRef, target: EntityRef, offset: Vec3, source: EntityRef | None
    ) -> OrderReply:
        ports = self._ports
        actor = ports.peds.resolve(ped)
        old = self._book.entry(ped)
        for check in (
            check_ped(actor),
            check_source(source, ports.sources),
            check_target(target, offset, ports.transforms, self._tuning.approach.offset_max),
        ):
            if check.refusal is not Refusal.NONE:
                return _refused(check)
        assert actor is not None
        check = check_permission(actor, None if old is None else old.order, source, self._scripts)
        if check.refusal is not Refusal.NONE:
            return _refused(check)

        own_source = ports.sources.create("order") if source is None else None
        giver = source if source is not None else own_source
        assert giver is not None
        session = self._last_session + 1
        order = self._record(giver, session, target, offset)
        order.change_status(OrderStatus.PENDING)
        command = self._scripts.give_task(
            actor, OrderTask(session), source=giver, session=session, kind=COMMAND_KIND
        )
        if not isinstance(command, CommandId):
            if own_source is not None:
                ports.sources.destroy(own_source)
            return OrderReply(False, Refusal.SLOT_REFUSED, detail=command.reason.name)
        self._last_session = session
        self._book.add(OrderEntry(actor, order, command, own_source))
        ports.facts.note(actor.ped_id, "ORDER_STARTED", session)
        return OrderReply(True, Refusal.NONE, session, order.instruction_count)

    def _record(
        self, source: EntityRef, session: int, target: EntityRef, offset: Vec3
    ) -> OrderState:
        transform = self._ports.transforms.transform(target)
        assert transform is not None
        slot = SlotIdentity(
            PRIMARY,
            int(PrimarySlot.PRIMARY),
            int(TaskType.ORDER),
            source,
            True,
            COMMAND_KIND,
            session,
        )
        return OrderState(
            source=source,
            session=session,
            goal=approach_point(transform, offset),
            approach=Approach(target, offset, transform),
            slot=slot,
        )

    def _marker_on_ground(self, place: Vec3) -> EntityRef | None:
        ground = self._ports.surface.project(place.x, place.y, self._tuning.place.project_max)
        if ground is None:
            return None
        return self._ports.markers.create_marker(Vec3(ground.x, ground.y, ground.z))

    def _own_marker(self, ped: EntityRef, marker: EntityRef) -> None:
        entry = self._book.entry(ped)
        assert entry is not None
        entry.own_marker = marker

    # -- the commands of a session -----------------------------------------------

    def _hold(self, command: HoldOrder) -> OrderReply:
        entry, reply = self._commandable(command.ped, command.session, "hold")
        if entry is None:
            return reply
        entry.actor.movement.hold()
        entry.order.change_status(OrderStatus.WAITING_FOR_SIGNAL)
        return self._count(entry)

    def _continue(self, command: ContinueOrder) -> OrderReply:
        entry, reply = self._commandable(command.ped, command.session, "continue")
        if entry is None:
            return reply
        entry.actor.movement.release_hold()
        entry.order.change_status(OrderStatus.TRAVELLING)
        return self._count(entry)

    def _redirect_to(self, command: RedirectOrderTo) -> OrderReply:
        marker = self._marker_on_ground(command.place)
        if marker is None:
            return OrderReply(False, Refusal.NO_GROUND, detail=f"place={tuple(command.place)}")
        reply = self._redirect(command.ped, command.session, marker, Vec3(0.0, 0.0, 0.0))
        if reply.accepted:
            self._own_marker(command.ped, marker)
        else:
            self._ports.markers.destroy_marker(marker)
        return reply

    def _redirect(
        self, ped: EntityRef, session: int, target: EntityRef, offset: Vec3
    ) -> OrderReply:
        entry, reply = self._commandable(ped, session, "redirect")
        if entry is None:
            return reply
        check = check_target(
            target, offset, self._ports.transforms, self._tuning.approach.offset_max
        )
        if check.refusal is not Refusal.NONE:
            return _refused(check, entry.order)
        order = entry.order
        transform = self._ports.transforms.transform(target)
        assert transform is not None
        goal = approach_point(transform, offset)
        if order.status is not OrderStatus.PENDING:
            request = entry.actor.movement.request_goal(goal, SpeedMode.WALK, movement_owner(order))
            if request is not RequestReply.ACCEPTED:
                return _refused(CheckResult(Refusal.BAD_GOAL, f"goal={tuple(goal)}"), order)
            if order.status is not OrderStatus.TRAVELLING:
                order.change_status(OrderStatus.TRAVELLING)
            entry.actor.force_full_update()
        order.goal = goal
        order.approach = Approach(target, offset, transform)
        self._book.drop_marker(entry)
        return self._count(entry)

    def _commandable(
        self, ped: EntityRef, session: int, command: str
    ) -> tuple[OrderEntry | None, OrderReply]:
        """The entry if the command may act on it, else None and the refusal."""
        check = check_ped(self._ports.peds.resolve(ped))
        if check.refusal is not Refusal.NONE:
            return None, _refused(check)
        entry = self._book.entry(ped)
        if entry is None:
            return None, OrderReply(False, Refusal.WRONG_SESSION, detail="session=none")
        order = entry.order
        if order.session != session:
            return None, _refused(CheckResult(Refusal.WRONG_SESSION, f"session={session}"), order)
        if not order.live:
            return None, _refused(CheckResult(Refusal.SESSION_ENDED, order.status.name), order)
        allowed, refusal = _COMMANDABLE[command]
        if order.status is OrderStatus.PENDING:
            if command == "redirect":
                return entry, OrderReply(True, Refusal.NONE)
            return None, _refused(CheckResult(refusal, order.status.name), order)
        if order.status not in allowed:
            return None, _refused(CheckResult(refusal, order.status.name), order)
        ownership = check_ownership(entry.actor, order, self._scripts, self._tuning.goal.match)
        if ownership is not OWNED:
            return None, _refused(CheckResult(ownership.refusal, ownership.detail), order)
        return entry, OrderReply(True, Refusal.NONE)

    def _count(self, entry: OrderEntry) -> OrderReply:
        """Count an accepted instruction (ORD-14) and answer."""
        order = entry.order
        order.instruction_count += 1
        order.last_child_generation = entry.actor.movement.generation
        return OrderReply(True, Refusal.NONE, order.session, order.instruction_count)

    # -- cancel --------------------------------------------------------------------

    def _cancel(self, command: CancelOrder) -> OrderReply:
        check = check_ped(self._ports.peds.resolve(command.ped))
        if check.refusal is not Refusal.NONE:
            return _refused(check)
        entry = self._book.entry(command.ped)
        if entry is None:
            return OrderReply(False, Refusal.NOTHING_TO_CANCEL)
        order = entry.order
        if order.session != command.session:
            return _refused(CheckResult(Refusal.WRONG_SESSION, f"session={command.session}"), order)
        if not order.live:
            return _refused(CheckResult(Refusal.NOTHING_TO_CANCEL, order.status.name), order)
        self._book.give_up(entry, EndCause.CANCELLED)
        return OrderReply(True, Refusal.NONE, order.session, order.instruction_count)


def _refused(check: CheckResult, order: OrderState | None = None) -> OrderReply:
    if order is None:
        return OrderReply(False, check.refusal, detail=check.detail)
    return OrderReply(False, check.refusal, order.session, order.instruction_count, check.detail)
