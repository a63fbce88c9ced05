"""The last facts of every ped, followed as the trace grows, and what they say in English."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from ai.events.trace import Fact, FactTrace
from ai.motion.movement_table import MoveReason
from ai.ports import STEP_S
from game.ui.inspector.stop_reasons import MOVE_REASONS

FACTS_KEPT = 5

COMMAND_KINDS: dict[str, str] = {"goto_object": "go somewhere"}
"""Kinds of script commands, for people."""

END_CAUSES: dict[str, str] = {
    "CANCELLED": "by command",
    "SOURCE_GONE": "its source is gone",
    "PED_GONE": "the ped is gone",
    "NOT_COMMITTED": "it never got its turn",
    "SLOT_REFUSED": "the slot was refused",
    "SUPERSEDED": "another order took over",
}
"""Why an order ended, for people."""


class RecentFact(NamedTuple):
    """A fact of one ped: its number in the trace, when it came about, and what it says."""

    number: int
    time_s: float
    text: str


class RecentFacts:
    """Keeps the last ``FACTS_KEPT`` facts of each ped; reads only what the trace has gained."""

    def __init__(self, trace: FactTrace) -> None:
        self._trace = trace
        self._read = 0
        self._kept: dict[int, deque[RecentFact]] = {}

    def of(self, ped_id: int) -> tuple[RecentFact, ...]:
        """A ped's last facts, oldest first."""
        if len(self._trace) > self._read:
            for fact in self._trace.since(self._read):
                self._keep(fact)
        return tuple(self._kept.get(ped_id, ()))

    def _keep(self, fact: Fact) -> None:
        kept = self._kept.get(fact.ped_id)
        if kept is None:
            kept = self._kept[fact.ped_id] = deque(maxlen=FACTS_KEPT)
        kept.append(RecentFact(self._read, fact.step * STEP_S, fact_words(fact)))
        self._read += 1


def fact_words(fact: Fact) -> str:
    """A fact as a person would put it; one without words of its own is spelt out."""
    details = fact.details
    match fact.fact, details:
        case "COMMAND_GIVEN", (_, kind):
            return f"told to {_command(kind)}"
        case "COMMAND_COMMITTED", (_,):
            return "takes the command on"
        case "COMMAND_REFUSED", (kind, reason):
            return f"can't be told to {_command(kind)}: {_spelt(reason)}"
        case "COMMAND_ENDED", (_, status):
            return f"command over: {_spelt(status)}"
        case "ORDER_STARTED", (session,):
            return f"order {session} is given"
        case "COMPLETED", (session, *_):
            return f"order {session} is done"
        case "CANCELLED", (session, *cause):
            why = END_CAUSES.get(str(cause[0]), _spelt(cause[0])) if cause else "cancelled"
            return f"order {session} ends: {why}"
        case "AWAITING_DECISION", (session, reason):
            return f"order {session} asks for a decision: {_reason(reason)}"
        case "ORDER_TASK_FINISHED", (session, outcome):
            return f"order {session}'s task has {_spelt(outcome)}"
        case "ARRIVED", (_,):
            return "has arrived"
        case "FAILED", (reason, _):
            return f"could not go there: {_reason(reason)}"
        case _:
            return " ".join((_spelt(fact.fact), *(_spelt(detail) for detail in details)))


def _command(kind: object) -> str:
    return COMMAND_KINDS.get(str(kind), _spelt(kind))


def _reason(name: object) -> str:
    reason = MoveReason.__members__.get(str(name))
    return _spelt(name) if reason is None else MOVE_REASONS[reason]


def _spelt(value: object) -> str:
    return str(value).lower().replace("_", " ")
