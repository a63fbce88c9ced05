"""The bounded queue and its budget (EVT-17 to EVT-20, EVT-25, EVT-26)."""

from __future__ import annotations

import logging
import threading
from typing import Any

import pytest

from ai import settings
from ai.events import deferred
from ai.events.base import Event
from ai.events.body_events import DeathEvent
from ai.events.budget import EventBudget
from ai.events.decision_trace import Reason
from ai.events.deferred import WorkerRecord, deliver
from ai.events.event_errors import EventBudgetError, QueueMutationError
from ai.events.shocking import ShockingEvent
from ai.events.task_events import COMMAND_MODULES_ONLY, ScriptCommandEvent
from ai.events.types import EventType
from tests.ai.events.event_doubles import Person, Reply, Street, Stub, shipped_tuning


def fill(ped: Person, *levels: int) -> list[Event]:
    for number, level in enumerate(levels):
        assert ped.add(Stub(level, f"fill{number}")) is not None
    return ped.queued()


def names(ped: Person) -> list[str]:
    return [one.name for one in ped.queued() if isinstance(one, Stub)]


def test_queue_add(ped: Person) -> None:
    """EVT-17: duplicates, expiry, eviction of the oldest lowest, refusal, in that order."""
    fill(ped, *[400] * 15, 200)
    assert ped.add(Stub(700, "seven")) is not None
    assert "fill15" not in names(ped)
    assert ped.has_reason(Reason.EVICTED_FOR)
    assert len(names(ped)) == 16
    assert names(ped)[-1] == "seven"
    assert ped.add(Stub(400, "distinct")) is None
    refused = ped.events.trace.records(reason=Reason.REFUSED_FULL)
    assert refused[-1].data == ("POT_PROP",), "traced with the lowest priority found"
    assert ped.add(Stub(410, "four-ten")) is not None
    assert names(ped)[0] == "fill1", "the oldest of the lowest went"
    dying = ped.queued()[:5]
    for event in dying:
        event.flagged = True
    dying[0].being_processed = True
    assert ped.add(Stub(400, "any")) is not None
    assert len(ped.queued()) == 16 - 4 + 1
    assert dying[0] in ped.queued()


def test_a_live_equal_is_returned_and_a_dying_one_replaced(ped: Person) -> None:
    """EVT-17, trap "dying_twin": a fresh event is not swallowed by an expired equal one."""
    first = ped.add(Stub(700, "same"))
    assert first is not None
    first.ticks = 0
    assert ped.add(Stub(700, "same")) is first
    assert len(ped.queued()) == 1
    first.ticks = 5
    fresh = ped.add(Stub(700, "same"))
    assert fresh is not first
    assert ped.queued() == [fresh]


def test_only_events_are_queued(ped: Person) -> None:
    """EVT-17: None or a non-event raises."""
    for bad in (None, 7, "bang"):
        with pytest.raises(TypeError):
            ped.events.group.queue.add(bad)  # type: ignore[arg-type]


def test_remove_matching(street: Street, ped: Person) -> None:
    """EVT-18: what matches all given keys; one of three fires by type and source."""
    one, two = street.thing(100, 0), street.thing(200, 0)
    for source, tag in ((one, 0), (two, 0), (two, "level")):
        event = street.services.global_events
        cause = event.shock(EventType.SHOCKING_FIRE, street.places[source], source=None)
        assert cause is not None
        form = cause.for_peds()
        form.source, form.tag = source, tag
        assert ped.add(form) is not None
    queue = ped.events.group.queue
    assert queue.remove_matching(EventType.SHOCKING_FIRE, one) == 1
    assert len(queue) == 2
    assert queue.remove_matching(tag="level") == 1
    assert [type(event) for event in queue.entries] == [ShockingEvent]
    with pytest.raises(ValueError, match="at least one key"):
        queue.remove_matching()


def test_removing_what_is_processed_waits(ped: Person) -> None:
    """EVT-18: it is flagged and leaves at the end of the pass."""
    event = ped.add(Stub(700))
    assert event is not None
    event.being_processed = True
    assert ped.events.group.queue.remove(event.ref())
    assert ped.queued() == [event]
    assert event.flagged
    event.being_processed = False
    ped.events.end_step()
    assert ped.queued() == []
    assert not ped.events.group.queue.remove(event.ref())


def test_iteration_guard(ped: Person) -> None:
    """EVT-19: changes in a guarded section raise in strict mode, and wait otherwise."""
    fill(ped, 700)
    queue = ped.events.group.queue
    with queue.guarded() as entries:
        assert entries is queue.entries
        with pytest.raises(QueueMutationError):
            queue.add(Stub(700, "inside"))
        settings.strict = False
        queue.add(Stub(700, "inside"))
        queue.remove(entries[0].ref())
        assert names(ped) == ["fill0"]
    assert names(ped) == ["inside"]


def test_worker_add_raises(ped: Person) -> None:
    """EVT-19: while workers run, and from another thread."""
    deferred.running = True
    try:
        with pytest.raises(QueueMutationError, match="WorkerRecord"):
            ped.add(Stub(700))
    finally:
        deferred.running = False
    raised: list[Exception] = []

    def work() -> None:
        try:
            ped.events.group.queue.add(Stub(700))
        except QueueMutationError as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(raised) == 1


def test_worker_results_order(street: Street) -> None:
    """EVT-19: two batches that finish in either order give identical queues."""
    one, two = street.person(), street.person()
    people = {1: one, 2: two}
    first = [WorkerRecord(2, 0, "x"), WorkerRecord(1, 1, "y")]
    second = [WorkerRecord(1, 0, "z")]

    def run(*batches: list[WorkerRecord]) -> list[tuple[int, list[str]]]:
        for person in people.values():
            person.events.clear()
        deliver(batches, lambda record: people[record.ped_id].add(Stub(700, str(record.finding))))
        return [(number, names(person)) for number, person in people.items()]

    assert run(first, second) == run(second, first) == [(1, ["z", "y"]), (2, ["x"])]


def small_budget() -> Any:
    return shipped_tuning().model_copy(update={"budget": 20})


@pytest.mark.usefixtures("in_play")
def test_budget(caplog: pytest.LogCaptureFixture) -> None:
    """EVT-20: base 11 of 20; the 12th spills, the 21st is refused and dumped once."""
    street = Street(tuning=small_budget())
    people = [street.person(), street.person()]
    budget = street.services.budget
    assert budget.base == 11
    tapped: list[Event] = []
    budget.taps.append(lambda event, owner: tapped.append(event))
    with caplog.at_level(logging.WARNING):
        for number in range(12):
            people[number % 2].add(Stub(700, f"n{number}"))
        assert (budget.spill, budget.spill_peak) == (1, 1)
        for number in range(12, 20):
            people[number % 2].add(Stub(700, f"n{number}"))
        for _ in range(2):
            assert people[0].add(Stub(700, "one too many")) is None
    assert len(tapped) == 22
    assert budget.refused == 2
    assert people[0].events.trace.records(reason=Reason.REFUSED_NO_BUDGET)
    assert len(caplog.records) == 1
    assert "LEADER_HOLD#1  ped#1  ticks 0" in caplog.text
    people[0].queued()[0].flagged = True
    people[0].events.end_step()
    assert people[0].add(Stub(700, "again")) is not None


def test_a_spent_budget_is_an_error_in_strict_mode() -> None:
    """EVT-20: EventBudgetError instead."""
    street = Street(tuning=small_budget())
    ped, other = street.person(), street.person()
    for number in range(10):
        ped.add(Stub(700, f"n{number}"))
        other.add(Stub(700, f"n{number}"))
    with pytest.raises(EventBudgetError, match="20 of 20"):
        ped.add(Stub(700, "one too many"))


def test_the_budget_counts_histories(street: Street, ped: Person) -> None:
    """EVT-20: events in histories live; dropped with their record they do not."""
    ped.add(Stub(700, updates_left=2))
    budget: EventBudget = street.services.budget
    street.step()
    assert (len(ped.queued()), budget.used) == (0, 1)
    street.step(3)
    assert ped.events.history.is_empty
    assert budget.used == 0


def test_add_event_flags(ped: Person) -> None:
    """EVT-26, trap "persist_duplicate": make_space and force_persistent."""
    fill(ped, *[700] * 16)
    ped.queued()[3].flagged = True
    assert ped.add(Stub(1310, "late"), make_space=False) is None
    assert len(ped.queued()) == 16
    assert ped.has_reason(Reason.REFUSED_NO_SPACE_ALLOWED)
    assert ped.add(Stub(1310, "late")) is not None
    entry = ped.queued()[0]
    assert not entry.persistent
    assert ped.add(Stub(700, "fill0"), force_persistent=True) is entry
    assert entry.persistent


def test_script_command_not_evicted(street: Street, ped: Person) -> None:
    """EVT-25: a command and fifteen of 2400; DEATH takes the oldest 2400, the command stays."""
    command = ScriptCommandEvent(
        Reply(), 1, shipped_tuning().command_kind("walk"), token=COMMAND_MODULES_ONLY
    )
    assert ped.add(command) is not None
    for number in range(15):
        ped.add(Stub(2400, f"n{number}"))
    assert ped.add(DeathEvent()) is not None
    assert ped.queued()[0].event_type is EventType.SCRIPT_COMMAND
    assert "n0" not in names(ped)
    assert ped.add(Stub(2400, "weaker")) is None
    command.release()


def test_the_oldest_handle_reads_none_after_eviction(ped: Person) -> None:
    """EVT-07: an EventRef resolves to None once its event was evicted."""
    ref = ped.events.add_event(Stub(200, "lowest"))
    assert ref is not None
    fill(ped, *[700] * 15)
    assert ref.get() is not None
    ped.add(Stub(900, "stronger"))
    assert ref.get() is None
