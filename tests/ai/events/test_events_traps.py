"""Combinations that go wrong (section 5 of the rules) that no other file of this folder shows."""

from __future__ import annotations

import pytest

from ai.events.base import Event
from ai.events.body_events import DamageEvent, GetUp
from ai.events.decision_maker import DecisionMaker
from ai.events.decision_trace import Reason
from ai.events.notice_events import AmbientNotice
from ai.events.shocking import ShockingEvent
from ai.events.sound_events import BangHeard
from ai.events.types import EventType
from ai.ports import Vec3
from tests.ai.events.event_doubles import (
    NONTEMP,
    PHYSICAL,
    SCRIPT,
    TEMP,
    Person,
    Reply,
    Street,
    Stub,
    command,
    decision,
    entry,
    give_command,
    put,
    set_makers,
)

FIRE = EventType.SHOCKING_FIRE
HIT = EventType.DAMAGE


def test_command_expired(street: Street, ped: Person) -> None:
    """Trap 8, EVT-67 step 10: a command does not expire before it outranks the reaction."""
    ped.add(Stub(1800, "stumble", event_type=HIT, parts="p", updates_left=100))
    street.step()
    give_command(ped)
    street.step(50)
    assert [one.event_type for one in ped.queued()] == [EventType.SCRIPT_COMMAND]
    street.step(60)
    assert ped.slot(SCRIPT).name == "command"


def test_command_over_stored(street: Street, ped: Person) -> None:
    """Trap 14, EVT-65: temp 450 current, stored 1800, command 1410: the NONTEMP task stays."""
    ped.add(Stub(320, "urgent", event_type=EventType.ACQUAINTANCE_HATE))
    street.step()
    urgent = ped.slot(NONTEMP)
    ped.add(Stub(450, "aside", event_type=EventType.POTENTIAL_GET_RUN_OVER, temporary=True))
    street.step()
    stored = ped.events.history.stored
    assert stored is not None
    stored.event.level = type(stored.event.level)(1800)  # type: ignore[attr-defined]
    give_command(ped)
    street.step()
    assert ped.slot(NONTEMP) is urgent
    assert ped.slot(TEMP) is None
    assert ped.slot(SCRIPT).name == "command"
    assert ped.main_task() is urgent
    assert ped.slot(SCRIPT).enters == 0, "it waits below, un-entered"


def test_a_command_empties_what_nobody_knows_of(street: Street, ped: Person) -> None:
    """EVT-65: a response slot whose task has no record is emptied too."""
    put(ped, Reply("stray"), NONTEMP)
    give_command(ped)
    street.step()
    assert ped.slot(NONTEMP) is None
    assert ped.main_task().name == "command"


def test_flee_once(street: Street, ped: Person) -> None:
    """Trap 15, EVT-65, EVT-52: a physical hit; the flee resumes and starts no second time."""
    ped.add(Stub(700, "flee", event_type=FIRE))
    street.step()
    flee = ped.slot(NONTEMP)
    ped.add(Stub(2400, "hit", event_type=HIT, parts="p", updates_left=10))
    street.step(20)
    assert ped.main_task() is flee
    committed = [one.event for one in ped.events.trace.records(reason=Reason.COMMITTED)]
    assert committed == ["SHOCKING_FIRE", "DAMAGE"]
    ped.add(Stub(700, "again", event_type=FIRE))
    street.step()
    assert ped.slot(NONTEMP) is flee
    assert ped.has_reason(Reason.BELOW_CURRENT) or ped.has_reason(Reason.SAME_TYPE)


def test_second_hit_keeps_flee(street: Street, ped: Person) -> None:
    """Trap 46, EVT-65: after two hits and getting up the flee resumes, the same task."""
    ped.add(Stub(700, "flee", event_type=FIRE))
    street.step()
    flee = ped.slot(NONTEMP)
    set_makers(street, DecisionMaker("ordinary", ()))
    for hit in (1, 2):
        ped.add(DamageEvent(hit, ragdolls=True))
        street.step(5)
    ped.add(GetUp(ped.slot(PHYSICAL)))
    street.step()
    assert ped.slot(PHYSICAL).name == "get_up"
    ped.tasks.set_task(0, None, PHYSICAL)
    street.step()
    assert ped.slot(NONTEMP) is flee
    assert ped.main_task() is flee
    record = ped.events.history.non_temp
    assert record is not None
    assert record.event.event_type is FIRE


def test_stale_stored(street: Street, ped: Person) -> None:
    """Trap 17, EVT-52: the stored event is dropped when its task was deleted meanwhile."""
    ped.add(Stub(700, "flee", event_type=FIRE))
    street.step()
    ped.add(Stub(1700, "fall", event_type=EventType.IN_AIR, temporary=True, updates_left=2))
    street.step()
    ped.tasks.set_task(0, None, NONTEMP)
    street.step(4)
    assert ped.events.history.is_empty
    assert ped.has_reason(Reason.DROPPED)
    assert not ped.has_reason(Reason.RESTORED)


def test_heat_and_fire(street: Street, ped: Person) -> None:
    """Trap 48, EVT-65: HEAT (temporary) and the fire: the flee outranks and empties TEMP."""
    ped.add(Stub(500, "back away", event_type=EventType.HEAT, temporary=True))
    street.step()
    assert ped.slot(TEMP).name == "back away"
    ped.add(Stub(700, "flee", event_type=FIRE))
    street.step()
    assert ped.slot(TEMP) is None
    assert ped.main_task().name == "flee"


def test_source_gone(street: Street, ped: Person) -> None:
    """Trap 44, EVT-85: removed between selection and commit: none, and the next best runs."""

    def vanishing(*_arguments: object) -> str:
        return "its source is gone"

    street.factory._builders["react"] = vanishing  # type: ignore[assignment]
    set_makers(
        street,
        DecisionMaker(
            "ordinary",
            [
                entry("lost", decision("lost", kind="react"), event=EventType.BANG_HEARD),
                entry("look", decision("look", kind="head_track")),
            ],
        ),
    )
    bang = BangHeard(Vec3(1, 1), 1)
    bang.delay_range_s = (0.0, 0.0)
    notice = AmbientNotice(Vec3(0, 0))
    notice.delay_range_s = (0.0, 0.0)
    ped.add(bang)
    ped.add(notice)
    street.step()
    assert ped.has_reason(Reason.NO_RESPONSE)
    assert ped.secondary().name == "look"


def test_refire(street: Street) -> None:
    """Trap 28, EVT-89: a long fire; the ped that answered it is not offered it again."""
    ped = street.person(412.0, decision_maker="timid")
    source = street.thing(0, 0)
    offered: list[Event] = []
    street.services.budget.taps.append(
        lambda event, owner: offered.append(event) if owner.startswith("ped") else None
    )
    for step in range(240):
        if step % 30 == 0:
            street.services.global_events.shock(FIRE, Vec3(0, 0), source=source)
        street.step()
    committed = ped.events.trace.records(reason=Reason.COMMITTED)[0].step
    assert len(offered) <= committed + 1, "offered until it decided, and not in a step after"


def test_far_fire(street: Street, ped: Person) -> None:
    """Trap 32, EVT-79: a cooldown started by one fire does not hush another one far away."""
    first = street.services.global_events.shock(FIRE, Vec3(300.0, 0.0))
    assert first is not None
    street.step(60)
    assert ped.has_reason(Reason.COMMITTED) or ped.has_reason(Reason.ROLL)
    ped.tasks.set_task(0, None, NONTEMP)
    ped.position = Vec3(2000.0, 0.0)
    ped.events.trace.clear()
    second = street.services.global_events.shock(FIRE, Vec3(2300.0, 0.0))
    assert isinstance(second, ShockingEvent)
    street.step(60)
    assert not ped.has_reason(Reason.COOLDOWN)
    assert ped.has_reason(Reason.ROLL)


@pytest.mark.parametrize("number", [1, 2])
def test_command_copy(street: Street, ped: Person, number: int) -> None:
    """Trap 11, EVT-05, EVT-67: a command that waits for an abort runs a fresh task each time."""
    stubborn = put(ped, Reply("stubborn"))
    assert isinstance(stubborn, Reply)
    stubborn.refusals = 3
    event = command(number)
    give_command(ped, event)
    street.step(4)
    placed = ped.slot(SCRIPT)
    assert placed is not event.task
    assert placed.enters == 1
    assert event.task.is_deleted
