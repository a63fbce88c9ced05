"""Types, registry, priorities: enum, table and data say the same (EVT-10 to EVT-16)."""

from __future__ import annotations

import csv
import itertools
import re
from pathlib import Path

import pytest

from ai.events import registry
from ai.events.base import EditableEvent, Event
from ai.events.body_events import DamageEvent, DeathEvent, OnFireEvent, SelfStateEvent
from ai.events.collision_events import CollisionEvent, PotentialCollisionEvent
from ai.events.event_errors import UnregisteredEvent
from ai.events.notice_events import LeaderEvent, ProvokedEvent, RelationEvent, ScriptDataEvent
from ai.events.priorities import NOT_FOR_EVENTS, EventPriority, checked_priority
from ai.events.script_events import ErrorEvent, SessionEvent
from ai.events.shocking import ShockingEvent
from ai.events.sound_events import ExplosionEvent, SoundEvent, WeaponEvent
from ai.events.task_events import GivePedTaskEvent, ScriptCommandEvent
from ai.events.types import EventType, is_ai, is_error, is_session
from ai.tasks.new_task_event import NewTaskEvent
from tests.ai.events.event_doubles import (
    ASSETS,
    NONTEMP,
    SCRIPT,
    TEMP,
    Person,
    Reply,
    Street,
    Stub,
    shipped_decisions,
    shipped_shocking,
    shipped_tuning,
)
from tests.ai.events.every_event import ALL_TYPES, instance_of

ROOT = Path(__file__).resolve().parents[3]
TABLE = list(
    csv.DictReader(
        (ROOT / "tests" / "data" / "event_types.csv").read_text(encoding="utf-8").splitlines()
    )
)


def test_type_ranges() -> None:
    """EVT-10: 1 to 299 AI, 300 to 399 session, 400 to 449 errors; a taken id is refused."""
    for event_type in EventType:
        if event_type is EventType.NONE:
            continue
        inside = (1 <= event_type < 300, 300 <= event_type < 400, 400 <= event_type < 450)
        assert inside == (is_ai(event_type), is_session(event_type), is_error(event_type))
        assert sum(inside) == 1
    with pytest.raises(TypeError, match="taken"):

        class Second(OnFireEvent):
            __slots__ = ()
            event_type = EventType.ON_FIRE

    with pytest.raises(TypeError, match="never queued"):
        registry.register(EventType.NONE, OnFireEvent)


def test_a_class_outside_its_range_is_refused() -> None:
    """EVT-10: an AI class for a session number."""
    held = registry._registered.pop(EventType.SESSION_ENDED)
    try:
        with pytest.raises(TypeError, match="outside its range"):
            registry.register(EventType.SESSION_ENDED, OnFireEvent)
    finally:
        registry._registered[EventType.SESSION_ENDED] = held


def test_event_registry_consistent() -> None:
    """EVT-11: enum, registry and the names in the data files are one set."""
    offenders = [one.name for one in EventType if one and not registry.is_registered(one)]
    offenders += [one.name for one in registry.all_registered() if one.name != one.event_type.name]
    offenders += [name for name in shipped_tuning().event if name not in EventType.__members__]
    offenders += [name for name in shipped_shocking().kind if name not in EventType.__members__]
    offenders += [
        entry.name for entry in shipped_decisions().entries.values() if not is_ai(entry.event_type)
    ]
    assert offenders == []


def test_an_unregistered_event_is_refused(ped: Person) -> None:
    """EVT-11: in strict mode and out of it."""
    stub = Stub(700)
    stub.event_type = EventType.NONE
    with pytest.raises(UnregisteredEvent, match="Stub has no registered name"):
        ped.add(stub)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["type"])
def test_type_table(row: dict[str, str]) -> None:
    """EVT-12: number, priority, temporary, editable, lifetime and delay of every type."""
    event_type = EventType[row["type"]]
    assert int(event_type) == int(row["id"])
    cls = registry.entry_of(event_type).event_class
    if not row["priority"]:
        assert issubclass(cls, (SessionEvent, ErrorEvent))
        return
    if event_type is EventType.NEW_TASK:
        assert cls is NewTaskEvent
        assert NewTaskEvent.priority == EventPriority.NEW_TASK
        return
    assert issubclass(cls, Event)
    if issubclass(cls, ShockingEvent):
        kind = shipped_shocking().of(event_type)
        assert kind.shock_class(1e9).value.name == row["priority"]
        delay, lifetime = kind.delay_s, shipped_shocking().lifetime_ticks
    else:
        if row["priority"] == "dynamic":
            assert cls.rank is EventPriority.NONE
        else:
            assert cls.rank.name == row["priority"]
        tuning = shipped_tuning().of_type(event_type)
        delay, lifetime = tuning.delay_s, tuning.lifetime_ticks
    assert delay == (float(row["delay_min_s"]), float(row["delay_max_s"]))
    if row["lifetime_ticks"]:
        assert lifetime == int(row["lifetime_ticks"])
    if row["temporary"] != "by slot":
        assert cls.is_temporary is (row["temporary"] == "yes")
    assert issubclass(cls, EditableEvent) is (row["editable"] == "yes")


def test_the_table_names_every_type() -> None:
    """EVT-12: nothing is missing from the table."""
    assert {row["type"] for row in TABLE} == {one.name for one in EventType if one}


def test_dead_peds_are_affected_by_little(street: Street, ped: Person) -> None:
    """EVT-12: DEATH, REVIVED, commands for the dead, a dragged task; nothing else."""
    ped.is_dead = True
    affected = []
    for event_type in ALL_TYPES:
        event = instance_of(event_type)
        if not event.is_for_scripts and event.affects_ped(ped):
            affected.append(event_type)
        event.release()
    assert affected == [EventType.DEATH, EventType.REVIVED]
    drag = GivePedTaskEvent(Reply(), NONTEMP, EventPriority.DRAGGED)
    assert drag.affects_ped(ped)
    drag.release()


def test_families() -> None:
    """EVT-13: the issubclass matrix."""
    editable = (
        ShockingEvent, PotentialCollisionEvent, CollisionEvent, RelationEvent, SoundEvent,
        WeaponEvent, DamageEvent, ExplosionEvent, ProvokedEvent, ScriptDataEvent,
    )  # fmt: skip
    fixed = (
        LeaderEvent, SelfStateEvent, ScriptCommandEvent, GivePedTaskEvent, DeathEvent,
        OnFireEvent, SessionEvent, ErrorEvent,
    )  # fmt: skip
    for family in editable:
        assert issubclass(family, EditableEvent)
    for family in fixed:
        assert issubclass(family, Event)
        assert not issubclass(family, EditableEvent)
    for one, other in itertools.permutations(editable + fixed, 2):
        assert not issubclass(one, other)


def ladder_of_the_rules() -> list[tuple[str, int]]:
    text = (ROOT / "tests" / "rules" / "events-and-responses.md").read_text(encoding="utf-8")
    table = text[text.index("**EVT-14") : text.index("**EVT-15")]
    rows = [line for line in table.splitlines() if line.startswith("|")]
    return [(name, int(value)) for row in rows for name, value in re.findall(r"`(\w+)` (\d+)", row)]


def test_ladder_order() -> None:
    """EVT-14: 53 members with the threshold, as the table reads; no value twice."""
    members = sorted((one for one in EventPriority if one), key=int)
    assert [(one.name, int(one)) for one in members] == ladder_of_the_rules()
    assert len(members) == 53
    assert len({int(one) for one in members}) == 53


P = EventPriority


@pytest.mark.parametrize(
    ("low", "high", "reason"),
    [
        (P.DAMAGE, P.ROUTE_CLIMB, "(a) a chaser that is hit still finishes a climb"),
        (P.DAMAGE_MELEE, P.ROUTE_CLIMB, "(a) also in a close fight"),
        (P.ON_FIRE, P.GET_UP, "(b) a ped on the ground first stands"),
        (P.DAMAGE, P.GET_UP, "(b)"),
        (P.SCRIPT_COMMAND, P.GET_UP, "(b)"),
        (P.GET_UP, P.DAMAGE_RAGDOLL, "(c) a ped hit while rising goes down again"),
        (P.DAMAGE_RAGDOLL, P.SCRIPT_COMMAND_HIGH, "(d) a high command outranks a ragdoll hit"),
        (P.SCRIPT_COMMAND_HIGH_NO_RAGDOLL, P.DAMAGE_RAGDOLL, "(d) the no-ragdoll one does not"),
        (P.SCRIPT_COMMAND_HIGH, P.DEATH, "(e) death outranks every order"),
        (P.DEATH_RAGDOLL, P.DRAGGED, "(e) but dragging"),
        (P.DEATH_RAGDOLL, P.REVIVED, "(e) revival"),
        (P.DEATH_RAGDOLL, P.MAX, "(e) and MAX"),
        (P.SHOCK_AFFECTS_OTHERS, P.POT_PROP, "(f) a watcher steps round a bin"),
        (P.RELATION_HATE, P.POT_PROP, "(f)"),
        (P.POT_RUN_OVER, P.SHOCK_POTENTIAL_DANGER, "(f) a fleeing ped does not"),
        (P.GIVE_PED_TASK, P.BLOCK_NON_TEMP, "(g) what may be ignored lies below"),
        (P.BLOCK_NON_TEMP, P.COLLISION, "(g) what happens to its body lies above"),
    ],
)
def test_ladder_reasons(low: EventPriority, high: EventPriority, reason: str) -> None:
    """EVT-15: one comparison per clause."""
    assert low < high, reason


@pytest.mark.parametrize(
    ("fatal", "ragdolls", "melee", "priority"),
    [
        (False, False, False, 1800),
        (False, False, True, 1900),
        (False, True, False, 2400),
        (False, True, True, 2400),
        (True, False, False, 2700),
        (True, False, True, 2700),
        (True, True, False, 2800),
        (True, True, True, 2800),
    ],
)
def test_damage_priority_table(
    ped: Person, fatal: bool, ragdolls: bool, melee: bool, priority: int
) -> None:
    """EVT-16: fatal by ragdoll by close fight."""
    hit = DamageEvent(1, fatal=fatal, ragdolls=ragdolls, melee=melee)
    assert hit.priority(ped) == priority
    assert DeathEvent(body_is_simulated=ragdolls).priority(ped) == (2800 if ragdolls else 2700)


def test_no_event_has_the_threshold_or_a_plain_number() -> None:
    """EVT-16: NONE, BLOCK_NON_TEMP or a plain int raises."""
    for bad in (*NOT_FOR_EVENTS, 1420):
        with pytest.raises(ValueError, match="no priority of an event"):
            checked_priority(bad)


def test_given_tasks_are_temporary_by_slot() -> None:
    """EVT-73: temporary for TEMP and PRIMARY; a low priority or a movement task is refused."""
    for slot in (TEMP, SCRIPT, NONTEMP):
        event = GivePedTaskEvent(Reply(), slot)
        assert event.is_temporary is (slot is not NONTEMP)
        event.release()
    task = Reply()
    with pytest.raises(ValueError, match="below GIVE_PED_TASK"):
        GivePedTaskEvent(task, NONTEMP, EventPriority.SCRIPT_COMMAND)
    with pytest.raises(ValueError, match="main tree"):
        GivePedTaskEvent(task, 0)  # type: ignore[arg-type]
    task.discard()
    with pytest.raises(TypeError, match="use GivePedTaskEvent"):
        ScriptCommandEvent(Reply(), 1, shipped_tuning().command_kind("walk"))


def test_assets_are_where_the_rules_say() -> None:
    """EVT-83, EVT-87: the files of the event system."""
    for name in ("response_tasks", "responses", "decision_makers", "shocking"):
        assert (ASSETS / "events" / f"{name}.toml").exists()
