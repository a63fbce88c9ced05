"""The level ``reactions``: one blast before a ped of every decision maker (EVT-74, EVT-97)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from ai.events.deciding import decide
from ai.events.decision_trace import Reason, Stage
from ai.events.explain import explain
from ai.events.reactions import assert_not_reacted, assert_reacted
from ai.events.types import EventType
from game.levels.judge import Outcome
from game.sandbox import Sandbox
from tests.streets import ped_named

BLAST = EventType.SHOCKING_EXPLOSION
SEEDS = 200

AUTHORED = {
    "oda": {"flee_run": 1},
    "tim": {"flee_far": 3, "cower_until_safe": 2},
    "bo": {"duck_2": 3, "watch_8": 2, "hurry": 1},
    "cora": {"look_close": 3, "stare": 2},
    "gus": {"look_closer": 1},
    "mei": {"duck_2": 2, "call_for_help": 1},
    "elsa": {"cower_4": 3, "shuffle_off": 2},
    "tova": {"film_12": 3, "flee_run": 2},
}
"""Chances in ``responses.toml`` of what each may do at its distance, seeing it, calm."""

CRITICAL = {1: 10.828, 2: 13.816}
"""Chi-square that is exceeded with p = 0.001, by degrees of freedom."""


@pytest.fixture(scope="module")
def played() -> Iterator[Sandbox]:
    with Sandbox.load("reactions", strict=True) as box:
        box.run()
        box.expectations.finish()
        yield box


def test_everybody_does_what_its_decision_maker_may_do(played: Sandbox) -> None:
    """EVT-97, EVT-84: all expectations of the level hold, and eight peds differ."""
    results = played.expectations.results()
    assert {one.outcome for one in results} == {Outcome.PASSED}
    kinds = {
        one.data[1]
        for name in AUTHORED
        for one in ped_named(played.world, name).events.trace.records(
            reason=Reason.COMMITTED, event=BLAST.name
        )
    }
    assert len(kinds) >= 5, "visibly different answers in one run"


def test_the_trace_explains_every_choice(played: Sandbox) -> None:
    """EVT-95, EVT-96: each event has an end with a reason, each answer a roll that led to it."""
    ends = {
        Reason.COMMITTED, Reason.NO_RESPONSE, Reason.EXPIRED, Reason.FLUSHED, Reason.SAME_TYPE,
        Reason.SAME_TYPE_BY_TASK, Reason.DROPPED, Reason.EVICTED_FOR,
    }  # fmt: skip
    for name in AUTHORED:
        ped = ped_named(played.world, name)
        records = ped.events.trace.records()
        added = {one.event_id for one in records if one.reason is Reason.ADDED}
        assert added, f"{name} had events"
        queued = {one.event_id for one in ped.events.group.events()}
        ended = {one.event_id for one in records if one.reason in ends}
        assert added - queued <= ended, (name, explain(ped, 60.0))
        for one in records:
            if one.reason is Reason.COMMITTED and one.event == BLAST.name:
                rolls = [
                    other for other in records
                    if other.event_id == one.event_id and other.reason is Reason.ROLL
                ]  # fmt: skip
                assert len(rolls) == 1
                assert rolls[0].stage is Stage.DECIDE
                assert rolls[0].data[-1] in AUTHORED[name]
        assert any("r=" in line and "→" in line for line in explain(ped, 60.0))


def test_reactions_can_be_asserted_in_python(played: Sandbox) -> None:
    """EVT-97: the same from Python."""
    oda = ped_named(played.world, "oda")
    assert_reacted(oda, BLAST, with_kind="flee", within_s=4.0)
    assert_not_reacted(oda, EventType.SHOCKING_FIRE, because="never_offered")


def chosen_over_seeds(box: Sandbox, name: str) -> Counter[str]:
    """What a ped decides upon the blast from where the level puts it, with 200 seeds."""
    ped = ped_named(box.world, name)
    services = box.world.events
    blast = next(
        one for one in services.global_events.group.queue.entries if one.event_type is BLAST
    )
    chosen: Counter[str] = Counter()
    for seed in range(SEEDS):
        ped.decision_rng.seed(f"{name} {seed}")
        event = blast.for_peds()
        event.cause.watchers.clear()
        ped.events.clock.begin_updates(1)
        try:
            decide(ped, event)
        finally:
            ped.events.clock.end_updates()
        assert event.decision is not None
        assert event.decision.definition is not None
        chosen[event.decision.definition.name] += 1
    return chosen


def test_the_spread_fits_the_authored_chances() -> None:
    """EVT-75: 200 seeds a ped, decided where it stands in the level: chi-square, p > 0.001.

    The choices alone are repeated: two hundred whole runs would take a quarter of an hour.
    """
    with Sandbox.load("reactions", strict=True) as box:
        while not any(
            one.event_type is BLAST for one in box.world.events.global_events.group.queue.entries
        ):
            box.world.step()
        for name, weights in AUTHORED.items():
            chosen = chosen_over_seeds(box, name)
            assert set(chosen) <= set(weights), name
            total = sum(weights.values())
            statistic = sum(
                (chosen[task] - SEEDS * weight / total) ** 2 / (SEEDS * weight / total)
                for task, weight in weights.items()
            )
            freedom = len(weights) - 1
            assert statistic < CRITICAL.get(freedom, 1e-9), (name, chosen)
