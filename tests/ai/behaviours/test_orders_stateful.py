"""Orders, holds, stands and every reason to stand, in random order, against a small model.

NAV-22 with real peds: the reasons come from task trees, claims and flags, not from
the coordination's own face. The model knows no clips, no paths and no places.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ai.behaviours.order_commands import OrderReply, Refusal
from ai.behaviours.order_record import OrderStatus
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import MoveReason, SuspendReason
from ai.ports import STEP_S, at_least
from game.world.description import LevelDescription
from tests.ai.behaviours.courier import MAIN, NONTEMP, PHYSICAL, TEMP, Courier
from tests.ai.behaviours.stand_ins import Idler
from tests.streets import car, courier_street, pavement

FREE_STEPS = 10
"""A ped that nothing stops moves after so many steps: path asked, answered, step begun."""

GOING = (OrderStatus.TRAVELLING, OrderStatus.WAITING_FOR_SIGNAL)


def long_street() -> LevelDescription:
    """Two cars so far away that no sequence arrives."""
    cars = (car(20, "car_a", 11_000.0, 500.0), car(21, "car_b", 11_000.0, 1100.0))
    street = courier_street(vehicles=cars, surfaces=(pavement(12_000.0, 1600.0),))
    return replace(street, width_cm=12_000.0)


@dataclass
class Model:
    """What the rules say of one ped.

    - ``main`` is what stands in PRIMARY: nothing, the order's task, somebody else's.
    - ``owned`` is true once the movement record serves the order.
    """

    status: OrderStatus = OrderStatus.NOT_STARTED
    session: int = 0
    instructions: int = 0
    failures: int = 0
    generation: int = 0
    main: str = ""
    owned: bool = False
    live: bool = False
    cancelled: bool = False
    failed: bool = False
    held: bool = False
    stand_until_s: float | None = None
    down: bool = False
    response: int | None = None
    stumbling: bool = False
    suppressed: bool = False
    linked: bool = False
    bits: SuspendReason = SuspendReason.NONE
    free_steps: int = field(default=0)

    @property
    def order_lives(self) -> bool:
        return self.status in (*GOING, OrderStatus.PENDING, OrderStatus.AWAITING_DECISION)

    @property
    def stopped(self) -> bool:
        return bool(self.bits) or self.held or self.stand_until_s is not None or not self.live

    # -- commands -------------------------------------------------------------------

    def start(self) -> Refusal:
        if self.linked:
            return Refusal.VEHICLE_RELATION
        if self.suppressed:
            return Refusal.SUPPRESSED
        if self.order_lives:
            return Refusal.SESSION_RUNNING
        if self.response is not None or self.main == "other":
            return Refusal.FOREIGN_MAIN_ACTIVE
        self.status = OrderStatus.PENDING
        self.session += 1
        self.instructions, self.failures = 1, 0
        return Refusal.NONE

    def command(self) -> Refusal:
        """What Hold, Continue and Redirect have in common."""
        if self.session == 0:
            return Refusal.WRONG_SESSION
        if not self.order_lives:
            return Refusal.SESSION_ENDED
        if self.status is OrderStatus.PENDING:
            return Refusal.NONE
        if self.main != "order":
            return Refusal.SLOT_MISMATCH
        return Refusal.NONE if self.response is None else Refusal.INTERRUPTED

    def hold(self) -> Refusal:
        refusal = self.command()
        if refusal is Refusal.NONE:
            if self.status is not OrderStatus.TRAVELLING:
                return Refusal.NOT_TRAVELLING
            self.status, self.held = OrderStatus.WAITING_FOR_SIGNAL, True
            self.instructions += 1
        return refusal

    def go_on(self) -> Refusal:
        refusal = self.command()
        if refusal is Refusal.NONE:
            if self.status is not OrderStatus.WAITING_FOR_SIGNAL:
                return Refusal.NOT_WAITING
            self.status, self.held = OrderStatus.TRAVELLING, False
            self.instructions += 1
        return refusal

    def redirect(self) -> Refusal:
        refusal = self.command()
        if refusal is Refusal.NONE:
            self.instructions += 1
            if self.status is not OrderStatus.PENDING:
                self.status = OrderStatus.TRAVELLING
                self.request()
        return refusal

    def cancel(self) -> Refusal:
        if not self.order_lives:
            return Refusal.NOTHING_TO_CANCEL
        if self.status is not OrderStatus.PENDING:
            self.generation += 1
            self.live = self.failed = self.held = False
            self.cancelled = True
            if self.main == "order":
                self.main = ""
        self.status = OrderStatus.CANCELLED
        return Refusal.NONE

    def request(self) -> None:
        self.generation += 1
        self.live, self.failed, self.held = True, False, False
        self.cancelled = False
        self.stand_until_s = None

    def fail(self) -> None:
        if self.live:
            self.live, self.failed = False, True

    # -- a step ----------------------------------------------------------------------

    def step(self, time_s: float) -> None:
        if self.status is OrderStatus.PENDING and not self.down and self.response is None:
            self.main, self.owned = "order", True
            self.status = OrderStatus.TRAVELLING
            self.request()
        if self.stand_until_s is not None and at_least(time_s, self.stand_until_s):
            self.stand_until_s = None
        wanted = self.wanted_bits()
        if (wanted and not self.bits) or (self.bits and not wanted and self.live):
            self.generation += 1
        self.bits = wanted
        self.free_steps = 0 if self.stopped else self.free_steps + 1
        if self.failed and self.main == "order" and self.response is None and self.status in GOING:
            self.status = OrderStatus.AWAITING_DECISION
            self.failures += 1

    def wanted_bits(self) -> SuspendReason:
        bits = SuspendReason.NONE
        foreign = self.response is not None or self.main == "other"
        if self.owned and foreign:
            bits |= SuspendReason.FOREIGN_MAIN
        stated = self.main == "order" and self.response is None
        if self.owned and self.live and not stated:
            bits |= SuspendReason.NOT_OWNER
        if self.down:
            bits |= SuspendReason.BODY
        if self.stumbling:
            bits |= SuspendReason.HIGHER_MOVE
        if self.suppressed:
            bits |= SuspendReason.SUPPRESSED
        if self.linked:
            bits |= SuspendReason.VEHICLE
        return bits


class OrdersUnderStops(RuleBasedStateMachine):
    """NAV-22, NAV-21, NAV-14 to NAV-16, ORD-03, ORD-05, ORD-10 to ORD-15, ORD-19, TASK-86.

    Every rule acts between two steps and then runs some steps; after each of them the
    ped agrees with the model, and what is stopped has moved by exactly 0.0.
    """

    @initialize(period=st.sampled_from([1, 6]))
    def begin(self, period: int) -> None:
        self.courier = Courier(long_street(), period=period)
        self.model = Model()

    def run(self, count: int) -> None:
        for _ in range(count):
            self.model.step(self.courier.world.clock.time_s)
            before = self.courier.xy
            self.courier.step()
            if self.model.stopped:
                assert self.courier.xy == before, "stopped or without intent: displacement 0.0"
            elif self.model.free_steps > FREE_STEPS:
                assert self.courier.xy != before, "nothing stops it"
            self.agree()

    def agree(self) -> None:
        model, courier = self.model, self.courier
        movement = courier.movement
        assert movement.suspend == model.bits
        assert movement.command_hold is model.held
        assert (movement.stand_until is None) is (model.stand_until_s is None)
        assert movement.live is model.live
        assert movement.generation == model.generation
        order = courier.ped.order
        assert (order.status, order.session) == (model.status, model.session)
        assert order.instruction_count == model.instructions
        assert order.failure_count == model.failures

    def reply(self, reply: OrderReply, expected: Refusal) -> None:
        assert reply.reason is expected
        assert reply.accepted is (expected is Refusal.NONE)

    # -- commands --------------------------------------------------------------------

    @rule(steps=st.integers(1, 4))
    def start(self, steps: int) -> None:
        self.reply(self.courier.start(), self.model.start())
        self.run(steps)

    @rule(steps=st.integers(1, 4))
    def hold(self, steps: int) -> None:
        self.reply(self.courier.hold(self.model.session), self.model.hold())
        self.run(steps)

    @rule(steps=st.integers(1, 14))
    def go_on(self, steps: int) -> None:
        self.reply(self.courier.go_on(self.model.session), self.model.go_on())
        self.run(steps)

    @rule(steps=st.integers(1, 14))
    def redirect(self, steps: int) -> None:
        self.reply(self.courier.redirect(self.model.session), self.model.redirect())
        self.run(steps)

    @rule(steps=st.integers(1, 4))
    @precondition(lambda self: self.model.session > 0)
    def cancel(self, steps: int) -> None:
        self.reply(self.courier.cancel(self.model.session), self.model.cancel())
        self.run(steps)

    @rule()
    @precondition(lambda self: self.model.session > 1)
    def command_of_an_old_session(self) -> None:
        before = self.courier.snapshot()
        self.reply(self.courier.cancel(self.model.session - 1), Refusal.WRONG_SESSION)
        assert self.courier.snapshot() == before

    @rule(steps=st.integers(1, 4))
    def fail(self, steps: int) -> None:
        self.courier.movement.fail(MoveReason.BLOCKED)
        self.model.fail()
        self.run(steps)

    @rule(seconds=st.sampled_from([0.05, 0.2]), steps=st.integers(1, 15))
    def stand(self, seconds: float, steps: int) -> None:
        self.courier.movement.stand(seconds)
        self.model.stand_until_s = self.courier.world.clock.step * STEP_S + seconds
        self.run(steps)

    # -- reasons ----------------------------------------------------------------------

    @rule(steps=st.integers(1, 4))
    def fall_or_get_up(self, steps: int) -> None:
        if self.model.down:
            self.courier.get_up()
        else:
            self.courier.fall()
        self.model.down = not self.model.down
        self.run(steps)

    @rule(slot=st.sampled_from([TEMP, NONTEMP]), steps=st.integers(1, 4))
    def respond_or_stop_responding(self, slot: int, steps: int) -> None:
        if self.model.response is None:
            self.courier.respond(slot)
            self.model.response = slot
        else:
            self.courier.clear(self.model.response)
            self.model.response = None
        self.run(steps)

    @rule(steps=st.integers(1, 4))
    def stumble_or_stop_stumbling(self, steps: int) -> None:
        claims, slot = self.courier.world.movement.claims, self.courier.ped.slot
        if self.model.stumbling:
            assert claims.release(slot, ClaimOwner.STUMBLE, 1)
        else:
            assert claims.take(slot, 80, ClaimOwner.STUMBLE, None, 1)
        self.model.stumbling = not self.model.stumbling
        self.run(steps)

    @rule(steps=st.integers(1, 4))
    def suppress_or_release(self, steps: int) -> None:
        self.model.suppressed = not self.model.suppressed
        self.courier.ped.tasks_suppressed = self.model.suppressed
        self.run(steps)

    @rule(steps=st.integers(1, 4))
    def link_or_unlink(self, steps: int) -> None:
        self.model.linked = not self.model.linked
        self.courier.ped.vehicle_link = self.courier.car_a if self.model.linked else None
        self.run(steps)

    @rule(steps=st.integers(1, 4))
    @precondition(lambda self: self.model.status is not OrderStatus.PENDING)
    def take_the_main_slot_or_leave_it(self, steps: int) -> None:
        if self.model.main == "other":
            self.courier.clear(MAIN)
            self.model.main = ""
        else:
            self.courier.put(Idler(), MAIN)
            self.model.main = "other"
        self.run(steps)

    @rule(steps=st.integers(FREE_STEPS + 1, 20))
    def wait(self, steps: int) -> None:
        self.run(steps)

    @invariant()
    def nothing_is_held_for_an_ended_order(self) -> None:
        if hasattr(self, "model") and not self.model.order_lives:
            held = self.courier.world.movement.claims.held(self.courier.ped.slot)
            assert all(claim.owner_kind is ClaimOwner.STUMBLE for claim in held)
            assert self.courier.world.order_book.live == []
            assert self.courier.task(PHYSICAL) is None or self.model.down

    def teardown(self) -> None:
        if hasattr(self, "courier"):
            self.courier.world.close()
            assert self.courier.world.pool.used == 0


TestOrdersUnderStops = OrdersUnderStops.TestCase
TestOrdersUnderStops.__doc__ = (
    """NAV-22, NAV-21, NAV-16, ORD-03, ORD-05, ORD-10 to ORD-15, ORD-19."""
)
TestOrdersUnderStops.settings = settings(
    max_examples=40, stateful_step_count=40, deadline=None, derandomize=True
)
