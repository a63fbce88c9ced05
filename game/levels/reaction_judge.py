"""Judging a reaction: the trace of a ped is read after every step (EVT-97)."""

from __future__ import annotations

from ai.events.explain import explain
from ai.events.reactions import EXPLAINED_S, Reaction
from game.levels.judge import Outcome
from game.levels.reaction_forms import ReactionExpectation
from game.levels.stage import LevelView


class ReactionJudge:
    """One expectation upon a reaction over one run.

    - Decided as soon as the ped answers; what it leaves is decided when the run is over.
    - An event that never came to the ped leaves a wanted answer *not run*.
    """

    def __init__(self, expectation: ReactionExpectation) -> None:
        self.expectation = expectation
        self.outcome = Outcome.PENDING
        self.decided: int | None = None
        self._reaction = Reaction(expectation.event_type)
        self._read_to = 0
        self._account = "it never had such an event"

    def look(self, view: LevelView, step: int) -> None:
        """Read what this step has added to the ped's trace."""
        if self.decided is not None:
            return
        ped = view.ped(self.expectation.ped)
        if ped is None:
            return
        records = ped.events.trace.records(since_step=self._read_to)
        self._read_to = step + 1
        if not records:
            return
        before = len(self._reaction.responses)
        self._reaction.feed(records)
        if len(self._reaction.responses) > before:
            self._decide(self._is_as_expected(), step)
        if self.outcome is not Outcome.PASSED and self._reaction.first_step is not None:
            self._account = "; ".join(explain(ped, EXPLAINED_S))

    def finish(self, steps: int) -> None:
        """The run is over."""
        if self.decided is not None:
            return
        because = self.expectation.because
        if because is not None:
            self._decide(self._reaction.stays_out_because(because), steps - 1)
        elif self._reaction.first_step is None:
            self.outcome = Outcome.NOT_RUN
        else:
            self._decide(holds=False, step=steps - 1)

    def last_seen(self) -> str:
        """The responses, or the ped's own account if it is not as expected."""
        if self.outcome is Outcome.FAILED:
            return self._account
        if not self._reaction.responses:
            return ", ".join(one.name for one in self._reaction.reasons) or "no such event yet"
        return ", ".join(kind for _, kind in self._reaction.responses)

    def _is_as_expected(self) -> bool:
        expectation = self.expectation
        return expectation.because is None and self._reaction.responds_within(
            expectation.kinds, expectation.within_s
        )

    def _decide(self, holds: bool, step: int) -> None:
        self.outcome = Outcome.PASSED if holds else Outcome.FAILED
        self.decided = step
