"""What navigation is built over: fills ``ai.ports.LevelShapes`` from the level and its things.

The picture is one of things at rest. A prop that blocks the walk graph keeps its
old place here until physics has brought it to rest in another; a vehicle under
way is not part of it (clearance alone knows it then). So the walk graph is built
anew once a push or a drive, not once a step. Two props that overlap are pushed apart
without any velocity: what has moved in a step is not at rest in it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ai.ports import Danger, Obstacle, SurfacePatch
from game.world.description import LevelDescription
from game.world.outlines import Bounds, bounds_of
from game.world.things import VX, Thing, ThingTable

_REST_SPEED_CM_S = 2.0
_REST_SPIN_RAD_S = 0.1
_CHANGES_KEPT = 1024


class WorldShapes:
    """Surfaces of the level, obstacles of the things, and what changed when.

    Invariant: ``_changes`` holds (version, bounds) with rising versions, at most
    ``_CHANGES_KEPT`` of them; ``_oldest_kept`` is the version before the first.
    """

    def __init__(self, description: LevelDescription, things: ThingTable) -> None:
        self._things = things
        self._surfaces = tuple(
            SurfacePatch(patch.kind, patch.height_cm, patch.outline)
            for patch in description.surfaces
        )
        self._level_bounds: Bounds = (0.0, 0.0, description.width_cm, description.height_cm)
        self._obstacles: dict[int, Obstacle] = {}
        self._in_id_order: tuple[Obstacle, ...] | None = None
        self._pushed: dict[int, Thing] = {}
        self._version = 0
        self._changes: list[tuple[int, Bounds]] = []
        self._oldest_kept = 0
        self._dangers: tuple[Danger, ...] = ()
        things.observe(self)

    @property
    def version(self) -> int:
        """Rises with each change of a static thing, a parked vehicle or a nav-blocking prop."""
        return self._version

    def surfaces(self) -> Sequence[SurfacePatch]:
        """All patches in map order (later wins where they overlap)."""
        return self._surfaces

    def obstacles(self) -> Sequence[Obstacle]:
        """Static things, parked vehicles and nav-blocking props, in object-id order."""
        if self._in_id_order is None:
            self._in_id_order = tuple(
                sorted(self._obstacles.values(), key=lambda obstacle: obstacle.object_id)
            )
        return self._in_id_order

    def dangers(self) -> Sequence[Danger]:
        """Round places that ways lead round if they can."""
        return self._dangers

    def set_dangers(self, dangers: Sequence[Danger]) -> None:
        """These are the dangers from now on; only what differs is a change."""
        now = tuple(dangers)
        if now == self._dangers:
            return
        before, self._dangers = self._dangers, now
        come = [one for one in now if one not in before]
        gone = [one for one in before if one not in now]
        for danger in (*come, *gone):
            self._note_bounds(bounds_of(danger.area))

    def changed_since(self, version: int) -> Sequence[Bounds]:
        """Bounds of what changed after ``version``; all of the level if that is too long ago."""
        if version < self._oldest_kept:
            return (self._level_bounds,)
        return tuple(bounds for changed, bounds in self._changes if changed > version)

    # -- following the things --------------------------------------------------

    def thing_added(self, thing: Thing) -> None:
        """Take a thing up if the walk graph is to know it."""
        belongs = thing.nav_block if thing.dynamic else not self._things.in_motion(thing)
        if belongs:
            self._put(thing)

    def thing_removed(self, thing: Thing) -> None:
        """Forget a thing."""
        self._pushed.pop(thing.ref.slot, None)
        self._take(thing.ref.slot)

    def thing_placed(self, thing: Thing) -> None:
        """Follow a thing to where it was put, unless it is under way."""
        self._take(thing.ref.slot)
        self.thing_added(thing)

    def props_moved(self, slots: NDArray[np.int64]) -> None:
        """Take over the new places of nav-blocking props that have come to rest."""
        moved = slots.tolist()
        for slot in moved:
            if slot in self._obstacles:
                self._pushed[slot] = self._things.in_slot(slot)
        for slot, thing in list(self._pushed.items()):
            vx, vy, spin = self._things.state[slot, VX:].tolist()
            slow = vx * vx + vy * vy <= _REST_SPEED_CM_S**2 and abs(spin) <= _REST_SPIN_RAD_S
            if slow and slot not in moved:
                del self._pushed[slot]
                self._take(slot)
                self._put(thing)

    def _put(self, thing: Thing) -> None:
        obstacle = Obstacle(
            object_id=thing.object_id,
            footprint=self._things.footprint(thing),
            z_low_cm=thing.z_low_cm,
            z_high_cm=thing.z_high_cm,
            nav_block=thing.nav_block,
            dynamic=thing.dynamic,
            mass_kg=thing.mass_kg if thing.dynamic else 0.0,
        )
        self._obstacles[thing.ref.slot] = obstacle
        self._note_change(obstacle)

    def _take(self, slot: int) -> None:
        obstacle = self._obstacles.pop(slot, None)
        if obstacle is not None:
            self._note_change(obstacle)

    def _note_change(self, obstacle: Obstacle) -> None:
        self._in_id_order = None
        self._note_bounds(bounds_of(obstacle.footprint))

    def _note_bounds(self, bounds: Bounds) -> None:
        self._version += 1
        self._changes.append((self._version, bounds))
        if len(self._changes) > _CHANGES_KEPT:
            self._oldest_kept = self._changes.pop(0)[0]
