"""The pymunk bodies and joints of one limp ped (RAG-04 to RAG-06, RAG-08)."""

from __future__ import annotations

import math

import pymunk

from ai.motion.recovery.falling import fall_roll, fall_way, toppling_pose
from ai.motion.recovery.tuning import KnockdownTuning
from ai.ports import BodyPart, EntityKind, FallStart, LimpPose, Vec3
from game.world.bodies import BodyOwner, BodyRegistry, OwnedBody
from game.world.collision import ALL_BANDS, CollisionType, limp_filter, static_query
from game.world.ragdoll.channels import Channels
from game.world.ragdoll.spec import BodyPlan, JointPlan, RagdollSpec
from game.world.things import YAW, X, Y

_GROWS_CM = 130.0
"""No part of a body is further from its pelvis, grown and with a step's way."""

_FIXED = static_query(ALL_BANDS)

HIT_STEPS = 2
"""So long the solver takes to spread the blow that one part of a body took."""

_PULL_MIN_CM_S = 80.0
"""Joints by a wall pull their bodies together as fast as this even while growth is slower."""

_DRAWN_IN = 0.08
"""By which share of its plan lengths a pose is drawn in at a time until it fits."""


class LimpPed:
    """One ped's bodies in ``BodyPart`` order, with their joints and channels.

    Invariant: while the bodies are in the space, joints between them, their limits and
    what ties them to the ground are too; they come and go together, joints first out.
    """

    def __init__(
        self,
        slot: int,
        start: FallStart,
        spec: RagdollSpec,
        tuning: KnockdownTuning,
        space: pymunk.Space,
    ) -> None:
        self.slot = slot
        self.steps = 0
        self.is_fast = False
        self.is_broken = False
        self.is_open = False
        self._spec = spec
        self._tuning = tuning
        self._space = space
        self.bodies = [_placed_body(plan) for plan in spec.bodies]
        self._shapes = [
            _shape(plan, body, tuning) for plan, body in zip(spec.bodies, self.bodies, strict=True)
        ]
        pose = self._placed(start.pose) if start.pose else _upright(start, tuning)
        self._place(pose)
        self.channels = Channels(
            pose.extent, pose.tilt, pose.roll, start.impulse.z / spec.mass_kg, pose.z
        )
        self._pivots = [self._pivot(plan) for plan in spec.joints]
        self._pivot_of = {pivot.b: pivot for pivot in self._pivots}
        self._limits = [self._limit(plan) for plan in spec.joints]
        self._tones = [self._tone(plan) for plan in spec.joints if plan.is_limb]
        self._drags = [_drag(space, body) for body in self.bodies]
        self._spin_drags = [_spin_drag(space, body) for body in self.bodies]
        owner = BodyOwner(EntityKind.PED, slot)
        self._owned = [
            OwnedBody(owner, body, (shape,))
            for body, shape in zip(self.bodies, self._shapes, strict=True)
        ]
        joints = (*self._pivots, *self._limits, *self._tones, *self._drags, *self._spin_drags)
        self._joints = OwnedBody(owner, None, (), joints)
        self.set_extent()
        self._set_friction()
        self._throw(start)
        self.refilter()

    # -- in and out --------------------------------------------------------------

    def enter(self, registry: BodyRegistry) -> None:
        """Put everything into the space, in table order."""
        for owned in self._owned:
            registry.add(owned)
        registry.add(self._joints)

    def leave(self, registry: BodyRegistry) -> None:
        """Take everything out, joints first."""
        registry.remove(self._joints)
        for owned in self._owned:
            registry.remove(owned)

    # -- the step ----------------------------------------------------------------

    def grow(self, dt_s: float, states: list[list[float]]) -> None:
        """A step of the fall: longer in plan. ``states``: rows of the bodies, as they are now.

        In the open the bodies move apart with their anchors. By a wall the solver alone
        does that, as what is put there would be put through; joints pull harder meanwhile,
        or they would lag behind anchors that move at up to 130 cm/s.
        """
        if self.channels.is_falling:
            before = self.channels.extent
            self.channels.fall_on(dt_s, self._tuning.fall)
            self.set_extent()
            self.is_open = self._is_in_the_open()
            if self.is_open:
                self.close_joints(states)
            self._set_pull((self.channels.extent - before) / dt_s)

    def after_step(self, dt_s: float, sideways_cm_s: float) -> None:
        """A step of height and roll; friction acts on the ground alone."""
        channels, fall = self.channels, self._tuning.fall
        grounded, height = channels.is_grounded, channels.z
        channels.fly_on(dt_s, fall)
        channels.roll_on(sideways_cm_s, dt_s, fall)
        if channels.is_grounded != grounded:
            self._set_friction()
        if channels.z != height:
            self.refilter()

    def set_held(self, height_cm: float | None) -> None:
        """A hand holds it up from the next step on; None lets it fall."""
        self.channels.held_z = height_cm

    def set_fast(self, *, is_fast: bool) -> None:
        """People on their feet are touched by what is fast (RAG-09)."""
        if is_fast != self.is_fast:
            self.is_fast = is_fast
            self.refilter()

    def refilter(self) -> None:
        """Choose anew what is touched."""
        wanted = limp_filter(self.slot + 1, self.channels.z, touches_standing=self.is_fast)
        if wanted != self._shapes[0].filter:
            for shape in self._shapes:
                shape.filter = wanted

    def set_extent(self) -> None:
        """Anchors and ends of shapes to the present share of their full place (RAG-05)."""
        extent = self.channels.extent
        for pivot, joint in zip(self._pivots, self._spec.joints, strict=True):
            pivot.anchor_a = joint.parent_anchor[0] * extent, joint.parent_anchor[1] * extent
            pivot.anchor_b = joint.child_anchor[0] * extent, joint.child_anchor[1] * extent
        for shape, body in zip(self._shapes, self._spec.bodies, strict=True):
            if isinstance(shape, pymunk.Segment):
                end = body.half_straight * extent
                shape.unsafe_set_endpoints((-end, 0.0), (end, 0.0))

    def _set_pull(self, growth_per_s: float) -> None:
        """How hard joints pull: what is left of a gap after a 60th of a second, and how fast.

        By a wall none pulls its bodies faster than growth moves its anchors apart; harder,
        and in an alley limbs would be pressed into the walls. The blow itself may.
        """
        form = self._tuning.ragdoll
        grows_by_wall = self.channels.is_falling and not self.is_open
        left = form.pivot_growing_bias_base if grows_by_wall else form.pivot_error_bias_base
        for pivot, joint in zip(self._pivots, self._spec.joints, strict=True):
            pivot.error_bias = left**60
            pivot.max_bias = math.inf
            if grows_by_wall and self.steps > HIT_STEPS:
                reach = math.hypot(*joint.parent_anchor) + math.hypot(*joint.child_anchor)
                pivot.max_bias = max(growth_per_s * reach, _PULL_MIN_CM_S)

    def _is_in_the_open(self) -> bool:
        """Nothing fixed is near enough to be reached by what grows."""
        x, y = self.bodies[BodyPart.PELVIS].position
        around = pymunk.BB(x - _GROWS_CM, y - _GROWS_CM, x + _GROWS_CM, y + _GROWS_CM)
        return not self._space.bb_query(around, _FIXED)

    def close_joints(self, states: list[list[float]]) -> None:
        """Put each body where its joint to the one before meets; speeds stay.

        ``states`` are the bodies' rows (x, y, yaw and more); their places are kept up to date.
        """
        extent = self.channels.extent
        turns = [(math.cos(row[YAW]) * extent, math.sin(row[YAW]) * extent) for row in states]
        for joint in self._spec.joints:
            parent, child = states[joint.parent], states[joint.child]
            cosine, sine = turns[joint.parent]
            along, across = joint.parent_anchor
            x = parent[X] + along * cosine - across * sine
            y = parent[Y] + along * sine + across * cosine
            cosine, sine = turns[joint.child]
            along, across = joint.child_anchor
            child[X] = x - along * cosine + across * sine
            child[Y] = y - along * sine - across * cosine
            self.bodies[joint.child].position = child[X], child[Y]

    def hit(self, impulse: Vec3, part: BodyPart) -> None:
        """An impulse on the live bodies, shared like the first (RAG-06, REC-17).

        What the part's speed cap leaves over of its share goes to the other bodies: no part
        of a hit is lost, or a row of people would not fall (LVL-33).
        """
        spread = self._tuning.entry.impulse_spread
        mass = self._spec.mass_kg
        all_x, all_y = impulse.x * spread / mass, impulse.y * spread / mass
        for body in self.bodies:
            body.velocity += pymunk.Vec2d(all_x, all_y)
        struck = self.bodies[part]
        rest = (1.0 - spread) / struck.mass
        wanted = struck.velocity + pymunk.Vec2d(impulse.x * rest, impulse.y * rest)
        struck.velocity = wanted
        self.clamp(struck)
        left_over = (wanted - struck.velocity) * struck.mass / (mass - struck.mass)
        for body in self.bodies:
            if body is not struck:
                body.velocity += left_over
                self.clamp(body)
        self.channels.vz += impulse.z / mass
        self._set_friction()

    def clamp(self, body: pymunk.Body) -> None:
        """Keep a body under the caps (RAG-08).

        Spin is taken away about the joint to the body before it, not about the middle: what
        the joint's two sides do stays the same there, or each sub-step would tear it open.
        """
        fall = self._tuning.fall
        spin = body.angular_velocity
        if abs(spin) > fall.spin_cap:
            body.angular_velocity = math.copysign(fall.spin_cap, spin)
            pivot = self._pivot_of.get(body)
            if pivot is not None:
                arm = pivot.anchor_b.rotated(body.angle)
                body.velocity += arm.perpendicular() * (spin - body.angular_velocity)
        speed = body.velocity.length
        if speed > fall.speed_cap:
            body.velocity *= fall.speed_cap / speed

    def pivot_error_cm(self) -> float:
        """The widest gap at a joint (RAG-12)."""
        return max(
            (pivot.a.local_to_world(pivot.anchor_a) - pivot.b.local_to_world(pivot.anchor_b)).length
            for pivot in self._pivots
        )

    def overlap_cm(self) -> float:
        """How deep the worst of its shapes lies in something fixed; 0 in nothing."""
        deepest = 0.0
        for shape in self._shapes:
            for found in self._space.shape_query(shape):
                if found.shape is not None and found.shape.body is self._space.static_body:
                    for point in found.contact_point_set.points:
                        deepest = max(deepest, -point.distance)
        return deepest

    def velocity(self) -> pymunk.Vec2d:
        """Of the centre of mass, in cm/s."""
        total = pymunk.Vec2d.zero()
        for body in self.bodies:
            total += body.velocity * body.mass
        return total / self._spec.mass_kg

    # -- building ----------------------------------------------------------------

    def _placed(self, pose: LimpPose) -> LimpPose:
        """A pose that is given, drawn in as far as it must be to reach into nothing fixed.

        Who rises beside a wall may be shown reaching over it; its body begins on this side.
        """
        least = self._tuning.fall.extent_start
        while True:
            self._place(pose)
            if pose.extent <= least or self._is_clear(pose.extent):
                return pose
            pose = pose._replace(extent=max(least, pose.extent - _DRAWN_IN))

    def _is_clear(self, extent: float) -> bool:
        """No straight line from the pelvis to an end of a body meets anything fixed."""
        pelvis = self.bodies[BodyPart.PELVIS].position
        for body, plan in zip(self.bodies, self._spec.bodies, strict=True):
            reach = plan.half_straight * extent
            for end in ((-reach, 0.0), (reach, 0.0)):
                to = body.local_to_world(end)
                if self._space.segment_query_first(pelvis, to, plan.radius, _FIXED) is not None:
                    return False
        return True

    def _place(self, pose: LimpPose) -> None:
        """Put the bodies so that all joints meet, limbs bent no further than they go."""
        pelvis = self.bodies[BodyPart.PELVIS]
        pelvis.position = (pose.x, pose.y)
        pelvis.angle = pose.angles[BodyPart.PELVIS]
        extent = pose.extent
        for joint in self._spec.joints:
            parent, child = self.bodies[joint.parent], self.bodies[joint.child]
            bent = math.remainder(pose.angles[joint.child] - parent.angle, 2.0 * math.pi)
            child.angle = parent.angle + min(max(bent, joint.low), joint.high)
            anchor = pymunk.Vec2d(*joint.parent_anchor) * extent
            own = pymunk.Vec2d(*joint.child_anchor) * extent
            child.position = (
                parent.position + anchor.rotated(parent.angle) - own.rotated(child.angle)
            )

    def _throw(self, start: FallStart) -> None:
        """First velocities (RAG-06)."""
        ahead = pymunk.Vec2d(math.cos(start.yaw), math.sin(start.yaw)) * start.speed
        for body in self.bodies:
            body.velocity = ahead
        self.hit(start.impulse._replace(z=0.0), start.part)

    def _pivot(self, plan: JointPlan) -> pymunk.PivotJoint:
        form = self._tuning.ragdoll
        pivot = pymunk.PivotJoint(
            self.bodies[plan.parent],
            self.bodies[plan.child],
            plan.parent_anchor,
            plan.child_anchor,
        )
        pivot.max_force = form.pivot_max_force
        pivot.error_bias = form.pivot_error_bias_base**60
        return pivot

    def _limit(self, plan: JointPlan) -> pymunk.RotaryLimitJoint:
        limit = pymunk.RotaryLimitJoint(
            self.bodies[plan.parent], self.bodies[plan.child], plan.low, plan.high
        )
        limit.max_force = self._tuning.ragdoll.limit_max_force
        return limit

    def _tone(self, plan: JointPlan) -> pymunk.DampedRotarySpring:
        """Muscles that hold a limb about as it was flung out (RAG-04)."""
        form = self._tuning.ragdoll
        parent, child = self.bodies[plan.parent], self.bodies[plan.child]
        held = parent.angle - child.angle
        return pymunk.DampedRotarySpring(
            parent, child, held, form.tone_stiffness, form.tone_damping
        )

    def _set_friction(self) -> None:
        fall = self._tuning.fall
        on_ground = 1.0 if self.channels.is_grounded else 0.0
        pull = on_ground * fall.ground_mu * fall.gravity
        spin = on_ground * fall.spin_brake
        for body, drag, spin_drag in zip(self.bodies, self._drags, self._spin_drags, strict=True):
            drag.max_force = pull * body.mass
            spin_drag.max_force = spin * body.moment


def _upright(start: FallStart, tuning: KnockdownTuning) -> LimpPose:
    """A standing ped that topples along the impulse (RAG-05, RAG-10)."""
    least = tuning.entry.facing_impulse_min
    way = fall_way(start.impulse, start.speed, start.yaw, least)
    roll = fall_roll(way, start.yaw)
    extent = tuning.fall.extent_start
    return toppling_pose(start.x, start.y, way, roll, tuning.splay, extent=extent, tilt=0.0)


def _placed_body(plan: BodyPlan) -> pymunk.Body:
    return pymunk.Body(plan.mass, plan.moment)


def _shape(plan: BodyPlan, body: pymunk.Body, tuning: KnockdownTuning) -> pymunk.Shape:
    shape: pymunk.Shape
    if plan.half_straight > 0.0:
        end = plan.half_straight
        shape = pymunk.Segment(body, (-end, 0.0), (end, 0.0), plan.radius)
    else:
        shape = pymunk.Circle(body, plan.radius)
    shape.collision_type = CollisionType.LIMP
    shape.friction = tuning.ragdoll.friction
    shape.elasticity = tuning.ragdoll.elasticity
    return shape


def _drag(space: pymunk.Space, body: pymunk.Body) -> pymunk.PivotJoint:
    drag = pymunk.PivotJoint(space.static_body, body, (0.0, 0.0), (0.0, 0.0))
    drag.max_bias = 0.0
    return drag


def _spin_drag(space: pymunk.Space, body: pymunk.Body) -> pymunk.GearJoint:
    spin_drag = pymunk.GearJoint(space.static_body, body, 0.0, 1.0)
    spin_drag.max_bias = 0.0
    return spin_drag
