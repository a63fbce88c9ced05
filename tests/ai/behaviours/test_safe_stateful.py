"""Safe responses, orders, holds, cancels, falls and sources that vanish, in random order (SAFE).

What must hold whatever happens: a record only goes on, starts once and ends once; an order
keeps its counts and its hold under it; what was made for a response goes with it.
"""

from __future__ import annotations

import math
from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ai.behaviours.order_commands import CancelOrder, ContinueOrder, HoldOrder, StartOrderAt
from ai.behaviours.order_record import OrderStatus
from ai.behaviours.safe_record import SafeRefusal, SafeResponse, SafeResult, SafeState
from ai.events.types import EventType
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import SuspendReason
from ai.navigation.flee_points import FleeRefused
from ai.ports import EntityRef, Impact, Vec3
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world.description import LevelDescription
from game.world.world import World
from tests.streets import pavement, ped_named, person, street

SAFE = 400.0
ERRAND = Vec3(3700.0, 800.0)
OFFSETS = st.sampled_from([(-150.0, 0.0), (150.0, 0.0), (0.0, -120.0), (60.0, 300.0)])


def open_ground() -> LevelDescription:
    made = street(peds=(person(10, "mary", 2000.0, 1000.0),), surfaces=(pavement(4000.0, 2000.0),))
    return replace(made, width_cm=4000.0, height_cm=2000.0)


class SafeMachine(RuleBasedStateMachine):
    """One ped; the model is what the rules say of counts, and what was seen before."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[SafeResponse] = []
        self.states: dict[int, SafeState] = {}
        self.ended: dict[int, tuple[SafeResult, str]] = {}
        self.markers: list[EntityRef] = []
        self.session = self.instructions = 0
        self.held = False

    @initialize()
    def begin(self) -> None:
        self.world = World(open_ground(), strict=True, ped_capacity=4)
        self.mary = ped_named(self.world, "mary")
        self.source = self.world.sources.create("test")
        self.generation = self.mary.movement.generation

    # -- what happens ----------------------------------------------------------------------

    @rule(offset=OFFSETS)
    def flee(self, offset: tuple[float, float]) -> None:
        here = self.mary.position
        marker = self.world.objects.create_marker(Vec3(here.x + offset[0], here.y + offset[1]))
        before = self.world.safe.record(self.mary.ref)
        was_active = before is not None and before.state is SafeState.ACTIVE
        reply = self.world.safe.flee_from(self.mary, (marker,), SAFE)
        if isinstance(reply, SafeResponse):
            assert (reply is before) is was_active, "it joins what is active, else it is new"
            if reply not in self.records:
                self.records.append(reply)
            self.markers.append(marker)
        else:
            assert reply is None or isinstance(reply, (SafeRefusal, FleeRefused))
            assert self.world.safe.record(self.mary.ref) is before
            self.world.objects.destroy_marker(marker)

    @rule(offset=OFFSETS)
    def move_a_threat(self, offset: tuple[float, float]) -> None:
        if self.markers:
            here = self.mary.position
            place = Vec3(here.x + offset[0], here.y + offset[1])
            self.world.objects.move_marker(self.markers[-1], place)

    @rule()
    def remove_a_source(self) -> None:
        if self.markers:
            self.world.objects.destroy_marker(self.markers.pop())

    @rule()
    def knock_down(self) -> None:
        self.world.impacts.strike(self.mary, Impact((15_000.0, 0.0), 8000.0))

    @rule(on=st.booleans())
    def suppress(self, on: bool) -> None:
        self.mary.tasks_suppressed = on

    @rule()
    def order(self) -> None:
        if self.world.orders.perform(StartOrderAt(self.mary.ref, ERRAND, self.source)).accepted:
            self.session, self.instructions, self.held = self.session + 1, 1, False

    @rule()
    def hold(self) -> None:
        if self.world.orders.perform(HoldOrder(self.mary.ref, self.session)).accepted:
            self.instructions, self.held = self.instructions + 1, True

    @rule()
    def go_on(self) -> None:
        if self.world.orders.perform(ContinueOrder(self.mary.ref, self.session)).accepted:
            self.instructions, self.held = self.instructions + 1, False

    @rule()
    def cancel(self) -> None:
        if self.world.orders.perform(CancelOrder(self.mary.ref, self.session)).accepted:
            self.held = False

    @rule(count=st.integers(1, 90))
    def step(self, count: int) -> None:
        for _ in range(count):
            self.world.step()
            self.look()

    # -- what must hold --------------------------------------------------------------------

    @invariant()
    def look(self) -> None:
        if not hasattr(self, "world"):
            return
        for number, record in enumerate(self.records):
            before = self.states.get(number, SafeState.NONE)
            assert record.state >= before, "no step back"
            self.states[number] = record.state
            was_active = record.start_count == 1
            assert record.start_count in (0, 1)
            assert was_active or record.state is not SafeState.ACTIVE
            assert (record.result is SafeResult.NONE) is record.live
            if record.result is SafeResult.NEVER_STARTED:
                assert not was_active
            if not record.live:
                came_to = record.result, record.reason
                if number not in self.ended:
                    self.ended[number] = came_to
                    self.is_safe(record)
                assert self.ended[number] == came_to, "an end is an end"
        live = [record for record in self.records if record.live]
        assert len(live) <= 1
        self.nothing_is_left(live)
        order = self.mary.order
        assert (order.session, order.instruction_count) == (self.session, self.instructions)
        assert self.mary.movement.generation >= self.generation
        self.generation = self.mary.movement.generation
        self.order_keeps_its_hold()

    def is_safe(self, record: SafeResponse) -> None:
        here = self.mary.position
        if record.result is SafeResult.SUCCEEDED:
            assert all(
                math.hypot(here.x - one.at.x, here.y - one.at.y) > one.safe_cm
                for one in record.threats
            )

    def nothing_is_left(self, live: list[SafeResponse]) -> None:
        claims = self.world.movement.claims.held(self.mary.slot)
        mine = [one.tag for one in claims if one.owner_kind is ClaimOwner.SAFE_RESPONSE]
        active = [one.tag for one in live if one.state is SafeState.ACTIVE]
        assert mine == active
        if not live:
            assert EventType.SAFE_RESPONSE not in self.mary.events.own_responses
            assert not [
                one
                for one in self.mary.events.group.queue.entries
                if one.event_type == EventType.SAFE_RESPONSE and not one.expired
            ]

    def order_keeps_its_hold(self) -> None:
        order = self.mary.order
        assert self.held or order.status is not OrderStatus.WAITING_FOR_SIGNAL
        slots = self.mary.tasks.tree(PRIMARY).slots
        alone = slots[PrimarySlot.EVENT_RESPONSE_NONTEMP] is None
        if (
            self.held
            and alone
            and self.mary.movement.owner is not None
            and self.mary.movement.suspend is SuspendReason.NONE
            and self.mary.movement.owner.source == self.source
            and order.live
        ):
            assert self.mary.movement.command_hold
            assert self.mary.movement.measured_speed == 0.0

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.mary.tasks_suppressed = False
            for marker in self.markers:
                self.world.objects.destroy_marker(marker)
            for _ in range(3):
                self.world.step()
            assert all(not record.live for record in self.records), "its sources are gone"
            assert self.world.objects.marker_count <= 1, "but for where an order leads"
            self.world.close()
            assert self.world.pool.used == 0
            assert self.world.events.budget.used == 0


TestSafeResponses = SafeMachine.TestCase
TestSafeResponses.__doc__ = """SAFE-01, SAFE-03, SAFE-06, SAFE-09, SAFE-11, SAFE-12, LVL-31."""
TestSafeResponses.settings = settings(
    max_examples=25, stateful_step_count=14, deadline=None, derandomize=True
)
