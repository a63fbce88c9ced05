"""Generational handles: the names by which rooms hold on to things that may vanish.

A pool hands out slots; a slot's generation rises when it is given back, so that
a handle kept past the end of its thing never reads as the next thing in the same
slot (product.md section 5, F25).
"""

from __future__ import annotations

import heapq

from ai.ports import EntityKind, EntityRef


class PoolExhausted(Exception):
    """Every slot of a pool is taken; the text names the limit."""


class HandlePool:
    """Slots 0 to ``capacity - 1``, the lowest free one first.

    ``world`` is stamped on every handle: one of another world is never alive here.

    Invariants:

    - A slot is either in the free heap or has its kind in ``_kinds``, never both.
    - Generations start at 1 and only rise; generation 0 is never alive.
    """

    def __init__(self, capacity: int, world: int = 0) -> None:
        if capacity < 1:
            raise ValueError(f"capacity must be at least 1, not {capacity}")
        self.capacity = capacity
        self.world = world
        self._generations = [1] * capacity
        self._kinds: list[EntityKind | None] = [None] * capacity
        self._free = list(range(capacity))

    def __len__(self) -> int:
        return self.capacity - len(self._free)

    def acquire(self, kind: EntityKind) -> EntityRef:
        """Take the lowest free slot.

        Raises ``PoolExhausted`` if there is none.
        """
        if not self._free:
            raise PoolExhausted(
                f"all {self.capacity} slots are taken; remove something or make the pool larger"
            )
        slot = heapq.heappop(self._free)
        self._kinds[slot] = kind
        return EntityRef(kind, slot, self._generations[slot], self.world)

    def release(self, ref: EntityRef) -> bool:
        """Give a slot back; False, with nothing changed, if the handle is stale."""
        if not self.alive(ref):
            return False
        self._kinds[ref.slot] = None
        self._generations[ref.slot] += 1
        heapq.heappush(self._free, ref.slot)
        return True

    def alive(self, ref: EntityRef) -> bool:
        """True while the thing that this handle was given for is there."""
        return (
            0 <= ref.slot < self.capacity
            and ref.world == self.world
            and self._kinds[ref.slot] is ref.kind
            and self._generations[ref.slot] == ref.generation
        )
