"""When the cues of a run are due: at a time, on a condition, after another cue, again, or never.

It is asked cue by cue in file order, so that a cue that follows an earlier one without
delay acts in the same step, and one that follows a later one in the next.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate

from game.levels.comparisons import Condition
from game.levels.cue_forms import Cue
from game.levels.fields import field_of
from game.levels.sight import Sight
from game.levels.stage import LevelView
from game.levels.times import first_step_at


class CueSchedule:
    """The times of a run's cues; ``index`` is a cue's place in the file.

    - A condition is asked at the start of the step, so it sees the state that the last
      step left; with ``after`` the cue follows that many seconds later, whatever has
      become of the condition meanwhile.
    - Of the cues of one ``choice`` one is picked here, by the run's seed and their
      weights; ``left_out`` are the others.
    """

    def __init__(self, cues: Sequence[Cue], rng: random.Random) -> None:
        self._cues = tuple(cues)
        self._due: list[int | None] = [
            None if cue.at is None else first_step_at(cue.at) for cue in cues
        ]
        self._times_left = [cue.times or 1 for cue in cues]
        self._first_acted: dict[str, int] = {}
        self._watches: dict[int, _Watch] = {}
        self.left_out = _left_out(self._cues, rng)
        self._open = [index for index in range(len(cues)) if index not in self.left_out]

    @property
    def open(self) -> Sequence[int]:
        """The cues that may still act, in file order."""
        return self._open

    def is_due(self, index: int, view: LevelView, step: int) -> bool:
        """Is this cue to act in this step."""
        due = self._due[index]
        if due is None:
            begun = self._begun(index, view, step)
            if begun is None:
                return False
            due = self._due[index] = begun + first_step_at(self._cues[index].after or 0.0)
        return due <= step

    def acted(self, index: int, label: str, step: int) -> None:
        """Note that a cue has acted, and when it is due again."""
        self._first_acted.setdefault(label, step)
        self._times_left[index] -= 1
        every = self._cues[index].every
        if self._times_left[index] and every is not None:
            self._due[index] = step + max(1, first_step_at(every))
        else:
            self._open = [one for one in self._open if one != index]

    def first_acted(self, label: str) -> int | None:
        """The step in which a cue first acted, or None if it has not yet."""
        return self._first_acted.get(label)

    def _begun(self, index: int, view: LevelView, step: int) -> int | None:
        """The step from which ``after`` counts, or None while there is none."""
        cue = self._cues[index]
        if cue.when is not None:
            return step if self._holds(index, cue.when, view) else None
        assert cue.follows is not None
        return self._first_acted.get(cue.follows)

    def _holds(self, index: int, condition: Condition, view: LevelView) -> bool:
        watch = self._watches.get(index)
        if watch is None:
            watch = self._watches[index] = _Watch(condition, view)
        return watch.holds(view)


def _left_out(cues: Sequence[Cue], rng: random.Random) -> frozenset[int]:
    choices: dict[str, list[int]] = {}
    for index, cue in enumerate(cues):
        if cue.choice is not None:
            choices.setdefault(cue.choice, []).append(index)
    left_out: set[int] = set()
    for indices in choices.values():
        shares = list(accumulate(cues[index].weight or 1.0 for index in indices))
        drawn = rng.random() * shares[-1]
        picked = next(
            (index for index, share in zip(indices, shares, strict=True) if drawn < share),
            indices[-1],
        )
        left_out.update(index for index in indices if index != picked)
    return frozenset(left_out)


class _Watch:
    """Looks at what one condition asks for, step after step."""

    __slots__ = ("_condition", "_read", "_sight")

    def __init__(self, condition: Condition, view: LevelView) -> None:
        field = field_of(condition.field, condition.of)
        assert field is not None, "names are checked when the level is loaded"
        self._condition = condition
        self._read = field.read
        self._sight = Sight(view, condition.subject, condition.of)

    def holds(self, view: LevelView) -> bool:
        """True if the condition holds now."""
        self._sight.look(view)
        return self._condition.holds(self._read(self._sight))
