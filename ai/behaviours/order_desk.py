"""The order desk: the only entry for order commands.

Commands wait in a queue until phase 2 of the step and are carried out in the
order in which they came (ORD-22). What a command does stands in ``order_start``
and ``order_sessions``.
"""

from __future__ import annotations

from collections import deque

from ai.behaviours.order_book import OrderBook
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
from ai.behaviours.order_sessions import OrderSessions
from ai.behaviours.order_start import OrderStart
from ai.behaviours.order_targets import OrderTargets
from ai.behaviours.order_tracking import OrderTracking
from ai.events.command_records import RefusalReason


class OrderDesk:
    """Takes, orders and writes down commands; the records are the book's.

    - A refused command changes nothing and says which check and which value.
    - A command names ped and session; an old session never acts on a new one.
    - ``log`` holds a line of every command carried out; to queue its commands again
      in their steps repeats the run.
    """

    def __init__(self, book: OrderBook, tracking: OrderTracking) -> None:
        targets = OrderTargets(book.ports, book.tuning)
        self._book = book
        self._start = OrderStart(book, targets)
        self._sessions = OrderSessions(book, targets, tracking)
        self._per_step = book.tuning.commands.per_tick
        self._queue: deque[tuple[int, OrderCommand]] = deque()
        self._last_sequence = 0
        self.log: list[OrderLogLine] = []

    def submit(self, command: OrderCommand) -> int:
        """Queue a command for the next phase 2; returns its sequence number."""
        self._last_sequence += 1
        self._queue.append((self._last_sequence, command))
        return self._last_sequence

    def drain(self) -> None:
        """Phase 2: carry out queued commands, at most ``commands.per_tick`` of them (ORD-22).

        A start that finds the task pool full is not lost: it goes to the end of the
        queue, behind commands that may free tasks (TASK-89).
        """
        for _ in range(min(len(self._queue), self._per_step)):
            sequence, command = self._queue.popleft()
            reply = self.perform(command)
            if (
                reply.reason is Refusal.SLOT_REFUSED
                and reply.detail == RefusalReason.POOL_FULL.name
            ):
                self._queue.append((sequence, command))
            else:
                self._write_log(sequence, command, reply)

    def perform(self, command: OrderCommand) -> OrderReply:
        """Carry out one command now; only between phases 1 and 6 may this be called."""
        match command:
            case StartOrder():
                return self._start.to_object(command)
            case StartOrderAt():
                return self._start.to_place(command)
            case HoldOrder():
                return self._sessions.hold(command)
            case ContinueOrder():
                return self._sessions.go_on(command)
            case RedirectOrder():
                return self._sessions.redirect(command)
            case RedirectOrderTo():
                return self._sessions.redirect_to(command)
            case CancelOrder():
                return self._sessions.cancel(command)

    def _write_log(self, sequence: int, command: OrderCommand, reply: OrderReply) -> None:
        ports = self._book.ports
        order = self._book.order_of(command.ped)
        actor = ports.peds.resolve(command.ped)
        self.log.append(
            OrderLogLine(
                step=ports.clock.step,
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
