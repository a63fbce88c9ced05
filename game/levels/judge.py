"""Judging one expectation: when its window is open, what it sees there, what that decides."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from ai.ports import Vec3
from game.levels.comparisons import Value
from game.levels.expectation_forms import Expectation
from game.levels.fields import field_of, look
from game.levels.forms import END
from game.levels.stage import LevelView
from game.levels.times import end_of_step_s, first_step_at, steps_within


class Outcome(StrEnum):
    """Where an expectation stands."""

    PENDING = "pending"
    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not run"


class Judge:
    """One expectation over one run.

    - Made before the first step; ``look`` is called after each step, ``finish`` once.
    - ``decided`` is the step that decided, None while ``outcome`` is pending or not run.
    """

    def __init__(
        self,
        expectation: Expectation,
        duration_steps: int,
        acted_step: Callable[[str], int | None],
        view: LevelView,
    ) -> None:
        self.expectation = expectation
        self.outcome = Outcome.PENDING
        self.decided: int | None = None
        self._of_ped = expectation.ped is not None
        field = field_of(expectation.field, of_ped=self._of_ped)
        assert field is not None, "names are checked when the level is loaded"
        self._field = field
        self._duration_steps = duration_steps
        self._acted_step = acted_step
        self._held_steps = 0
        self._opened = False
        self._seen: Value = None
        self._seen_step: int | None = None
        self._place: Vec3 | None = None
        self._origin: Vec3 | None = None
        self._reference: Value = None
        self._note(view, None)
        self._before: Value = self._seen

    # -- every step --------------------------------------------------------------

    def look(self, view: LevelView, step: int) -> None:
        """Look at the state after a step, if it lies in the window and nothing is decided."""
        if self.decided is not None:
            return
        inside = self._inside(step)
        if inside and not self._opened:
            self._opened = True
            self._origin = self._place
            self._reference = self._before
        if self._opened and not inside:
            self._close(step - 1)
            return
        self._note(view, step)
        if inside:
            self._weigh(self._holds(), step)
        self._before = self._seen

    def finish(self, steps: int) -> None:
        """Decide what the end of the run decides."""
        if self.decided is not None:
            return
        end = self._last_step() if self._opened else None
        if end is not None and end < steps:
            self._close(steps - 1)
        else:
            self.outcome = Outcome.NOT_RUN

    def last_seen(self) -> str:
        """What the field read last, and when."""
        shown = f"{self._seen:g}" if isinstance(self._seen, float) else str(self._seen)
        if self._seen is None:
            shown = "nothing to read"
        when = "at the start"
        if self._seen_step is not None:
            when = f"at {end_of_step_s(self._seen_step):.3f} s"
        text = f"{self.expectation.field} = {shown} {when}"
        if self.expectation.needs_reference:
            text += f", before the window {self._reference}"
        if self.expectation.lasts_s is not None:
            text += f", held for {end_of_step_s(self._held_steps - 1):.3f} s"
        return text

    def _note(self, view: LevelView, step: int | None) -> None:
        sight = look(
            view,
            self.expectation.subject,
            of_ped=self._of_ped,
            origin=self._origin,
            previous=self._place,
        )
        self._seen = self._field.read(sight)
        self._seen_step = step
        self._place = sight.position

    def _holds(self) -> bool:
        expectation = self.expectation
        if not expectation.needs_reference:
            return expectation.holds(self._seen)
        if self._seen is None or self._reference is None:
            return False
        if expectation.unchanged:
            return self._seen == self._reference
        if isinstance(self._seen, str) or isinstance(self._reference, str):
            return False
        return self._seen - self._reference == expectation.rises_by

    def _weigh(self, holds: bool, step: int) -> None:
        """What one look decides."""
        expectation = self.expectation
        if expectation.lasts_s is not None:
            self._held_steps += holds
            if self._held_steps > steps_within(expectation.lasts_s + expectation.tolerance_s):
                self._decide(Outcome.FAILED, step)
        elif expectation.by is not None or expectation.within is not None:
            if holds:
                self._decide(Outcome.PASSED, step)
        elif holds is expectation.never:
            self._decide(Outcome.FAILED, step)

    def _close(self, step: int) -> None:
        """The window is over and nothing was decided inside it."""
        expectation = self.expectation
        if expectation.lasts_s is not None:
            least = first_step_at(expectation.lasts_s - expectation.tolerance_s)
            self._decide(Outcome.PASSED if self._held_steps >= least else Outcome.FAILED, step)
        elif expectation.by is not None or expectation.within is not None:
            self._decide(Outcome.FAILED, step)
        else:
            self._decide(Outcome.PASSED, step)

    def _decide(self, outcome: Outcome, step: int) -> None:
        self.outcome = outcome
        self.decided = step

    # -- the window ----------------------------------------------------------------

    def _inside(self, step: int) -> bool:
        first = self._first_step()
        if first is None or step < first:
            return False
        last = self._last_step()
        return last is None or step <= last

    def _first_step(self) -> int | None:
        start = self.expectation.window[0]
        return self._acted_step(start) if isinstance(start, str) else first_step_at(start)

    def _last_step(self) -> int | None:
        """The last step of an open window; None while the cue that ends it has not acted."""
        expectation = self.expectation
        if expectation.within is not None:
            first = self._first_step()
            assert first is not None
            return first + steps_within(expectation.within) - 1
        end = expectation.window[1]
        if end == END:
            return self._duration_steps - 1
        if isinstance(end, str):
            acted = self._acted_step(end)
            return None if acted is None else acted - 1
        return steps_within(end) - 1
