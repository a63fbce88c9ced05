"""Hit stops (art-and-feel section 11): held for so many steps, then caught up, drawing only."""

from __future__ import annotations

import numpy as np
import pytest

from game.render.hit_stops import HitStops
from game.render.picture import Pose

STILL = Pose(0, 0, 0.0)
FALLEN = Pose(0, 0, 0.0, clip_seq=-1)


def test_a_heavy_hit_holds_three_steps_and_catches_up_in_four() -> None:
    """RAG-01 as it is drawn: x goes 10 a step; held at 0 for 3 steps, then a quarter more each."""
    stops, shown, poses = HitStops(), [], []
    stops.strike(7, np.zeros(4), STILL, 3)
    for step in range(1, 9):
        before, now = np.zeros((1, 4)), np.zeros((1, 4))
        before[0, 0], now[0, 0] = 10.0 * (step - 1), 10.0 * step
        poses_before, poses_now = [FALLEN], [FALLEN]
        stops.advance([7], before, now, poses_before, poses_now)
        shown.append(now[0, 0])
        poses.append(poses_now[0])
        if len(shown) > 1 and step < 8:
            assert before[0, 0] <= now[0, 0]
    assert shown == pytest.approx([0.0, 0.0, 0.0, 10.0, 25.0, 45.0, 70.0, 80.0])
    assert poses[:3] == [STILL] * 3
    assert poses[3:] == [FALLEN] * 5
    assert len(stops) == 0


def test_who_has_left_is_forgotten() -> None:
    """No figure is held that is not there any more."""
    stops = HitStops()
    stops.strike(7, np.zeros(4), STILL, 3)
    stops.advance([], np.zeros((0, 4)), np.zeros((0, 4)), [], [])
    assert len(stops) == 0
