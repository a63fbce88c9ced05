"""Judging one expectation: when its window is open, what it sees there, what that decides."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from game.levels.comparisons import Value
from game.levels.expectation_forms import Expectation
from game.levels.forms import END
from game.levels.times import end_of_step_s, first_step_at, steps_within
from game.levels.watched import NOWHERE, Mark, Watched


class Outcome(StrEnum):
    """Where an expectation stands."""

    PENDING = "pending"
    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not run"


class Judge:
    """One expectation over one run.

    - Made before the first step; ``look`` is called after each step, ``finish`` once.
    - What ``watched`` sees through is looked at before the judges are, once a step.
    - ``duration_steps``: where "the end" is; None means as long as the run lasts.
    - ``decided`` is the step that decided, None while ``outcome`` is pending or not run.
    """

    def __init__(
        self,
        expectation: Expectation,
        duration_steps: int | None,
        acted_step: Callable[[str], int | None],
        watched: Watched,
    ) -> None:
        self.expectation = expectation
        self.outcome = Outcome.PENDING
        self.decided: int | None = None
        self._watched = watched
        self._needs_reference = expectation.needs_reference
        self._lasts_s = expectation.lasts_s
        self._once_is_enough = expectation.by is not None or expectation.within is not None
        self._never = expectation.never
        self._duration_steps = duration_steps
        self._acted_step = acted_step
        self._first_step: int | None = None
        self._last_step: int | None = None
        self._held_steps = 0
        self._mark: Mark = NOWHERE
        self._seen: Value = watched.read(NOWHERE)
        self._seen_step: int | None = None
        self._before: Value = self._seen
        self._reference: Value = None

    # -- every step --------------------------------------------------------------

    def look(self, step: int) -> None:
        """Look at the state after a step, if it lies in the window and nothing is decided."""
        if self.decided is not None:
            return
        if self._first_step is None and not self._opens(step):
            if self._needs_reference:
                self._before = self._watched.read(NOWHERE)
            return
        if self._last_step is None:
            self._last_step = self._end()
        if self._last_step is not None and step > self._last_step:
            self._close(step - 1)
            return
        self._seen = self._watched.read(self._mark)
        self._seen_step = step
        self._weigh(self._holds(), step)

    def finish(self, steps: int) -> None:
        """Decide what the end of a run of so many steps decides."""
        if self.decided is not None:
            return
        is_over = self._last_step is not None and self._last_step < steps
        if is_over or (self._first_step is not None and self._lasts_to_the_end()):
            self._close(steps - 1)
        else:
            self.outcome = Outcome.NOT_RUN

    def last_seen(self) -> str:
        """What the field read last, and when."""
        if self._first_step is None:
            return "its window has not begun"
        text = self._watched.in_words(self._seen)
        if self._seen_step is not None:
            text += f" at {end_of_step_s(self._seen_step):.3f} s"
        if self._needs_reference:
            text += f", before the window {self._reference}"
        if self._lasts_s is not None:
            text += f", held for {end_of_step_s(self._held_steps - 1):.3f} s"
        return text

    def _holds(self) -> bool:
        expectation = self.expectation
        if not self._needs_reference:
            return self._watched.holds(self._seen)
        if self._seen is None or self._reference is None:
            return False
        if expectation.unchanged:
            return self._seen == self._reference
        if isinstance(self._seen, str) or isinstance(self._reference, str):
            return False
        return self._seen - self._reference == expectation.rises_by

    def _weigh(self, holds: bool, step: int) -> None:
        """What one look decides."""
        if self._lasts_s is not None:
            self._held_steps += holds
            if self._held_steps > steps_within(self._lasts_s + self.expectation.tolerance_s):
                self._decide(Outcome.FAILED, step)
        elif self._once_is_enough:
            if holds:
                self._decide(Outcome.PASSED, step)
        elif holds is self._never:
            self._decide(Outcome.FAILED, step)

    def _close(self, step: int) -> None:
        """The window is over and nothing was decided inside it.

        One that ended before it began, as when its cues came the other way round,
        has seen nothing: that is no pass.
        """
        expectation = self.expectation
        if self._seen_step is None:
            self._decide(Outcome.NOT_RUN, step)
        elif self._lasts_s is not None:
            least = first_step_at(self._lasts_s - expectation.tolerance_s)
            self._decide(Outcome.PASSED if self._held_steps >= least else Outcome.FAILED, step)
        elif self._once_is_enough:
            self._decide(Outcome.FAILED, step)
        else:
            self._decide(Outcome.PASSED, step)

    def _decide(self, outcome: Outcome, step: int) -> None:
        self.outcome = outcome
        self.decided = step

    # -- the window ----------------------------------------------------------------

    def _opens(self, step: int) -> bool:
        """Does the window begin with this step; notes where everything was before it."""
        start = self.expectation.window[0]
        first = self._acted_step(start) if isinstance(start, str) else first_step_at(start)
        if first is None or step < first:
            return False
        self._first_step = first
        self._mark = self._watched.mark()
        self._reference = self._before
        return True

    def _lasts_to_the_end(self) -> bool:
        """True if its window is open for as long as the run lasts."""
        expectation = self.expectation
        return (
            self._duration_steps is None
            and expectation.within is None
            and expectation.window[1] == END
        )

    def _end(self) -> int | None:
        """The last step of an open window; None while the cue that ends it has not acted."""
        expectation = self.expectation
        if expectation.within is not None:
            assert self._first_step is not None
            return self._first_step + steps_within(expectation.within) - 1
        end = expectation.window[1]
        if end == END:
            return None if self._duration_steps is None else self._duration_steps - 1
        if isinstance(end, str):
            acted = self._acted_step(end)
            return None if acted is None else acted - 1
        return steps_within(end) - 1
