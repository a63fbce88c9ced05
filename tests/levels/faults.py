"""Wrong builds, one for each level: what the levels are shown to bite on.

A fault is one deliberate mistake, patched into the running program and nowhere else.
``FAULTS`` says which level must fail by it; every other level of the table must not
notice. ``KERNEL_FAULTS`` do the same for the counterexamples that are tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from ai.behaviours.actor import Actor
from ai.behaviours.order_book import OrderBook, OrderEntry
from ai.behaviours.order_passes import OrderPasses
from ai.behaviours.order_record import OrderState, OrderStatus
from ai.behaviours.order_sessions import OrderSessions
from ai.behaviours.order_tracking import OrderTracking
from ai.behaviours.safe_desk import SafeDesk
from ai.behaviours.safe_record import SafeResponse
from ai.behaviours.wander import TaskWander
from ai.motion.execution import ReplanKind
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import MoveReason, MoveStatus, SpeedMode
from ai.motion.recovery.standing_room import StandingRoom
from ai.motion.walk_clips import WalkClips
from ai.navigation.flee_points import FleeRefused
from tests.ai.behaviours import (
    test_orders_commands,
    test_orders_overlays,
    test_orders_ownership,
    test_orders_stale_replies,
    test_orders_tracking,
)

Patch = Callable[[pytest.MonkeyPatch], None]


class Fault(NamedTuple):
    """A mistake in words, how it is made, and the level that it must fail."""

    name: str
    patch: Patch
    level: str


# -- mistakes --------------------------------------------------------------------------


def arrives_without_its_stop(patch: pytest.MonkeyPatch) -> None:
    """Being near enough counts as having stopped (section 12, 25)."""
    patch.setattr(WalkClips, "finish_pose", lambda *_: True)


def continue_requests_again(patch: pytest.MonkeyPatch) -> None:
    """Continue asks for the way anew instead of going on (ORD-11)."""
    go_on = OrderSessions.go_on

    def and_request(self: OrderSessions, command: Any) -> Any:
        reply = go_on(self, command)
        entry = self._book.entry(command.ped)
        if reply.accepted and entry is not None:
            order = entry.order
            entry.actor.movement.request_goal(order.goal, SpeedMode.WALK, entry.move_owner)
        return reply

    patch.setattr(OrderSessions, "go_on", and_request)


def failure_counts_every_step(patch: pytest.MonkeyPatch) -> None:
    """A movement that stays FAILED is a new failure in every step (section 12, 11)."""
    consume = OrderPasses._consume

    def again(self: OrderPasses, entry: OrderEntry) -> None:
        consume(self, entry)
        if (
            entry.order.status is OrderStatus.AWAITING_DECISION
            and entry.actor.movement.status is MoveStatus.FAILED
        ):
            entry.order.failure_count += 1

    patch.setattr(OrderPasses, "_consume", again)


def resume_revives_the_cancelled(patch: pytest.MonkeyPatch) -> None:
    """A movement cancelled while down walks on once the body is up (section 12, 14)."""
    resume = MovementSystem.resume

    def revive(self: MovementSystem, row: int) -> None:
        if self.table.status[row] == int(MoveStatus.CANCELLED):
            self.table.status[row] = int(MoveStatus.WAITING_PATH)
        resume(self, row)

    patch.setattr(MovementSystem, "resume", revive)


def rises_without_room(patch: pytest.MonkeyPatch) -> None:
    """Any place is good enough to stand up in (section 12, 22)."""
    patch.setattr(StandingRoom, "is_free", lambda *_: True)


def wanderers_draw_no_goal(patch: pytest.MonkeyPatch) -> None:
    """Who has nothing to do stays where he is (TASK-121)."""
    patch.setattr(TaskWander, "_draw_goal", lambda *_, **__: None)


FAULTS = (
    Fault("arrives without its stop", arrives_without_its_stop, "pickup"),
    Fault("continue requests again", continue_requests_again, "hold_redirect"),
    Fault("a failure counts every step", failure_counts_every_step, "sealed_redirect"),
    Fault("resume revives the cancelled", resume_revives_the_cancelled, "cancel_while_down"),
    Fault("rises without room", rises_without_room, "blocked_standup"),
    Fault("wanderers draw no goal", wanderers_draw_no_goal, "city_six"),
)
"""One for each level of LVL that is shipped."""


# -- mistakes of flights ------------------------------------------------------------------


def a_fall_chooses_anew(patch: pytest.MonkeyPatch) -> None:
    """Who is up again looks for another point instead of running on to its own (SAFE-12)."""

    def choose(self: SafeDesk, actor: Actor, record: SafeResponse) -> None:
        self._reselect(actor, record)

    patch.setattr(SafeDesk, "resume", _if_resumed(SafeDesk.resume, choose))


def _if_resumed(usual: Any, then: Any) -> Any:
    """The usual at the start, which calls ``resume`` too, and ``then`` from a fall on."""

    def resume(self: SafeDesk, actor: Actor, record: SafeResponse) -> None:
        usual(self, actor, record)
        if actor.movement.generation > record.initial_generation:
            then(self, actor, record)

    return resume


def a_refusal_stops_the_ped(patch: pytest.MonkeyPatch) -> None:
    """Who has nowhere to flee to loses the way that it had (FLEE-07, SAFE-02)."""
    flee_from = SafeDesk.flee_from

    def and_stop(self: SafeDesk, actor: Actor, *spots: Any, **how: Any) -> Any:
        reply = flee_from(self, actor, *spots, **how)
        if isinstance(reply, FleeRefused):
            actor.movement.replan(ReplanKind.RESUME)
        return reply

    patch.setattr(SafeDesk, "flee_from", and_stop)


def threats_stay_where_they_were(patch: pytest.MonkeyPatch) -> None:
    """What is fled from is looked at once and never again (SAFE-07, SAFE-10)."""
    patch.setattr(SafeDesk, "_look", lambda *_: None)


def nothing_joins(patch: pytest.MonkeyPatch) -> None:
    """A second threat is a second question, which waits until the first is over (SAFE-13)."""
    patch.setattr("ai.behaviours.safe_desk._can_join", lambda *_: False)


def a_flight_ends_the_hold(patch: pytest.MonkeyPatch) -> None:
    """After a flight the order is taken up, and its hold is forgotten (ORD-19)."""
    resume = OrderPasses.resume

    def and_go(self: OrderPasses, actor: Actor, order: OrderState) -> None:
        resume(self, actor, order)
        actor.movement.release_hold()

    patch.setattr(OrderPasses, "resume", and_go)


FLIGHT_FAULTS = (
    Fault("a fall chooses anew", a_fall_chooses_anew, "resume_flee"),
    Fault("a refusal stops the ped", a_refusal_stops_the_ped, "closed_yard"),
    Fault("threats stay where they were", threats_stay_where_they_were, "runaway_van"),
    Fault("nothing joins", nothing_joins, "two_fires"),
    Fault("a flight ends the hold", a_flight_ends_the_hold, "flee_over_order"),
)
"""One for each level that is about fleeing."""


# -- mistakes that a counterexample catches -------------------------------------------------


def hold_ends_by_itself(patch: pytest.MonkeyPatch) -> None:
    """A timer copied from a demonstration: 3.5 s (section 12, 7)."""

    def hold(self: MovementSystem, row: int) -> None:
        self.stand(row, 3.5)

    patch.setattr(MovementSystem, "hold", hold)


def stale_replies_are_accepted(patch: pytest.MonkeyPatch) -> None:
    """The generation of a reply is not looked at (section 12, 4)."""
    accept = MovementSystem.accept_path

    def whatever(self: MovementSystem, row: int, reply: Any) -> Any:
        self.table.path_pending[row] = True
        return accept(self, row, reply._replace(generation=int(self.table.generation[row])))

    patch.setattr(MovementSystem, "accept_path", whatever)


def cancel_takes_what_it_finds(patch: pytest.MonkeyPatch) -> None:
    """Cancel ends the movement, whoever's it is (section 12, 9)."""
    patch.setattr("ai.behaviours.order_book.owns_movement", lambda *_: True)


def recovery_forgets_to_replan(patch: pytest.MonkeyPatch) -> None:
    """Whoever is up again stands with a way that can't be used (NAV-15)."""
    replan = MovementSystem.replan

    def only_retries(self: MovementSystem, row: int, kind: ReplanKind) -> bool:
        return kind is ReplanKind.RETRY and replan(self, row, kind)

    patch.setattr(MovementSystem, "replan", only_retries)


def resume_drops_the_hold(patch: pytest.MonkeyPatch) -> None:
    """Up again means going on (section 12, 1)."""
    resume = MovementSystem.resume

    def and_go(self: MovementSystem, row: int) -> None:
        self.release_hold(row)
        resume(self, row)

    patch.setattr(MovementSystem, "resume", and_go)


def retarget_drops_the_hold(patch: pytest.MonkeyPatch) -> None:
    """A goal that moves releases who waits (section 12, 39)."""
    retarget = MovementSystem.retarget

    def and_go(self: MovementSystem, row: int, goal: Any) -> bool:
        self.release_hold(row)
        return retarget(self, row, goal)

    patch.setattr(MovementSystem, "retarget", and_go)


def arrives_at_what_moves(patch: pytest.MonkeyPatch) -> None:
    """Being at the side of a car that drives on counts as arrival (ORD-20)."""
    patch.setattr(OrderTracking, "_is_there", lambda *_: True)


def loss_retries_for_ever(patch: pytest.MonkeyPatch) -> None:
    """An object that goes is no failure (ORD-20)."""
    take = OrderBook.take_failure

    def overlook(self: OrderBook, entry: OrderEntry, reason: MoveReason) -> None:
        if reason is not MoveReason.TARGET_GONE:
            take(self, entry, reason)

    patch.setattr(OrderBook, "take_failure", overlook)


class KernelFault(NamedTuple):
    """A mistake and the test, by its rule, that must not pass with it."""

    rule: str
    patch: Patch
    test: Callable[[], object]


KERNEL_FAULTS = (
    KernelFault("LVL-20", hold_ends_by_itself, test_orders_commands.test_hold_10s),
    KernelFault(
        "LVL-21",
        stale_replies_are_accepted,
        test_orders_stale_replies.test_the_same_reply_twice_is_stale_the_second_time,
    ),
    KernelFault(
        "LVL-22",
        cancel_takes_what_it_finds,
        lambda: test_orders_ownership.test_cancel_leaves_a_foreign_movement_slot_as_found(False),
    ),
    KernelFault(
        "LVL-23", failure_counts_every_step, test_orders_commands.test_a_failure_is_consumed_once
    ),
    KernelFault(
        "LVL-28",
        retarget_drops_the_hold,
        test_orders_tracking.test_a_retarget_leaves_the_hold_flag_alone,
    ),
    KernelFault(
        "LVL-28",
        arrives_at_what_moves,
        test_orders_tracking.test_nobody_arrives_at_a_car_that_moves_on,
    ),
    KernelFault(
        "LVL-28",
        loss_retries_for_ever,
        lambda: test_orders_tracking.test_a_car_that_goes_is_a_failure_of_the_order(False),
    ),
    KernelFault(
        "LVL-30",
        resume_drops_the_hold,
        test_orders_overlays.test_hold_fall_no_continue_stands_after_getting_up,
    ),
    KernelFault(
        "LVL-30",
        recovery_forgets_to_replan,
        test_orders_overlays.test_hold_fall_continue_while_down_walks_after_getting_up,
    ),
)
