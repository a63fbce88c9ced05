"""What a field is: how it is read, what it may read as, and with what it can be compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum

from game.levels.comparisons import NUMBER_COMPARISONS, Comparison, Value
from game.levels.errors import suggestion
from game.levels.sight import Sight


class FieldKind(StrEnum):
    """What a field reads as."""

    NUMBER = "number"
    FLAG = "true or false"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Field:
    """One field.

    - ``words`` are what a word may be; none are stated where it may be any.
    - ``relative``: it compares with an earlier step, so that only expectations know it.
    """

    kind: FieldKind
    read: Callable[[Sight], Value]
    words: frozenset[str] = frozenset()
    relative: bool = False

    def misuse(self, comparison: Comparison) -> str | None:
        """Why a comparison makes no sense for this field, or None."""
        wanted = comparison.equality_value()
        if wanted is None:
            uses_numbers = any(key in NUMBER_COMPARISONS for key in comparison.given())
            if uses_numbers and self.kind is not FieldKind.NUMBER:
                return f"is a {self.kind}; compare it with 'is'"
            return None
        if self.kind is FieldKind.WORD:
            if not isinstance(wanted, str):
                return f"is a word, never {wanted!r}"
            if self.words and wanted not in self.words:
                return f"is never {wanted!r}; {suggestion(str(wanted), self.words)}"
        elif self.kind is FieldKind.FLAG:
            if not isinstance(wanted, bool):
                return f"is true or false, never {wanted!r}"
        elif isinstance(wanted, bool | str):
            return f"is a number, never {wanted!r}"
        return None


def names_of(members: type[Enum]) -> frozenset[str]:
    """The words of a field that reads as a member's name."""
    return frozenset(member.name for member in members)
