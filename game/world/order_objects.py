"""What an order can go to: things and markers (ports ``ObjectTransforms`` and ``Markers``)."""

from __future__ import annotations

from ai.ports import EntityKind, EntityRef, ObjectTransform, Vec3
from game.world.markers import MarkerTable
from game.world.things import ThingTable


class OrderObjects:
    """Poses of things and markers by handle, and the markers that orders make."""

    def __init__(self, things: ThingTable, world: int) -> None:
        self._things = things
        self._markers = MarkerTable(world=world)
        self._world = world

    @property
    def world(self) -> int:
        """Number of the world that these objects belong to."""
        return self._world

    @property
    def marker_count(self) -> int:
        """Markers that are alive."""
        return len(self._markers)

    def transform(self, ref: EntityRef) -> ObjectTransform | None:
        """Present pose of a thing or marker, or None if it is gone."""
        if ref.kind is EntityKind.MARKER:
            return self._markers.transform(ref)
        return self._things.transform(ref)

    def is_dying(self, ref: EntityRef) -> bool:
        """True while a thing's removal has been asked for but not yet done."""
        return ref.kind is not EntityKind.MARKER and self._things.is_dying(ref)

    def create_marker(self, position: Vec3) -> EntityRef:
        """Make a marker, held by whoever asked for it."""
        return self._markers.create(position)

    def move_marker(self, ref: EntityRef, position: Vec3) -> bool:
        """Put a marker somewhere else; False if it is gone."""
        return self._markers.move(ref, position)

    def destroy_marker(self, ref: EntityRef) -> bool:
        """Let go of a marker; False if it was gone already."""
        return self._markers.release(ref)
