"""The trace of facts: what happened to whom, dated by step and phase (NAV-23)."""

from __future__ import annotations

from ai.events.trace import FactTrace
from game.world.clock import StepClock


def test_facts_are_dated_by_step_and_phase() -> None:
    """NAV-23, ORD-17: order of facts is (step, phase), then the order in which they came."""
    clock = StepClock()
    trace = FactTrace(clock)
    trace.phase = 6
    trace.note(3, "STARTED", 1)
    trace.phase = 13
    trace.note(3, "COMPLETED", 1)
    clock.advance()
    trace.phase = 2
    trace.note(4, "STARTED", 2)
    assert [row.when for row in trace] == [(0, 6), (0, 13), (1, 2)]
    assert [row.fact for row in trace.of(3)] == ["STARTED", "COMPLETED"]
    assert [row.details for row in trace.of(4, "STARTED")] == [(2,)]
    assert trace.of(4, "COMPLETED") == []


def test_a_full_trace_counts_what_it_drops() -> None:
    """NAV-23: bounded; what came later is counted, never silently lost."""
    trace = FactTrace(StepClock(), limit=2)
    for _ in range(5):
        trace.note(1, "FACT")
    assert (len(trace), trace.dropped) == (2, 3)
