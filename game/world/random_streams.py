"""The random streams of a run: one per ped and purpose, for the level and its scene, none global.

Each stream's seed is a hash of (level seed, ped id, name), so that a stream's
draws depend neither on when it was first asked for nor on what others drew
(product.md section 2).
"""

from __future__ import annotations

import random
from hashlib import blake2b

PED_STREAMS = ("task", "reaction", "decision", "brain")
"""The names a ped's stream is split into."""


class SeededStreams:
    """Fills ``ai.ports.RandomStreams``; streams are made when first asked for."""

    def __init__(self, level_seed: int) -> None:
        self.level_seed = level_seed
        self._peds: dict[int, dict[str, random.Random]] = {}
        self._level: random.Random | None = None

    def ped(self, ped_id: int, name: str) -> random.Random:
        """One of a ped's streams.

        Raises ``ValueError`` for a name outside ``PED_STREAMS``.
        """
        streams = self._peds.get(ped_id)
        if streams is None:
            streams = self._peds[ped_id] = {}
        stream = streams.get(name)
        if stream is None:
            if name not in PED_STREAMS:
                raise ValueError(
                    f"no random stream is called {name!r}; use one of {', '.join(PED_STREAMS)}"
                )
            stream = streams[name] = self._make(f"ped {ped_id} {name}")
        return stream

    def level(self) -> random.Random:
        """The one stream of the level."""
        if self._level is None:
            self._level = self._make("level")
        return self._level

    def scene(self) -> random.Random:
        """A new stream for what a level leaves to chance; always the same one."""
        return self._make("scene")

    def fire(self) -> random.Random:
        """A new stream for what fire leaves to chance; always the same one."""
        return self._make("fire")

    def forget(self, ped_id: int) -> None:
        """Drop a retired ped's streams; ped ids are never reused in a run, so none starts anew."""
        self._peds.pop(ped_id, None)

    def _make(self, purpose: str) -> random.Random:
        digest = blake2b(f"{self.level_seed} {purpose}".encode(), digest_size=32).digest()
        return random.Random(int.from_bytes(digest, "little"))
