"""``bystander check``: levels validated without running them (section 4, LVL-34, ORD-25)."""

from __future__ import annotations

from pathlib import Path

import pytest

from game import resources
from game.levels.check import check_levels
from game.levels.errors import LevelError
from game.levels.library import LevelLibrary
from game.levels.loading import load_level
from game.world.world_data import WorldData, shipped_world_data
from tests.game.levels.maps import LEVEL_TOML, layer, map_text, write_level

MAP = map_text(
    layer("surfaces", '<object id="1" type="pavement" x="0" y="0" width="1000" height="1000"/>'),
    layer("peds", '<object id="2" name="courier" x="100" y="100"><point/></object>'),
    layer("obstacles", '<object id="3" type="building" x="400" y="400" width="400" height="400"/>'),
)
INTO_THE_HOUSE = '[[cue]]\nat = 1\ndo = "order.start"\nped = "courier"\npoint = [600, 600]\n'


@pytest.fixture(scope="module")
def data() -> WorldData:
    return shipped_world_data()


def test_every_shipped_level_and_every_test_level_is_accepted(data: WorldData) -> None:
    """LVL-34, section 8: bystander check accepts every folder of levels/."""
    results = check_levels([resources.shipped_levels()], data)
    assert len(results) >= 3
    assert [result.fault for result in results if not result.ok] == []


def test_each_level_below_a_path_has_its_own_result(tmp_path: Path, data: WorldData) -> None:
    write_level(tmp_path / "good", MAP)
    write_level(tmp_path / "bad", MAP, LEVEL_TOML + "x = 1")
    bad, good = check_levels([tmp_path], data)
    assert (bad.path.name, good.path.name) == ("bad", "good")
    assert good.ok
    assert bad.fault.startswith("bad/level.toml:6: key 'x' is unknown")


def test_a_path_without_a_level_is_a_fault(tmp_path: Path, data: WorldData) -> None:
    """Engineering notes: zero levels found is a failure."""
    (result,) = check_levels([tmp_path], data)
    assert not result.ok
    assert "there is no level here" in result.fault


def test_a_goal_inside_a_house_is_refused_by_check_and_at_load(
    tmp_path: Path, data: WorldData
) -> None:
    """ORD-25: the middle of a house is over 100 cm from walkable ground."""
    folder = write_level(tmp_path / "house", MAP, LEVEL_TOML + INTO_THE_HOUSE)
    (result,) = check_levels([folder], data)
    assert "cue[0] (order.start): the goal (600.0, 600.0) is off walkable ground" in result.fault
    with pytest.raises(LevelError, match="is off walkable ground"):
        load_level(folder, data)


SLOW = '[[expect]]\nped = "courier"\nfield = "movement.measured_speed"\nat_most = 9\n'


@pytest.mark.parametrize(
    ("entry", "where"),
    [
        ('[[cue]]\nat = 10.5\ndo = "caption"\ntext = "late"\n', "cue[0]"),
        (SLOW + "by = 10.5\n", "expect[0]"),
        (SLOW + "during = [1, 10.5]\n", "expect[0]"),
    ],
)
def test_nothing_waits_for_a_time_after_the_end(
    entry: str, where: str, tmp_path: Path, data: WorldData
) -> None:
    """LVL-11: what could never act nor be judged is a fault; the end itself is not."""
    head = LEVEL_TOML.replace("duration_s = 2.0", "duration_s = 10.0")
    write_level(tmp_path / "late", MAP, head + entry)
    write_level(tmp_path / "on_time", MAP, head + entry.replace("10.5", "10"))
    late, on_time = check_levels([tmp_path], data)
    assert f"{where}: 10.5 s is after the end (duration_s = 10)" in late.fault.replace(
        " (caption)", ""
    )
    assert on_time.fault == ""


def test_a_level_is_loaded_by_name_from_a_library(tmp_path: Path, data: WorldData) -> None:
    write_level(tmp_path / "mine", MAP)
    level = load_level("mine", data, LevelLibrary([tmp_path]))
    assert level.name == "mine"
    with pytest.raises(LevelError, match="there is no level 'mien'; did you mean 'mine'"):
        load_level("mien", data, LevelLibrary([tmp_path]))
