"""On which line of a TOML file something stands, which the parser does not tell.

The text has been parsed already: it is valid, and only its shape is looked at here.
"""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*\[\[\s*([A-Za-z_]+)\s*\]\]")
_TABLE = re.compile(r"\s*\[")
_KEY = re.compile(r"""\s*["']?([A-Za-z_][\w-]*)["']?\s*[=.]""")
_FENCES = ('"""', "'''")

TOP = ""
"""The table of keys before any header."""

_Place = tuple[str, int]


class TomlLines:
    """Lines, counted from 1, of the entries of ``[[table]]`` lists and of the keys in them.

    - What is written in a way that is not understood here (lists of inline tables) has
      no line.
    """

    def __init__(self, text: str) -> None:
        self._headers: dict[_Place, int] = {}
        self._keys: dict[tuple[_Place, str], int] = {}
        counts: dict[str, int] = {}
        place: _Place | None = (TOP, 0)
        fence = ""
        for number, line in enumerate(text.splitlines(), start=1):
            if fence:
                fence = "" if line.count(fence) % 2 else fence
                continue
            header = _HEADER.match(line)
            key = _KEY.match(line)
            if header is not None:
                name = header[1]
                place = (name, counts.get(name, 0))
                counts[name] = place[1] + 1
                self._headers[place] = number
            elif _TABLE.match(line):
                place = None
            elif key is not None and place is not None:
                self._keys.setdefault((place, key[1]), number)
            fence = next((one for one in _FENCES if line.count(one) % 2), "")

    def line(self, table: str, index: int, key: str = "") -> int | None:
        """The line of a key in an entry, else of the entry, or None if it is not known."""
        place = (table, index)
        return self._keys.get((place, key), self._headers.get(place))
