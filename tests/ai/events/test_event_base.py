"""The event itself: kinds, interface, lifetime, time, clones, references (EVT-01 to 09)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from ai.events import registry
from ai.events.base import EditableEvent, Event
from ai.events.body_events import (
    DamageEvent,
    DeathEvent,
    GetUp,
)
from ai.events.collision_events import PotentialWalkIntoProp
from ai.events.decision_trace import Reason
from ai.events.event_clock import EventClock
from ai.events.event_errors import EventClockError
from ai.events.event_tuning import EventTuning
from ai.events.notice_events import LeaderHold, ScriptDataEvent, TransitRide
from ai.events.script_events import ErrorUnknownPed, ForScripts, SessionEnded
from ai.events.shocking import ShockingEvent
from ai.events.sound_events import AimedAt, BangHeard
from ai.events.task_events import (
    GivePedTaskEvent,
    ScriptCommandEvent,
    TaskCarrier,
)
from ai.events.types import EventType
from ai.ports import EntityKind, Vec3
from ai.tasks.task_pool import TaskPool
from ai.tuning import TuningError, load_own_form
from tests.ai.events.event_doubles import (
    ASSETS,
    NONTEMP,
    Person,
    Reply,
    Street,
    Stub,
)
from tests.ai.events.every_event import ALL_TYPES, instance_of, release

LARGEST_BYTES = 512


@pytest.mark.parametrize("make", [SessionEnded, ErrorUnknownPed, object])
def test_kinds_do_not_mix(street: Street, ped: Person, make: Callable[[], Any]) -> None:
    """EVT-01: session events, errors and timeline objects are refused by a ped's group."""
    with pytest.raises(TypeError, match=r"ped#1"):
        ped.events.group.add(make())
    assert len(ped.events.group) == 0
    with pytest.raises(TypeError, match="global"):
        street.services.global_events.group.add_or_combine(make())


@pytest.mark.parametrize("event_type", ALL_TYPES, ids=lambda one: one.name)
def test_every_event_class_is_complete(event_type: EventType) -> None:
    """EVT-02: members resolve, a clone is the same, plain data, no instance dict, small."""
    event = instance_of(event_type)
    twin = event.clone()
    assert twin.same_as(event)
    assert event.same_as(twin)
    json.dumps(event.script_data())
    assert not hasattr(event, "__dict__")
    assert sys.getsizeof(event) <= LARGEST_BYTES
    release(event, twin)


def test_a_class_that_leaves_a_member_out_is_no_event() -> None:
    """EVT-02: abstract, and its registration fails when the class is made."""
    del registry._registered[EventType.TRANSIT_RIDE]
    try:
        with pytest.raises(TypeError, match="priority, clone, same_as, script_data"):

            class Barer(Event):
                __slots__ = ()
                event_type = EventType.TRANSIT_RIDE

        with pytest.raises(TypeError, match="__slots__"):

            class Fat(LeaderHold):
                pass
    finally:
        registry.register(EventType.TRANSIT_RIDE, TransitRide)


def clock_of(ped: Person) -> EventClock:
    return ped.events.clock


@pytest.mark.parametrize(
    ("lifetime", "ticks", "expired"),
    [(0, 0, False), (0, 1, True), (3, 1, False), (3, 2, False), (3, 3, False), (3, 4, True)],
)
def test_expiry_table(ped: Person, lifetime: int, ticks: int, expired: bool) -> None:
    """EVT-03: lifetime n gives n + 1 passes."""
    event = Stub(700, lifetime=lifetime)
    clock = clock_of(ped)
    for _ in range(ticks):
        clock.begin_updates(1)
        event.tick(clock)
        clock.end_updates()
    assert event.expired is expired


def test_persistence_flag_delay_and_un_tick() -> None:
    """EVT-03: persistent lives until flagged, a delay keeps alive, un_tick stops at 0."""
    event = Stub(700)
    event.persistent = True
    event.ticks = 1000
    assert not event.expired
    event.flagged = True
    assert event.expired
    delayed = Stub(700, delay_s=(1.0, 1.0))
    delayed.give_defaults(0, (0.0, 0.0))
    delayed.ticks = 5
    assert not delayed.expired
    fresh = Stub(700)
    fresh.un_tick()
    assert fresh.ticks == 0


def test_a_far_peds_event_lives_until_its_pass(street: Street) -> None:
    """EVT-03, trap "partial_update": period 8, added in step 1: gone at the end of step 8."""
    far = street.person(period=8)
    far.ped_id = 8
    street.step()
    assert far.events.handler.pass_no == 1
    far.add(Stub(700))
    queued = far.queued()
    seen = []
    for step in range(1, 8):
        street.step()
        seen.append((step, far.queued() == queued))
    assert seen == [(step, True) for step in range(1, 8)]
    street.step()
    assert [one.step for one in far.events.trace.records(reason=Reason.COMMITTED)] == [8]
    assert far.queued() == []


def test_lifetime_of_no_whole_number_is_a_load_error(tmp_path: Any) -> None:
    """EVT-03: negative or non-integer lifetime: file, key and value are named."""
    text = (ASSETS / "tuning" / "events.toml").read_text(encoding="utf-8")
    for bad in ("-1", "1.5"):
        path = tmp_path / "events.toml"
        path.write_text(
            text.replace("lifetime_ticks = 60", f"lifetime_ticks = {bad}", 1), encoding="utf-8"
        )
        with pytest.raises(TuningError, match=r"events\.toml: key 'event\.LEADER.*lifetime_ticks"):
            load_own_form(path, EventTuning)


def test_query_changes_nothing(ped: Person) -> None:
    """EVT-04: 100 looks at a full queue leave ticks, delays and random streams as they were."""
    for number in range(16):
        ped.add(Stub(700, f"s{number}", delay_s=(0.0, 1.0) if number % 2 else (0.0, 0.0)))
    before = [(one.ticks, one.delay_steps) for one in ped.queued()]
    state = ped.reaction_rng.getstate(), ped.decision_rng.getstate()
    for _ in range(100):
        ped.events.peek_highest()
    assert [(one.ticks, one.delay_steps) for one in ped.queued()] == before
    assert (ped.reaction_rng.getstate(), ped.decision_rng.getstate()) == state


def test_event_time_moves_only_in_its_bracket(ped: Person) -> None:
    """EVT-04: nesting, ending what is not open, and time outside both brackets raise."""
    clock, event = clock_of(ped), Stub(700)
    with pytest.raises(EventClockError):
        event.tick(clock)
    with pytest.raises(EventClockError):
        event.is_ready(ped, clock)
    with pytest.raises(EventClockError):
        clock.end_updates()
    clock.begin_query()
    with pytest.raises(EventClockError):
        clock.begin_updates(1)
    event.tick(clock)
    assert event.ticks == 0, "nothing ticks in a query"
    with pytest.raises(EventClockError):
        clock.end_updates()
    clock.end_query()


def test_add_clones(ped: Person, pool: TaskPool) -> None:
    """EVT-05: the queue owns a clone; a refused add of a task-carrying event leaves no task."""
    own = Stub(700, "mine")
    queued = ped.add(own)
    assert isinstance(queued, Stub)
    own.name = "other"
    own.ticks = 9
    assert queued is not own
    assert (queued.name, queued.ticks) == ("mine", 0)
    for number in range(15):
        ped.add(Stub(2900, f"full{number}"))
    given = GivePedTaskEvent(Reply(), NONTEMP)
    queued.level = own.level
    ped.events.group.queue.entries[0].level = ped.events.group.queue.entries[1].level  # type: ignore[attr-defined]
    used = pool.used
    assert ped.add(given) is None
    assert pool.used == used
    assert not given.task.is_deleted, "the maker keeps its own"
    given.release()


def test_a_clone_starts_afresh(ped: Person) -> None:
    """EVT-05: ticks 0, not flagged, delay undrawn, undecided; persistent as the original."""
    bang = BangHeard(Vec3(1, 2), 7, tag="level")
    bang.persistent = True
    bang.ticks, bang.flagged, bang.being_processed = 4, True, True
    twin = bang.clone()
    assert (twin.ticks, twin.flagged, twin.being_processed) == (0, False, False)
    assert (twin.delay_steps, twin.decision, twin.persistent) == (None, None, True)
    assert (twin.at, twin.sound_id, twin.tag) == (Vec3(1, 2), 7, "level")


@pytest.mark.parametrize("event_type", ALL_TYPES, ids=lambda one: one.name)
def test_same_as_matrix(event_type: EventType) -> None:
    """EVT-06: meaning, not state; what tells events apart is the discriminating payload."""
    one, state, other = instance_of(event_type), instance_of(event_type), instance_of(event_type, 2)
    state.ticks, state.flagged = 5, True
    cls = type(one)
    if not issubclass(cls, (ShockingEvent, ScriptCommandEvent)):
        assert one.same_as(state), "ticks and flags are ignored"
    told_apart = bool(cls.DISCRIMINATORS) or issubclass(cls, ShockingEvent)
    if issubclass(cls, (ForScripts, ScriptDataEvent)):
        told_apart = issubclass(cls, ForScripts)
    assert one.same_as(other) is not told_apart
    assert not one.same_as(Stub(700, "of another class"))
    release(one, state, other)


def test_a_given_task_is_the_same_by_slot_and_kind() -> None:
    """EVT-06: given task: slot and task kind."""
    one = GivePedTaskEvent(Reply("a"), NONTEMP)
    two = GivePedTaskEvent(Reply("b"), NONTEMP)
    assert one.same_as(two)
    release(one, two)


def test_source_removed(street: Street, ped: Person) -> None:
    """EVT-07: a dead reference is traced as invalid; the event is gone at the end of that frame."""
    aimer = street.person(300.0)
    ref = ped.events.add_event(AimedAt(Vec3(300, 0), aimer.ref, ped.ref))
    assert ref is not None
    street.step()
    event = ref.get()
    assert event is not None
    assert event.in_delay
    street.removed.add(aimer.ref)
    street.step()
    assert ped.has_reason(Reason.INVALID_FOR_PED)
    assert ped.queued() == []
    assert ref.get() is None


def test_a_vehicles_source_is_its_driver(street: Street, ped: Person) -> None:
    """EVT-02: source_ped resolves a vehicle to its driver, a driverless one to nobody."""
    car = street.thing(0.0, 0.0, EntityKind.VEHICLE)
    event = Stub(700, source=car)
    assert event.source_ped(street) is None
    street.drivers[car] = ped.ref
    assert event.source_ped(street) == ped.ref


def test_equal_priority_does_not_interrupt(ped: Person) -> None:
    """EVT-08: strictly greater."""
    assert not Stub(700, "a").has_priority_over(Stub(700, "b"), ped)
    assert Stub(710, "a").has_priority_over(Stub(700, "b"), ped)


def test_second_hit_interrupts_first_hit_reaction(street: Street, ped: Person) -> None:
    """EVT-08, EVT-57: DAMAGE lets another hit of equal weight displace it, the same hit not."""
    ped.add(DamageEvent(1))
    street.step()
    first = ped.slot(0)
    assert first.name == "hit_reaction"
    ped.add(DamageEvent(1))
    street.step()
    assert ped.slot(0) is first
    ped.add(DamageEvent(2))
    street.step()
    assert ped.slot(0) is not first


def test_a_sooner_obstacle_has_priority_over_an_equal_one(ped: Person) -> None:
    """EVT-08: POTENTIAL_*: an equal-priority event of its own type that comes sooner."""
    first = PotentialWalkIntoProp(1, 1.0, Vec3(100, 0))
    assert PotentialWalkIntoProp(2, 0.5, Vec3(50, 0)).has_priority_over(first, ped)
    assert not PotentialWalkIntoProp(2, 1.5, Vec3(150, 0)).has_priority_over(first, ped)


def test_impact_forces_full_update(street: Street) -> None:
    """EVT-09: a far ped's ragdoll hit is handled in the very next step, not 15 steps later."""
    far = street.person(period=16)
    far.ped_id = 16
    street.step()
    assert far.events.handler.pass_no == 1
    far.add(DamageEvent(1, ragdolls=True))
    street.step()
    assert far.events.handler.pass_no == 2
    assert far.slot(0).name == "knocked_down"


def test_get_up_and_death_take_the_body_over() -> None:
    """EVT-60: requires_ragdoll_abort: DAMAGE that ragdolls or is fatal, DEATH, GET_UP, ROLL."""
    asker = Reply()
    assert DamageEvent(1, ragdolls=True).requires_ragdoll_abort
    assert DamageEvent(1, fatal=True).requires_ragdoll_abort
    assert not DamageEvent(1).requires_ragdoll_abort
    assert DamageEvent(1, melee=True).requires_melee_abort
    assert DeathEvent().requires_ragdoll_abort
    assert GetUp(asker).requires_ragdoll_abort


def test_no_class_is_both_fixed_and_editable() -> None:
    """EVT-13: overriding create_response in an editable class needs a physical part."""
    for entry in registry.all_registered():
        cls = entry.event_class
        if issubclass(cls, EditableEvent):
            if cls.create_response is not EditableEvent.create_response:
                assert cls.adds_physical_response, cls
            assert not issubclass(cls, TaskCarrier)
