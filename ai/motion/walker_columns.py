"""Many walking peds in one motion sub-step as columns: what ``walker`` is for one ped."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ai.motion.clip_steps_batch import ClipStates
from ai.motion.walker import Walker
from ai.ports import Vec3

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(slots=True)
class Walkers:
    """Columns of the walkers still in the batch, shape (n,) each; ``Walker`` and ``Aim`` as arrays.

    ``yaw_after`` is the yaw at the end of the sub-step, if ``suggestion`` stands.
    ``rest`` is the route after the corner, ``suggestion`` the direction to step in;
    ``steer_age`` and ``side_age`` are the ages of the last evaluation and of the last side
    step, this sub-step included.
    """

    index: Ints
    slot: Ints
    row: Ints
    x: Floats
    y: Floats
    z: Floats
    yaw: Floats
    yaw_after: Floats
    speed: Floats
    aim_x: Floats
    aim_y: Floats
    heading: Floats
    distance: Floats
    rest: Floats
    suggestion: Floats
    steer_age: Floats
    side_age: Floats
    near: Flags
    due: Flags
    phase: Ints

    def select(self, which: Flags) -> Walkers:
        """The masked walkers; these themselves if all are."""
        if which.all():
            return self
        return self.take(which.nonzero()[0])

    def take(self, places: Ints) -> Walkers:
        """The walkers at these places of the columns; one may be taken more than once."""
        return Walkers(*[getattr(self, name).take(places) for name in _COLUMNS])

    def single(self, place: int, dt_s: float) -> Walker:
        """One of them as the scalar path sees it."""
        speed = self.speed.item(place)
        return Walker(
            self.index.item(place),
            self.slot.item(place),
            self.row.item(place),
            Vec3(self.x.item(place), self.y.item(place), self.z.item(place)),
            self.yaw.item(place),
            speed,
            dt_s,
            speed * dt_s,
        )


_COLUMNS = tuple(field.name for field in fields(Walkers))


def take_states(states: ClipStates, places: Ints) -> ClipStates:
    """The entries of clip states at these places."""
    return ClipStates._make([column.take(places) for column in states])


@dataclass(slots=True)
class Steps:
    """Proposed steps of walkers: end on the ground, XY length, clip states to go with them.

    ``partial`` steps are shorter than a full one.
    """

    x: Floats
    y: Floats
    z: Floats
    length: Floats
    partial: Flags
    states: ClipStates

    def select(self, which: Flags) -> Steps:
        """The masked steps; these themselves if all are."""
        if which.all():
            return self
        places = which.nonzero()[0]
        return Steps(
            self.x.take(places),
            self.y.take(places),
            self.z.take(places),
            self.length.take(places),
            self.partial.take(places),
            take_states(self.states, places),
        )
