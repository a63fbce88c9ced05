"""The movement record as tasks and orders see it (NAV-01 to NAV-03, NAV-20, ORD-19, LOC-18)."""

from __future__ import annotations

import math

import pytest

from ai.motion.claims import ClaimOwner
from ai.motion.clip_state import ClipState, write_clip_state
from ai.motion.execution import MoveExecution, ReplanKind, RequestReply, StandReply
from ai.motion.movement_table import (
    ClipPhase,
    MovementSlot,
    MovementTable,
    MoveOwner,
    MoveReason,
    MoveStatus,
    SpeedMode,
    StepOutcome,
    SuspendReason,
)
from ai.ports import PathFailure, Vec3
from tests.ai.motion.movement_doubles import CLIPS, GOAL, OWNER, Street

OTHER = MoveOwner(task_type=9, source="fire", tag=4)
FIELDS = [
    "position",
    "yaw",
    "goal",
    "generation",
    "needs_path",
    "path_pending",
    "path",
    "path_usable",
    "corner",
    "status",
    "reason",
    "speed_mode",
    "desired_speed",
    "measured_speed",
    "travelled",
    "steer_suggestion",
    "reeval_steer",
    "command_hold",
    "stand_until",
    "suspend",
    "blocked_time",
    "no_progress_time",
    "best_corner_dist",
    "retry_count",
    "replans_total",
    "stale_replies",
    "turn_time",
    "clip",
    "owner",
    "claim",
]


@pytest.fixture
def street() -> Street:
    street = Street()
    street.start_walking()
    return street


def snapshot(ped: MoveExecution) -> list[object]:
    return [getattr(ped, name) for name in FIELDS]


# -- fields ------------------------------------------------------------------------


@pytest.mark.parametrize("of", [MoveExecution, MovementTable])
def test_there_is_no_paused_flag(of: type, street: Street) -> None:
    """NAV-01: the class has no attribute matching ``paus``."""
    names = set(dir(of)) | set(vars(street.table))
    assert not [name for name in names if "paus" in name.lower()]


def test_every_field_of_the_record_can_be_read(street: Street) -> None:
    """NAV-01: the list of fields."""
    assert len(snapshot(street.ped)) == len(FIELDS)


@pytest.mark.parametrize("change", ["hold", "stand", "suspend", "status"])
def test_the_four_stops_leave_each_other_alone(street: Street, change: str) -> None:
    """NAV-01: setting any one of the four leaves the other three."""
    ped = street.ped

    def four() -> dict[str, object]:
        return {
            "hold": ped.command_hold,
            "stand": ped.stand_until,
            "suspend": ped.suspend,
            "status": ped.status,
        }

    before = four()
    if change == "hold":
        ped.hold()
    elif change == "stand":
        ped.stand(5.0)
    elif change == "suspend":
        street.coordination.set_reason(0, SuspendReason.SUPPRESSED, True)
        street.coordination.coordinate()
    else:
        ped.cancel()
    after = four()
    assert [name for name in before if before[name] != after[name]] == [change]


def test_position_and_yaw_mirror_the_ped(street: Street) -> None:
    """NAV-01: they stand once, for all records of the ped."""
    street.table.x[0] = 12.0
    street.table.yaw[0] = 0.5
    for record in MovementSlot:
        face = street.system.execution(0, record)
        assert face.record is record
        assert face.position == Vec3(12.0, 0.0, 0.0)
        assert face.yaw == 0.5


def test_the_claim_is_the_records_own(street: Street) -> None:
    """NAV-01, NAV-13."""
    assert street.ped.claim is None
    claim = street.system.claims.take(0, 50, ClaimOwner.ORDER, "source", 1)
    street.system.claims.take(0, 70, ClaimOwner.EVENT_MOVEMENT, None, 1)
    assert street.ped.claim is claim


def test_a_record_outlives_what_is_done_to_it(street: Street) -> None:
    """NAV-01, LVL-29: the same object for the ped's whole life."""
    street.ped.cancel()
    street.request()
    assert street.system.execution(0, MovementSlot.GENERAL) is street.ped
    assert street.general(0) is street.ped


# -- request -----------------------------------------------------------------------


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1.0000001e6, -1.1e6])
@pytest.mark.parametrize("component", [0, 1, 2])
def test_a_bad_goal_changes_nothing_and_the_old_walk_goes_on(
    street: Street, bad: float, component: int
) -> None:
    """NAV-03: NaN, infinity, or |component| > 1e6 cm."""
    goal = [0.0, 0.0, 0.0]
    goal[component] = bad
    before = snapshot(street.ped)
    reply = street.ped.request_goal(Vec3(*goal), SpeedMode.WALK, OTHER)
    assert reply is RequestReply.BAD_GOAL
    assert snapshot(street.ped) == before
    street.tick(StepOutcome.STEPPED, step_cm=2.0)
    assert street.ped.travelled == 2.0


def test_a_goal_of_exactly_the_limit_is_taken(street: Street) -> None:
    """NAV-03."""
    reply = street.ped.request_goal(Vec3(1e6, -1e6, 0.0), SpeedMode.WALK, OTHER)
    assert reply is RequestReply.ACCEPTED


@pytest.mark.parametrize("end", ["cancel", "fail", "arrive"])
def test_a_request_leaves_a_terminal_status_at_once(street: Street, end: str) -> None:
    """NAV-02."""
    if end == "cancel":
        street.ped.cancel()
    elif end == "fail":
        street.ped.fail(MoveReason.BLOCKED)
    else:
        street.system.arrive(street.ped.row)
    assert not street.ped.live
    street.request()
    assert street.ped.status is MoveStatus.WAITING_PATH
    assert street.ped.reason is MoveReason.NONE


@pytest.mark.parametrize("end", ["cancel", "fail", "arrive"])
def test_nothing_but_a_request_leaves_a_terminal_status(street: Street, end: str) -> None:
    """NAV-02: path replies, releases, resume and stand expiry over 120 ticks."""
    ped = street.ped
    ped.hold()
    ped.stand(1.0)
    if end == "cancel":
        ped.cancel()
    elif end == "fail":
        ped.fail(MoveReason.BLOCKED)
    else:
        street.system.arrive(ped.row)
    status, reason, generation = ped.status, ped.reason, ped.generation
    for tick in range(120):
        if tick == 20:
            ped.release_hold()
        street.coordination.set_reason(0, SuspendReason.BODY, 40 <= tick < 60)
        street.coordination.set_reason(0, SuspendReason.FOREIGN_MAIN, 50 <= tick < 70)
        street.tick(StepOutcome.STEPPED, step_cm=2.0)
        ped.replan(ReplanKind.RETRY)
        ped.fail(MoveReason.NO_PROGRESS)
        street.system.arrive(ped.row)
    assert (ped.status, ped.reason) == (status, reason)
    assert ped.generation == generation + 1
    assert ped.travelled == 0.0
    assert not ped.needs_path


def test_a_second_request_of_a_pending_one_cancels_the_first() -> None:
    """NAV-03 (2), NAV-04: one handle at a time."""
    street = Street()
    street.request()
    street.tick()
    street.request()
    street.tick()
    assert street.paths.cancelled == [1]
    assert [request.handle for request in street.paths.waiting] == [2]


# -- ends --------------------------------------------------------------------------


def test_arrival_and_failure_are_noted_once(street: Street) -> None:
    """NAV-23, ORD-17: ARRIVED is a fact of its own."""
    assert street.system.arrive(street.ped.row)
    assert not street.system.arrive(street.ped.row)
    street.start_walking()
    assert street.ped.fail(MoveReason.NO_PROGRESS)
    assert not street.ped.fail(MoveReason.BLOCKED)
    assert street.facts.notes == [(1, "ARRIVED", 1), (1, "FAILED", "NO_PROGRESS", 2)]


def test_a_movement_that_still_waits_for_a_path_cannot_arrive() -> None:
    """NAV-02: ARRIVED comes out of WALKING alone."""
    street = Street()
    street.request()
    assert not street.system.arrive(street.ped.row)
    assert street.ped.status is MoveStatus.WAITING_PATH


def test_a_second_cancel_changes_nothing(street: Street) -> None:
    """ORD-13: double cancel."""
    assert street.ped.cancel()
    before = snapshot(street.ped)
    assert not street.ped.cancel()
    assert snapshot(street.ped) == before


def test_a_movement_that_never_was_cannot_be_cancelled() -> None:
    """ORD-13, NAV-02: IDLE stays IDLE."""
    ped = Street().ped
    assert not ped.cancel()
    assert ped.status is MoveStatus.IDLE


def test_a_failed_movement_can_be_cancelled(street: Street) -> None:
    """ORD-13: cancel out of AWAITING_DECISION."""
    street.ped.fail(MoveReason.BLOCKED)
    assert street.ped.cancel()
    assert street.ped.status is MoveStatus.CANCELLED
    assert street.ped.reason is MoveReason.NONE


def test_the_goal_survives_the_cancelling_of_its_query() -> None:
    """ORD-01: dropping a query leaves the goal and the intent."""
    street = Street()
    street.request()
    street.tick()
    assert street.system.desk.cancel(street.ped.row)
    assert street.ped.goal == GOAL
    assert street.ped.live


# -- a failure taken up again ------------------------------------------------------


def test_an_old_failure_is_shown_again_without_a_query(street: Street) -> None:
    """ORD-19: goal, FAILED, reason kept; generation and facts untouched; nothing asked."""
    street.request(Vec3(50.0, 0.0))
    street.tick()
    ped = street.ped
    generation, asked = ped.generation, len(street.paths.submitted)
    street.table.retry_count[ped.row] = 2
    assert ped.adopt_failed(GOAL, MoveReason.BLOCKED, OTHER)
    assert (ped.status, ped.reason, ped.goal) == (MoveStatus.FAILED, MoveReason.BLOCKED, GOAL)
    assert ped.serves(OTHER)
    assert (ped.path, ped.needs_path, ped.path_pending) == ((), False, False)
    assert ped.generation == generation
    for _ in range(60):
        street.tick(StepOutcome.STEPPED, step_cm=2.0)
    assert ped.status is MoveStatus.FAILED
    assert len(street.paths.submitted) == asked
    assert street.facts.notes == []


# -- timed stand -------------------------------------------------------------------


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf, 600.1])
def test_a_bad_duration_sets_nothing(street: Street, bad: float) -> None:
    """NAV-20: zero, negative, non-finite or over 600."""
    before = snapshot(street.ped)
    assert street.ped.stand(bad) is StandReply.BAD_DURATION
    assert snapshot(street.ped) == before


def test_the_longest_stand_is_taken(street: Street) -> None:
    """NAV-20: 0 < seconds <= 600."""
    assert street.ped.stand(600.0) is StandReply.ACCEPTED


# -- a ped that is gone --------------------------------------------------------------


def test_a_face_of_a_gone_ped_touches_nobody(street: Street) -> None:
    """NAV-03: ped live, or refused; the slot's next ped is not meant."""
    old = street.ped
    street.system.retire(0)
    assert not old.alive
    assert old.request_goal(GOAL, SpeedMode.WALK, OWNER) is RequestReply.DEAD
    new = street.system.spawn(0, 77, Vec3(5.0, 5.0), 0.0, 0)
    street.request(ped=new)
    before = snapshot(new)
    assert new.alive
    assert old.request_goal(GOAL, SpeedMode.WALK, OTHER) is RequestReply.DEAD
    assert old.stand(1.0) is StandReply.DEAD
    assert not old.hold()
    assert not old.release_hold()
    assert not old.cancel()
    assert not old.fail(MoveReason.BLOCKED)
    assert not old.replan(ReplanKind.RETRY)
    assert not old.adopt_failed(GOAL, MoveReason.BLOCKED, OTHER)
    assert not old.wish(1.0)
    old.drop_wish()
    old.set_profile(1)
    old.desired_speed = 999.0
    assert snapshot(new) == before
    assert new.desired_speed != 999.0


def test_a_retired_ped_leaves_no_query_claim_or_bit() -> None:
    """ORD-18: queries and claims released, nothing submitted for it any more."""
    street = Street(2)
    for slot in range(2):
        street.request(ped=street.general(slot))
    street.system.claims.take(0, 90, ClaimOwner.RECOVERY, "ped", 1)
    street.tick()
    street.coordination.set_reason(0, SuspendReason.BODY, True)
    street.coordination.coordinate()
    street.system.retire(0)
    assert street.system.claims.held(0) == ()
    assert not street.table.suspend[:3].any()
    street.ticks(5)
    assert [request.row for request in street.paths.waiting] == [street.general(1).row]
    assert not street.table.needs_path[:3].any()
    new = street.system.spawn(0, 77, Vec3(5.0, 5.0), 0.0, 0)
    street.coordination.coordinate()
    assert new.suspend is SuspendReason.NONE
    assert new.status is MoveStatus.IDLE


def test_a_slot_is_given_out_once(street: Street) -> None:
    """NAV-01: one set of records per ped."""
    with pytest.raises(ValueError, match="slot 0 belongs to ped#1; retire it first"):
        street.system.spawn(0, 77, Vec3(0.0, 0.0), 0.0, 0)
    with pytest.raises(ValueError, match="slot 1 has no ped"):
        Street(spare_slots=1).system.execution(1, MovementSlot.GENERAL)


# -- steering wish -----------------------------------------------------------------


def test_a_wish_takes_the_place_of_a_goal(street: Street) -> None:
    """LOC-18: heading instead of goal and path; nobody's purpose is served."""
    assert street.ped.wish(0.5, slides=True, turn_time_limit_s=0.15)
    table, row = street.table, street.ped.row
    assert street.ped.status is MoveStatus.CANCELLED
    assert street.ped.path == ()
    assert street.ped.owner is None
    assert bool(table.wish_active[row])
    assert bool(table.slides[row])
    assert float(table.wish_heading[row]) == 0.5
    assert float(table.turn_time_limit[row]) == 0.15
    generation = street.ped.generation
    street.ped.wish(0.6, slides=True, turn_time_limit_s=0.15)
    assert float(table.wish_heading[row]) == 0.6
    assert street.ped.generation == generation


def test_a_dropped_wish_leaves_nothing_of_it(street: Street) -> None:
    """LOC-18."""
    street.ped.wish(0.5, slides=True, turn_time_limit_s=0.15)
    street.ped.drop_wish()
    table, row = street.table, street.ped.row
    assert not table.wish_active[row]
    assert not table.slides[row]
    assert math.isinf(float(table.turn_time_limit[row]))


def test_a_goal_takes_the_place_of_a_wish(street: Street) -> None:
    """LOC-18, NAV-03."""
    street.ped.wish(0.5, slides=True)
    street.request()
    assert not street.table.wish_active[street.ped.row]
    assert street.ped.status is MoveStatus.WAITING_PATH


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_wish_without_a_heading_is_refused(street: Street, bad: float) -> None:
    """LOC-18."""
    before = snapshot(street.ped)
    assert not street.ped.wish(bad)
    assert snapshot(street.ped) == before


# -- clip profile ------------------------------------------------------------------


def test_a_profile_is_the_peds_own() -> None:
    """LOC-13, section 12 (40): one flees, the other's clip state and speed are unchanged."""
    street = Street(2)
    walk = CLIPS.index("walk")
    for slot in range(2):
        street.general(slot).set_profile(walk)
        street.general(slot).desired_speed = 130.0
    other = snapshot(street.general(1))
    street.ped.set_profile(CLIPS.index("run"))
    street.ped.desired_speed = 330.0
    assert street.ped.clip.profile == CLIPS.index("run")
    assert snapshot(street.general(1)) == other


def test_legs_go_on_at_the_same_place_of_the_other_loop(street: Street) -> None:
    """LOC-13, CLIP-06: half of the 1.10 s walk loop is half of the 0.66 s run loop."""
    row = street.ped.row
    walk, run = CLIPS.index("walk"), CLIPS.index("run")
    write_clip_state(
        street.table, row, ClipState(walk, ClipPhase.LOOP, cycle_time=0.55, clip_seq=3)
    )
    street.ped.set_profile(run)
    clip = street.ped.clip
    assert (clip.profile, clip.phase, clip.clip_seq) == (run, ClipPhase.LOOP, 3)
    assert clip.cycle_time == pytest.approx(0.33)


def test_a_travelling_stop_keeps_its_profile(street: Street) -> None:
    """LOC-10: scale and distance are fixed for the stop."""
    row = street.ped.row
    stop = ClipState(CLIPS.index("run"), ClipPhase.STOP, 0.2, clip_seq=3, stop_scale=0.9)
    write_clip_state(street.table, row, stop)
    street.ped.set_profile(CLIPS.index("walk"))
    assert street.ped.clip == stop


def test_the_state_of_a_failed_query_is_read_from_the_record(street: Street) -> None:
    """ORD-26: arrival and failure are read from the record."""
    street.paths.straight = False
    street.request(Vec3(1.0, 2.0))
    street.tick()
    street.paths.answer(street.paths.waiting[0], failure=PathFailure.NO_PATH)
    street.tick()
    assert (street.ped.status, street.ped.reason) == (MoveStatus.FAILED, MoveReason.NO_PATH)
