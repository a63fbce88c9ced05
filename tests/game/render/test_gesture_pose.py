"""Gestures as drawn: bones keep their lengths, feet stay, hands go where meant (EVT-84)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ai.behaviours.gestures import Gesture
from game.render.figures.dressing import Dressing
from game.render.figures.gesture_pose import EASE_S, HOLDS, GesturePose, eased
from game.render.figures.looks import shipped_outfits
from game.render.picture import Pose
from game.render.picture_of_world import ClipPoses
from game.world.world_data import shipped_world_data

BONES = [
    *itertools.chain.from_iterable(
        [
            (f"{side}_shoulder", f"{side}_elbow"),
            (f"{side}_elbow", f"{side}_wrist"),
            (f"{side}_wrist", f"{side}_hand"),
            (f"{side}_hip", f"{side}_knee"),
            (f"{side}_knee", f"{side}_ankle"),
        ]
        for side in ("left", "right")
    ),
    ("pelvis", "waist"),
    ("neck", "head"),
]


@pytest.fixture(scope="module")
def standing() -> tuple[list[str], np.ndarray]:
    source = ClipPoses(shipped_world_data().clips)
    return list(source.joints), source.poses([Pose(0, 0, 0.0)])[0]


@pytest.mark.parametrize("gesture", list(Gesture))
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_bones_keep_their_lengths_and_feet_stay(
    gesture: Gesture, share: float, standing: tuple[list[str], np.ndarray]
) -> None:
    joints, pose = standing
    posed = GesturePose(joints).laid_over(pose, gesture, share, 0.7)
    for one, other in BONES:
        before = np.linalg.norm(pose[joints.index(one)] - pose[joints.index(other)])
        after = np.linalg.norm(posed[joints.index(one)] - posed[joints.index(other)])
        assert after == pytest.approx(before, abs=0.6), (one, other)
    assert np.isfinite(posed).all()
    if gesture is Gesture.ROLL:
        return
    for side in ("left", "right"):
        for part in ("ankle", "heel", "toe"):
            row = joints.index(f"{side}_{part}")
            assert posed[row] == pytest.approx(pose[row])


@pytest.mark.parametrize("turn_rad", [0.0, 1.3, 3.0, 5.5])
def test_who_rolls_lies_on_the_ground_whichever_way_it_is_turned(
    turn_rad: float, standing: tuple[list[str], np.ndarray]
) -> None:
    """Lowest joint at 7 cm; nothing of a body 178 cm long is higher than its shoulders are wide."""
    joints, pose = standing
    posed = GesturePose(joints).laid_over(pose, Gesture.ROLL, 1.0, turn_rad)
    assert posed[:, 2].min() == pytest.approx(7.0)
    assert posed[:, 2].max() < 85.0
    assert np.ptp(posed[:, 1]) > 130.0


def test_every_gesture_has_a_hold() -> None:
    assert set(HOLDS) == set(Gesture)


def test_hands_go_where_they_are_meant(standing: tuple[list[str], np.ndarray]) -> None:
    """EVT-84: a phone is held up before the face, hands go up over the head, a cower is low."""
    joints, pose = standing
    made = {one: GesturePose(joints).laid_over(pose, one, 1.0, 0.0) for one in Gesture}

    def place(gesture: Gesture, joint: str) -> np.ndarray:
        return made[gesture][joints.index(joint)]

    film = place(Gesture.FILM, "right_hand") - place(Gesture.FILM, "head")
    assert film[0] > 20.0
    assert abs(film[2]) < 25.0
    assert place(Gesture.HANDS_UP, "left_hand")[2] > place(Gesture.HANDS_UP, "crown")[2]
    ear = place(Gesture.PHONE, "right_hand") - place(Gesture.PHONE, "head")
    assert np.linalg.norm(ear) < 32.0
    assert place(Gesture.COWER, "head")[2] < 0.75 * pose[joints.index("head")][2]


def test_the_head_turns_no_further_than_a_neck_does(
    standing: tuple[list[str], np.ndarray],
) -> None:
    joints, pose = standing
    poser = GesturePose(joints)
    face = joints.index("face")
    right = poser.laid_over(pose, Gesture.LOOK, 1.0, 0.8)[face]
    assert right[1] > pose[face][1] + 3.0
    behind = poser.laid_over(pose, Gesture.LOOK, 1.0, 3.0)
    at_most = poser.laid_over(pose, Gesture.LOOK, 1.0, 1.4)
    assert behind == pytest.approx(at_most)


def test_gestures_are_eased_in() -> None:
    assert eased(0.0) == 0.0
    assert eased(EASE_S) == 1.0
    assert 0.0 < eased(EASE_S / 3) < 0.5
    assert eased(9.0) == 1.0


def test_who_films_holds_a_phone_and_the_same_one_in_every_frame() -> None:
    """EVT-84: the look with a phone is one object a ped: what is baked is kept by it."""
    dressing = Dressing(shipped_outfits())
    dressing.meet([7], ["tova"])
    filming = dressing.with_phone(7)
    assert filming.prop == "phone"
    assert dressing.with_phone(7) is filming
    assert filming.top == dressing.look(7).top
