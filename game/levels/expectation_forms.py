"""The form of ``[[expect]]``: what must come true of a ped or an object, and when (LVL-11)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from game.levels.comparisons import NUMBER_COMPARISONS, Subject
from game.levels.forms import END, Flag, Moment, Name, Number, Seconds, Sentence
from game.levels.subjects import Of


class Expectation(Subject):
    """One expectation. It states of whom, what and, in one of five ways, when.

    Of whom: a ``ped``, an ``object``, ``run = true`` (the run itself), or ``peds``:
    names, or ``"all"``. Of several it must hold of all who are there, or of
    ``at_least_peds`` of them; ``never`` is broken by one.

    What: a comparison, or over a window ``unchanged`` or ``rises_by`` (both against
    the value before the window began, of one ped or object only).

    When:

    - ``by``: true at some step until then, the last one counted; or ``within`` so
      many seconds ``after`` a moment.
    - ``during = [from, to]``: true at every step from the one moment until before
      the other; a moment is a time, a cue's name or ``"end"``.
    - ``always = true``: true at every step, or at every one ``after`` a moment.
    - ``never = true``: true at no step, of the window or ``after`` a moment if there is one.
    - ``lasts_s`` with ``tolerance_s``: true for so long in all.

    ``text`` is what players see as the objective.
    """

    peds: Literal["all"] | tuple[Name, ...] | None = None
    at_least_peds: Annotated[int, Field(strict=True, ge=1, le=100_000)] | None = None
    text: Sentence | None = None
    unchanged: Literal[True] | None = None
    rises_by: Number | None = None
    by: Seconds | None = None
    within: Annotated[float, Field(strict=True, gt=0.0, le=3600.0)] | None = None
    after: Moment | None = None
    during: tuple[Moment, Moment] | None = None
    always: Flag = False
    never: Flag = False
    lasts_s: Annotated[float, Field(strict=True, gt=0.0, le=3600.0)] | None = None
    tolerance_s: Annotated[float, Field(strict=True, ge=0.0, le=3600.0)] = 0.0

    @model_validator(mode="after")
    def _one_subject(self) -> Expectation:
        if (
            sum(bool(given) for given in (self.ped, self.object, self.peds is not None, self.run))
            != 1
        ):
            raise ValueError("say of whom: 'ped', 'object', 'peds' or 'run'")
        if self.at_least_peds is not None and self.peds is None:
            raise ValueError("'at_least_peds' belongs to 'peds'")
        if self.peds is None:
            return self
        if not self.peds:
            raise ValueError("'peds' names nobody")
        if self.peds != "all" and len(set(self.peds)) != len(self.peds):
            raise ValueError("'peds' names somebody twice")
        if self.peds != "all" and self.at_least_peds and self.at_least_peds > len(self.peds):
            raise ValueError(f"'peds' names fewer than {self.at_least_peds}")
        if self.needs_reference:
            raise ValueError("'unchanged' and 'rises_by' are said of one: 'ped' or 'object'")
        return self

    @model_validator(mode="after")
    def _one_what(self) -> Expectation:
        stated = self.given()
        if self.unchanged:
            stated.append("unchanged")
        if self.rises_by is not None:
            stated.append("rises_by")
        if len(stated) != 1:
            raise ValueError(
                "say what, once: is, is_not, "
                + ", ".join(NUMBER_COMPARISONS)
                + f", unchanged or rises_by (given: {', '.join(stated) or 'none'})"
            )
        return self

    @model_validator(mode="after")
    def _one_when(self) -> Expectation:
        if self.within is not None and self.after is None:
            raise ValueError("'within' needs 'after': seconds after what")
        if self.after is not None and not (self.within or self.always or self.never):
            raise ValueError("'after' belongs to 'within', 'always' or 'never'")
        if self.after is not None and self.during is not None:
            raise ValueError("give 'after' or 'during', not both")
        ways = [
            name
            for name, given in (
                ("by", self.by is not None),
                ("within", self.within is not None),
                ("lasts_s", self.lasts_s is not None),
                ("during", self.during is not None and self.lasts_s is None and not self.never),
                ("always", self.always),
                ("never", self.never),
            )
            if given
        ]
        if len(ways) != 1:
            raise ValueError(
                "say when, in one way: by, within and after, during, always, never or lasts_s "
                f"(given: {', '.join(ways) or 'none'})"
            )
        if self.during is not None:
            start, end = self.during
            if isinstance(start, float) and isinstance(end, float) and start >= end:
                raise ValueError(f"'during' ends at {end:g} before it begins at {start:g}")
        if self.tolerance_s and self.lasts_s is None:
            raise ValueError("'tolerance_s' belongs to 'lasts_s'")
        return self

    @property
    def needs_reference(self) -> bool:
        """True if the value before the window is part of the statement."""
        return bool(self.unchanged) or self.rises_by is not None

    @property
    def subject(self) -> str:
        """Of whom it is said, in words."""
        if self.peds is None:
            return super().subject
        return "everybody" if self.peds == "all" else ", ".join(self.peds)

    @property
    def of(self) -> Of:
        """Of whom it is said."""
        return Of.PED if self.peds is not None else super().of

    @property
    def window(self) -> tuple[float | str, float | str]:
        """From and to of the steps that are looked at."""
        if self.by is not None:
            return 0.0, self.by
        if self.after is not None:
            return self.after, END
        return self.during if self.during is not None else (0.0, END)

    def sentence(self) -> str:
        """The objective in words: its own text, or one made from what it states."""
        if self.text is not None:
            return self.text
        if self.unchanged:
            what = "unchanged"
        elif self.rises_by is not None:
            what = f"rises by {self.rises_by:g}"
        else:
            what = self.comparison_text()
        often = "never " if self.never else "always " if self.always else ""
        return f"{self._of_whom()}: {self.field} {often}{what}{self._when()}"

    def _of_whom(self) -> str:
        if self.at_least_peds is None:
            return self.subject
        return f"at least {self.at_least_peds} of {self.subject}"

    def _when(self) -> str:
        if self.by is not None:
            return f" by {self.by:g} s"
        if self.within is not None:
            return f" within {self.within:g} s after {_moment(self.after)}"
        window = "" if self.after is None else f" after {_moment(self.after)}"
        if self.during is not None:
            window = f" from {_moment(self.during[0])} to {_moment(self.during[1])}"
        if self.lasts_s is not None:
            return f" for {self.lasts_s:g} ± {self.tolerance_s:g} s{window}"
        return window


def _moment(moment: float | str | None) -> str:
    if moment == END:
        return "the end"
    return f"{moment:g} s" if isinstance(moment, float | int) else f"'{moment}'"
