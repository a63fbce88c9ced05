"""The drawn shove: arms out at once, bones as long as ever, back without a jump."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from ai.ports import STEP_S
from game.render.figures.shove_pose import (
    BACK_UNTIL_S,
    LEAN_RAD,
    ShovePose,
    age_after_another,
    shove_share,
)
from game.render.picture_of_world import WorldPicture
from game.world.world import World
from tests.game.render.doubles import JOINTS, UPRIGHT
from tests.streets import person, street

NAMES = tuple(JOINTS)


def row(name: str) -> int:
    return NAMES.index(name)


def test_a_share_of_nothing_changes_nothing() -> None:
    assert ShovePose(NAMES).laid_over(UPRIGHT, 0.0) == pytest.approx(UPRIGHT)


@pytest.mark.parametrize("share", [0.3, 0.7, 1.0])
def test_bones_keep_their_lengths_and_legs_their_places(share: float) -> None:
    posed = ShovePose(NAMES).laid_over(UPRIGHT, share)
    for side in ("left", "right"):
        for first, second in pairwise(
            f"{side}_{j}" for j in ("shoulder", "elbow", "wrist", "hand")
        ):
            bone = UPRIGHT[row(second)] - UPRIGHT[row(first)]
            drawn = posed[row(second)] - posed[row(first)]
            assert np.linalg.norm(drawn) == pytest.approx(np.linalg.norm(bone))
        for joint in ("hip", "knee", "ankle", "toe"):
            place = f"{side}_{joint}"
            assert posed[row(place)] == pytest.approx(UPRIGHT[row(place)])


def test_out_the_hands_are_ahead_of_a_trunk_that_leans_after_them() -> None:
    """Upper arm 30 cm, forearm and hand 30 cm, both mostly ahead: about 50 cm before the chest."""
    posed = ShovePose(NAMES).laid_over(UPRIGHT, 1.0)
    for side in ("left", "right"):
        reach = posed[row(f"{side}_hand")] - posed[row(f"{side}_shoulder")]
        assert 45.0 < reach[0] < 60.0
    trunk = posed[row("neck")] - posed[row("pelvis")]
    assert np.arctan2(trunk[0], trunk[2]) == pytest.approx(LEAN_RAD)


def test_the_arms_come_back_without_a_jump() -> None:
    """From one step to the next they move by a third of their way at the most."""
    shares = [shove_share(step * STEP_S) for step in range(40)]
    assert shares[0] == shares[-1] == 0.0
    assert max(shares) == 1.0
    assert max(abs(after - before) for before, after in pairwise(shares)) < 1.0 / 3.0


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_another_shove_goes_on_from_where_the_arms_are(share: float) -> None:
    assert share <= shove_share(age_after_another(share, STEP_S)) <= share + 1.0 / 3.0


def test_a_shove_that_meets_nothing_is_seen_in_its_own_step_and_over_in_half_a_second() -> None:
    """Section 6: what is pressed is seen within two frames, and changes nothing of the run."""
    you = person(3, "you", 1000.0, 800.0)
    player = replace(you, options={"player": True}, default_task="")
    world = World(street(peds=(player,)))
    picture = WorldPicture(world)
    world.player_controls.shove = True
    world.step()
    picture.after_step()
    assert picture.player_row == 0
    assert picture.picture.peds.poses[0].shove > 0.2
    for _ in range(round(BACK_UNTIL_S / STEP_S)):
        world.step()
        picture.after_step()
    assert picture.picture.peds.poses[0].shove == 0.0
