"""Assertions upon reactions and their texts (EVT-97)."""

from __future__ import annotations

import pytest

from ai.events.decision_maker import DecisionMaker
from ai.events.notice_events import AmbientNotice
from ai.events.reactions import (
    ReactionError,
    assert_not_reacted,
    assert_reacted,
    assert_response_starts,
)
from ai.events.types import EventType
from ai.ports import Vec3
from tests.ai.events.event_doubles import NOTICE, Person, Street, decision, entry, set_makers


def answering(street: Street, *decisions: object) -> Person:
    set_makers(street, DecisionMaker("watcher", (entry("one", *decisions),)))  # type: ignore[arg-type]
    ped = street.person(decision_maker="watcher")
    ped.add(AmbientNotice(Vec3(100.0, 0.0)))
    street.step(90)
    return ped


def test_a_reaction_is_found_by_event_kind_and_time(street: Street) -> None:
    """EVT-97: the event, the kind, and how soon after it reached the ped."""
    ped = answering(street, decision("look"))
    assert_reacted(ped, NOTICE)
    assert_reacted(ped, NOTICE, with_kind="watch", within_s=1.1)
    for how in ({"with_kind": "flee"}, {"within_s": 0.2}):
        with pytest.raises(ReactionError, match="did not answer AMBIENT_NOTICE"):
            assert_reacted(ped, NOTICE, **how)  # type: ignore[arg-type]
    assert_response_starts(ped, "watch", 1)
    with pytest.raises(ReactionError, match="started watch 1 times, not 2"):
        assert_response_starts(ped, "watch", 2)


def test_assertion_failures_explain(street: Street) -> None:
    """EVT-97: the failure prints the ped's own account: its roll, with chances."""
    ped = answering(street, decision("look"))
    with pytest.raises(ReactionError) as raised:
        assert_reacted(ped, EventType.SHOCKING_FIRE)
    assert "AMBIENT_NOTICE" in str(raised.value)
    assert "DM watcher" in str(raised.value)
    assert "COMMITTED" in str(raised.value)


def test_no_reaction_needs_its_reason(street: Street) -> None:
    """EVT-97: left for the reason that is named, and no other."""
    set_makers(street, DecisionMaker("deaf", ()))
    ped = street.person(decision_maker="deaf")
    ped.add(AmbientNotice(Vec3(100.0, 0.0)))
    street.step(90)
    assert_not_reacted(ped, NOTICE, because="NOT_LISTED")
    with pytest.raises(ReactionError, match="not left for COOLDOWN"):
        assert_not_reacted(ped, NOTICE, because="COOLDOWN")
    with pytest.raises(ReactionError):
        assert_not_reacted(ped, NOTICE, because="never_offered")


def test_an_event_that_never_came_counts_for_admission_alone(street: Street) -> None:
    """EVT-97: never offered, or refused at the door; no other reason holds silently."""
    ped = street.person()
    assert_not_reacted(ped, NOTICE, because="never_offered")
    with pytest.raises(ReactionError):
        assert_not_reacted(ped, NOTICE, because="NOT_LISTED")
    ped.is_mirrored = True
    ped.add(AmbientNotice(Vec3(100.0, 0.0)))
    assert_not_reacted(ped, NOTICE, because="REFUSED_MIRRORED")


def test_a_reason_that_is_none_is_refused(street: Street) -> None:
    """EVT-97: an unknown reason does not hold silently."""
    with pytest.raises(ValueError, match="no reason is called 'BORED'"):
        assert_not_reacted(street.person(), NOTICE, because="BORED")
