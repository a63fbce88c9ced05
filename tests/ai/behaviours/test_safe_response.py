"""The safe response: queued, pending, active, ended; threats that move, join and vanish (SAFE)."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from ai.behaviours.flee_task import TaskSmartFlee, TaskThreatResponse
from ai.behaviours.safe_checks import add_own_entry
from ai.behaviours.safe_record import SafeRefusal, SafeResponse, SafeResult, SafeState, Threat
from ai.events.decision_trace import Reason
from ai.events.notice_events import SafeResponseEvent, ScriptWithData
from ai.events.types import EventType
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import MoveOwner, MoveStatus, SpeedMode
from ai.navigation.flee_points import FleeRefused
from ai.peds.ped import Ped
from ai.ports import EntityRef, Impact, Vec3
from ai.tasks.trees import MOVEMENT, PRIMARY, MovementTreeSlot, PrimarySlot
from game.world.description import LevelDescription
from game.world.world import World
from tests.ai.behaviours.stand_ins import Idler
from tests.streets import barrier, pavement, ped_named, person, prop, steps, street, until

NONTEMP = PrimarySlot.EVENT_RESPONSE_NONTEMP
SAFE = 650.0
BEHIND = Vec3(350.0, 800.0)
"""150 cm behind Mary at (500, 800): she runs 1200 cm along x, to (1700, 800)."""
GOAL = (1700.0, 800.0)


def wide(*names: str, **things: object) -> LevelDescription:
    """Open ground of 4000 x 1600 cm with peds from (500, 800) on, 100 cm apart along y."""
    made = street(
        peds=tuple(person(10 + n, name, 500.0, 800.0 + 100.0 * n) for n, name in enumerate(names)),
        surfaces=(pavement(4000.0, 1600.0),),
        **things,  # type: ignore[arg-type]
    )
    return replace(made, width_cm=4000.0)


class Flight:
    """Mary on the wide street, and her record."""

    def __init__(self, description: LevelDescription | None = None) -> None:
        self.world = World(description or wide("mary"), strict=True)
        self.mary = ped_named(self.world, "mary")
        self.desk = self.world.safe

    def flee(self, *spots: Vec3 | EntityRef, safe_cm: float = SAFE) -> SafeResponse:
        reply = self.desk.flee_from(self.mary, spots or (BEHIND,), safe_cm)
        assert isinstance(reply, SafeResponse)
        return reply

    def running(self, *spots: Vec3 | EntityRef, safe_cm: float = SAFE) -> SafeResponse:
        """A response that is ACTIVE."""
        record = self.flee(*spots, safe_cm=safe_cm)
        self.world.step()
        assert record.state is SafeState.ACTIVE
        return record

    def until_ended(self, record: SafeResponse, limit: int = 1800) -> SafeResponse:
        until(self.world, lambda: not record.live, limit)
        return record

    def distance(self, at: Vec3 = BEHIND) -> float:
        return math.dist(self.mary.position[:2], at[:2])

    def hit(self) -> None:
        self.world.impacts.strike(self.mary, Impact((15_000.0, 0.0)))

    @property
    def root(self) -> TaskThreatResponse | None:
        root = self.mary.tasks.tree(PRIMARY).slots[NONTEMP]
        assert root is None or isinstance(root, TaskThreatResponse)
        return root

    def queued(self) -> list[str]:
        return [event.event_type.name for event in self.mary.events.group.queue.entries]

    def close(self) -> None:
        self.world.close()
        assert self.world.pool.used == 0
        assert self.world.events.budget.used == 0


# -- the record ----------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "after"), list(itertools.product(SafeState, SafeState)))
def test_states_only_go_up(before: SafeState, after: SafeState) -> None:
    """SAFE-01: NONE, QUEUED, PENDING, ACTIVE, ENDED, no step back."""
    flight = Flight()
    record = flight.flee()
    record.state = before
    if after > before:
        record.go_to(after)
        assert record.state is after
    else:
        with pytest.raises(ValueError, match="never goes"):
            record.go_to(after)


def test_start_count_is_one_from_the_start_on_however_it_ends() -> None:
    """SAFE-01: 0 before ACTIVE and 1 after: arrived, slot lost, source lost, movement ended."""
    results = {}
    for how in ("arrives", "slot", "source", "movement", "never"):
        flight = Flight()
        cart = flight.world.objects.create_marker(BEHIND)
        record = flight.flee(cart)
        assert (record.state, record.start_count) == (SafeState.QUEUED, 0)
        if how == "never":
            flight.mary.tasks_suppressed = True
        else:
            flight.world.step()
            assert (record.state, record.start_count) == (SafeState.ACTIVE, 1)
        if how == "slot":
            flight.mary.tasks.set_task(PRIMARY, Idler(), NONTEMP)
        elif how == "source":
            flight.world.objects.destroy_marker(cart)
        elif how == "movement":
            flight.mary.movement.cancel()
        flight.until_ended(record)
        results[how] = (record.result.name, record.start_count)
        flight.close()
    assert results == {
        "arrives": ("SUCCEEDED", 1),
        "slot": ("CANCELLED", 1),
        "source": ("SOURCE_LOST", 1),
        "movement": ("CANCELLED", 1),
        "never": ("NEVER_STARTED", 0),
    }


# -- entries -------------------------------------------------------------------------------


def test_a_script_names_threats_and_the_policy_chooses() -> None:
    """SAFE-02, FLEE-05: one event, one logical source of the world, the goal of the policy."""
    flight = Flight()
    record = flight.flee()
    assert record.entry == "flee_from"
    assert record.goal[:2] == pytest.approx(GOAL)
    assert flight.queued() == ["SAFE_RESPONSE"]
    assert flight.world.objects.marker_count == 1
    assert flight.world.objects.transform(record.key.source).position == BEHIND  # type: ignore[arg-type, union-attr]
    flight.until_ended(record)
    assert flight.mary.position[:2] == pytest.approx(GOAL, abs=15.0)
    assert flight.world.objects.marker_count == 0
    flight.close()


def test_a_goal_from_outside_is_taken_as_it_is() -> None:
    """SAFE-02: queue does not select: a goal that the policy would never choose."""
    flight = Flight()
    goal = Vec3(500.0, 1500.0)
    record = flight.desk.queue(flight.mary, goal, (Vec3(500.0, 600.0),), SAFE)
    assert isinstance(record, SafeResponse)
    assert (record.entry, record.is_selected, record.goal) == ("queue", False, goal)
    flight.until_ended(record)
    assert record.result is SafeResult.SUCCEEDED
    assert flight.mary.position[:2] == pytest.approx(goal[:2], abs=15.0)


def test_without_a_point_nothing_is_there_and_nothing_has_changed() -> None:
    """SAFE-02, FLEE-07: refused: no record, no event, no marker, no entry, the same movement."""
    flight = Flight()
    mary = flight.mary
    before = (mary.movement.generation, mary.movement.status)
    reply = flight.desk.flee_from(mary, (BEHIND,), 4900.0)
    assert isinstance(reply, FleeRefused)
    assert flight.desk.record(mary.ref) is None
    assert flight.queued() == []
    assert flight.world.objects.marker_count == 0
    assert mary.events.own_responses == {}
    steps(flight.world, 3)
    assert (mary.movement.generation, mary.movement.status) == before
    flight.close()


@pytest.mark.parametrize(
    ("why", "expected"),
    [
        ("again", SafeRefusal.ALREADY),
        ("another", SafeRefusal.BUSY),
        ("gone", SafeRefusal.BAD_SOURCE),
        ("tag", SafeRefusal.BAD_TAG),
        ("nan", SafeRefusal.BAD_INPUT),
        ("zero", SafeRefusal.BAD_INPUT),
        ("far", SafeRefusal.BAD_INPUT),
        ("nothing", SafeRefusal.BAD_INPUT),
        ("goal", SafeRefusal.GOAL_NOT_SAFE),
        ("base", SafeRefusal.NO_BASE_MOVE),
        ("mapping", SafeRefusal.MAPPING_CONFLICT),
        ("full", SafeRefusal.QUEUE_REFUSED),
    ],
)
def test_every_refusal_leaves_things_as_they_were(why: str, expected: SafeRefusal) -> None:
    """SAFE-03: the checks; each refusal removes what it added and changes nothing else."""
    flight = Flight()
    world, mary, desk = flight.world, flight.mary, flight.desk
    cart = world.objects.create_marker(BEHIND)
    spots: tuple[Vec3 | EntityRef, ...] = (cart,)
    source, tag, safe_cm, goal = cart, 7, SAFE, Vec3(1700.0, 800.0)
    first = None
    if why in ("again", "another"):
        first = desk.queue(mary, goal, spots, SAFE, source=cart, tag=7)
        tag = 7 if why == "again" else 8
    elif why == "gone":
        world.objects.destroy_marker(cart)
    elif why == "tag":
        tag = 0
    elif why == "nan":
        spots = (Vec3(math.nan, 0.0),)
    elif why == "nothing":
        spots = ()
    elif why in ("zero", "far"):
        safe_cm = 0.0 if why == "zero" else 5000.1
        goal = Vec3(9e5, 0.0)
    elif why == "goal":
        goal = Vec3(350.0 + 665.0, 800.0)
    elif why == "base":
        mary.tasks.set_task(MOVEMENT, None, MovementTreeSlot.DEFAULT)
        mary.tasks.tree(MOVEMENT).slots[MovementTreeSlot.DEFAULT] = None
    elif why == "mapping":
        mary.events.own_responses = dict(
            mary.events.own_responses,
        )
        add_own_entry(mary, SAFE, "run")
        entry = mary.events.own_responses[EventType.SAFE_RESPONSE]
        (decision,) = entry.decisions
        watch = replace(decision, task=replace(decision.task, kind="watch"))
        mary.events.own_responses[EventType.SAFE_RESPONSE] = replace(entry, decisions=(watch,))
    elif why == "full":
        for number in range(16):
            other = world.objects.create_marker(Vec3(float(number), 0.0))
            mary.events.add_event(ScriptWithData({}, other, tag=number + 1))
    queued, owns = flight.queued(), dict(mary.events.own_responses)
    markers, record = world.objects.marker_count, desk.record(mary.ref)
    reply = desk.queue(mary, goal, spots, safe_cm, source=source, tag=tag)
    assert reply is expected
    assert flight.queued() == queued
    assert mary.events.own_responses == owns
    assert world.objects.marker_count == markers
    assert desk.record(mary.ref) is record is first


@pytest.mark.parametrize(("gap", "taken"), [(665.0, False), (665.01, True)])
def test_the_bound_of_a_queued_goal(gap: float, taken: bool) -> None:
    """SAFE-03, SAFE-08: given goal to threat: > safe + 15, strict."""
    flight = Flight()
    threat = Vec3(500.0, 800.0)
    reply = flight.desk.queue(flight.mary, Vec3(500.0 + gap, 800.0), (threat,), SAFE)
    assert isinstance(reply, SafeResponse) is taken


@pytest.mark.parametrize(
    ("gap", "result"), [(650.0, SafeResult.FAILED), (650.01, SafeResult.SUCCEEDED)]
)
def test_the_bound_of_an_arrival(gap: float, result: SafeResult) -> None:
    """SAFE-07, SAFE-08: actual ped to present threat: > safe, strict; else another goal.

    Nowhere on this street lies another one at 4000 cm from where she has arrived.
    """
    flight = Flight()
    record = flight.running()
    until(flight.world, lambda: flight.mary.movement.status is MoveStatus.ARRIVED)
    here = flight.mary.position
    far = 4000.0 / 650.0
    record.threats[:] = [Threat(None, Vec3(here.x - gap * far, here.y), SAFE * far)]
    assert flight.desk.movement_over(flight.mary, record)
    assert record.result is result
    assert record.reason == ("" if result is SafeResult.SUCCEEDED else "NOT_SAFE")


# -- the start -----------------------------------------------------------------------------


def test_it_starts_with_its_own_event_and_no_other() -> None:
    """SAFE-04: an event of the same type with another tag runs nothing of this record."""
    flight = Flight()
    record = flight.flee()
    flight.mary.events.group.queue.flush_all(spare=lambda _event: False)
    other = flight.world.objects.create_marker(Vec3(500.0, 100.0))
    flight.mary.events.add_event(SafeResponseEvent({}, other, tag=99))
    steps(flight.world, 2)
    assert record.start_count == 0
    assert record.state is SafeState.QUEUED


def test_a_fall_between_queue_and_start_delays_it_and_no_more() -> None:
    """SAFE-04: starts after recovery, start_count 1, however long it lay."""
    flight = Flight()
    flight.hit()
    steps(flight.world, 3)
    assert flight.mary.recovery is not None
    record = flight.flee()
    flight.world.step()
    assert record.start_count == 0
    lying = until(flight.world, lambda: flight.mary.recovery is None, 900)
    assert lying > 2 * 60
    assert record.live
    until(flight.world, lambda: record.state is SafeState.ACTIVE, 60)
    assert record.start_count == 1
    flight.until_ended(record)
    assert record.result is SafeResult.SUCCEEDED
    flight.close()


def test_who_can_not_start_within_two_seconds_never_does() -> None:
    """SAFE-04: 2 s without start: NEVER_STARTED and clean-up, start_count 0."""
    flight = Flight()
    flight.mary.tasks_suppressed = True
    record = flight.flee()
    taken = until(flight.world, lambda: not record.live, 200)
    assert taken == pytest.approx(120, abs=1)
    assert (record.result, record.start_count) == (SafeResult.NEVER_STARTED, 0)
    assert flight.queued() == []
    steps(flight.world, 2)
    assert flight.root is None
    flight.close()


@pytest.mark.parametrize(("shift", "chosen_anew"), [(100.0, False), (100.5, True)])
def test_a_threat_that_moves_before_the_start_has_the_goal_chosen_anew(
    shift: float, chosen_anew: bool
) -> None:
    """SAFE-04: more than 100 cm: the selection is repeated before starting."""
    flight = Flight()
    record = flight.flee()
    before = record.goal
    assert flight.desk.move_threat(flight.mary.ref, Vec3(BEHIND.x, BEHIND.y - shift))
    flight.world.step()
    assert record.state is SafeState.ACTIVE
    assert (record.goal != before) is chosen_anew
    assert record.reselect_count == 0


def test_the_start_takes_the_movement_over_and_restores_nothing() -> None:
    """SAFE-05: the daily goal is kept for display; RUN; its own owner and claim; generation."""
    flight = Flight()
    mary = flight.mary
    daily = Vec3(3500.0, 800.0)
    mary.movement.request_goal(daily, SpeedMode.WALK, MoveOwner(1, None, 5))
    record = flight.running()
    assert record.replaced_goal == daily
    assert mary.movement.goal == record.goal
    assert mary.movement.speed_mode is SpeedMode.RUN
    assert mary.movement.owner == record.move_owner
    assert record.initial_generation == mary.movement.generation
    claims = mary.services.movement.claims.held(mary.slot)
    assert [one.tag for one in claims if one.owner_kind is ClaimOwner.SAFE_RESPONSE] == [record.tag]
    flight.until_ended(record)
    steps(flight.world, 60)
    assert mary.movement.goal != daily
    assert mary.services.movement.claims.held(mary.slot) == tuple(
        one
        for one in mary.services.movement.claims.held(mary.slot)
        if one.owner_kind is not ClaimOwner.SAFE_RESPONSE
    )


# -- while it runs -------------------------------------------------------------------------


def test_whoever_takes_the_slot_is_left_alone() -> None:
    """SAFE-06: a task of the same type in the main slot: CANCELLED, the new one untouched."""
    flight = Flight()
    record = flight.running()
    other = TaskThreatResponse(
        int(EventType.SAFE_RESPONSE), None, 99, Vec3(500.0, 100.0), SAFE, SpeedMode.RUN, False
    )
    flight.mary.tasks.set_task(PRIMARY, other, NONTEMP)
    flight.world.step()
    assert (record.result, record.reason) == (SafeResult.CANCELLED, "SLOT_LOST")
    assert flight.root is other
    second = flight.desk.record(flight.mary.ref)
    assert second is not record
    assert second is not None
    assert second.state is SafeState.ACTIVE
    assert flight.mary.movement.owner == second.move_owner


def test_what_is_fled_from_is_removed() -> None:
    """SAFE-06: SOURCE_LOST, its movement cancelled, no event left."""
    cart = prop(40, "crate", 350.0, 800.0, 30.0, 40.0)
    flight = Flight(wide("mary", props=(cart,)))
    thing = flight.world.things.by_name("crate40")
    assert thing is not None
    record = flight.running(thing.ref)
    steps(flight.world, 30)
    flight.world.things.request_removal(thing.ref)
    steps(flight.world, 2)
    assert record.result is SafeResult.SOURCE_LOST
    assert flight.mary.movement.status is MoveStatus.CANCELLED
    assert flight.queued() == []
    steps(flight.world, 60)
    assert flight.root is None
    flight.close()


def test_safe_when_chosen_is_not_safe_now() -> None:
    """SAFE-07: the threat stands beside the goal one tick before the arrival."""
    flight = Flight()
    record = flight.running()
    until(flight.world, lambda: flight.mary.position.x > GOAL[0] - 25.0)
    assert record.reselect_count == 0
    flight.desk.move_threat(flight.mary.ref, Vec3(GOAL[0] + 60.0, GOAL[1]))
    flight.until_ended(record)
    assert record.reselect_count >= 1
    assert record.result is SafeResult.SUCCEEDED
    assert flight.distance(Vec3(GOAL[0] + 60.0, GOAL[1])) > SAFE
    assert record.start_count == 1


def test_a_movement_that_fails_fails_the_response_with_its_reason() -> None:
    """SAFE-09, FLEE-08: the way is closed after the choice."""
    flight = Flight()
    record = flight.running()
    for number, (x, y, width, height) in enumerate(
        ((400.0, 800.0, 20.0, 240.0), (640.0, 800.0, 20.0, 240.0),
         (520.0, 690.0, 260.0, 20.0), (520.0, 910.0, 260.0, 20.0))
    ):  # fmt: skip
        flight.world.things.spawn(barrier(40 + number, x, y, width, height))
    flight.until_ended(record, 3000)
    assert record.result is SafeResult.FAILED
    assert record.reason in ("NO_PATH", "BLOCKED", "NO_PROGRESS", "PARTIAL_ONLY")


def test_the_end_removes_its_own_and_happens_once() -> None:
    """SAFE-09: three events in the group, one matching: two remain, in order; a second is False."""
    flight = Flight()
    record = flight.running()
    key = record.key
    events = [
        ScriptWithData({}, flight.world.objects.create_marker(Vec3(1.0, 1.0)), tag=3),
        SafeResponseEvent({}, key.source, tag=key.tag),
        SafeResponseEvent({}, flight.world.objects.create_marker(Vec3(2.0, 2.0)), tag=4),
    ]
    for event in events:
        flight.mary.events.add_event(event, force_persistent=True)
    assert flight.desk.end(flight.mary, record, SafeResult.CANCELLED)
    assert not flight.desk.end(flight.mary, record, SafeResult.SUCCEEDED)
    assert record.result is SafeResult.CANCELLED
    flight.mary.events.end_step()
    left = [(event.event_type.name, event.tag) for event in flight.mary.events.group.queue.entries]
    assert left == [("SCRIPT_WITH_DATA", 3), ("SAFE_RESPONSE", 4)]


def test_a_still_threat_never_has_it_choose_anew() -> None:
    """SAFE-10: however long the way."""
    flight = Flight()
    record = flight.until_ended(flight.running())
    assert (record.result, record.reselect_count) == (SafeResult.SUCCEEDED, 0)


def test_a_goal_that_is_not_safe_any_more_is_given_up_at_the_next_sample() -> None:
    """SAFE-10 (a): goal within safe + 15; looked at every 0.5 s, 1 s between two choices."""
    flight = Flight()
    record = flight.running()
    first = record.goal
    steps(flight.world, 61)
    flight.desk.move_threat(flight.mary.ref, Vec3(first.x - 664.0, first.y))
    taken = until(flight.world, lambda: record.reselect_count == 1, 60)
    assert taken <= 30
    assert record.goal != first
    generation = flight.mary.movement.generation
    assert generation == record.initial_generation + 1
    steps(flight.world, 20)
    flight.desk.move_threat(flight.mary.ref, Vec3(record.goal.x - 100.0, record.goal.y))
    gap = until(flight.world, lambda: record.reselect_count == 2, 90)
    assert 20 + gap == pytest.approx(60, abs=31)
    assert 20 + gap >= 60


def test_a_threat_that_crosses_over_turns_it_round() -> None:
    """SAFE-10 (b): moved 150 cm and more, and the way leads towards it by more than 100 deg."""
    flight = Flight()
    record = flight.running(safe_cm=100.0)
    assert record.goal[:2] == pytest.approx((1150.0, 800.0))
    steps(flight.world, 70)
    here = flight.mary.position
    ahead = Vec3(here.x + 120.0, here.y - 20.0)
    assert math.dist(record.goal[:2], ahead[:2]) > 115.0, "rule (a) has nothing to say"
    flight.desk.move_threat(flight.mary.ref, ahead)
    until(flight.world, lambda: record.reselect_count == 1, 31)
    assert record.goal.x < here.x


def test_chased_for_ever_it_gives_up_in_the_end() -> None:
    """SAFE-10, LVL-26: at most 20 choices, then FAILED: nobody runs for ever."""
    flight = Flight()
    record = flight.running()

    def chase() -> bool:
        here = flight.mary.position
        flight.desk.move_threat(flight.mary.ref, Vec3(record.goal.x, record.goal.y))
        assert 0.0 <= here.x <= 4000.0
        return not record.live

    taken = until(flight.world, chase, 30 * 60)
    assert record.result is SafeResult.FAILED
    assert record.reason in ("RESELECT_LIMIT", "NOT_SAFE")
    assert record.reselect_count <= 20
    assert taken <= 30 * 60


# -- further threats -----------------------------------------------------------------------


def joined_by(flight: Flight, at: Vec3) -> EntityRef:
    """A further scripted threat of the same type."""
    source = flight.world.objects.create_marker(at)
    flight.mary.events.add_event(SafeResponseEvent({}, source, tag=500 + source.slot))
    return source


def test_a_further_threat_joins_and_the_goal_is_checked_at_once() -> None:
    """SAFE-11, SAFE-13: one response, two threats, chosen anew once, traced as joined."""
    flight = Flight()
    record = flight.running()
    root, child = flight.root, None if flight.root is None else flight.root.child
    steps(flight.world, 61)
    second = joined_by(flight, Vec3(GOAL[0] + 100.0, GOAL[1]))
    unrelated = ScriptWithData({}, flight.world.objects.create_marker(Vec3(9.0, 9.0)), tag=3)
    steps(flight.world, 3)
    flight.mary.events.add_event(unrelated, force_persistent=True)
    assert {one.source for one in record.threats} == {record.key.source, second}
    assert (record.reselect_count, record.start_count) == (1, 1)
    assert flight.root is root
    assert root is not None
    assert root.child is child
    assert flight.mary.events.trace.records(reason=Reason.JOINED)
    flight.until_ended(record)
    assert record.result is SafeResult.SUCCEEDED
    assert flight.distance() > SAFE
    assert flight.distance(Vec3(GOAL[0] + 100.0, GOAL[1])) > SAFE
    assert "SAFE_RESPONSE" not in flight.queued()


def test_of_five_threats_the_farthest_is_dropped() -> None:
    """SAFE-11: at most four."""
    flight = Flight()
    record = flight.running()
    for place in (Vec3(400.0, 600.0), Vec3(300.0, 900.0), Vec3(5.0, 5.0), Vec3(350.0, 700.0)):
        joined_by(flight, place)
        steps(flight.world, 2)
    assert len(record.threats) == 4
    assert all(threat.at != Vec3(5.0, 5.0) for threat in record.threats)


def test_a_joined_source_may_vanish_and_the_last_one_ends_it() -> None:
    """SAFE-11: SOURCE_LOST only when the list is empty."""
    flight = Flight()
    first = flight.world.objects.create_marker(BEHIND)
    record = flight.running(first)
    second = joined_by(flight, Vec3(300.0, 700.0))
    steps(flight.world, 2)
    assert len(record.threats) == 2
    flight.world.objects.destroy_marker(first)
    steps(flight.world, 2)
    assert record.live
    assert [one.source for one in record.threats] == [second]
    flight.world.objects.destroy_marker(second)
    steps(flight.world, 2)
    assert record.result is SafeResult.SOURCE_LOST


# -- falls ---------------------------------------------------------------------------------


def test_a_fall_interrupts_the_run_and_not_the_purpose() -> None:
    """SAFE-12, SAFE-13, LVL-29: same tasks, same goal, start_count 1, generation + 2."""
    flight = Flight()
    record = flight.running()
    goal, root = record.goal, flight.root
    assert root is not None
    child = root.child
    assert isinstance(child, TaskSmartFlee)
    steps(flight.world, 60)
    generation = flight.mary.movement.generation
    flight.hit()
    until(flight.world, lambda: flight.mary.recovery is not None, 5)
    while flight.mary.recovery is not None:
        assert (record.start_count, record.reselect_count) == (1, 0)
        assert flight.root is root
        flight.world.step()
    assert root.child is child
    until(flight.world, lambda: flight.mary.movement.status is MoveStatus.WALKING, 120)
    assert flight.mary.movement.generation == generation + 2
    assert record.goal == goal
    flight.until_ended(record)
    assert (record.result, record.start_count) == (SafeResult.SUCCEEDED, 1)
    flight.close()


def test_lying_down_nobody_samples_threats() -> None:
    """SAFE-12: the goal is kept while the body is down; up again, rule (a) replaces it."""
    flight = Flight()
    record = flight.running()
    steps(flight.world, 61)
    flight.hit()
    until(flight.world, lambda: flight.mary.recovery is not None, 5)
    flight.desk.move_threat(flight.mary.ref, Vec3(record.goal.x, record.goal.y))
    while flight.mary.recovery is not None:
        assert record.reselect_count == 0
        flight.world.step()
    until(flight.world, lambda: record.reselect_count == 1, 90)
    assert flight.mary.movement.generation > record.initial_generation + 2


# -- forty at once -------------------------------------------------------------------------


def test_forty_are_sent_off_in_one_step() -> None:
    """SAFE-14, FLEE-10: 40 ACTIVE, no decision component in use, no entry of theirs at the end.

    A step has 400 expansions for choosing: who does not get its turn asks by itself.
    """
    people = tuple(
        person(10 + n, f"ped{n}", 300.0 + 70.0 * (n % 10), 500.0 + 70.0 * (n // 10))
        for n in range(40)
    )
    level = replace(street(peds=people, surfaces=(pavement(4000.0, 1600.0),)), width_cm=4000.0)
    world = World(level, strict=True)
    for ped in world.peds.in_id_order():
        reply = world.safe.flee_from(ped, (Vec3(100.0, 600.0),), SAFE)
        assert reply is None or isinstance(reply, SafeResponse)
    everybody: list[Ped] = list(world.peds.in_id_order())

    def record(ped: Ped) -> SafeResponse | None:
        return world.safe.record(ped.ref)

    until(
        world,
        lambda: all((one := record(ped)) is not None and one.start_count == 1 for ped in everybody),
        240,
    )
    assert all(
        world.events.decision_makers.get(name).component is None  # type: ignore[union-attr]
        for name in world.events.decision_makers.names()
    )
    until(
        world,
        lambda: all((one := record(ped)) is not None and not one.live for ped in everybody),
        3600,
    )
    assert all(ped.events.own_responses == {} for ped in everybody)
    assert world.objects.marker_count == 0
    world.close()
    assert world.pool.used == 0
