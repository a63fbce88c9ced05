"""Bodies that are down, as drawn: nothing between two steps is turned with the frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from ai.motion.recovery.recovery import Recovery
from ai.motion.recovery.rising import Root
from game.render.down_bodies import DownBodies
from tests.game.render.doubles import STANDING, UPRIGHT

SLOT = 3


@dataclass
class OneBody:
    """Stands for the recovery of one ped."""

    joints: NDArray[np.float64] = field(default_factory=UPRIGHT.copy)
    root: Root = field(default_factory=lambda: Root(0.0, 0.0, 0.0, 0.0))
    session: int = 1
    is_down: bool = True

    def as_recovery(self) -> Recovery:
        """The part of its face that drawing reads."""
        face = SimpleNamespace(
            in_id_order=lambda: [SLOT] if self.is_down else [],
            shown_joints=lambda _slot: self.joints,
            record=lambda _slot: SimpleNamespace(session=self.session),
            root=lambda _slot: self.root,
        )
        return cast("Recovery", face)


def show(down: DownBodies) -> tuple[list[int], NDArray[np.float64]]:
    """One step of one ped; the rows that are down, and its place."""
    places, poses = np.zeros((1, 4)), [STANDING]
    rows = down.show([SLOT], places, poses)
    return rows, places[0]


def test_a_body_is_placed_at_its_root_and_the_step_before_in_the_same_frame() -> None:
    """The frame turns by half a turn: what lay ahead of the root then lies behind it now."""
    body = OneBody()
    down = DownBodies(body.as_recovery())
    show(down)
    body.root = Root(100.0, 50.0, 0.0, np.pi)
    rows, place = show(down)
    assert rows == [0]
    assert place == pytest.approx((100.0, 50.0, 0.0, np.pi))
    before = down.before(SLOT, STANDING).joints
    assert before is not None
    assert before[:, 0] == pytest.approx(100.0 - UPRIGHT[:, 0])
    assert before[:, 1] == pytest.approx(50.0 - UPRIGHT[:, 1])


def test_the_fall_before_is_no_step_before_of_this_one() -> None:
    """REC-12: a new session; between the two the ped may have walked anywhere."""
    body = OneBody()
    down = DownBodies(body.as_recovery())
    show(down)
    body.session = 2
    show(down)
    assert down.before(SLOT, STANDING) is STANDING
    show(down)
    assert down.before(SLOT, STANDING).joints is not None


def test_who_is_up_again_is_left_alone() -> None:
    body = OneBody()
    down = DownBodies(body.as_recovery())
    show(down)
    body.is_down = False
    rows, place = show(down)
    assert rows == []
    assert place == pytest.approx((0.0, 0.0, 0.0, 0.0))
