"""Threats that join, that are cornered with, that many choose about at once (SAFE, FLEE, F31)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ai.behaviours.flee_task import TaskThreatResponse
from ai.behaviours.gesture_tasks import TaskCower
from ai.behaviours.order_commands import StartOrderAt
from ai.behaviours.order_record import OrderStatus
from ai.behaviours.safe_record import EventKey, SafeRefusal, SafeResponse, SafeResult, SafeState
from ai.events.decision_flags import FLEE_BIT
from ai.events.decision_maker import Decided, ResponseTaskDef
from ai.events.decision_trace import Reason
from ai.events.explain import explain
from ai.events.response_kinds import KINDS
from ai.events.shocking import ShockingEvent
from ai.events.types import EventType
from ai.motion.movement_table import MoveStatus
from ai.navigation.flee_desk import FleeDesk
from ai.navigation.flee_points import ThreatPoint, away_from
from ai.ports import Vec3
from ai.tasks.movement import ControlMovement
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world.description import LevelDescription
from game.world.world import World
from tests.ai.behaviours.test_safe_response import BEHIND, GOAL, SAFE, Flight, wide
from tests.ai.navigation.test_flee_points import TUNING
from tests.streets import barrier, ped_named, person, steps, street, until

NONTEMP = PrimarySlot.EVENT_RESPONSE_NONTEMP
FIRE = EventType.SHOCKING_FIRE


# -- joining ---------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", ["flee_from", "queue"])
def test_a_script_names_a_further_threat_of_a_flight_that_goes_on(entry: str) -> None:
    """SAFE-03, SAFE-11: it joins, by an event; one record, one start; everything goes with it."""
    flight = Flight()
    record = flight.running()
    steps(flight.world, 61)
    beside_goal = Vec3(GOAL[0] + 100.0, GOAL[1])
    if entry == "flee_from":
        reply = flight.desk.flee_from(flight.mary, (beside_goal,), 400.0)
    else:
        reply = flight.desk.queue(flight.mary, Vec3(9e3, 9e3), (beside_goal,), 400.0)
    assert reply is record
    assert flight.queued() == ["SAFE_RESPONSE"]
    flight.world.step()
    assert flight.queued() == []
    assert [threat.safe_cm for threat in record.threats] == [SAFE, 400.0]
    until(flight.world, lambda: record.reselect_count == 1, 60)
    flight.until_ended(record)
    assert (record.result, record.start_count) == (SafeResult.SUCCEEDED, 1)
    assert flight.distance(beside_goal) > 400.0
    steps(flight.world, 3)
    assert flight.world.objects.marker_count == 0
    flight.close()


def test_a_further_threat_is_checked_like_the_first() -> None:
    """SAFE-03: bad input and a source that is gone join nothing, and leave nothing behind."""
    flight = Flight()
    record = flight.running()
    gone = flight.world.objects.create_marker(Vec3(1.0, 1.0))
    flight.world.objects.destroy_marker(gone)
    markers = flight.world.objects.marker_count
    for spot, safe_cm, why in (
        (Vec3(1.0, 1.0), 5000.1, SafeRefusal.BAD_INPUT),
        (gone, SAFE, SafeRefusal.BAD_SOURCE),
    ):
        assert flight.desk.flee_from(flight.mary, (spot,), safe_cm) is why
    assert flight.desk.flee_from(
        flight.mary, (BEHIND,), SAFE, source=record.key.source, tag=int(record.key.tag)
    ) is SafeRefusal.ALREADY  # fmt: skip
    assert flight.world.objects.marker_count == markers
    assert (flight.queued(), len(record.threats)) == ([], 1)
    flight.world.close()


def test_a_joined_event_goes_back_with_the_response() -> None:
    """SAFE-09, SAFE-11: it counts against the budget while it is fled from, and no longer."""
    flight = Flight()
    record = flight.running()
    flight.desk.flee_from(flight.mary, (Vec3(400.0, 700.0),), SAFE)
    steps(flight.world, 2)
    assert len(record.joined) == 1
    assert flight.world.events.budget.used == 2
    flight.until_ended(record)
    steps(flight.world, 3)
    assert flight.world.events.budget.used == 0
    flight.close()


def burning_beside(world: World, at: Vec3, name: str, flee_flags: int = 0) -> ShockingEvent:
    """A fire that a ped has noticed, at once, and is decided to flee from; nobody else does."""
    event = world.events.global_events.shock(FIRE, at, cause_id=round(at.x))
    assert event is not None
    ped = ped_named(world, name)
    form = event.for_peds()
    form.cause.sensed[ped.ref] = True
    form.delay_range_s = (0.0, 0.0)
    event.flagged = True
    ref = ped.events.add_event(form)
    assert ref is not None
    queued = ref.get()
    assert isinstance(queued, ShockingEvent)
    queued.decision = Decided(
        ResponseTaskDef("flee", "flee", KINDS["flee"], {"safe_distance_cm": SAFE, "move": "run"}),
        flee_flags,
    )
    ped.events.after_decision(queued)
    return queued


def test_two_fires_without_an_entity_are_two_threats() -> None:
    """SAFE-11, EVT-89: told apart by their tags; the second joins, and is offered no more."""
    flight = Flight()
    first = burning_beside(flight.world, BEHIND, "mary")
    steps(flight.world, 2)
    record = flight.desk.record(flight.mary.ref)
    assert record is not None
    assert (record.state, record.key.tag) == (SafeState.ACTIVE, first.tag)
    second = burning_beside(flight.world, Vec3(450.0, 650.0), "mary")
    steps(flight.world, 2)
    assert [one.tag for one in record.threats] == [first.tag, second.tag]
    assert second.was_offered(flight.mary)
    assert second.cause.offered_to[flight.mary.ref].ended_step == -1
    flight.until_ended(record)
    assert second.cause.offered_to[flight.mary.ref].ended_step >= 0
    assert record.start_count == 1
    flight.world.close()


@pytest.mark.parametrize("far", [300.0, 3000.0])
def test_distance_alone_cancels_nothing_out(far: float) -> None:
    """FLEE-09: two threats side by side, near or far: straight away from both.

    At 3000 cm the weights are 1/3000 each: their sum is short, and yet no cancelling out.
    """
    both = [ThreatPoint(-far, -10.0, SAFE), ThreatPoint(-far, 10.0, SAFE)]
    assert away_from(Vec3(0.0, 0.0), both, TUNING) == pytest.approx((1.0, 0.0), abs=1e-9)


# -- nowhere to go -----------------------------------------------------------------------------


def yard(*names: str) -> LevelDescription:
    """A closed yard of 500 x 500 cm."""
    walls = tuple(
        barrier(40 + n, x, y, width, height)
        for n, (x, y, width, height) in enumerate(
            ((500.0, 240.0, 540.0, 20.0), (500.0, 760.0, 540.0, 20.0),
             (240.0, 500.0, 20.0, 540.0), (760.0, 500.0, 20.0, 540.0))
        )
    )  # fmt: skip
    people = tuple(person(10 + n, name, 350.0 + 90.0 * n, 600.0) for n, name in enumerate(names))
    return street(peds=people, obstacles=walls)


def test_beside_a_fire_in_a_yard_nobody_chooses_on_and_on() -> None:
    """FLEE-07: 600 ticks: at most 6 selections, each answered by nothing."""
    flight = Flight(yard("mary"))
    event = burning_beside(flight.world, Vec3(600.0, 600.0), "mary")
    decision = event.decision
    for _ in range(60):
        steps(flight.world, 10)
        event.cause.offered_to.clear()
        again = flight.mary.events.add_event(event.clone())
        told = None if again is None else again.get()
        assert isinstance(told, ShockingEvent)
        told.decision = decision
    chosen = flight.world.peds.in_id_order()[0].services.flee.chosen
    assert 1 < chosen <= 6
    assert flight.desk.record(flight.mary.ref) is None
    assert flight.mary.position[:2] == pytest.approx((350.0, 600.0))
    flight.world.close()


@pytest.mark.parametrize(("steps_on", "may"), [(119, False), (120, True)])
def test_a_refusal_is_remembered_for_two_seconds(steps_on: int, may: bool) -> None:
    """FLEE-07: 2.0 s are 120 steps; only for that threat."""
    flight = Flight(yard("mary"))
    event = burning_beside(flight.world, Vec3(600.0, 600.0), "mary")
    key = EventKey(FIRE, None, event.tag)
    flight.world.step()
    assert flight.mary.services.flee.chosen == 1
    steps(flight.world, steps_on - 1)
    assert flight.desk.may_ask_again(flight.mary, key) is may
    assert flight.desk.may_ask_again(flight.mary, replace(key, tag=99))
    flight.world.close()


def alley() -> LevelDescription:
    """A dead end of 400 x 1000 cm: open at the left, walls above, below and at the end."""
    walls = tuple(
        barrier(40 + n, x, y, width, height)
        for n, (x, y, width, height) in enumerate(
            ((900.0, 590.0, 1000.0, 20.0), (900.0, 1010.0, 1000.0, 20.0),
             (1410.0, 800.0, 20.0, 440.0))
        )
    )  # fmt: skip
    return replace(wide(), peds=(person(10, "mary", 700.0, 800.0),), obstacles=walls)


@pytest.mark.parametrize("cowers", [False, True])
def test_a_threat_at_the_mouth_of_a_dead_end(cowers: bool) -> None:
    """F31, FLEE-04 (5), EVT-85: never past or into it; cowers when there is no way.

    300 cm inside, the mouth 400 wide: every way out passes at 200 cm at most, below 240.
    """
    flight = Flight(alley())
    mouth = Vec3(400.0, 800.0)
    burning_beside(flight.world, mouth, "mary", FLEE_BIT["cower_if_cornered"] if cowers else 0)
    nearest = math.inf
    saw_cowering = False
    for _ in range(240):
        flight.world.step()
        nearest = min(nearest, flight.distance(mouth))
        root = flight.root
        saw_cowering = saw_cowering or (root is not None and isinstance(root.child, TaskCower))
    assert nearest >= 300.0 - 1e-6
    assert saw_cowering is cowers
    assert flight.desk.record(flight.mary.ref) is None
    refused = flight.mary.events.trace.records(reason=Reason.NO_FLEE_POINT)
    assert refused
    flight.world.close()


def test_an_alley_with_another_way_out_is_run_through() -> None:
    """F31: the same place without the wall at the end: away, and never nearer to the threat."""
    open_end = replace(alley(), obstacles=alley().obstacles[:2])
    flight = Flight(open_end)
    mouth = Vec3(400.0, 800.0)
    burning_beside(flight.world, mouth, "mary")
    nearest = math.inf
    for _ in range(600):
        flight.world.step()
        nearest = min(nearest, flight.distance(mouth))
    record = flight.desk.record(flight.mary.ref)
    assert record is not None
    assert record.result is SafeResult.SUCCEEDED
    assert nearest >= 300.0 - 1e-6
    assert flight.distance(mouth) > SAFE
    flight.world.close()


# -- choosing that takes its time -----------------------------------------------------------------


def slow(world: World, expansions: int) -> FleeDesk:
    """Let a world choose with so few expansions a step that a choice takes many."""
    services = world.peds.in_id_order()[0].services
    tuning = world.data.flee.model_copy(update={"expansions_per_step": expansions})
    services.flee = FleeDesk(world.clock, tuning)
    return services.flee


def test_while_it_chooses_nobody_loses_a_movement() -> None:
    """SAFE-02, FLEE-10: a choice over many steps suspends and resumes an order's movement once.

    The way that the order has is kept for it: the same owner, goal and record throughout.
    """
    flight = Flight(alley())
    world, mary = flight.world, flight.mary
    source = world.sources.create("test")
    assert world.orders.perform(StartOrderAt(mary.ref, Vec3(1300.0, 950.0), source)).accepted
    until(world, lambda: mary.order.status is OrderStatus.TRAVELLING)
    steps(world, 20)
    desk = slow(world, 2)
    owner, goal, generation = mary.movement.owner, mary.movement.goal, mary.movement.generation
    burning_beside(world, Vec3(400.0, 800.0), "mary")
    waited = 0
    while desk.chosen == 0:
        world.step()
        waited += 1
        assert mary.movement.owner == owner
        assert mary.movement.status in (MoveStatus.WALKING, MoveStatus.WAITING_PATH)
        assert waited < 300
    assert waited > 3, "it took its time"
    steps(world, 3)
    assert (mary.movement.owner, mary.movement.goal) == (owner, goal)
    assert mary.movement.generation == generation + 2
    until(world, lambda: mary.order.status is OrderStatus.COMPLETED, 1200)
    assert mary.order.failure_count == 0
    world.close()


def test_who_has_nothing_to_lose_faces_the_threat_meanwhile() -> None:
    """FLEE-10: a flee task that still selects stands and faces the threat."""
    flight = Flight()
    world, mary = flight.world, flight.mary
    desk = slow(world, 1)
    burning_beside(world, BEHIND, "mary")
    until(world, lambda: flight.root is not None, 10)
    root = flight.root
    assert isinstance(root, TaskThreatResponse)
    world.step()
    assert desk.chosen == 0
    assert root.child is not None
    assert isinstance(root.child.child, ControlMovement)
    until(world, lambda: desk.chosen == 1, 600)
    until(world, lambda: mary.movement.measured_speed > 200.0, 120)
    record = flight.until_ended(flight.desk.record(mary.ref))  # type: ignore[arg-type]
    assert record.result is SafeResult.SUCCEEDED
    flight.close()


def test_a_scripted_choice_leaves_the_ped_at_what_it_does() -> None:
    """FLEE-10: None: asked for again in each step, and then it is queued."""
    flight = Flight()
    world, mary = flight.world, flight.mary
    desk = slow(world, 1)
    assert flight.desk.flee_from(mary, (BEHIND,), SAFE) is None
    taken = 0
    while flight.desk.record(mary.ref) is None:
        assert flight.queued() == []
        assert mary.tasks.tree(PRIMARY).slots[NONTEMP] is None
        world.step()
        taken += 1
        assert taken < 600
    assert taken > 1
    assert desk.chosen == 1
    record = flight.desk.record(mary.ref)
    assert isinstance(record, SafeResponse)
    flight.until_ended(record)
    assert record.result is SafeResult.SUCCEEDED
    flight.close()


def test_however_many_ask_no_step_passes_the_budget() -> None:
    """F29, FLEE-10: forty at once, 100 expansions a step: in ascending id, nobody for ever."""
    names = [f"p{number:02}" for number in range(40)]
    people = tuple(
        person(10 + n, name, 400.0 + 70.0 * (n % 8), 500.0 + 70.0 * (n // 8))
        for n, name in enumerate(names)
    )
    world = World(replace(wide(), peds=people), strict=True)
    desk = slow(world, 100)
    for ped in world.peds.in_id_order():
        world.safe.flee_from(ped, (BEHIND,), SAFE)
    starts: list[int] = []
    for _ in range(200):
        world.step()
        assert desk.spent <= 100
        for number, ped in enumerate(world.peds.in_id_order()):
            record = world.safe.record(ped.ref)
            if number not in starts and record is not None and record.start_count:
                starts.append(number)
    assert starts == list(range(40))
    world.close()


# -- why -------------------------------------------------------------------------------------------


def test_the_trace_keeps_the_whole_reasoning() -> None:
    """FLEE-10, EVT-96: every candidate with its score, or what dropped it, in words."""
    flight = Flight()
    flight.running()
    (record,) = flight.mary.events.trace.records(reason=Reason.FLEE_POINT)
    assert record.event == "SAFE_RESPONSE"
    text = explain(flight.mary)
    said = next(line for line in text if "FLEE_POINT" in line)
    assert "(1700, 800) scores 1290.0 by 1200 cm" in said
    candidates = [line for line in text if line.startswith("    ")]
    assert len(candidates) == 21
    assert candidates[0] == "      +0 deg   750 cm: at most 862.5, not searched"
    assert candidates[2] == "      +0 deg  1200 cm: 1290.0, chosen"
    assert sum("dropped" in line for line in candidates) > 0

    flight.world.close()
