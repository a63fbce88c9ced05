"""What props do when they are struck: break, topple and roll, blow up (things.toml, ``reacts``).

A *jolt* is a change of speed within one step: physics tells those of props that were
struck or struck something, a blast tells its own. What comes of them is done in phase 3
of the next step, so that nothing is spawned or removed while something else looks on.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ai.events.types import EventType
from ai.ports import STEP_S, EntityRef, Vec3
from game.world.handles import PoolExhausted
from game.world.thing_checks import ThingRefused
from game.world.things import SPIN, VX, VY, YAW, Thing

if TYPE_CHECKING:
    from game.world.physics import Jolts
    from game.world.world import World

EXPLOSIVE = "explosive"
"""The option of a map that makes a thing blow up; it is drawn with a warning."""

_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))
"""Angle between one piece and the next: no two fly the same way, and none is drawn by lot."""

_SPREAD_CM_S = 110.0
"""How fast pieces leave each other."""

_SPIN_RAD_S = 4.0


class _Fuse(NamedTuple):
    """A thing that will blow up."""

    due_step: int
    ref: EntityRef
    source: EntityRef | None


class _Litter(NamedTuple):
    """A piece that is swept away after a while."""

    due_step: int
    ref: EntityRef


class PropReactions:
    """Jolts of a step and what they lead to.

    Invariant: a thing is in ``_fuses`` once.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._jolts: dict[int, tuple[Thing, float, EntityRef | None, bool]] = {}
        self._fuses: dict[EntityRef, _Fuse] = {}
        self._litter: list[_Litter] = []

    def jolt(
        self,
        thing: Thing,
        speed_cm_s: float,
        source: EntityRef | None = None,
        *,
        in_blast: bool = False,
    ) -> None:
        """A thing was struck; of several in a step the hardest counts."""
        if thing.kind.reacts is None:
            return
        before = self._jolts.get(thing.ref.slot)
        if before is None or speed_cm_s > before[1]:
            self._jolts[thing.ref.slot] = (thing, speed_cm_s, source, in_blast)

    def take(self, jolts: Jolts) -> None:
        """End of physics: what was struck in this step."""
        for slot, speed in zip(jolts.slots.tolist(), jolts.speeds.tolist(), strict=True):
            self.jolt(self._world.things.in_slot(slot), speed)

    def act(self) -> None:
        """Phase 3: fuses that are due, then the jolts of the last step; litter goes."""
        step = self._world.clock.step
        if self._fuses:
            self._blow_up_due(step)
        if self._jolts:
            jolts, self._jolts = self._jolts, {}
            for slot in sorted(jolts, key=lambda one: jolts[one][0].object_id):
                thing, speed, source, in_blast = jolts[slot]
                if self._world.things.get(thing.ref) is thing and not thing.dying:
                    self._react(thing, speed, source, in_blast=in_blast)
        if self._litter:
            self._sweep(step)

    def light(self, ref: EntityRef, source: EntityRef | None = None) -> bool:
        """Light the fuse of an explosive thing; False for any other, or one that burns already."""
        thing = self._world.things.get(ref)
        if thing is None or thing.dying or ref in self._fuses or not _is_explosive(thing):
            return False
        reacts = thing.kind.reacts
        assert reacts is not None
        assert reacts.fuse_s is not None
        due = self._world.clock.step + round(reacts.fuse_s / STEP_S)
        self._fuses[ref] = _Fuse(due, ref, source)
        x, y = self._world.things.state[ref.slot, :2].tolist()
        self._world.events.global_events.shock(
            EventType.SHOCKING_POTENTIAL_BLAST, Vec3(x, y, thing.z_cm), source=ref
        )
        return True

    # -- inside ------------------------------------------------------------------

    def leave(self, kind: str, at: Vec3, yaw_rad: float) -> None:
        """A thing lies there from now on, what is left of another."""
        self._spawn(kind, at, yaw_rad, (0.0, 0.0), 0.0, like=None)

    def _sweep(self, step: int) -> None:
        """Take away what has lain long enough."""
        for piece in self._litter:
            if piece.due_step <= step:
                self._world.things.request_removal(piece.ref)
        self._litter = [piece for piece in self._litter if piece.due_step > step]

    def _react(
        self, thing: Thing, speed: float, source: EntityRef | None, *, in_blast: bool
    ) -> None:
        reacts = thing.kind.reacts
        assert reacts is not None
        if _is_explosive(thing) and (in_blast or speed >= (reacts.explodes_at_cm_s or math.inf)):
            self.light(thing.ref, source)
        elif reacts.breaks_at_cm_s is not None and speed >= reacts.breaks_at_cm_s:
            self._break(thing, source)
        elif reacts.topples_at_cm_s is not None and speed >= reacts.topples_at_cm_s:
            self._topple(thing)

    def _blow_up_due(self, step: int) -> None:
        due = [fuse for fuse in self._fuses.values() if fuse.due_step <= step]
        for fuse in due:
            del self._fuses[fuse.ref]
            thing = self._world.things.get(fuse.ref)
            if thing is None or thing.dying:
                continue
            x, y = self._world.things.state[fuse.ref.slot, :2].tolist()
            self._world.things.request_removal(fuse.ref)
            self._world.blasts.explode(Vec3(x, y, thing.z_cm), source=fuse.source)

    def _break(self, thing: Thing, source: EntityRef | None) -> None:
        """Its pieces fly on as it flew, and apart."""
        reacts = thing.kind.reacts
        assert reacts is not None
        assert reacts.pieces is not None
        state = self._world.things.state[thing.ref.slot].tolist()
        if not self._world.things.request_removal(thing.ref):
            return
        place = Vec3(state[0], state[1], thing.z_cm)
        reach = 0.3 * thing.kind.footprint.outline_reach()
        for number in range(reacts.count):
            angle = state[YAW] + number * _GOLDEN
            out = math.cos(angle), math.sin(angle)
            at = Vec3(place.x + reach * out[0], place.y + reach * out[1], place.z)
            velocity = state[VX] + _SPREAD_CM_S * out[0], state[VY] + _SPREAD_CM_S * out[1]
            spin = _SPIN_RAD_S if number % 2 else -_SPIN_RAD_S
            self._spawn(reacts.pieces, at, angle, velocity, spin, like=None)
        self._world.happenings.breakage(place, source)

    def _topple(self, thing: Thing) -> None:
        """It lies from now on, across the way it goes, and rolls."""
        reacts = thing.kind.reacts
        assert reacts is not None
        assert reacts.topples_to is not None
        state = self._world.things.state[thing.ref.slot].tolist()
        if not self._world.things.request_removal(thing.ref):
            return
        moves = math.hypot(state[VX], state[VY]) > 1.0
        yaw = math.atan2(state[VY], state[VX]) + 0.5 * math.pi if moves else state[YAW]
        place, velocity = Vec3(state[0], state[1], thing.z_cm), (state[VX], state[VY])
        self._spawn(reacts.topples_to, place, yaw, velocity, state[SPIN], like=thing)

    def _spawn(
        self,
        kind: str,
        at: Vec3,
        yaw_rad: float,
        velocity: tuple[float, float],
        spin: float,
        like: Thing | None,
    ) -> None:
        """A thing that comes of another; a street that has no room for it goes without."""
        things = self._world.things
        description = things.catalogue.describe(things.free_id(), kind, at, yaw_rad)
        if like is not None:
            description.options.update(like.options)
        try:
            ref = things.spawn(description)
        except (ThingRefused, PoolExhausted):
            return
        self._world.physics.set_velocity(ref, velocity, spin)
        lasts_s = things.catalogue.kind(kind).lasts_s
        if lasts_s is not None:
            self._litter.append(_Litter(self._world.clock.step + round(lasts_s / STEP_S), ref))


def _is_explosive(thing: Thing) -> bool:
    reacts = thing.kind.reacts
    return reacts is not None and reacts.fuse_s is not None and thing.options.get(EXPLOSIVE) is True
