"""The words of lines that are said by their keys (``assets/events/lines.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ai.tuning import TuningError
from ai.tuning.own_form import read_toml
from game import resources

LINES_FILE = "lines.toml"


@cache
def shipped_lines() -> Mapping[str, str]:
    """Words by key.

    Raises ``TuningError`` with file and key for a line that is no text.
    """
    path = resources.assets() / "events" / LINES_FILE
    table = read_toml(path).get("lines", {})
    for key, words in table.items():
        if not isinstance(words, str) or not words:
            raise TuningError(f"{path}: lines.{key} must be words in quotes")
    return dict(table)


def words_of(line: str) -> str:
    """The words of a key; what is no key is words already."""
    return shipped_lines().get(line, line)
