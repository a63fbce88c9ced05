"""Cross-fades between clip phases (LOC-14)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from ai.motion.pose_fader import PoseFader

FADE_S = 0.15
PED = 5


def pose(value: float) -> NDArray[np.float64]:
    return np.full((2, 3), value)


def test_a_ped_is_first_drawn_as_it_is() -> None:
    """LOC-14: there is nothing to fade from."""
    assert (PoseFader(FADE_S).fade(PED, 3, pose(10.0), 0.0) == 10.0).all()


def test_a_phase_change_fades_over_its_time() -> None:
    """LOC-14: smoothstep over 0.15 s: 0, 0.2593 at a third, 0.7407 at two thirds, then all."""
    fader = PoseFader(FADE_S)
    fader.fade(PED, 1, pose(0.0), 0.0)
    shares = [fader.fade(PED, 2, pose(100.0), dt)[0, 0] for dt in (0.0, 0.05, 0.05, 0.05)]
    assert shares == pytest.approx([0.0, 25.926, 74.074, 100.0], abs=1e-3)


def test_within_a_phase_nothing_fades() -> None:
    """LOC-14: the live pose is drawn."""
    fader = PoseFader(FADE_S)
    for value in (0.0, 50.0, 20.0):
        assert (fader.fade(PED, 1, pose(value), 0.01) == value).all()


def test_a_change_within_a_fade_starts_from_what_is_shown() -> None:
    """LOC-14: no jump back to the pose before."""
    fader = PoseFader(FADE_S)
    fader.fade(PED, 1, pose(0.0), 0.0)
    shown = fader.fade(PED, 2, pose(100.0), 0.075)
    assert shown[0, 0] == pytest.approx(50.0)
    assert (fader.fade(PED, 3, pose(-40.0), 0.0) == shown).all()


def test_peds_fade_apart_and_are_forgotten() -> None:
    """LOC-14: one ped's change is not another's; a ped that comes back is drawn as it is."""
    fader = PoseFader(FADE_S)
    fader.fade(PED, 1, pose(0.0), 0.0)
    fader.fade(6, 1, pose(0.0), 0.0)
    assert (fader.fade(6, 1, pose(7.0), 0.01) == 7.0).all()
    fader.forget(PED)
    assert (fader.fade(PED, 2, pose(100.0), 0.0) == 100.0).all()
    fader.forget(99)


def test_the_live_pose_is_not_written_to() -> None:
    """LOC-14: a fade cannot change what it reads."""
    fader, live = PoseFader(FADE_S), pose(100.0)
    fader.fade(PED, 1, pose(0.0), 0.0)
    fader.fade(PED, 2, live, 0.05)
    assert (live == 100.0).all()
