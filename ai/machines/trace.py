"""What a brain did, one line an item or hook, and the hash of all lines (ACT-25).

While the simulation runs nothing is formatted: a hook's line is a string made with its
definition, an item's a tuple, and a step number goes before the first line of a step.
What is known to come together goes in as one shared list of lines.
Text is made when somebody reads it or, with hashing on, when it leaves the ring.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from typing import TypeAlias

from ai.machines.counters import Counters, Seq

ItemEntry: TypeAlias = tuple[Seq, str, str, str | int]
"""Seq, verb, subject and details of an item; a number as details is a target generation."""

Entry: TypeAlias = int | str | ItemEntry | list[str]
"""A step number; a hook's words; an item; or the words of several hooks, made beforehand."""


class BrainTrace:
    """The ring of one ped.

    - ``mark`` must come before the first line of a step.
    - ``hashing`` keeps a SHA-256 over every line ever written; without it a line
      that leaves the ring is gone.
    - Verbs in brackets are items taken in at a boundary.
    """

    __slots__ = (
        "_capacity", "_digest", "_hashing", "counters", "entries", "marked", "ped_id",
    )  # fmt: skip

    def __init__(
        self, ped_id: int, counters: Counters, capacity: int = 256, *, hashing: bool = False
    ) -> None:
        self.ped_id = ped_id
        self.counters = counters
        self.marked = -1
        """Step of the last mark."""
        self.entries: deque[Entry] = deque(maxlen=None if hashing else capacity)
        self._capacity = capacity
        self._hashing = hashing
        self._digest = b""

    def mark(self, step: int) -> None:
        """The lines that follow belong to this step."""
        if self.marked != step:
            self.marked = step
            self.entries.append(step)

    def note(self, step: int, verb: str, subject: str, details: str | int = "") -> None:
        """Write the line of an item, with the last seq given out."""
        if self.marked != step:
            self.marked = step
            self.entries.append(step)
        self.entries.append((self.counters.seq, verb, subject, details))

    def trim(self) -> None:
        """Fold what exceeds the ring into the hash; called once a step."""
        if self._hashing:
            while len(self.entries) > self._capacity:
                self._digest = self._folded(self._digest, self.entries.popleft())

    def hash(self) -> str:
        """SHA-256 of all lines so far, as hexadecimal digits; needs ``hashing``."""
        digest = self._digest
        for entry in self.entries:
            digest = self._folded(digest, entry)
        return digest.hex()

    @staticmethod
    def _folded(digest: bytes, entry: Entry) -> bytes:
        # A chain of digests instead of one running hash object, which can't be copied
        # into a keyframe (ACT-26).
        return hashlib.sha256(digest + repr(entry).encode("ascii", "backslashreplace")).digest()

    @staticmethod
    def words(entry: str | ItemEntry) -> str:
        """A line without step, seq and ped."""
        if isinstance(entry, str):
            return entry
        _, verb, subject, details = entry
        if isinstance(details, int):
            details = f"g{details}"
        if verb.startswith("["):
            inside = f"{verb[1:-1]} {subject} {details}".rstrip()
            return f"[{inside}]"
        return f"{verb} {subject} {details}".rstrip()

    def _lines(self) -> Iterator[tuple[int, Seq, str]]:
        """Step, seq and words of every kept line; a hook has the seq of the item before it."""
        step = -1
        seq = 0
        for entry in self.entries:
            if isinstance(entry, int):
                step = entry
            # Lines whose step number has left the ring are left out with it.
            elif step < 0:
                continue
            elif isinstance(entry, list):
                for words in entry:
                    yield step, seq, words
            else:
                if not isinstance(entry, str):
                    seq = entry[0]
                yield step, seq, self.words(entry)

    def lines(self) -> list[str]:
        """``step seq ped verb subject [details]``, oldest first."""
        return [f"{step} {seq} {self.ped_id} {words}" for step, seq, words in self._lines()]

    def all_words(self, from_step: int = 0) -> list[str]:
        """The lines of a step and later without step, seq and ped."""
        return [words for step, _, words in self._lines() if step >= from_step]
