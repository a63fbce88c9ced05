"""The decision trace: rings, levels, text (EVT-95, EVT-96), and determinism (EVT-98)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.events.decision_trace import Reason, Stage, TraceRecord
from ai.events.explain import explain, last_decision
from ai.events.sound_events import ExplosionHeard
from ai.events.types import EventType
from ai.faults import faults
from ai.ports import Vec3
from tests.ai.events.event_doubles import Person, Street, Stub

FIRE = EventType.SHOCKING_FIRE


def test_a_record_says_all(street: Street, ped: Person) -> None:
    """EVT-95: step, pass, stage, reason, event, priority, ticks, source, distance, data."""
    source = street.thing(300.0, 400.0)
    ped.add(Stub(700, event_type=FIRE, source=source))
    street.step()
    committed = ped.events.trace.records(reason=Reason.COMMITTED)[0]
    assert committed == TraceRecord(
        0, 1, Reason.COMMITTED, committed.event_id, "SHOCKING_FIRE", 700, 1, source, 500.0,
        ("Reply in EVENT_RESPONSE_NONTEMP", "none"),
    )  # fmt: skip
    assert committed.stage is Stage.HANDLE


def test_the_ring_is_bounded(ped: Person) -> None:
    """EVT-95: 128 records; the oldest fall out."""
    for number in range(200):
        ped.events.trace.note(Reason.COMMITTED, Stub(700, str(number)), ped)
    assert len(ped.events.trace.records()) == 128


def test_what_does_not_change_is_said_once(street: Street, ped: Person) -> None:
    """EVT-95: a delay that runs and a duplicate that comes each step do not fill the ring."""
    for _ in range(40):
        ped.add(Stub(700, delay_s=(1.0, 1.0)))
        street.step()
    assert ped.reasons() == [Reason.ADDED, Reason.IN_DELAY, Reason.DUPLICATE]


def test_brief_drops_admit_and_select(ped: Person) -> None:
    """EVT-95: handle, decide and end are kept in play too."""
    trace = ped.events.trace
    trace.full = False
    for reason in Reason:
        trace.note(reason, Stub(700), ped)
    kept = {reason.stage for reason in trace.reasons()}
    assert kept == {Stage.HANDLE, Stage.DECIDE, Stage.END}


def run(*, full: bool, people: int = 6, without: int = -1) -> dict[int, list[tuple[int, str]]]:
    """A bang before a crowd: what each ped committed, and when."""
    street = Street()
    crowd = [street.person(200.0 * number, 100.0) for number in range(people)]
    for person in crowd:
        person.events.trace.full = full
    if without >= 0:
        street.removed.add(crowd[without].ref)
    street.services.global_events.shock(EventType.SHOCKING_BANG, Vec3(500.0, 0.0))
    street.services.global_events.shock(FIRE, Vec3(300.0, 0.0))
    street.step(120)
    return {
        person.ped_id: [
            (one.step, one.event + str(one.data))
            for one in person.events.trace.records(reason=Reason.COMMITTED)
        ]
        for person in crowd
        if person.ref not in street.removed
    }


def test_trace_level_same_run() -> None:
    """EVT-95, EVT-98: brief and full give the same run; the same run twice is the same."""
    assert run(full=True) == run(full=False) == run(full=True)


def test_a_peds_draws_are_its_own() -> None:
    """EVT-98: removing one bystander leaves the decisions of the others unchanged."""
    whole, fewer = run(full=True), run(full=True, without=5)
    for ped_id, committed in fewer.items():
        assert [what for _, what in committed] == [what for _, what in whole[ped_id]]


@pytest.mark.expects_faults
def test_explain_text(street: Street) -> None:
    """EVT-96: newest first, the roll with chances, S and r; the ped's faults joined in."""
    ped = street.person(412.0, decision_maker="timid")
    source = street.thing(0, 0)
    street.services.global_events.shock(FIRE, Vec3(0, 0), source=source)
    street.step(60)
    faults.record("test", "something broke", "ped#1")
    faults.record("test", "of somebody else", "ped#2")
    lines = explain(ped)
    assert lines[0] == "fault test: something broke"
    assert not any("somebody else" in line for line in lines)
    (roll,) = [line for line in lines if "ROLL" in line]
    assert "SHOCKING_FIRE from prop 100 (412 cm): ROLL" in roll
    assert "DM timid < ordinary < base, entry timid_fire, [flee_far 8, cower_4 1] r=" in roll
    assert " of 9 → " in roll
    (committed,) = [line for line in lines if "COMMITTED" in line]
    assert committed.endswith("Reply in EVENT_RESPONSE_NONTEMP, flee")
    assert lines.index(committed) < lines.index(roll), "newest first"
    record = last_decision(ped)
    assert record is not None
    assert record.reason is Reason.ROLL
    assert explain(ped, since_s=0.1)[1:] == []


def test_the_worlds_own_ring(street: Street) -> None:
    """EVT-95: global events: added, combined, over."""
    group = street.services.global_events.group
    group.add_or_combine(ExplosionHeard(Vec3(0, 0), 1, 100.0, 0))
    group.add_or_combine(ExplosionHeard(Vec3(0, 0), 2, 100.0, 0))
    street.step()
    assert street.services.world_trace.reasons() == [
        Reason.ADDED,
        Reason.MERGED_SAME_SOURCE,
        Reason.EXPIRED,
    ]


def test_what_becomes_of_the_unanswered(street: Street, ped: Person) -> None:
    """EVT-95: EXPIRED by ticks, FLUSHED when flagged or cleared."""
    ped.add(Stub(900, "wins"))
    ped.add(Stub(700, "expires", event_type=EventType.PROVOKED))
    street.step()
    ped.add(Stub(700, "flushed", event_type=EventType.BANG_HEARD))
    ped.events.clear()
    ends = [(one.event, one.reason) for one in ped.events.trace.records()
            if one.reason in (Reason.EXPIRED, Reason.FLUSHED)]  # fmt: skip
    assert ends == [("PROVOKED", Reason.EXPIRED), ("BANG_HEARD", Reason.FLUSHED)]


@pytest.mark.parametrize("reason", [Reason.FLEE_POINT, Reason.NO_FLEE_POINT])
def test_a_reasoning_is_told_line_by_line(ped: Person, reason: Reason) -> None:
    """EVT-96, FLEE-10: noted by the name of the event; data that has lines says them."""

    class Reasoning:
        """Two lines and a summary."""

        def lines(self) -> list[str]:
            return ["first", "second"]

        def __str__(self) -> str:
            return "summary"

    ped.events.trace.note_by_name(reason, "SHOCKING_FIRE", None, 150.0, Reasoning())
    assert explain(ped) == [
        f"0.00 s  SHOCKING_FIRE (150 cm): {reason.name}  summary",
        "    first",
        "    second",
    ]


NOT_REASONS_OF_A_PED = {Reason.REFUSED_NO_BUDGET}


def test_every_reason_is_produced_by_a_test() -> None:
    """EVT-95: each reason stands in the source of the rooms and is asserted by a test."""
    folder = Path(__file__).parent
    texts = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("test_*.py")))
    unseen = [reason.name for reason in Reason if f"Reason.{reason.name}" not in texts]
    assert unseen == []
