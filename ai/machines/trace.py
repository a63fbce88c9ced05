"""What a brain did, one line an item or hook, and the hash of all lines (ACT-25).

Entries are plain tuples while the simulation runs; text is made when somebody
reads them or, with hashing on, when they leave the ring.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from ai.machines.counters import Counters, Seq

Entry: TypeAlias = tuple[int, Seq, str, str, str]
"""Step, last seq given out, verb, subject, details."""


class BrainTrace:
    """The ring of one ped.

    - ``hashing`` keeps a SHA-256 over every line ever written; without it a line
      that leaves the ring is gone.
    - Verbs in brackets are items taken in at a boundary.
    """

    __slots__ = ("_capacity", "_digest", "_hashing", "counters", "entries", "ped_id", "step")

    def __init__(
        self, ped_id: int, counters: Counters, capacity: int = 256, *, hashing: bool = False
    ) -> None:
        self.ped_id = ped_id
        self.counters = counters
        self.step = 0
        self._capacity = capacity
        self._hashing = hashing
        self._digest = b""
        self.entries: deque[Entry] = deque(maxlen=None if hashing else capacity)

    def note(self, verb: str, subject: str, details: str = "") -> None:
        """Write one line with the present step."""
        self.entries.append((self.step, self.counters.seq, verb, subject, details))

    def trim(self) -> None:
        """Fold what exceeds the ring into the hash; called once a step."""
        if not self._hashing:
            return
        while len(self.entries) > self._capacity:
            self._digest = self._folded(self._digest, self.entries.popleft())

    def hash(self) -> str:
        """SHA-256 of all lines so far, as hexadecimal digits; needs ``hashing``."""
        digest = self._digest
        for entry in self.entries:
            digest = self._folded(digest, entry)
        return digest.hex()

    def _folded(self, digest: bytes, entry: Entry) -> bytes:
        # A chain of digests instead of one running hash object, which can't be copied
        # into a keyframe (ACT-26).
        return hashlib.sha256(digest + self.line(entry).encode("ascii", "replace")).digest()

    def line(self, entry: Entry) -> str:
        """``step seq ped verb subject [details]``."""
        step, seq, _, _, _ = entry
        return f"{step} {seq} {self.ped_id} {self.words(entry)}"

    @staticmethod
    def words(entry: Entry) -> str:
        """The part of a line after step, seq and ped."""
        _, _, verb, subject, details = entry
        if verb.startswith("["):
            inside = f"{verb[1:-1]} {subject} {details}".rstrip()
            return f"[{inside}]"
        return f"{verb} {subject} {details}".rstrip()

    def lines(self) -> Sequence[str]:
        """The kept lines, oldest first."""
        return [self.line(entry) for entry in self.entries]
