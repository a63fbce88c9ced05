"""The order desk: the only entry for order commands, and the keeper of every order's record.

Commands wait in a queue until phase 2 of the step and are carried out in the
order in which they came (ORD-22). In phase 6 the desk looks after lost
references (pre-pass), in phase 13 it takes what the movement achieved
(post-pass). Post-passes write records only; trees change in their own phase.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from ai.behaviours.actor import Actor
from ai.behaviours.approach import approach_point
from ai.behaviours.order_checks import (
    CheckResult,
    PedDirectory,
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
    owns_main_slot,
    owns_movement,
)
from ai.behaviours.order_record import Approach, EndCause, OrderState, OrderStatus
from ai.behaviours.order_task import OrderTask
from ai.behaviours.order_tuning import OrderTuning
from ai.events.script_commands import CommandId, CommandStatus, ScriptCommands
from ai.events.slot_identity import SlotIdentity
from ai.motion.claims import ClaimOwner
from ai.motion.execution import RequestReply
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import MoveStatus, SpeedMode
from ai.ports import (
    Clock,
    EntityRef,
    FactSink,
    Markers,
    ObjectTransforms,
    OrderSources,
    Vec3,
    WalkSurface,
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


@dataclass(slots=True)
class _Entry:
    """A ped's order with what the desk made for it and takes away with it."""

    actor: Actor
    order: OrderState
    command: CommandId
    own_source: EntityRef | None
    own_marker: EntityRef | None


@dataclass(slots=True)
class DeskPorts:
    """What the desk needs of the world."""

    clock: Clock
    facts: FactSink
    peds: PedDirectory
    transforms: ObjectTransforms
    sources: OrderSources
    markers: Markers
    surface: WalkSurface


class OrderDesk:
    """Orders of all peds.

    - One live order a ped; the last ended one stays readable (``order_of``).
    - A refused command changes nothing and says which check and which value.
    - A command names ped and session; an old session never acts on a new one.
    - Sources and markers that the desk made end with the order they were made for.
    """

    def __init__(
        self,
        ports: DeskPorts,
        movement: MovementSystem,
        scripts: ScriptCommands,
        tuning: OrderTuning,
    ) -> None:
        self._ports = ports
        self._movement = movement
        self._scripts = scripts
        self._tuning = tuning
        self._entries: dict[EntityRef, _Entry] = {}
        self._live: list[_Entry] = []
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
                return self._start(command.ped, command.target, command.offset_local, command.source)
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
        entry = self._entries.get(command.ped)
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

    # -- reading ---------------------------------------------------------------

    def order_of(self, ped: EntityRef) -> OrderState | None:
        """A ped's live order, else its last ended one, else None."""
        entry = self._entries.get(ped)
        return None if entry is None else entry.order

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
            self._entries[command.ped].own_marker = marker
        else:
            self._ports.markers.destroy_marker(marker)
        return reply

    def _start(
        self, ped: EntityRef, target: EntityRef, offset: Vec3, source: EntityRef | None
    ) -> OrderReply:
        ports = self._ports
        actor = ports.peds.resolve(ped)
        old = self._entries.get(ped)
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
        entry = _Entry(actor, order, command, own_source, None)
        self._entries[ped] = entry
        self._live.append(entry)
        self._live.sort(key=_ped_id_of)
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
            self._entries[command.ped].own_marker = marker
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
            request = entry.actor.movement.request_goal(
                goal, SpeedMode.WALK, movement_owner(order)
            )
            if request is not RequestReply.ACCEPTED:
                return _refused(CheckResult(Refusal.BAD_GOAL, f"goal={tuple(goal)}"), order)
            if order.status is not OrderStatus.TRAVELLING:
                order.change_status(OrderStatus.TRAVELLING)
            entry.actor.force_full_update()
        order.goal = goal
        order.approach = Approach(target, offset, transform)
        self._drop_marker(entry)
        return self._count(entry)

    def _commandable(
        self, ped: EntityRef, session: int, command: str
    ) -> tuple[_Entry | None, OrderReply]:
        """The entry if the command may act on it, else None and the refusal."""
        check = check_ped(self._ports.peds.resolve(ped))
        if check.refusal is not Refusal.NONE:
            return None, _refused(check)
        entry = self._entries.get(ped)
        if entry is None:
            return None, OrderReply(False, Refusal.WRONG_SESSION, detail="session=none")
        order = entry.order
        if order.session != session:
            return None, _refused(
                CheckResult(Refusal.WRONG_SESSION, f"session={session}"), order
            )
        if not order.live:
            return None, _refused(CheckResult(Refusal.SESSION_ENDED, order.status.name), order)
        allowed, refusal = _COMMANDABLE[command]
        if order.status is OrderStatus.PENDING:
            if command == "redirect":
                return entry, OrderReply(True, Refusal.NONE)
            return None, _refused(CheckResult(refusal, order.status.name), order)
        if order.status not in allowed:
            return None, _refused(CheckResult(refusal, order.status.name), order)
        ownership = check_ownership(
            entry.actor, order, self._scripts, self._tuning.goal.match
        )
        if ownership is not OWNED:
            return None, _refused(CheckResult(ownership.refusal, ownership.detail), order)
        return entry, OrderReply(True, Refusal.NONE)

    def _count(self, entry: _Entry) -> OrderReply:
        """Count an accepted instruction (ORD-14) and answer."""
        order = entry.order
        order.instruction_count += 1
        order.last_child_generation = entry.actor.movement.generation
        return OrderReply(True, Refusal.NONE, order.session, order.instruction_count)

    # -- cancel and other ends -----------------------------------------------------

    def _cancel(self, command: CancelOrder) -> OrderReply:
        check = check_ped(self._ports.peds.resolve(command.ped))
        if check.refusal is not Refusal.NONE:
            return _refused(check)
        entry = self._entries.get(command.ped)
        if entry is None:
            return OrderReply(False, Refusal.NOTHING_TO_CANCEL)
        order = entry.order
        if order.session != command.session:
            return _refused(
                CheckResult(Refusal.WRONG_SESSION, f"session={command.session}"), order
            )
        if not order.live:
            return _refused(CheckResult(Refusal.NOTHING_TO_CANCEL, order.status.name), order)
        self._give_up(entry, EndCause.CANCELLED)
        return OrderReply(True, Refusal.NONE, order.session, order.instruction_count)

    def _give_up(self, entry: _Entry, cause: EndCause) -> None:
        """End an order as CANCELLED, touching nothing that is not its own (ORD-13)."""
        actor, order = entry.actor, entry.order
        if order.status is OrderStatus.PENDING:
            self._scripts.withdraw(actor, entry.command)
        else:
            if owns_movement(actor, order, self._tuning.goal.match):
                actor.movement.cancel()
            if owns_main_slot(actor, order, self._scripts) is OWNED:
                tree = actor.tasks.tree(PRIMARY)
                task = tree.get_task(PrimarySlot.PRIMARY)
                assert task is not None
                actor.tasks.clear_if(PRIMARY, PrimarySlot.PRIMARY, task.ref())
        order.end_cause = cause
        order.change_status(OrderStatus.CANCELLED)
        self._close(entry)

    def _close(self, entry: _Entry) -> None:
        """Give back what an ended order held: claim, source, marker."""
        actor, order = entry.actor, entry.order
        self._movement.claims.release(actor.slot, ClaimOwner.ORDER, order.session)
        self._live.remove(entry)
        self._drop_marker(entry)
        if entry.own_source is not None:
            self._ports.sources.destroy(entry.own_source)
            entry.own_source = None
        self._ports.facts.note(actor.ped_id, order.status.name, order.session)

    def _drop_marker(self, entry: _Entry) -> None:
        if entry.own_marker is not None:
            self._ports.markers.destroy_marker(entry.own_marker)
            entry.own_marker = None

    def ped_retired(self, actor: Actor) -> None:
        """A ped leaves the world: its order ends PED_GONE (ORD-18)."""
        entry = self._entries.get(actor.ref)
        if entry is not None and entry.order.live:
            self._give_up(entry, EndCause.PED_GONE)

    def forget(self, ped: EntityRef) -> None:
        """Drop the record of a ped that is gone."""
        self._entries.pop(ped, None)

    # -- the task's side -----------------------------------------------------------

    def begin(self, actor: Actor, session: int) -> bool:
        """First enter of the order's task: take the claim, ask for the path (ORD-06).

        All or nothing: False means the claim or the goal was refused and the order
        has ended.
        """
        entry = self._entries[actor.ref]
        order = entry.order
        assert order.session == session
        claims = self._movement.claims
        claim = claims.take(
            actor.slot,
            self._movement.tuning.claim.general,
            ClaimOwner.ORDER,
            order.source,
            order.session,
        )
        if claim is not None:
            request = actor.movement.request_goal(
                order.goal, SpeedMode.WALK, movement_owner(order)
            )
            if request is RequestReply.ACCEPTED:
                order.change_status(OrderStatus.TRAVELLING)
                order.last_child_generation = actor.movement.generation
                return True
        order.end_cause = EndCause.SLOT_REFUSED
        order.change_status(OrderStatus.CANCELLED)
        self._close(entry)
        return False

    def resume(self, actor: Actor, session: int) -> None:
        """The order's task is active again after something stood above it (ORD-19).

        While the movement record is still this order's nothing is requested: its
        own resume does what is needed (NAV-15).
        """
        order = self._entries[actor.ref].order
        assert order.session == session
        owner = movement_owner(order)
        if actor.movement.owner == owner:
            return
        if order.status is OrderStatus.AWAITING_DECISION:
            reason = order.last_failure
            assert reason is not None
            actor.movement.adopt_failed(order.goal, reason, owner)
            return
        actor.movement.request_goal(order.goal, SpeedMode.WALK, owner)
        if order.status is OrderStatus.WAITING_FOR_SIGNAL:
            actor.movement.hold()

    # -- passes --------------------------------------------------------------------

    def pre_pass(self, actor: Actor) -> None:
        """Phase 6, ahead of the ped's mind: lost references end an order (ORD-18)."""
        entry = self._entries.get(actor.ref)
        if entry is None or not entry.order.live:
            return
        if not self._ports.sources.is_alive(entry.order.source):
            self._give_up(entry, EndCause.SOURCE_GONE)
        elif entry.order.status is OrderStatus.PENDING:
            status = self._scripts.command_status(actor, entry.command)
            if status in (CommandStatus.REPLACED, CommandStatus.CANCELLED):
                self._give_up(entry, EndCause.NOT_COMMITTED)

    def post_pass(self) -> None:
        """Phase 13: take what movements achieved in this step, each result once (ORD-15, ORD-17)."""
        index = 0
        while index < len(self._live):
            entry = self._live[index]
            self._consume(entry)
            if entry.order.live:
                index += 1

    def _consume(self, entry: _Entry) -> None:
        actor, order = entry.actor, entry.order
        if order.status not in (OrderStatus.TRAVELLING, OrderStatus.WAITING_FOR_SIGNAL):
            return
        status = actor.movement.status
        if status is not MoveStatus.ARRIVED and status is not MoveStatus.FAILED:
            return
        if (
            check_ownership(actor, order, self._scripts, self._tuning.goal.match)
            is not OWNED
        ):
            return
        order.last_child_generation = actor.movement.generation
        if status is MoveStatus.FAILED:
            order.failure_count += 1
            order.last_failure = actor.movement.reason
            order.change_status(OrderStatus.AWAITING_DECISION)
            self._ports.facts.note(
                actor.ped_id, "AWAITING_DECISION", order.session, order.last_failure.name
            )
        elif order.status is OrderStatus.TRAVELLING:
            order.change_status(OrderStatus.COMPLETED)
            self._close(entry)
        actor.force_full_update()


def _ped_id_of(entry: _Entry) -> int:
    return entry.actor.ped_id


def _refused(check: CheckResult, order: OrderState | None = None) -> OrderReply:
    if order is None:
        return OrderReply(False, check.refusal, detail=check.detail)
    return OrderReply(
        False, check.refusal, order.session, order.instruction_count, check.detail
    )
