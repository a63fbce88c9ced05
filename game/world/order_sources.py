"""Order sources: logical objects of the world that say who gave an order (ORD-04)."""

from __future__ import annotations

from ai.ports import EntityKind, EntityRef
from game.world.handles import HandlePool


class OrderSourceTable:
    """Sources by handle (the port ``OrderSources``)."""

    def __init__(self, capacity: int = 4096, world: int = 0) -> None:
        self._pool = HandlePool(capacity, world)
        self._labels: list[str] = [""] * capacity

    def __len__(self) -> int:
        return len(self._pool)

    def create(self, label: str) -> EntityRef:
        """Make a source; ``label`` is for people.

        Raises ``PoolExhausted`` if there are too many.
        """
        ref = self._pool.acquire(EntityKind.ORDER_SOURCE)
        self._labels[ref.slot] = label
        return ref

    def is_alive(self, ref: EntityRef) -> bool:
        """True until the source is destroyed."""
        return self._pool.alive(ref)

    def label(self, ref: EntityRef) -> str:
        """What people call the source; empty once it is gone."""
        return self._labels[ref.slot] if self._pool.alive(ref) else ""

    def destroy(self, ref: EntityRef) -> bool:
        """End a source; False if it was gone already."""
        return self._pool.release(ref)
