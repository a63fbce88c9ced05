"""Expectations upon reactions: what a ped answers an event with, or why not (EVT-97)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator, model_validator

from ai.events.reactions import check_reason
from ai.events.response_kinds import KINDS
from ai.events.types import EventType, is_ai
from game.levels.errors import suggestion
from game.levels.forms import LevelForm, Name, Sentence


class ReactionExpectation(LevelForm):
    """``[[expect]]`` with ``event`` in place of a field.

    - ``kind``: the response is of this kind, or of one of these.
    - ``within_s``: so soon after the event reached the ped.
    - ``because``: it does not answer, for this reason, or ``never_offered``.
    """

    ped: Name
    event: Name
    kind: Name | tuple[Name, ...] | None = None
    within_s: Annotated[float, Field(strict=True, gt=0.0, le=3600.0)] | None = None
    because: Name | None = None
    text: Sentence | None = None

    @field_validator("event")
    @classmethod
    def _event(cls, name: str) -> str:
        if name not in EventType.__members__ or not is_ai(EventType[name]):
            known = [one.name for one in EventType if is_ai(one)]
            raise ValueError(f"no event is called '{name}'; {suggestion(name, known)}")
        return name

    @field_validator("because")
    @classmethod
    def _because(cls, because: str) -> str:
        return check_reason(because)

    @model_validator(mode="after")
    def _one_outcome(self) -> ReactionExpectation:
        if (self.kind is None) == (self.because is None):
            raise ValueError("say what: 'kind' of the answer, or 'because' of what there is none")
        if self.because is not None and self.within_s is not None:
            raise ValueError("'within_s' belongs to 'kind'")
        for kind in self.kinds:
            if kind not in KINDS or kind == "none":
                raise ValueError(f"no response is of kind '{kind}'; {suggestion(kind, KINDS)}")
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that may be the answer."""
        if self.kind is None:
            return ()
        return (self.kind,) if isinstance(self.kind, str) else self.kind

    @property
    def event_type(self) -> EventType:
        """The type that is answered or not."""
        return EventType[self.event]

    def sentence(self) -> str:
        """The objective in words."""
        if self.text is not None:
            return self.text
        if self.because is not None:
            return f"{self.ped}: no answer to {self.event} because {self.because}"
        soon = "" if self.within_s is None else f" within {self.within_s:g} s"
        return f"{self.ped}: answers {self.event} with {' or '.join(self.kinds)}{soon}"
