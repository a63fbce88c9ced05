"""Deferred notifications (ORD-21)."""

from __future__ import annotations

import pytest

from ai.motion.notifications import NotificationGate, NotificationToken

BOUND = NotificationToken(ped_id=4, session=2, generation=9)


def test_what_still_fits_is_let_through() -> None:
    """ORD-21."""
    gate = NotificationGate()
    assert gate.admits(BOUND, NotificationToken(4, 2, 9))
    assert gate.dropped == 0


@pytest.mark.parametrize(
    "present",
    [NotificationToken(5, 2, 9), NotificationToken(4, 3, 9), NotificationToken(4, 2, 10)],
)
def test_a_late_marker_is_dropped_and_counted(present: NotificationToken) -> None:
    """ORD-21: dropped with a counter when ped, session or generation differs."""
    gate = NotificationGate()
    assert not gate.admits(BOUND, present)
    assert not gate.admits(BOUND, present)
    assert gate.dropped == 2
