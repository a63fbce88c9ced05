"""The hand that holds one thing: a body on a spring that follows the pointer (Grab, section 6).

A prop is pulled along the ground. A ped goes limp, is held up off the ground while the
hand is closed, and can't rise; whoever holds a lying body holds that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pymunk

from ai.motion.recovery.balance import raised
from ai.motion.recovery.phases import LIMP
from ai.ports import STEP_S, EntityKind, EntityRef, Impact, Vec3
from game.world.bodies import BodyOwner, OwnedBody
from game.world.edits import EditReply
from game.world.grab_tuning import GrabTuning
from game.world.ragdoll.limp_ped import LimpPed

if TYPE_CHECKING:
    from game.world.world import World

_GRIP_TAG = -1
"""Keeps a held body down; tasks' tags are above 0."""


@dataclass(slots=True)
class _Held:
    """What the hand holds: a prop's body, or one of a limp ped's."""

    target: EntityRef
    body: pymunk.Body
    owned: OwnedBody
    hand: pymunk.Body
    place: Vec3
    limp: LimpPed | None


class Grabber:
    """At most one thing is held.

    Invariant: while something is held its hand and joint are in the space; they leave
    before the next physics step once what they hold has left or is another's.
    """

    def __init__(self, world: World, tuning: GrabTuning) -> None:
        self._world = world
        self._tuning = tuning
        self._held: _Held | None = None
        self._wanted: tuple[EntityRef, Vec3] | None = None

    @property
    def target(self) -> EntityRef | None:
        """What is held, or about to be."""
        if self._held is not None:
            return self._held.target
        return None if self._wanted is None else self._wanted[0]

    @property
    def grip(self) -> Vec3 | None:
        """Where the hand has hold of it, None with an empty hand."""
        if self._held is None:
            return None
        x, y = self._held.body.local_to_world(self._held.owned.joints[0].anchor_b)
        return Vec3(x, y, 0.0 if self._held.limp is None else self._held.limp.channels.z)

    @property
    def pull_to(self) -> Vec3 | None:
        """Where the pointer wants it."""
        return None if self._held is None else self._held.place

    # -- edits -------------------------------------------------------------------

    def grab_prop(self, ref: EntityRef, at: Vec3) -> EditReply:
        """Take hold of a prop where it is pointed at."""
        thing = self._world.things.get(ref)
        if thing is None or thing.dying:
            return EditReply.GONE
        if not thing.dynamic:
            return EditReply.NOT_MOVABLE
        self.let_go()
        body = self._world.physics.body_of(ref)
        assert body is not None
        self._take(ref, body, at, thing.mass_kg, None)
        return EditReply.DONE

    def grab_ped(self, ref: EntityRef, at: Vec3) -> EditReply:
        """Take hold of a ped: at once if it is limp, else as soon as its body is."""
        ped = self._world.peds.resolve(ref)
        if ped is None or ped.retired:
            return EditReply.GONE
        self.let_go()
        limp = self._limp(ref)
        if limp is None:
            drop = raised(Impact((0.0, 0.0)), self._world.data.knockdown)
            player = self._world.peds.local_player
            source = None if player is None else player.ref
            self._world.impacts.strike(ped, drop._replace(source=source), ragdolls=True, harm=0.0)
        self._wanted = (ref, at)
        self._take_wanted()
        return EditReply.DONE

    def drag_to(self, place: Vec3) -> EditReply:
        """Pull it there."""
        if not all(map(math.isfinite, place)):
            return EditReply.BAD_NUMBER
        if self._wanted is not None:
            self._wanted = (self._wanted[0], place)
            return EditReply.DONE
        if self._held is None:
            return EditReply.NOTHING_HELD
        self._held.place = place
        return EditReply.DONE

    def let_go(self) -> EditReply:
        """Open the hand."""
        held, self._held, self._wanted = self._held, None, None
        if held is None:
            return EditReply.NOTHING_HELD
        self._world.physics.take_out(held.owned)
        if held.limp is not None:
            held.limp.set_held(None)
            self._world.recovery.let_rise(held.target.slot, _GRIP_TAG)
        return EditReply.DONE

    # -- physics -----------------------------------------------------------------

    def before_physics(self) -> None:
        """Phase 14: take hold of a body that has gone limp, move the hand, lift what hangs."""
        self._take_wanted()
        held = self._held
        if held is None:
            return
        if not self._is_still_there(held):
            self.let_go()
            return
        way = pymunk.Vec2d(held.place.x, held.place.y) - held.hand.position
        most = self._tuning.reach_cm_s * STEP_S
        if way.length > most:
            way = way * (most / way.length)
        held.hand.velocity = way / STEP_S
        held.body.activate()
        if held.limp is not None:
            self._world.recovery.keep_down(held.target.slot, _GRIP_TAG)
            rise = self._tuning.lift_cm_s * STEP_S
            held.limp.set_held(min(held.limp.channels.z + rise, self._tuning.lift_cm))

    # -- inside ------------------------------------------------------------------

    def _limp(self, ref: EntityRef) -> LimpPed | None:
        if self._world.recovery.phase(ref.slot) not in LIMP:
            return None
        limp = self._world.physics.ragdolls.limp_ped(ref.slot)
        return None if limp is None or limp.is_broken else limp

    def _take_wanted(self) -> None:
        if self._wanted is None:
            return
        ref, at = self._wanted
        ped = self._world.peds.resolve(ref)
        if ped is None or ped.retired:
            self._wanted = None
            return
        limp = self._limp(ref)
        if limp is None:
            return
        self._wanted = None
        nearest = min(limp.bodies, key=lambda body: body.position.get_distance((at.x, at.y)))
        mass = self._world.physics.ragdolls.spec.mass_kg
        self._take(ref, nearest, at, mass, limp)

    def _take(
        self, ref: EntityRef, body: pymunk.Body, at: Vec3, mass_kg: float, limp: LimpPed | None
    ) -> None:
        grip = body.position if limp is not None else pymunk.Vec2d(at.x, at.y)
        hand = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        hand.position = grip
        joint = pymunk.PivotJoint(hand, body, (0.0, 0.0), body.world_to_local(grip))
        joint.max_force = self._tuning.pull_cm_s2 * mass_kg
        owned = OwnedBody(BodyOwner(EntityKind.MARKER, 0), hand, (), (joint,))
        self._world.physics.put_in(owned)
        self._held = _Held(ref, body, owned, hand, at, limp)

    def _is_still_there(self, held: _Held) -> bool:
        if held.limp is not None:
            return self._limp(held.target) is held.limp
        thing = self._world.things.get(held.target)
        return thing is not None and self._world.physics.body_of(held.target) is held.body
