"""Phase 14 of a step: pymunk moves props and limp peds, standing peds push the light ones.

One step is two sub-steps of 1/120 s. Around each: fast props are swept (RAG-17),
the space steps, held-back changes are made, all states are read in one batch,
checked to be finite and clamped. Bodies fall asleep when they rest, and once all of
them sleep and nobody stands near what can be pushed, the space is left alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pymunk
from numpy.typing import NDArray

from ai.faults import faults
from ai.motion.recovery.tuning import KnockdownTuning
from ai.ports import STEP_S, EntityRef
from game.world.batch_state import BatchState
from game.world.bodies import BodyOwner, BodyRegistry, OwnedBody
from game.world.callbacks import CallbackGuard, ContactCallback
from game.world.collision import CollisionType, bands_of, static_query
from game.world.outlines import bounding_radius, bounds_of, smallest_half_extent
from game.world.ragdoll.people_contacts import PeopleContacts, Struck
from game.world.ragdoll.ragdolls import Ragdolls
from game.world.standing import StandingCircles
from game.world.sweep import PropSweep
from game.world.thing_bodies import border_body, prop_body, static_body
from game.world.things import SPIN, VX, VY, Thing, ThingTable

SUB_STEPS = 2
ITERATIONS = 20
SUB_STEP_S = STEP_S / SUB_STEPS

_IDLE_SPEED_CM_S = 2.0
"""Bodies slower than this fall asleep; with gravity 0 pymunk's own default never lets them."""

_SLEEP_AFTER_S = 0.5

_NEVER = -1
"""Less than any count of ``BodyRegistry.changes``."""


class PropStates(NamedTuple):
    """Ascending thing slots, shape (n,), and their states, shape (n, 6), as in ``ThingTable``."""

    slots: NDArray[np.int64]
    state: NDArray[np.float64]


class Jolts(NamedTuple):
    """Props whose speed changed at a blow in this step: ascending slots and by how much, (n,)."""

    slots: NDArray[np.int64]
    speeds: NDArray[np.float64]


_NO_JOLTS = Jolts(np.empty(0, dtype=np.int64), np.empty(0))

_JOLT_MIN_CM_S = 60.0
"""Less than this is friction and pushing, no blow."""


class PhysicsWorld:
    """The pymunk space over a ``ThingTable``.

    Invariants:

    - ``_bodies`` holds one ``OwnedBody`` for each thing (but for what ``_drop_broken`` has
      taken out and the next removal phase takes away), and the registry nothing else
      but the border, the standing circles, the limp peds and a hand that holds something.
    - The batch holds the slots of exactly the dynamic things in ``_bodies``.
    - Between steps the velocity of a body is the one in ``ThingTable.state``.
    - While ``_rests_at`` equals ``BodyRegistry.changes`` every body of the space sleeps, so
      that stepping it would change nothing. What can wake a body ends that: whatever
      enters or leaves counts as a change, and who places or hits one calls ``_disturb``.
    """

    def __init__(
        self,
        things: ThingTable,
        *,
        width_cm: float,
        height_cm: float,
        ped_capacity: int,
        ped_radius_cm: float,
        knockdown: KnockdownTuning,
    ) -> None:
        self._things = things
        limits = things.catalogue.limits
        self._speed_cap = limits.speed_cap_cm_s
        self._spin_cap = limits.spin_cap_rad_s
        self._space = pymunk.Space()
        self._space.gravity = (0.0, 0.0)
        self._space.iterations = ITERATIONS
        self._space.idle_speed_threshold = _IDLE_SPEED_CM_S
        self._space.sleep_time_threshold = _SLEEP_AFTER_S
        self._guard = CallbackGuard()
        self._registry = BodyRegistry(self._space, self._guard)
        self._batch = BatchState(self._space)
        self._bodies: dict[int, OwnedBody] = {}
        self._rests_at = _NEVER
        self._sweep = PropSweep(self._space, things.capacity, SUB_STEP_S)
        self._standing = StandingCircles(
            self._registry,
            width_cm=width_cm,
            height_cm=height_cm,
            thing_capacity=things.capacity,
            ped_capacity=ped_capacity,
            radius_cm=ped_radius_cm,
        )
        self.ragdolls = Ragdolls(self._space, self._registry, knockdown, self._disturb)
        self._people = PeopleContacts(self.ragdolls, self.owner_of, knockdown.touch)
        self.struck: list[Struck] = []
        self.jolts = _NO_JOLTS
        pushed = self._standing.before_push
        self.on_contact(CollisionType.STANDING, CollisionType.PROP, pre_solve=pushed)
        self.on_contact(
            CollisionType.LIMP,
            CollisionType.STANDING,
            begin=self._people.begin,
            separate=self._people.separate,
        )
        self._border = border_body(self._space, width_cm, height_cm)
        self._registry.add(self._border)
        things.observe(self)

    # -- the step --------------------------------------------------------------

    def step(
        self,
        ped_slots: NDArray[np.int64],
        ped_ids: NDArray[np.int64],
        ped_x: NDArray[np.float64],
        ped_y: NDArray[np.float64],
        before_sub_step: Callable[[int], None] | None = None,
    ) -> None:
        """Run phase 14; the arrays, shape (n,), are those of the peds that stand.

        ``before_sub_step`` is called with 0 and 1; what it does to bodies counts in that
        sub-step. ``struck`` then names whom something that flew has touched for the first time,
        ``jolts`` the props that met something hard.
        Raises the first exception of a contact callback (F3).
        """
        self.ragdolls.before_step(STEP_S)
        self._standing.place(ped_slots, ped_ids, ped_x, ped_y, self.ragdolls.thrown())
        if self._rests_at == self._registry.changes and before_sub_step is None:
            self.ragdolls.after_step(STEP_S)
            self.struck = self._people.take(STEP_S)
            self.jolts = _NO_JOLTS
            self._things.keep_props()
            return
        state = self._drop_broken(self._batch.read())
        for sub_step in range(SUB_STEPS):
            if before_sub_step is not None:
                before_sub_step(sub_step)
            for slot in self._sweep.fast_slots(self._batch.slots, state):
                self._sweep.hold_back(slot, self._body(slot))
            self._registry.step_space(SUB_STEP_S)
            self._hold_pushed()
            state = self._clamped(self._drop_broken(self._batch.read()))
            self.ragdolls.after_sub_step()
        self.ragdolls.after_step(STEP_S)
        self.struck = self._people.take(STEP_S)
        self.jolts = self._jolts_of(state)
        moved = self._things.write_props(self._batch.slots, state)
        if not moved and self._registry.all_asleep():
            self._rests_at = self._registry.changes

    def _jolts_of(self, state: NDArray[np.float64]) -> Jolts:
        """How the props' new velocities differ from those before the step."""
        slots = self._batch.slots
        change = state[:, VX : VY + 1] - self._things.state[slots, VX : VY + 1]
        squared = (change * change).sum(axis=1)
        rows = np.flatnonzero(squared >= _JOLT_MIN_CM_S * _JOLT_MIN_CM_S)
        return Jolts(slots[rows], np.sqrt(squared[rows])) if len(rows) else _NO_JOLTS

    def _disturb(self) -> None:
        """A body may wake up: the space has to be stepped again."""
        self._rests_at = _NEVER

    def _hold_pushed(self) -> None:
        """Slow down what standing peds have pushed too hard, or into a wall.

        Such a prop is swept at any speed: a circle of endless mass would press it into
        the wall a little more in each sub-step.
        """
        for body, speed_limit in self._standing.pushes:
            slot = self._batch.slot_of(body)
            speed = body.velocity.length
            if slot is not None and math.isfinite(speed):
                if speed > speed_limit:
                    body.velocity *= speed_limit / speed
                self._sweep.hold_back(slot, body)
        self._standing.pushes.clear()

    def _drop_broken(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """Take bodies whose state is not finite out before they spoil others; a fault each."""
        if math.isfinite(state.sum()):
            return state
        finite = np.isfinite(state).all(axis=1)
        for slot in self._batch.slots[~finite].tolist():
            thing = self._things.in_slot(slot)
            faults.record(
                "non_finite_body",
                f"the {thing.kind_name} of object {thing.object_id} lost its finite state "
                "in physics and is removed",
            )
            self._take_out(slot)
            self._things.request_removal(thing.ref)
        return state[finite]

    def _clamped(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        speed2 = state[:, VX] * state[:, VX] + state[:, VY] * state[:, VY]
        too_fast = (speed2 > self._speed_cap * self._speed_cap) | (
            np.abs(state[:, SPIN]) > self._spin_cap
        )
        for row in np.flatnonzero(too_fast).tolist():
            state[row, VX:] = self._clamp(self._body(int(self._batch.slots[row])))
        return state

    def _clamp(self, body: pymunk.Body) -> tuple[float, float, float]:
        """Keep one body under the caps; return its velocity and spin."""
        speed = body.velocity.length
        if speed > self._speed_cap:
            body.velocity *= self._speed_cap / speed
        if abs(body.angular_velocity) > self._spin_cap:
            body.angular_velocity = math.copysign(self._spin_cap, body.angular_velocity)
        return body.velocity.x, body.velocity.y, body.angular_velocity

    # -- acting on bodies ------------------------------------------------------

    def keep_awake(self, ref: EntityRef) -> bool:
        """Wake a prop's body; False for a stale handle or a thing that physics does not move."""
        thing = self._things.get(ref)
        owned = None if thing is None else self._bodies.get(ref.slot)
        if owned is None or owned.body is None or owned.body.body_type != pymunk.Body.DYNAMIC:
            return False
        self._disturb()
        owned.body.activate()
        return True

    def apply_impulse(
        self, ref: EntityRef, impulse: tuple[float, float], at: tuple[float, float] | None = None
    ) -> bool:
        """Hit a prop with an impulse in kg cm/s, at a world point or at its centre.

        False, with nothing changed, for a stale handle or a thing that physics does not
        move. Raises ``ValueError`` for numbers that are not finite.
        """
        if not all(map(math.isfinite, (*impulse, *(at or ())))):
            raise ValueError(f"impulse {impulse} at {at} must be finite")
        thing = self._things.get(ref)
        owned = None if thing is None else self._bodies.get(ref.slot)
        if owned is None or owned.body is None:
            return False
        self._disturb()
        body = owned.body
        body.apply_impulse_at_world_point(impulse, body.position if at is None else at)
        self._things.state[ref.slot, VX:] = self._clamp(body)
        self.props_moved(np.array([ref.slot]))
        return True

    def set_velocity(self, ref: EntityRef, velocity: tuple[float, float], spin: float) -> None:
        """Send a prop off as if it had always flown so: no blow is noticed."""
        thing = self._things.get(ref)
        if thing is None or not thing.dynamic:
            return
        self._disturb()
        body = self._body(ref.slot)
        body.velocity, body.angular_velocity = velocity, spin
        self._things.state[ref.slot, VX:] = self._clamp(body)
        self.props_moved(np.array([ref.slot]))

    def on_contact(
        self,
        first: CollisionType,
        second: CollisionType,
        *,
        begin: ContactCallback | None = None,
        pre_solve: ContactCallback | None = None,
        post_solve: ContactCallback | None = None,
        separate: ContactCallback | None = None,
    ) -> None:
        """Hear of contacts between two sorts of shapes; ``owner_of`` names whose they are.

        - A callback may spawn and remove things; an exception in it ends the step (F3).
        - One callback a pair and moment: a later one takes the place of an earlier.
        """
        self._space.on_collision(
            first,
            second,
            begin=begin and self._guard.wrap(begin),
            pre_solve=pre_solve and self._guard.wrap(pre_solve),
            post_solve=post_solve and self._guard.wrap(post_solve),
            separate=separate and self._guard.wrap(separate),
        )

    def owner_of(self, shape: pymunk.Shape) -> BodyOwner | None:
        """Whose shape this is."""
        return self._registry.owner(shape)

    def body_of(self, ref: EntityRef) -> pymunk.Body | None:
        """A prop's body, None for a stale handle or a thing that physics does not move."""
        thing = self._things.get(ref)
        owned = None if thing is None or not thing.dynamic else self._bodies.get(ref.slot)
        return None if owned is None else owned.body

    def put_in(self, owned: OwnedBody) -> None:
        """Something of its own that pulls at bodies enters the space."""
        self._registry.add(owned)

    def take_out(self, owned: OwnedBody) -> None:
        """It leaves again."""
        self._disturb()
        self._registry.remove(owned)

    # -- reading ---------------------------------------------------------------

    def prop_state(self) -> PropStates:
        """All props' states, for the fingerprint and for drawing."""
        slots = self._batch.slots
        return PropStates(slots, self._things.state[slots])

    def asleep(self, ref: EntityRef) -> bool:
        """True if the thing is a prop whose body sleeps."""
        thing = self._things.get(ref)
        owned = None if thing is None else self._bodies.get(ref.slot)
        return owned is not None and owned.body is not None and owned.body.is_sleeping

    def counts(self) -> tuple[int, int, int]:
        """Bodies, shapes and joints in the space, without the map's border."""
        space = self._space
        border = len(self._border.shapes) if self._border.in_space else 0
        return len(space.bodies), len(space.shapes) - border, len(space.constraints)

    def check_ownership(self) -> tuple[str, ...]:
        """Everything in the space without exactly one owner, one sentence each."""
        return self._registry.check()

    def close(self) -> None:
        """Take everything out of the space (the world ends)."""
        self._standing.clear()
        self.ragdolls.close()
        for slot in list(self._bodies):
            self._take_out(slot)
        self._registry.remove(self._border)

    # -- following the things --------------------------------------------------

    def thing_added(self, thing: Thing) -> None:
        """Give a thing its shapes, and a body if it is a prop."""
        slot = thing.ref.slot
        half_extent = smallest_half_extent(thing.outline)
        x, y, yaw = self._things.state[slot, :VX].tolist()
        if not thing.dynamic:
            self._enter(slot, static_body(self._space, thing, x, y, yaw))
            self._wake_at(thing)
            self._sweep.add_wall(slot, half_extent)
            return
        owned = prop_body(self._space, thing, x, y, yaw)
        assert owned.body is not None
        self._enter(slot, owned)
        self._batch.register(owned.body, slot)
        look_for = static_query(bands_of(thing.z_low_cm, thing.z_high_cm))
        self._sweep.add_prop(slot, half_extent, look_for)
        if not thing.solid:
            self._standing.add_prop(slot, bounding_radius(thing.outline))
            self.props_moved(np.array([slot]))

    def thing_removed(self, thing: Thing) -> None:
        """Take a thing's shapes, joints and body out, once."""
        slot = thing.ref.slot
        if slot in self._bodies:
            self._take_out(slot)
        self._sweep.forget(slot)

    def thing_placed(self, thing: Thing) -> None:
        """Put a thing's shapes or body where the thing is now."""
        slot = thing.ref.slot
        if slot not in self._bodies:
            return
        self._disturb()
        x, y, yaw, vx, vy, spin = self._things.state[slot].tolist()
        if not thing.dynamic:
            self._registry.remove(self._bodies[slot])
            self._enter(slot, static_body(self._space, thing, x, y, yaw))
            self._wake_at(thing)
            return
        body = self._body(slot)
        body.position = (x, y)
        body.angle = yaw
        body.velocity = (vx, vy)
        body.angular_velocity = spin
        self._things.state[slot, VX:] = self._clamp(body)
        self.props_moved(np.array([slot]))

    def props_moved(self, slots: NDArray[np.int64]) -> None:
        """Tell the standing circles where there is something to push."""
        if not len(slots):
            return
        self._standing.props_moved(slots, self._things.state[slots])

    def _enter(self, slot: int, owned: OwnedBody) -> None:
        self._bodies[slot] = owned
        self._registry.add(owned)

    def _take_out(self, slot: int) -> None:
        owned = self._bodies.pop(slot)
        if owned.body is not None:
            self._batch.forget(owned.body)
            self._standing.forget_prop(slot)
        self._registry.remove(owned)

    def _body(self, slot: int) -> pymunk.Body:
        body = self._bodies[slot].body
        assert body is not None
        return body

    def _wake_at(self, thing: Thing) -> None:
        """Wake what sleeps where a static thing now stands: sleepers look for no contacts."""
        bounds = pymunk.BB(*bounds_of(self._things.footprint(thing)))
        for shape in self._space.bb_query(bounds, pymunk.ShapeFilter()):
            if shape.body is not None and shape.body.body_type == pymunk.Body.DYNAMIC:
                shape.body.activate()
