"""The order desk: the only entry for order commands.

Commands wait in a queue until phase 2 of the step and are carried out in the
order in which they came (ORD-22).
"""

from __future__ import annotations

import math
from collections import deque

from ai.behaviours.actor import Actor
from ai.behaviours.approach import approach_point
from ai.behaviours.order_book import OrderBook, OrderEntry
from ai.behaviours.order_checks import check_ped, check_permission, check_source, check_target
from ai.behaviours.order_commands import (
    PASSED,
    CancelOrder,
    CheckResult,
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
from ai.behaviours.order_ownership import check_ownership
from ai.behaviours.order_record import Approach, EndCause, OrderState, OrderStatus
from ai.behaviours.order_task import OrderTask
from ai.events.command_records import CommandId, RefusalReason
from ai.events.slot_identity import SlotIdentity
from ai.motion.execution import RequestReply
from ai.motion.movement_table import SpeedMode
from ai.ports import EntityRef, Vec3
from ai.tasks.task_errors import TaskPoolFull
from ai.tasks.task_types import TaskType

COMMAND_KIND = "goto_object"
"""Kind of every order's script command (ORD-06)."""

AT_THE_MARKER = Vec3(0.0, 0.0, 0.0)
"""Offset of an order to a place from its marker (ORD-25)."""


class OrderDesk:
    """Takes, checks and carries out commands; the records are the book's.

    - A refused command changes nothing and says which check and which value.
    - A command names ped and session; an old session never acts on a new one.
    - ``log`` holds a line of every command carried out; to queue its commands again
      in their steps repeats the run.
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
        """Phase 2: carry out queued commands, at most ``commands.per_tick`` of them (ORD-22).

        A start that finds the task pool full is not lost: it goes to the end of the
        queue, behind the commands that may free tasks (TASK-89).
        """
        for _ in range(min(len(self._queue), self._tuning.commands.per_tick)):
            sequence, command = self._queue.popleft()
            reply = self.perform(command)
            if reply.detail == RefusalReason.POOL_FULL.name:
                self._queue.append((sequence, command))
            else:
                self._write_log(sequence, command, reply)

    def perform(self, command: OrderCommand) -> OrderReply:
        """Carry out one command now; only between phases 1 and 6 may this be called."""
        match command:
            case StartOrder():
                return self._start(command)
            case StartOrderAt():
                return self._start_at(command)
            case HoldOrder():
                return self._hold(command)
            case ContinueOrder():
                return self._continue(command)
            case RedirectOrder():
                return self._redirect(command)
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
                generation=0 if actor is None else actor.movement.generation,
            )
        )

    # -- start -----------------------------------------------------------------

    def _start(self, command: StartOrder) -> OrderReply:
        actor, check = self._ped_for(command.ped, command.source)
        if check is PASSED:
            check = self._check_target(command.target, command.offset_local)
        if check is PASSED:
            check = self._check_permission(actor, command.source)
        if actor is None or check is not PASSED:
            return _refused(check)
        approach = self._approach(command.target, command.offset_local)
        return self._begin(actor, command.source, approach, None)

    def _start_at(self, command: StartOrderAt) -> OrderReply:
        actor, check = self._ped_for(command.ped, command.source)
        ground = None
        if actor is not None and check is PASSED:
            ground, check = self._ground_near(actor, command.place)
        if check is PASSED:
            check = self._check_permission(actor, command.source)
        if actor is None or ground is None or check is not PASSED:
            return _refused(check)
        marker = self._ports.markers.create_marker(ground)
        return self._begin(actor, command.source, self._approach(marker, AT_THE_MARKER), marker)

    def _begin(
        self, actor: Actor, source: EntityRef | None, approach: Approach, marker: EntityRef | None
    ) -> OrderReply:
        """The transaction of ORD-06; all checks have passed."""
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
            return OrderReply(False, Refusal.SLOT_REFUSED, detail=given.name)
        self._last_session = session
        self._book.add(OrderEntry(actor, order, given, own_source, marker))
        return OrderReply(True, Refusal.NONE, session, order.instruction_count)

    def _give(self, actor: Actor, order: OrderState) -> CommandId | RefusalReason:
        try:
            task = OrderTask(order)
        except TaskPoolFull:
            return RefusalReason.POOL_FULL
        given = self._scripts.give_task(
            actor, task, source=order.source, session=order.session, kind=COMMAND_KIND
        )
        return given if isinstance(given, CommandId) else given.reason

    # -- the commands of a session -----------------------------------------------

    def _hold(self, command: HoldOrder) -> OrderReply:
        entry, check = self._commandable(command.ped, command.session)
        if check is PASSED and entry is not None:
            check = _check_status(entry, OrderStatus.TRAVELLING, Refusal.NOT_TRAVELLING)
        if entry is None or check is not PASSED:
            return _refused(check, entry)
        entry.actor.movement.hold()
        entry.order.change_status(OrderStatus.WAITING_FOR_SIGNAL)
        return _counted(entry)

    def _continue(self, command: ContinueOrder) -> OrderReply:
        entry, check = self._commandable(command.ped, command.session)
        if check is PASSED and entry is not None:
            check = _check_status(entry, OrderStatus.WAITING_FOR_SIGNAL, Refusal.NOT_WAITING)
        if entry is None or check is not PASSED:
            return _refused(check, entry)
        entry.actor.movement.release_hold()
        entry.order.change_status(OrderStatus.TRAVELLING)
        return _counted(entry)

    def _redirect(self, command: RedirectOrder) -> OrderReply:
        entry, check = self._commandable(command.ped, command.session)
        if check is PASSED:
            check = self._check_target(command.target, command.offset_local)
        if entry is None or check is not PASSED:
            return _refused(check, entry)
        return self._lead(entry, self._approach(command.target, command.offset_local), None)

    def _redirect_to(self, command: RedirectOrderTo) -> OrderReply:
        entry, check = self._commandable(command.ped, command.session)
        ground = None
        if entry is not None and check is PASSED:
            ground, check = self._ground_near(entry.actor, command.place)
        if entry is None or ground is None or check is not PASSED:
            return _refused(check, entry)
        marker = self._ports.markers.create_marker(ground)
        return self._lead(entry, self._approach(marker, AT_THE_MARKER), marker)

    def _lead(self, entry: OrderEntry, approach: Approach, marker: EntityRef | None) -> OrderReply:
        """Lead an order elsewhere (ORD-12); all checks have passed.

        A waiting order takes the goal into its record alone. Any other asks for the
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
        self._book.replace_marker(entry, marker)
        return _counted(entry)

    def _cancel(self, command: CancelOrder) -> OrderReply:
        check = check_ped(self._ports.peds.resolve(command.ped))
        if check is not PASSED:
            return _refused(check)
        entry = self._book.entry(command.ped)
        if entry is None:
            return _refused(CheckResult(Refusal.NOTHING_TO_CANCEL, OrderStatus.NOT_STARTED.name))
        if entry.order.session != command.session:
            return _refused(_wrong_session(command.session), entry)
        if not entry.order.live:
            check = CheckResult(Refusal.NOTHING_TO_CANCEL, entry.order.status.name)
            return _refused(check, entry)
        self._book.give_up(entry, EndCause.CANCELLED)
        return _reply(entry)

    # -- checks ----------------------------------------------------------------------

    def _ped_for(
        self, ped: EntityRef, source: EntityRef | None
    ) -> tuple[Actor | None, CheckResult]:
        """Rows 1 and 2 of ORD-05."""
        actor = self._ports.peds.resolve(ped)
        check = check_ped(actor)
        if check is PASSED:
            check = check_source(source, self._ports.sources)
        return actor, check

    def _check_target(self, target: EntityRef, offset: Vec3) -> CheckResult:
        """Rows 3 to 5."""
        return check_target(
            target, offset, self._ports.transforms, self._tuning.approach.offset_max
        )

    def _check_permission(self, actor: Actor, source: EntityRef | None) -> CheckResult:
        """Rows 6 to 10."""
        return check_permission(actor, self._book.order_of(actor.ref), source, self._scripts)

    def _commandable(self, ped: EntityRef, session: int) -> tuple[OrderEntry | None, CheckResult]:
        """The ped's order, and whether a command of this session may act on it (ORD-07).

        A pending order owns no slot and no movement yet.
        """
        check = check_ped(self._ports.peds.resolve(ped))
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
        return entry, check_ownership(entry.actor, order, self._scripts, self._tuning.goal.match)

    def _ground_near(self, actor: Actor, place: Vec3) -> tuple[Vec3 | None, CheckResult]:
        """The place put onto walkable ground (ORD-25).

        The surface holds body centres, which keep a body's radius off the edge of the
        walkable ground that the distance counts to.
        """
        reach = self._tuning.place.project_max + actor.services.locomotion.ped_radius
        finite = math.isfinite(place.x) and math.isfinite(place.y)
        ground = self._ports.surface.project(place.x, place.y, reach) if finite else None
        if ground is None:
            return None, CheckResult(Refusal.NO_GROUND, f"place={tuple(place)}")
        return Vec3(ground.x, ground.y, ground.z), PASSED

    def _approach(self, target: EntityRef, offset: Vec3) -> Approach:
        """Read the object's transform, once and for all (ORD-09)."""
        transform = self._ports.transforms.transform(target)
        assert transform is not None
        return Approach(target, offset, transform)


def _check_status(entry: OrderEntry, wanted: OrderStatus, refusal: Refusal) -> CheckResult:
    status = entry.order.status
    return PASSED if status is wanted else CheckResult(refusal, status.name)


def _wrong_session(session: int) -> CheckResult:
    return CheckResult(Refusal.WRONG_SESSION, f"session={session}")


def _counted(entry: OrderEntry) -> OrderReply:
    """Count an accepted instruction (ORD-14) and answer."""
    entry.order.instruction_count += 1
    return _reply(entry)


def _reply(entry: OrderEntry) -> OrderReply:
    return OrderReply(True, Refusal.NONE, entry.order.session, entry.order.instruction_count)


def _refused(check: CheckResult, entry: OrderEntry | None = None) -> OrderReply:
    if entry is None:
        return OrderReply(False, check.refusal, detail=check.detail)
    order = entry.order
    return OrderReply(False, check.refusal, order.session, order.instruction_count, check.detail)
