"""``[[expect]]`` with an event: what is refused at loading, and how it is judged (EVT-97)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ai.events.base import Event
from ai.events.decision_maker import DecisionMaker
from ai.events.notice_events import AmbientNotice
from ai.ports import Vec3
from ai.tasks.task_pool import TaskPool
from game.levels.forms import FormError, fit
from game.levels.judge import Outcome
from game.levels.reaction_forms import ReactionExpectation
from game.levels.reaction_judge import ReactionJudge
from tests.ai.events.event_doubles import Person, Street, decision, entry, set_makers


def expected(**keys: Any) -> ReactionExpectation:
    return fit(ReactionExpectation, {"ped": "anna", "event": "AMBIENT_NOTICE", **keys})


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"kind": "flee", "event": "SHOCKING_FIRES"}, "no event is called 'SHOCKING_FIRES'"),
        ({"kind": "fly"}, "no response is of kind 'fly'"),
        ({"kind": "none"}, "no response is of kind 'none'"),
        ({"because": "BORED"}, "no reason is called 'BORED'"),
        ({}, "say what"),
        ({"kind": "flee", "because": "NOT_LISTED"}, "say what"),
        ({"because": "NOT_LISTED", "within_s": 1.0}, "'within_s' belongs to 'kind'"),
    ],
)
def test_what_would_hold_silently_is_refused_when_loaded(keys: dict[str, Any], words: str) -> None:
    """EVT-97: unknown event, kind or reason: a load error."""
    with pytest.raises(FormError, match=words):
        expected(**keys)


def judged(expectation: ReactionExpectation, event: Event | None, **how: Any) -> ReactionJudge:
    """Ninety steps of a ped that watches whatever it notices, judged after each."""
    TaskPool().activate()
    street = Street()
    set_makers(
        street,
        DecisionMaker("watcher", (entry("one", decision("look")),)),
        DecisionMaker("deaf", ()),
    )
    ped: Person = street.person(decision_maker=how.get("maker", "watcher"))
    view = SimpleNamespace(ped=lambda name: ped if name == "anna" else None)
    judge = ReactionJudge(expectation)
    if event is not None:
        ped.add(event)
    for step in range(90):
        street.step()
        judge.look(view, step)  # type: ignore[arg-type]
    judge.finish(90)
    return judge


NOTICE = AmbientNotice(Vec3(100.0, 0.0))


@pytest.mark.parametrize(
    ("keys", "event", "maker", "outcome"),
    [
        ({"kind": "watch"}, NOTICE, "watcher", Outcome.PASSED),
        ({"kind": ("flee", "watch"), "within_s": 1.1}, NOTICE, "watcher", Outcome.PASSED),
        ({"kind": "watch", "within_s": 0.2}, NOTICE, "watcher", Outcome.FAILED),
        ({"kind": "flee"}, NOTICE, "watcher", Outcome.FAILED),
        ({"kind": "watch"}, NOTICE, "deaf", Outcome.FAILED),
        ({"kind": "watch"}, None, "watcher", Outcome.NOT_RUN),
        ({"because": "NOT_LISTED"}, NOTICE, "deaf", Outcome.PASSED),
        ({"because": "COOLDOWN"}, NOTICE, "deaf", Outcome.FAILED),
        ({"because": "NOT_LISTED"}, NOTICE, "watcher", Outcome.FAILED),
        ({"because": "never_offered"}, None, "watcher", Outcome.PASSED),
        ({"because": "never_offered"}, NOTICE, "deaf", Outcome.FAILED),
    ],
)
def test_how_reactions_are_judged(
    keys: dict[str, Any], event: Event | None, maker: str, outcome: Outcome
) -> None:
    """EVT-97: answered so and so soon, not answered and why; what never came is no pass."""
    assert judged(expected(**keys), event, maker=maker).outcome is outcome


def test_a_failure_tells_the_peds_own_account() -> None:
    """EVT-97: a failure prints why it did what it did."""
    judge = judged(expected(kind="flee"), NOTICE)
    assert "DM watcher" in judge.last_seen()
    assert judge.decided is not None
    assert expected(kind="flee").sentence() == "anna: answers AMBIENT_NOTICE with flee"
