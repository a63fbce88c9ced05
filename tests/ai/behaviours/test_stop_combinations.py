"""Who may end which stop: hold, timed stand, blocked way, external task, knock-down, combined.

NAV-21's "must not clear" as one table, the oracle of every case here: each subset of
the five is set on a ped of its own that walks under an order, then events come that
each may end some of them. All reasons come about as in play, by commands, tasks and
things; the body alone is held down by hand, so that the order of releases is the test's.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from enum import Enum, auto
from itertools import chain, combinations, permutations

import pytest

from ai.behaviours.order_commands import (
    CancelOrder,
    ContinueOrder,
    HoldOrder,
    RedirectOrderTo,
    Refusal,
    StartOrderAt,
)
from ai.motion.movement_table import MoveStatus, SuspendReason
from ai.peds.ped import Ped
from ai.ports import STEP_S, Vec3
from ai.tasks.trees import PRIMARY
from game.world.world import World
from tests.ai.behaviours.courier import NONTEMP, PHYSICAL
from tests.ai.behaviours.stand_ins import Faller, Idler, respond
from tests.streets import barrier, pavement, perform, person, steps, street, thing

APART_CM = 300.0
PER_COLUMN = 30
COLUMN_CM = 1600.0
PHASE_STEPS = 14
"""Enough to get a new path and begin to walk, and far too few for a blocked way to be given up."""

LONG_S = 500.0
TOUCH_CM = 1e-4


class Stop(Enum):
    """Why a ped stands."""

    HOLD = auto()
    STAND = auto()
    BLOCKED = auto()
    EXTERNAL = auto()
    DOWN = auto()


class Event(Enum):
    """What may end a stop."""

    CONTINUE = auto()
    DEADLINE = auto()
    WAY_FREE = auto()
    TASK_ENDS = auto()
    BODY_UP = auto()
    REDIRECT = auto()
    CANCEL = auto()


CLEARS: dict[Event, frozenset[Stop]] = {
    Event.CONTINUE: frozenset({Stop.HOLD}),
    Event.DEADLINE: frozenset({Stop.STAND}),
    Event.WAY_FREE: frozenset({Stop.BLOCKED}),
    Event.TASK_ENDS: frozenset({Stop.EXTERNAL}),
    Event.BODY_UP: frozenset({Stop.DOWN}),
    Event.REDIRECT: frozenset({Stop.HOLD, Stop.STAND}),
    Event.CANCEL: frozenset({Stop.HOLD}),
}
"""Who may clear what (NAV-21); whatever is not here stays as it was."""

REFUSED_BY_EXTERNAL = frozenset({Event.CONTINUE, Event.REDIRECT})
"""While an event response interrupts the order, these are refused and clear nothing (ORD-19)."""

RELEASE = {
    Stop.HOLD: Event.CONTINUE,
    Stop.STAND: Event.DEADLINE,
    Stop.BLOCKED: Event.WAY_FREE,
    Stop.EXTERNAL: Event.TASK_ENDS,
    Stop.DOWN: Event.BODY_UP,
}
"""The event of its own that each stop has."""

SUBSETS = tuple(chain.from_iterable(combinations(Stop, size) for size in range(6)))
PAIRS = tuple(permutations(Stop, 2))
TRIPLES = tuple(random.Random(20).sample(tuple(permutations(Stop, 3)), 30))


def left_after(stops: set[Stop], event: Event) -> set[Stop]:
    """The oracle: what stands after an event."""
    if event in REFUSED_BY_EXTERNAL and Stop.EXTERNAL in stops:
        return set(stops)
    return stops - CLEARS[event]


class Lanes:
    """One ped a case, each in a lane of its own, all under orders to walk east."""

    def __init__(self, count: int) -> None:
        columns = -(-count // PER_COLUMN)
        width, height = columns * COLUMN_CM + 1200.0, PER_COLUMN * APART_CM + 400.0
        people = tuple(
            person(
                10 + number,
                f"p{number}",
                100.0 + COLUMN_CM * (number // PER_COLUMN),
                200.0 + APART_CM * (number % PER_COLUMN),
            )
            for number in range(count)
        )
        level = street(peds=people, surfaces=(pavement(width, height),))
        level = replace(level, width_cm=width, height_cm=height)
        self.world = World(level, strict=True, ped_capacity=count)
        self.peds = self.world.peds.in_id_order()
        source = self.world.sources.create("lanes")
        for ped in self.peds:
            goal = Vec3(ped.position.x + 1200.0, ped.position.y)
            assert perform(self.world, StartOrderAt(ped.ref, goal, source)).accepted
        steps(self.world, 30)
        assert all(ped.movement.status is MoveStatus.WALKING for ped in self.peds)

    def set(self, number: int, stops: Iterable[Stop], stand_s: float = LONG_S) -> None:
        """Bring stops about; a hold first, as it is refused to an order that is interrupted."""
        ped = self.peds[number]
        for stop in sorted(stops, key=lambda one: one.value):
            match stop:
                case Stop.HOLD:
                    assert perform(self.world, HoldOrder(ped.ref, ped.order.session)).accepted
                case Stop.STAND:
                    ped.movement.stand(stand_s)
                case Stop.BLOCKED:
                    x = ped.position.x + 40.0 + TOUCH_CM
                    plank = barrier(5000 + number, x, ped.position.y, nav_block=False)
                    self.world.things.spawn(plank)
                case Stop.EXTERNAL:
                    respond(ped, Idler(), NONTEMP)
                case Stop.DOWN:
                    respond(ped, Faller(), PHYSICAL)
                    self._body(ped, down=True)

    def bring(self, number: int, event: Event, *, interrupted: bool) -> None:
        """Let an event happen to a ped."""
        ped, session = self.peds[number], self.peds[number].order.session
        match event:
            case Event.CONTINUE:
                reply = perform(self.world, ContinueOrder(ped.ref, session))
                assert (reply.reason is Refusal.INTERRUPTED) is interrupted
            case Event.REDIRECT:
                goal = Vec3(ped.position.x + 1000.0, ped.position.y)
                reply = perform(self.world, RedirectOrderTo(ped.ref, session, goal))
                assert (reply.reason is Refusal.INTERRUPTED) is interrupted
            case Event.CANCEL:
                assert perform(self.world, CancelOrder(ped.ref, session)).accepted
            case Event.DEADLINE:
                pass  # the clock's own
            case Event.WAY_FREE:
                plank = self.world.things.by_name(f"barrier{5000 + number}")
                if plank is not None:
                    self.world.things.request_removal(plank.ref)
            case Event.TASK_ENDS:
                ped.tasks.set_task(PRIMARY, None, NONTEMP)
            case Event.BODY_UP:
                self._body(ped, down=False)
                ped.tasks.set_task(PRIMARY, None, PHYSICAL)

    def stops_of(self, number: int) -> set[Stop]:
        """What stands, read off the records and the street."""
        movement = self.peds[number].movement
        found = set()
        if movement.command_hold:
            found.add(Stop.HOLD)
        if movement.stand_until is not None:
            found.add(Stop.STAND)
        if self.world.things.by_name(f"barrier{5000 + number}") is not None:
            found.add(Stop.BLOCKED)
        if SuspendReason.FOREIGN_MAIN in movement.suspend:
            found.add(Stop.EXTERNAL)
        if SuspendReason.BODY in movement.suspend:
            found.add(Stop.DOWN)
        return found

    def who_moved(self, count: int) -> list[bool]:
        """Step on; who was anywhere else meanwhile."""
        start = [ped.position for ped in self.peds]
        moved = [False] * len(self.peds)
        for _ in range(count):
            self.world.step()
            for number, ped in enumerate(self.peds):
                moved[number] |= ped.position != start[number]
        return moved

    def _body(self, ped: Ped, *, down: bool) -> None:
        self.world.coordination.set_reason(ped.slot, SuspendReason.BODY, down)


@pytest.mark.parametrize("event", Event, ids=lambda event: event.name.lower())
def test_an_event_ends_its_own_stops_in_every_subset(event: Event) -> None:
    """NAV-21, NAV-22, ORD-10 to ORD-13: all 32 subsets; exactly what the table says goes.

    A ped moves if and only if nothing stops it any more and its order was not cancelled.
    """
    lanes = Lanes(len(SUBSETS))
    stand_s = (PHASE_STEPS + 1) * STEP_S if event is Event.DEADLINE else LONG_S
    for number, stops in enumerate(SUBSETS):
        lanes.set(number, stops, stand_s)
    assert lanes.who_moved(PHASE_STEPS) == [not stops for stops in SUBSETS]
    for number, stops in enumerate(SUBSETS):
        assert lanes.stops_of(number) == set(stops)
        if event is not Event.CONTINUE or Stop.HOLD in stops:
            lanes.bring(number, event, interrupted=Stop.EXTERNAL in stops)
    steps(lanes.world, 2)
    moved = lanes.who_moved(PHASE_STEPS)
    for number, stops in enumerate(SUBSETS):
        left = left_after(set(stops), event)
        assert lanes.stops_of(number) == left, stops
        assert moved[number] is (not left and event is not Event.CANCEL), stops


@pytest.mark.parametrize("cases", [PAIRS, TRIPLES], ids=["all pairs", "30 of 60 triples"])
def test_releases_in_every_order_end_one_stop_each(cases: tuple[tuple[Stop, ...], ...]) -> None:
    """NAV-22: each pair and sampled triples, released in the order of the case.

    The last release lets the ped walk, none before does. Continue is refused while the
    external task is there; then the hold outlasts all of it.
    """
    lanes = Lanes(len(cases))
    size = len(cases[0])
    for number, case in enumerate(cases):
        due = case.index(Stop.STAND) + 1 if Stop.STAND in case else 0
        lanes.set(number, case, due * PHASE_STEPS * STEP_S)
    left = [set(case) for case in cases]
    assert not any(lanes.who_moved(PHASE_STEPS - 2))
    for phase in range(size):
        for number, case in enumerate(cases):
            event = RELEASE[case[phase]]
            lanes.bring(number, event, interrupted=Stop.EXTERNAL in left[number])
            left[number] = left_after(left[number], event)
        steps(lanes.world, 3)
        moved = lanes.who_moved(PHASE_STEPS - 3)
        for number, case in enumerate(cases):
            assert lanes.stops_of(number) == left[number], (case, phase)
            assert moved[number] is (not left[number]), (case, phase)


def test_a_thing_in_the_way_is_there() -> None:
    """The table's BLOCKED is a thing in the way and nothing else: a lone one grows the timer."""
    lanes = Lanes(1)
    lanes.set(0, [Stop.BLOCKED])
    assert thing(lanes.world, "barrier5000")
    steps(lanes.world, 10)
    assert lanes.peds[0].movement.blocked_time == pytest.approx(10 * STEP_S)
