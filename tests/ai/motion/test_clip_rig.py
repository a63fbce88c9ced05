"""Rigs: what a rig file must hold (CLIP-01)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ai.motion.rig import load_rig
from ai.tuning import TuningError
from tests.ai.motion.clip_doubles import ASSETS, LIBRARY, rewrite_text

RIG = LIBRARY.rig


def test_the_human_has_the_proportions_of_the_bible() -> None:
    """CLIP-01, art-and-feel 4: lengths in cm."""
    size = RIG.proportions
    assert (size.ankle_height, size.shin, size.thigh, size.hip_half_width) == (7.0, 41.0, 43.0, 8.5)
    assert (size.pelvis_to_waist, size.waist_to_neck, size.neck) == (10.0, 45.0, 5.0)
    assert (size.shoulder_half_width, size.shoulder_drop) == (17.0, 5.0)
    assert (size.upper_arm, size.forearm, size.hand) == (30.0, 25.0, 5.0)
    assert (size.toe_ahead, size.heel_behind, size.head_above_neck) == (15.0, 5.0, 12.0)


def test_contact_radii_are_those_of_the_grounding_rule() -> None:
    """Art-and-feel 6: the radii with which joints touch the ground."""
    expected = {
        "left_toe": 2.8,
        "right_heel": 3.0,
        "left_ankle": 4.0,
        "right_knee": 5.5,
        "left_hand": 3.0,
        "right_elbow": 4.0,
        "pelvis": 11.0,
        "neck": 10.0,
        "head": 12.0,
    }
    assert {name: RIG.contact_radii[RIG.index(name)] for name in expected} == expected


def test_joints_hang_together_and_mirror_in_pairs() -> None:
    """CLIP-01: each joint hangs on an earlier one; mirroring twice is nothing."""
    assert RIG.parents[0] == -1
    assert all(parent < joint for joint, parent in enumerate(RIG.parents))
    assert RIG.joints[RIG.mirror[RIG.index("left_knee")]] == "right_knee"
    assert RIG.mirror[RIG.index("head")] == RIG.index("head")
    assert (RIG.mirror[RIG.mirror] == range(len(RIG.joints))).all()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "left_toe"', 'name = "left_hoof"', "joint 'left_toe' is missing"),
        ('name = "waist"', 'name = "pelvis"', "joint 'pelvis' is listed twice"),
        ('parent = "pelvis"', 'parent = "tail"', "parent 'tail' of joint 'waist'"),
        ('parent = "pelvis"\n', "", "joint 'waist' needs a parent"),
        ("shin = 41.0", "shin = -41.0", "key 'proportions.shin' = -41.0"),
    ],
)
def test_a_broken_rig_is_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    """CLIP-01, CLIP-05: file, key and reason."""
    path = tmp_path / "human.toml"
    shutil.copy(ASSETS / "rigs" / "human.toml", path)
    rewrite_text(path, old, new)
    with pytest.raises(TuningError) as refused:
        load_rig(path)
    assert words in str(refused.value)
    assert str(path) in str(refused.value)
