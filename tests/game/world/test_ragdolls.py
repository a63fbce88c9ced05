"""Limp peds in physics: bodies, extent, first velocities, height, friction, bands, roll (RAG)."""

from __future__ import annotations

import math
from itertools import pairwise

import pymunk
import pytest

from ai.motion.recovery.falling import (
    FACE_DOWN_ROLL,
    FACE_UP_ROLL,
    LEFT_ROLL,
    RIGHT_ROLL,
    fall_roll,
    fall_way,
)
from ai.motion.recovery.tuning import KnockdownTuning
from ai.ports import BodyPart, Circle, LimpPose, Vec3
from game.world.collision import HIGH, LOW, MID
from game.world.description import ThingDescription
from game.world.ragdoll.channels import Channels
from game.world.ragdoll.spec import RagdollSpec
from tests.game.world.limp import PLACE, states, step, throw, wall
from tests.game.world.small_worlds import SmallWorld, knockdown

EAST, SOUTH = 0.0, 0.5 * math.pi
QUARTER = 0.5 * math.pi
FALL = knockdown().fall


@pytest.fixture
def world() -> SmallWorld:
    return SmallWorld()


# -- RAG-04 --------------------------------------------------------------------------


def test_the_spec_is_the_table() -> None:
    """RAG-04: 75.0 kg in 11 bodies; chest to lower arm 3.5; moments of boxes."""
    spec = RagdollSpec.of(knockdown().ragdoll)
    masses = [body.mass for body in spec.bodies]
    assert masses == [12.0, 14.0, 5.0, 4.5, 4.0, 4.5, 4.0, 7.5, 6.0, 7.5, 6.0]
    assert sum(masses) == spec.mass_kg == 75.0
    shin = spec.bodies[BodyPart.LEFT_SHIN]
    assert (shin.radius, shin.half_straight) == (6.0, 16.5)
    assert shin.moment == pytest.approx(6.0 * (45.0**2 + 12.0**2) / 12.0)
    assert spec.bodies[BodyPart.PELVIS].half_straight == 0.0


def test_the_right_side_mirrors_the_left() -> None:
    """RAG-04: limits of the left side, right mirrored."""
    joints = {joint.child: joint for joint in RagdollSpec.of(knockdown().ragdoll).joints}
    assert len(joints) == 10
    left, right = joints[BodyPart.LEFT_UPPER_ARM], joints[BodyPart.RIGHT_UPPER_ARM]
    assert (left.low, left.high) == (math.radians(-170.0), math.radians(60.0))
    assert (right.low, right.high) == (math.radians(-60.0), math.radians(170.0))
    assert left.parent_anchor == (17.5, 17.0)
    assert right.parent_anchor == (17.5, -17.0)
    waist = joints[BodyPart.CHEST]
    assert (waist.low, waist.high) == (math.radians(-35.0), math.radians(35.0))


def test_a_limp_ped_has_its_bodies_and_joints(world: SmallWorld) -> None:
    """RAG-04: 11 bodies, 10 pivots and 10 limits, 22 ground joints; tone in 8 limbs."""
    throw(world)
    space = world.physics._space
    assert len(space.bodies) == 11
    kinds = [type(joint) for joint in space.constraints]
    assert kinds.count(pymunk.RotaryLimitJoint) == 10
    assert kinds.count(pymunk.PivotJoint) == 10 + 11
    assert kinds.count(pymunk.GearJoint) == 11
    assert kinds.count(pymunk.DampedRotarySpring) == 8
    between = [j for j in space.constraints if space.static_body not in (j.a, j.b)]
    pivots = [joint for joint in between if isinstance(joint, pymunk.PivotJoint)]
    assert all(joint.max_force == 4e6 for joint in pivots)
    assert all(joint.error_bias == pytest.approx(0.8**60) for joint in pivots)
    bodies = [shape for shape in space.shapes if shape.body is not space.static_body]
    assert len({shape.filter.group for shape in bodies}) == 1


def test_the_same_throw_gives_the_same_positions() -> None:
    """RAG-04: bit-equal."""
    runs = []
    for _ in range(2):
        world = SmallWorld()
        throw(world, 30000.0, 0.7, up=9000.0, speed=200.0)
        runs.append([state.pose for state in states(world, 90)])
    assert runs[0] == runs[1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"body": {"head": {"mass": 0.0, "length": 22.0, "half_width": 11.0}}},
        {"body": {"head": {"mass": 5.0, "length": -1.0, "half_width": 11.0}}},
        {"joint": {"knee": None}},
        {
            "joint": {
                "knee": {
                    "low_deg": 10.0,
                    "high_deg": 5.0,
                    "parent_anchor": (0.0, 0.0),
                    "child_anchor": (0.0, 0.0),
                }
            }
        },
    ],
)
def test_a_wrong_spec_is_refused(wrong: dict[str, dict[str, object]]) -> None:
    """RAG-04: non-positive mass or length, a missing joint, low > high: refused at load."""
    data = knockdown().model_dump()
    for part, changes in wrong.items():
        data["ragdoll"][part] |= changes
    with pytest.raises(ValueError, match="ragdoll"):
        KnockdownTuning.model_validate(data)


# -- RAG-05 --------------------------------------------------------------------------


def test_a_body_starts_within_reach_of_a_standing_one(world: SmallWorld) -> None:
    """RAG-05: at age 0 every shape lies within 31 cm of the root, whichever way it falls."""
    for heading in range(8):
        throw(world, 20000.0, heading * math.pi / 4.0)
        space = world.physics._space
        for shape in [one for one in space.shapes if one.body is not space.static_body]:
            box = shape.cache_bb()
            corners = ((box.left, 0), (box.right, 0), (0, box.top), (0, box.bottom))
            for x, y in corners:
                assert abs((x - PLACE[0]) if x else (y - PLACE[1])) <= 31.0
        world.physics.ragdolls.release(0)


def test_extent_and_tilt_follow_their_curves() -> None:
    """RAG-05: e(0.225 s) = 0.25 + 0.75 sin 45 deg = 0.780; tilt 45 deg; 1 and 90 deg at 0.45 s."""
    channels = Channels(0.25, 0.0, 0.0)
    assert (channels.extent, channels.tilt) == (0.25, 0.0)
    channels.fall_on(0.225, FALL)
    assert channels.extent == pytest.approx(0.25 + 0.75 * math.sin(math.pi / 4.0))
    assert channels.extent == pytest.approx(0.780, abs=5e-4)
    assert channels.tilt == pytest.approx(math.pi / 4.0)
    assert channels.is_falling
    channels.fall_on(0.225, FALL)
    assert (channels.extent, channels.tilt) == (1.0, QUARTER)
    assert not channels.is_falling


def test_the_head_goes_the_way_of_the_impulse(world: SmallWorld) -> None:
    """RAG-05: impulse direction; under 500 the velocity's; at rest backwards."""
    assert fall_way(Vec3(0.0, 501.0), 100.0, EAST, 500.0) == (0.0, 1.0)
    assert fall_way(Vec3(0.0, 499.0), 100.0, EAST, 500.0) == (1.0, 0.0)
    assert fall_way(Vec3(0.0, 0.0), 0.0, EAST, 500.0) == pytest.approx((-1.0, 0.0))
    limp = throw(world, 20000.0, SOUTH)
    assert all(body.angle == pytest.approx(SOUTH) for body in limp.bodies[: BodyPart.HEAD + 1])
    assert limp.bodies[BodyPart.HEAD].position.y > limp.bodies[BodyPart.CHEST].position.y
    assert tuple(limp.bodies[BodyPart.PELVIS].position) == PLACE


# -- RAG-06 to RAG-08 ----------------------------------------------------------------


def test_a_runner_keeps_running_speed(world: SmallWorld) -> None:
    """RAG-06: 330 cm/s run, impulse 0: every body has 330 along the facing."""
    limp = throw(world, speed=330.0, yaw_rad=SOUTH)
    for body in limp.bodies:
        assert tuple(body.velocity) == pytest.approx((0.0, 330.0), abs=1e-9)


def test_an_impulse_is_shared(world: SmallWorld) -> None:
    """RAG-06: 60 % over 75 kg, 40 % on the part: 15000 gives 120, and a 14 kg chest 548.571."""
    limp = throw(world, 15000.0, EAST)
    assert limp.bodies[BodyPart.PELVIS].velocity.x == pytest.approx(120.0)
    assert limp.bodies[BodyPart.CHEST].velocity.x == pytest.approx(120.0 + 6000.0 / 14.0)
    assert limp.velocity().x == pytest.approx(200.0)


def test_speed_and_spin_are_capped(world: SmallWorld) -> None:
    """RAG-08: at most 900 cm/s and 12 rad/s after an impulse and after each sub-step."""
    limp = throw(world, 45000.0, EAST, part=BodyPart.HEAD)
    assert limp.bodies[BodyPart.HEAD].velocity.length == pytest.approx(900.0)
    limp.bodies[BodyPart.LEFT_SHIN].angular_velocity = 80.0
    step(world)
    for body in limp.bodies:
        assert body.velocity.length <= 900.0 + 1e-6
        assert abs(body.angular_velocity) <= 12.0 + 1e-9


def test_height_is_a_throw_with_one_bounce(world: SmallWorld) -> None:
    """RAG-06, RAG-07: up 30000 is 400 cm/s: 81.5 cm, 0.82 s, a bounce of 80 cm/s, then rest."""
    limp = throw(world, up=30000.0)
    assert limp.channels.vz == 400.0
    heights, speeds = [], []
    for state in states(world, 120):
        heights.append(state.pose.z)
        speeds.append(state.vz)
    assert max(heights) == pytest.approx(81.5, rel=0.05)
    landed = next(index for index, height in enumerate(heights) if height == 0.0) + 1
    assert landed == pytest.approx(0.8155 * 60.0, abs=2.0)
    assert speeds[landed - 1] == pytest.approx(80.0, rel=0.05)
    bounces = sum(before < 0.0 < after for before, after in pairwise(speeds))
    assert bounces == 1
    assert (heights[-1], speeds[-1]) == (0.0, 0.0)


def test_friction_acts_on_the_ground_alone(world: SmallWorld) -> None:
    """RAG-07, RAG-08: force 588.6 m and torque 12 I, both 0 while it flies."""
    limp = throw(world, up=30000.0)
    assert all(drag.max_force == 0.0 for drag in (*limp._drags, *limp._spin_drags))
    step(world, 90)
    for body, drag, spin in zip(limp.bodies, limp._drags, limp._spin_drags, strict=True):
        assert drag.max_force == pytest.approx(588.6 * body.mass)
        assert spin.max_force == pytest.approx(12.0 * body.moment)


def test_a_sliding_body_stops_in_time(world: SmallWorld) -> None:
    """RAG-08: 600 cm/s stops in 1.02 s after 306 cm (5 %)."""
    limp = throw(world, speed=600.0, yaw_rad=EAST)
    for body in limp.bodies:
        body.velocity = (600.0, 0.0)
    middle = []
    for _ in range(90):
        step(world)
        middle.append(sum(b.position.x * b.mass for b in limp.bodies) / 75.0)
    speeds = [(after - before) * 60.0 for before, after in pairwise(middle)]
    stopped = next(index for index, speed in enumerate(speeds) if abs(speed) < 3.0)
    assert stopped / 60.0 == pytest.approx(1.02, rel=0.05)
    assert middle[-1] - middle[0] + 10.0 == pytest.approx(306.0, rel=0.06)


# -- RAG-09 --------------------------------------------------------------------------


def test_the_band_is_that_of_the_height(world: SmallWorld) -> None:
    """RAG-09: bands 0-30, 30-100, above; a body is in one of them."""
    limp = throw(world)
    found = []
    for height in (0.0, 29.9, 30.0, 99.9, 100.0):
        limp.channels.z = height
        limp.refilter()
        found.append(limp._shapes[0].filter.categories >> 10)
    assert found == [LOW, LOW, MID, MID, HIGH]


@pytest.mark.parametrize(("height", "passes"), [(0.0, True), (70.0, False)])
def test_a_beam_stops_what_flies_into_it_and_not_what_lies(height: float, passes: bool) -> None:
    """RAG-09: a beam at 60-90 cm: no contact for a lying body, a stop at z 70."""
    world = SmallWorld()
    wall(world, 1, PLACE[0] + 150.0, PLACE[1], 40.0, 600.0, heights=(60.0, 90.0))
    limp = throw(world, speed=600.0, yaw_rad=EAST)
    for _ in range(60):
        limp.channels.z, limp.channels.vz = height, 0.0
        limp.refilter()
        step(world)
    beyond = limp.bodies[BodyPart.PELVIS].position.x > PLACE[0] + 150.0
    assert beyond is passes


def test_a_crate_is_pushed(world: SmallWorld) -> None:
    """RAG-09: a limp ped pushes a 40 kg crate."""
    crate = world.things.spawn(
        ThingDescription(
            object_id=5,
            name="crate",
            kind="crate",
            position=Vec3(PLACE[0] + 110.0, PLACE[1]),
            yaw_rad=0.0,
            outline=Circle(0.0, 0.0, 34.0),
            z_high_cm=68.0,
            mass_kg=40.0,
            nav_block=False,
        )
    )
    throw(world, 40000.0, EAST)
    step(world, 60)
    assert world.things.state[crate.slot, 0] > PLACE[0] + 115.0


def test_limbs_of_two_peds_never_touch(world: SmallWorld) -> None:
    """RAG-09, F5: two bodies on one spot lie in each other and stay calm."""
    throw(world, 0.0, slot=0)
    throw(world, 0.0, slot=1)
    alone = SmallWorld()
    throw(alone, 0.0)
    together = [state.pose for state in states(world, 60)]
    assert together == [state.pose for state in states(alone, 60)]


# -- RAG-10 --------------------------------------------------------------------------


def test_how_it_comes_to_lie_depends_on_where_it_looked() -> None:
    """RAG-10: from the front face up, from behind face down, from the sides on a side."""
    assert fall_roll((-1.0, 0.0), EAST) == FACE_UP_ROLL
    assert fall_roll((1.0, 0.0), EAST) == FACE_DOWN_ROLL
    assert fall_roll((0.0, 1.0), EAST) == RIGHT_ROLL
    assert fall_roll((0.0, -1.0), EAST) == LEFT_ROLL
    sixty = math.pi / 3.0
    assert fall_roll((math.cos(sixty), math.sin(sixty)), EAST) == FACE_DOWN_ROLL
    beyond = math.radians(61.0)
    assert fall_roll((math.cos(beyond), math.sin(beyond)), EAST) == RIGHT_ROLL


def test_a_body_that_slides_sideways_rolls() -> None:
    """RAG-10: 0.5 v / 18 rad/s over 60 cm/s; 200 cm sideways changes the pose at least once."""
    channels = Channels(1.0, QUARTER, 0.0)
    channels.roll_on(180.0, 0.1, FALL)
    assert channels.roll == pytest.approx(-0.5)
    slid, speed, poses = 0.0, 485.0, set()
    channels = Channels(1.0, QUARTER, 0.0)
    while speed > 0.0:
        channels.roll_on(speed, 1.0 / 60.0, FALL)
        poses.add(round(channels.roll / QUARTER))
        slid += speed / 60.0
        speed -= 588.6 / 60.0
    assert slid == pytest.approx(200.0, rel=0.05)
    assert len(poses) > 1


def test_a_calm_body_rolls_flat() -> None:
    """RAG-10: to the nearest multiple of 90 deg at 180 deg/s: from 44 deg in 0.2444 s."""
    channels = Channels(1.0, QUARTER, math.radians(44.0))
    channels.roll_on(10.0, 0.1, FALL)
    assert math.degrees(channels.roll) == pytest.approx(26.0)
    channels.roll_on(10.0, 0.2, FALL)
    assert channels.roll == 0.0
    standing = Channels(0.25, 0.0, math.radians(44.0))
    standing.roll_on(10.0, 1.0, FALL)
    assert math.degrees(standing.roll) == pytest.approx(44.0)


# -- RAG-13, F2, and what is broken ---------------------------------------------------


def test_everything_comes_out_once(world: SmallWorld) -> None:
    """RAG-13: counts return exactly; a second release says so."""
    before = world.physics.counts()
    for slot in range(20):
        throw(world, 20000.0, slot * 0.3, slot=slot)
    step(world, 5)
    assert world.physics.check_ownership() == ()
    for slot in range(20):
        assert world.physics.ragdolls.release(slot)
        assert not world.physics.ragdolls.release(slot)
    assert world.physics.counts() == before


def test_a_body_that_is_no_number_is_taken_out_and_told(world: SmallWorld) -> None:
    """RAG-13: finite check each step; the others go on."""
    throw(world, 20000.0, slot=0)
    broken = throw(world, 20000.0, slot=3, place=(500.0, 500.0))
    step(world)
    broken.bodies[BodyPart.LEFT_SHIN].velocity = (math.nan, 0.0)
    step(world)
    assert not world.physics.ragdolls.state(3).finite
    assert world.physics.ragdolls.state(0).finite
    assert world.physics.counts()[0] == 11
    step(world, 3)
    assert world.physics.ragdolls.release(3)
    assert world.physics.counts()[0] == 11


def test_a_hit_wakes_a_body_that_sleeps(world: SmallWorld) -> None:
    """REC-17: also one that the space had been left alone for."""
    throw(world, 14000.0, EAST)
    step(world, 240)
    assert world.physics._registry.all_asleep()
    before = world.physics.ragdolls.state(0).pose
    world.physics.ragdolls.hit(0, Vec3(15000.0, 0.0), BodyPart.CHEST)
    step(world, 10)
    assert world.physics.ragdolls.state(0).pose.x > before.x + 5.0


# -- F5, REC-17: poses that do not fit ---------------------------------------------------


def test_a_half_risen_pose_that_reaches_over_a_wall_begins_on_this_side(world: SmallWorld) -> None:
    """F5, RAG-09: hit while rising head first at a wall: no body is put, or comes, beyond it."""
    wall(world, 1, PLACE[0] - 50.0, PLACE[1], 20.0, 400.0)
    pose = LimpPose(*PLACE, 0.0, (math.pi,) * 11, 0.7, 1.2, 0.0)
    limp = throw(world, 20000.0, math.pi, pose=pose)
    assert limp.channels.extent < 0.7
    for _ in states(world, 120):
        for body in limp.bodies:
            assert body.position.x > PLACE[0] - 50.0
    assert limp.channels.extent == 1.0


def test_a_half_risen_pose_in_the_open_is_taken_as_it_is(world: SmallWorld) -> None:
    """REC-17: bodies rebuilt at the displayed pose."""
    limp = throw(world, pose=LimpPose(*PLACE, 0.0, (math.pi,) * 11, 0.7, 1.2, 0.0))
    assert limp.channels.extent == 0.7


# -- the figures of the issue, in small --------------------------------------------------


@pytest.mark.parametrize("impulse", [15000.0, 29000.0, 45000.0])
def test_joints_stay_closed_in_the_open(world: SmallWorld, impulse: float) -> None:
    """Joint gap at most 4 cm at its peak and 1 cm at rest, in eight directions."""
    for heading in range(8):
        limp = throw(world, impulse, heading * math.pi / 4.0, up=0.3 * impulse)
        gaps = [limp.pivot_error_cm() for _ in states(world, 140)]
        assert max(gaps) <= 4.0
        assert gaps[-1] <= 1.0
        assert max(abs(body.angular_velocity) for body in limp.bodies) < 0.5
        world.physics.ragdolls.release(0)


def test_a_heap_of_a_hundred_comes_to_rest(world: SmallWorld) -> None:
    """100 ragdolls thrown onto one heap stay finite, closed, and are still within 3 s."""
    limps = []
    for slot in range(100):
        angle, away = 2.4 * slot, 12.0 * math.sqrt(slot)
        place = PLACE[0] + away * math.cos(angle), PLACE[1] + away * math.sin(angle)
        limps.append(throw(world, 20000.0, angle + math.pi, place=place, slot=slot))
    step(world, 180)
    for limp in limps:
        assert limp.pivot_error_cm() <= 1.0
        assert max(body.velocity.length for body in limp.bodies) < 35.0
