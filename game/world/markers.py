"""Markers: points of the world that stand in as the object of an order to a place (ORD-25).

Whoever makes a marker releases it; nothing else does.
"""

from __future__ import annotations

from ai.ports import EntityKind, EntityRef, ObjectTransform, Vec3
from game.world.handles import HandlePool

_UNIT_SCALE = Vec3(1.0, 1.0, 1.0)
_AT_REST = Vec3(0.0, 0.0, 0.0)
_NOWHERE = Vec3(0.0, 0.0, 0.0)


class MarkerTable:
    """Markers by handle."""

    def __init__(self, capacity: int = 4096, world: int = 0) -> None:
        self._pool = HandlePool(capacity, world)
        self._positions = [_NOWHERE] * capacity

    def __len__(self) -> int:
        return len(self._pool)

    def create(self, position: Vec3) -> EntityRef:
        """Make a marker.

        Raises ``PoolExhausted`` if there are too many.
        """
        ref = self._pool.acquire(EntityKind.MARKER)
        self._positions[ref.slot] = position
        return ref

    def move(self, ref: EntityRef, position: Vec3) -> bool:
        """Put a marker somewhere else; False if it is gone."""
        if not self._pool.alive(ref):
            return False
        self._positions[ref.slot] = position
        return True

    def release(self, ref: EntityRef) -> bool:
        """Remove a marker; False if it was gone already."""
        return self._pool.release(ref)

    def transform(self, ref: EntityRef) -> ObjectTransform | None:
        """The marker's place, unturned and unscaled, or None if it is gone."""
        if not self._pool.alive(ref):
            return None
        return ObjectTransform(self._positions[ref.slot], 0.0, _UNIT_SCALE, _AT_REST)
