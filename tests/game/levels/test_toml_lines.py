"""Lines of a TOML file (product section 8: file, line and a hint)."""

from __future__ import annotations

import tomllib

import pytest

from game.levels.toml_lines import TOP, TomlLines

TEXT = """
title = "x"
text = '''
[[cue]]
at = 1
'''
[camera]
x = 1.0
  [[cue]]  # the first
at = 1
"do" = "x"
when = { ped = "a" }
[[ expect ]]
at = 3
[[cue]]
at = 4
"""


@pytest.mark.parametrize(
    ("table", "index", "key", "line"),
    [
        (TOP, 0, "title", 2),
        (TOP, 0, "text", 3),
        (TOP, 0, "x", None),
        ("cue", 0, "", 9),
        ("cue", 0, "at", 10),
        ("cue", 0, "do", 11),
        ("cue", 0, "when", 12),
        ("cue", 0, "missing", 9),
        ("expect", 0, "at", 14),
        ("cue", 1, "at", 16),
        ("cue", 2, "at", None),
    ],
)
def test_lines_of_entries_and_keys(table: str, index: int, key: str, line: int | None) -> None:
    """A key that is not there is looked for where its entry begins; text in fences is no table."""
    assert len(tomllib.loads(TEXT)["cue"]) == 2
    assert TomlLines(TEXT).line(table, index, key) == line


def test_an_inline_list_has_no_lines() -> None:
    assert TomlLines('cue = [{ do = "x" }]').line("cue", 0, "do") is None
