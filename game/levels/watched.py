"""What an expectation looks at: one ped or object, or a number of peds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ai.ports import Vec3
from game.levels.comparisons import Value
from game.levels.expectation_forms import Expectation
from game.levels.field_kinds import Field
from game.levels.sight import Sight

Mark = tuple[Vec3 | None, ...]
"""Where those who are watched were before a window began."""


class Watched(Protocol):
    """What a judge sees through.

    - ``mark`` is taken when a window begins and given to ``read`` in it.
    - ``holds`` tells whether what was read is what is expected, ``in_words`` what it was.
    """

    def mark(self) -> Mark:
        """Where everything was a step ago."""
        ...

    def read(self, mark: Mark) -> Value:
        """What is to be seen now."""
        ...

    def holds(self, value: Value) -> bool:
        """Is that what the comparison asks for."""
        ...

    def in_words(self, value: Value) -> str:
        """The value for a report."""
        ...


NOWHERE: Mark = (None,)
"""The mark before any window."""


class One:
    """One ped or object: what is read is the field's value."""

    def __init__(self, expectation: Expectation, field: Field, sight: Sight) -> None:
        self._expectation = expectation
        self._field = field
        self._sight = sight

    def mark(self) -> Mark:
        """Where it was."""
        return (self._sight.previous,)

    def read(self, mark: Mark) -> Value:
        """The field's value, None if there is nothing to read."""
        self._sight.origin = mark[0]
        return self._field.read(self._sight)

    def holds(self, value: Value) -> bool:
        """The comparison itself."""
        return self._expectation.holds(value)

    def in_words(self, value: Value) -> str:
        """The field and its value."""
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        return f"{self._expectation.field} = {'nothing to read' if value is None else shown}"


class Many:
    """A number of peds: what is read is of how many the comparison holds.

    - Those who are not in the street count neither for nor against it; nobody there
      is nothing to read.
    - Without ``at_least_peds`` it must hold of all who are there; for ``never`` one is
      enough to break it.
    """

    def __init__(
        self, expectation: Expectation, field: Field, names: Sequence[str], sights: Sequence[Sight]
    ) -> None:
        self._expectation = expectation
        self._field = field
        self._names = tuple(names)
        self._sights = tuple(sights)
        self._there = 0
        self._other: str | None = None

    def mark(self) -> Mark:
        """Where each of them was."""
        return tuple(sight.previous for sight in self._sights)

    def read(self, mark: Mark) -> Value:
        """Of how many of those who are there it holds."""
        known = len(mark) == len(self._sights)
        holding = there = 0
        self._other = None
        for index, sight in enumerate(self._sights):
            if sight.ped is None:
                continue
            there += 1
            sight.origin = mark[index] if known else None
            if self._expectation.holds(self._field.read(sight)):
                holding += 1
                if self._expectation.never:
                    self._other = self._names[index]
            elif not self._expectation.never:
                self._other = self._names[index]
        self._there = there
        return holding if there else None

    def holds(self, value: Value) -> bool:
        """Is that enough of them."""
        if not isinstance(value, int):
            return False
        if self._expectation.at_least_peds is not None:
            return value >= self._expectation.at_least_peds
        return value >= 1 if self._expectation.never else value == self._there

    def in_words(self, value: Value) -> str:
        """How many, and one who makes the difference."""
        if value is None:
            return f"{self._expectation.field}: nobody is there"
        text = f"{self._expectation.field}: holds for {value} of {self._there}"
        if self._other is None:
            return text
        return f"{text}, {'of them' if self._expectation.never else 'not for'} {self._other}"
