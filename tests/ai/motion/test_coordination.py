"""Coordination: suspension, resume, timed stands, the active record (NAV-14 to NAV-16, NAV-20)."""

from __future__ import annotations

import random

import pytest

from ai.motion.claims import ClaimOwner
from ai.motion.execution import MoveExecution
from ai.motion.movement_table import (
    MovementSlot,
    MoveOwner,
    MoveReason,
    MoveStatus,
    PositionWriter,
    SpeedMode,
    StepOutcome,
    SuspendReason,
)
from ai.ports import Vec3
from tests.ai.motion.movement_doubles import GOAL, OWNER, Street

OUTSIDE = (
    SuspendReason.NOT_OWNER,
    SuspendReason.FOREIGN_MAIN,
    SuspendReason.SUPPRESSED,
    SuspendReason.VEHICLE,
    SuspendReason.BODY,
)


@pytest.fixture
def street() -> Street:
    street = Street()
    street.start_walking()
    return street


def state(street: Street, reason: SuspendReason, on: bool) -> None:
    street.coordination.set_reason(0, reason, on)
    street.coordination.coordinate()


def walked(street: Street, ticks: int = 3) -> float:
    """How far the ped gets when every allowed step takes it 2 cm."""
    start = street.ped.position
    for _ in range(ticks):
        street.tick(StepOutcome.STEPPED, step_cm=2.0)
    return street.ped.position.x - start.x


# -- suspension --------------------------------------------------------------------


@pytest.mark.parametrize("reason", OUTSIDE)
def test_any_bit_suspends(street: Street, reason: SuspendReason) -> None:
    """NAV-14."""
    state(street, reason, True)
    assert street.ped.suspend is reason
    assert walked(street) == 0.0
    state(street, reason, False)
    assert street.ped.suspend is SuspendReason.NONE
    assert walked(street) > 0.0


def test_body_then_foreign_main_raises_the_generation_once(street: Street) -> None:
    """NAV-14, section 12 (16): further bits do not bump it, and the first to go resumes nothing."""
    generation = street.ped.generation
    state(street, SuspendReason.BODY, True)
    state(street, SuspendReason.FOREIGN_MAIN, True)
    assert street.ped.suspend == SuspendReason.BODY | SuspendReason.FOREIGN_MAIN
    assert street.ped.generation == generation + 1
    state(street, SuspendReason.BODY, False)
    assert street.ped.suspend is SuspendReason.FOREIGN_MAIN
    assert street.ped.generation == generation + 1
    assert not street.ped.needs_path
    assert walked(street) == 0.0
    state(street, SuspendReason.FOREIGN_MAIN, False)
    assert street.ped.generation == generation + 2


def test_one_bit_for_another_within_a_step_is_no_resume(street: Street) -> None:
    """NAV-14: some to some: no change between none and some."""
    state(street, SuspendReason.BODY, True)
    generation = street.ped.generation
    street.coordination.set_reason(0, SuspendReason.BODY, False)
    state(street, SuspendReason.SUPPRESSED, True)
    assert street.ped.suspend is SuspendReason.SUPPRESSED
    assert street.ped.generation == generation


def test_the_path_stays_for_display_and_is_not_usable(street: Street) -> None:
    """NAV-14."""
    path = street.ped.path
    state(street, SuspendReason.BODY, True)
    assert street.ped.path == path == (GOAL,)
    assert not street.ped.path_usable


@pytest.mark.parametrize("submitted", [False, True])
def test_a_movement_that_waited_for_a_path_keeps_needing_it(submitted: bool) -> None:
    """NAV-14: needed or pending; the query is cancelled, nothing is submitted while suspended."""
    street = Street()
    street.request()
    if submitted:
        street.tick()
        assert street.ped.path_pending
    state(street, SuspendReason.BODY, True)
    assert street.ped.needs_path
    assert not street.ped.path_pending
    asked = len(street.paths.submitted)
    street.ticks(10)
    assert len(street.paths.submitted) == asked
    assert street.paths.waiting == []


@pytest.mark.parametrize(
    ("reason", "stopped"),
    [
        (SuspendReason.BODY, (True, True, True)),
        (SuspendReason.SUPPRESSED, (True, True, True)),
        (SuspendReason.VEHICLE, (True, True, True)),
        (SuspendReason.NOT_OWNER, (False, True, False)),
        (SuspendReason.FOREIGN_MAIN, (False, True, False)),
    ],
)
def test_task_reasons_stop_the_general_record_alone(
    street: Street, reason: SuspendReason, stopped: tuple[bool, bool, bool]
) -> None:
    """NAV-14, NAV-01: the text means the general record unless it says otherwise."""
    state(street, reason, True)
    records = [street.system.execution(0, record) for record in MovementSlot]
    stated = tuple(reason in record.suspend for record in records)
    assert stated == stopped


def test_only_the_claim_table_can_say_higher_move(street: Street) -> None:
    """NAV-21: HIGHER_MOVE is set by the claim table."""
    with pytest.raises(ValueError, match="take or release a claim"):
        street.coordination.set_reason(0, SuspendReason.HIGHER_MOVE, True)
    with pytest.raises(ValueError, match="take or release a claim"):
        street.coordination.set_reason(0, SuspendReason.BODY | SuspendReason.HIGHER_MOVE, True)
    street.coordination.coordinate()
    assert street.ped.suspend is SuspendReason.NONE


# -- claims ------------------------------------------------------------------------


def test_a_higher_claim_suspends_until_that_claim_is_released(street: Street) -> None:
    """NAV-14, NAV-21: a stumble's claim; an old tag does not lift it."""
    claims = street.system.claims
    claims.take(0, 50, ClaimOwner.ORDER, "source", 1)
    claims.take(0, 80, ClaimOwner.STUMBLE, None, 5)
    street.coordination.coordinate()
    assert street.ped.suspend is SuspendReason.HIGHER_MOVE
    assert walked(street) == 0.0
    claims.release(0, ClaimOwner.STUMBLE, 4)
    street.coordination.coordinate()
    assert street.ped.suspend is SuspendReason.HIGHER_MOVE
    claims.release(0, ClaimOwner.STUMBLE, 5)
    street.coordination.coordinate()
    assert street.ped.suspend is SuspendReason.NONE


def test_the_recoverys_claim_acts_through_body_instead(street: Street) -> None:
    """NAV-14: a higher claim other than recovery."""
    street.system.claims.take(0, 90, ClaimOwner.RECOVERY, "ped", 1)
    street.coordination.coordinate()
    assert street.ped.suspend is SuspendReason.NONE


def test_a_claim_of_equal_priority_does_not_suspend(street: Street) -> None:
    """NAV-13, NAV-14: order and response both use the general record."""
    street.system.claims.take(0, 50, ClaimOwner.ORDER, "source", 1)
    street.system.claims.take(0, 50, ClaimOwner.SAFE_RESPONSE, "fire", 2)
    street.coordination.coordinate()
    assert street.ped.suspend is SuspendReason.NONE


def test_the_record_whose_claim_is_highest_is_run(street: Street) -> None:
    """NAV-01: default, general, event response; general where nobody claims."""

    def active() -> MovementSlot:
        street.coordination.coordinate()
        return MovementSlot(int(street.table.active_record[0]) % 3)

    claims = street.system.claims
    assert active() is MovementSlot.GENERAL
    claims.take(0, 10, ClaimOwner.DEFAULT_MOVEMENT, None, 1)
    assert active() is MovementSlot.DEFAULT
    claims.take(0, 50, ClaimOwner.CONTROL_MOVEMENT, None, 2)
    assert active() is MovementSlot.GENERAL
    claims.take(0, 70, ClaimOwner.EVENT_MOVEMENT, None, 3)
    assert active() is MovementSlot.EVENT_RESPONSE
    assert street.ped.suspend is SuspendReason.HIGHER_MOVE
    assert street.system.execution(0, MovementSlot.EVENT_RESPONSE).suspend is SuspendReason.NONE
    assert street.system.execution(0, MovementSlot.DEFAULT).suspend is SuspendReason.HIGHER_MOVE
    claims.release(0, ClaimOwner.EVENT_MOVEMENT, 3)
    assert active() is MovementSlot.GENERAL


def test_an_event_movement_walks_while_the_order_below_waits() -> None:
    """NAV-01, NAV-14: two records of one ped; afterwards the order's goes on to its own goal."""
    street = Street()
    claims = street.system.claims
    claims.take(0, 50, ClaimOwner.ORDER, "source", 1)
    street.start_walking()
    claims.take(0, 70, ClaimOwner.EVENT_MOVEMENT, None, 9)
    aside = street.system.execution(0, MovementSlot.EVENT_RESPONSE)
    aside.request_goal(Vec3(0.0, 300.0), SpeedMode.WALK, MoveOwner(3, None, 9))
    for _ in range(10):
        street.tick(StepOutcome.STEPPED, step_cm=2.0)
    assert street.ped.position.x == 0.0
    assert street.ped.position.y > 0.0
    claims.release(0, ClaimOwner.EVENT_MOVEMENT, 9)
    street.ticks(3)
    assert street.ped.goal == GOAL
    assert walked(street) > 0.0


# -- resume ------------------------------------------------------------------------


def test_a_displaced_ped_asks_for_the_way_from_where_it_is(street: Street) -> None:
    """NAV-15, REC-19, section 12 (15): 300 cm while down; never the old corner or start."""
    state(street, SuspendReason.BODY, True)
    street.table.begin_step()
    street.table.write_position(0, 0.0, 300.0, 0.0, PositionWriter.RECOVERY)
    state(street, SuspendReason.BODY, False)
    assert street.ped.path == ()
    assert street.ped.corner == 0
    street.hand_off.step()
    assert street.paths.submitted[-1].start == Vec3(0.0, 300.0, 0.0)
    assert street.paths.submitted[-1].goal == GOAL


def test_across_one_fall_the_generation_rises_by_two(street: Street) -> None:
    """REC-19, LVL-03: suspend and resume, whatever hits come in between (REC-17)."""
    generation = street.ped.generation
    claims = street.system.claims
    claims.take(0, 90, ClaimOwner.RECOVERY, "ped", 1)
    state(street, SuspendReason.BODY, True)
    street.ticks(30)
    claims.retag(0, ClaimOwner.RECOVERY, 1, 2)
    street.ticks(30)
    assert not claims.release(0, ClaimOwner.RECOVERY, 1)
    assert claims.release(0, ClaimOwner.RECOVERY, 2)
    state(street, SuspendReason.BODY, False)
    street.ticks(5)
    assert street.ped.generation == generation + 2
    assert walked(street) > 0.0


def test_a_redirect_while_down_counts_one_more(street: Street) -> None:
    """ORD-12, REC-21: generation + 3; the query is sent after the recovery."""
    generation = street.ped.generation
    state(street, SuspendReason.BODY, True)
    asked = len(street.paths.submitted)
    street.request(Vec3(0.0, 900.0))
    street.ticks(10)
    assert len(street.paths.submitted) == asked
    assert SuspendReason.BODY in street.ped.suspend
    state(street, SuspendReason.BODY, False)
    street.ticks(3)
    assert street.ped.generation == generation + 3
    assert street.ped.path == (Vec3(0.0, 900.0),)


@pytest.mark.parametrize("end", ["cancel", "fail", "arrive", "never asked"])
def test_a_resume_never_revives_an_ended_movement(end: str) -> None:
    """NAV-02, NAV-15, REC-20, section 12 (14): CANCELLED, ARRIVED, FAILED, IDLE stay."""
    street = Street()
    if end != "never asked":
        street.start_walking()
    if end == "fail":
        street.ped.fail(MoveReason.BLOCKED)
    elif end == "arrive":
        street.system.arrive(street.ped.row)
    status = street.ped.status
    state(street, SuspendReason.BODY, True)
    if end == "cancel":
        street.ped.cancel()
        status = MoveStatus.CANCELLED
    generation = street.ped.generation
    asked = len(street.paths.submitted)
    state(street, SuspendReason.BODY, False)
    assert walked(street, 120) == 0.0
    assert street.ped.status is status
    assert street.ped.generation == generation
    assert len(street.paths.submitted) == asked


def test_a_hold_outlasts_a_fall_and_the_path_is_fetched_all_the_same(street: Street) -> None:
    """NAV-15, REC-18, REC-21, section 12 (1): BODY's end releases no hold; Continue does."""
    street.ped.hold()
    state(street, SuspendReason.BODY, True)
    street.ped.release_hold()
    assert street.ped.suspend is SuspendReason.BODY
    street.ped.hold()
    state(street, SuspendReason.BODY, False)
    street.ticks(3)
    assert street.ped.command_hold
    assert street.ped.path_usable
    assert walked(street) == 0.0
    street.ped.release_hold()
    assert walked(street) > 0.0


def test_retries_are_not_forgotten_by_a_resume(street: Street) -> None:
    """NAV-15."""
    street.table.retry_count[street.ped.row] = 2
    state(street, SuspendReason.BODY, True)
    state(street, SuspendReason.BODY, False)
    assert street.ped.retry_count == 2


def test_nothing_is_replanned_for_a_ped_without_a_change(street: Street) -> None:
    """NAV-11: W3 and W6 of steps in which nothing happens change nothing."""
    generation = street.ped.generation
    for _ in range(120):
        street.tick(StepOutcome.STEPPED, step_cm=2.0)
    assert street.ped.generation == generation
    assert len(street.paths.submitted) == 1


def test_peds_are_handled_in_ascending_ped_id() -> None:
    """NAV-12: whatever slots they sit in."""
    peds = Street(3)
    for slot, ped_id in enumerate((30, 10, 20)):
        peds.system.retire(slot)
        peds.system.spawn(slot, ped_id, Vec3(0.0, 0.0), 0.0, 0)
        peds.request(ped=peds.general(slot))
    peds.tick()
    assert [request.row // 3 for request in peds.paths.submitted] == [1, 2, 0]
    for slot in range(3):
        peds.coordination.set_reason(slot, SuspendReason.BODY, True)
    peds.coordination.coordinate()
    assert peds.paths.cancelled == [1, 2, 3]


def test_the_batch_of_bits_equals_the_plain_rules() -> None:
    """NAV-12, NAV-14: 200 peds with seeded reasons and claims, record by record."""
    street = Street(200)
    rng = random.Random(14)
    expected = []
    for slot in range(200):
        stated = [reason for reason in OUTSIDE if rng.random() < 0.3]
        for reason in stated:
            street.coordination.set_reason(slot, reason, True)
        kinds = rng.sample(list(ClaimOwner), rng.randrange(4))
        priorities = {ClaimOwner.RECOVERY: 90, ClaimOwner.STUMBLE: 80}
        taken = [(priorities.get(kind, rng.choice([10, 50, 70])), kind) for kind in kinds]
        for priority, kind in taken:
            street.system.claims.take(slot, priority, kind, None, 1)
        ordinary = [priority for priority, kind in taken if kind is not ClaimOwner.RECOVERY]
        for record, own in zip(MovementSlot, (70, 50, 10), strict=True):
            bits = SuspendReason.NONE
            for reason in stated:
                of_tasks = reason in (SuspendReason.NOT_OWNER, SuspendReason.FOREIGN_MAIN)
                if record is MovementSlot.GENERAL or not of_tasks:
                    bits |= reason
            if max(ordinary, default=0) > own:
                bits |= SuspendReason.HIGHER_MOVE
            expected.append(bits)
    street.coordination.coordinate()
    assert street.table.suspend.tolist() == expected


def test_every_single_change_of_a_reason_or_claim_is_taken_notice_of() -> None:
    """NAV-14: one change a run, also after runs without any."""
    street = Street(3)
    general = [int(MovementSlot.GENERAL) + 3 * slot for slot in range(3)]

    def bits() -> list[int]:
        for _ in range(2):
            street.coordination.coordinate()
        return street.table.suspend[general].tolist()

    assert bits() == [0, 0, 0]
    street.coordination.set_reason(1, SuspendReason.BODY, True)
    assert bits() == [0, SuspendReason.BODY, 0]
    street.system.claims.take(2, 70, ClaimOwner.EVENT_MOVEMENT, None, 5)
    assert bits() == [0, SuspendReason.BODY, SuspendReason.HIGHER_MOVE]
    assert street.table.active_record.tolist() == [1, 4, 6]
    street.coordination.set_reason(1, SuspendReason.BODY, False)
    assert bits() == [0, 0, SuspendReason.HIGHER_MOVE]
    street.system.claims.release(2, ClaimOwner.EVENT_MOVEMENT, 5)
    assert bits() == [0, 0, 0]
    assert street.table.active_record.tolist() == [1, 4, 7]


def test_who_takes_over_a_slot_has_none_of_the_reasons_and_claims_of_who_left() -> None:
    """NAV-13, NAV-14, F25: and the ped's own reasons stop it."""
    street = Street(1)
    street.coordination.set_reason(0, SuspendReason.BODY, True)
    street.system.claims.take(0, 70, ClaimOwner.EVENT_MOVEMENT, None, 5)
    street.coordination.coordinate()
    street.system.retire(0)
    street.system.spawn(0, 9, Vec3(0.0, 0.0), 0.0, 0)
    street.coordination.coordinate()
    assert street.table.suspend.tolist() == [0, 0, 0]
    assert street.table.active_record.tolist() == [1]
    street.coordination.set_reason(0, SuspendReason.BODY, True)
    street.coordination.coordinate()
    assert street.table.suspend.tolist() == [SuspendReason.BODY] * 3


# -- timed stands ------------------------------------------------------------------


def test_a_stand_of_2_s_lasts_120_steps(street: Street) -> None:
    """NAV-20: an absolute deadline, at least 2.0 s."""
    street.ped.stand(2.0)
    assert walked(street, 120) == 0.0
    assert street.ped.stand_until is not None
    assert walked(street, 1) > 0.0
    assert street.ped.stand_until is None


def test_stand_and_hold_are_two_waits(street: Street) -> None:
    """NAV-20, section 12 (2): at 2 s the stand is cleared, the ped still; continue: moves."""
    street.ped.stand(2.0)
    street.ped.hold()
    assert walked(street, 130) == 0.0
    assert street.ped.stand_until is None
    assert street.ped.command_hold
    street.ped.release_hold()
    assert walked(street) > 0.0


def test_a_continue_does_not_end_a_stand(street: Street) -> None:
    """NAV-21: cleared by its own deadline or a new goal only."""
    street.ped.hold()
    street.ped.stand(2.0)
    street.ped.release_hold()
    assert walked(street, 119) == 0.0
    street.request(GOAL)
    assert street.ped.stand_until is None


def test_a_stand_runs_on_while_the_ped_is_down(street: Street) -> None:
    """NAV-20, REC-21, LVL-30: expired while down: walks."""
    street.ped.stand(1.0)
    state(street, SuspendReason.BODY, True)
    street.ticks(90)
    assert street.ped.stand_until is None
    assert street.ped.suspend is SuspendReason.BODY
    state(street, SuspendReason.BODY, False)
    street.ticks(3)
    assert walked(street) > 0.0


def test_expiry_leaves_a_cancelled_movement_cancelled(street: Street) -> None:
    """NAV-02, NAV-20, section 12 (2)."""
    street.ped.stand(0.5)
    street.ped.cancel()
    assert street.ped.stand_until is not None
    generation = street.ped.generation
    assert walked(street, 60) == 0.0
    assert street.ped.stand_until is None
    assert street.ped.status is MoveStatus.CANCELLED
    assert street.ped.generation == generation


# -- owners ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "other",
    [
        MoveOwner(OWNER.task_type + 1, OWNER.source, OWNER.tag),
        MoveOwner(OWNER.task_type, "somebody else", OWNER.tag),
        MoveOwner(OWNER.task_type, OWNER.source, OWNER.tag + 1),
    ],
)
def test_a_movement_is_served_by_full_identity_alone(street: Street, other: MoveOwner) -> None:
    """NAV-16: same task type with another session is somebody else."""
    assert street.ped.serves(MoveOwner(OWNER.task_type, OWNER.source, OWNER.tag))
    assert not street.ped.serves(other)


def test_who_never_asked_is_served_by_nobody() -> None:
    """NAV-01: the owner comes with the first request."""
    ped: MoveExecution = Street().ped
    assert ped.owner is None
    assert not ped.serves(OWNER)
