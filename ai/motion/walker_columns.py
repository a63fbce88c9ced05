"""Many walking peds in one motion sub-step as columns: what ``walker`` is for one ped."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ai.motion.clip_steps_batch import ClipStates

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(slots=True)
class Walkers:
    """Columns of the walkers still in the batch, shape (n,) each; ``Walker`` and ``Aim`` as arrays.

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
        return Walkers(*(getattr(self, field.name)[which] for field in fields(self)))


def select_states(states: ClipStates, which: Flags | Ints) -> ClipStates:
    """Some entries of clip states, by mask or by index."""
    return ClipStates._make(column[which] for column in states)


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
        return Steps(
            self.x[which],
            self.y[which],
            self.z[which],
            self.length[which],
            self.partial[which],
            select_states(self.states, which),
        )
