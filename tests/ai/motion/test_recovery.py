"""The recovery state machine over bodies that do what they are told (REC-01 to REC-22)."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from ai.faults import faults
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import PositionWriter, SuspendReason
from ai.motion.recovery.knock_downs import KnockDownReply
from ai.motion.recovery.phases import (
    CHANGES,
    PhaseError,
    PhaseReason,
    RecoveryPhase,
    RecoveryRecord,
)
from ai.motion.recovery.rising import (
    LyingPose,
    Root,
    animation_weight,
    lying_pose,
    rebased,
    spine_angle,
    standing_yaw,
)
from ai.peds.ped import Ped
from ai.ports import BodyCheck
from game.ui.overlays import draw_claims
from game.world.world import World
from game.world.world_data import shipped_world_data
from tests.recovery_doubles import HIT, StubbedRecovery
from tests.streets import barrier, ped_named, person, prop, street

PHYSICS, WAITING = RecoveryPhase.PHYSICS, RecoveryPhase.WAITING_FOR_SPACE
BLENDING, COMPLETE, INACTIVE = (
    RecoveryPhase.BLENDING,
    RecoveryPhase.COMPLETE,
    RecoveryPhase.INACTIVE,
)
PLACE = (1000.0, 800.0)


def stubbed(*others: object, **parts: object) -> tuple[StubbedRecovery, Ped]:
    """A ped that stands in the middle of an empty street."""
    peds = (person(10, "courier", *PLACE), *others)
    world = World(street(peds=peds, **parts), strict=True)  # type: ignore[arg-type]
    return StubbedRecovery(world), ped_named(world)


def reasons(stub: StubbedRecovery, ped: Ped) -> list[tuple[str, str, str]]:
    """Every phase change of a ped: from, to, why."""
    return [
        tuple(fact.details[1:4])  # type: ignore[misc]
        for fact in stub.world.facts.of(ped.ped_id)
        if fact.fact == "RECOVERY"
    ]


# -- REC-01, REC-02 --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    list(itertools.product(RecoveryPhase, RecoveryPhase, PhaseReason)),
)
def test_only_the_tables_changes_are_made(
    before: RecoveryPhase, after: RecoveryPhase, reason: PhaseReason
) -> None:
    """REC-01: table test, any other change raises."""
    _, ped = _PED
    record = RecoveryRecord(ped, 1, phase=before)
    if reason in CHANGES.get((before, after), ()):
        assert record.change(after, reason) is before
        assert record.phase is after
    else:
        with pytest.raises(PhaseError):
            record.change(after, reason)
        assert record.phase is before


_PED = stubbed()


def test_a_fall_on_empty_ground_goes_through_the_phases_with_their_reasons() -> None:
    """REC-01, REC-07: every change is traced with a named reason."""
    stub, ped = stubbed()
    stub.fell(ped)
    stub.until(ped, INACTIVE)
    assert reasons(stub, ped) == [
        ("INACTIVE", "PHYSICS", "HIT"),
        ("PHYSICS", "BLENDING", "SETTLED"),
        ("BLENDING", "COMPLETE", "DONE"),
        ("COMPLETE", "INACTIVE", "DONE"),
    ]


def test_the_claim_is_the_sessions() -> None:
    """REC-02, NAV-13: (90, RECOVERY, session); an old session gives nothing back."""
    stub, ped = stubbed()
    first = stub.fell(ped).session
    claims = stub.world.movement.claims
    claim = claims.highest(ped.slot)
    assert claim is not None
    assert (claim.priority, claim.owner_kind, claim.tag) == (90, ClaimOwner.RECOVERY, first)
    stub.until(ped, INACTIVE)
    assert claims.highest(ped.slot) is None
    second = stub.fell(ped).session
    assert second == first + 1
    assert not stub.recovery.hand_back(ped.slot, first)
    claim = claims.highest(ped.slot)
    assert claim is not None
    assert claim.tag == second
    assert SuspendReason.BODY in ped.movement.suspend


# -- RAG-01 ----------------------------------------------------------------------------


def test_two_hits_in_a_step_are_one_of_their_sum() -> None:
    """RAG-01: two impacts of 10000 at 0 and 90 deg: one session, 14142 at 45 deg."""
    stub, ped = stubbed()
    assert stub.knock_downs.request(ped, (10000.0, 0.0)) is KnockDownReply.ACCEPTED
    assert stub.knock_downs.request(ped, (0.0, 10000.0)) is KnockDownReply.ACCEPTED
    stub.step()
    assert len(stub.sim.starts) == 1
    impulse = stub.sim.starts[0].impulse
    assert math.hypot(impulse.x, impulse.y) == pytest.approx(14142.0, abs=0.2)
    assert math.degrees(math.atan2(impulse.y, impulse.x)) == pytest.approx(45.0)
    assert ped.recovery is not None
    assert ped.recovery.hit_count == 1


@pytest.mark.parametrize(
    ("impulse", "up", "reply", "taken"),
    [
        (13499.0, 0.0, KnockDownReply.TOO_WEAK, None),
        (13500.0, 0.0, KnockDownReply.ACCEPTED, (13500.0, 0.0)),
        (100.0, 5999.0, KnockDownReply.TOO_WEAK, None),
        (100.0, 6000.0, KnockDownReply.ACCEPTED, (100.0, 6000.0)),
        (60000.0, 0.0, KnockDownReply.ACCEPTED, (45000.0, 0.0)),
        (20000.0, 40000.0, KnockDownReply.ACCEPTED, (20000.0, 30000.0)),
        (20000.0, -5.0, KnockDownReply.ACCEPTED, (20000.0, 0.0)),
    ],
)
def test_an_impulse_is_limited(
    impulse: float, up: float, reply: KnockDownReply, taken: tuple[float, float] | None
) -> None:
    """RAG-01: 13499 at most stumbles; 60000 acts as 45000; up within 0 to 30000; both logged."""
    stub, ped = stubbed()
    stub.knock_downs.request(ped, (impulse, 0.0), up)
    stub.step()
    outcome = stub.knock_downs.outcome(ped.slot)
    assert outcome is not None
    assert outcome.reply is reply
    if taken is None:
        assert stub.sim.starts == []
        assert ped.recovery is None
    else:
        start = stub.sim.starts[0].impulse
        assert (start.x, start.z) == pytest.approx(taken)
        limited = [f for f in stub.world.facts.of(ped.ped_id) if f.fact == "IMPULSE_LIMITED"]
        assert bool(limited) == ((impulse, up) != taken)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_an_impulse_that_is_no_number_is_refused(bad: float) -> None:
    """RAG-01: non-finite: BAD_IMPULSE."""
    stub, ped = stubbed()
    for impulse, up in (((bad, 0.0), 0.0), ((0.0, bad), 0.0), (HIT, bad)):
        assert stub.knock_downs.request(ped, impulse, up) is KnockDownReply.BAD_IMPULSE
    assert stub.knock_downs.request(ped, HIT, part="tail") is KnockDownReply.BAD_PART
    stub.step()
    assert ped.recovery is None


def test_a_request_after_the_minds_waits_for_the_next_step() -> None:
    """RAG-01: raised in W4 acts in the next step's W2, never in the middle of a motion."""
    stub, ped = stubbed()

    class Late:
        done = False

        def phase_begins(self, number: int, name: str) -> None:
            if number == 11 and not self.done:
                self.done = True
                stub.knock_downs.request(ped, HIT)

    stub.world.phase_listener = Late()
    stub.step()
    assert stub.sim.starts == []
    stub.step()
    assert len(stub.sim.starts) == 1


# -- RAG-02, RAG-03 --------------------------------------------------------------------


def refused(stub: StubbedRecovery, ped: Ped, **options: bool) -> KnockDownReply:
    """The answer, with everything as it was."""
    before = (stub.world.movement.claims.held(ped.slot), ped.position, len(stub.sim.starts))
    reply = stub.knock_downs.request(ped, HIT, **options)
    stub.knock_downs.take_effect()
    after = (stub.world.movement.claims.held(ped.slot), ped.position, len(stub.sim.starts))
    if reply is not KnockDownReply.ACCEPTED:
        assert before == after
        assert not stub.knock_downs.is_pending(ped.slot)
        assert ped.recovery is None
    return reply


def test_every_entry_check_refuses_by_its_name() -> None:
    """RAG-02: one case a refusal, in order; state equal before and after."""
    stub, ped = stubbed()
    stub.step()
    assert stub.knock_downs.request(None, HIT) is KnockDownReply.NO_PED
    row = ped.movement.row
    stub.world.table.profile[row] = -1
    assert refused(stub, ped) is KnockDownReply.NO_MOTION_CONFIG
    stub.world.table.profile[row] = 0
    ped.retired = True
    assert refused(stub, ped) is KnockDownReply.RETIRED
    ped.retired = False
    ped.vehicle_link = ped.ref
    assert refused(stub, ped, force=True) is KnockDownReply.VEHICLE_RELATION
    ped.vehicle_link = None
    ped.tasks_suppressed = True
    assert refused(stub, ped, force=True) is KnockDownReply.SUPPRESSED
    ped.tasks_suppressed = False
    stub.world.coordination.coordinate()
    stub.knock_downs.close()
    assert refused(stub, ped) is KnockDownReply.NO_WORLD


def test_a_suspended_ped_is_taken_by_force_alone() -> None:
    """RAG-02, situation 41: FOREIGN_MAIN, HIGHER_MOVE, NOT_OWNER let `force` through and stay."""
    for reason in (SuspendReason.FOREIGN_MAIN, SuspendReason.NOT_OWNER):
        stub, ped = stubbed()
        stub.world.coordination.set_reason(ped.slot, reason, True)
        stub.world.coordination.coordinate()
        assert refused(stub, ped) is KnockDownReply.SUSPENDED
        assert refused(stub, ped, force=True) is KnockDownReply.ACCEPTED
        stub.world.coordination.coordinate()
        assert ped.movement.suspend == reason | SuspendReason.BODY
        stub.recovery.abort(ped.slot)
        stub.world.coordination.coordinate()
        assert ped.movement.suspend == reason


def test_there_are_no_more_bodies_than_the_limit() -> None:
    """RAG-02: the 25th ped of one step is refused; a body that is down may be hit all the same."""
    peds = [person(100 + n, f"p{n}", 100.0 + 70.0 * (n % 12), 200.0 + 70.0 * (n // 12)) for n in range(26)]  # fmt: skip  # noqa: E501
    stub, _ = stubbed(*peds)
    replies = [stub.knock_downs.request(ped_named(stub.world, f"p{n}"), HIT) for n in range(26)]
    assert replies == [KnockDownReply.ACCEPTED] * 24 + [KnockDownReply.RAGDOLL_LIMIT] * 2
    stub.step(20)
    assert len(stub.sim.bodies) == 24
    assert stub.knock_downs.request(ped_named(stub.world, "p24"), HIT) is (
        KnockDownReply.RAGDOLL_LIMIT
    )
    assert stub.knock_downs.request(ped_named(stub.world, "p3"), HIT) is KnockDownReply.ACCEPTED


@pytest.mark.parametrize(
    "check",
    [
        BodyCheck(in_space=False, is_dynamic=True, mass_kg=12.0),
        BodyCheck(in_space=True, is_dynamic=False, mass_kg=12.0),
        BodyCheck(in_space=True, is_dynamic=True, mass_kg=0.0),
        BodyCheck(in_space=True, is_dynamic=True, mass_kg=math.nan),
        BodyCheck(in_space=True, is_dynamic=True, mass_kg=math.inf),
    ],
)
def test_a_pelvis_that_is_not_simulated_leaves_nothing(check: BodyCheck) -> None:
    """RAG-03, situation 21: claim table and bodies as before, SIM_NOT_STARTED."""
    stub, ped = stubbed()
    stub.sim.ready = check
    before = stub.world.movement.claims.held(ped.slot)
    stub.knock_downs.request(ped, HIT)
    stub.step()
    outcome = stub.knock_downs.outcome(ped.slot)
    assert outcome is not None
    assert outcome.reply is KnockDownReply.SIM_NOT_STARTED
    assert stub.world.movement.claims.held(ped.slot) == before
    assert (stub.sim.bodies, stub.sim.releases, ped.recovery) == ({}, 1, None)
    assert ped.movement.suspend == SuspendReason.NONE


def test_a_space_that_does_not_step_or_gives_no_number_ends_it_in_the_next_step() -> None:
    """RAG-03: the next W1 checks that the space has stepped and that state is finite."""
    for steps, finite in ((False, True), (True, False)):
        stub, ped = stubbed()
        stub.sim.steps_space = steps
        stub.fell(ped)
        stub.body(ped).finite = finite
        stub.step()
        assert reasons(stub, ped)[-1] == ("PHYSICS", "INACTIVE", "SIM_NOT_STARTED")
        assert stub.sim.bodies == {}
        assert stub.world.movement.claims.highest(ped.slot) is None
        assert ped.movement.suspend == SuspendReason.NONE
        assert ped.tasks.tree(0).slots[0] is None
        faults.clear()


def test_a_body_that_is_lost_later_ends_with_one_fault() -> None:
    """RAG-13: REC-22 with one fault, the step goes on; the ped stays at the last anchor."""
    stub, ped = stubbed()
    stub.fell(ped)
    stub.step(10)
    stub.body(ped).finite = False
    before = ped.position
    stub.step(2)
    assert reasons(stub, ped)[-1] == ("PHYSICS", "INACTIVE", "ABORTED")
    assert [fault.kind for fault in faults.all()] == ["non_finite_ragdoll"]
    assert ped.position == before
    faults.clear()


# -- REC-04 to REC-08 ------------------------------------------------------------------


def test_the_ped_follows_its_pelvis() -> None:
    """RAG-11, REC-04: only the recovery writes; z is ground plus height; the path stays put."""
    stub, ped = stubbed()
    stub.fell(ped)
    corner, travelled = ped.movement.corner, ped.movement.travelled
    for number in range(30):
        stub.body(ped).x += 2.0
        stub.body(ped).z = 3.0 if number < 10 else 0.0
        stub.step()
        assert ped.position == (stub.body(ped).x, PLACE[1], stub.body(ped).z)
        assert stub.world.table.writer[ped.slot] == PositionWriter.RECOVERY
    assert (ped.movement.corner, ped.movement.travelled) == (corner, travelled)


def leaves_after(
    stub: StubbedRecovery, ped: Ped, unsettled: range, moving: dict[str, object]
) -> int:
    """Tick at which PHYSICS is left, the body moving so on some ticks, counted from 1."""
    stub.fell(ped)
    still = {"pelvis": (0.0, 0.0), "chest": (0.0, 0.0), "spin": 0.0, "z": 0.0, "vz": 0.0}
    for tick in range(1, 400):
        for name, value in (moving if tick in unsettled else still).items():
            setattr(stub.body(ped), name, value)
        stub.step()
        if ped.recovery is not None and ped.recovery.phase is not PHYSICS:
            return tick
    raise AssertionError("never left")


@pytest.mark.parametrize(
    ("unsettled", "moving", "tick"),
    [
        (range(0), {}, 78),
        (range(70), {"pelvis": (60.0, 0.0)}, 90),
        (range(1, 70), {"pelvis": (35.1, 0.0)}, 90),
        (range(1, 70), {"pelvis": (35.0, 0.0)}, 78),
        (range(1, 70), {"spin": 1.58}, 90),
        (range(1, 70), {"spin": -1.58}, 90),
        (range(1, 70), {"spin": 1.57}, 78),
        (range(1, 70), {"pelvis": (10.0, 0.0), "chest": (60.0, 0.0)}, 78),
        (range(1, 70), {"pelvis": (10.0, 0.0), "chest": (80.0, 0.0)}, 90),
        (range(1, 70), {"vz": 50.0}, 90),
        (range(1, 70), {"z": 5.0}, 90),
        (range(1, 70), {"pelvis": (math.nan, 0.0)}, 90),
        (range(1, 70), {"spin": math.nan}, 90),
    ],
)
def test_a_body_leaves_physics_when_it_has_been_calm(
    unsettled: range, moving: dict[str, object], tick: int
) -> None:
    """REC-06, REC-07: settled from tick 1: 78; from tick 70: 90; what counts as slow."""
    stub, ped = stubbed()
    assert leaves_after(stub, ped, unsettled, moving) == tick


def test_one_fast_tick_restarts_the_count() -> None:
    """REC-07, situation 23: settled from 70, one tick at 35.1 cm/s on 85: leaves at 106."""
    stub, ped = stubbed()
    stub.fell(ped)
    for tick in range(1, 200):
        fast = tick < 70 or tick == 85
        stub.body(ped).pelvis = (35.1, 0.0) if fast else (0.0, 0.0)
        stub.step()
        assert ped.recovery is not None
        if ped.recovery.phase is not PHYSICS:
            assert tick == 106
            return
    raise AssertionError("never left")


def test_without_ground_it_stays_down_for_ever() -> None:
    """REC-05, REC-08: off the walkable ground for 60 s: PHYSICS, stable 0, one STUCK_DOWN."""
    stub, ped = stubbed()
    stub.fell(ped)
    stub.body(ped).x = -100.0
    for _ in range(3600):
        stub.step()
        assert ped.recovery is not None
        assert (ped.recovery.phase, ped.recovery.stable_time) == (PHYSICS, 0.0)
        assert ped.recovery.position is None
    stuck = [f for f in stub.world.facts.of(ped.ped_id) if f.fact == "STUCK_DOWN"]
    assert [fact.step for fact in stuck] == [600]


@pytest.mark.parametrize(("beyond", "supported"), [(20.0, True), (40.0, False)])
def test_the_ground_at_its_edge(beyond: float, supported: bool) -> None:
    """REC-04: 20 cm beyond the edge of the ground it is confirmed by projection, 40 cm not."""
    stub, ped = stubbed()
    edge = 2000.0
    inside = stub.world.surface.project(edge, 800.0, 100.0)
    assert inside is not None
    point = stub.room.support(inside.x + beyond, 800.0, 0.0)
    assert (point is not None) is supported
    assert stub.room.support(*PLACE, 20.0) is not None
    assert stub.room.support(*PLACE, 20.1) is None
    del ped


# -- REC-09 to REC-11 ------------------------------------------------------------------


def beam(number: int, x: float, y: float) -> object:
    """A beam at 60 to 90 cm: the lying body fits under it."""
    one = barrier(number, x, y, 300.0, 100.0, nav_block=False)
    return one.__class__(
        **{name: getattr(one, name) for name in one.__slots__}
        | {"z_low_cm": 60.0, "z_high_cm": 90.0}
    )


def test_it_waits_under_a_beam_however_long_it_has_been_calm() -> None:
    """REC-09, situation 22: time spent calm buys nothing; physics stays live."""
    stub, ped = stubbed(obstacles=(beam(50, *PLACE),))
    stub.fell(ped)
    stub.until(ped, WAITING)
    for _ in range(1200):
        stub.step()
        assert ped.recovery is not None
        assert ped.recovery.phase is WAITING
    assert ped.recovery.stable_time > 20.0
    assert ped.slot in stub.sim.bodies


def test_a_shove_while_it_waits_sends_it_back() -> None:
    """REC-10: UNSETTLED, stable_time 0, age kept; 21 calm ticks before space counts again."""
    stub, ped = stubbed(obstacles=(beam(50, *PLACE),))
    stub.fell(ped)
    stub.until(ped, WAITING)
    assert ped.recovery is not None
    age = ped.recovery.age
    stub.body(ped).pelvis = (100.0, 0.0)
    stub.step()
    assert reasons(stub, ped)[-1] == ("WAITING_FOR_SPACE", "PHYSICS", "UNSETTLED")
    assert ped.recovery.stable_time == 0.0
    assert ped.recovery.age == pytest.approx(age + 1.0 / 60.0)
    stub.body(ped).pelvis = (0.0, 0.0)
    assert stub.until(ped, WAITING) == 21


@pytest.mark.parametrize(("gap", "free"), [(62.9, False), (63.1, True)])
def test_room_beside_a_standing_ped(gap: float, free: bool) -> None:
    """REC-11: 63 cm to the centre of whoever stands."""
    stub, ped = stubbed(person(11, "other", PLACE[0] + 100.0, PLACE[1]))
    x = PLACE[0] + 100.0 - gap
    assert stub.room.is_free(ped.slot, x, PLACE[1], 0.0, {}) is free
    assert stub.room.is_free(ped.slot, x, PLACE[1], 150.0, {})


@pytest.mark.parametrize(("gap", "free"), [(29.9, False), (30.1, True)])
def test_room_beside_a_lying_ped(gap: float, free: bool) -> None:
    """REC-11: 30 cm to the chest or pelvis of whoever lies."""
    stub, ped = stubbed(person(11, "other", PLACE[0] + 200.0, PLACE[1]))
    other = ped_named(stub.world, "other")
    stub.fell(other)
    state = stub.sim.state(other.slot)
    lying = {other.slot: ((state.pose.x, state.pose.y), state.chest)}
    for spot in lying[other.slot]:
        place = (spot[0], spot[1] + gap)
        assert stub.room.is_free(ped.slot, *place, 0.0, lying) is free  # type: ignore[arg-type]


def test_near_a_wall_it_stands_clear_of_it() -> None:
    """REC-11, situation 47: pelvis 16 cm from a wall: stands 30 cm from it, on its own side."""
    stub, ped = stubbed(obstacles=(barrier(50, PLACE[0] + 26.0, PLACE[1], 20.0, 400.0),))
    stub.world.table.x[ped.slot] = PLACE[0] - 20.0
    stub.fell(ped)
    stub.body(ped).x = PLACE[0]
    stub.until(ped, BLENDING)
    assert PLACE[0] + 16.0 - ped.position.x == pytest.approx(30.0, abs=0.6)
    assert ped.position.y == pytest.approx(PLACE[1], abs=0.01)


def test_it_looks_around_for_room_in_bounds_and_never_through_a_wall() -> None:
    """REC-11, REC-24: 15 then 30 cm in eight directions, at most 17 queries a tick."""
    crate = prop(60, "crate", PLACE[0] + 42.0, PLACE[1], 30.0, 40.0)
    stub, ped = stubbed(props=(crate,))
    stub.fell(ped)
    queries = 0
    while ped.recovery is not None and ped.recovery.phase is PHYSICS:
        queries = stub.room.queries
        stub.step()
        assert stub.room.queries - queries <= 17
    assert stub.recovery.phase(ped.slot) is BLENDING
    moved = math.dist(ped.position[:2], PLACE)
    assert moved == pytest.approx(30.0)
    assert ped.position.x < PLACE[0]


# -- REC-12 to REC-16 ------------------------------------------------------------------


def test_the_snapshot_is_the_same_bones_in_another_frame() -> None:
    """REC-12, situation 19: root moved 300 cm and turned 170 deg: bones equal to 0.01 cm."""
    rng = np.random.default_rng(5)
    joints = rng.uniform(-90.0, 90.0, (24, 3))
    old = Root(100.0, 200.0, 4.0, 0.3)
    new = Root(100.0 + 180.0, 200.0 + 240.0, 1.0, 0.3 + math.radians(170.0))

    def world_of(points: object, root: Root) -> object:
        x, y, z = np.asarray(points).T
        cosine, sine = math.cos(root.yaw), math.sin(root.yaw)
        return np.stack(
            (root.x + x * cosine - y * sine, root.y + x * sine + y * cosine, root.z + z), axis=1
        )

    moved = rebased(joints, old, new)
    assert world_of(moved, new) == pytest.approx(world_of(joints, old), abs=0.01)


@pytest.mark.parametrize(
    ("roll_deg", "pose"),
    [
        (0.0, LyingPose.FACE_UP),
        (44.9, LyingPose.FACE_UP),
        (45.1, LyingPose.SIDE_RIGHT),
        (-45.1, LyingPose.SIDE_LEFT),
        (134.9, LyingPose.SIDE_RIGHT),
        (135.1, LyingPose.FACE_DOWN),
        (-135.1, LyingPose.FACE_DOWN),
        (180.0, LyingPose.FACE_DOWN),
    ],
)
def test_the_lying_pose_is_the_rolls(roll_deg: float, pose: LyingPose) -> None:
    """REC-13: four poses; 44.9, 45.1, 134.9, 135.1."""
    assert lying_pose(math.radians(roll_deg)) is pose


def test_who_lies_on_the_back_rises_toward_the_feet() -> None:
    """REC-13: yaw of -u face up, of u otherwise; the head, then the old yaw, stand in."""
    assert abs(standing_yaw(LyingPose.FACE_UP, 0.0)) == pytest.approx(math.pi)
    for pose in (LyingPose.FACE_DOWN, LyingPose.SIDE_LEFT, LyingPose.SIDE_RIGHT):
        assert standing_yaw(pose, 0.5) == 0.5
    assert spine_angle((0, 0), (0, 2), (5, 0), 0.3) == pytest.approx(math.pi / 2.0)
    assert spine_angle((0, 0), (0, 0.9), (5, 0), 0.3) == 0.0
    assert spine_angle((0, 0), (0, 0.9), (0.5, 0), 0.3) == 0.3


@pytest.mark.parametrize(
    ("time_s", "weight"), [(0.0, 0.0), (0.2, 0.15625), (0.4, 0.5), (0.6, 0.84375), (0.8, 1.0)]
)
def test_the_weights_of_the_blend(time_s: float, weight: float) -> None:
    """REC-14: smoothstep over 0.8 s."""
    assert animation_weight(time_s, 0.8) == pytest.approx(weight)
    assert animation_weight(1.5, 0.8) == 1.0


@pytest.mark.parametrize(
    ("roll", "ticks"), [(0.0, 96), (math.pi, 84), (0.5 * math.pi, 90), (-0.5 * math.pi, 90)]
)
def test_a_rise_takes_as_long_as_its_clip(roll: float, ticks: int) -> None:
    """REC-14: face up 1.6 s, face down 1.4, sides 1.5; the shown pose starts where it lay."""
    stub, ped = stubbed()
    stub.fell(ped)
    stub.body(ped).roll = roll
    stub.until(ped, BLENDING)
    assert ped.slot not in stub.sim.bodies
    assert stub.until(ped, COMPLETE) == ticks
    assert not stub.recovery.getup_is_placeholder(ped.slot)


def test_a_profile_without_get_up_clips_rises_into_its_idle() -> None:
    """REC-15: 48 ticks and the label "placeholder get-up"."""
    data = shipped_world_data()
    profiles = tuple(replace(one, getups={}) for one in data.clips.profiles)
    bare = replace(data, clips=replace(data.clips, profiles=profiles))
    world = World(street(peds=(person(10, "courier", *PLACE),)), strict=True, data=bare)
    stub, ped = StubbedRecovery(world), ped_named(world)
    stub.fell(ped)
    stub.until(ped, BLENDING)
    assert stub.recovery.getup_is_placeholder(ped.slot)
    draw = FakeDraw()
    draw_claims(draw, world, (0, 0, 0))  # type: ignore[arg-type]
    assert "blending · placeholder get-up" in draw.words[0]
    assert stub.until(ped, COMPLETE) == 48


class FakeDraw:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def text(self, _place: object, words: str, _colour: object) -> None:
        self.words.append(words)


def test_a_rise_is_held_up_while_somebody_is_in_the_way() -> None:
    """REC-16: a crate for 1 s at 0.3 s: blend_time stays, total time + 60 ticks."""
    stub, ped = stubbed(props=(prop(60, "crate", 300.0, 300.0, 30.0, 40.0),))
    stub.fell(ped)
    stub.until(ped, BLENDING)
    stub.step(18)
    assert ped.recovery is not None
    assert ped.recovery.blend_time == pytest.approx(0.3)
    shown = stub.recovery.shown_joints(ped.slot)
    crate = stub.world.things.by_name("crate60")
    assert crate is not None
    stub.world.things.place(crate.ref, ped.position, 0.0)
    for _ in range(60):
        stub.step()
        assert ped.recovery.blend_time == pytest.approx(0.3)
        assert np.array_equal(stub.recovery.shown_joints(ped.slot), shown)
    stub.world.things.place(crate.ref, ped.position._replace(x=300.0), 0.0)
    assert stub.until(ped, COMPLETE) == 96 - 18
    assert not [f for f in stub.world.facts.of(ped.ped_id) if f.fact == "RECOVERY_FROZEN"]


def test_a_long_freeze_is_told_once() -> None:
    """REC-16: after 5 s RECOVERY_FROZEN."""
    stub, ped = stubbed(props=(prop(60, "crate", 300.0, 300.0, 30.0, 40.0),))
    stub.fell(ped)
    stub.until(ped, BLENDING)
    crate = stub.world.things.by_name("crate60")
    assert crate is not None
    stub.world.things.place(crate.ref, ped.position, 0.0)
    stub.step(700)
    frozen = [f for f in stub.world.facts.of(ped.ped_id) if f.fact == "RECOVERY_FROZEN"]
    assert len(frozen) == 1
    assert stub.recovery.phase(ped.slot) is BLENDING


# -- REC-17 ----------------------------------------------------------------------------


def test_a_hit_in_physics_starts_the_waiting_anew() -> None:
    """REC-17: impulse on the live bodies; age and stable 0; session kept; once per 0.25 s."""
    stub, ped = stubbed()
    record = stub.fell(ped)
    stub.step(30)
    assert stub.knock_downs.request(ped, HIT) is KnockDownReply.ACCEPTED
    assert stub.knock_downs.request(ped, HIT) is KnockDownReply.ACCEPTED
    stub.step()
    assert (len(stub.sim.starts), len(stub.sim.hits)) == (1, 1)
    assert stub.sim.hits[0].x == 30000.0
    assert (record.age, record.stable_time, record.hit_count) == (0.0, 0.0, 2)
    assert record.session == 1
    assert stub.knock_downs.request(ped, HIT) is KnockDownReply.TOO_SOON
    stub.step(14)
    assert stub.knock_downs.request(ped, HIT) is KnockDownReply.TOO_SOON
    stub.step(1)
    assert stub.knock_downs.request(ped, HIT) is KnockDownReply.ACCEPTED


def test_a_hit_while_it_waits_sends_it_back() -> None:
    """REC-17: WAITING_FOR_SPACE: phase PHYSICS."""
    stub, ped = stubbed(obstacles=(beam(50, *PLACE),))
    stub.fell(ped)
    stub.until(ped, WAITING)
    stub.knock_downs.request(ped, HIT)
    stub.step()
    assert reasons(stub, ped)[-1] == ("WAITING_FOR_SPACE", "PHYSICS", "HIT")


@pytest.mark.parametrize("ticks", [0, 6, 30, 60, 90])
def test_a_hit_while_rising_is_a_new_session_without_a_gap(ticks: int) -> None:
    """REC-17, situation 18: claim re-tagged in place, BODY unbroken, bodies rebuilt."""
    stub, ped = stubbed()
    first = stub.fell(ped).session
    stub.until(ped, BLENDING)
    stub.step(ticks)
    generation = ped.movement.generation
    stub.knock_downs.request(ped, (13499.0, 0.0))
    stub.step()
    assert stub.recovery.phase(ped.slot) is BLENDING, "a light touch restarts no fall"
    stub.knock_downs.request(ped, HIT)
    stub.step()
    record = ped.recovery
    assert record is not None
    assert (record.phase, record.session) == (PHYSICS, first + 1)
    assert (record.age, record.blend_time, record.snapshot) == (0.0, 0.0, None)
    claim = stub.world.movement.claims.highest(ped.slot)
    assert claim is not None
    assert claim.tag == first + 1
    assert ped.movement.generation == generation
    assert ped.movement.suspend == SuspendReason.BODY
    pose = stub.sim.starts[-1].pose
    assert pose is not None
    share = (ticks + 2) / 96.0
    assert pose.extent == pytest.approx(1.0 - 0.75 * share * share * (3.0 - 2.0 * share))
    assert (pose.x, pose.y) == pytest.approx(ped.position[:2], abs=15.0)
    stub.until(ped, INACTIVE)
    assert [to for _, to, _ in reasons(stub, ped)].count("COMPLETE") == 1


def test_a_rebuild_that_fails_leaves_it_rising() -> None:
    """REC-17: stay in BLENDING with the old snapshot, SIM_NOT_STARTED."""
    stub, ped = stubbed()
    first = stub.fell(ped).session
    stub.until(ped, BLENDING)
    stub.step(10)
    stub.sim.ready = BodyCheck(in_space=True, is_dynamic=False, mass_kg=12.0)
    stub.knock_downs.request(ped, HIT)
    stub.step()
    record, outcome = ped.recovery, stub.knock_downs.outcome(ped.slot)
    assert record is not None
    assert outcome is not None
    assert (record.phase, record.session, stub.sim.bodies) == (BLENDING, first, {})
    assert record.snapshot is not None
    assert outcome.reply is KnockDownReply.SIM_NOT_STARTED
    stub.until(ped, COMPLETE)


def test_a_hit_in_the_step_of_completion_starts_a_new_fall_before_the_walk() -> None:
    """REC-17, REC-18: BODY is never seen clear in between."""
    stub, ped = stubbed()
    stub.fell(ped)
    stub.until(ped, BLENDING)
    stub.step(95)
    generation = ped.movement.generation
    stub.knock_downs.request(ped, HIT)
    stub.step()
    assert reasons(stub, ped)[-3:] == [
        ("BLENDING", "COMPLETE", "DONE"),
        ("COMPLETE", "INACTIVE", "DONE"),
        ("INACTIVE", "PHYSICS", "HIT"),
    ]
    assert ped.movement.suspend == SuspendReason.BODY
    assert ped.movement.generation == generation


# -- REC-22 ----------------------------------------------------------------------------


@pytest.mark.parametrize("phase", [PHYSICS, WAITING, BLENDING, COMPLETE])
@pytest.mark.parametrize("ending", ["retire", "abort", "close"])
def test_it_ends_by_force_in_every_phase(phase: RecoveryPhase, ending: str) -> None:
    """REC-22, situation 20: bodies, claim, snapshot released once; the order PED_GONE."""
    blocked = (beam(50, *PLACE),) if phase is WAITING else ()
    stub, ped = stubbed(obstacles=blocked)
    stub.fell(ped)
    stub.until(ped, phase)
    record, slot = ped.recovery, ped.slot
    assert record is not None
    if ending == "retire":
        assert stub.world.peds.request_removal(ped.ref)
        stub.step()
        if phase is not COMPLETE:
            assert reasons(stub, ped)[-1][2] == "RETIRED"
    elif ending == "close":
        stub.world.close()
    else:
        place = ped.position
        assert stub.recovery.abort(slot)
        assert not stub.recovery.abort(slot)
        assert ped.position == place
        stub.world.coordination.coordinate()
        assert ped.movement.suspend == SuspendReason.NONE
    assert stub.recovery.record(slot) is None
    assert (stub.sim.bodies, stub.sim.releases, record.snapshot) == ({}, 1, None)
    assert stub.world.movement.claims.held(slot) == ()
