"""What a ped made of events of a type, and the assertions of tests upon it (EVT-97).

Read off the decision trace, which is the one account of why a ped did what it did.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from ai.events.decision_trace import Reason, Stage, TraceRecord
from ai.events.explain import explain
from ai.events.types import EventType
from ai.ports import STEP_S

if TYPE_CHECKING:
    from ai.events.subject import EventPed

NEVER_OFFERED: Final = "never_offered"
"""In place of a reason: no event of the type ever came to the ped."""
EXPLAINED_S: Final = 60.0


class ReactionError(AssertionError):
    """A ped did not react as it was to; the text says why it did what it did."""


class Reaction:
    """What became of a ped's events of one type, fed with its trace records in order.

    - ``first_step``: when the ped first had to do with one, None before. ``reasons``: each
      reason once. ``responses``: step and kind of each response.
    """

    __slots__ = ("_event", "first_step", "reasons", "responses")

    def __init__(self, event_type: EventType) -> None:
        self._event = event_type.name
        self.first_step: int | None = None
        self.reasons: dict[Reason, None] = {}
        self.responses: list[tuple[int, str]] = []

    def feed(self, records: Iterable[TraceRecord]) -> Reaction:
        """Take further records in."""
        for record in records:
            if record.event != self._event:
                continue
            if self.first_step is None:
                self.first_step = record.step
            self.reasons[record.reason] = None
            if record.reason is Reason.COMMITTED:
                self.responses.append((record.step, str(record.data[1])))
        return self

    def responds_within(self, kinds: tuple[str, ...], within_s: float | None) -> bool:
        """Was one of these kinds committed, so soon after the ped first had to do with it?"""
        first = self.first_step
        return first is not None and any(
            (not kinds or kind in kinds)
            and (within_s is None or step - first <= round(within_s / STEP_S))
            for step, kind in self.responses
        )

    def stays_out_because(self, because: str) -> bool:
        """Was there no response, and for this reason?

        An event that never reached the ped counts for a reason of admission alone.
        """
        if because == NEVER_OFFERED:
            return self.first_step is None
        reason = Reason[because]
        if reason not in self.reasons or self.responses:
            return False
        reached = any(one.stage is not Stage.ADMIT for one in self.reasons) or (
            Reason.ADDED in self.reasons
        )
        return reached or reason.stage is Stage.ADMIT


def check_reason(because: str) -> str:
    """A reason's name, or ``never_offered``.

    Raises ``ValueError`` for another word.
    """
    if because != NEVER_OFFERED and because not in Reason.__members__:
        raise ValueError(
            f"no reason is called {because!r}; it is one of {NEVER_OFFERED}, "
            + ", ".join(Reason.__members__)
        )
    return because


def reaction_of(ped: EventPed, to: EventType) -> Reaction:
    """What the ped's trace still holds of its events of a type."""
    return Reaction(to).feed(ped.events.trace.records())


def assert_reacted(
    ped: EventPed, to: EventType, *, with_kind: str = "", within_s: float | None = None
) -> None:
    """The ped answered such an event, with that kind and so soon, if those are given.

    Raises ``ReactionError`` with the ped's own account.
    """
    kinds = (with_kind,) if with_kind else ()
    if not reaction_of(ped, to).responds_within(kinds, within_s):
        how = f" with {with_kind}" if with_kind else ""
        when = "" if within_s is None else f" within {within_s:g} s"
        raise _failed(ped, f"did not answer {to.name}{how}{when}")


def assert_not_reacted(ped: EventPed, to: EventType, *, because: str) -> None:
    """The ped had such an event, or ``never_offered``, and left it for this reason.

    Raises ``ReactionError`` with the ped's own account, ``ValueError`` for no reason.
    """
    if not reaction_of(ped, to).stays_out_because(check_reason(because)):
        raise _failed(ped, f"{to.name}: not left for {because}")


def assert_response_starts(ped: EventPed, kind: str, count: int) -> None:
    """Responses of this kind were committed so often.

    Raises ``ReactionError`` with the ped's own account.
    """
    committed = ped.events.trace.records(reason=Reason.COMMITTED)
    found = sum(str(one.data[1]) == kind for one in committed)
    if found != count:
        raise _failed(ped, f"started {kind} {found} times, not {count}")


def _failed(ped: EventPed, what: str) -> ReactionError:
    account = "\n  ".join(explain(ped, EXPLAINED_S)) or "it had no event"
    return ReactionError(f"ped {ped.ped_id} {what}:\n  {account}")
