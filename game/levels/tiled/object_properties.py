"""Custom properties of a map's objects: typed, bounded, and no mistyped key passed over."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cache

from pytiled_parser.common_types import Color

from game.levels.errors import LevelError, suggestion

Options = dict[str, str | float | int | bool]


class ObjectProperties:
    """An object's properties over those of its tile.

    Readers take out what they understand; the rest are the object's free options.
    """

    def __init__(
        self, own: Mapping[str, object], inherited: Mapping[str, object], label: str
    ) -> None:
        self._label = label
        self._values: Options = {}
        for name, value in {**inherited, **own}.items():
            if isinstance(value, Color):
                red, green, blue, alpha = value
                self._values[name] = f"#{alpha:02x}{red:02x}{green:02x}{blue:02x}"
            elif isinstance(value, (bool, int, float, str)):
                self._values[name] = value
            else:
                raise LevelError(f"{label}: property '{name}' is not supported")

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def number(self, key: str, default: float, low: float, high: float) -> float:
        """Take a number out; both bounds are allowed values."""
        value = self._values.pop(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise LevelError(f"{self._label}: {key} = {value!r} must be a number")
        if not low <= value <= high:
            raise LevelError(
                f"{self._label}: {key} = {value:g} must lie between {low:g} and {high:g}"
            )
        return float(value)

    def word(self, key: str, default: str, known: Set[str]) -> str:
        """Take a name out that must be one of ``known``, or left out."""
        value = self._values.pop(key, default)
        if value != default and value not in known:
            raise LevelError(
                f"{self._label}: {key} = {value!r} is unknown; {suggestion(str(value), known)}"
            )
        return str(value)

    def text(self, key: str) -> str:
        """Take a text out; empty where it is left out."""
        value = self._values.pop(key, "")
        if not isinstance(value, str):
            raise LevelError(f"{self._label}: {key} = {value!r} must be a text")
        return value

    def check_flag(self, key: str) -> None:
        """Make sure that an option, if it is given, is true or false; it stays an option."""
        value = self._values.get(key, False)
        if not isinstance(value, bool):
            raise LevelError(f"{self._label}: {key} = {value!r} must be true or false")

    def options(self, known: tuple[str, ...]) -> Options:
        """What is left: free options.

        Raises ``LevelError`` for one that looks like a mistyped key of ``known``.
        """
        for name in self._values:
            hint = _hint(name, known)
            if name not in known and hint.startswith("did you mean"):
                raise LevelError(f"{self._label}: unknown property '{name}'; {hint}")
        return self._values

    def no_options(self, known: tuple[str, ...]) -> None:
        """Raises ``LevelError`` if anything is left: this object takes no free options."""
        for name in self._values:
            raise LevelError(f"{self._label}: unknown property '{name}'; {suggestion(name, known)}")


@cache
def _hint(name: str, known: tuple[str, ...]) -> str:
    """``suggestion``, worked out once for the many objects of a map with the same option."""
    return suggestion(name, known)
