"""What a test expects of a run, said while it runs, in the words of ``level.toml``."""

from __future__ import annotations

from typing import Any

from game.levels.cues import CueRunner
from game.levels.errors import LevelError
from game.levels.expectation_forms import Expectation
from game.levels.expectations import ExpectationResult, ExpectationWatch
from game.levels.forms import FormError, fit
from game.levels.judge import Outcome
from game.levels.level import Level
from game.levels.references import check_expectation
from game.levels.stage import LevelView

LABEL = "expect"
"""How refusals call a statement: it stands in no file."""


class Statements:
    """Statements of one run, each judged from the step after it was made.

    - Times are those of the run; ``within`` without ``after`` counts from the statement.
    - What is said of "the end" is said of the run as long as it lasts.
    """

    def __init__(self, level: Level, cues: CueRunner, view: LevelView, *, own_seed: bool) -> None:
        self._level = level
        self._cues = cues
        self._view = view
        self._own_seed = own_seed
        self._open: list[ExpectationWatch] = []

    def add(self, keys: dict[str, Any], now_s: float) -> None:
        """Take a statement: the keys of ``[[expect]]``, with ``is_`` for ``is``.

        Raises ``LevelError`` for one that a level would be refused for, or whose time is over.
        """
        keys = {key.rstrip("_"): value for key, value in keys.items()}
        if "within" in keys and "after" not in keys:
            keys["after"] = now_s
        try:
            expectation = fit(Expectation, keys)
        except FormError as error:
            raise LevelError(f"{LABEL}: {error}") from error
        level = self._level
        check_expectation(LABEL, expectation, level.script, level.description, level.vocabulary)
        if expectation.by is not None and expectation.by <= now_s:
            raise LevelError(
                f"{LABEL}: 'by' = {expectation.by:g} is over, it is {now_s:.3f} s; "
                "say 'within' so many seconds from now"
            )
        self._open.append(
            ExpectationWatch(
                [expectation],
                None,
                self._cues,
                self._view,
                self._level.everybody,
                own_seed=self._own_seed,
            )
        )

    def judge(self, step: int) -> list[ExpectationResult]:
        """Look at what a step left; returns what it broke. Those that came true are done with."""
        broken = []
        for watch in list(self._open):
            watch.judge(self._view, step)
            for result in watch.results():
                if result.outcome is Outcome.FAILED:
                    broken.append(result)
                if result.outcome in (Outcome.FAILED, Outcome.PASSED):
                    self._open.remove(watch)
        return broken

    def finish(self) -> list[ExpectationResult]:
        """The run is over: returns what did not come true; nothing is left afterwards."""
        left, self._open = self._open, []
        unmet = []
        for watch in left:
            watch.finish()
            unmet += [one for one in watch.results() if one.outcome is not Outcome.PASSED]
        return unmet

    @property
    def pending(self) -> bool:
        """Is anything still to come true."""
        return bool(self._open)
