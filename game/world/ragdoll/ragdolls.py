"""All limp peds of a world: the port ``BodySim`` over the pymunk space (RAG-03 to RAG-13)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pymunk
from numpy.typing import NDArray

from ai.motion.recovery.tuning import KnockdownTuning
from ai.ports import BodyCheck, BodyPart, BodyState, FallStart, LimpPose, Vec3
from game.world.batch_state import BatchState
from game.world.bodies import BodyRegistry
from game.world.ragdoll.limp_ped import HIT_STEPS, LimpPed
from game.world.ragdoll.spec import RagdollSpec
from game.world.things import SPIN, STATE_COLUMNS, VX, VY, YAW, X, Y

PARTS = len(BodyPart)
_PELVIS, _CHEST, _HEAD = int(BodyPart.PELVIS), int(BodyPart.CHEST), int(BodyPart.HEAD)


class ThrownDiscs(NamedTuple):
    """Where fast limp bodies may touch people: centres and radii in cm, shape (n,) each."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    radius: NDArray[np.float64]


_REACH_CM = 150.0
"""No body of a ped is further from its pelvis than this, within a step."""


class Ragdolls:
    """Bodies by ped slot, stepped with the space.

    Invariants:

    - ``_limp`` holds a ``LimpPed`` for each slot between ``go_limp`` and ``release``; its
      bodies are in the space, and in the batch, unless it is broken.
    - ``_state`` has shape (n, 11, 6): the bodies of the unbroken, by ascending slot, as of
      the last read; ``_is_stale`` says that something has been changed since.
    """

    def __init__(
        self,
        space: pymunk.Space,
        registry: BodyRegistry,
        tuning: KnockdownTuning,
        disturbed: Callable[[], None],
    ) -> None:
        """``disturbed`` is called when a body that may sleep is hit."""
        self._disturbed = disturbed
        self._space = space
        self._registry = registry
        self._tuning = tuning
        self.spec = RagdollSpec.of(tuning.ragdoll)
        self._batch = BatchState(space)
        self._limp: dict[int, LimpPed] = {}
        self._row_of: dict[int, int] = {}
        self._state: NDArray[np.float64] = np.empty((0, PARTS, STATE_COLUMNS))
        self._is_stale = False

    def __len__(self) -> int:
        return len(self._limp)

    # -- the port ----------------------------------------------------------------

    def go_limp(self, slot: int, start: FallStart) -> None:
        """Add the bodies of a ped. Raises ``ValueError`` if it has some."""
        if slot in self._limp:
            raise ValueError(f"the ped in slot {slot} is limp already; release its body first")
        limp = LimpPed(slot, start, self.spec, self._tuning, self._space)
        self._limp[slot] = limp
        limp.enter(self._registry)
        for part, body in enumerate(limp.bodies):
            self._batch.register(body, slot * PARTS + part)
        self._sort()
        self._mark_fast(limp)

    def check(self, slot: int) -> BodyCheck:
        """Is the pelvis in the space, moved by forces, and how heavy is it?"""
        pelvis = self._limp[slot].bodies[BodyPart.PELVIS]
        return BodyCheck(
            pelvis.space is self._space,
            pelvis.body_type == pymunk.Body.DYNAMIC,
            pelvis.mass,
        )

    def hit(self, slot: int, impulse: Vec3, part: BodyPart) -> None:
        """An impulse on the live bodies."""
        limp = self._limp[slot]
        if limp.is_broken:
            return
        limp.hit(impulse, part)
        self._disturbed()
        self._is_stale = True
        self._mark_fast(limp)

    def state(self, slot: int) -> BodyState:
        """Where a body is. Raises ``LookupError`` for a ped that is not limp."""
        limp = self._limp.get(slot)
        if limp is None:
            raise LookupError(f"the ped in slot {slot} is not limp")
        self._read_if_stale()
        row = self._row_of.get(slot)
        if row is None:
            return _broken_state(limp)
        rows = self._state[row].tolist()
        pelvis, chest, head = rows[_PELVIS], rows[_CHEST], rows[_HEAD]
        channels = limp.channels
        pose = LimpPose(
            pelvis[X],
            pelvis[Y],
            channels.z,
            tuple(body[YAW] for body in rows),
            channels.extent,
            channels.tilt,
            channels.roll,
        )
        return BodyState(
            pose,
            (chest[X], chest[Y]),
            (head[X], head[Y]),
            (pelvis[VX], pelvis[VY]),
            (chest[VX], chest[VY]),
            pelvis[SPIN],
            channels.vz,
            limp.steps,
            finite=True,
        )

    def release(self, slot: int) -> bool:
        """Take a ped's joints and bodies out, once."""
        limp = self._limp.pop(slot, None)
        if limp is None:
            return False
        if not limp.is_broken:
            self._take_out(limp)
        return True

    def retune(self, tuning: KnockdownTuning) -> None:
        """Whoever goes limp from now on falls by other figures; who lies keeps the old ones."""
        self._tuning = tuning
        self.spec = RagdollSpec.of(tuning.ragdoll)

    # -- for physics -------------------------------------------------------------

    def limp_ped(self, slot: int) -> LimpPed | None:
        """The bodies of a slot's ped, or None."""
        return self._limp.get(slot)

    def thrown(self) -> ThrownDiscs:
        """Where people on their feet may be touched in this step."""
        fast = [self._row_of[limp.slot] for limp in self._limp.values() if self._touches(limp)]
        pelvis = self._state[fast, _PELVIS]
        return ThrownDiscs(pelvis[:, X], pelvis[:, Y], np.full(len(fast), _REACH_CM))

    def before_step(self, dt_s: float) -> None:
        """Take out what is no number before it spoils others; who topples grows longer.

        Whatever touches the static body, and all friction does, would spread it.
        """
        if not self._row_of:
            return
        state = self._drop_broken(self._read())
        for slot, row in self._row_of.items():
            limp = self._limp[slot]
            if limp.channels.is_falling:
                limp.grow(dt_s, state[row].tolist())

    def after_sub_step(self) -> None:
        """Take out what is no number any more, and keep the rest under the caps."""
        if not self._row_of:
            return
        state = self._drop_broken(self._read())
        fall = self._tuning.fall
        speed2 = state[:, :, VX] * state[:, :, VX] + state[:, :, VY] * state[:, :, VY]
        over = (speed2 > fall.speed_cap * fall.speed_cap) | (
            np.abs(state[:, :, SPIN]) > fall.spin_cap
        )
        if not over.any():
            return
        slots = list(self._row_of)
        for row, part in np.argwhere(over).tolist():
            limp = self._limp[slots[row]]
            body = limp.bodies[part]
            limp.clamp(body)
            state[row, part, VX:] = (*body.velocity, body.angular_velocity)

    def after_step(self, dt_s: float) -> None:
        """Height, roll, and who is fast, once the space has made its sub-steps."""
        for slot, row in self._row_of.items():
            limp = self._limp[slot]
            limp.steps += 1
            chest = self._state[row, _CHEST]
            angle = chest.item(YAW)
            sideways = chest.item(VY) * math.cos(angle) - chest.item(VX) * math.sin(angle)
            if limp.steps <= HIT_STEPS and limp.is_open:
                limp.close_joints(self._state[row].tolist())
                self._is_stale = True
            limp.after_step(dt_s, sideways)
            self._mark_fast(limp)

    def close(self) -> None:
        """Take everybody's bodies out."""
        for slot in list(self._limp):
            self.release(slot)

    # -- inside ------------------------------------------------------------------

    def _touches(self, limp: LimpPed) -> bool:
        return limp.is_fast and not limp.is_broken

    def _mark_fast(self, limp: LimpPed) -> None:
        """By the linear measure of REC-06, which takes no notice of limbs."""
        self._read_if_stale()
        rows = self._state[self._row_of[limp.slot]]
        vz = limp.channels.vz
        pelvis = math.hypot(rows.item(_PELVIS, VX), rows.item(_PELVIS, VY), vz)
        chest = math.hypot(rows.item(_CHEST, VX), rows.item(_CHEST, VY), vz)
        linear = max(pelvis, self._tuning.settle.chest_factor * chest)
        limp.set_fast(is_fast=linear > self._tuning.touch.speed)

    def _drop_broken(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """The states of the unbroken."""
        if math.isfinite(state.sum()):
            return state
        finite = np.isfinite(state).all(axis=(1, 2))
        slots = list(self._row_of)
        for row in np.flatnonzero(~finite).tolist():
            limp = self._limp[slots[row]]
            limp.is_broken = True
            self._take_out(limp)
        return self._read()

    def _take_out(self, limp: LimpPed) -> None:
        for body in limp.bodies:
            self._batch.forget(body)
        limp.leave(self._registry)
        self._sort()

    def _sort(self) -> None:
        unbroken = sorted(slot for slot, limp in self._limp.items() if not limp.is_broken)
        self._row_of = {slot: row for row, slot in enumerate(unbroken)}
        self._is_stale = True

    def _read_if_stale(self) -> None:
        if self._is_stale:
            self._read()

    def _read(self) -> NDArray[np.float64]:
        self._state = self._batch.read().reshape(-1, PARTS, STATE_COLUMNS)
        self._is_stale = False
        return self._state


def _broken_state(limp: LimpPed) -> BodyState:
    """What is left of a body that physics has lost."""
    nan = math.nan
    pose = LimpPose(nan, nan, 0.0, (nan,) * PARTS, 1.0, 0.5 * math.pi, limp.channels.roll)
    lost = (nan, nan)
    return BodyState(pose, lost, lost, lost, lost, nan, nan, limp.steps, finite=False)
