"""File names made from any text: a level may be called ``Rue: "Café" 街/1`` (F15)."""

from __future__ import annotations

_MAX_BYTES = 80
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul"}
    | {f"com{number}" for number in range(10)}
    | {f"lpt{number}" for number in range(10)}
)


def safe_file_stem(text: str) -> str:
    """A file name without ending that every system takes.

    - Letters and digits of any script, ``-`` and ``_`` stay; all else becomes ``_``.
    - At most 80 bytes; never empty, hidden, or a name that Windows keeps for itself.
    """
    stem = "".join(each if each.isalnum() or each in "-_" else "_" for each in text)
    while "__" in stem:
        stem = stem.replace("__", "_")
    stem = stem.strip("_-")
    stem = stem.encode("utf-8", "ignore")[:_MAX_BYTES].decode("utf-8", "ignore")
    if not stem:
        return "level"
    return f"{stem}_" if stem.casefold() in _RESERVED else stem
