"""The things of the world: static obstacles, props and vehicles, by handle.

The table is the one place that says which things exist and where they are. What
is built over it (physics, shapes for navigation, clearance) watches it as
``ThingObserver`` and hears of every change, in the order in which it was added.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ai.ports import EntityKind, EntityRef, Footprint, ObjectTransform, Vec3
from game.world.description import ThingDescription
from game.world.handles import HandlePool
from game.world.outlines import placed, scaled
from game.world.thing_checks import ThingRefused, check_thing
from game.world.thing_kinds import Material, ThingCatalogue, ThingCategory, ThingKind

X, Y, YAW, VX, VY, SPIN = range(6)
"""Columns of ``ThingTable.state``: cm, rad, cm/s, rad/s."""

STATE_COLUMNS = 6
AT_REST = Vec3(0.0, 0.0, 0.0)

_NO_SLOTS: NDArray[np.int64] = np.empty(0, dtype=np.int64)


@dataclass(slots=True, eq=False)
class Thing:
    """What does not change while a thing lives, save ``dying``.

    - ``outline`` is scaled and centred, not turned.
    - ``dynamic``: a prop, moved by physics; ``solid``: it refuses steps (LOC-20).
    - ``dying``: its removal has been asked for.
    """

    ref: EntityRef
    object_id: int
    name: str
    kind_name: str
    kind: ThingKind
    material: Material
    outline: Footprint
    scale: Vec3
    z_cm: float
    z_low_cm: float
    z_high_cm: float
    mass_kg: float
    nav_block: bool
    dynamic: bool
    solid: bool
    options: dict[str, str | float | int | bool]
    dying: bool = False


class ThingObserver(Protocol):
    """What keeps a picture of the things of its own."""

    def thing_added(self, thing: Thing) -> None:
        """A thing has entered the table; its state is set."""
        ...

    def thing_removed(self, thing: Thing) -> None:
        """A thing is leaving; its state is still readable."""
        ...

    def thing_placed(self, thing: Thing) -> None:
        """A thing was put somewhere by hand; its state is new."""
        ...

    def props_moved(self, slots: NDArray[np.int64]) -> None:
        """Once a step after physics: ascending slots of props whose pose changed, maybe none."""
        ...


class ThingTable:
    """Slots of things, their states in one array, and the two-step removal.

    ``state`` has shape (capacity, 6), columns ``X`` to ``SPIN``. Rows of free slots
    are 0. Written by ``spawn`` and ``place``, and for props by physics through
    ``write_props``.

    ``_in_id_order`` and ``_by_name`` keep their answers until a thing comes or goes.

    A removal is asked for at any time and done by ``remove_dying`` in the removal
    phases of a step; in between the thing is dying: there, readable, no target of
    a new order (ORD-05).
    """

    def __init__(
        self,
        catalogue: ThingCatalogue,
        *,
        light_prop_kg: float,
        capacity: int = 4096,
        world: int = 0,
    ) -> None:
        self.catalogue = catalogue
        self.capacity = capacity
        self.state: NDArray[np.float64] = np.zeros((capacity, STATE_COLUMNS), dtype=np.float64)
        self._light_prop_kg = light_prop_kg
        self._pool = HandlePool(capacity, world)
        self._things: list[Thing | None] = [None] * capacity
        self._by_object_id: dict[int, Thing] = {}
        self._dying: list[EntityRef] = []
        self._observers: list[ThingObserver] = []
        self._highest_id = 0
        self._in_id_order: tuple[Thing, ...] | None = ()
        self._by_name: dict[str, Thing] | None = None

    def __len__(self) -> int:
        return len(self._pool)

    def observe(self, observer: ThingObserver) -> None:
        """Tell an observer of every thing there is, and from now on of every change."""
        self._observers.append(observer)
        for thing in self.in_id_order():
            observer.thing_added(thing)

    # -- looking up ------------------------------------------------------------

    def get(self, ref: EntityRef) -> Thing | None:
        """The thing of a handle, dying or not, or None if it is gone."""
        return self._things[ref.slot] if self._pool.alive(ref) else None

    def in_slot(self, slot: int) -> Thing:
        """The thing in a taken slot.

        Raises ``LookupError`` for a free one.
        """
        thing = self._things[slot]
        if thing is None:
            raise LookupError(f"no thing is in slot {slot}")
        return thing

    def by_object_id(self, object_id: int) -> Thing | None:
        """The thing of a map object or spawn number, or None."""
        return self._by_object_id.get(object_id)

    def free_id(self) -> int:
        """A number for what is spawned while a level runs: above all that there ever were."""
        return self._highest_id + 1

    def by_name(self, name: str) -> Thing | None:
        """The thing of that name with the lowest object id, or None."""
        if self._by_name is None:
            self._by_name = {thing.name: thing for thing in reversed(self.in_id_order())}
        return self._by_name.get(name)

    def in_id_order(self) -> tuple[Thing, ...]:
        """Every thing in ascending object id: the order of every phase over things."""
        if self._in_id_order is None:
            self._in_id_order = tuple(self._by_object_id[key] for key in sorted(self._by_object_id))
        return self._in_id_order

    def transform(self, ref: EntityRef) -> ObjectTransform | None:
        """Present centre pose, scale and velocity (ORD-08), or None if the thing is gone."""
        thing = self.get(ref)
        if thing is None:
            return None
        x, y, yaw, vx, vy, _ = self.state[ref.slot].tolist()
        return ObjectTransform(Vec3(x, y, thing.z_cm), yaw, thing.scale, Vec3(vx, vy, 0.0))

    def is_dying(self, ref: EntityRef) -> bool:
        """True from the request of a thing's removal until it is gone."""
        thing = self.get(ref)
        return thing is not None and thing.dying

    def footprint(self, thing: Thing) -> Footprint:
        """The thing's outline where it is now."""
        x, y, yaw = self.state[thing.ref.slot, :VX].tolist()
        return placed(thing.outline, x, y, yaw)

    def in_motion(self, thing: Thing) -> bool:
        """True while the thing has a velocity."""
        return bool(self.state[thing.ref.slot, VX:].any())

    # -- life ------------------------------------------------------------------

    def spawn(self, description: ThingDescription) -> EntityRef:
        """Put a described thing into the world.

        Raises ``ThingRefused`` for what can't be simulated or an object id that is
        taken, ``PoolExhausted`` if there is no room; nothing is changed then.
        """
        check_thing(description, self.catalogue)
        if description.object_id in self._by_object_id:
            raise ThingRefused(f"object {description.object_id}: the id is taken already")
        kind = self.catalogue.kind(description.kind)
        dynamic = kind.category is ThingCategory.PROP
        is_vehicle = kind.category is ThingCategory.VEHICLE
        ref = self._pool.acquire(EntityKind.VEHICLE if is_vehicle else EntityKind.PROP)
        mass_kg = description.mass_kg if dynamic else kind.mass or 0.0
        thing = Thing(
            ref=ref,
            object_id=description.object_id,
            name=description.name,
            kind_name=description.kind,
            kind=kind,
            material=self.catalogue.material_of(kind),
            outline=scaled(description.outline, description.scale),
            scale=description.scale,
            z_cm=description.position.z,
            z_low_cm=description.z_low_cm,
            z_high_cm=description.z_high_cm,
            mass_kg=mass_kg,
            nav_block=description.nav_block,
            dynamic=dynamic,
            solid=not dynamic or mass_kg >= self._light_prop_kg,
            options=dict(description.options),
        )
        self._things[ref.slot] = thing
        self._by_object_id[thing.object_id] = thing
        self._highest_id = max(self._highest_id, thing.object_id)
        self._in_id_order = self._by_name = None
        x, y, _ = description.position
        self.state[ref.slot] = (x, y, description.yaw_rad, 0.0, 0.0, 0.0)
        for observer in self._observers:
            observer.thing_added(thing)
        return ref

    def place(
        self, ref: EntityRef, position: Vec3, yaw_rad: float, velocity: Vec3 = AT_REST
    ) -> bool:
        """Put a thing somewhere else, with the velocity it is to be known by.

        A vehicle under way is placed anew each step and lastly with velocity 0. False,
        with nothing changed, for a handle that is stale, a kind that is not movable
        or numbers that are not finite.
        """
        thing = self.get(ref)
        row = (position.x, position.y, yaw_rad, velocity.x, velocity.y, 0.0)
        if thing is None or not thing.kind.movable:
            return False
        if not (np.isfinite(row).all() and np.isfinite(position.z)):
            return False
        self.state[ref.slot] = row
        thing.z_cm = position.z
        for observer in self._observers:
            observer.thing_placed(thing)
        return True

    def request_removal(self, ref: EntityRef) -> bool:
        """Have a thing removed in the next removal phase.

        False if the handle is stale, the thing is dying already or its kind is not movable.
        """
        thing = self.get(ref)
        if thing is None or thing.dying or not thing.kind.movable:
            return False
        thing.dying = True
        self._dying.append(ref)
        return True

    def remove_dying(self) -> int:
        """Do the removals asked for so far, in the order in which they were; return how many."""
        refs, self._dying = self._dying, []
        for ref in refs:
            thing = self.in_slot(ref.slot)
            for observer in self._observers:
                observer.thing_removed(thing)
            self._things[ref.slot] = None
            del self._by_object_id[thing.object_id]
            self._in_id_order = self._by_name = None
            self.state[ref.slot] = 0.0
            self._pool.release(ref)
        return len(refs)

    def write_props(self, slots: NDArray[np.int64], state: NDArray[np.float64]) -> bool:
        """Take over what physics made of the props; True if the pose of any has changed.

        ``slots`` ascend, shape (n,); ``state`` has shape (n, 6). Called once a step.
        """
        moved = slots[(self.state[slots, :VX] != state[:, :VX]).any(axis=1)]
        self.state[slots] = state
        self._tell_moved(moved)
        return len(moved) > 0

    def keep_props(self) -> None:
        """In place of ``write_props`` in a step in which physics moved nothing."""
        self._tell_moved(_NO_SLOTS)

    def _tell_moved(self, slots: NDArray[np.int64]) -> None:
        for observer in self._observers:
            observer.props_moved(slots)
