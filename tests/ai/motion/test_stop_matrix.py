"""Stop reasons kept apart (NAV-21, NAV-22): seven of them, set and released in every combination.

Every case is a ped of its own with the real walk update around it, so that
"stands still" means what it says: executor displacement of exactly 0.0. Many cases
share a world; their peds stand too far apart to meet.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain, combinations, permutations

import pytest

from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import ClipPhase, MoveStatus, SuspendReason
from ai.ports import STEP_S, at_least
from tests.ai.motion.plain_world import PlainGround, box
from tests.ai.motion.walk_world import WalkingPed, WalkWorld

APART_CM = 150.0
AHEAD_CM = 20_000.0
STUMBLE_PRIORITY = 80


class Stop(Enum):
    """The seven independent reasons, each with its bit if it is a suspension."""

    COMMAND_HOLD = SuspendReason.NONE
    TIMED_STAND = None
    BODY = SuspendReason.BODY
    HIGHER_MOVE = SuspendReason.HIGHER_MOVE
    FOREIGN_MAIN = SuspendReason.FOREIGN_MAIN
    SUPPRESSED = SuspendReason.SUPPRESSED
    VEHICLE = SuspendReason.VEHICLE


SUSPENSIONS = tuple(stop for stop in Stop if stop.value)
SUBSETS = tuple(chain.from_iterable(combinations(Stop, size) for size in range(8)))


def body_first(stops: tuple[Stop, ...]) -> Iterator[Stop]:
    """The order in which a subset is set: the fall comes first."""
    return iter(sorted(stops, key=lambda stop: stop is not Stop.BODY))


class Crowd(WalkWorld):
    """``count`` peds on a wide plain, each on its way along x."""

    def __init__(self, count: int) -> None:
        super().__init__(ground=PlainGround.of(box(0.0, 0.0, 1e6, 1e6)), capacity=count)
        for number in range(count):
            self.spawn(0.0, (number - count // 2) * APART_CM)
            self.redirect(self.peds[number], AHEAD_CM)
        self.tick(3)
        assert all(ped.record.status is MoveStatus.WALKING for ped in self.peds)

    def redirect(self, ped: WalkingPed, x: float) -> None:
        ped.request((x, ped.xy[1]))

    def set(self, ped: WalkingPed, stop: Stop, stand_s: float = 60.0) -> None:
        """Set one reason through the public face."""
        if stop is Stop.COMMAND_HOLD:
            ped.record.hold()
        elif stop is Stop.TIMED_STAND:
            ped.record.stand(stand_s)
        elif stop is Stop.HIGHER_MOVE:
            self.system.claims.take(ped.slot, STUMBLE_PRIORITY, ClaimOwner.STUMBLE, None, 1)
        else:
            self.coordination.set_reason(ped.slot, stop.value, True)

    def release(self, ped: WalkingPed, stop: Stop) -> None:
        """The one event that releases a reason; a timed stand has its deadline instead."""
        if stop is Stop.COMMAND_HOLD:
            ped.record.release_hold()
        elif stop is Stop.HIGHER_MOVE:
            self.system.claims.release(ped.slot, ClaimOwner.STUMBLE, 1)
        elif stop is not Stop.TIMED_STAND:
            self.coordination.set_reason(ped.slot, stop.value, False)

    def stops_of(self, ped: WalkingPed) -> set[Stop]:
        """What keeps a ped from moving, as its record says."""
        record = ped.record
        stops = {stop for stop in SUSPENSIONS if stop.value & record.suspend}
        if record.command_hold:
            stops.add(Stop.COMMAND_HOLD)
        if record.stand_until is not None:
            stops.add(Stop.TIMED_STAND)
        return stops

    def moved_in(self, ticks: int) -> list[bool]:
        """Which peds have moved at all in so many ticks; looked at after each of them."""
        start = [ped.xy for ped in self.peds]
        moved = [False] * len(self.peds)
        for _ in range(ticks):
            self.tick()
            for number, ped in enumerate(self.peds):
                moved[number] |= ped.xy != start[number]
        return moved


# -- every subset, every single release ----------------------------------------------


@pytest.mark.parametrize("released", Stop, ids=lambda stop: stop.name)
def test_one_release_clears_exactly_its_own_reason(released: Stop) -> None:
    """NAV-21, NAV-22: all 128 subsets; 60 ticks of exactly 0.0 unless nothing is left."""
    stand_s = 2.0
    crowd = Crowd(len(SUBSETS))
    for ped, stops in zip(crowd.peds, SUBSETS, strict=True):
        for stop in body_first(stops):
            crowd.set(ped, stop, stand_s if released is Stop.TIMED_STAND else 60.0)
    moved = crowd.moved_in(100)
    assert moved == [not stops for stops in SUBSETS]
    for ped, stops in zip(crowd.peds, SUBSETS, strict=True):
        assert crowd.stops_of(ped) == set(stops)

    if released is Stop.TIMED_STAND:
        crowd.tick(20)
    for ped in crowd.peds:
        crowd.release(ped, released)
    crowd.coordination.coordinate()
    left = [set(stops) - {released} for stops in SUBSETS]
    assert [crowd.stops_of(ped) for ped in crowd.peds] == left
    assert crowd.moved_in(60) == [not stops for stops in left]
    assert [crowd.stops_of(ped) for ped in crowd.peds] == left


# -- every order of releases ----------------------------------------------------------

ORDERS = tuple(chain.from_iterable(permutations(Stop, size) for size in range(5)))
PHASE_TICKS = 6


@pytest.mark.parametrize("cancelled", [False, True], ids=["live", "cancelled"])
def test_the_last_release_of_any_order_sets_a_live_ped_walking(cancelled: bool) -> None:
    """NAV-22: all orders of every subset of up to 4; a cancelled intent never moves again."""
    crowd = Crowd(len(ORDERS))
    for ped, order in zip(crowd.peds, ORDERS, strict=True):
        for stop in body_first(order):
            due = (order.index(stop) + 1) * PHASE_TICKS * STEP_S
            crowd.set(ped, stop, due)
        if cancelled:
            ped.record.cancel()
            crowd.set_again(ped, order) if Stop.COMMAND_HOLD in order else None
    assert not any(
        moved
        for moved, order in zip(crowd.moved_in(PHASE_TICKS), ORDERS, strict=True)
        if order or cancelled
    )
    for phase in range(4):
        for ped, order in zip(crowd.peds, ORDERS, strict=True):
            if phase < len(order):
                crowd.release(ped, order[phase])
        moved = crowd.moved_in(PHASE_TICKS)
        for number, (ped, order) in enumerate(zip(crowd.peds, ORDERS, strict=True)):
            assert crowd.stops_of(ped) == set(order[phase + 1 :]), order
            assert moved[number] is (len(order) <= phase + 1 and not cancelled), order
