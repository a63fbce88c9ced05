"""Reasons to stand, set and released through whole peds, in every order (NAV-21, NAV-22).

The stop matrix of ``tests/ai/motion`` proves the records; here each reason comes
about as it does in play: by a command, a fall, a claim, a response, a flag. Many
cases share a world; their peds walk side by side and never meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum, auto
from itertools import chain, combinations, permutations

import pytest

from ai.behaviours.order_commands import (
    CancelOrder,
    ContinueOrder,
    HoldOrder,
    Refusal,
    StartOrderAt,
)
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import MoveStatus, SuspendReason
from ai.peds.ped import Ped
from ai.ports import STEP_S, Vec3
from ai.tasks.trees import PRIMARY
from game.world.world import World
from tests.ai.behaviours.courier import NONTEMP, PHYSICAL
from tests.ai.behaviours.stand_ins import Faller, Idler, respond
from tests.streets import pavement, perform, person, steps, street

APART_CM = 150.0
PER_COLUMN = 40
COLUMN_CM = 1500.0
PHASE_STEPS = 12
"""Enough to get a new path and begin to walk."""


class Stop(Enum):
    """The seven independent reasons of NAV-22."""

    COMMAND_HOLD = auto()
    TIMED_STAND = auto()
    BODY = auto()
    HIGHER_MOVE = auto()
    FOREIGN_MAIN = auto()
    SUPPRESSED = auto()
    VEHICLE = auto()


BITS = {
    Stop.BODY: SuspendReason.BODY,
    Stop.HIGHER_MOVE: SuspendReason.HIGHER_MOVE,
    Stop.FOREIGN_MAIN: SuspendReason.FOREIGN_MAIN,
    Stop.SUPPRESSED: SuspendReason.SUPPRESSED,
    Stop.VEHICLE: SuspendReason.VEHICLE,
}
ORDERS = tuple(chain.from_iterable(permutations(Stop, size) for size in range(4)))
SUBSETS = tuple(chain.from_iterable(combinations(Stop, size) for size in range(8)))


class Parade:
    """One ped a case, all of them under orders to walk east."""

    def __init__(self, count: int) -> None:
        columns = -(-count // PER_COLUMN)
        width, height = columns * COLUMN_CM + 1000.0, PER_COLUMN * APART_CM + 200.0
        people = tuple(
            person(
                10 + number,
                f"p{number}",
                100.0 + COLUMN_CM * (number // PER_COLUMN),
                100.0 + APART_CM * (number % PER_COLUMN),
            )
            for number in range(count)
        )
        level = street(peds=people, surfaces=(pavement(width, height),))
        self.world = World(
            replace(level, width_cm=width, height_cm=height), strict=True, ped_capacity=count
        )
        self.peds = self.world.peds.in_id_order()
        source = self.world.sources.create("parade")
        for ped in self.peds:
            goal = Vec3(ped.position.x + 1200.0, ped.position.y)
            assert perform(self.world, StartOrderAt(ped.ref, goal, source)).accepted
        steps(self.world, 6)
        assert all(ped.movement.status is MoveStatus.WALKING for ped in self.peds)

    def set(self, ped: Ped, stop: Stop, stand_s: float) -> None:
        if stop is Stop.COMMAND_HOLD:
            assert perform(self.world, HoldOrder(ped.ref, ped.order.session)).accepted
        elif stop is Stop.TIMED_STAND:
            ped.movement.stand(stand_s)
        elif stop is Stop.BODY:
            respond(ped, Faller(), PHYSICAL)
            self.world.coordination.set_reason(ped.slot, SuspendReason.BODY, True)
        elif stop is Stop.HIGHER_MOVE:
            assert self.world.movement.claims.take(ped.slot, 80, ClaimOwner.STUMBLE, None, 1)
        elif stop is Stop.FOREIGN_MAIN:
            respond(ped, Idler(), NONTEMP)
        elif stop is Stop.SUPPRESSED:
            ped.tasks_suppressed = True
        else:
            ped.vehicle_link = ped.ref

    def release(self, ped: Ped, stop: Stop) -> bool:
        """The one event that releases a reason; False if it was refused."""
        if stop is Stop.COMMAND_HOLD:
            reply = perform(self.world, ContinueOrder(ped.ref, ped.order.session))
            assert reply.reason in (
                Refusal.NONE,
                Refusal.INTERRUPTED,
                Refusal.NOT_WAITING,
                Refusal.SESSION_ENDED,
            )
            return reply.accepted
        if stop is Stop.BODY:
            self.world.coordination.set_reason(ped.slot, SuspendReason.BODY, False)
            ped.tasks.set_task(PRIMARY, None, PHYSICAL)
        elif stop is Stop.HIGHER_MOVE:
            self.world.movement.claims.release(ped.slot, ClaimOwner.STUMBLE, 1)
        elif stop is Stop.FOREIGN_MAIN:
            ped.tasks.set_task(PRIMARY, None, NONTEMP)
        elif stop is Stop.SUPPRESSED:
            ped.tasks_suppressed = False
        elif stop is Stop.VEHICLE:
            ped.vehicle_link = None
        return True

    def stops_of(self, ped: Ped) -> set[Stop]:
        movement = ped.movement
        stops = {stop for stop, bit in BITS.items() if bit & movement.suspend}
        if movement.command_hold:
            stops.add(Stop.COMMAND_HOLD)
        if movement.stand_until is not None:
            stops.add(Stop.TIMED_STAND)
        return stops

    def moved_in(self, count: int) -> list[bool]:
        start = [ped.position for ped in self.peds]
        moved = [False] * len(self.peds)
        for _ in range(count):
            self.world.step()
            for number, ped in enumerate(self.peds):
                moved[number] |= ped.position != start[number]
        return moved


def commands_first(stops: tuple[Stop, ...]) -> Iterator[Stop]:
    """A hold is refused to an interrupted order, so it is given first."""
    return iter(sorted(stops, key=lambda stop: stop is not Stop.COMMAND_HOLD))


@pytest.mark.parametrize("cancelled", [False, True], ids=["live", "cancelled"])
def test_releases_in_any_order_clear_one_reason_each(cancelled: bool) -> None:
    """NAV-22: all orders of every subset of up to 3, through whole peds.

    A cancelled intent never produces displacement. Continue is refused while a
    response interrupts the order: then the hold stays (ORD-19).
    """
    parade = Parade(len(ORDERS))
    for ped, order in zip(parade.peds, ORDERS, strict=True):
        for stop in commands_first(order):
            parade.set(ped, stop, (order.index(stop) + 1) * PHASE_STEPS * STEP_S)
    steps(parade.world, 1)
    left = [set(order) for order in ORDERS]
    if cancelled:
        for ped, stops in zip(parade.peds, left, strict=True):
            assert perform(parade.world, CancelOrder(ped.ref, ped.order.session)).accepted
            stops.discard(Stop.COMMAND_HOLD)
        steps(parade.world, 1)
    used = 2 if cancelled else 1
    moved = parade.moved_in(PHASE_STEPS - used)
    for number, ped in enumerate(parade.peds):
        assert moved[number] is (not left[number] and not cancelled)
        assert parade.stops_of(ped) == left[number], ORDERS[number]
    for phase in range(3):
        for ped, order, stops in zip(parade.peds, ORDERS, left, strict=True):
            if phase < len(order):
                released = parade.release(ped, order[phase])
                assert released or Stop.FOREIGN_MAIN in stops or cancelled
                if released:
                    stops.discard(order[phase])
        moved = parade.moved_in(PHASE_STEPS)
        for number, ped in enumerate(parade.peds):
            assert parade.stops_of(ped) == left[number], ORDERS[number]
            assert moved[number] is (not left[number] and not cancelled), ORDERS[number]


def test_every_subset_stands_and_one_release_clears_its_own_reason() -> None:
    """NAV-21, NAV-22: all 128 subsets; the last reason of each is released, the others stay."""
    parade = Parade(len(SUBSETS))
    for ped, stops in zip(parade.peds, SUBSETS, strict=True):
        for stop in commands_first(stops):
            parade.set(ped, stop, 600.0)
    moved = parade.moved_in(30)
    assert moved == [not stops for stops in SUBSETS]
    left = []
    for ped, stops in zip(parade.peds, SUBSETS, strict=True):
        assert parade.stops_of(ped) == set(stops)
        released = stops[-1] if stops else None
        if released not in (None, Stop.TIMED_STAND):
            assert released is not None
            assert parade.release(ped, released)
        left.append(set(stops) - {released} if released is not Stop.TIMED_STAND else set(stops))
    moved = parade.moved_in(60)
    assert moved == [not stops for stops in left]
    assert [parade.stops_of(ped) for ped in parade.peds] == left
