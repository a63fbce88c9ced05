"""How body types carry themselves: art-and-feel section 4, the table of bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from game.render.figures.looks import Body, shipped_outfits
from game.render.figures.posture import Posture, above_hips
from tests.game.render.doubles import JOINTS, UPRIGHT

NAMES = tuple(JOINTS)
POSTURE = Posture(NAMES)
SIN_6, COS_6 = math.sin(math.radians(6.0)), math.cos(math.radians(6.0))
BONES = [
    (f"{side}_{upper}", f"{side}_{lower}")
    for side in ("left", "right")
    for upper, lower in (
        ("shoulder", "elbow"),
        ("elbow", "wrist"),
        ("wrist", "hand"),
        ("hip", "knee"),
        ("knee", "ankle"),
        ("heel", "toe"),
    )
] + [("pelvis", "waist"), ("waist", "neck"), ("neck", "head")]


def body(**posture: float) -> Body:
    return Body(scale=1.0, shoulder_half_width=17.0, **posture)


def carried(pose: NDArray[np.float64], by: Body) -> dict[str, NDArray[np.float64]]:
    joints = pose.copy()
    POSTURE.lay_over(joints, by)
    return dict(zip(NAMES, joints, strict=True))


def tilted(degrees: float) -> NDArray[np.float64]:
    """The upright figure with its trunk tilted to its right."""
    pose = UPRIGHT.copy()
    pelvis = np.array(JOINTS["pelvis"])
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    for row, name in enumerate(NAMES):
        if above_hips(name):
            _, y, z = pose[row] - pelvis
            pose[row, 1:] = pelvis[1:] + np.array((y * cos + z * sin, z * cos - y * sin))
    return pose


@pytest.mark.parametrize("side", ["left", "right"])
def test_knees_bent_by_12_degrees_go_forward_over_feet_that_stay(side: str) -> None:
    """Thigh 43 and shin 41, each turned by 6: the knee 43 sin 6 ahead, the hip 84 (1 - cos 6) down.

    The ankle keeps its height and moves by (43 - 41) sin 6 = 0.2 cm.
    """
    joints = carried(UPRIGHT, body(knees_deg=12.0))
    sunk = 84.0 * (1.0 - COS_6)
    assert joints[f"{side}_hip"][2] == pytest.approx(91.0 - sunk)
    assert joints["crown"][2] == pytest.approx(176.0 - sunk)
    assert joints[f"{side}_knee"][[0, 2]] == pytest.approx(
        (43.0 * SIN_6, 91.0 - sunk - 43.0 * COS_6)
    )
    assert joints[f"{side}_ankle"][[0, 2]] == pytest.approx((2.0 * SIN_6, 7.0))
    foot = joints[f"{side}_toe"] - joints[f"{side}_heel"]
    assert foot == pytest.approx((20.0, 0.0, -0.2))


def test_a_negative_nod_lifts_the_face() -> None:
    """The face 12.4 before the head: turned up by 6, it is 12.4 sin 6 higher than the head."""
    joints = carried(UPRIGHT, body(nod_deg=-6.0))
    assert joints["face"][2] - joints["head"][2] == pytest.approx(12.4 * SIN_6)
    assert joints["neck"] == pytest.approx(JOINTS["neck"])


@pytest.mark.parametrize("side", ["left", "right"])
def test_hanging_arms_come_forward(side: str) -> None:
    """Leaning by 20 an arm hangs back; 22 forward again is 2 before the vertical, less a little.

    The arm hangs cos 20 of its length after the lean (and 3 cm aside), so it comes
    forward by a little less than it would if it hung straight down.
    """
    elder = shipped_outfits().bodies["elder"]
    joints = carried(UPRIGHT, elder)
    shoulder, elbow, hand = (joints[f"{side}_{name}"] for name in ("shoulder", "elbow", "hand"))
    ahead = math.degrees(math.atan2(elbow[0] - shoulder[0], shoulder[2] - elbow[2]))
    assert 0.0 < ahead < 2.0
    assert hand[0] > elbow[0] + 8.0


def test_raised_arms_stay_raised() -> None:
    pose = UPRIGHT.copy()
    for side in ("left", "right"):
        shoulder = np.array(JOINTS[f"{side}_shoulder"])
        for name in ("elbow", "wrist", "hand"):
            row = NAMES.index(f"{side}_{name}")
            pose[row, 2] = 2.0 * shoulder[2] - pose[row, 2]
    joints = carried(pose, body(arms_deg=34.0, elbows_deg=40.0))
    assert np.array([joints[name] for name in NAMES]) == pytest.approx(pose)


@pytest.mark.parametrize("degrees", [2.5, -2.5])
def test_heavy_people_sway_more_to_either_side(degrees: float) -> None:
    """2.5 degrees to the side become 2.5 x 1.6 = 4: so far tilted, a trunk is all but upright."""
    heavy = shipped_outfits().bodies["heavy"]
    joints = carried(tilted(degrees), heavy)
    _, y, z = joints["neck"] - joints["pelvis"]
    assert math.degrees(math.atan2(y, z)) == pytest.approx(1.6 * degrees, rel=0.001)
    assert joints["left_hip"] == pytest.approx(JOINTS["left_hip"])


@pytest.mark.parametrize("axes", [[2, 1, 0], [2, 0, 1]])
def test_who_lies_lies_like_everybody(axes: list[int]) -> None:
    """A lean would lift the trunk of an elder off the ground, or press it into it."""
    lying = UPRIGHT[:, axes]
    elder = shipped_outfits().bodies["elder"]
    joints = carried(lying, elder)
    assert np.array([joints[name] for name in NAMES]) == pytest.approx(lying, abs=0.05)


@pytest.mark.parametrize("name", sorted(shipped_outfits().bodies))
@pytest.mark.parametrize("degrees", [0.0, 12.0, 60.0])
def test_no_bone_is_stretched(name: str, degrees: float) -> None:
    pose = tilted(degrees)
    before = dict(zip(NAMES, pose, strict=True))
    joints = carried(pose, shipped_outfits().bodies[name])
    for upper, lower in BONES:
        was = math.dist(before[upper], before[lower])
        assert math.dist(joints[upper], joints[lower]) == pytest.approx(was)
