"""Skeletons in view coordinates: where joints are seen, how bodies differ, where shadows fall."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from game.render.canvas import View
from game.render.figures.looks import Body
from game.render.figures.skeleton import FigureRig, Skeleton
from tests.game.render.doubles import JOINTS, UPRIGHT

AVERAGE = Body(scale=1.0, shoulder_half_width=17.0)
STRAIGHT_DOWN, TILTED = View(1.0, 90.0), View(1.0, 60.0)


@pytest.fixture
def rig() -> FigureRig:
    return FigureRig(tuple(JOINTS))


def seen_in(
    rig: FigureRig, pose: NDArray[np.float64], body: Body, yaw_rad: float, view: View
) -> Skeleton:
    return rig.seen(rig.shaped(pose, body), body, yaw_rad, view)


def test_a_figure_that_looks_east_is_seen_from_its_right_side(rig: FigureRig) -> None:
    """Yaw 0: forward is right in the picture; depth is y cos 60 + z sin 60, y 17 the nearer."""
    seen = seen_in(rig, UPRIGHT, AVERAGE, 0.0, TILTED)
    cos, sin = math.cos(math.radians(60.0)), math.sin(math.radians(60.0))
    assert seen.right.shoulder == pytest.approx(
        (0.0, 17.0 * sin - 141.0 * cos, 17.0 * cos + 141.0 * sin)
    )
    assert seen.right.shoulder[2] > seen.left.shoulder[2]
    assert seen.right.toe[0] == pytest.approx(15.0)


def test_turned_a_quarter_it_looks_down_the_map(rig: FigureRig) -> None:
    """Positive yaw turns clockwise on screen: from east to south, its right side to the west."""
    seen = seen_in(rig, UPRIGHT, AVERAGE, math.pi / 2.0, STRAIGHT_DOWN)
    assert seen.right.shoulder[:2] == pytest.approx((-17.0, 0.0))
    assert seen.left.toe[:2] == pytest.approx((8.5, 15.0))
    assert seen.trunk.forward == pytest.approx((0.0, 1.0, 0.0), abs=1e-9)


def test_axes_are_square_and_stay_units(rig: FigureRig) -> None:
    seen = seen_in(rig, UPRIGHT, AVERAGE, 0.7, TILTED)
    for axes in (seen.trunk, seen.face):
        for one in axes:
            assert math.dist(one, (0, 0, 0)) == pytest.approx(1.0)
        assert np.dot(axes.forward, axes.left) == pytest.approx(0.0, abs=1e-9)
        assert np.dot(axes.forward, axes.up) == pytest.approx(0.0, abs=1e-9)


def test_a_standing_head_tips_24_degrees_to_the_camera(rig: FigureRig) -> None:
    """Straight down a level face would not look up at all; tipped, sin 24 = 0.4067 of it does."""
    seen = seen_in(rig, UPRIGHT, AVERAGE, 0.3, STRAIGHT_DOWN)
    assert seen.face.forward[2] == pytest.approx(math.sin(math.radians(24.0)))
    assert seen.trunk.forward[2] == pytest.approx(0.0, abs=1e-9)


def test_a_lying_head_does_not_tip(rig: FigureRig) -> None:
    lying = UPRIGHT[:, [2, 1, 0]]
    seen = seen_in(rig, lying, AVERAGE, 0.0, STRAIGHT_DOWN)
    assert seen.face.forward[2] == pytest.approx(1.0)


def test_a_body_is_scaled_from_the_ground_up(rig: FigureRig) -> None:
    child = Body(scale=0.66, shoulder_half_width=17.0)
    seen = seen_in(rig, UPRIGHT, child, 0.0, STRAIGHT_DOWN)
    assert seen.head[2] == pytest.approx(163.0 * 0.66)


def test_wider_shoulders_take_the_arms_along(rig: FigureRig) -> None:
    broad = Body(scale=1.0, shoulder_half_width=20.0)
    seen = seen_in(rig, UPRIGHT, broad, 0.0, STRAIGHT_DOWN)
    assert seen.right.shoulder[1] == pytest.approx(20.0)
    assert seen.right.hand[1] == pytest.approx(23.0)
    assert seen.right.hip[1] == pytest.approx(8.5)


def test_an_elder_leans_forward_from_the_pelvis(rig: FigureRig) -> None:
    """20 degrees: the neck, 55 cm above the pelvis, comes 55 sin 20 = 18.81 cm forward."""
    elder = Body(scale=1.0, shoulder_half_width=17.0, lean_deg=20.0)
    seen = seen_in(rig, UPRIGHT, elder, 0.0, STRAIGHT_DOWN)
    assert seen.neck[0] == pytest.approx(18.811, abs=0.001)
    assert seen.left.hip[0] == pytest.approx(0.0)


def test_shadows_fall_right_and_down_by_height(rig: FigureRig) -> None:
    """(0.55, 0.35) of the height: the neck at 146 throws its shadow to (80.3, 51.1)."""
    points = rig.shadow(rig.shaped(UPRIGHT, AVERAGE), 0.0, STRAIGHT_DOWN)
    assert points[2] == pytest.approx((80.3, 51.1))


def test_feet_know_how_high_they_are(rig: FigureRig) -> None:
    raised = UPRIGHT.copy()
    for joint in ("left_heel", "left_toe"):
        raised[list(JOINTS).index(joint), 2] += 20.0
    shaped = rig.shaped(raised, AVERAGE)
    (left, left_height), (right, right_height) = rig.feet(shaped, 0.0, STRAIGHT_DOWN)
    assert (left_height, right_height) == pytest.approx((22.8, 2.8))
    assert left == pytest.approx((5.0, -8.5))
    assert right == pytest.approx((5.0, 8.5))


def test_a_rig_without_a_needed_joint_is_refused() -> None:
    with pytest.raises(ValueError, match="no joint 'right_toe'"):
        FigureRig([name for name in JOINTS if name != "right_toe"])
