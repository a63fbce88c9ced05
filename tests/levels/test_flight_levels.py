"""The levels about fleeing: LVL-24, LVL-26, LVL-27, LVL-31, as they are shipped."""

from __future__ import annotations

import pytest

from game import Sandbox
from game.levels.judge import Outcome
from game.levels.map_transforms import MapTransform, Mirrored, Turned
from game.levels.transforms import transformed
from tests.levels.runs import shipped

LEVELS = ("closed_yard", "runaway_van", "two_fires", "flee_over_order")


@pytest.mark.parametrize("image", [None, Mirrored, Turned])
@pytest.mark.parametrize("name", LEVELS)
def test_a_level_meets_its_own_expectations(name: str, image: type[MapTransform] | None) -> None:
    """LVL-24, LVL-26, LVL-27, LVL-31, LVL-08: none with a warning, on each image of its map."""
    level = shipped(name)
    with Sandbox(level if image is None else transformed(level, image), strict=True) as box:
        box.run()
        box.expectations.finish()
        results = box.expectations.results()
        assert [one.sentence for one in results if one.outcome is not Outcome.PASSED] == []
        assert box.scene.cues.warnings(*level.everybody) == ()


def test_the_van_makes_it_turn_round_once() -> None:
    """LVL-26, SAFE-10: chosen anew once in all, and not in every step."""
    with Sandbox(shipped("runaway_van"), strict=True) as box:
        seen = box.watch("courier", "safe.reselect_count")
        box.run()
        assert 1 <= max(count for count in seen["safe.reselect_count"] if count is not None) <= 3


def test_a_refusal_is_a_warning_of_a_level_that_did_not_mean_it() -> None:
    """LVL-24, LVL-11: without ``may_stay`` the cue that finds nowhere says so."""
    level = shipped("closed_yard")
    with Sandbox(level, strict=True) as box:
        box.step(100)
        assert box.scene.cues.warnings("courier", over=False) == ()
        with pytest.raises(AssertionError, match="NO_FLEE_POINT"):
            box.do("flee.from", ped="courier", position=[1090.0, 760.0])
        box.do("flee.from", ped="courier", position=[1090.0, 760.0], may_stay=True)
        box.run_for(6.0)


def test_a_goal_is_given_by_a_cue() -> None:
    """SAFE-02, LVL-11: ``flee.to`` chooses nothing; a goal too near to the threat is refused."""
    with Sandbox(shipped("two_fires"), strict=True) as box:
        with pytest.raises(AssertionError, match="GOAL_NOT_SAFE"):
            box.do("flee.to", ped="courier", goal=[1300.0, 1500.0], position=[650.0, 1500.0])
        box.do("flee.to", ped="courier", goal=[1900.0, 1000.0], position=[650.0, 1500.0])
        box.step(3)
        record = box.ped("courier").safe_response
        assert record is not None
        assert (record.entry, record.goal[:2]) == ("queue", (1900.0, 1000.0))
