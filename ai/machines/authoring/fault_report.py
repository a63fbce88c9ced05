"""All faults of a file together, each with file, line and place (HSM-29)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileFault:
    """One fault; ``line`` counts from 1, 0 if the form of the file has no lines."""

    file: str
    line: int
    place: str
    text: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.place}: {self.text}" if self.place else f"{where}: {self.text}"


class BehaviourError(Exception):
    """A behaviour file that can't be used; its text lists every fault, one a line."""

    def __init__(self, faults: Iterable[FileFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class FaultReport:
    """Collects faults; ``lines`` maps places to line numbers (longest known prefix)."""

    def __init__(self, file: str, lines: dict[tuple[str, ...], int] | None = None) -> None:
        self.file = file
        self.found: list[FileFault] = []
        self._lines = lines or {}

    def add(self, place: Iterable[str | int], text: str) -> None:
        """Note a fault at a place such as ``("trees", "engage", "nodes", "top")``."""
        parts = tuple(str(part) for part in place)
        line = 0
        for length in range(len(parts), 0, -1):
            line = self._lines.get(parts[:length], 0)
            if line:
                break
        self.found.append(FileFault(self.file, line, written(parts), text))

    def raise_if_any(self) -> None:
        """Raise ``BehaviourError`` with everything found so far, in file order."""
        if self.found:
            raise BehaviourError(sorted(self.found, key=lambda fault: fault.line))


def written(parts: tuple[str, ...]) -> str:
    """``trees.engage.nodes.top.children[1]``."""
    text = ""
    for part in parts:
        if part.isdigit():
            text += f"[{part}]"
        elif "/" in part:
            text += f'."{part}"' if text else f'"{part}"'
        else:
            text += f".{part}" if text else part
    return text


def nearest(word: str, known: Iterable[str]) -> str:
    """``; did you mean 'x'?`` if a known word is close, else nothing."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
