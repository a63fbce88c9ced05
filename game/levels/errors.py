"""The one error of this room: a level that can't be used, said in one sentence."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MAX_TEXT = 600
_MAX_LISTED = 30


class LevelError(Exception):
    """A level, or a name of one, that is refused.

    - The text is one line of at most 600 characters, whatever a hostile file put
      into it, and names the file and the key or object id at fault.
    """

    def __init__(self, text: str) -> None:
        one_line = " ".join("".join(_visible(text)).split())
        if len(one_line) > _MAX_TEXT:
            one_line = one_line[: _MAX_TEXT - 3] + "..."
        super().__init__(one_line)


def _visible(text: str) -> Iterable[str]:
    for character in text:
        yield character if character.isprintable() else " "


def suggestion(name: str, known: Iterable[str]) -> str:
    """The end of a refusal: the nearest known name, else all of them.

    ``"did you mean 'car_a'?"``, ``"known: 'car_a', 'car_b'"`` or ``"there are none"``.
    """
    names = sorted(set(known))
    if not names:
        return "there are none"
    near = difflib.get_close_matches(name[:100], names, n=1)
    if near:
        return f"did you mean '{near[0]}'?"
    listed = ", ".join(f"'{each}'" for each in names[:_MAX_LISTED])
    return f"known: {listed}" + (", ..." if len(names) > _MAX_LISTED else "")
