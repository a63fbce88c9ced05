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
from ai.motion.execution import ReplanKind
from ai.motion.movement_table import ClipPhase, MoveStatus, SuspendReason
from ai.motion.recovery.phases import Fallible
from ai.motion.recovery.recovery import Recovery
from ai.motion.recovery.standing_room import StandingRoom
from ai.motion.recovery.tuning import KnockdownTuning
from ai.ports import STEP_S, BodyPart, EntityRef, Vec3, at_least
from ai.tuning import load_own_form
from game import resources
from tests.ai.motion.plain_world import PlainGround, box
from tests.ai.motion.walk_world import WalkingPed, WalkWorld
from tests.recovery_doubles import StubSim

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


@dataclass
class BodyOf:
    """A ped as its recovery sees it."""

    slot: int
    ped_id: int
    retired: bool = False
    tasks_suppressed: bool = False
    vehicle_link: EntityRef | None = None


class NoTasks:
    """Nobody mirrors a body: movement records alone are looked at here."""

    def body_taken(self, ped: Fallible) -> None:
        """A body went limp."""

    def body_rising(self, ped: Fallible, session: int) -> None:
        """A body rises."""

    def body_complete(self, ped: Fallible) -> None:
        """A body stands."""

    def keep(self, ped: Fallible) -> None:
        """A body is down."""


def recovery_over(world: WalkWorld) -> Recovery:
    """A recovery whose bodies stay down until they are told (NAV-22)."""
    tuning = load_own_form(resources.tuning() / "knockdown.toml", KnockdownTuning)
    room = StandingRoom(
        world.table, world.ground, world.clearance, tuning.ground, tuning.stand, 30.0
    )
    return Recovery(
        world.system, world.coordination, StubSim(), room, NoTasks(), tuning, world.facts
    )


class Crowd(WalkWorld):
    """``count`` peds on a wide plain, each on its way along x."""

    def __init__(self, count: int) -> None:
        super().__init__(ground=PlainGround.of(box(0.0, 0.0, 1e6, 1e6)), capacity=count)
        self.recovery = recovery_over(self)
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
        elif stop is Stop.BODY:
            if self.recovery.record(ped.slot) is None:
                failed = self.recovery.go_limp(
                    BodyOf(ped.slot, int(self.table.ped_id[ped.slot])),
                    Vec3(15000.0, 0.0),
                    BodyPart.CHEST,
                    None,
                )
                assert failed is None
        else:
            self.coordination.set_reason(ped.slot, stop.value, True)

    def release(self, ped: WalkingPed, stop: Stop) -> None:
        """The one event that releases a reason; a timed stand has its deadline instead."""
        if stop is Stop.COMMAND_HOLD:
            ped.record.release_hold()
        elif stop is Stop.HIGHER_MOVE:
            self.system.claims.release(ped.slot, ClaimOwner.STUMBLE, 1)
        elif stop is Stop.BODY:
            self.recovery.abort(ped.slot)
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
        if cancelled:
            ped.record.cancel()
        for stop in body_first(order):
            due_s = (order.index(stop) + 1) * PHASE_TICKS * STEP_S
            crowd.set(ped, stop, due_s)
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


# -- what must not clear a reason --------------------------------------------------------


def continue_(crowd: Crowd, ped: WalkingPed) -> None:
    ped.record.release_hold()


def redirect(crowd: Crowd, ped: WalkingPed) -> None:
    crowd.redirect(ped, AHEAD_CM / 2)


def cancel(crowd: Crowd, ped: WalkingPed) -> None:
    ped.record.cancel()


def fall_and_rise(crowd: Crowd, ped: WalkingPed) -> None:
    crowd.set(ped, Stop.BODY)
    crowd.tick()
    crowd.release(ped, Stop.BODY)


def stand_out(crowd: Crowd, ped: WalkingPed) -> None:
    crowd.set(ped, Stop.TIMED_STAND, STEP_S)


def new_path(crowd: Crowd, ped: WalkingPed) -> None:
    ped.record.replan(ReplanKind.RETRY)


def speed_up(crowd: Crowd, ped: WalkingPed) -> None:
    ped.record.desired_speed = 330.0


Event = Callable[[Crowd, WalkingPed], None]
MUST_NOT_CLEAR: dict[Stop, tuple[Event, ...]] = {
    Stop.COMMAND_HOLD: (new_path, fall_and_rise, stand_out, speed_up),
    Stop.TIMED_STAND: (continue_, cancel, fall_and_rise),
    **dict.fromkeys(SUSPENSIONS, (continue_, redirect, cancel)),
}


@pytest.mark.parametrize(
    ("stop", "event"),
    [(stop, event) for stop, events in MUST_NOT_CLEAR.items() for event in events],
    ids=lambda value: value.name if isinstance(value, Stop) else value.__name__,
)
def test_the_event_does_not_clear_the_reason(stop: Stop, event: Event) -> None:
    """NAV-21: the "must not clear" column, section 12 (1) to (3)."""
    crowd = Crowd(1)
    ped = crowd.peds[0]
    crowd.set(ped, stop)
    crowd.tick()
    event(crowd, ped)
    assert not any(crowd.moved_in(30))
    assert stop in crowd.stops_of(ped)


def test_waiting_for_a_path_is_not_ended_by_a_continue() -> None:
    """NAV-21: set by request_goal, cleared by accept_path."""
    crowd = Crowd(1)
    ped = crowd.peds[0]
    crowd.redirect(ped, AHEAD_CM / 2)
    ped.record.hold()
    ped.record.release_hold()
    assert ped.record.status is MoveStatus.WAITING_PATH
    assert not any(crowd.moved_in(2))


def test_being_blocked_is_not_ended_by_a_continue() -> None:
    """NAV-21, ORD-10: the timers freeze under the hold and go on after it."""
    crowd = Crowd(1)
    ped = crowd.peds[0]
    x, y = ped.xy
    crowd.clearance.add(box(x + 50.0, y, 20.0, 1000.0))
    crowd.tick(60)
    blocked = ped.record.blocked_time
    assert blocked > 0.0
    ped.record.hold()
    crowd.tick(200)
    ped.record.release_hold()
    assert ped.record.blocked_time == blocked
    crowd.tick()
    assert ped.record.blocked_time == blocked + STEP_S


@pytest.mark.parametrize("stop", [stop for stop in Stop if stop is not Stop.TIMED_STAND])
def test_a_turn_is_not_ended_by_any_release(stop: Stop) -> None:
    """NAV-21: turning ends with the turn or a new goal; a release of nothing ends nothing."""
    crowd = Crowd(1)
    ped = crowd.peds[0]
    crowd.redirect(ped, -AHEAD_CM)
    crowd.tick(4)
    assert ped.clip.phase is ClipPhase.TURN
    before = ped.clip
    crowd.release(ped, stop)
    crowd.coordination.coordinate()
    assert ped.clip == before


# -- random sequences against a reference model ----------------------------------------

SEQUENCES = 2000
PEDS_AT_A_TIME = 500
OPERATIONS = 30
TICKS_BETWEEN = 4


@dataclass
class Model:
    """What the rules say of one ped, without clips, paths or positions.

    ``step`` and ``generation`` count from the start of the sequence.
    """

    held: bool = False
    stand_until_s: float | None = None
    wanted: set[Stop] = field(default_factory=set)
    suspended_by: set[Stop] = field(default_factory=set)
    live: bool = True
    generation: int = 0

    @property
    def stops(self) -> set[Stop]:
        stops = set(self.suspended_by)
        if self.held:
            stops.add(Stop.COMMAND_HOLD)
        if self.stand_until_s is not None:
            stops.add(Stop.TIMED_STAND)
        return stops

    def set(self, stop: Stop, until_s: float) -> None:
        if stop is Stop.COMMAND_HOLD:
            self.held = True
        elif stop is Stop.TIMED_STAND:
            self.stand_until_s = until_s
        else:
            self.wanted.add(stop)

    def release(self, stop: Stop) -> None:
        if stop is Stop.COMMAND_HOLD:
            self.held = False
        else:
            self.wanted.discard(stop)

    def redirect(self) -> None:
        self.live, self.held, self.stand_until_s = True, False, None
        self.generation += 1

    def cancel(self) -> None:
        if self.live:
            self.live, self.held = False, False
            self.generation += 1

    def coordinate(self, time_s: float) -> None:
        if self.stand_until_s is not None and at_least(time_s, self.stand_until_s):
            self.stand_until_s = None
        first_bit = self.wanted and not self.suspended_by
        last_bit_gone = self.suspended_by and not self.wanted
        if first_bit or (last_bit_gone and self.live):
            self.generation += 1
        self.suspended_by = set(self.wanted)


def operate(rng: random.Random, crowd: Crowd, ped: WalkingPed, model: Model) -> None:
    """One random operation on a ped and on its model.

    Releases of what is set are drawn more often than settings, so that many
    sequences pass through states in which nothing stops the ped.
    """
    draw = rng.random()
    if draw < 0.08:
        model.redirect()
        crowd.redirect(ped, AHEAD_CM * rng.uniform(0.5, 1.0))
    elif draw < 0.13:
        model.cancel()
        ped.record.cancel()
    elif draw < 0.45:
        stop = rng.choice(list(Stop))
        stand_s = rng.randrange(1, 20) * STEP_S
        model.set(stop, crowd.clock.time_s + stand_s)
        crowd.set(ped, stop, stand_s)
    else:
        stop = rng.choice([*model.stops] or list(Stop)) if draw < 0.8 else rng.choice(list(Stop))
        model.release(stop)
        crowd.release(ped, stop)


@pytest.mark.parametrize("part", range(SEQUENCES // PEDS_AT_A_TIME))
def test_random_sequences_agree_with_the_reference_model(part: int) -> None:
    """NAV-22: 2,000 seeded sequences of 30 set, release, redirect and cancel operations.

    Reasons, intent and generation agree after every operation; a stopped or
    cancelled ped has moved by exactly 0.0, any other has moved.
    """
    rng = random.Random(22_000 + part)
    crowd = Crowd(PEDS_AT_A_TIME)
    models = [Model() for _ in crowd.peds]
    started = [ped.record.generation for ped in crowd.peds]
    walked = stood = 0
    for _ in range(OPERATIONS):
        for ped, model in zip(crowd.peds, models, strict=True):
            operate(rng, crowd, ped, model)
        start = [ped.xy for ped in crowd.peds]
        free_ticks = [0] * len(models)
        for _ in range(TICKS_BETWEEN):
            for number, model in enumerate(models):
                model.coordinate(crowd.clock.time_s)
                free_ticks[number] += model.live and not model.stops
            crowd.tick()
        for number, (ped, model) in enumerate(zip(crowd.peds, models, strict=True)):
            assert crowd.stops_of(ped) == model.stops
            assert ped.record.live is model.live
            assert ped.record.generation - started[number] == model.generation
            if free_ticks[number] == 0:
                assert ped.xy == start[number]
                stood += 1
            elif free_ticks[number] == TICKS_BETWEEN:
                assert ped.xy != start[number]
                walked += 1
    assert min(walked, stood) > 2 * PEDS_AT_A_TIME
