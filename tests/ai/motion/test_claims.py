"""The claim table (NAV-13) and the guard on the position."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.motion.claims import ClaimOwner, ClaimTable, MoveClaim
from ai.motion.movement_table import MovementSlot, MovementTable, PositionWriter, WriterConflict
from ai.navigation.navigation_tuning import ClaimTuning
from ai.ports import Vec3

TUNING = ClaimTuning(default=10, general=50, event=70, stumble=80, recovery=90, max=4)


@pytest.fixture
def claims() -> ClaimTable:
    return ClaimTable(2, TUNING)


def test_the_highest_priority_is_the_writer(claims: ClaimTable) -> None:
    """NAV-13: larger wins, whatever the order of taking."""
    claims.take(0, 50, ClaimOwner.ORDER, "source", 1)
    claims.take(0, 90, ClaimOwner.RECOVERY, "ped", 7)
    claims.take(0, 80, ClaimOwner.STUMBLE, None, 3)
    highest = claims.highest(0)
    assert highest == MoveClaim(90, ClaimOwner.RECOVERY, "ped", 7)
    assert claims.highest(1) is None


def test_of_equal_priorities_the_earlier_claim_keeps(claims: ClaimTable) -> None:
    """NAV-13."""
    first = claims.take(0, 50, ClaimOwner.ORDER, "order", 1)
    claims.take(0, 50, ClaimOwner.SAFE_RESPONSE, "fire", 2)
    assert claims.highest(0) is first
    claims.release(0, ClaimOwner.ORDER, 1)
    highest = claims.highest(0)
    assert highest is not None
    assert highest.owner_kind is ClaimOwner.SAFE_RESPONSE


def test_priorities_of_the_records_come_from_the_tuning(claims: ClaimTable) -> None:
    """NAV-13: default 10, general 50, event response 70."""
    assert claims.record_priority(MovementSlot.DEFAULT) == 10
    assert claims.record_priority(MovementSlot.GENERAL) == 50
    assert claims.record_priority(MovementSlot.EVENT_RESPONSE) == 70


def test_a_fifth_claim_of_a_ped_is_refused(claims: ClaimTable) -> None:
    """NAV-13: at most 4 claims per ped."""
    for tag in range(1, 5):
        assert claims.take(0, 50, ClaimOwner.CONTROL_MOVEMENT, None, tag) is not None
    held = claims.held(0)
    assert claims.take(0, 50, ClaimOwner.CONTROL_MOVEMENT, None, 5) is None
    assert claims.held(0) == held
    assert claims.take(1, 50, ClaimOwner.CONTROL_MOVEMENT, None, 5) is not None


@pytest.mark.parametrize("priority", [90, 91, 1000, 0, -1])
def test_an_ordinary_claim_of_90_or_more_or_below_1_is_refused(
    claims: ClaimTable, priority: int
) -> None:
    """NAV-13: 90 is above every ordinary movement."""
    assert claims.take(0, priority, ClaimOwner.ORDER, "source", 1) is None
    assert claims.held(0) == ()


@pytest.mark.parametrize("priority", [50, 89, 91])
def test_a_recovery_claim_has_exactly_its_priority(claims: ClaimTable, priority: int) -> None:
    """NAV-13: recovery 90 (fixed)."""
    assert claims.take(0, priority, ClaimOwner.RECOVERY, "ped", 1) is None


def test_the_same_owner_and_tag_take_only_one_claim(claims: ClaimTable) -> None:
    """NAV-13: two of them could not be told apart at the release."""
    assert claims.take(0, 50, ClaimOwner.ORDER, "source", 1) is not None
    assert claims.take(0, 50, ClaimOwner.ORDER, "other", 1) is None
    assert len(claims.held(0)) == 1


@pytest.mark.parametrize(
    ("slot", "owner_kind", "tag"),
    [
        (1, ClaimOwner.RECOVERY, 7),
        (0, ClaimOwner.ORDER, 7),
        (0, ClaimOwner.RECOVERY, 6),
    ],
)
def test_a_release_needs_ped_owner_kind_and_tag(
    claims: ClaimTable, slot: int, owner_kind: ClaimOwner, tag: int
) -> None:
    """NAV-13: otherwise it returns False and changes nothing."""
    claims.take(0, 90, ClaimOwner.RECOVERY, "ped", 7)
    held = claims.held(0)
    assert not claims.release(slot, owner_kind, tag)
    assert claims.held(0) == held


def test_an_old_recovery_session_leaves_the_new_claim(claims: ClaimTable) -> None:
    """NAV-13, REC-02, section 12 (10): released twice, or by an old session."""
    claims.take(0, 90, ClaimOwner.RECOVERY, "ped", 1)
    assert claims.release(0, ClaimOwner.RECOVERY, 1)
    assert not claims.release(0, ClaimOwner.RECOVERY, 1)
    new = claims.take(0, 90, ClaimOwner.RECOVERY, "ped", 2)
    assert not claims.release(0, ClaimOwner.RECOVERY, 1)
    assert claims.highest(0) is new


def test_a_hit_while_rising_retags_the_claim_in_place(claims: ClaimTable) -> None:
    """REC-17, section 12 (18): never absent, and the old session no longer releases it."""
    claims.take(0, 90, ClaimOwner.RECOVERY, "ped", 1)
    claims.take(0, 50, ClaimOwner.ORDER, "source", 4)
    assert claims.retag(0, ClaimOwner.RECOVERY, 1, 2)
    assert claims.held(0)[0] == MoveClaim(90, ClaimOwner.RECOVERY, "ped", 2)
    assert int(claims.highest_priority[0]) == 90
    assert not claims.release(0, ClaimOwner.RECOVERY, 1)
    assert claims.release(0, ClaimOwner.RECOVERY, 2)


def test_a_retag_of_no_claim_or_onto_a_taken_tag_is_refused(claims: ClaimTable) -> None:
    """REC-17: the tag stays the name of one claim."""
    claims.take(0, 50, ClaimOwner.CONTROL_MOVEMENT, None, 1)
    claims.take(0, 50, ClaimOwner.CONTROL_MOVEMENT, None, 2)
    held = claims.held(0)
    assert not claims.retag(0, ClaimOwner.CONTROL_MOVEMENT, 3, 4)
    assert not claims.retag(0, ClaimOwner.CONTROL_MOVEMENT, 1, 2)
    assert claims.held(0) == held


def test_the_arrays_follow_every_change(claims: ClaimTable) -> None:
    """NAV-13, NAV-14: what the batch reads is what the claims say."""

    def arrays() -> tuple[int, int, MovementSlot]:
        return (
            int(claims.highest_priority[0]),
            int(claims.ordinary_priority[0]),
            MovementSlot(int(claims.moving_record[0])),
        )

    assert arrays() == (0, 0, MovementSlot.GENERAL)
    claims.take(0, 10, ClaimOwner.DEFAULT_MOVEMENT, None, 1)
    assert arrays() == (10, 10, MovementSlot.DEFAULT)
    claims.take(0, 50, ClaimOwner.ORDER, "source", 1)
    assert arrays() == (50, 50, MovementSlot.GENERAL)
    claims.take(0, 70, ClaimOwner.EVENT_MOVEMENT, None, 2)
    assert arrays() == (70, 70, MovementSlot.EVENT_RESPONSE)
    claims.take(0, 90, ClaimOwner.RECOVERY, "ped", 1)
    assert arrays() == (90, 70, MovementSlot.EVENT_RESPONSE)
    claims.release(0, ClaimOwner.EVENT_MOVEMENT, 2)
    assert arrays() == (90, 50, MovementSlot.GENERAL)
    claims.clear(0)
    assert arrays() == (0, 0, MovementSlot.GENERAL)


def test_a_stumble_moves_no_record(claims: ClaimTable) -> None:
    """NAV-13: its claim is the highest, the record below it is the one that waits."""
    claims.take(0, 50, ClaimOwner.ORDER, "source", 1)
    claims.take(0, 80, ClaimOwner.STUMBLE, None, 9)
    assert int(claims.ordinary_priority[0]) == 80
    assert int(claims.moving_record[0]) == MovementSlot.GENERAL
    assert claims.highest_of_record(0, MovementSlot.GENERAL) == claims.held(0)[0]
    assert claims.highest_of_record(0, MovementSlot.EVENT_RESPONSE) is None


OPERATION = st.tuples(
    st.sampled_from(["take", "release", "retag"]),
    st.sampled_from(list(ClaimOwner)),
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from([0, 10, 50, 70, 80, 89, 90, 91]),
)


@given(st.lists(OPERATION, max_size=40))
def test_any_sequence_leaves_the_arrays_equal_to_the_claims(
    operations: list[tuple[str, ClaimOwner, int, int, int]],
) -> None:
    """NAV-13: at most 4, keys unique, the earlier of equals on top, the mirrors true."""
    claims = ClaimTable(1, TUNING)
    for what, kind, tag, other_tag, priority in operations:
        before = claims.held(0)
        if what == "take":
            done = claims.take(0, priority, kind, None, tag) is not None
        elif what == "release":
            done = claims.release(0, kind, tag)
        else:
            done = claims.retag(0, kind, tag, other_tag)
        held = claims.held(0)
        assert done is (held != before)
        assert len(held) <= 4
        assert len({(claim.owner_kind, claim.tag) for claim in held}) == len(held)
        top = max(held, key=lambda claim: claim.priority, default=None)
        assert claims.highest(0) is top
        assert claims.highest_priority[0] == (top.priority if top else 0)
        ordinary = [claim.priority for claim in held if claim.owner_kind is not ClaimOwner.RECOVERY]
        assert claims.ordinary_priority[0] == max(ordinary, default=0)


def test_a_second_writer_of_a_position_in_one_step_raises() -> None:
    """NAV-13, section 12 (17): the guard on the position setter."""
    table = MovementTable(1)
    table.reset_slot(0, 5, Vec3(0.0, 0.0), 0.0)
    table.begin_step()
    table.write_position(0, 1.0, 0.0, 0.0, PositionWriter.EXECUTOR)
    table.write_position(0, 2.0, 0.0, 0.0, PositionWriter.EXECUTOR)
    with pytest.raises(WriterConflict, match="ped#5: RECOVERY wrote a position that EXECUTOR"):
        table.write_position(0, 3.0, 0.0, 0.0, PositionWriter.RECOVERY)
    assert table.position(0) == Vec3(2.0, 0.0, 0.0)
    table.begin_step()
    table.write_position(0, 3.0, 0.0, 0.0, PositionWriter.RECOVERY)
