"""Small pieces that all forms of ``level.toml`` are made of: bounded numbers, names, sentences."""

from __future__ import annotations

import unicodedata
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, Field, ValidationError

from ai.tuning import OwnForm, first_error_sentence
from game.levels.errors import suggestion

LONGEST_S = 3600.0
"""Longest time that a level may name."""

Seconds = Annotated[float, Field(strict=True, ge=0.0, le=LONGEST_S)]
Number = Annotated[float, Field(strict=True, ge=-1e6, le=1e6)]
Degrees = Annotated[float, Field(strict=True, ge=-360.0, le=360.0)]
Length = Annotated[float, Field(strict=True, gt=0.0, le=20_000.0)]
Whole = Annotated[int, Field(strict=True, ge=0, le=2**63 - 1)]
Flag = Annotated[bool, Field(strict=True)]


def _showable(text: str) -> str:
    """Refuse what no line of text can show: fonts, windows and terminals stumble over it."""
    for character in text:
        if unicodedata.category(character) in _NEVER_SHOWN:
            raise ValueError(f"holds a character that can't be shown (U+{ord(character):04X})")
    return text


_NEVER_SHOWN = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Unicode categories: control characters, halves of characters, ends of lines and paragraphs."""

Showable = AfterValidator(_showable)

Name = Annotated[str, Field(strict=True, min_length=1, max_length=64), Showable]
Title = Annotated[str, Field(strict=True, min_length=1, max_length=100), Showable]
Sentence = Annotated[str, Field(strict=True, min_length=1, max_length=300), Showable]
Place = tuple[Number, Number]
"""x and y on the map, in cm."""

LocalOffset = tuple[Number, Number, Number]
"""A point in an object's own axes, in cm (ORD-08)."""

Moment = Seconds | Name
"""Seconds from the start of the run, the name of a cue, or ``"end"``."""

END = "end"
"""The moment at which the level's duration is over."""

Form = TypeVar("Form", bound=BaseModel)


class FormError(Exception):
    """A table of ``level.toml`` that its form refuses; the text names key, value and reason.

    - ``key`` is the key that is at fault, empty if it is the whole table.
    """

    def __init__(self, text: str, key: str = "") -> None:
        super().__init__(text)
        self.key = key


def fit(form: type[Form], table: object) -> Form:
    """A table as an object of its form.

    Raises ``FormError`` with the first fault; an unknown key comes with the nearest known one.
    """
    try:
        return form.model_validate(table)
    except ValidationError as error:
        location = error.errors(include_url=False)[0]["loc"]
        raise FormError(_sentence(form, error), str(location[0]) if location else "") from error


def _sentence(form: type[BaseModel], error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if not first["loc"]:
        return str(first["msg"]).removeprefix("Value error, ")
    sentence = first_error_sentence(error)
    if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
        known = [field.alias or name for name, field in form.model_fields.items()]
        sentence += f"; {suggestion(str(first['loc'][0]), known)}"
    return sentence


class LevelForm(OwnForm):
    """Base of the forms here: frozen, no unknown keys, finite numbers."""
