"""Which event is answered (EVT-50), and which are swept up after the pass (EVT-62, EVT-63)."""

from __future__ import annotations

import pytest

from ai.events.decision_maker import DecisionMaker
from ai.events.decision_trace import Reason
from ai.events.notice_events import AmbientNotice
from ai.events.selection import mark_invalid
from ai.events.types import EventType
from ai.ports import Vec3
from tests.ai.events.event_doubles import Person, Street, Stub

FIRE = EventType.SHOCKING_FIRE
COMMAND = EventType.SCRIPT_COMMAND


def select(ped: Person) -> str:
    chosen = ped.events.peek_highest()
    assert isinstance(chosen, Stub)
    return chosen.name


def test_select(ped: Person) -> None:
    """EVT-50: priority, nearest of the tied, delays; the table of the rule."""
    far = Stub(700, "A", event_type=FIRE, at=Vec3(900, 0))
    near = Stub(700, "B", event_type=FIRE, at=Vec3(300, 0))
    command = Stub(1410, "C", event_type=COMMAND)
    aimed = Stub(1300, "D", event_type=EventType.AIMED_AT, delay_s=(1.0, 1.0))
    for event in (far, near, command, aimed):
        ped.add(event)
    assert select(ped) == "C"
    queue = ped.events.group.queue
    c, d = queue.entries[2], queue.entries[3]
    queue.remove(c.ref())
    assert select(ped) == "B"
    d.is_past_delay = True
    assert select(ped) == "D"
    ped.add(command)
    assert select(ped) == "C", "1300 is below 1410"


@pytest.mark.parametrize(("order", "chosen"), [("CS", "C"), ("SC", "S")])
def test_select_command_tie(ped: Person, order: str, chosen: str) -> None:
    """EVT-50: C at no place ties as first, is not strictly greater as second."""
    events = {
        "C": Stub(1410, "C", event_type=COMMAND),
        "S": Stub(1410, "S", at=Vec3(500, 0)),
    }
    for name in order:
        ped.add(events[name])
    assert select(ped) == chosen


def test_equal_distance_takes_the_earlier(ped: Person) -> None:
    """EVT-50: no position counts as distance 0; equal distance: earlier in the queue."""
    ped.add(Stub(700, "first", at=Vec3(300, 0)))
    ped.add(Stub(700, "second", at=Vec3(0, 300)))
    assert select(ped) == "first"
    ped.add(Stub(700, "nowhere"))
    assert select(ped) == "nowhere"


def test_what_this_pass_expires_still_gets_this_pass(street: Street, ped: Person) -> None:
    """EVT-50: expiry is no criterion."""
    ped.add(Stub(700))
    street.step()
    assert ped.slot(2) is not None


def test_every_loser_is_traced(street: Street, ped: Person) -> None:
    """EVT-95: IN_DELAY, INVALID, NOT_AFFECTED, OUTRANKED, TIE_FARTHER, CHOSEN."""
    gone = street.thing(0, 0)
    ped.add(Stub(700, "far", at=Vec3(900, 0), lifetime=5))
    ped.add(Stub(700, "near", at=Vec3(300, 0), lifetime=5))
    ped.add(Stub(400, "low", lifetime=5))
    ped.add(Stub(700, "late", delay_s=(1.0, 1.0)))
    ped.add(Stub(700, "invalid", source=gone))
    street.removed.add(gone)
    street.step()
    reasons = ped.reasons()
    for reason in (
        Reason.TIE_FARTHER,
        Reason.OUTRANKED_IN_QUEUE,
        Reason.IN_DELAY,
        Reason.INVALID_FOR_PED,
        Reason.CHOSEN,
        Reason.COMMITTED,
    ):
        assert reason in reasons


def test_a_ped_that_died_meanwhile_is_not_affected(street: Street, ped: Person) -> None:
    """EVT-50, EVT-95: NOT_AFFECTED_NOW, asked again at selection."""
    ped.add(Stub(700))
    ped.is_dead = True
    street.step()
    assert ped.has_reason(Reason.NOT_AFFECTED_NOW)


def test_what_was_decided_against_is_no_candidate(street: Street, ped: Person) -> None:
    """EVT-50, EVT-62, EVT-95: DECIDED_NONE; flagged at the end of the pass."""
    street.services.decision_makers.replace([DecisionMaker("base", ())])
    event = ped.add(AmbientNotice(Vec3(0, 0)))
    assert event is not None
    event.is_past_delay = True
    ped.events.handler.handle_events()
    assert ped.has_reason(Reason.DECIDED_NONE)
    assert event.flagged


def test_invalid_only_flagged(street: Street, ped: Person) -> None:
    """EVT-62: after the pass the length is unchanged and flags are set; gone after the step."""
    gone = street.thing(0, 0)
    ped.add(Stub(700, "late", source=gone, delay_s=(1.0, 1.0)))
    ped.add(Stub(700, "waits", delay_s=(1.0, 1.0)))
    street.removed.add(gone)
    ped.events.handler.handle_events()
    invalid, waits = ped.queued()
    assert invalid.flagged
    assert not waits.flagged
    ped.events.end_step()
    assert ped.queued() == [waits]


def test_a_reset_deletes_at_once(street: Street, ped: Person) -> None:
    """EVT-62: delete_now is for a ped's reset."""
    gone = street.thing(0, 0)
    ped.add(Stub(700, source=gone))
    street.removed.add(gone)
    mark_invalid(ped, delete_now=True)
    assert ped.queued() == []


def test_deferred_flush(street: Street, ped: Person) -> None:
    """EVT-63: a task that ticks after the handler still sees a lost event of the same step."""
    ped.add(Stub(900, "wins"))
    ref = ped.events.add_event(Stub(700, "loses", event_type=EventType.LEADER_MOVED_OFF))
    assert ref is not None
    ped.events.handler.handle_events()
    assert ref.get() is not None
    ped.events.end_step()
    assert ref.get() is None
