"""The last facts of a ped: followed as the trace grows, told in English."""

from __future__ import annotations

import pytest

from ai.events.trace import Fact, FactTrace
from ai.ports import STEP_S
from game.ui.inspector.recent_facts import FACTS_KEPT, RecentFacts, fact_words
from game.world.clock import StepClock


@pytest.fixture
def clock() -> StepClock:
    return StepClock()


@pytest.fixture
def trace(clock: StepClock) -> FactTrace:
    return FactTrace(clock)


def test_facts_keep_their_order_and_their_time(clock: StepClock, trace: FactTrace) -> None:
    """Facts of step 0 and step 30: half a second apart."""
    facts = RecentFacts(trace)
    trace.note(7, "ORDER_STARTED", 3)
    for _ in range(30):
        clock.advance()
    trace.note(7, "ARRIVED", 1)
    assert [(fact.time_s, fact.text) for fact in facts.of(7)] == [
        (0.0, "order 3 is given"),
        (pytest.approx(30 * STEP_S), "has arrived"),
    ]


def test_only_the_last_are_kept_and_each_ped_has_its_own(trace: FactTrace) -> None:
    facts = RecentFacts(trace)
    trace.note(8, "ORDER_STARTED", 1)
    for session in range(FACTS_KEPT + 2):
        trace.note(7, "ORDER_STARTED", session)
    assert [fact.text for fact in facts.of(7)] == [
        f"order {session} is given" for session in range(2, FACTS_KEPT + 2)
    ]
    assert len(facts.of(8)) == 1
    assert facts.of(9) == ()


def test_a_fact_is_read_once_however_often_it_is_asked_for(trace: FactTrace) -> None:
    """Numbers go on over all peds, so that no row is taken for another one."""
    facts = RecentFacts(trace)
    trace.note(8, "ARRIVED", 1)
    trace.note(7, "ARRIVED", 1)
    assert [fact.number for fact in facts.of(7)] == [1]
    trace.note(7, "ARRIVED", 2)
    assert [fact.number for fact in facts.of(7)] == [1, 2]
    assert [fact.number for fact in facts.of(7)] == [1, 2]


@pytest.mark.parametrize(
    ("name", "details", "words"),
    [
        ("COMMAND_GIVEN", (1, "goto_object"), "told to go somewhere"),
        ("COMMAND_COMMITTED", (1,), "takes the command on"),
        ("COMMAND_REFUSED", ("goto_object", "POOL_FULL"), "can't be told to go somewhere"),
        ("COMMAND_ENDED", (1, "REPLACED"), "command over: replaced"),
        ("COMPLETED", (2,), "order 2 is done"),
        ("CANCELLED", (2, "SOURCE_GONE"), "order 2 ends: its source is gone"),
        ("CANCELLED", (2,), "order 2 ends: cancelled"),
        ("AWAITING_DECISION", (2, "NO_PATH"), "order 2 asks for a decision: nothing leads there"),
        ("ORDER_TASK_FINISHED", (2, "SUCCEEDED"), "order 2's task has succeeded"),
        ("FAILED", ("BLOCKED", 4), "could not go there: blocked for too long"),
        ("SNEEZED", ("LOUD_NOISE", 2), "sneezed loud noise 2"),
    ],
)
def test_every_fact_has_words(name: str, details: tuple[object, ...], words: str) -> None:
    """ORD-17: arrival, completion and the task's end are three facts and stay three lines."""
    assert fact_words(Fact(0, 6, 1, name, details)).startswith(words)
