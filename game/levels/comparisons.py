"""What a level may say about a field: the comparisons of conditions and expectations."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

from game.levels.forms import LevelForm, Name, Number
from game.levels.subjects import THE_RUN, Of

Value = float | int | str | bool | None
"""What a field may read as; None means there is nothing to read."""

NUMBER_COMPARISONS = ("at_least", "at_most", "more_than", "less_than", "near")
_ALL = ("is", "is_not", *NUMBER_COMPARISONS)

NEAR_SLACK = 1e-9
"""A sum of steps that ought to be on the edge of a tolerance may be a rounding error off."""

Scalar = StrictBool | StrictInt | StrictFloat | StrictStr


class Comparison(LevelForm):
    """One comparison of a field with a value; exactly one is given.

    - ``near`` goes with ``tolerance`` (both ends belong to it).
    - Nothing to read compares as false, whatever is asked.
    """

    is_: Scalar | None = Field(default=None, alias="is")
    is_not: Scalar | None = None
    at_least: Number | None = None
    at_most: Number | None = None
    more_than: Number | None = None
    less_than: Number | None = None
    near: Number | None = None
    tolerance: Annotated[float, Field(strict=True, ge=0.0, le=1e6)] | None = None

    @model_validator(mode="after")
    def _near_and_tolerance_together(self) -> Comparison:
        if (self.near is None) != (self.tolerance is None):
            raise ValueError("'near' and 'tolerance' go together")
        return self

    def given(self) -> list[str]:
        """The comparisons that are stated, by key."""
        values = (
            self.is_,
            self.is_not,
            self.at_least,
            self.at_most,
            self.more_than,
            self.less_than,
            self.near,
        )
        return [key for key, value in zip(_ALL, values, strict=True) if value is not None]

    def equality_value(self) -> bool | int | float | str | None:
        """What ``is`` or ``is_not`` compares with."""
        return self.is_ if self.is_ is not None else self.is_not

    def holds(self, value: Value) -> bool:
        """Does the comparison hold of a value."""
        if value is None:
            return False
        if self.is_ is not None:
            return value == self.is_
        if self.is_not is not None:
            return value != self.is_not
        if isinstance(value, str):
            return False
        if self.at_least is not None:
            return value >= self.at_least
        if self.at_most is not None:
            return value <= self.at_most
        if self.more_than is not None:
            return value > self.more_than
        if self.less_than is not None:
            return value < self.less_than
        assert self.near is not None
        assert self.tolerance is not None
        return abs(value - self.near) <= self.tolerance + NEAR_SLACK

    def comparison_text(self) -> str:
        """The comparison in words: ``"at most 15"``."""
        if self.near is not None:
            return f"near {self.near:g} ± {self.tolerance:g}"
        key = self.given()[0]
        value = getattr(self, "is_" if key == "is" else key)
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        return f"{key.replace('_', ' ')} {shown}"


class Subject(Comparison):
    """A comparison of a field of a ped, of an object or of the run itself."""

    ped: Name | None = None
    object: Name | None = None
    run: Literal[True] | None = None
    field: Name

    @model_validator(mode="after")
    def _one_subject(self) -> Subject:
        if sum(bool(given) for given in (self.ped, self.object, self.run)) != 1:
            raise ValueError("name one subject: 'ped', 'object' or 'run'")
        return self

    @property
    def of(self) -> Of:
        """Of whom it is said."""
        if self.run:
            return Of.RUN
        return Of.PED if self.ped is not None else Of.OBJECT

    @property
    def subject(self) -> str:
        """Name of the ped or object, or what stands for the run."""
        name = self.ped if self.ped is not None else self.object
        return THE_RUN if name is None else name


class Condition(Subject):
    """What a cue waits for (LVL-11)."""

    @model_validator(mode="after")
    def _one_comparison(self) -> Condition:
        if len(self.given()) != 1:
            raise ValueError("a condition has one comparison: " + ", ".join(_ALL))
        return self
