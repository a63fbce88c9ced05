"""Judging a level's expectations: looked at in phase 17 of every step (LVL-11).

Each expectation has a judge that sees its subject after every step and ends in
one outcome. A run that is over too early to tell leaves it *not run*: that is no
pass (LVL-09).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from game.levels.cues import CueRunner
from game.levels.expectation_forms import Expectation
from game.levels.fields import FINGERPRINT, field_of
from game.levels.judge import Judge, Outcome
from game.levels.reaction_forms import ReactionExpectation
from game.levels.reaction_judge import ReactionJudge
from game.levels.sight import Sight
from game.levels.stage import LevelView
from game.levels.subjects import Of
from game.levels.times import end_of_step_s, steps_within
from game.levels.watched import Many, One, Watched


@dataclass(frozen=True, slots=True)
class ExpectationResult:
    """What became of one expectation.

    - ``objective``: the level words it for players; the others are for testers.
    - ``last_seen`` says what the field read when it was last looked at.
    - ``decided_s`` is when it was decided, None while it is open.
    - ``subjects`` are the names of whom it is about.
    - ``warnings``: the run went otherwise than the level meant, though this passed.
    """

    sentence: str
    objective: bool
    outcome: Outcome
    last_seen: str
    decided_s: float | None
    subjects: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """The four numbers of a report (LVL-09); a pass never hides its warnings."""

    passed: int
    passed_with_warnings: int
    failed: int
    not_run: int

    @property
    def total(self) -> int:
        """All expectations."""
        return self.passed + self.passed_with_warnings + self.failed + self.not_run

    @property
    def ok(self) -> bool:
        """Everything passed, and there was something to pass."""
        return self.total > 0 and self.failed == 0 and self.not_run == 0


class ExpectationWatch:
    """The expectations of one run.

    - Made when the world stands and before its first step: what is unchanged or
      rises is measured against the state before a window.
    - What is expected from or until a cue that this run leaves out (``Cue.choice``) is
      no expectation of this run.
    - With ``own_seed`` off the run has another seed than the level's own, and so no
      fingerprint that could be expected.
    - ``duration_s``: where "the end" is; None means as long as the run lasts.
    - ``everybody`` are the names that ``peds = "all"`` means, there or not yet.
    - ``judge`` is called once a step, ``finish`` when the run is over.
    """

    def __init__(
        self,
        expectations: Sequence[Expectation],
        duration_s: float | None,
        cues: CueRunner,
        view: LevelView,
        everybody: Sequence[str] = (),
        reactions: Sequence[ReactionExpectation] = (),
        *,
        own_seed: bool = True,
    ) -> None:
        self._cues = cues
        self._steps = 0
        self._over = False
        self._everybody = tuple(everybody)
        self._own_seed = own_seed
        self._sights: dict[tuple[Of, str], Sight] = {}
        duration_steps = None if duration_s is None else steps_within(duration_s)
        self._judges = [
            Judge(one, duration_steps, cues.acted_step, self._watched(one, view))
            for one in expectations
            if not self._left_out(one)
        ]
        self._reactions = [ReactionJudge(one) for one in reactions]

    def judge(self, view: LevelView, step: int) -> None:
        """Look at the state that this step left."""
        self._steps = step + 1
        for sight in self._sights.values():
            sight.look(view)
        for judge in self._judges:
            judge.look(step)
        for reaction in self._reactions:
            reaction.look(view, step)

    def finish(self) -> None:
        """The run is over: what is still open can't be told any more."""
        self._over = True
        for judge in self._judges:
            judge.finish(self._steps)
        for reaction in self._reactions:
            reaction.finish(self._steps)

    def results(self) -> tuple[ExpectationResult, ...]:
        """Where every expectation stands: of fields, then of reactions, each in file order."""
        return (
            *(self._result(judge) for judge in self._judges),
            *(self._reaction_result(judge) for judge in self._reactions),
        )

    def summary(self) -> Summary:
        """The four numbers; what is still pending counts as not run."""
        results = self.results()
        passed = [result for result in results if result.outcome is Outcome.PASSED]
        warned = sum(bool(result.warnings) for result in passed)
        failed = sum(result.outcome is Outcome.FAILED for result in results)
        return Summary(len(passed) - warned, warned, failed, len(results) - len(passed) - failed)

    def _reaction_result(self, judge: ReactionJudge) -> ExpectationResult:
        ped = judge.expectation.ped
        return ExpectationResult(
            sentence=judge.expectation.sentence(),
            objective=judge.expectation.text is not None,
            outcome=judge.outcome,
            last_seen=judge.last_seen(),
            decided_s=None if judge.decided is None else end_of_step_s(judge.decided),
            subjects=(ped,),
            warnings=self._cues.warnings(ped, over=self._over),
        )

    def _left_out(self, expectation: Expectation) -> bool:
        if expectation.field == FINGERPRINT and not self._own_seed:
            return True
        return any(
            isinstance(moment, str) and self._cues.is_left_out(moment)
            for moment in expectation.window
        )

    def _watched(self, expectation: Expectation, view: LevelView) -> Watched:
        field = field_of(expectation.field, expectation.of)
        assert field is not None, "names are checked when the level is loaded"
        if expectation.peds is None:
            sight = self._sight(expectation.subject, view, expectation.of)
            return One(expectation, field, sight)
        names = self._names(expectation)
        sights = [self._sight(name, view, Of.PED) for name in names]
        return Many(expectation, field, names, sights)

    def _names(self, expectation: Expectation) -> tuple[str, ...]:
        """Everybody and everything of whom it is said."""
        if expectation.peds is None:
            return (expectation.subject,)
        return self._everybody if expectation.peds == "all" else expectation.peds

    def _sight(self, name: str, view: LevelView, of: Of) -> Sight:
        """The one sight of a subject, shared by all who watch it."""
        key = (of, name)
        if key not in self._sights:
            self._sights[key] = Sight(view, name, of)
        return self._sights[key]

    def _result(self, judge: Judge) -> ExpectationResult:
        return ExpectationResult(
            sentence=judge.expectation.sentence(),
            objective=judge.expectation.text is not None,
            outcome=judge.outcome,
            last_seen=judge.last_seen(),
            decided_s=None if judge.decided is None else end_of_step_s(judge.decided),
            subjects=self._names(judge.expectation),
            warnings=self._cues.warnings(*self._names(judge.expectation), over=self._over),
        )
