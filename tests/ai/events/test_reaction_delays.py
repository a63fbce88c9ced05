"""Reaction delays: drawn once, counted once a pass, never in unison (EVT-21, EVT-22)."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from ai.events.decision_trace import Reason
from ai.events.event_tuning import EventTuning
from ai.events.reaction_delays import DelayLedger
from ai.events.types import EventType
from ai.tuning import TuningError, load_own_form
from game.world.clock import StepClock
from tests.ai.events.event_doubles import ASSETS, Person, Street, Stub

HALF_S = (0.5, 0.5)
"""Always 30 steps."""


def committed(ped: Person) -> list[tuple[int, str]]:
    return [(one.step, one.event) for one in ped.events.trace.records(reason=Reason.COMMITTED)]


@pytest.mark.parametrize(("period", "ready"), [(1, 130), (8, 132)])
def test_delay(street: Street, period: int, ready: int) -> None:
    """EVT-21: 30 steps, first asked at step 100: ready at 130, or at 132 with passes every 8."""
    ped = street.person(period=period)
    ped.ped_id = 0 if period == 1 else 8 - 100 % 8
    street.clock._step = 100
    event = ped.add(Stub(700, delay_s=HALF_S))
    assert event is not None
    while ped.queued():
        street.step()
    assert committed(ped) == [(ready, "LEADER_HOLD")]


def test_ticks_start_anew_when_the_delay_is_over(street: Street, ped: Person) -> None:
    """EVT-21, trap "delay_expiry": it can't expire the instant it becomes ready."""
    ped.add(Stub(2900, "busy"))
    street.step()
    event = ped.add(Stub(700, "delayed", delay_s=HALF_S))
    assert event is not None
    while event.in_delay:
        assert event in ped.queued(), "in delay it never expires"
        street.step()
    assert event.ticks == 0
    assert event in ped.queued()
    street.step()
    assert event not in ped.queued(), "ready stays ready, and one more pass was its last"


def test_delay_counts_once_per_pass(ped: Person) -> None:
    """EVT-21, trap "delay_double": a pass that asks three times advances by one step."""
    event = ped.add(Stub(700, delay_s=HALF_S))
    assert event is not None
    clock = ped.events.clock
    clock.begin_updates(0)
    for _ in range(3):
        assert not event.is_ready(ped, clock)
    clock.end_updates()
    assert event.delay_steps == 30
    clock.begin_updates(1)
    for _ in range(3):
        assert not event.is_ready(ped, clock)
    clock.end_updates()
    assert event.delay_steps == 29


def test_outranked_delays_advance(street: Street, ped: Person) -> None:
    """EVT-21, trap "delay_parallel": 12 and 6 steps side by side; the weaker is ready at 12."""
    weak = ped.add(Stub(900, "weak", delay_s=(0.2, 0.2), event_type=EventType.BANG_HEARD))
    loud = ped.add(Stub(1310, "loud", delay_s=(0.1, 0.1), event_type=EventType.EXPLOSION_HEARD))
    assert weak is not None
    assert loud is not None
    street.step(12)
    assert weak.in_delay
    assert not loud.in_delay
    street.step()
    assert not weak.in_delay


def test_no_delay_draws_no_random_number(street: Street, ped: Person) -> None:
    """EVT-21: range (0, 0)."""
    state = ped.reaction_rng.getstate()
    ped.add(Stub(700))
    street.step()
    assert committed(ped) == [(0, "LEADER_HOLD")]
    assert ped.reaction_rng.getstate() == state


def test_personality_scales_the_delay(street: Street) -> None:
    """EVT-21: multiplied by reaction_scale."""
    slow = street.person(reaction_scale=2.0)
    event = slow.add(Stub(700, delay_s=HALF_S))
    street.step()
    assert event is not None
    assert event.delay_steps == 60


@pytest.mark.parametrize("bad", ["[0.3, 0.1]", "[-0.1, 0.1]", "[0.1, 10.5]"])
def test_bad_ranges_are_load_errors(tmp_path: Path, bad: str) -> None:
    """EVT-21: min above max, negative, above 10 s."""
    text = (ASSETS / "tuning" / "events.toml").read_text(encoding="utf-8")
    path = tmp_path / "events.toml"
    path.write_text(text.replace("delay_s = [0.1, 0.35]", f"delay_s = {bad}"), encoding="utf-8")
    with pytest.raises(TuningError, match="BANG_HEARD"):
        load_own_form(path, EventTuning)


def ledger(clock: StepClock) -> DelayLedger:
    return DelayLedger(clock, gap_steps=6, max_pushes=8)


def test_desync() -> None:
    """EVT-22: 30, 31, 33 drawn in one step are 30, 37, 45; in different steps unchanged."""
    clock = StepClock()
    one = ledger(clock)
    assert [one.hand_out(EventType.BANG_HEARD, delay) for delay in (30, 31, 33)] == [30, 37, 45]
    assert one.hand_out(EventType.EXPLOSION_HEARD, 30) == 30, "another type is another matter"
    apart = []
    for delay in (30, 31, 33):
        clock.advance()
        apart.append(one.hand_out(EventType.BANG_HEARD, delay))
    assert apart == [30, 31, 33]


def test_at_most_eight_pushes() -> None:
    """EVT-22: the tenth of ten equal draws is pushed 8 times and stays where that leads."""
    one = ledger(StepClock())
    given = [one.hand_out(EventType.BANG_HEARD, 10) for _ in range(11)]
    assert given == [10 + 6 * number for number in range(9)] + [58, 58]


def test_a_crowd_does_not_react_in_unison(street: Street, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-22: twelve peds, one bang: no two start within 5 steps, but those pushed 8 times."""
    pushed_out: list[int] = []
    hand_out = DelayLedger.hand_out

    def recorded(self: DelayLedger, event_type: EventType, delay: int) -> int:
        given = hand_out(self, event_type, delay)
        if given - delay == 8 * 6:
            pushed_out.append(given)
        return given

    monkeypatch.setattr(DelayLedger, "hand_out", recorded)
    people = [street.person(100.0 * number) for number in range(12)]
    for person in people:
        person.add(Stub(900, event_type=EventType.BANG_HEARD, delay_s=(0.1, 0.35)))
    street.step(120)
    starts = [committed(person)[0][0] for person in people]
    held_apart = sorted(start for start in starts if start not in pushed_out)
    assert len(held_apart) >= 6
    apart = [two - one for one, two in itertools.pairwise(held_apart)]
    assert min(apart) >= 6, starts
